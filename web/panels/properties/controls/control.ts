// What every control of a field gets.
import { useComputed } from '@preact/signals';
import type { Path } from '../../../document/json.js';
import type { Control, FormField } from '../form/controls.js';
import { type FormTarget, MIXED } from '../form/target.js';

export interface ControlProps<Kind extends Control['kind'] = Control['kind']> {
  readonly target: FormTarget;
  readonly path: Path;
  readonly field: FormField;
  readonly control: Extract<Control, { readonly kind: Kind }>;
  /** Of the element that the label is of. */
  readonly id: string;
  /** Of the faults. */
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
}

/** The value of the field; the component is drawn again only when it changes. */
export function useValue(target: FormTarget, path: Path): unknown {
  return useComputed(() => target.read(path)).value;
}

/** "Change fill colour": what the history and screen readers say. */
export const labelOfChange = ({ label }: FormField): string =>
  `Change ${/^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)}`;

/** Attributes of the element that is edited. */
export function attributesOf({ id, describedBy, isInvalid, target }: Omit<ControlProps, 'control'>) {
  return {
    id,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid ? (true as const) : undefined,
    disabled: !target.canEdit,
  };
}

/** What a control shows of a value: nothing of a mixed one. */
export const shownValue = (value: unknown): unknown => (value === MIXED ? undefined : value);

export const placeholderOf = (value: unknown, { standard }: FormField): string => {
  if (value === MIXED) return 'Mixed';
  return typeof standard === 'string' || typeof standard === 'number' ? String(standard) : '';
};

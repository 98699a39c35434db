// The properties that every control of a field gets.
import { useComputed } from '@preact/signals';
import type { Path } from '../../../document/json.js';
import type { Control, FormField } from '../form/controls.js';
import { type FormTarget, MIXED } from '../form/target.js';

export interface ControlProps<Kind extends Control['kind'] = Control['kind']> {
  readonly target: FormTarget;
  readonly path: Path;
  readonly field: FormField;
  readonly control: Extract<Control, { readonly kind: Kind }>;
  /** Id of the labelled element. */
  readonly id: string;
  /** Id of the element that describes the faults. */
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
}

/** Returns the value of the field; the component is drawn again only when it changes. */
export function useValue(target: FormTarget, path: Path): unknown {
  return useComputed(() => target.read(path)).value;
}

/** Names a change for the history and screen readers: "Change fill colour". */
export const labelOfChange = ({ label }: FormField): string =>
  `Change ${/^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)}`;

/** Returns the attributes of the edited element. */
export function attributesOf({ id, describedBy, isInvalid, target }: Omit<ControlProps, 'control'>) {
  return {
    id,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid ? (true as const) : undefined,
    disabled: !target.canEdit,
  };
}

/** Returns the value that a control shows: undefined for a mixed one. */
export const shownValue = (value: unknown): unknown => (value === MIXED ? undefined : value);

export const placeholderOf = (value: unknown, { standard }: FormField): string => {
  if (value === MIXED) return 'Mixed';
  return typeof standard === 'string' || typeof standard === 'number' ? String(standard) : '';
};

// A field of a form: its label, control and faults, and whether the chosen size overrides it.
import { useComputed } from '@preact/signals';
import { type ComponentType, createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { isBound, isList, type Path } from '../../../document/json.js';
import { IconButton } from '../../../ui/button.js';
import { lazy } from '../../../ui/lazy.js';
import type { Control, FormField } from '../form/controls.js';
import type { FormTarget } from '../form/target.js';
import { colorFault } from '../values/color-fault.js';
import { isRow } from './choice-input.js';
import type { ControlProps } from './control.js';
import { numberFault, useScrub } from './number-input.js';

// the template's fields, which are seen first, are no expressions
const loadBinding = () => import('./binding.js');
const ExpressionInput = lazy(loadBinding, (module) => module.ExpressionInput);
const BindButton = lazy(loadBinding, (module) => module.BindButton, { isSilent: true });

/** Provides the component for controls from above, because controls contain fields in turn. */
export const ControlContext = createContext<ComponentType<ControlProps>>(() => null);

export interface FieldViewProps {
  readonly target: FormTarget;
  readonly field: FormField;
  readonly path: Path;
  /** Puts the label inside the control, beside another field. */
  readonly isCompact?: boolean;
}

/**
 * Whether the control brings its label and takes the whole width, as controls with nested fields do. `isListed` says that the
 * value is a list.
 */
function isBlock({ name, control }: FormField, isListed: boolean): boolean {
  const { kind } = control;
  if (kind === 'oneOrMore') return control.item.kind === 'color' ? isListed : control.item.kind !== 'number';
  return ['group', 'list', 'oneOf', 'map', 'tuple'].includes(kind) || isFilter(name, control);
}

export const isFilter = (name: string, control: Control): boolean =>
  control.kind === 'text' && (control.format === 'css-filter' || name === 'filter');

/** Returns the fault of typed text that can't become the field's value. */
function draftFault(target: FormTarget, path: Path, field: FormField): string | undefined {
  const { control } = field;
  if (control.kind === 'number') return numberFault(target, path, field, control);
  const draft = target.draft(path);
  if (draft === undefined) return undefined;
  const single = control.kind === 'oneOrMore' ? control.item : control;
  if (single.kind === 'color') return colorFault(draft.trim(), single.takesGradients);
  return control.kind === 'json' ? 'Enter JSON' : undefined;
}

export function FieldView({ target, field, path, isCompact = false }: FieldViewProps) {
  const id = useId();
  const ControlView = useContext(ControlContext);
  const scrub = useScrub(target, path, field);
  const all = useComputed(() => target.findings(path)).value;
  const overrides = useComputed(() => (path.length === 1 ? target.overrides(path).length > 0 : false)).value;
  const typed = useComputed(() => draftFault(target, path, field)).value;
  // nested fields show their own faults
  const isListed = useComputed(() => isList(target.read(path))).value;
  const isFromData = useComputed(() => target.canBind && isBound(target.read(path))).value;
  const isWhole = !isFromData && isBlock(field, isListed);
  const findings = isWhole ? all.filter((finding) => finding.field.length <= path.length) : all;
  const messages = typed === undefined ? findings : [{ severity: 'error' as const, message: typed }];
  const noteId = messages.length > 0 ? `${id}-note` : undefined;
  const isInvalid = messages.some(({ severity }) => severity === 'error');
  const props = { target, path, field, id, describedBy: noteId, isInvalid };
  const control = isFromData ? (
    <ExpressionInput {...props} messages={messages.map(({ message }) => message)} />
  ) : (
    <ControlView {...props} control={field.control} />
  );
  const { label, hint } = field;
  const isGroupOfRadios = field.control.kind === 'choice' && isRow(field.name, field.control.choices);
  const Label = isGroupOfRadios ? 'span' : 'label';
  const labelProps = {
    id: `${id}-label`,
    title: hint,
    ...(!isGroupOfRadios && { for: id }),
    ...scrub,
  };
  const scrubbed = scrub ? 'prop-scrub' : '';
  return (
    <div class={`prop ${overrides ? 'prop-overridden' : ''}`} data-field={path.join('.')}>
      {isWhole && control}
      {!isWhole && isCompact && !isFromData && (
        <div class="prop-compact">
          <Label {...labelProps} class={`prop-compact-label ${scrubbed}`}>
            {label}
          </Label>
          {control}
        </div>
      )}
      {!isWhole && (!isCompact || isFromData) && (
        <div class="prop-line">
          <Label {...labelProps} class={`prop-label ${scrubbed}`}>
            {label}
          </Label>
          <div class="prop-control">{control}</div>
        </div>
      )}
      {!overrides && target.canEdit && target.canBind && (
        <BindButton target={target} path={path} field={field} isOn={isFromData} />
      )}
      {overrides && target.canEdit && (
        <IconButton
          icon="undo"
          size="small"
          class="prop-reset"
          label={`Reset ${label.toLowerCase()} to the template’s`}
          onClick={() => target.reset(target.overrides(path), `Reset ${label.toLowerCase()}`)}
        />
      )}
      {noteId && (
        <div id={noteId} class="prop-notes">
          {messages.map(({ severity, message }) => (
            <p key={message} class={severity === 'error' ? 'prop-error' : 'prop-warning'}>
              {message}
            </p>
          ))}
        </div>
      )}
    </div>
  );
}

/** Longest label in characters that fits beside its number in half the width. */
const MAX_COMPACT = 10;

const isShort = ({ control, label }: FormField): boolean =>
  control.kind === 'number' && control.words.length === 0 && label.length <= MAX_COMPACT;

/** Arranges the fields in rows: short numbers in pairs. */
export function inRows(fields: readonly FormField[]): FormField[][] {
  const rows: FormField[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (last?.length === 1 && isShort(last[0]!) && isShort(field)) last.push(field);
    else rows.push([field]);
  }
  return rows;
}

export interface RowsProps {
  readonly target: FormTarget;
  readonly rows: readonly (readonly FormField[])[];
  /** Path of the object that contains the fields. */
  readonly path: Path;
}

export function Rows({ target, rows, path }: RowsProps) {
  return (
    <>
      {rows.map((row) => {
        const isPair = row.length > 1;
        const views = row.map((field) => (
          <FieldView key={field.name} target={target} field={field} path={[...path, field.name]} isCompact={isPair} />
        ));
        return isPair ? (
          <div key={row[0]!.name} class="prop-pair">
            {views}
          </div>
        ) : (
          views
        );
      })}
    </>
  );
}

// Edits objects with nested fields, which are added and removed as a whole, and values of several kinds.
import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { isObject, type Json } from '../../../document/json.js';
import { IconButton } from '../../../ui/button.js';
import { Icon } from '../../../ui/icon.js';
import { type Control, type FormField, fits } from '../form/controls.js';
import { initialOf } from '../form/initial.js';
import { MIXED } from '../form/target.js';
import { type ControlProps, labelOfChange, shownValue, useValue } from './control.js';
import { FieldView, inRows, Rows } from './field-view.js';

export interface BlockProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly actions?: ComponentChildren;
  /** Content below the label. */
  readonly children?: ComponentChildren;
}

/** A label with actions beside it, and the labelled content below. */
export function Block({ id, label, hint, describedBy, actions, children }: BlockProps) {
  return (
    <div class="prop-block" role="group" aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      <div class="prop-block-head">
        <span id={`${id}-label`} class="prop-label" title={hint}>
          {label}
        </span>
        <span class="prop-block-actions">{actions}</span>
      </div>
      {children && <div class="prop-block-body">{children}</div>}
    </div>
  );
}

const inSentence = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1);

export function GroupInput({ target, path, field, control, id, describedBy }: ControlProps<'group'>) {
  const value = useValue(target, path);
  const isPresent = value === MIXED || isObject(value);
  const { label, hint, isRequired } = field;
  const name = inSentence(label);
  return (
    <Block
      id={id}
      label={label}
      hint={hint}
      describedBy={describedBy}
      actions={
        target.canEdit &&
        !isRequired && (
          <IconButton
            icon={isPresent ? 'minus' : 'plus'}
            size="small"
            label={isPresent ? `Remove ${name}` : `Add ${name}`}
            onClick={() => {
              const next = isPresent ? undefined : initialOf(field.name, control);
              target.write(path, next, `${isPresent ? 'Remove' : 'Add'} ${name}`);
              target.endStep();
            }}
          />
        )
      }
    >
      {isPresent && <Rows target={target} path={path} rows={inRows(control.fields)} />}
    </Block>
  );
}

const KIND_WORDS: Readonly<Record<Control['kind'], string>> = {
  switch: 'On or off',
  choice: 'Simple',
  number: 'Number',
  color: 'Colour',
  text: 'Text',
  group: 'Detailed',
  list: 'List',
  tuple: 'List',
  oneOrMore: 'List',
  oneOf: 'Other',
  map: 'Fields',
  json: 'JSON',
};

/** Finds the group's field with the same control as the previous kind, and keeps its value there. */
function asGroup(fields: readonly FormField[], from: Control | undefined, value: unknown): Json {
  const same = fields.find(({ control }) => JSON.stringify(control) === JSON.stringify(from));
  return same && value !== undefined ? { [same.name]: value } : {};
}

export function OneOfInput({ target, path, field, control, id, describedBy }: ControlProps<'oneOf'>) {
  const value = useValue(target, path);
  const { controls } = control;
  const visibleValue = shownValue(value);
  const type = useComputed(() => target.read(['shapeType'])).value;
  // a polygon has corners, a star a number of tips
  const isPoints = field.name === 'points' && typeof type === 'string';
  const kinds = isPoints ? [type === 'star' ? 1 : 0] : [...controls.keys()];
  const found = visibleValue === undefined ? (kinds[0] ?? 0) : controls.findIndex((each) => fits(each, visibleValue));
  const chosen: Control = controls[found] ?? { kind: 'json' };
  const { label, hint } = field;
  const choose = (index: number) => {
    const next = controls[index]!;
    const initial = initialOf(field.name, next);
    const fields = next.kind === 'group' ? asGroup(next.fields, chosen, visibleValue) : {};
    target.write(path, isObject(initial) ? { ...initial, ...fields } : initial, labelOfChange(field));
    target.endStep();
  };
  const listed = found >= 0 && !kinds.includes(found) ? [...kinds, found] : kinds;

  const name = inSentence(label);
  const kind = target.canEdit && listed.length > 1 && (
    <span class="prop-choose" title="Kind">
      <Icon name="more" />
      <select
        aria-label={`Kind of ${name}`}
        value={String(found)}
        onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
      >
        {listed.map((index) => (
          <option key={index} value={String(index)}>
            {KIND_WORDS[controls[index]?.kind ?? 'json']}
          </option>
        ))}
      </select>
    </span>
  );
  if (chosen.kind !== 'group') {
    return (
      <div class="prop-item">
        <FieldView key={found} target={target} path={path} field={{ ...field, control: chosen }} />
        {kind}
      </div>
    );
  }
  const isAbsent = visibleValue === undefined;
  return (
    <Block
      id={id}
      label={label}
      hint={hint}
      describedBy={describedBy}
      actions={
        target.canEdit && (
          <span class="prop-item">
            {kind}
            <IconButton
              icon={isAbsent ? 'plus' : 'minus'}
              size="small"
              label={`${isAbsent ? 'Add' : 'Remove'} ${name}`}
              onClick={() => {
                if (isAbsent) return choose(kinds[0] ?? 0);
                target.write(path, undefined, `Remove ${name}`);
                target.endStep();
              }}
            />
          </span>
        )
      }
    >
      {!isAbsent && <Rows target={target} path={path} rows={inRows(chosen.fields)} />}
    </Block>
  );
}

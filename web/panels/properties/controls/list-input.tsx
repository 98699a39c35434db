// Edits lists, whose items can be added, removed and reordered, tuples, and objects with arbitrary keys.
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { isList, isObject, type Json, type Path } from '../../../document/json.js';
import { IconButton } from '../../../ui/button.js';
import { type Control, type FormField, initialValue } from '../form/controls.js';
import { initialOf } from '../form/initial.js';
import { type FormTarget, MIXED } from '../form/target.js';
import { type ControlProps, shownValue, useValue } from './control.js';
import { FieldView, inRows, Rows } from './field-view.js';
import { Block } from './group-input.js';

/** Largest number of items shown; the others can be edited as JSON. */
const MAX_ITEMS = 60;

/** Returns the singular of a list's label: `Spans` → Span. */
const itemName = (label: string): string => label.replace(/([^s])s$/, '$1');

type ListProps = ControlProps<'list'> | ControlProps<'oneOrMore'>;

/** Edits a list, or a single value in place of a list with one item. */
export function ListInput({ target, path, field, control, id, describedBy }: ListProps) {
  const value = useValue(target, path);
  const isOneOrMore = control.kind === 'oneOrMore';
  const visibleValue = shownValue(value);
  const isSingle = isOneOrMore && visibleValue !== undefined && !isList(visibleValue);
  const items: readonly unknown[] = isList(visibleValue) ? visibleValue : isSingle ? [visibleValue] : [];
  const name = itemName(field.label);
  const least = control.kind === 'list' ? control.least : 0;
  const write = (next: readonly unknown[], label: string) => {
    const written = isOneOrMore && next.length === 1 ? next[0] : next.length === 0 ? undefined : next;
    target.write(path, written, label);
    target.endStep();
  };
  const add = () => {
    const last = items.at(-1);
    const layer = target.read([]);
    const initial = initialOf(field.name, isOneOrMore ? control.item : control, isObject(layer) ? layer : {});
    if (items.length === 0) return write(isList(initial) ? initial : [initial], `Add ${name.toLowerCase()}`);
    const copied = last === undefined || isObject(last) ? undefined : last;
    const next = copied ?? (isList(initial) ? initial[0] : initial) ?? initialValue(control.item);
    write([...items, next], `Add ${name.toLowerCase()}`);
  };
  return (
    <Block
      id={id}
      label={field.label}
      hint={field.hint}
      describedBy={describedBy}
      actions={
        target.canEdit &&
        value !== MIXED &&
        items.length < control.most && (
          <IconButton icon="plus" size="small" label={`Add ${name.toLowerCase()}`} onClick={add} />
        )
      }
    >
      {value === MIXED && <p class="prop-note">Mixed</p>}
      {items.slice(0, MAX_ITEMS).map((_, index) => (
        <Item
          // items have no identity but their index
          key={index}
          target={target}
          path={isSingle ? path : [...path, index]}
          control={control.item}
          name={`${name} ${index + 1}`}
          onRemove={
            items.length > least || least === 1
              ? () => write(items.toSpliced(index, 1), `Remove ${name.toLowerCase()}`)
              : undefined
          }
          onMove={
            index > 0
              ? () =>
                  write(items.toSpliced(index - 1, 2, items[index], items[index - 1]), `Move ${name.toLowerCase()} up`)
              : undefined
          }
        />
      ))}
      {items.length > MAX_ITEMS && <p class="prop-note">{items.length - MAX_ITEMS} more: edit them as JSON.</p>}
    </Block>
  );
}

interface ItemProps {
  readonly target: FormTarget;
  readonly path: Path;
  readonly control: Control;
  readonly name: string;
  readonly onRemove: (() => void) | undefined;
  readonly onMove: (() => void) | undefined;
}

function Item({ target, path, control, name, onRemove, onMove }: ItemProps) {
  const id = useId();
  const field: FormField = { name: 'item', label: name, control, isRequired: true };
  const actions = target.canEdit && (
    <>
      {onMove && (
        <IconButton
          icon="chevron"
          size="small"
          class="prop-up"
          label={`Move ${name.toLowerCase()} up`}
          onClick={onMove}
        />
      )}
      {onRemove && <IconButton icon="minus" size="small" label={`Remove ${name.toLowerCase()}`} onClick={onRemove} />}
    </>
  );
  if (control.kind === 'group') {
    return (
      <Block id={id} label={name} actions={actions}>
        <Rows target={target} path={path} rows={inRows(control.fields)} />
      </Block>
    );
  }
  return (
    <div class="prop-item">
      {control.kind === 'tuple' ? (
        <TupleFields target={target} path={path} items={control.items} name={name} />
      ) : (
        <FieldView target={target} path={path} field={field} />
      )}
      <span class="prop-block-actions">{actions}</span>
    </div>
  );
}

const TUPLE_NAMES = ['X', 'Y', 'Width', 'Height'];

interface TupleFieldsProps {
  readonly target: FormTarget;
  readonly path: Path;
  readonly items: readonly Control[];
  /** Accessible name of the tuple. */
  readonly name: string;
}

function TupleFields({ target, path, items, name }: TupleFieldsProps) {
  return (
    <div class="prop-pair" role="group" aria-label={name}>
      {items.map((control, index) => (
        <FieldView
          key={TUPLE_NAMES[index] ?? index}
          target={target}
          path={[...path, index]}
          field={{ name: 'item', label: TUPLE_NAMES[index] ?? String(index + 1), control, isRequired: true }}
          isCompact
        />
      ))}
    </div>
  );
}

export function TupleInput({ target, path, field, control, id, describedBy }: ControlProps<'tuple'>) {
  const value = useValue(target, path);
  const isPresent = isList(shownValue(value));
  const name = field.label.charAt(0).toLowerCase() + field.label.slice(1);
  return (
    <Block
      id={id}
      label={field.label}
      hint={field.hint}
      describedBy={describedBy}
      actions={
        target.canEdit && (
          <IconButton
            icon={isPresent ? 'minus' : 'plus'}
            size="small"
            label={`${isPresent ? 'Remove' : 'Add'} ${name}`}
            onClick={() => {
              const next = isPresent ? undefined : initialOf(field.name, control);
              target.write(path, next, `${isPresent ? 'Remove' : 'Add'} ${name}`);
              target.endStep();
            }}
          />
        )
      }
    >
      {isPresent && <TupleFields target={target} path={path} items={control.items} name={field.label} />}
    </Block>
  );
}

export function MapInput({ target, path, field, control, id, describedBy }: ControlProps<'map'>) {
  const value = useValue(target, path);
  const added = useSignal('');
  const visibleValue = shownValue(value);
  const entries: Json = isObject(visibleValue) ? visibleValue : {};
  const write = (next: Json, label: string) => {
    target.write(path, Object.keys(next).length === 0 ? undefined : next, label);
    target.endStep();
  };
  const add = () => {
    const key = added.value.trim();
    if (key === '' || Object.hasOwn(entries, key)) return;
    write({ ...entries, [key]: 1 }, `Add ${key}`);
    added.value = '';
  };
  return (
    <Block id={id} label={field.label} hint={field.hint} describedBy={describedBy}>
      {Object.keys(entries).map((key) => (
        <div key={key} class="prop-item">
          <FieldView
            target={target}
            path={[...path, key]}
            field={{ name: 'item', label: key, control: control.item, isRequired: true }}
          />
          {target.canEdit && (
            <IconButton
              icon="minus"
              size="small"
              label={`Remove ${key}`}
              onClick={() => {
                const { [key]: _removed, ...others } = entries;
                write(others, `Remove ${key}`);
              }}
            />
          )}
        </div>
      ))}
      {target.canEdit && (
        <div class="prop-item">
          <input
            class="prop-input"
            type="text"
            aria-label={`New tag of ${field.label.toLowerCase()}`}
            placeholder="Tag, such as tnum"
            maxLength={4}
            value={added.value}
            onInput={({ currentTarget }) => {
              added.value = currentTarget.value;
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') add();
            }}
          />
          <IconButton icon="plus" size="small" label={`Add to ${field.label.toLowerCase()}`} onClick={add} />
        </div>
      )}
    </Block>
  );
}

// The sizes of a template: chooses the edited size; adds, renames and deletes sizes.
import { batch, useSignal } from '@preact/signals';
import { useContext, useId } from 'preact/hooks';
import { canvasSize } from '../../../document/commands.js';
import { isObject, type Json, numberOf, valueAt } from '../../../document/json.js';
import { Button, IconButton } from '../../../ui/button.js';
import { EditorContext } from '../form/editor-context.js';

export function Sizes() {
  const { store, canEdit } = useContext(EditorContext);
  const { record, size } = store.document.value;
  const id = useId();
  const renamed = useSignal<{ readonly from: string; readonly to: string } | undefined>(undefined);
  const sizes: Json = isObject(record.sizes) ? record.sizes : {};
  const names = Object.keys(sizes);
  const choose = (next: string | undefined) =>
    store.dispatch(
      { type: 'chooseSize', size: next },
      { label: next === undefined ? 'Edit the template' : `Edit ${next}` },
    );
  const write = (next: Json | undefined, label: string) =>
    store.dispatch({ type: 'setRecord', path: ['sizes'], value: next }, { label });

  const add = () => {
    let name = 'size-1';
    for (let i = 2; Object.hasOwn(sizes, name); i++) name = `size-${i}`;
    const { width, height } = canvasSize(store.document.value);
    batch(() => {
      write({ ...sizes, [name]: { width, height } }, `Add ${name}`);
      choose(name);
    });
    renamed.value = { from: name, to: name };
  };
  const remove = (name: string) => {
    const { [name]: _removed, ...others } = sizes;
    batch(() => {
      if (size === name) choose(undefined);
      write(Object.keys(others).length > 0 ? others : undefined, `Delete ${name}`);
    });
  };
  const rename = () => {
    const { from, to } = renamed.value ?? { from: '', to: '' };
    const name = to.trim();
    renamed.value = undefined;
    if (name === '' || name === from || Object.hasOwn(sizes, name)) return;
    batch(() => {
      const isEdited = size === from;
      write(
        Object.fromEntries(Object.entries(sizes).map(([key, value]) => [key === from ? name : key, value])),
        `Rename ${from}`,
      );
      if (isEdited) choose(name);
    });
  };
  const isTaken = (name: string, from: string) => name !== from && Object.hasOwn(sizes, name);
  const measures = (path: Json): string => `${numberOf(path.width) ?? '?'} × ${numberOf(path.height) ?? '?'}`;
  return (
    <div class="sizes" role="radiogroup" aria-label="Edited size">
      <label class="size-row">
        <input type="radio" name={id} checked={size === undefined} onChange={() => choose(undefined)} />
        <span class="size-name">The template’s own</span>
        <span class="size-measures">{measures(record)}</span>
      </label>
      {names.map((name) => {
        const own = valueAt(sizes, [name]);
        const text = measures(isObject(own) ? own : {});
        if (renamed.value?.from === name) {
          const { to } = renamed.value;
          const fault = isTaken(to.trim(), name) ? `There is a size ${to.trim()} already` : undefined;
          return (
            <div key={name} class="prop">
              <input
                class="prop-input"
                type="text"
                aria-label={`New name of ${name}`}
                aria-invalid={fault ? true : undefined}
                maxLength={200}
                value={to}
                ref={(element) => {
                  if (element && document.activeElement !== element && !element.dataset.focused) {
                    element.dataset.focused = 'true';
                    element.focus();
                    element.select();
                  }
                }}
                onInput={({ currentTarget }) => {
                  renamed.value = { from: name, to: currentTarget.value };
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Enter') rename();
                  else if (event.key === 'Escape') {
                    event.stopPropagation();
                    renamed.value = undefined;
                  }
                }}
                onBlur={rename}
              />
              {fault && (
                <div class="prop-notes">
                  <p class="prop-error">{fault}</p>
                </div>
              )}
            </div>
          );
        }
        return (
          <div key={name} class="size-row">
            <label>
              <input type="radio" name={id} checked={size === name} onChange={() => choose(name)} />
              <span class="size-name">{name}</span>
              <span class="size-measures">{text}</span>
            </label>
            {canEdit && (
              <span class="prop-block-actions">
                <IconButton
                  icon="edit"
                  size="small"
                  label={`Rename ${name}`}
                  onClick={() => {
                    renamed.value = { from: name, to: name };
                  }}
                />
                <IconButton icon="trash" size="small" label={`Delete ${name}`} onClick={() => remove(name)} />
              </span>
            )}
          </div>
        );
      })}
      {canEdit && (
        <Button size="small" kind="quiet" icon="plus" onClick={add}>
          Add size
        </Button>
      )}
    </div>
  );
}

// Edits a CSS filter list function by function.
import { IconButton } from '../../../ui/button.js';
import { Icon } from '../../../ui/icon.js';
import { inWords } from '../form/words.js';
import { FILTERS, type FilterFunction, filterText, parseFilters } from '../values/filter-list.js';
import { attributesOf, type ControlProps, labelOfChange, useValue } from './control.js';
import { Block } from './group-input.js';
import { TextInput } from './text-input.js';

export function FilterInput(props: ControlProps<'text'>) {
  const { target, path, field, id, describedBy } = props;
  const value = useValue(target, path);
  const functions = value === undefined ? [] : typeof value === 'string' ? parseFilters(value) : undefined;
  const label = labelOfChange(field);
  const write = (next: readonly FilterFunction[]) => target.write(path, filterText(next) || undefined, label);
  const change = (next: readonly FilterFunction[]) => {
    write(next);
    target.endStep();
  };
  return (
    <Block
      id={id}
      label={field.label}
      hint={field.hint}
      describedBy={describedBy}
      actions={
        functions &&
        target.canEdit && (
          <span class="prop-select prop-kind">
            <select
              aria-label={`Add ${field.label.toLowerCase()}`}
              value=""
              onChange={({ currentTarget }) => {
                const name = currentTarget.value;
                change([...functions, { name, args: FILTERS[name] ?? '' }]);
                currentTarget.value = '';
              }}
            >
              <option value="">Add…</option>
              {Object.keys(FILTERS).map((name) => (
                <option key={name} value={name}>
                  {inWords(name)}
                </option>
              ))}
            </select>
            <Icon name="chevron" size={12} />
          </span>
        )
      }
    >
      {!functions && <TextInput {...props} id={`${id}-text`} />}
      {functions &&
        functions.length > 0 &&
        functions.map(({ name, args }, index) => (
          <div class="prop-item" key={`${index} ${name}`}>
            <label class="prop-line">
              <span class="prop-label">{inWords(name)}</span>
              <input
                {...attributesOf({ ...props, id: `${id}-${index}` })}
                class="prop-input"
                type="text"
                spellcheck={false}
                value={args}
                onInput={({ currentTarget }) =>
                  write(functions.with(index, { name, args: currentTarget.value.replace(/[()]*$/, closed) }))
                }
                onBlur={() => target.endStep()}
              />
            </label>
            {target.canEdit && (
              <span class="prop-block-actions">
                {index > 0 && (
                  <IconButton
                    icon="chevron"
                    size="small"
                    class="prop-up"
                    label={`Move ${inWords(name).toLowerCase()} up`}
                    onClick={() => change(functions.toSpliced(index - 1, 2, functions[index]!, functions[index - 1]!))}
                  />
                )}
                <IconButton
                  icon="minus"
                  size="small"
                  label={`Remove ${inWords(name).toLowerCase()}`}
                  onClick={() => change(functions.toSpliced(index, 1))}
                />
              </span>
            )}
          </div>
        ))}
    </Block>
  );
}

/** Keeps closing brackets at the end only if they close open ones. */
function closed(brackets: string, at: number, text: string): string {
  const before = text.slice(0, at);
  const open = before.split('(').length - before.split(')').length;
  return brackets.replaceAll('(', '').slice(0, Math.max(0, open));
}

// The fields of declared variables: a control for each type, and a table for a list, whose rows are added, moved, sorted, and
// pasted from a sheet.
import { useRef } from 'preact/hooks';
import { announce } from '../../app/announce.js';
import type { LayerFinding, OpenEditor } from '../../canvas/open-editor.js';
import { isList, isObject, type Json } from '../../document/json.js';
import { Button, IconButton } from '../../ui/button.js';
import { Checkbox, FieldGroup, SelectField, TextField } from '../../ui/field.js';
import { PictureButtons } from '../assets/asset-picker.js';
import {
  currentValue,
  type DeclaredField,
  emptyEntry,
  entryValue,
  sortedBy,
  textOfValue,
  valueOfText,
  withEntryValue,
  withPasted,
} from './declared.js';
import { ColorField } from './hotspot-fields.js';

interface DeclaredFieldsProps {
  readonly editor: OpenEditor;
  readonly fields: readonly DeclaredField[];
}

/** A section with the declared variables that no hotspot has. */
export function DeclaredFields({ editor, fields }: DeclaredFieldsProps) {
  const { variables } = editor;
  return (
    <>
      {fields.map((field) => (
        <DeclaredInput
          key={field.name}
          field={field}
          value={currentValue(field, variables.value)}
          isChanged={Object.hasOwn(variables.value, field.name)}
          canUpload={editor.canEdit}
          faults={faultsOf(editor, ['variables', field.name])}
          onChange={(value) => {
            const { [field.name]: _, ...others } = variables.peek();
            variables.value = value === undefined ? others : { ...others, [field.name]: value };
          }}
        />
      ))}
    </>
  );
}

const faultsOf = ({ findings }: OpenEditor, path: readonly string[]): readonly LayerFinding[] =>
  findings.value.filter(({ node, field }) => !node && path.every((key, index) => field[index] === key));

interface InputProps {
  readonly field: DeclaredField;
  readonly value: unknown;
  readonly isChanged: boolean;
  readonly canUpload: boolean;
  readonly faults: readonly LayerFinding[];
  /** Sets the value; undefined restores the default. */
  readonly onChange: (value: unknown) => void;
}

function DeclaredInput(props: InputProps) {
  const { field, isChanged, onChange } = props;
  return (
    <div class={isChanged ? 'variable variable-field variable-changed' : 'variable variable-field'}>
      <Control {...props} />
      {isChanged && (
        <IconButton icon="undo" size="small" label={`Reset ${field.label}`} onClick={() => onChange(undefined)} />
      )}
    </div>
  );
}

function Control(props: InputProps) {
  const { field, value, canUpload, faults, onChange } = props;
  const { label, type, description, name } = field;
  const error = faults.find(({ severity }) => severity === 'error')?.message;
  const hint = description ?? (
    <>
      <code>{name}</code> · {type}
    </>
  );
  const note = { label, hint, error };
  if (type === 'array') return <ListTable {...props} error={error} />;
  if (type === 'object' && field.fields.length > 0) {
    const own: Json = isObject(value) ? value : {};
    return (
      <FieldGroup legend={label} error={error}>
        {field.fields.map((each) => (
          <Control
            key={each.name}
            {...props}
            field={each}
            value={own[each.name]}
            faults={[]}
            onChange={(next) => onChange({ ...own, [each.name]: next ?? null })}
          />
        ))}
      </FieldGroup>
    );
  }
  if (type === 'boolean') return <Checkbox label={label} hint={hint} checked={value === true} onChange={onChange} />;
  if (type === 'enum') {
    const options = ['', ...field.choices].map((choice) => ({ value: choice, label: choice }));
    return (
      <SelectField {...note} value={textOfValue(value)} options={options} onChange={(text) => onChange(text || null)} />
    );
  }
  const text = textOfValue(value);
  const set = (next: string) => onChange(valueOfText(field, next));
  if (type === 'color') return <ColorField label={label} hint={error ?? hint} value={text} onInput={set} />;
  return (
    <>
      <TextField
        {...note}
        value={text}
        onInput={set}
        {...(PLACEHOLDERS[type] && { placeholder: PLACEHOLDERS[type] })}
      />
      {type === 'image' && <PictureButtons label={label} canUpload={canUpload} onChoose={onChange} />}
    </>
  );
}

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  image: 'https:// or asset:',
  date: '2026-01-31',
  locale: 'de-CH',
};

function ListTable({ field, value, error, faults, onChange }: InputProps & { readonly error: string | undefined }) {
  const rows = isList(value) ? value : [];
  const table = useRef<HTMLTableElement>(null);
  const sorted = useRef<{ readonly name: string; readonly isDescending: boolean }>(undefined);
  const { label, name, fields } = field;
  const isFull = field.most !== undefined && rows.length >= field.most;
  const move = (from: number, to: number) => {
    if (to < 0 || to >= rows.length) return;
    onChange(rows.toSpliced(from, 1).toSpliced(to, 0, rows[from]));
    announce(`Row ${from + 1} is row ${to + 1} now`);
  };
  const sort = (column: DeclaredField) => {
    const isDescending = sorted.current?.name === column.name && !sorted.current.isDescending;
    sorted.current = { name: column.name, isDescending };
    onChange(sortedBy(rows, column, isDescending));
    announce(`Sorted by ${column.label || label}, ${isDescending ? 'descending' : 'ascending'}`);
  };
  const isWrong = (row: number, column: DeclaredField) =>
    faults.some(({ field: path }) => path[2] === row && (path[3] === undefined || path[3] === column.name));
  return (
    <fieldset class="variable-list">
      <legend>{label}</legend>
      <div class="variable-table">
        <table ref={table}>
          <thead>
            <tr>
              {fields.map((column) => (
                <th key={column.name} scope="col">
                  <Button
                    kind="quiet"
                    size="small"
                    title={`Sort by ${column.label || label}`}
                    onClick={() => sort(column)}
                  >
                    {column.label || 'Value'}
                  </Button>
                </th>
              ))}
              <th scope="col">
                <span class="visually-hidden">Row</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((entry, row) => (
              // rows have no identity but their place
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <tr key={row}>
                {fields.map((column, index) => (
                  <td key={column.name}>
                    <input
                      class="input"
                      aria-label={`${column.label || label}, row ${row + 1}`}
                      aria-invalid={isWrong(row, column) || undefined}
                      spellcheck={false}
                      autocomplete="off"
                      value={textOfValue(entryValue(entry, column))}
                      onInput={({ currentTarget }) => {
                        const next = valueOfText(column, currentTarget.value);
                        onChange(rows.with(row, withEntryValue(entry, column, next)));
                      }}
                      onPaste={(event) => {
                        const text = event.clipboardData?.getData('text/plain') ?? '';
                        if (!/[\t\n]/.test(text.trim())) return;
                        event.preventDefault();
                        const next = withPasted(field, rows, text, { row, column: index });
                        onChange(next);
                        announce(`${next.length} rows`);
                      }}
                      onKeyDown={(event) => {
                        if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return;
                        event.preventDefault();
                        const to = row + (event.key === 'ArrowUp' ? -1 : 1);
                        move(row, to);
                        table.current?.querySelectorAll('tbody tr')[to]?.querySelectorAll('input')[index]?.focus();
                      }}
                    />
                  </td>
                ))}
                <td>
                  <IconButton
                    icon="minus"
                    size="small"
                    label={`Remove row ${row + 1} of ${label}`}
                    onClick={() => onChange(rows.toSpliced(row, 1))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="variables-actions">
        <Button
          size="small"
          icon="plus"
          disabled={isFull}
          onClick={() => {
            onChange([...rows, emptyEntry(field)]);
            requestAnimationFrame(() =>
              table.current?.querySelector<HTMLElement>('tbody tr:last-child input')?.focus(),
            );
          }}
        >
          Add row
        </Button>
      </div>
      <p class={error ? 'field-error' : 'field-hint'}>
        {error ?? (
          <>
            <code>{name}</code> · {rows.length === 1 ? '1 row' : `${rows.length} rows`}; paste cells of a sheet into a
            row, Alt and arrows move it
          </>
        )}
      </p>
    </fieldset>
  );
}

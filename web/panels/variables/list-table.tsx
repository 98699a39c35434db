// A list as a table, whose rows are added, moved, sorted, and pasted from a sheet.
import { useRef } from 'preact/hooks';
import { announce } from '../../app/announce.js';
import { isList } from '../../document/json.js';
import { Button, IconButton } from '../../ui/button.js';
import {
  type DeclaredField,
  emptyEntry,
  entryValue,
  sortedBy,
  textOfValue,
  valueOfText,
  withEntryValue,
  withPasted,
} from './declared.js';

interface ListTableProps {
  readonly field: DeclaredField;
  readonly value: unknown;
  readonly error?: string | undefined;
  readonly isDisabled?: boolean;
  /** Whether there is a fault in a row, or in one of its values. */
  readonly isWrong: (row: number, column: DeclaredField) => boolean;
  readonly onChange: (value: readonly unknown[]) => void;
}

export function ListTable({ field, value, error, isDisabled = false, isWrong, onChange }: ListTableProps) {
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
  return (
    <fieldset class="variable-list" disabled={isDisabled}>
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

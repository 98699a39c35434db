// The rows of a table layer: a table with a column for each field that its columns show.
import { isList, isObject, textOf } from '../../../document/json.js';
import { lazy } from '../../../ui/lazy.js';
import type { DeclaredField } from '../../variables/declared.js';
import { type ControlProps, labelOfChange, shownValue, useValue } from './control.js';

const ListTable = lazy(
  () => import('../../variables/list-table.js'),
  (module) => module.ListTable,
);

const fieldOf = (name: string, type: string, fields: readonly DeclaredField[] = []): DeclaredField => ({
  name,
  label: name,
  type,
  choices: [],
  fields,
});

/** The fields that the columns name, else those of the first row. */
export function rowFields(columns: unknown, rows: readonly unknown[]): DeclaredField[] {
  const named = (isList(columns) ? columns : []).flatMap((column) =>
    isObject(column) ? (textOf(column.field) ?? []) : [],
  );
  const [first] = rows;
  const names = new Set(named.length > 0 ? named : isObject(first) ? Object.keys(first) : []);
  return [...names].map((name) => {
    // a number that is typed among texts is one of them, such as that of a room
    const hasTexts = rows.some((row) => isObject(row) && typeof row[name] === 'string');
    return fieldOf(name, hasTexts ? 'string' : 'number');
  });
}

export function RowsInput({ target, path, field }: ControlProps) {
  const value = shownValue(useValue(target, path));
  const columns = shownValue(useValue(target, ['columns']));
  const rows = isList(value) ? value : [];
  const list = { ...fieldOf(field.name, 'array', rowFields(columns, rows)), label: field.label };
  const faults = target.findings(path);
  const [whole] = faults.filter((fault) => fault.field.length <= path.length);
  return (
    <ListTable
      field={list}
      value={rows}
      error={whole?.message}
      isDisabled={!target.canEdit}
      isWrong={(row, column) =>
        faults.some(
          (fault) => fault.field[1] === row && (fault.field[2] === undefined || fault.field[2] === column.name),
        )
      }
      onChange={(next) => target.write(path, next, labelOfChange(field))}
    />
  );
}

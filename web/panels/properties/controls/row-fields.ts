// The fields of the rows of a table layer, as those of a declared list.
import { isList, isObject, textOf } from '../../../document/json.js';
import type { DeclaredField } from '../../variables/declared.js';

export const fieldOf = (name: string, type: string, fields: readonly DeclaredField[] = []): DeclaredField => ({
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

// The declared variables of a template's record as fields of a form, and how typed text becomes their values.
import { declarationOf } from '../../../lib/contract/template/declaration.js';
import type { Json } from '../../document/json.js';
import { isList, isObject, numberOf, textOf } from '../../document/json.js';
import type { HotspotField } from '../../preview/hotspots.js';
import { cellsOf } from './rows.js';

export interface DeclaredField {
  readonly name: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** A type of declarations; an unknown one counts as a string. */
  readonly type: string;
  /** Texts that an `enum` lists. */
  readonly choices: readonly string[];
  /** Fields of an object, or of the objects in a list. A list of other values has one, without a name. */
  readonly fields: readonly DeclaredField[];
  readonly most?: number | undefined;
  readonly standard?: unknown;
}

/** The fields of a record's declarations, in their order, but for those of `hotspots`, which have fields of their own. */
export function declaredFields(record: unknown, hotspots: readonly HotspotField[]): DeclaredField[] {
  const own = new Set(hotspots.flatMap(({ key, label }) => [key, label]));
  return isObject(record) ? fieldsOf(record.variables).filter(({ name }) => !own.has(name)) : [];
}

const fieldsOf = (declarations: unknown): DeclaredField[] =>
  isObject(declarations) ? Object.entries(declarations).map(([name, raw]) => fieldOf(name, raw)) : [];

function fieldOf(name: string, raw: unknown): DeclaredField {
  const declaration = declarationOf(raw);
  const type = textOf(declaration.type) ?? 'string';
  return {
    name,
    label: textOf(declaration.label) ?? name,
    description: textOf(declaration.description),
    type,
    choices: isList(declaration.values) ? declaration.values.map(String) : [],
    fields: type === 'array' ? itemFields(declaration.of) : type === 'object' ? fieldsOf(declaration.fields) : [],
    most: numberOf(declaration.max),
    standard: declaration.default,
  };
}

function itemFields(of: unknown): DeclaredField[] {
  const item = fieldOf('', of ?? 'string');
  return item.type === 'object' && item.fields.length > 0 ? [...item.fields] : [item];
}

/** Whether the entries of a list are objects with the fields as their keys. */
const hasKeys = ({ fields }: DeclaredField): boolean => fields.every(({ name }) => name !== '');

export const entryValue = (entry: unknown, { name }: DeclaredField): unknown =>
  name === '' ? entry : isObject(entry) ? entry[name] : undefined;

export const withEntryValue = (entry: unknown, { name }: DeclaredField, value: unknown): unknown =>
  name === '' ? value : { ...(isObject(entry) ? entry : {}), [name]: value };

/** An entry without values. */
export const emptyEntry = (list: DeclaredField): unknown => (hasKeys(list) ? {} : null);

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The value that typed text means: null for none. Text that is wrong stays text, and the engine says what is wrong with it. */
export function valueOfText({ type }: DeclaredField, text: string): unknown {
  const trimmed = text.trim();
  if (type === 'string') return text;
  if (trimmed === '') return null;
  if (type === 'number') return NUMBER.test(trimmed) ? Number(trimmed) : text;
  if (type === 'boolean') return trimmed === 'true' ? true : trimmed === 'false' ? false : text;
  if (type !== 'array' && type !== 'object') return trimmed;
  try {
    return JSON.parse(trimmed);
  } catch {
    return text;
  }
}

/** The text that shows a value. */
export const textOfValue = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Rows in the order of a column: numbers by size, texts by their characters, and what is empty last. */
export function sortedBy(rows: readonly unknown[], field: DeclaredField, isDescending: boolean): unknown[] {
  const rank = (value: unknown) => (value === undefined || value === null || value === '' ? 1 : 0);
  const compare = (a: unknown, b: unknown): number => {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    const [left, right] = [textOfValue(a), textOfValue(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  };
  return rows.toSorted((x, y) => {
    const [a, b] = [entryValue(x, field), entryValue(y, field)];
    return rank(a) - rank(b) || (rank(a) === 1 ? 0 : compare(a, b) * (isDescending ? -1 : 1));
  });
}

/**
 * Puts the cells of a sheet into the rows, from one cell on to the right and down; rows that are missing are added. A first line
 * that names columns says where each of its cells goes.
 */
export function withPasted(
  list: DeclaredField,
  rows: readonly unknown[],
  text: string,
  at: { readonly row: number; readonly column: number },
): unknown[] {
  const cells = cellsOf(text);
  const named = (cell: string) =>
    list.fields.findIndex(({ name, label }) =>
      [name, label].some((each) => each.toLowerCase() === cell.trim().toLowerCase()),
    );
  const head = cells[0]?.map(named) ?? [];
  const hasHead = cells.length > 1 && hasKeys(list) && head.every((column) => column >= 0);
  const columns = hasHead ? head : (cells[0] ?? []).map((_, index) => at.column + index);
  const next = [...rows];
  for (const [line, values] of cells.slice(hasHead ? 1 : 0).entries()) {
    const row = at.row + line;
    while (next.length <= row) next.push(emptyEntry(list));
    for (const [index, column] of columns.entries()) {
      const field = list.fields[column];
      if (field && values[index] !== undefined) {
        next[row] = withEntryValue(next[row], field, valueOfText(field, values[index]));
      }
    }
  }
  return next;
}

/** The value of a variable: what fills it, or its default. */
export const currentValue = (field: DeclaredField, variables: Json): unknown =>
  Object.hasOwn(variables, field.name) ? variables[field.name] : field.standard;

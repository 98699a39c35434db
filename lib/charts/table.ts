// Reads a chart's data: the places along x, and the series of numbers.

import { quoted } from '../contract/json/describe.js';
import { isObject } from '../contract/json/is-object.js';
import { type ChartFields, MAX_POINTS, MAX_VALUE } from '../contract/layers/expanded/chart.js';
import { closestMatch, didYouMean } from '../contract/messages/closest-match.js';
import { type DateFields, instantOf, parseIsoDate } from '../locale/iso-date.js';
import { ChartError, type Drawing } from './drawing.js';

export interface Series {
  readonly name: string;
  /** null is a gap. */
  readonly values: readonly (number | null)[];
}

/** A date with what was written, and its milliseconds by the clock that it carries. */
export interface DatePlace {
  readonly text: string;
  readonly fields: DateFields;
  readonly clock: number;
}

export type DataPlaces =
  | { readonly kind: 'index' | 'number'; readonly values: readonly (number | null)[] }
  | { readonly kind: 'text'; readonly values: readonly string[] }
  | { readonly kind: 'date'; readonly values: readonly (DatePlace | null)[] };

export interface DataTable {
  readonly count: number;
  /** The field of the places; undefined where they are counted. */
  readonly xName: string | undefined;
  readonly places: DataPlaces;
  readonly series: readonly Series[];
}

type Row = Readonly<Record<string, unknown>> | number | null;

/** Characters of a name that are read. */
const MAX_TEXT = 300;
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** Throws ChartError. */
export function readTable({ data, x, y, chart }: ChartFields, drawing: Drawing): DataTable {
  const rows = rowsOf(data);
  const fields = fieldsOf(rows);
  const known = (name: string, path: string) => {
    if (fields.length === 0 || fields.includes(name)) return name;
    const meant = didYouMean(closestMatch(name, new Set(fields)));
    throw new ChartError(path, `received ${quoted(name)}, expected a field of the data${meant}`);
  };
  const isPair = chart === 'scatter' && x === undefined && y === undefined;
  const numeric = isPair ? fields.filter((field) => rows.some((row) => isNumber(cellOf(row, field)))) : [];
  const hasPair = numeric.length > 1;
  const xName = x !== undefined ? known(x, 'x') : hasPair ? numeric[0] : namedField(rows, fields);
  const yNames =
    y?.map((name, i) => known(name, y.length === 1 ? 'y' : `y[${i}]`)) ??
    (fields.length === 0
      ? undefined
      : fields.filter((field) => field !== xName && rows.some((row) => isNumber(cellOf(row, field)))));
  const [row] = y ?? [];
  if (chart === 'heatmap' && y?.length === 1 && !rows.some((each) => isNumber(cellOf(each, row)))) {
    const value = fields.find((field) => field !== xName && rows.some((each) => isNumber(cellOf(each, field))));
    if (xName !== undefined && value !== undefined) return pivoted(rows, xName, row, value);
  }
  const names = yNames ?? [''];
  const points = rows.length * Math.max(1, names.length);
  if (points > MAX_POINTS) {
    throw new ChartError('data', `has ${points} points, expected at most ${MAX_POINTS}`, true);
  }
  let ignored = 0;
  const series = names.map((name): Series => {
    const values = rows.map((row) => {
      const value = typeof row === 'number' ? row : cellOf(row, name);
      const number = numberOf(value);
      if (number === null && value !== undefined && value !== null && value !== '') ignored++;
      return number;
    });
    return { name: cleanText(name), values };
  });
  if (ignored > 0) {
    const values = ignored === 1 ? '1 value that is no number counts' : `${ignored} values that are no numbers count`;
    drawing.warn('values_ignored', 'data', `${values} as missing`);
  }
  return { count: rows.length, xName, places: placesOf(rows, xName), series };
}

/** The table of rows that each have one value, with the names of its place and of its series. */
function pivoted(rows: readonly Row[], xName: string, yName: string, valueName: string): DataTable {
  const columns = new Map<string, number>();
  const names = new Map<string, Map<number, number | null>>();
  const firsts: Row[] = [];
  for (const row of rows) {
    const place = textOf(cellOf(row, xName));
    const column = columns.get(place) ?? columns.size;
    if (!columns.has(place)) firsts.push(row);
    columns.set(place, column);
    const name = textOf(cellOf(row, yName));
    const values = names.get(name) ?? new Map<number, number | null>();
    names.set(name, values.set(column, numberOf(cellOf(row, valueName))));
  }
  const count = columns.size;
  if (count * names.size > MAX_POINTS) {
    throw new ChartError('data', `has ${count * names.size} cells, expected at most ${MAX_POINTS}`, true);
  }
  const series = Array.from(names, ([name, values]) => ({
    name,
    values: Array.from({ length: count }, (_, column) => values.get(column) ?? null),
  }));
  return { count, xName, places: placesOf(firsts, xName), series };
}

function rowsOf(data: unknown): Row[] {
  if (data === undefined || data === null) return [];
  if (!Array.isArray(data)) {
    throw new ChartError('data', `received ${describe(data)}, expected a list of objects or numbers`);
  }
  if (data.length > MAX_POINTS) {
    throw new ChartError('data', `has ${data.length} points, expected at most ${MAX_POINTS}`, true);
  }
  return Array.from(data as readonly unknown[], (row, i) => {
    if (row === null || row === undefined) return null;
    if (typeof row === 'number') return row;
    if (isObject(row)) return row;
    throw new ChartError(`data[${i}]`, `received ${describe(row)}, expected an object or a number`);
  });
}

function describe(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : String(value);
}

/** The fields of the rows, in the order in which they are first met. */
function fieldsOf(rows: readonly Row[]): string[] {
  const fields = new Set<string>();
  for (const row of rows) if (isObject(row)) for (const field of Object.keys(row)) fields.add(field);
  return [...fields];
}

const cellOf = (row: Row, field: string): unknown =>
  isObject(row) && Object.hasOwn(row, field) ? row[field] : undefined;

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= MAX_VALUE;

/** Whether the field has texts, dates among them. */
const isNamed = (rows: readonly Row[], field: string): boolean =>
  rows.some((row) => typeof cellOf(row, field) === 'string' && cellOf(row, field) !== '');

/** The first field with texts: one without numbers, or one beside which another has them. */
function namedField(rows: readonly Row[], fields: readonly string[]): string | undefined {
  const named = fields.filter((field) => isNamed(rows, field));
  const numeric = fields.filter((field) => rows.some((row) => isNumber(cellOf(row, field))));
  return (
    named.find((field) => !numeric.includes(field)) ?? named.find((field) => numeric.some((other) => other !== field))
  );
}

/** Cells of sheets bring numbers as text. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  return isNumber(number) ? number : null;
}

function placesOf(rows: readonly Row[], field: string | undefined): DataPlaces {
  if (field === undefined) return { kind: 'index', values: rows.map((_, i) => i) };
  const values = rows.map((row) => cellOf(row, field));
  const present = values.filter((value) => value !== undefined && value !== null && value !== '');
  if (present.length > 0 && present.every(isNumber)) {
    return { kind: 'number', values: values.map((value) => (isNumber(value) ? value : null)) };
  }
  const dates = values.map((value) => (typeof value === 'string' ? dateOf(value) : null));
  if (present.length > 0 && dates.filter((date) => date !== null).length === present.length) {
    return { kind: 'date', values: onOneClock(dates) };
  }
  return { kind: 'text', values: values.map(textOf) };
}

/** Reads a date of ISO 8601; null for anything else. */
export function dateOf(text: string): DatePlace | null {
  const fields = parseIsoDate(text);
  return fields ? { text, fields, clock: instantOf({ ...fields, offset: 0 }) } : null;
}

/** Dates that carry different offsets lie where their instants do. */
function onOneClock(dates: readonly (DatePlace | null)[]): (DatePlace | null)[] {
  const offsets = new Set(dates.map((date) => date?.fields.offset ?? null));
  offsets.delete(null);
  if (offsets.size < 2) return [...dates];
  return dates.map((date) => date && { ...date, clock: instantOf(date.fields) });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return cleanText(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Labels have one line. */
export const cleanText = (text: string): string => text.slice(0, MAX_TEXT).replace(/\s+/g, ' ').trim();

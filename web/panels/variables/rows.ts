// Reads the rows of a CSV, of JSON lines or of a JSON array by the rules of `platen batch`, so that the panel shows what it
// would render.
import { parseJson } from '../../../lib/contract/json/parse.js';
import { closestMatch } from '../../../lib/contract/messages/closest-match.js';
import type { HotspotField, Variables } from '../../preview/hotspots.js';

/** A row, numbered from 1 without the header and blank lines. */
export type Row =
  | { readonly number: number; readonly values: Variables; readonly error?: undefined }
  | { readonly number: number; readonly values?: undefined; readonly error: string };

export interface ParsedRows {
  /** The columns of a CSV; undefined for JSON, where each row has its own keys. */
  readonly columns: readonly string[] | undefined;
  readonly rows: readonly Row[];
}

/** The error for a file without readable rows. */
export class RowsError extends Error {}

const SEPARATORS = [',', ';', '\t'];

export function parseRows(name: string, source: string): ParsedRows {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const first = text.trimStart()[0];
  if (first === undefined) throw new RowsError('is empty');
  const isCsv = /\.csv$/i.test(name);
  if (/\.(?:jsonl|ndjson)$/i.test(name) || (!isCsv && first === '{')) return { columns: undefined, rows: lines(text) };
  if (!isCsv && first === '[') return { columns: undefined, rows: items(text) };
  return csv(text);
}

const isObject = (value: unknown): value is Variables =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function objectRow(number: number, value: unknown): Row {
  if (isObject(value)) return { number, values: value };
  return { number, error: `received ${JSON.stringify(value)?.slice(0, 40)}, expected an object` };
}

function items(text: string): Row[] {
  return orRowsError(() => parseJson(text) as readonly unknown[]).map((item, index) => objectRow(index + 1, item));
}

function lines(text: string): Row[] {
  const filled = text.split('\n').filter((line) => line.trim() !== '');
  return filled.map((line, index) => {
    try {
      return objectRow(index + 1, parseJson(line, {}));
    } catch (error) {
      return { number: index + 1, error: (error as Error).message };
    }
  });
}

function orRowsError<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new RowsError((error as Error).message);
  }
}

function csv(text: string): ParsedRows {
  const [header, ...records] = csvRecords(text, separatorOf(text));
  const names = (header ?? []).map((name) => name.trim());
  const columns = names.filter((name) => name !== '');
  if (columns.length === 0) throw new RowsError('its first line has no column names');
  const duplicate = columns.find((name, index) => columns.indexOf(name) < index);
  if (duplicate !== undefined) throw new RowsError(`two columns are named ${JSON.stringify(duplicate)}`);
  return { columns, rows: records.map((cells, index) => csvRow(index + 1, cells, names)) };
}

/** The cells of lines that were copied from a sheet, which puts tabs between them, or of a CSV. */
export function cellsOf(text: string): string[][] {
  return csvRecords(text, text.includes('\t') ? '\t' : separatorOf(text));
}

/** Reads a row. Spreadsheets export empty cells beyond the header's columns. */
function csvRow(number: number, cells: readonly string[], names: readonly string[]): Row {
  if (cells.length < names.length || cells.slice(names.length).some((cell) => cell !== '')) {
    return { number, error: `has ${cells.length} cells, expected ${names.length}` };
  }
  const entries = names.map((name, index): [string, string] => [name, cells[index]!]);
  return { number, values: Object.fromEntries(entries.filter(([name]) => name !== '')) };
}

/** Returns the most frequent separator outside quotes in the first line that isn't blank. */
function separatorOf(text: string): string {
  const [line = ''] = /^[\r\n]*((?:"[^"]*"|[^"\r\n])*)/.exec(text)?.slice(1) ?? [];
  const unquoted = line.replace(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => unquoted.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!;
}

/** Parses the records of a CSV (RFC 4180) without blank lines. */
function csvRecords(text: string, separator: string): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let at = 0;
  let isQuotedCell = false;
  const endRecord = () => {
    if (cells.length > 0 || cell !== '' || isQuotedCell) records.push([...cells, cell]);
    cells = [];
    cell = '';
    isQuotedCell = false;
  };
  while (at < text.length) {
    const character = text[at]!;
    if (character === '"') {
      if (cell !== '' || isQuotedCell) throw new RowsError(`has a quote inside a cell in line ${lineOf(text, at)}`);
      const end = closingQuote(text, at + 1);
      if (end < 0) throw new RowsError(`has a quote in line ${lineOf(text, at)} that is never closed`);
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      isQuotedCell = true;
      at = end + 1;
      const next = text[at];
      if (next !== undefined && next !== separator && next !== '\r' && next !== '\n') {
        throw new RowsError(`has text behind a closing quote in line ${lineOf(text, at)}`);
      }
    } else if (character === separator) {
      cells.push(cell);
      cell = '';
      isQuotedCell = false;
      at++;
    } else if (character === '\n' || character === '\r') {
      endRecord();
      at += character === '\r' && text[at + 1] === '\n' ? 2 : 1;
    } else {
      let end = at + 1;
      while (end < text.length && text[end] !== separator && !'"\r\n'.includes(text[end]!)) end++;
      cell += text.slice(at, end);
      at = end;
    }
  }
  endRecord();
  return records;
}

/** Finds the quote that closes a cell; two quotes in a row don't. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split(/\r\n|\n|\r/).length;

/** The variables and the size that a row sets. */
export interface RowFilling {
  readonly variables: Variables;
  readonly size: string | undefined;
}

export interface RowReader {
  read(values: Variables): RowFilling;
  /** Faults of a CSV's columns, in sentences. */
  readonly remarks: readonly string[];
}

/** Picks the variables of rows as `platen batch` does: an empty cell only fills texts. `sizes` names the template's sizes. */
export function createRowReader(
  fields: readonly HotspotField[],
  sizes: readonly string[],
  columns: readonly string[] | undefined,
): RowReader {
  const known = new Set(fields.flatMap(({ key, label }) => [key, label]));
  const isText = ({ type }: HotspotField) => type === 'text' || type === 'placeholder';
  const texts = new Set(fields.filter(isText).flatMap(({ key, label }) => [key, label]));
  const sizeColumn = sizes.length > 0 && !known.has('size') ? 'size' : undefined;
  const isVariable = ([name, value]: [string, unknown]) =>
    columns ? known.has(name) && (value !== '' || texts.has(name)) : name !== sizeColumn;
  return {
    read(values) {
      const size = sizeColumn === undefined ? undefined : values[sizeColumn];
      return {
        variables: Object.fromEntries(Object.entries(values).filter(isVariable)),
        size: typeof size === 'string' && size !== '' ? size : undefined,
      };
    },
    remarks: columns ? remarksOf(fields, known, sizeColumn, columns) : [],
  };
}

function remarksOf(
  fields: readonly HotspotField[],
  known: ReadonlySet<string>,
  sizeColumn: string | undefined,
  columns: readonly string[],
): string[] {
  const unknown = columns.filter((name) => !known.has(name) && name !== sizeColumn);
  const missing = fields.filter(({ key, label }) => !columns.includes(key) && !columns.includes(label));
  const remarks = unknown.map((name) => {
    const meant = closestMatch(name, known);
    return `Column ${name} is no variable of the template and is ignored${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  });
  if (missing.length === 0) return remarks;
  const names = missing.map(({ label }) => label).join(', ');
  return [...remarks, `No column for ${names}: the template’s own ${missing.length === 1 ? 'is' : 'are'} shown`];
}

// The bytes of a CSV (RFC 4180, separated by commas, semicolons or tabs, the first record naming the columns), of JSON lines
// or of a JSON array → rows, one at a time: however long the file is, little of it is in memory, save for an array's.
// UTF-8, with or without a byte order mark.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { isObject } from '../../contract/fields.js';
import { formatReceived } from '../../contract/issues.js';
import { parseJson } from '../../contract/json.js';
import { BODY_LEVELS, deeperThan } from '../../contract/json-depth.js';
import { RenderError } from '../../errors.js';
import { systemReason } from '../errors.js';
import type { CliContext } from '../stdio.js';

/** Characters of one row: an unclosed quote must not take in the rest of a large file. */
const MAX_ROW = 10 * 2 ** 20;
/** Characters of a JSON array, which is read as a whole. */
const MAX_ARRAY = 100 * 2 ** 20;

/** A row that could be read, or why it could not; numbered from 1, header and blank lines not counted. */
export type Row =
  | { readonly number: number; readonly values: Readonly<Record<string, unknown>> }
  | { readonly number: number; readonly values?: undefined; readonly error: string };

export interface RowSource {
  /** The columns that every row has; undefined when each row names its own (JSON). */
  readonly columns: readonly string[] | undefined;
  /** To be read once. Throws RenderError when the rest of the file can't be read. */
  readonly rows: AsyncIterable<Row>;
}

/**
 * The rows of a file called `name`. JSON lines by the ending .jsonl or .ndjson, CSV by .csv; else a JSON array by a `[` at
 * the start, JSON lines by a `{`, a CSV otherwise.
 * Throws RenderError `invalid_request` naming the file when it is empty, or has a header that can't be used.
 */
export async function readRows(name: string, bytes: AsyncIterable<Uint8Array>): Promise<RowSource> {
  const texts = decode(bytes)[Symbol.asyncIterator]();
  let start = '';
  while (start.trim() === '') {
    const { done, value } = await texts.next();
    if (done) throw unreadable('it is empty');
    start += value;
  }
  const all = rejoin(start, texts);
  switch (kindOf(name, start.trimStart()[0])) {
    case 'array':
      return { columns: undefined, rows: toAsync(await arrayRows(all)) };
    case 'lines':
      return { columns: undefined, rows: jsonRows(all) };
    case 'csv':
      return csvRows(all);
  }
}

function kindOf(name: string, first: string): 'array' | 'lines' | 'csv' {
  if (/\.(jsonl|ndjson)$/i.test(name)) return 'lines';
  if (/\.csv$/i.test(name)) return 'csv';
  return first === '[' ? 'array' : first === '{' ? 'lines' : 'csv';
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of bytes) yield decodeOrRefuse(() => decoder.decode(chunk, { stream: true }));
  yield decodeOrRefuse(() => decoder.decode());
}

function decodeOrRefuse(decoded: () => string): string {
  try {
    return decoded();
  } catch (cause) {
    throw unreadable('it is not UTF-8', cause);
  }
}

async function* rejoin(start: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield start;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

function unreadable(reason: string, cause?: unknown): RenderError {
  return new RenderError('invalid_request', reason, { cause });
}

async function* jsonRows(texts: AsyncIterable<string>): AsyncGenerator<Row> {
  let number = 0;
  for await (const line of linesOf(texts)) if (line.trim() !== '') yield jsonRow(++number, line);
}

/** The array's items. Throws RenderError when the text as a whole is no JSON: it can't be told where the next row begins. */
async function arrayRows(texts: AsyncIterable<string>): Promise<Row[]> {
  const pieces: string[] = [];
  let length = 0;
  for await (const text of texts) {
    length += text.length;
    if (length > MAX_ARRAY) {
      throw unreadable(`a JSON array of more than ${MAX_ARRAY} characters: write an object a line (.jsonl)`);
    }
    pieces.push(text);
  }
  const items = parseJson(pieces.join('')) as readonly unknown[];
  return items.map((item, i) => objectRow(i + 1, item));
}

async function* toAsync<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

/** Lines end in LF or CR LF only: JSON strings may hold every other line separator. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const lines = text.split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop()!;
    if (rest.length > MAX_ROW) throw unreadable(`a line is longer than ${MAX_ROW} characters`);
    yield* lines;
  }
  yield rest;
}

function jsonRow(number: number, line: string): Row {
  try {
    return objectRow(number, parseJson(line));
  } catch (error) {
    if (error instanceof RenderError) return { number, error: error.message.replace('line 1, ', '') };
    throw error;
  }
}

function objectRow(number: number, values: unknown): Row {
  if (!isObject(values)) return { number, error: `received ${formatReceived(values)}, expected an object` };
  return deeperThan(values, BODY_LEVELS)
    ? { number, error: `is nested deeper than ${BODY_LEVELS} levels` }
    : { number, values };
}

async function csvRows(texts: AsyncIterable<string>): Promise<RowSource> {
  const records = csvRecords(texts);
  const header = await records.next();
  const names = header.done ? [] : header.value.map((name) => name.trim());
  const columns = names.filter((name) => name !== '');
  if (columns.length === 0) throw unreadable('its first line names no columns');
  const twice = columns.find((name, i) => columns.indexOf(name) < i);
  if (twice !== undefined) throw unreadable(`two columns are called ${formatReceived(twice)}`);
  async function* rows(): AsyncGenerator<Row> {
    let number = 0;
    for await (const cells of records) yield csvRow(++number, cells, names);
  }
  return { columns, rows: rows() };
}

/** A spreadsheet writes semicolons where the comma is the decimal sign; what is copied from one has tabs. */
const SEPARATORS = [',', ';', '\t'] as const;

/** Counts the separators of a CSV's first line that is not blank, outside of quotes. */
class HeaderScan {
  readonly #counts = new Map<string, number>(SEPARATORS.map((separator) => [separator, 0]));
  #quoted = false;
  #begun = false;
  #length = 0;

  /** Whether the line ends in `text`, the next piece of the file, or is longer than a row may be. */
  endsIn(text: string): boolean {
    for (const character of text) {
      if (character === '"') this.#quoted = !this.#quoted;
      const isLineEnd = !this.#quoted && (character === '\n' || character === '\r');
      if (isLineEnd && this.#begun) return true;
      if (!isLineEnd) this.#begun = true;
      const count = this.#counts.get(character);
      if (count !== undefined && !this.#quoted) this.#counts.set(character, count + 1);
    }
    this.#length += text.length;
    return this.#length > MAX_ROW;
  }

  /** The separator that stands there most often; a comma when none does. */
  get separator(): string {
    const most = Math.max(...this.#counts.values());
    return SEPARATORS.find((separator) => this.#counts.get(separator) === most) ?? ',';
  }
}

async function* csvRecords(texts: AsyncIterable<string>): AsyncGenerator<string[], undefined> {
  const pieces = texts[Symbol.asyncIterator]();
  const header = new HeaderScan();
  let start = '';
  for (let isWhole = false; !isWhole; ) {
    const { done, value } = await pieces.next();
    if (done) break;
    start += value;
    isWhole = header.endsIn(value);
  }
  const parser = parse({
    delimiter: header.separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW,
  });
  // A failure of the texts becomes the parser's, and is thrown below.
  pipeline(Readable.from(rejoin(start, pieces)), parser, () => undefined);
  try {
    for await (const record of parser) yield record;
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error.message, error) : error;
  }
}

/** Cells beyond the header's are taken for a spreadsheet's leftovers while they are empty. */
function csvRow(number: number, cells: readonly string[], names: readonly string[]): Row {
  if (cells.length < names.length || cells.slice(names.length).some((cell) => cell !== '')) {
    return { number, error: `has ${cells.length} cells, expected ${names.length}` };
  }
  const named = names.map((name, i): [string, string] => [name, cells[i]]);
  return { number, values: Object.fromEntries(named.filter(([name]) => name !== '')) };
}

/** Opens `source`, a path or `-`. Throws RenderError naming it, here and from the rows, when it can't be read. */
export async function openRows(source: string, { input, directory }: CliContext): Promise<RowSource> {
  const name = source === '-' ? 'standard input' : source;
  const bytes = source === '-' ? input : createReadStream(resolve(directory, source));
  try {
    const { columns, rows } = await readRows(source, bytes);
    return { columns, rows: named(name, rows) };
  } catch (error) {
    throw naming(name, error);
  }
}

/** Whether `source` can be read twice: a file can, a pipe can't. */
export async function isRepeatable(source: string, { directory }: CliContext): Promise<boolean> {
  if (source === '-') return false;
  const found = await stat(resolve(directory, source)).catch(() => undefined);
  return found?.isFile() ?? false;
}

async function* named(name: string, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  try {
    yield* rows;
  } catch (error) {
    throw naming(name, error);
  }
}

function naming(name: string, cause: unknown): unknown {
  const isSystem = cause instanceof Error && 'syscall' in cause;
  if (!isSystem && !(cause instanceof RenderError)) return cause;
  return new RenderError('invalid_request', `${name}: ${systemReason(cause)}`, { cause });
}

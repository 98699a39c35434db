// The bytes of a CSV (RFC 4180, the first record naming the columns) or of JSON lines → rows, one at a time: however long
// the file is, little of it is in memory. UTF-8, with or without a byte order mark.
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { BODY_LEVELS, deeperThan } from '../contract/depth.js';
import { shown } from '../contract/faults.js';
import { isObject } from '../contract/fields.js';
import { parseJson } from '../contract/json.js';
import { RenderError } from '../errors.js';

/** Characters of one row: an unclosed quote must not take in the rest of a large file. */
const LONGEST_ROW = 10 * 2 ** 20;

/** A row that could be read, or why it could not; numbered from 1, header and blank lines not counted. */
export type Row =
  | { readonly number: number; readonly values: Readonly<Record<string, unknown>> }
  | { readonly number: number; readonly values?: undefined; readonly fault: string };

export interface Rows {
  /** The columns that every row has; undefined when each row names its own (JSON lines). */
  readonly columns: readonly string[] | undefined;
  /** To be read once. Throws RenderError when the rest of the file can't be read. */
  readonly each: AsyncIterable<Row>;
}

/**
 * The rows of a file called `name`. JSON lines by the ending .jsonl or .ndjson, CSV by .csv; else by a `{` at the start.
 * Throws RenderError `invalid_request` naming the file when it is empty, or has a header that can't be used.
 */
export async function readRows(name: string, bytes: AsyncIterable<Uint8Array>): Promise<Rows> {
  const texts = decode(bytes)[Symbol.asyncIterator]();
  let start = '';
  while (start.trim() === '') {
    const { done, value } = await texts.next();
    if (done) throw unreadable('it is empty');
    start += value;
  }
  const lines = /\.(jsonl|ndjson)$/i.test(name) || (!/\.csv$/i.test(name) && start.trimStart().startsWith('{'));
  const all = rejoin(start, texts);
  return lines ? { columns: undefined, each: jsonRows(all) } : csvRows(all);
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

/** Lines end in LF or CR LF only: JSON strings may hold every other line separator. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const lines = text.split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop()!;
    if (rest.length > LONGEST_ROW) throw unreadable(`a line is longer than ${LONGEST_ROW} characters`);
    yield* lines;
  }
  yield rest;
}

function jsonRow(number: number, line: string): Row {
  try {
    const values = parseJson(line);
    if (!isObject(values)) return { number, fault: `received ${shown(values)}, expected an object` };
    return deeperThan(values, BODY_LEVELS)
      ? { number, fault: `is nested deeper than ${BODY_LEVELS} levels` }
      : { number, values };
  } catch (error) {
    if (error instanceof RenderError) return { number, fault: error.message.replace('line 1, ', '') };
    throw error;
  }
}

async function csvRows(texts: AsyncIterable<string>): Promise<Rows> {
  const records = csvRecords(texts);
  const header = await records.next();
  const names = header.done ? [] : header.value.map((name) => name.trim());
  const columns = names.filter((name) => name !== '');
  if (columns.length === 0) throw unreadable('its first line names no columns');
  const twice = columns.find((name, i) => columns.indexOf(name) < i);
  if (twice !== undefined) throw unreadable(`two columns are called ${shown(twice)}`);
  async function* each(): AsyncGenerator<Row> {
    let number = 0;
    for await (const cells of records) yield csvRow(++number, cells, names);
  }
  return { columns, each: each() };
}

async function* csvRecords(texts: AsyncIterable<string>): AsyncGenerator<string[], undefined> {
  const parser = parse({
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW,
  });
  // A failure of the texts becomes the parser's, and is thrown below.
  pipeline(Readable.from(texts), parser, () => undefined);
  try {
    for await (const record of parser) yield record;
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error.message, error) : error;
  }
}

/** Cells beyond the header's are taken for a spreadsheet's leftovers while they are empty. */
function csvRow(number: number, cells: readonly string[], names: readonly string[]): Row {
  if (cells.length < names.length || cells.slice(names.length).some((cell) => cell !== '')) {
    return { number, fault: `has ${cells.length} cells, expected ${names.length}` };
  }
  const named = names.map((name, i): [string, string] => [name, cells[i]]);
  return { number, values: Object.fromEntries(named.filter(([name]) => name !== '')) };
}

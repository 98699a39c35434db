// Reads batch rows from CSV (RFC 4180; separated by commas, semicolons or tabs; the first record names the columns), JSON
// lines or a JSON array. Input is UTF-8 with or without a byte order mark, and is streamed, except for a JSON array.
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { formatReceived } from '../contract/json/describe.js';
import { BODY_LEVELS, deeperThan } from '../contract/json/limits.js';
import { parseJson } from '../contract/json/parse.js';
import { isObject } from '../contract/schema/fields.js';
import { CodedError, RenderError } from '../errors.js';

/** Longest row in characters: an unclosed quote must not swallow the rest of a large file. */
const MAX_ROW_LENGTH = 10 * 2 ** 20;
/** Columns of a CSV. */
const MAX_COLUMNS = 1000;
/** Longest JSON array in characters; it is read into memory as a whole. */
const MAX_ARRAY_LENGTH = 100 * 2 ** 20;

/** A row, or why it is malformed. Numbered from 1; the header and blank lines don't count. */
export type Row =
  | { readonly number: number; readonly values: Readonly<Record<string, unknown>> }
  | { readonly number: number; readonly values?: undefined; readonly error: string };

export interface RowSource {
  /** The columns of a CSV; undefined for JSON, where each row has its own keys. */
  readonly columns: readonly string[] | undefined;
  /** Can be iterated once. Throws RenderError if the rest of the file can't be read. */
  readonly rows: AsyncIterable<Row>;
}

/**
 * Detects the format and reads the rows. The extension of `name` decides (.jsonl and .ndjson are JSON lines, .csv is CSV),
 * else the first character: `[` starts a JSON array, `{` JSON lines, anything else a CSV.
 * Throws RenderError `invalid_request` if the input is empty or its header is unusable.
 */
export async function readRows(name: string, bytes: AsyncIterable<Uint8Array>): Promise<RowSource> {
  const chunks = decode(bytes)[Symbol.asyncIterator]();
  let start = '';
  while (start.trim() === '') {
    const { done, value } = await chunks.next();
    if (done) throw unreadable('is empty');
    start += value;
  }
  const text = prepend(start, chunks);
  switch (detectFormat(name, start.trimStart()[0])) {
    case 'array':
      return { columns: undefined, rows: toAsync(await arrayRows(text)) };
    case 'lines':
      return { columns: undefined, rows: jsonRows(text) };
    case 'csv':
      return csvRows(text);
  }
}

function detectFormat(name: string, firstCharacter: string): 'array' | 'lines' | 'csv' {
  if (/\.(jsonl|ndjson)$/i.test(name)) return 'lines';
  if (/\.csv$/i.test(name)) return 'csv';
  return firstCharacter === '[' ? 'array' : firstCharacter === '{' ? 'lines' : 'csv';
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of bytes) yield withUtf8Error(() => decoder.decode(chunk, { stream: true }));
  yield withUtf8Error(() => decoder.decode());
}

function withUtf8Error(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw unreadable('is not UTF-8', cause);
  }
}

async function* prepend(start: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield start;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

function unreadable(reason: string, cause?: unknown): CodedError {
  return new RenderError('invalid_request', reason, { cause });
}

async function* jsonRows(text: AsyncIterable<string>): AsyncGenerator<Row> {
  let number = 0;
  for await (const line of splitLines(text)) if (line.trim() !== '') yield jsonRow(++number, line);
}

/** The array's items. Invalid JSON fails all rows: there is no telling where the next one starts. */
async function arrayRows(text: AsyncIterable<string>): Promise<Row[]> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of text) {
    length += part.length;
    if (length > MAX_ARRAY_LENGTH) {
      throw unreadable(`is a JSON array of more than ${MAX_ARRAY_LENGTH} characters; use JSON lines (.jsonl) instead`);
    }
    parts.push(part);
  }
  const items = parseJson(parts.join('')) as readonly unknown[];
  return items.map((item, i) => objectRow(i + 1, item));
}

async function* toAsync<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

/** Splits at LF only (the parser ignores a CR before it): JSON strings may contain other line separators. */
async function* splitLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const part of text) {
    const lines = part.split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop()!;
    if (rest.length > MAX_ROW_LENGTH) throw unreadable(`a line is longer than ${MAX_ROW_LENGTH} characters`);
    yield* lines;
  }
  yield rest;
}

function jsonRow(number: number, line: string): Row {
  try {
    return objectRow(number, parseJson(line, { firstLine: undefined }));
  } catch (error) {
    if (error instanceof CodedError) return { number, error: error.message };
    throw error;
  }
}

function objectRow(number: number, values: unknown): Row {
  if (!isObject(values)) return { number, error: `received ${formatReceived(values)}, expected an object` };
  return deeperThan(values, BODY_LEVELS)
    ? { number, error: `is nested deeper than ${BODY_LEVELS} levels` }
    : { number, values };
}

async function csvRows(text: AsyncIterable<string>): Promise<RowSource> {
  const records = csvRecords(text);
  const header = await records.next();
  const names = header.done ? [] : header.value.map((name) => name.trim());
  const columns = names.filter((name) => name !== '');
  if (columns.length === 0) throw unreadable('its first line has no column names');
  const seen = new Set<string>();
  const duplicate = columns.find((name) => seen.size === seen.add(name).size);
  if (duplicate !== undefined) throw unreadable(`two columns are named ${formatReceived(duplicate)}`);
  async function* rows(): AsyncGenerator<Row> {
    let number = 0;
    for await (const cells of records) yield csvRow(++number, cells, names);
  }
  return { columns, rows: rows() };
}

/** Spreadsheets export semicolons in locales with a decimal comma; cells copied from them are separated by tabs. */
const SEPARATORS = [',', ';', '\t'] as const;

/** Detects the separator of a CSV: counts the candidates outside quotes in the first line that is not blank. */
class SeparatorDetector {
  readonly #counts = new Map<string, number>(SEPARATORS.map((separator) => [separator, 0]));
  #isQuoted = false;
  #hasStarted = false;
  #length = 0;

  /** Scans the next part of the file. Returns whether the line ends in it, or is longer than a row may be. */
  scan(text: string): boolean {
    for (const character of text) {
      if (character === '"') this.#isQuoted = !this.#isQuoted;
      const isLineEnd = !this.#isQuoted && (character === '\n' || character === '\r');
      if (isLineEnd && this.#hasStarted) return true;
      if (!isLineEnd) this.#hasStarted = true;
      const count = this.#counts.get(character);
      if (count !== undefined && !this.#isQuoted) this.#counts.set(character, count + 1);
    }
    this.#length += text.length;
    return this.#length > MAX_ROW_LENGTH;
  }

  /** Cells of the line, between the most frequent separators. */
  get cells(): number {
    return Math.max(...this.#counts.values()) + 1;
  }

  /** The most frequent separator; a comma if there is none. */
  get separator(): string {
    const highest = this.cells - 1;
    return SEPARATORS.find((separator) => this.#counts.get(separator) === highest) ?? ',';
  }
}

async function* csvRecords(text: AsyncIterable<string>): AsyncGenerator<string[], undefined> {
  const iterator = text[Symbol.asyncIterator]();
  const detector = new SeparatorDetector();
  let start = '';
  for (let isComplete = false; !isComplete; ) {
    const { done, value } = await iterator.next();
    if (done) break;
    start += value;
    isComplete = detector.scan(value);
  }
  if (detector.cells > MAX_COLUMNS) throw unreadable(`its first line has more than ${MAX_COLUMNS} columns`);
  const parser = parse({
    delimiter: detector.separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_LENGTH,
  });
  // pipeline() forwards a read error to the parser, which throws it below.
  pipeline(Readable.from(prepend(start, iterator)), parser, () => undefined);
  try {
    for await (const record of parser) yield record;
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error.message, error) : error;
  }
}

/** Empty cells beyond the header's columns are ignored: spreadsheets export such leftovers. */
function csvRow(number: number, cells: readonly string[], names: readonly string[]): Row {
  if (cells.length < names.length || cells.slice(names.length).some((cell) => cell !== '')) {
    return { number, error: `has ${cells.length} cells, expected ${names.length}` };
  }
  const entries = names.map((name, i): [string, string] => [name, cells[i]]);
  return { number, values: Object.fromEntries(entries.filter(([name]) => name !== '')) };
}

/** An error that concerns one row only. */
export class RowError extends Error {
  override readonly name = 'RowError';
}

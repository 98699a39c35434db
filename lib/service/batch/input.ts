// Reads the rows of a batch from the body of its request: JSON, JSON lines or CSV.
import { setImmediate as turn } from 'node:timers/promises';
import { mismatch, sizeColumnOf, sizeOf, unusedColumns, variablesFrom } from '../../batch/cells.js';
import { fileNames } from '../../batch/file-names.js';
import { type Row, readRows } from '../../batch/rows.js';
import {
  type BatchQuery,
  batchItems,
  batchItemsOf,
  batchRows,
  invalidBatch,
  MAX_BATCH_ROWS,
  MAX_BATCH_VALUES,
  nameFaults,
  outputOf,
  parseBatchQuery,
  parseItems,
  type RawItem,
  requestItem,
  within,
} from '../../contract/api/batch.js';
import type { RenderRequest, RequestOutput } from '../../contract/api/request.js';
import { enforceJsonLimits } from '../../contract/json/limits.js';
import { parseJson } from '../../contract/json/parse.js';
import { attempt, invalidRequest, limitWarnings } from '../../contract/messages/issues.js';
import { isObject } from '../../contract/schema/fields.js';
import { checkSize, checkTemplate } from '../../contract/template/parse.js';
import { sizeNames } from '../../contract/template/sizes.js';
import { knownFields, unknownFields } from '../../contract/unknown-fields.js';
import { CodedError, type Detail, detailCodeOf, RenderError, type Warning } from '../../errors.js';
import type { WorkspaceCall } from '../operation.js';
import type { ServiceOptions } from '../request.js';
import type { BatchTemplates } from './templates.js';

/** Items that are parsed before other requests get a turn. */
const PARSED_AT_ONCE = 50;

export interface InputRow {
  /** Index of the row, from 0. */
  readonly index: number;
  /** The row's name from the request, or its number from 1. */
  readonly name: string;
  /** The name of its picture in an archive. */
  readonly file: string;
  readonly payload: RenderRequest;
  /** The body as the client sent it, which a repeat of the row has in common with it. */
  readonly body: unknown;
  /** Whether the body is one of `POST /v1/render`, and so may have unknown fields. */
  readonly isRequest: boolean;
}

export interface BatchInput {
  readonly rows: readonly InputRow[];
  /** About the batch as a whole. */
  readonly warnings: readonly Warning[];
}

/**
 * Throws RenderError: `invalid_json` or `invalid_request` with every fault, whose paths say which row has it;
 * `template_not_found` for the template that all rows fill.
 */
export async function readBatch(
  bytes: Uint8Array,
  { context, query }: Pick<WorkspaceCall, 'context' | 'query'>,
  templates: BatchTemplates,
  settings: ServiceOptions['settings'],
): Promise<BatchInput> {
  const type = mediaTypeOf(context.request.header?.('content-type'));
  const batchQuery = parseBatchQuery(query, type === 'csv');
  const options = { maxLayers: settings.MAX_LAYERS };
  if (type === 'csv') return await readCsv(batchQuery, bytes, templates, options);
  let items: readonly RawItem[];
  let warnings: readonly Warning[] = [];
  let output: RequestOutput = 'picture';
  if (type === 'lines') items = await itemsOfLines(bytes);
  else {
    enforceJsonLimits(bytes, MAX_BATCH_VALUES);
    const value = parseJson(bytes);
    items = batchItemsOf(value);
    output = outputOf(value as object).output;
    warnings = limitWarnings(unknownInBatch(value));
  }
  const payloads = await parseAll(items, { ...options, output });
  const [first] = payloads;
  if (items[0].path.startsWith('rows') && first.kind === 'template') {
    const { record } = await templates.find(first);
    checkSizes(items, payloads, record);
  } else {
    await templates.prefetch(payloads);
  }
  return { rows: rowsOf(items, payloads), warnings };
}

const FIELDS = { rows: knownFields(batchRows)!, items: knownFields(batchItems)! };

/** Lists the unknown fields of a batch and of its rows. Items are complete requests. */
export function unknownInBatch(batch: unknown): Iterable<Warning> {
  const isItems = isObject(batch) && batch.items !== undefined;
  return unknownFields(batch, isItems ? FIELDS.items : FIELDS.rows, '');
}

function mediaTypeOf(header = ''): 'csv' | 'lines' | 'json' {
  const [type] = header.split(';', 1);
  if (/^\s*text\/csv\s*$/i.test(type)) return 'csv';
  return /^\s*application\/(?:x-)?(?:ndjson|jsonl(?:ines)?)\s*$/i.test(type) ? 'lines' : 'json';
}

async function parseAll(
  items: readonly RawItem[],
  options: Parameters<typeof parseItems>[1],
): Promise<readonly RenderRequest[]> {
  const parsing = parseItems(items, options, PARSED_AT_ONCE);
  for (;;) {
    const { done, value } = parsing.next();
    if (done) return value;
    await turn();
  }
}

function rowsOf(items: readonly RawItem[], payloads: readonly RenderRequest[]): InputRow[] {
  const files = fileNames(items.map(({ name }, i) => ({ name, format: payloads[i].format })));
  return items.map(({ path, name, body }, index) => ({
    index,
    name: name ?? String(index + 1),
    file: files[index],
    payload: payloads[index],
    body,
    isRequest: path.startsWith('items'),
  }));
}

/** Throws for rows that name a size which their template has not got. */
function checkSizes(items: readonly RawItem[], payloads: readonly RenderRequest[], record: unknown): void {
  const details: Detail[] = [];
  for (const [i, payload] of payloads.entries()) {
    if (payload.kind !== 'template' || payload.size === undefined) continue;
    const [detail] = attempt(() => checkSize(record, payload.size!)).details;
    if (detail) details.push({ ...detail, path: within(items[i].path, detail.path) });
  }
  throwIfAny(details);
}

/** Reads one item per line and skips blank lines. */
async function itemsOfLines(bytes: Uint8Array): Promise<RawItem[]> {
  const items: RawItem[] = [];
  const details: Detail[] = [];
  let values = 0;
  let number = 0;
  for (const line of linesOf(bytes)) {
    if (number++ % PARSED_AT_ONCE === 0) await turn();
    if (line.every((byte) => byte <= 0x20)) continue;
    if (items.length === MAX_BATCH_ROWS) throw tooManyRows('items');
    values += enforceJsonLimits(line, MAX_BATCH_VALUES - values);
    const path = `items[${items.length}]`;
    const value = parseJson(line, { firstLine: number });
    const { value: item, details: found } = attempt(() => requestItem(value, path));
    // the items after a faulty one keep their numbers
    items.push(item ?? { path, name: undefined, body: {} });
    details.push(...found);
  }
  throwIfAny(details);
  if (items.length === 0) throw invalidBatch('', 'is empty, expected a line of JSON for each item');
  return items;
}

function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    yield bytes.subarray(start, end < 0 ? bytes.length : end);
    start = end < 0 ? bytes.length : end + 1;
  }
}

/** The rows of a CSV, whose first line names the variables. A column `name` names the pictures, whether it is one or not. */
async function readCsv(
  { output: asked, ...given }: BatchQuery,
  bytes: Uint8Array,
  templates: BatchTemplates,
  options: { readonly maxLayers: number },
): Promise<BatchInput> {
  const { output, format } = outputOf({ output: asked, format: given.format });
  const query = { ...given, ...(format !== undefined && { format }) };
  const { columns, rows } = await csvRows(bytes);
  throwIfAny(
    rows.flatMap((row, i) =>
      row.values ? [] : [{ code: 'invalid_value' as const, path: `rows[${i}]`, message: row.error }],
    ),
  );
  const names = rows.map(({ values: { name } = {} }) =>
    typeof name === 'string' && name.trim() !== '' ? name : undefined,
  );
  throwIfAny(names.flatMap((name, i) => (name === undefined ? [] : nameFaults(name, `rows[${i}]`))));
  const { record } = await templates.find({ ...query, templateId: query.templateId! });
  const template = checkStored(record, options);
  const sizeColumn = sizeColumnOf(template, sizeNames(record as Record<string, unknown>));
  const cells = { columns, fileNameColumns: new Set(['name']), sizeColumn };
  const problem = mismatch(template, cells);
  if (problem !== undefined) throw invalidBatch('', problem);
  const variablesOf = variablesFrom(template, cells);
  const items = rows.map(({ values = {} }, i): RawItem => {
    const size = sizeOf(values, cells);
    const body = { ...query, variables: variablesOf(values), ...(size !== undefined && { size }) };
    return { path: `rows[${i}]`, name: names[i], body };
  });
  const payloads = await parseAll(items, { ...options, output });
  checkSizes(items, payloads, record);
  const warnings = limitWarnings(unusedColumns(template, cells));
  // a repeat has the same cells, although the template may have got other variables since
  return {
    rows: rowsOf(items, payloads).map((row, i) => ({ ...row, body: { ...query, cells: rows[i].values } })),
    warnings,
  };
}

async function csvRows(bytes: Uint8Array): Promise<{ readonly columns: readonly string[]; readonly rows: Row[] }> {
  const all: Row[] = [];
  try {
    const { columns = [], rows } = await readRows('rows.csv', inParts(bytes));
    for await (const row of rows) {
      if (all.length === MAX_BATCH_ROWS) throw tooManyRows('rows');
      all.push(row);
    }
    if (all.length === 0) throw invalidBatch('rows', 'received none, expected 1 to 1000 lines after the first');
    return { columns, rows: all };
  } catch (error) {
    if (!(error instanceof CodedError) || error.details.length > 0) throw error;
    throw new RenderError('invalid_request', `the CSV ${error.message}`, {
      details: [{ code: detailCodeOf(error), path: '', message: error.message }],
      cause: error,
    });
  }
}

const PART_BYTES = 64 * 1024;

async function* inParts(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    yield bytes.subarray(at, at + PART_BYTES);
    await turn();
  }
}

/** A saved template that is invalid now fails as a render of it would. */
function checkStored(record: unknown, options: { readonly maxLayers: number }) {
  try {
    return checkTemplate(record, options);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw new RenderError('render_failed', error.message, { details: error.details, cause: error });
  }
}

function tooManyRows(path: string): CodedError {
  return invalidBatch(path, `received more than ${MAX_BATCH_ROWS}, expected at most ${MAX_BATCH_ROWS}`);
}

function throwIfAny(details: readonly Detail[]): void {
  if (details.length > 0) throw invalidRequest(details);
}

// Parses the body of `POST /v1/batches`: rows that fill one template, or items that are complete requests.
import * as z from 'zod';
import type { Detail, RenderError } from '../../errors.js';
import { definedFields } from '../json/defined-fields.js';
import { attempt, invalidRequest, issue, joinPath } from '../messages/issues.js';
import { choice, filledText, freeObject, isObject, record } from '../schema/fields.js';
import { normalizeBody, parseWith, withoutNulls } from '../schema/normalize.js';
import { parseQuery } from './query.js';
import { parseRequest, type RenderRequest, type RequestOutput, templateRequest } from './request.js';
import { alt, detail } from './response.js';

/** Rows or items of one batch. */
export const MAX_BATCH_ROWS = 1000;
export const MAX_BATCH_BODY_BYTES = 10 * 2 ** 20;
/** Values in a body: a hundred for each of a thousand rows, four times. They take 0.3 s to parse and check. */
export const MAX_BATCH_VALUES = 400_000;
const MAX_NAME_LENGTH = 255;

const { templateId, templateVersion, quality, dpi, lossless, size, scale, metadata, variables } = templateRequest.shape;
const { tokens, theme, locale } = templateRequest.shape;
const name = filledText(MAX_NAME_LENGTH)
  .optional()
  .describe('names the picture in the answer; the number of the row, from 1, unless given');

export const batchRow = record({
  variables: freeObject().describe(variables.description ?? ''),
  metadata,
  size: size.describe('the size of this row, instead of the one of the batch'),
  theme: theme.describe('the theme of this row, instead of the one of the batch'),
  locale: locale.describe('the locale of this row, instead of the one of the batch'),
  name,
});

const output = choice(['render', 'document'])
  .optional()
  .describe('what a row becomes: a picture, or with document an SVG or a PDF; render unless given');
const DOCUMENT_FORMATS = ['svg', 'pdf'] as const;
const PICTURE_FORMATS = ['png', 'jpeg', 'webp', 'avif'] as const;
const format = choice([...PICTURE_FORMATS, 'jpg', ...DOCUMENT_FORMATS])
  .optional()
  .describe('png unless given; svg and pdf belong to the output document, which has pdf unless given');

/** Fields that all rows share, as parameters of a query too. */
const inQuery = { templateId, templateVersion, format, quality, dpi, lossless, size, scale, theme, locale };
const shared = { ...inQuery, tokens };
const rowCount = `an array of 1 to ${MAX_BATCH_ROWS}`;

export const batchRows = record({
  ...shared,
  output,
  rows: z.array(batchRow, { error: rowCount }).min(1, { error: rowCount }).max(MAX_BATCH_ROWS, { error: rowCount }),
});

export const batchItems = record({
  items: z
    .array(freeObject(), { error: rowCount })
    .min(1, { error: rowCount })
    .max(MAX_BATCH_ROWS, { error: rowCount })
    .describe('bodies of POST /v1/render, which may have a name too'),
  output,
  format: format.describe('of items that name none'),
  quality: quality.unwrap().optional().describe('of items that name none'),
});

/** The query of a batch whose body is text/csv. */
export const batchQuery = record({
  ...inQuery,
  output,
  templateId: templateId.optional().describe('text/csv only, and required there: the template that the rows fill'),
});

const batchRowResult = {
  index: z.number().int().describe('of the row, from 0'),
  name: z.string().describe('as it was given; else the number of the row, from 1'),
};

export const batchPicture = z.object({
  ...batchRowResult,
  success: z.literal(true),
  renderId: z.string().describe('id of the entry in the render log'),
  format: z.enum([...PICTURE_FORMATS, ...DOCUMENT_FORMATS]),
  alt,
  pages: z.number().int().optional().describe('of a document'),
  sizeBytes: z.number().int().describe('of the picture, before base64'),
  replayed: z.literal(true).optional().describe('an earlier batch with the same Idempotency-Key was charged for it'),
  warnings: z.array(detail).optional().describe('absent when there are none'),
  base64: z.string(),
});

export const batchFailure = z.object({
  ...batchRowResult,
  success: z.literal(false),
  renderId: z.string().optional().describe('absent when the render log leaves the failure out'),
  error: z.string(),
  code: z.string().describe('that of POST /v1/render; CREDITS_EXHAUSTED when the credits ran out'),
  details: z.array(detail).optional(),
});

export const batchSummary = z.object({
  done: z.literal(true),
  succeeded: z.number().int(),
  failed: z.number().int(),
  creditsRemaining: z.number(),
  warnings: z.array(detail).optional().describe('about the batch as a whole; absent when there are none'),
});

export const batchLine = z.union([batchPicture, batchFailure, batchSummary]);

export type BatchPicture = z.output<typeof batchPicture>;
export type BatchFailure = z.output<typeof batchFailure>;
export type BatchSummary = z.output<typeof batchSummary>;
export type BatchLine = z.output<typeof batchLine>;

/** A row or item before parsing. */
export interface RawItem {
  /** `rows[2]` or `items[2]`. */
  readonly path: string;
  readonly name: string | undefined;
  /** The body that `POST /v1/render` would get. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The items of a JSON body. Throws RenderError `invalid_request` for faults of the body itself and of its rows. */
export function batchItemsOf(body: unknown): readonly RawItem[] {
  const fields = normalizeBody(body);
  const { rows, items } = fields;
  if (rows !== undefined && items !== undefined) {
    throw invalidRequest([
      { code: 'conflicting_values', path: '', message: 'received both rows and items, expected one of them' },
    ]);
  }
  if (rows === undefined && items === undefined) throw invalidRequest([issue('', body, 'rows or items')]);
  return rows === undefined ? requestsOf(fields) : rowsOf(fields, body);
}

function rowsOf(bodyFields: Record<string, unknown>, body: unknown): RawItem[] {
  const { rows, ...fields } = bodyFields;
  const { data, details } = parseWith(batchRows, { ...fields, rows: withoutNulls(checkable(rows), 1) }, body);
  if (!data) throw invalidRequest(details);
  const { format } = outputOf(data);
  return data.rows.map(({ name, variables, metadata, size, theme, locale }, i) => ({
    path: joinPath('rows', i),
    name,
    body: {
      ...sharedFields(fields),
      ...(format !== undefined && { format }),
      variables,
      ...definedFields({ metadata, size, theme, locale }),
    },
  }));
}

/**
 * What the rows become, and their format; undefined for the default of pictures. Throws RenderError `invalid_request` for a
 * format of the other output.
 */
export function outputOf({
  output,
  format,
}: {
  readonly output?: string | undefined;
  readonly format?: string | undefined;
}): {
  readonly output: RequestOutput;
  readonly format: string | undefined;
} {
  const isDocument = output === 'document';
  const documents: readonly string[] = DOCUMENT_FORMATS;
  if (format !== undefined && documents.includes(format) !== isDocument) {
    const pictures = `${PICTURE_FORMATS.join(', ')}; svg and pdf need "output": "document"`;
    throw invalidRequest([issue('format', format, isDocument ? 'svg or pdf, because output is document' : pictures)]);
  }
  return { output: isDocument ? 'document' : 'picture', format: format ?? (isDocument ? 'pdf' : undefined) };
}

/** Too many rows are not checked one by one: the schema refuses an empty list too. */
function checkable(rows: unknown): unknown {
  return Array.isArray(rows) && rows.length > MAX_BATCH_ROWS ? [] : rows;
}

function sharedFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => Object.hasOwn(shared, key)));
}

function requestsOf(fields: Record<string, unknown>): RawItem[] {
  const { data, details } = parseWith(batchItems, { ...fields, items: checkable(fields.items) }, fields);
  if (fields.templateId !== undefined) {
    details.push({
      code: 'conflicting_values',
      path: 'templateId',
      message: 'belongs to rows; with items, each item names its template',
    });
  }
  if (!data || details.length > 0) throw invalidRequest(details);
  const { quality } = fields;
  const { format } = outputOf(data);
  const defaults = { ...(format !== undefined && { format }), ...(quality !== undefined && { quality }) };
  return data.items.map((item, i) => requestItem(item, joinPath('items', i), defaults));
}

/** The fault of a row's name, if it has one. */
export function nameFaults(itemName: string, path: string): Detail[] {
  return parseWith(name, itemName, itemName, joinPath(path, 'name')).details;
}

/** Parses an item of a batch: a body of `POST /v1/render` with an optional name. Throws RenderError `invalid_request`. */
export function requestItem(item: unknown, path: string, defaults: Readonly<Record<string, unknown>> = {}): RawItem {
  if (!isObject(item)) throw invalidRequest([issue(path, item, 'an object')]);
  const { name: itemName, ...body } = item;
  const { data, details } = parseWith(name, itemName ?? undefined, itemName, joinPath(path, 'name'));
  if (details.length > 0) throw invalidRequest(details);
  const own = Object.entries(body).filter(([field, value]) => value !== null || !Object.hasOwn(defaults, field));
  return { path, name: data, body: { ...defaults, ...Object.fromEntries(own) } };
}

/**
 * Parses every item as `POST /v1/render` would parse its body, `chunk` at a time, so that the caller can do other work
 * between. Throws RenderError `invalid_request` at the end, with all faults at their places in the batch.
 */
export function* parseItems(
  items: readonly RawItem[],
  options: Parameters<typeof parseRequest>[1],
  chunk: number,
): Generator<undefined, RenderRequest[]> {
  const parsed: RenderRequest[] = [];
  const details: Detail[] = [];
  for (const [i, { path, body }] of items.entries()) {
    if (i > 0 && i % chunk === 0) yield;
    const { value, details: found } = attempt(() => parseRequest(body, options));
    if (value) parsed.push(value);
    details.push(...found.map((each) => ({ ...each, path: within(path, each.path) })));
  }
  if (details.length > 0) throw invalidRequest(details);
  return parsed;
}

/** `rows[2]` + `variables.title` → `rows[2].variables.title` */
export function within(path: string, inner: string): string {
  if (inner === '') return path;
  return inner.startsWith('[') ? path + inner : `${path}.${inner}`;
}

export type BatchQuery = z.output<typeof batchQuery>;

/** The query of a batch; a body of another type than text/csv has none. Throws RenderError `invalid_request`. */
export function parseBatchQuery(query: URLSearchParams, isCsv: boolean): BatchQuery {
  const parsed = parseQuery(batchQuery, query);
  const queryNames = Object.keys(batchQuery.shape).filter((key) => query.has(key));
  if (isCsv && parsed.templateId === undefined)
    throw invalidRequest([issue('templateId', undefined, 'the id of a template')]);
  if (!isCsv && queryNames.length > 0) {
    throw invalidRequest(
      queryNames.map((path) => ({
        code: 'unknown_parameter',
        path,
        message: 'is for a body of text/csv; put it into the body',
      })),
    );
  }
  return parsed;
}

export function invalidBatch(path: string, message: string): RenderError {
  return invalidRequest([{ code: 'invalid_value', path, message }]);
}

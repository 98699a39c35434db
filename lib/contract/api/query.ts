// Parses the query parameters of the operations that list, read and write. Every parameter may occur once.
import * as z from 'zod';
import { type Detail, RenderError } from '../../errors.js';
import { closestMatch } from '../closest-match.js';
import { filledText, flag, number, record } from '../fields.js';
import { detailsOf, issue, summary } from '../issues.js';
import { parseTime } from '../time.js';

/** Entries of one page of a list. */
const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;
/** Longest text of a parameter, in characters. */
const MAX_VALUE_LENGTH = 1000;
/** Unknown names that are shorter are never taken for a typo. */
const MIN_TYPO_LENGTH = 3;

const page = {
  limit: number({ min: 1, max: MAX_PAGE, whole: true }).default(DEFAULT_PAGE).describe('most entries of one answer'),
  cursor: filledText(MAX_VALUE_LENGTH).optional().describe('nextCursor of the answer before; absent for the first'),
};

const id = () => filledText(MAX_VALUE_LENGTH);

/** An offset's + is a space once the query is decoded. */
const timeOf = (value: string): number => parseTime(value.replace(' ', '+'));

const timestamp = z
  .string()
  .refine((value) => Number.isFinite(timeOf(value)), {
    error: 'a date or time in ISO 8601, such as 2026-01-31T12:00:00Z',
    abort: true,
  })
  .transform((value) => new Date(timeOf(value)).toISOString());

/** `?limit=&cursor=` of every list. */
export const listQuery = record(page);

/** `GET /v1/renders`, besides `metadata.NAME=value`. */
export const rendersQuery = record({
  ...page,
  status: z
    .enum(['ok', 'failed'], { error: 'ok or failed' })
    .optional()
    .describe('ok: charged or replayed; failed: answered with an error'),
  templateId: id().optional().describe('renders of this template'),
  keyId: id().optional().describe('renders with this API key (its id, not the key)'),
  from: timestamp.optional().describe('not before this date or time, ISO 8601; without an offset it is UTC'),
  to: timestamp.optional().describe('before this date or time'),
});

/** `?publish=` of the operations that write a template. */
export const publishQuery = record({
  publish: flag().default(true).describe('whether renders use the new version from now on'),
});

/** `DELETE /v1/assets/{id}`. */
export const deleteAssetQuery = record({
  force: flag().default(false).describe('delete the asset even if templates name it'),
});

export type ListQuery = z.output<typeof listQuery>;
export type RendersQuery = z.output<typeof rendersQuery> & {
  /** Values of fields of the metadata, compared as text. */
  readonly metadata?: Readonly<Record<string, string>>;
};

/** The parameters of a list. Throws RenderError `invalid_request`, as all functions here. */
export function parseListQuery(query: URLSearchParams): ListQuery {
  return parseQuery(listQuery, query);
}

/** The prefix of the parameters that filter by metadata. */
export const METADATA_PREFIX = 'metadata.';

export function parseRendersQuery(query: URLSearchParams): RendersQuery {
  const metadata = [...query].filter(([name]) => name.startsWith(METADATA_PREFIX));
  const parsed = parseQuery(rendersQuery, query);
  if (metadata.length === 0) return parsed;
  return {
    ...parsed,
    metadata: Object.fromEntries(metadata.map(([name, value]) => [name.slice(METADATA_PREFIX.length), value])),
  };
}

export function parsePublishQuery(query: URLSearchParams): z.output<typeof publishQuery> {
  return parseQuery(publishQuery, query);
}

export function parseDeleteAssetQuery(query: URLSearchParams): z.output<typeof deleteAssetQuery> {
  return parseQuery(deleteAssetQuery, query);
}

/**
 * Unknown parameters are ignored, as unknown fields of a body are, except those that look like a typo: a misspelt filter
 * would answer too much, and a misspelt `publish=false` would publish.
 */
export function parseQuery<Shape extends z.core.$ZodLooseShape>(schema: z.ZodObject<Shape>, query: URLSearchParams) {
  const names = Object.keys(schema.shape);
  const given: Record<string, unknown> = {};
  const details: Detail[] = [];
  for (const name of new Set(query.keys())) {
    const [value, ...others] = query.getAll(name);
    const isKnown = names.includes(name);
    if (others.length > 0 && (isKnown || name.startsWith(METADATA_PREFIX))) {
      details.push({ path: name, message: `received ${others.length + 1} values, expected one` });
    } else if (isKnown) {
      // clients send an empty cursor for the first page
      if (name !== 'cursor' || value !== '') given[name] = typedValue(schema.shape[name] as z.ZodType, value);
    } else if (name.length >= MIN_TYPO_LENGTH) {
      const meant = closestMatch(name, names);
      if (meant !== undefined) details.push({ path: name, message: `is no known parameter; did you mean ${meant}?` });
    }
  }
  const result = schema.safeParse(given);
  if (!result.success) details.push(...detailsOf(result.error.issues, given));
  if (!result.success || details.length > 0) throw invalid(details);
  return result.data;
}

/** The number or truth value that `text` spells, if `field` expects one; else the text. */
function typedValue(field: z.ZodType, text: string): unknown {
  let { def } = field._zod;
  while ('innerType' in def) def = (def.innerType as z.ZodType)._zod.def;
  if (def.type === 'number' && /^-?\d{1,15}(\.\d+)?$/.test(text)) return Number(text);
  if (def.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** The error of invalid parameters or headers. */
export function invalid(details: readonly Detail[]): RenderError {
  return new RenderError('invalid_request', summary(details), { details });
}

/** The error of one parameter or header that was `received` where `expected` was expected. */
export function invalidValue(name: string, received: unknown, expected: string): RenderError {
  return invalid([issue(name, received, expected)]);
}

// Parses the query parameters of the operations that list, read and write. Every parameter may occur once.
import * as z from 'zod';
import type { Detail, RenderError } from '../../errors.js';
import { asciiUppercase } from '../../unicode/ascii.js';
import { definedFields } from '../json/defined-fields.js';
import { lazily } from '../json/lazily.js';
import { closestMatch, didYouMean } from '../messages/closest-match.js';
import {
  FINDING_CODES,
  type FindingCode,
  type FindingOptions,
  MAX_MIN_READABLE,
  SAFE_AREAS,
} from '../messages/findings.js';
import { invalidRequest, issue, mismatchOf } from '../messages/issues.js';
import { filledText, flag, number, record } from '../schema/fields.js';
import { parseWith } from '../schema/normalize.js';
import { locale, theme } from '../template/data-schemas.js';

/** Entries of one page of a list. */
const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;
/** Longest text of a parameter, in characters. */
const MAX_VALUE_LENGTH = 1000;
/** Unknown names that are shorter are never taken for a typo. */
const MIN_TYPO_LENGTH = 3;

const page = lazily(() => ({
  limit: number({ min: 1, max: MAX_PAGE, whole: true }).default(DEFAULT_PAGE).describe('most entries of one answer'),
  cursor: filledText(MAX_VALUE_LENGTH).optional().describe('nextCursor of the answer before; absent for the first'),
}));

const id = () => filledText(MAX_VALUE_LENGTH);

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?$/i;

/** Milliseconds of an ISO 8601 date or time; NaN if it is none. Without an offset it is UTC. */
export function parseTime(text: string): number {
  const [, time, offset = 'Z'] = DATE_TIME.exec(text) ?? [];
  if (time !== undefined) return Date.parse(asciiUppercase(`${time}${offset.replace(/(\d{2})(\d{2})$/, '$1:$2')}`));
  return DATE.test(text) ? Date.parse(text) : Number.NaN;
}

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
export const rendersQuery = record(() => ({
  ...page(),
  status: z
    .enum(['ok', 'failed'], { error: 'ok or failed' })
    .optional()
    .describe('ok: charged or replayed; failed: answered with an error'),
  templateId: id().optional().describe('renders of this template'),
  keyId: id().optional().describe('renders with this API key (its id, not the key)'),
  from: timestamp.optional().describe('not before this date or time, ISO 8601; without an offset it is UTC'),
  to: timestamp.optional().describe('before this date or time'),
}));

/** `POST /v1/render`. */
export const renderQuery = record(() => ({
  dryRun: flag().default(false).describe('true: as POST /v1/inspect, which draws nothing and costs nothing'),
}));

/** `POST /v1/inspect`. */
export const inspectQuery = record(() => ({
  findings: flag().default(false).describe('true: also measure faults of the design, and try fixes of them'),
  minReadable: number({ min: 1, max: MAX_MIN_READABLE })
    .optional()
    .describe('with findings: the smallest size of text that can be read, in pixels of the payload'),
  safeArea: z
    .enum(SAFE_AREAS, { error: `one of ${SAFE_AREAS.join(', ')}` })
    .optional()
    .describe('with findings: the platform whose margins texts and codes keep free'),
  ignore: filledText(MAX_VALUE_LENGTH)
    .refine((list) => list.split(',').every((code) => (FINDING_CODES as readonly string[]).includes(code)), {
      error: `codes of findings with commas between them, of ${FINDING_CODES.join(', ')}`,
    })
    .optional()
    .describe('with findings: codes that are left out, with commas between them'),
}));

/** What the findings of a query are measured by; undefined if it asks for none. */
export function parseFindingOptions(query: URLSearchParams): FindingOptions | undefined {
  const { findings, ignore, ...options } = parseQuery(inspectQuery, query);
  if (!findings) return undefined;
  return { ...definedFields(options), ...(ignore !== undefined && { ignore: ignore.split(',') as FindingCode[] }) };
}

/** `?publish=` of the operations that write a template. */
export const publishQuery = record(() => ({
  publish: flag().default(true).describe('whether renders use the new version from now on'),
}));

/** `DELETE /v1/assets/{id}`. */
export const deleteAssetQuery = record(() => ({
  force: flag().default(false).describe('delete the asset even if templates name it'),
}));

/** `GET /v1/images/…`, besides `v.NAME=value` and the signature. */
export const imageQuery = record(() => ({
  keyId: id().optional().describe('id of the link key whose private half signed the link'),
  expires: number({ min: 0, whole: true })
    .optional()
    .describe('when the link ends to work: Unix time in seconds; never unless given'),
  quality: number({ min: 1, max: 100 }).default(90).describe('PNG ignores it'),
  theme: theme.optional(),
  locale: locale.optional(),
  fallback: z
    .string()
    .refine(isWebUrl, { error: 'a whole http: or https: URL' })
    .optional()
    .describe('URL of a picture to which errors are redirected, once the signature has been verified'),
}));

export type RendersQuery = z.output<typeof rendersQuery> & {
  /** Values of fields of the metadata, compared as text. */
  readonly metadata?: Readonly<Record<string, string>>;
};

export type ImageQuery = z.output<typeof imageQuery> & { readonly variables: Readonly<Record<string, string>> };

/** The prefix of the parameters that fill a template. */
export const VARIABLE_PREFIX = 'v.';

/** The parameters of an image link. */
export function parseImageQuery(query: URLSearchParams): ImageQuery {
  const parsed = parseQuery(imageQuery, query, VARIABLE_PREFIX);
  return { ...parsed, variables: namedBy(VARIABLE_PREFIX, query) };
}

/** The fallback of a link, if it is a valid one. */
export function fallbackOf(query: URLSearchParams): string | undefined {
  const [fallback, ...others] = query.getAll('fallback');
  return fallback !== undefined && others.length === 0 && isWebUrl(fallback) ? new URL(fallback).href : undefined;
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The parameters with this prefix, by what follows it. */
function namedBy(prefix: string, query: URLSearchParams): Record<string, string> {
  const named = [...query].filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(named.map(([name, value]) => [name.slice(prefix.length), value]));
}

/** The prefix of the parameters that filter by metadata. */
export const METADATA_PREFIX = 'metadata.';

export function parseRendersQuery(query: URLSearchParams): RendersQuery {
  const metadata = namedBy(METADATA_PREFIX, query);
  const parsed = parseQuery(rendersQuery, query, METADATA_PREFIX);
  return Object.keys(metadata).length === 0 ? parsed : { ...parsed, metadata };
}

/**
 * Parses a query. It ignores unknown parameters, as a body's unknown fields are ignored, except those that look like a typo: a
 * misspelt filter would answer too much, and a misspelt `publish=false` would publish.
 * `prefix` is the start of parameters that are allowed besides those of the schema. Throws RenderError `invalid_request`.
 */
export function parseQuery<Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  query: URLSearchParams,
  prefix?: string,
) {
  const names = Object.keys(schema.shape);
  const values: Record<string, unknown> = {};
  const details: Detail[] = [];
  for (const name of new Set(query.keys())) {
    const [value, ...others] = query.getAll(name);
    const isKnown = names.includes(name);
    if (others.length > 0 && (isKnown || (prefix !== undefined && name.startsWith(prefix)))) {
      const message = `received ${others.length + 1} values, expected one`;
      details.push({ code: 'conflicting_values', path: name, message, expected: 'one' });
    } else if (isKnown) {
      // clients send an empty cursor for the first page
      if (name !== 'cursor' || value !== '') values[name] = typedValue(schema.shape[name] as z.ZodType, value);
    } else if (name.length >= MIN_TYPO_LENGTH && !(prefix !== undefined && name.startsWith(prefix))) {
      const suggestion = closestMatch(name, names);
      const message = `is no known parameter${didYouMean(suggestion)}`;
      if (suggestion !== undefined)
        details.push({ code: 'unknown_parameter', path: name, message, ...mismatchOf(value, suggestion) });
    }
  }
  const { data, details: found } = parseWith(schema, values);
  if (!data || details.length > 0) throw invalidRequest([...details, ...found]);
  return data;
}

/** The number or truth value that `text` spells, if `field` expects one; else the text. */
function typedValue(field: z.ZodType, text: string): unknown {
  let { def } = field._zod;
  while ('innerType' in def) def = (def.innerType as z.ZodType)._zod.def;
  if (def.type === 'number' && /^-?\d{1,15}(\.\d+)?$/.test(text)) return Number(text);
  if (def.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** The error of one parameter or header that was `received` where `expected` was expected. */
export function invalidValue(name: string, received: unknown, expected: string): RenderError {
  return invalidRequest([issue(name, received, expected)]);
}

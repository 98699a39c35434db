// Converts between database rows and the types of the storage interface.

import { addCredits } from '../credits.js';
import { decodeCursor, encodeCursor } from '../cursor.js';
import { notFound } from '../refusals.js';
import type {
  ApiKey,
  LinkKey,
  PageRequest,
  StoredAsset,
  StorePage,
  TemplateVersion,
  VersionedTemplate,
  Workspace,
} from '../types.js';

const MILLIONTHS = 1e6;
/** Longest id that is looked up, in characters; generated ids have about 30. */
const MAX_ID_LENGTH = 200;

/** A bigint column, which the driver returns as text. Credits are below 2^53 millionths, so they fit a number. */
export type BigintText = string;

/** A row that one of the converters below reads. */
export interface EntityRow {
  readonly id: string;
  readonly workspace_id: string;
}

export const WORKSPACE_COLUMNS = 'id, name, plan, balance';
/**
 * The last use of the API key or link key in table `k`: the count of its newest request. A copied store has the time without a
 * count.
 */
const LAST_USED = `(SELECT to_timestamp(max(r.last - r.shift) / 1e6) FROM platen.rate_windows r
  WHERE r.key_id = k.id AND (r.next > 0 OR r.last > 0)) AS last_used_at`;
/** The columns of an API key, from the table `k` of keys. */
export const KEY_COLUMNS = `k.id, k.workspace_id, k.name, k.prefix, k.scopes, k.state, k.created_at, k.rate_limit, ${LAST_USED}`;
/** The columns of a link key, from the table `k` of links. */
export const LINK_COLUMNS = `k.id, k.workspace_id, k.name, k.public_key, k.state, k.created_at, k.revoked_at, ${LAST_USED}`;

export function fromMillionths(millionths: BigintText): number {
  return Number(millionths) / MILLIONTHS;
}

export function toMillionths(credits: number): number {
  return Math.round(addCredits(credits, 0) * MILLIONTHS);
}

const json = [JSON.parse, JSON.stringify] as const;
const credits = [fromMillionths, toMillionths] as const;
const hex = (bytes: Buffer) => bytes.toString('hex');
const digest = [hex, (digits: string) => `\\x${digits}`] as const;

/** How values of columns become fields, and fields become values of JSON that PostgreSQL converts. */
export const CODECS: Readonly<
  Record<string, readonly [decode: (value: never) => unknown, encode: (field: never) => unknown]>
> = {
  name: [String, escapeName],
  balance: credits,
  cost: credits,
  credits_cost: credits,
  amount: credits,
  charged: credits,
  bytes: [Number, Number],
  public_key: [(key: Buffer) => key.toString('base64url'), (text) => `\\x${hex(Buffer.from(text, 'base64url'))}`],
  sha256: digest,
  fingerprint: digest,
  content: [(content: Buffer) => content, (content: Uint8Array) => `\\x${hex(Buffer.from(content))}`],
  hotspots: json,
  typeface: json,
  details: json,
};

/** Columns whose null is a value: a template without a published version, an operator that may see all workspaces. */
const NULLABLE = ['published_version', 'workspaces'];

/** The fields of a row, from some of its columns. Optional columns are absent fields. */
export function fieldsOf(
  row: object,
  columns: readonly string[] = Object.keys(row),
): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const column of columns) {
    const value = (row as Readonly<Record<string, unknown>>)[column];
    if (value !== null || NULLABLE.includes(column)) fields[camelCase(column)] = fieldOf(column, value);
  }
  return fields;
}

function fieldOf(column: string, value: unknown): unknown {
  if (CODECS[column]) return CODECS[column][0](value as never);
  if (value instanceof Date) return value.toISOString();
  return Buffer.isBuffer(value) ? hex(value) : value;
}

export const camelCase = (column: string) => column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** A function from a row to the value whose fields are these columns. */
export function converter<Value>(columns: string): (row: object) => Value {
  const names = columns.split(' ');
  return (row) => fieldsOf(row, names) as Value;
}

export const workspaceOf = converter<Workspace>('id name plan balance');
export const keyOf = converter<ApiKey>('id workspace_id name prefix scopes state created_at rate_limit last_used_at');
export const linkKeyOf = converter<LinkKey>('id workspace_id name public_key state created_at revoked_at last_used_at');
/** From a row of `template_list`. */
export const templateOf = converter<VersionedTemplate>(
  'id workspace_id name width height hotspots version published_version created_at updated_at',
);
export const versionOf = converter<TemplateVersion>('version name width height hotspots created_at');
export const assetOf = converter<StoredAsset>(
  'id workspace_id kind mime_type bytes sha256 width height family weight style typeface created_at',
);

/** More than any position: where a list starts. */
const START = String(10n ** 18n);

/**
 * A page of a list, newest first. `query` gets the position before the page and the number of rows, one more than the page
 * has, and rejects when there is no row at all; a row of nulls says that the list is empty.
 */
export async function pageOf<Item>(
  { limit, cursor }: PageRequest,
  query: (before: string, rows: number) => Promise<readonly object[]>,
  itemOf: (row: object) => Item,
  position = 'ordinal',
): Promise<StorePage<Item>> {
  const [before] = cursor === undefined ? [START] : decodeCursor(cursor, 1);
  const positionOf = (row: object | undefined) =>
    (row as Record<string, string | number | null> | undefined)?.[position];
  const rows = (await query(before, limit + 1)).filter((row) => positionOf(row) !== null);
  const last = rows.length > limit ? positionOf(rows[limit - 1]) : undefined;
  return { items: rows.slice(0, limit).map(itemOf), nextCursor: last == null ? null : encodeCursor(last) };
}

/** Whether `text` can be an id. PostgreSQL rejects NUL in text, and a very long text is not worth a query. */
export function isPossibleId(text: string): boolean {
  return text.length <= MAX_ID_LENGTH && !text.includes('\0');
}

/** Replaces NUL, which PostgreSQL rejects in text, by U+FFFD. */
export function escapeName(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}

/** Returns `id`. Throws StoreError when it can't be an id; `noun` says of what. */
export function validId(id: string, noun: string): string {
  if (!isPossibleId(id)) throw notFound(id, noun);
  return id;
}

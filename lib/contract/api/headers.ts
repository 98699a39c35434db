// Parses the request headers of idempotency and of conditional requests.
import { invalidValue } from './query.js';

const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
/** Printable ASCII, the space included. */
const IDEMPOTENCY_KEY = new RegExp(`^[\\x20-\\x7e]{1,${MAX_IDEMPOTENCY_KEY_LENGTH}}$`);
export const IDEMPOTENCY_KEY_FORM = `1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters`;

/** The `Idempotency-Key` of a request, if it has one. Throws RenderError `invalid_request` when it is malformed. */
export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || IDEMPOTENCY_KEY.test(header)) return header;
  throw invalidValue('Idempotency-Key', header, IDEMPOTENCY_KEY_FORM);
}

/** The entity tag of a template's version. */
export function versionTag(version: number): string {
  return `"${version}"`;
}

/** One entity tag: RFC 9110, section 8.8.3. */
const TAG = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;
const VERSION = /^[1-9]\d{0,14}$/;
/** A version that no template has: the condition of a tag that can't match. */
const NEVER = 0;

/**
 * The version that `If-Match` asks for; undefined if it asks for none (`*`: any). A weak tag, or one that is no version,
 * gives 0, which matches nothing: RFC 9110, section 13.1.1. Throws RenderError `invalid_request` for what is no tag.
 */
export function parseIfMatch(header: string | undefined): number | undefined {
  const value = header?.trim();
  if (value === undefined || value === '*') return undefined;
  const [found, weak, tag] = TAG.exec(value) ?? [];
  if (found === undefined) throw invalidValue('If-Match', header, 'a version in quotes, such as "3"');
  return weak === undefined && VERSION.test(tag) ? Number(tag) : NEVER;
}

/** Whether `If-None-Match` names `tag` (quoted), so that the answer is 304: RFC 9110, section 13.1.2. */
export function matchesNone(header: string | undefined, tag: string): boolean {
  const value = header?.trim();
  if (value === undefined) return false;
  if (value === '*') return true;
  return value.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}

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

/** The next entity tag of a list: RFC 9110, section 8.8.3. Lists may have empty members. */
const TAG = /[ \t,]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?=,|$)/y;
const VERSION = /^[1-9]\d{0,14}$/;

/**
 * The versions that `If-Match` allows; undefined if it allows any (`*`, or no header). Weak tags and tags of no version match
 * nothing: RFC 9110, section 13.1.1. Throws RenderError `invalid_request` when the header is no list of tags.
 */
export function parseIfMatch(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const versions: number[] = [];
  let end = 0;
  for (;;) {
    TAG.lastIndex = end;
    const [found, weak, tag] = TAG.exec(header) ?? [];
    if (found === undefined) break;
    end += found.length;
    if (weak === undefined && VERSION.test(tag)) versions.push(Number(tag));
  }
  if (end > 0 && /^[ \t,]*$/.test(header.slice(end))) return versions;
  throw invalidValue('If-Match', header, 'a version in quotes, such as "3"');
}

/** Whether `If-None-Match` names `tag` (quoted), so that the answer is 304: RFC 9110, section 13.1.2. */
export function matchesNone(header: string | undefined, tag: string): boolean {
  const value = header?.trim();
  if (value === undefined) return false;
  if (value === '*') return true;
  return value.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}

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

/** The versions of a template that are compared: the latest and, unless undefined, the published one, which is 0 for none. */
export interface TemplateState {
  readonly version: number;
  readonly publishedVersion?: number | undefined;
}

/** The entity tag of a template, which changes when a version is saved or published. */
export function templateTag({
  version,
  publishedVersion,
}: {
  readonly version: number;
  readonly publishedVersion: number | null;
}): string {
  return `"${version}.${publishedVersion ?? 0}"`;
}

/** The entity tag of one version of a template, or of a brand, which is at version 0 until it is saved. */
export function versionTag(version: number): string {
  return `"${version}"`;
}

/** The next entity tag of a list: RFC 9110, section 8.8.3. Lists may have empty members. */
const TAG = /[ \t,]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?=,|$)/y;
/** `3` or `3.2`; `3.0` if no version is published. Nothing but a brand that is not saved yet is at version 0. */
const STATE = /^(0(?!\.)|[1-9]\d{0,14})(?:\.(0|[1-9]\d{0,14}))?$/;

/**
 * Parses the versions that `If-Match` allows; undefined if it allows any (`*`, or no header). Weak tags and tags of no template
 * match nothing: RFC 9110, section 13.1.1. Throws RenderError `invalid_request` when the header is not a list of tags.
 */
export function parseIfMatch(header: string | undefined): readonly TemplateState[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const states: TemplateState[] = [];
  let end = 0;
  for (;;) {
    TAG.lastIndex = end;
    const [found, weak, tag] = TAG.exec(header) ?? [];
    if (found === undefined) break;
    end += found.length;
    const [isState, version, published] = STATE.exec(tag) ?? [];
    if (weak !== undefined || isState === undefined) continue;
    states.push({ version: Number(version), ...(published !== undefined && { publishedVersion: Number(published) }) });
  }
  if (end > 0 && /^[ \t,]*$/.test(header.slice(end))) return states;
  throw invalidValue('If-Match', header, 'an ETag or a version in quotes, such as "3.2" or "3"');
}

/** Whether `If-None-Match` names `tag` (quoted), so that the answer is 304: RFC 9110, section 13.1.2. */
export function matchesNone(header: string | undefined, tag: string): boolean {
  const value = header?.trim();
  if (value === undefined) return false;
  if (value === '*') return true;
  return value.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}

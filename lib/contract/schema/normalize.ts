// Normalises raw JSON before a schema parses it: an object, not nested too deep, in which null counts as absent.
import type * as z from 'zod';
import type { Detail } from '../../errors.js';
import { isObject } from '../json/is-object.js';
import { BODY_LEVELS, deeperThan, nestingIssue } from '../json/limits.js';
import { detailsOf, invalidRequest, issue } from '../messages/issues.js';

/** A request's body or a template's record without its null fields. Throws what `invalid` makes of an issue. */
export function normalizeBody(body: unknown, invalid = invalidRequest): Record<string, unknown> {
  if (!isObject(body)) throw invalid([issue('', body, 'an object')]);
  if (deeperThan(body, BODY_LEVELS)) throw invalid([nestingIssue()]);
  return withoutNulls(body, 1) as Record<string, unknown>;
}

/** What `schema` makes of `value`, or the issues. They quote `raw`, the value before it was normalised, which is at `path`. */
export function parseWith<Output>(
  schema: z.ZodType<Output>,
  value: unknown,
  raw = value,
  path = '',
): { readonly data?: Output; readonly details: Detail[] } {
  const { data, error } = schema.safeParse(value);
  return error ? { details: detailsOf(error.issues, raw, path) } : { data, details: [] };
}

/**
 * Removes fields that are null from `value` and its nested objects, down to `levels`, also in lists: null counts as absent.
 * Copies only objects with such fields. Deeper data, which is the caller's own, is unchanged.
 */
export function withoutNulls(value: unknown, levels: number): unknown {
  if (levels === 0) return value;
  if (Array.isArray(value)) {
    // the objects in a list count as one level with it
    const items = value.map((each) => withoutNulls(each, levels));
    return items.some((each, i) => each !== value[i]) ? items : value;
  }
  if (!isObject(value)) return value;
  let changed: Map<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const field = value[key];
    if (typeof field !== 'object') continue;
    const cleaned = withoutNulls(field, levels - 1);
    if (cleaned === field && cleaned !== null) continue;
    changed ??= new Map();
    changed.set(key, cleaned);
  }
  if (!changed) return value;
  const entries = Object.entries({ ...value, ...Object.fromEntries(changed) });
  return Object.fromEntries(entries.filter(([, entryValue]) => entryValue !== null));
}

// The kinds of field that the contract is made of. Every schema's error text is what it expects ("a number from 0 to 1"),
// so that a fault can always say what was received and what was expected (faults.ts puts the two together).
import * as z from 'zod';
import { closestMatch } from './closest-match.js';

/** Bounds of a number, both inclusive; `above` is an exclusive lower bound. */
export interface Range {
  readonly min?: number;
  readonly max?: number;
  readonly above?: number;
  readonly whole?: boolean;
}

/** A finite number within `range`. */
export function number(range: Range) {
  const error = expectedNumber(range);
  let schema = z.number({ error });
  if (range.whole) schema = schema.int({ error });
  if (range.min !== undefined) schema = schema.min(range.min, { error });
  if (range.above !== undefined) schema = schema.gt(range.above, { error });
  if (range.max !== undefined) schema = schema.max(range.max, { error });
  return schema;
}

function expectedNumber({ min, max, above, whole }: Range): string {
  const kind = whole ? 'a whole number' : 'a number';
  if (above !== undefined) return max === undefined ? `${kind} above ${above}` : `${kind} above ${above}, up to ${max}`;
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
  if (min !== undefined) return `${kind} of at least ${min}`;
  return max === undefined ? kind : `${kind} up to ${max}`;
}

/** Any text, the empty one included, of at most `most` UTF-16 units. */
export function text(most = Number.POSITIVE_INFINITY) {
  const schema = z.string({ error: 'a string' });
  return Number.isFinite(most) ? schema.max(most, { error: `a string of up to ${most} characters` }) : schema;
}

/** A text of at least one character. */
export function filledText(most = Number.POSITIVE_INFINITY) {
  const error = Number.isFinite(most) ? `a string of 1 to ${most} characters` : 'a string that is not empty';
  const schema = z.string({ error }).min(1, { error });
  return Number.isFinite(most) ? schema.max(most, { error }) : schema;
}

export function flag() {
  return z.boolean({ error: 'true or false' });
}

/** One of `values`; a near miss is met with a suggestion. */
export function choice<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: ({ input }) => expectedChoice(values, input) });
}

/** `one of "a", "b", "c"`, and `(did you mean "b"?)` when `received` nearly is one. */
export function expectedChoice(values: readonly string[], received: unknown): string {
  const listed = values.map((value) => `"${value}"`).join(', ');
  const meant = typeof received === 'string' ? closestMatch(received, values) : undefined;
  return `one of ${listed}${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`;
}

/** An object with these fields; others are ignored. */
export function record<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.object(shape, { error: 'an object' });
}

/** An object whose keys are the caller's own, handed on untouched (a copy would trip over `__proto__`). */
export function freeObject() {
  return z.custom<Record<string, unknown>>(isObject, { error: 'an object' }).meta({ type: 'object' });
}

/** Whether `value` is an object in JSON's sense: no null, no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * `value` without its fields that are null, nested objects included: null counts as absent.
 * Copies only what has such fields; goes no deeper than `levels`, so that the caller's own data stays as it is.
 */
export function withoutNulls(value: unknown, levels: number): unknown {
  if (!isObject(value) || levels === 0) return value;
  const entries: [string, unknown][] = [];
  let changed = false;
  for (const key of Object.keys(value)) {
    const kept = withoutNulls(value[key], levels - 1);
    if (kept !== value[key] || kept === null) changed = true;
    if (kept !== null) entries.push([key, kept]);
  }
  return changed ? Object.fromEntries(entries) : value;
}

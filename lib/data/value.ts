// The values of expressions: those of JSON.
import { quoted } from '../contract/json/describe.js';

export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };
export type ValueObject = { readonly [key: string]: Value };

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isRecord(value: Value): value is ValueObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a member of an object of its own; null for others, so that nothing inherited is reached. */
export function fieldOf(value: Value, name: string): Value {
  return isRecord(value) && Object.hasOwn(value, name) ? asValue(value[name]) : null;
}

/** Callers of the library may put anything into variables: what JSON lacks counts as absent. */
export function asValue(value: unknown): Value {
  const isJson = value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
  return isJson && typeof value !== 'bigint' ? (value as Value) : null;
}

/** An object without a prototype, so that every key is a key. */
export function recordOf(entries: Iterable<readonly [string, Value]>): ValueObject {
  const made: Record<string, Value> = Object.create(null);
  for (const [key, value] of entries) made[key] = value;
  return made;
}

/** Describes a value in messages. */
export function describe(value: Value): string {
  if (typeof value === 'string') return quoted(value);
  if (isList(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  return isRecord(value) ? 'an object' : String(value);
}

/** The text of a value among text; undefined for lists and objects, which have none. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  return typeof value === 'object' ? undefined : String(Object.is(value, -0) ? 0 : value);
}

// Writes a JSON value so that equal values give equal text, whatever the order of their keys and the spelling of their numbers.
import { isObject } from './is-object.js';

/** The canonical JSON of `value`: keys sorted by their UTF-16 units, no blanks, numbers as JavaScript prints them. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each)).join(',')}]`;
  if (isObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
    return `{${members.join(',')}}`;
  }
  // JSON.stringify would print 1e999, which JSON.parse reads as Infinity, as null
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

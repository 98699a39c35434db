// The sizes of a record.
import { isObject } from './json.js';

/** The names of a record's sizes. */
export function sizeNames(record: unknown): string[] {
  return isObject(record) && isObject(record.sizes) ? Object.keys(record.sizes) : [];
}

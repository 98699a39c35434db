// Binary properties of characters.
import { FLAGS } from './data.js';
import { lookupOf } from './table.js';

const flagsOf = lookupOf(FLAGS);

/** Whether the code point has the property: LETTER, CASED and so on of data.ts. */
export function hasProperty(codePoint: number, property: number): boolean {
  return (flagsOf(codePoint) & property) !== 0;
}

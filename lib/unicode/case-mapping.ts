// Case mapping as ECMAScript defines it (UnicodeData, SpecialCasing), without its dependence on the engine's Unicode version.
import {
  CASE_IGNORABLE,
  CASED,
  LOWERCASE,
  SPECIAL_LOWERCASE,
  SPECIAL_UPPERCASE,
  TITLECASE,
  UPPERCASE,
} from './data.js';
import { hasProperty } from './properties.js';
import { lookupOf } from './table.js';

/** Text in which only letters of ASCII have cases. */
const ASCII = /^[\0-\x7f]*$/;

const upperOffset = lookupOf(UPPERCASE);
const lowerOffset = lookupOf(LOWERCASE);
const titleOffset = lookupOf(TITLECASE);
const mappings = (text: string) => new Map(text.split(' ').map((entry) => [entry[0], entry.slice(1)]));
const specialUpper = mappings(SPECIAL_UPPERCASE);
const specialLower = mappings(SPECIAL_LOWERCASE);

const SIGMA = 'Σ';
const FINAL_SIGMA = 'ς';

/** `String.prototype.toUpperCase`. */
export function uppercase(text: string): string {
  if (ASCII.test(text)) return text.toUpperCase();
  let mapped = '';
  for (const character of text) mapped += specialUpper.get(character) ?? shifted(character, upperOffset);
  return mapped;
}

/** `String.prototype.toLowerCase`. */
export function lowercase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  let mapped = '';
  let index = 0;
  for (const character of text) {
    if (character === SIGMA && isFinal(text, index)) mapped += FINAL_SIGMA;
    else mapped += specialLower.get(character) ?? shifted(character, lowerOffset);
    index += character.length;
  }
  return mapped;
}

/** The character's simple titlecase mapping. */
export function titlecase(character: string): string {
  return shifted(character, titleOffset);
}

function shifted(character: string, offset: (codePoint: number) => number): string {
  const codePoint = character.codePointAt(0)!;
  const difference = offset(codePoint);
  return difference === 0 ? character : String.fromCodePoint(codePoint + difference);
}

/** Whether the sigma at `index` ends a word: a cased letter precedes and none follows, apart from case-ignorable characters. */
function isFinal(text: string, index: number): boolean {
  let before = index - 1;
  while (before >= 0) {
    // the code point that ends at `before`
    if (before > 0 && text.codePointAt(before - 1)! > 0xffff) before--;
    const codePoint = text.codePointAt(before)!;
    if (!hasProperty(codePoint, CASE_IGNORABLE)) {
      if (!hasProperty(codePoint, CASED)) return false;
      break;
    }
    before--;
  }
  if (before < 0) return false;
  for (let after = index + 1; after < text.length; after++) {
    const codePoint = text.codePointAt(after)!;
    if (!hasProperty(codePoint, CASE_IGNORABLE)) return !hasProperty(codePoint, CASED);
    if (codePoint > 0xffff) after++;
  }
  return true;
}

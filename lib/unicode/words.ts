// Word boundaries (UAX #29) in linear time. Thai and the like need no dictionary here: text without cases is not capitalized.
import { PICTOGRAPH, WORD_BREAK } from './data.js';
import { hasProperty } from './properties.js';
import { lookupOf, type Word } from './table.js';

type WordClass = Word<typeof WORD_BREAK.values>;

const classOf = lookupOf(WORD_BREAK);

/** A character with the extending and format characters that rule WB4 attaches to it. */
interface Unit {
  readonly class: WordClass;
  readonly isPictograph: boolean;
  /** UTF-16 index. */
  readonly start: number;
  /** Whether characters are attached to it, and whether the last of them is a zero-width joiner. */
  isExtended: boolean;
  endsInJoiner: boolean;
}

const isIn = (...classes: WordClass[]) => {
  const set: ReadonlySet<WordClass | undefined> = new Set(classes);
  return (unit: Unit | undefined) => set.has(unit?.class);
};

const newline = isIn('CR', 'LF', 'Newline');
const attached = isIn('Extend', 'Format', 'ZWJ');
const letter = isIn('ALetter', 'Hebrew_Letter');
const middle = isIn('MidLetter', 'MidNumLet', 'Single_Quote');
const middleOfNumber = isIn('MidNum', 'MidNumLet', 'Single_Quote');
const numeric = isIn('Numeric');
const joinsNumLet = isIn('ALetter', 'Hebrew_Letter', 'Numeric', 'Katakana', 'ExtendNumLet');

/** The words of `text` and the text between them. */
export function wordsOf(text: string): string[] {
  const units = unitsOf(text);
  const words: string[] = [];
  let start = 0;
  let indicators = 0;
  for (let i = 1; i < units.length; i++) {
    indicators = units[i - 1].class === 'Regional_Indicator' ? indicators + 1 : 0;
    if (!isBoundary(units, i, indicators)) continue;
    words.push(text.slice(start, units[i].start));
    start = units[i].start;
  }
  if (start < text.length) words.push(text.slice(start));
  return words;
}

function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  for (let i = 0; i < text.length; ) {
    const codePoint = text.codePointAt(i)!;
    const unit = {
      class: classOf(codePoint),
      isPictograph: hasProperty(codePoint, PICTOGRAPH),
      start: i,
      isExtended: false,
      endsInJoiner: false,
    };
    const base = units.at(-1);
    if (base && attached(unit) && !newline(base)) {
      base.isExtended = true;
      base.endsInJoiner = unit.class === 'ZWJ';
    } else {
      unit.endsInJoiner = unit.class === 'ZWJ';
      units.push(unit);
    }
    i += codePoint > 0xffff ? 2 : 1;
  }
  return units;
}

/** Whether a word ends before units[i], i > 0. `indicators`: the number of regional indicators that end there. */
function isBoundary(units: readonly Unit[], i: number, indicators: number): boolean {
  const left = units[i - 1];
  const right = units[i];
  if (left.class === 'ALetter' && right.class === 'ALetter') return false; // the most common pair
  if (left.class === 'CR' && right.class === 'LF') return false; // WB3
  if (newline(left) || newline(right)) return true; // WB3a, WB3b
  if (left.endsInJoiner && right.isPictograph) return false; // WB3c
  if (left.class === 'WSegSpace' && right.class === 'WSegSpace' && !left.isExtended) return false; // WB3d
  if (letter(left) && letter(right)) return false; // WB5
  if (letter(left) && middle(right) && letter(units[i + 1])) return false; // WB6
  if (letter(units[i - 2]) && middle(left) && letter(right)) return false; // WB7
  if (left.class === 'Hebrew_Letter') {
    if (right.class === 'Single_Quote') return false; // WB7a
    if (right.class === 'Double_Quote' && units[i + 1]?.class === 'Hebrew_Letter') return false; // WB7b
  }
  if (units[i - 2]?.class === 'Hebrew_Letter' && left.class === 'Double_Quote' && right.class === 'Hebrew_Letter') {
    return false; // WB7c
  }
  if ((numeric(left) || letter(left)) && numeric(right)) return false; // WB8, WB9
  if (numeric(left) && letter(right)) return false; // WB10
  if (numeric(units[i - 2]) && middleOfNumber(left) && numeric(right)) return false; // WB11
  if (numeric(left) && middleOfNumber(right) && numeric(units[i + 1])) return false; // WB12
  if (left.class === 'Katakana' && right.class === 'Katakana') return false; // WB13
  if (left.class === 'Hangul' && right.class === 'Hangul' && !left.isExtended) return false; // as in browsers
  if (joinsNumLet(left) && right.class === 'ExtendNumLet') return false; // WB13a
  if (left.class === 'ExtendNumLet' && joinsNumLet(right)) return false; // WB13b
  return !(left.class === 'Regional_Indicator' && right.class === 'Regional_Indicator' && indicators % 2 === 1); // WB15, WB16
}

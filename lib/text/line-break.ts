// Line break opportunities: the rules of UAX #14 (Unicode 17), in order and untailored, plus dictionary word breaks in
// scripts written without spaces (class SA, whose letters the rules treat like any letter).
import { LETTER, LINE_BREAK, WORD_BREAK } from '../unicode/data.js';
import { hasProperty } from '../unicode/properties.js';
import { lookupOf } from '../unicode/table.js';
import { dictionaryBreaks } from './dictionary-breaks.js';
import { type LineClass, type LineUnit, lineUnits } from './line-break-class.js';

const isIn = (...classes: LineClass[]) => {
  const set: ReadonlySet<LineClass | undefined> = new Set(classes);
  return (unit: LineUnit | undefined) => set.has(unit?.class);
};

const hardBreak = isIn('BK', 'CR', 'LF', 'NL');
const letter = isIn('AL', 'HL', 'DC', 'SA');
const hyphen = isIn('HY', 'HH');
const quote = isIn('QU', 'QI', 'QF');
const closing = isIn('CL', 'CP');
const affix = isIn('PR', 'PO');
const ideograph = isIn('ID', 'EB', 'EM');
const syllable = isIn('H2', 'H3');
const hangul = isIn('JL', 'JV', 'JT', 'H2', 'H3');
const aksara = isIn('AK', 'AS', 'DC');
const breaksBeforeGlue = isIn('SP', 'BA', 'HY', 'HH');
const beforeOpeningQuote = isIn('BK', 'CR', 'LF', 'NL', 'OP', 'QU', 'QI', 'QF', 'GL', 'SP', 'ZW');
const afterClosingQuote = isIn(
  ...(['SP', 'GL', 'WJ', 'CL', 'QU', 'QI', 'QF', 'CP', 'EX', 'IS', 'SY', 'BK', 'CR', 'LF', 'NL', 'ZW'] as const),
);
const beforeWordHyphen = isIn('BK', 'CR', 'LF', 'NL', 'SP', 'ZW', 'CB', 'GL');

/** Left context of the rules. */
interface State {
  /** The index of the last unit that is not a space; -1 before the first. */
  lastNonSpace: number;
  /** Whether that unit is an opening quote (LB15a). */
  isOpeningQuote: boolean;
  /** 'open' after NU (SY|IS)*, 'closed' when a closing bracket follows it (LB25). */
  number: 'open' | 'closed' | undefined;
  /** The number of consecutive regional indicators. */
  regionalIndicators: number;
}

/**
 * 1 at every UTF-16 index before which UAX #14 allows or requires a break; never at 0 or at the end. `units` are those of
 * `text`, if the caller has them.
 */
export function lineBreaks(text: string, units = lineUnits(text, 'NS')): Uint8Array {
  const allowed = new Uint8Array(text.length + 1);
  const state: State = { lastNonSpace: -1, isOpeningQuote: false, number: undefined, regionalIndicators: 0 };
  for (let i = 0; i < units.length; i++) {
    if (i > 0 && canBreak(units, i, state)) allowed[units[i].start] = 1;
    advance(units, i, state);
  }
  return allowed;
}

function advance(units: readonly LineUnit[], i: number, state: State): void {
  const unit = units[i];
  if (unit.class !== 'SP') {
    state.lastNonSpace = i;
    state.isOpeningQuote = unit.class === 'QI' && (i === 0 || beforeOpeningQuote(units[i - 1]));
  }
  if (unit.class === 'NU') state.number = 'open';
  else if (closing(unit)) state.number = state.number === 'open' ? 'closed' : undefined;
  else if (unit.class !== 'SY' && unit.class !== 'IS') state.number = undefined;
  else if (state.number === 'closed') state.number = undefined;
  state.regionalIndicators = unit.class === 'RI' ? state.regionalIndicators + 1 : 0;
}

/** Whether a line may end before units[i], i > 0. */
function canBreak(units: readonly LineUnit[], i: number, state: State): boolean {
  const left = units[i - 1];
  const right = units[i];
  const before = left.class;
  const after = right.class;
  // the most common pair; no rule before LB28 breaks it
  if (before === 'AL' && after === 'AL') return false;
  if (before === 'CR' && after === 'LF') return false; // LB5
  if (hardBreak(left)) return true; // LB4, LB5
  if (hardBreak(right) || after === 'SP' || after === 'ZW') return false; // LB6, LB7
  const nonSpace = units[state.lastNonSpace]?.class;
  if (nonSpace === 'ZW') return true; // LB8
  if (left.endsInJoiner || before === 'WJ' || after === 'WJ' || before === 'GL') return false; // LB8a, LB11, LB12
  if (after === 'GL' && !breaksBeforeGlue(left)) return false; // LB12a
  if (closing(right) || after === 'EX' || after === 'SY' || nonSpace === 'OP') return false; // LB13, LB14
  if (state.isOpeningQuote) return false; // LB15a
  const next = units[i + 1];
  if (after === 'QF' && (!next || afterClosingQuote(next))) return false; // LB15b
  if (after === 'IS') return before === 'SP' && next?.class === 'NU'; // LB15c, LB15d
  if (after === 'NS' && (nonSpace === 'CL' || nonSpace === 'CP')) return false; // LB16
  if (after === 'B2' && nonSpace === 'B2') return false; // LB17
  if (before === 'SP') return true; // LB18
  const previous = units[i - 2];
  if (quote(right) && (after !== 'QI' || !left.isWide || !next?.isWide)) return false; // LB19, LB19a
  if (quote(left) && (before !== 'QF' || !right.isWide || !previous?.isWide)) return false; // LB19, LB19a
  if (before === 'CB' || after === 'CB') return true; // LB20
  if (hyphen(left) && letter(right) && (!previous || beforeWordHyphen(previous))) return false; // LB20a
  if (after === 'BA' || hyphen(right) || after === 'NS' || before === 'BB') return false; // LB21
  if (previous?.class === 'HL' && hyphen(left) && after !== 'HL') return false; // LB21a
  if ((before === 'SY' && after === 'HL') || after === 'IN') return false; // LB21b, LB22
  if ((letter(left) && after === 'NU') || (before === 'NU' && letter(right))) return false; // LB23
  if ((before === 'PR' && ideograph(right)) || (ideograph(left) && after === 'PO')) return false; // LB23a
  if ((affix(left) && letter(right)) || (letter(left) && affix(right))) return false; // LB24
  if (isWithinNumber(units, i, state)) return false; // LB25
  if (before === 'JL' && (after === 'JL' || after === 'JV' || syllable(right))) return false; // LB26
  if ((before === 'JV' || before === 'H2') && (after === 'JV' || after === 'JT')) return false;
  if ((before === 'JT' || before === 'H3') && after === 'JT') return false;
  if ((hangul(left) && after === 'PO') || (before === 'PR' && hangul(right))) return false; // LB27
  if (letter(left) && letter(right)) return false; // LB28
  if (isWithinAksara(units, i)) return false; // LB28a
  if (before === 'IS' && letter(right)) return false; // LB29
  if ((letter(left) || before === 'NU') && after === 'OP' && !right.isWide) return false; // LB30
  if (before === 'CP' && !left.isWide && (letter(right) || after === 'NU')) return false;
  if (before === 'RI' && after === 'RI') return state.regionalIndicators % 2 === 0; // LB30a
  return !(before === 'EB' && after === 'EM'); // LB30b, LB31
}

/** LB25: no break inside numbers with their signs, units and brackets. */
function isWithinNumber(units: readonly LineUnit[], i: number, { number }: State): boolean {
  const left = units[i - 1];
  const right = units[i];
  if (affix(right)) return number !== undefined;
  if (right.class === 'NU') return number === 'open' || affix(left) || left.class === 'HY' || left.class === 'IS';
  if (right.class !== 'OP' || !affix(left)) return false;
  const inside = units[i + 1]?.class === 'IS' ? units[i + 2] : units[i + 1];
  return inside?.class === 'NU';
}

/** LB28a: no break inside orthographic syllables of Brahmic scripts written without spaces. */
function isWithinAksara(units: readonly LineUnit[], i: number): boolean {
  const left = units[i - 1];
  const right = units[i];
  if (left.class === 'AP') return aksara(right);
  if (aksara(left)) {
    if (right.class === 'VF' || right.class === 'VI') return true;
    return aksara(right) && units[i + 1]?.class === 'VF';
  }
  return left.class === 'VI' && aksara(units[i - 2]) && aksara(right) && right.class !== 'AS';
}

/** 1 at every UTF-16 index before which a line may be broken, as in browsers; never at 0 or at the end. */
export function breakOpportunities(text: string): Uint8Array {
  // small kana may start a line (CSS `line-break: normal`)
  const allowed = lineBreaks(text, lineUnits(text, 'ID'));
  for (const index of dictionaryBreaks(text)) allowed[index] = 1;
  return allowed;
}

/** Numbers that are no decimal digits: superscripts, Roman numerals, and those in circles or brackets. */
const FURTHER_NUMBERS =
  /[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070\u2074-\u2079\u2080-\u2089\u2150-\u2189\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u3007\u3021-\u3029\u3038-\u303a\u3192-\u3195\u3220-\u3229\u3248-\u324f\u3251-\u325f\u3280-\u3289\u32b1-\u32bf]/;

const classOf = lookupOf(LINE_BREAK);
const wordBreakOf = lookupOf(WORD_BREAK);

/**
 * The opportunities of CSS `word-break: keep-all`, from `allowed`: none between letters and digits, as Chromium decides by
 * their general category. Scripts whose words a dictionary knows keep theirs.
 */
export function keepAll(text: string, allowed: Uint8Array): Uint8Array {
  const breaks = allowed.slice();
  for (let i = breaks.indexOf(1); i >= 0; i = breaks.indexOf(1, i + 1)) {
    if (isLetterOrNumber(text.codePointAt(i)!) && isLetterOrNumber(baseBefore(text, i))) breaks[i] = 0;
  }
  return breaks;
}

/** The character before `index`, or the one before that if it is a mark. */
function baseBefore(text: string, index: number): number {
  const start = previousStart(text, index);
  const last = text.codePointAt(start)!;
  return start > 0 && wordBreakOf(last) === 'Extend' ? text.codePointAt(previousStart(text, start))! : last;
}

function previousStart(text: string, index: number): number {
  const isPair = index > 1 && (text.charCodeAt(index - 1) & 0xfc00) === 0xdc00;
  return isPair ? index - 2 : index - 1;
}

function isLetterOrNumber(codePoint: number): boolean {
  if (classOf(codePoint) === 'SA') return false;
  return (
    hasProperty(codePoint, LETTER) ||
    wordBreakOf(codePoint) === 'Numeric' ||
    FURTHER_NUMBERS.test(String.fromCodePoint(codePoint))
  );
}

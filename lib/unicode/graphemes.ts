// Extended grapheme clusters (UAX #29), in linear time.
import { GRAPHEME_BREAK } from './data.js';
import { lookupOf, type Word } from './table.js';

type GraphemeClass = Exclude<Word<typeof GRAPHEME_BREAK.values>, 'Syllable'> | 'LV' | 'LVT';

const lookUp = lookupOf(GRAPHEME_BREAK);

/** The first Hangul syllable. Every 28th has no final consonant. */
const FIRST_SYLLABLE = 0xac00;
const FINALS = 28;

function classOf(codePoint: number): GraphemeClass {
  const found = lookUp(codePoint);
  if (found !== 'Syllable') return found;
  return (codePoint - FIRST_SYLLABLE) % FINALS === 0 ? 'LV' : 'LVT';
}

/**
 * Text in which every character is a cluster: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, Han, kana and Hangul
 * without combining or joining characters.
 */
const SINGLE =
  /^[ -~\u00a0-\u02ff\u0386-\u0482\u048a-\u0556\u0561-\u0587\u05d0-\u05ea\u060b-\u060f\u061b\u061f-\u064a\u0660-\u066f\u0671-\u06d3\u06f0-\u06f9\u1e00-\u1eff\u2010-\u2027\u2030-\u203b\u20a0-\u20bf\u3000-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9d]*$/;

/** Whether every UTF-16 unit of `text` is a grapheme cluster, by a fast check with false negatives. */
export function isSingle(text: string): boolean {
  return SINGLE.test(text);
}

/** Left context of the rules. */
interface State {
  /** Whether a consonant precedes, followed by marks of conjuncts only; whether a linker is among them (GB9c). */
  conjunct: 'none' | 'consonant' | 'linked';
  /** Whether a pictograph precedes, followed by extending characters only, or by these and a joiner (GB11). */
  emoji: 'none' | 'pictograph' | 'joined';
  /** Whether the number of consecutive regional indicators is odd (GB12, GB13). */
  isOddIndicator: boolean;
}

/** The extended grapheme clusters of `text`. */
export function graphemesOf(text: string): string[] {
  if (SINGLE.test(text)) return text.split('');
  const clusters: string[] = [];
  const state: State = { conjunct: 'none', emoji: 'none', isOddIndicator: false };
  let start = 0;
  let before: GraphemeClass | undefined;
  for (let i = 0; i < text.length; ) {
    const codePoint = text.codePointAt(i)!;
    const after = classOf(codePoint);
    if (before !== undefined && isBoundary(before, after, state)) {
      clusters.push(text.slice(start, i));
      start = i;
    }
    advance(after, state);
    before = after;
    i += codePoint > 0xffff ? 2 : 1;
  }
  if (start < text.length) clusters.push(text.slice(start));
  return clusters;
}

/** Whether a cluster ends between two characters; `state` is the context up to the first. */
function isBoundary(before: GraphemeClass, after: GraphemeClass, state: State): boolean {
  if (before === 'Other' && after === 'Other') return true; // the most common pair
  if (before === 'CR' && after === 'LF') return false; // GB3
  if (isControl(before) || isControl(after)) return true; // GB4, GB5
  if (before === 'L' && (after === 'L' || after === 'V' || after === 'LV' || after === 'LVT')) return false; // GB6
  if ((before === 'LV' || before === 'V') && (after === 'V' || after === 'T')) return false; // GB7
  if ((before === 'LVT' || before === 'T') && after === 'T') return false; // GB8
  if (isExtend(after) || after === 'ZWJ' || after === 'SpacingMark' || before === 'Prepend') return false; // GB9, a, b
  if (after === 'Consonant') return state.conjunct !== 'linked'; // GB9c
  if (after === 'Pictograph') return state.emoji !== 'joined'; // GB11
  return !(after === 'Regional_Indicator' && state.isOddIndicator); // GB12, GB13
}

function advance(next: GraphemeClass, state: State): void {
  if (next === 'Consonant') state.conjunct = 'consonant';
  else if (next === 'Linker' && state.conjunct !== 'none') state.conjunct = 'linked';
  else if (next !== 'Extend' && next !== 'ZWJ') state.conjunct = 'none';
  if (next === 'Pictograph') state.emoji = 'pictograph';
  else if (next === 'ZWJ' && state.emoji === 'pictograph') state.emoji = 'joined';
  else if (!isExtend(next) || state.emoji === 'joined') state.emoji = 'none';
  state.isOddIndicator = next === 'Regional_Indicator' && !state.isOddIndicator;
}

const isControl = (one: GraphemeClass) => one === 'Control' || one === 'CR' || one === 'LF';

/** Grapheme_Cluster_Break=Extend. */
const isExtend = (one: GraphemeClass) => one === 'Extend' || one === 'Linker' || one === 'NonJoiner';

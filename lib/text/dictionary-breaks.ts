// Finds word breaks in Thai, Lao, Khmer and Burmese text, which has no spaces between words. It prefers the longest word that
// two more known words follow. Text that the dictionary lacks joins the word before it, or is skipped up to a plausible start
// of a known word. The rules and their limits are those of ICU, which browsers use.
import { Dictionary, type Matches } from './dictionary.js';

export const DICTIONARY_SCRIPTS = ['thai', 'lao', 'khmer', 'burmese'] as const;
export type DictionaryScript = (typeof DICTIONARY_SCRIPTS)[number];

/** First and last code of ranges of characters. */
type Ranges = readonly (readonly [number, number])[];

interface ScriptRules {
  /** Letters and marks whose line breaks a dictionary decides (Line_Break=SA), without digits and punctuation. */
  readonly characters: Ranges;
  /** Combining marks, which never start a word. */
  readonly marks: Ranges;
  /** Characters that may start a word after unknown text. */
  readonly starts: Ranges;
  /** Characters that end no word before it. */
  readonly nonFinal: Ranges;
  /** Texts shorter than this stay whole. */
  readonly shortest: number;
  /** A known word that is shorter takes unknown text behind it … */
  readonly longWord: number;
  /** … unless the dictionary follows that text for this many characters. */
  readonly knownPrefix: number;
}

const RULES: Readonly<Record<DictionaryScript, ScriptRules>> = {
  thai: {
    characters: [
      [0x0e01, 0x0e3a],
      [0x0e40, 0x0e4e],
    ],
    marks: [
      [0x0e31, 0x0e31],
      [0x0e34, 0x0e3a],
      [0x0e47, 0x0e4e],
    ],
    starts: [
      [0x0e01, 0x0e2e],
      [0x0e40, 0x0e44],
    ],
    nonFinal: [
      [0x0e31, 0x0e31],
      [0x0e40, 0x0e44],
    ],
    shortest: 5,
    longWord: 3,
    knownPrefix: 3,
  },
  lao: {
    characters: [
      [0x0e81, 0x0ebd],
      [0x0ec0, 0x0ece],
      [0x0edc, 0x0edf],
    ],
    marks: [
      [0x0eb1, 0x0eb1],
      [0x0eb4, 0x0ebc],
      [0x0ec8, 0x0ece],
    ],
    starts: [
      [0x0e81, 0x0eae],
      [0x0ec0, 0x0ec4],
      [0x0edc, 0x0edd],
    ],
    nonFinal: [[0x0ec0, 0x0ec4]],
    shortest: 4,
    longWord: 3,
    knownPrefix: 3,
  },
  khmer: {
    characters: [
      [0x1780, 0x17d3],
      [0x17d7, 0x17d7],
      [0x17dc, 0x17dd],
    ],
    marks: [
      [0x17b4, 0x17d3],
      [0x17dd, 0x17dd],
    ],
    starts: [[0x1780, 0x17b3]],
    nonFinal: [[0x17d2, 0x17d2]],
    shortest: 4,
    longWord: 10,
    knownPrefix: 5,
  },
  burmese: {
    characters: [
      [0x1000, 0x103f],
      [0x1050, 0x108f],
      [0x109a, 0x109f],
      [0xa9e0, 0xa9ef],
      [0xa9fa, 0xa9fe],
      [0xaa60, 0xaa7f],
    ],
    marks: [
      [0x102b, 0x103e],
      [0x1056, 0x1059],
      [0x105e, 0x1060],
      [0x1062, 0x1064],
      [0x1067, 0x106d],
      [0x1071, 0x1074],
      [0x1082, 0x108d],
      [0x108f, 0x108f],
      [0x109a, 0x109d],
      [0xa9e5, 0xa9e5],
      [0xaa7b, 0xaa7d],
    ],
    starts: [[0x1000, 0x102a]],
    nonFinal: [],
    shortest: 4,
    longWord: 3,
    knownPrefix: 3,
  },
};

/** Any character of the four scripts whose line breaks a dictionary decides, and some more. */
const ANY = /[\u0e01-\u0edf\u1000-\u109f\u1780-\u17dd\ua9e0-\ua9fe\uaa60-\uaa7f]/;

/** Bits of the flags: the index of the script plus one, and what a character can be there. */
const SCRIPT = 7;
const MARK = 8;
const START = 16;
const NON_FINAL = 32;

let table: Uint8Array | undefined;

/** The flags of each UTF-16 unit, up to the last of the four scripts. */
function flagTable(): Uint8Array {
  if (table) return table;
  const flags = new Uint8Array(0xaa80);
  const add = (flag: number, ranges: Ranges) => {
    for (const [first, last] of ranges) for (let code = first; code <= last; code++) flags[code] |= flag;
  };
  DICTIONARY_SCRIPTS.forEach((script, i) => {
    const { characters, marks, starts, nonFinal } = RULES[script];
    add(i + 1, characters);
    add(MARK, marks);
    add(START, starts);
    add(NON_FINAL, nonFinal);
  });
  table = flags;
  return flags;
}

/** The scripts of `text` that need a dictionary. */
export function dictionaryScripts(text: string): DictionaryScript[] {
  if (!ANY.test(text)) return [];
  const flags = flagTable();
  const found = new Set<number>();
  for (let i = 0; i < text.length; i++) found.add(flags[text.charCodeAt(i)] & SCRIPT);
  return DICTIONARY_SCRIPTS.filter((_, i) => found.has(i + 1));
}

const dictionaries = new Map<DictionaryScript, Dictionary>();

export function hasDictionary(script: DictionaryScript): boolean {
  return dictionaries.has(script);
}

/** Gives a script its dictionary, packed as Dictionary describes. */
export function setDictionary(script: DictionaryScript, packed: Uint8Array): void {
  dictionaries.set(script, new Dictionary(packed));
}

/** The indexes in `text` at which a word starts behind another of the same script, ascending. Their dictionaries must be loaded. */
export function dictionaryBreaks(text: string): number[] {
  const breaks: number[] = [];
  if (!ANY.test(text)) return breaks;
  const flags = flagTable();
  for (let start = 0; start < text.length; ) {
    const script = flags[text.charCodeAt(start)] & SCRIPT;
    let end = start + 1;
    while (end < text.length && (flags[text.charCodeAt(end)] & SCRIPT) === script) end++;
    if (script > 0) breakStretch(text, start, end, DICTIONARY_SCRIPTS[script - 1], breaks);
    start = end;
  }
  return breaks;
}

const PAIYANNOI = 'ฯ';
const MAIYAMOK = 'ๆ';
/** Thai and Lao. */
const VOWEL_AM = /[\u0e33\u0eb3]/;
/** Burmese and Khmer. */
const JOINING_SIGN = /[\u1039\u17d2]/;

/** The word breaks within text.slice(start, end), which is of one script. */
function breakStretch(text: string, start: number, end: number, script: DictionaryScript, breaks: number[]): void {
  const { shortest, longWord, knownPrefix } = RULES[script];
  if (end - start < shortest) return;
  const dictionary = dictionaries.get(script);
  if (!dictionary) throw new Error(`the dictionary of ${script} is not loaded`);
  const flags = flagTable();
  const has = (flag: number, index: number) => (flags[text.charCodeAt(index)] & flag) !== 0;
  const matchesAt = rememberMatches((index) => dictionary.match(text, index, end), 2 * dictionary.longest + 1);
  const isWordAt = (index: number) => matchesAt(index).lengths.length > 0;

  for (let from = start; from < end; ) {
    let to = from + wordLength(from);
    if (to < end && to - from < longWord && !isWordAt(to) && (to === from || matchesAt(to).reach < knownPrefix)) {
      do to++;
      while (to < end && !(!has(NON_FINAL, to - 1) && has(START, to) && isWordAt(to)));
    }
    while (to < end && has(MARK, to)) to++;
    if (script === 'thai' && to < end && !isWordAt(to)) to = afterSuffix(text, to, end);
    if (to < end && !isWithinCluster(to)) breaks.push(to);
    from = to;
  }

  /** Whether a vowel sign follows that is no mark, or the marks before join the next consonant: after words that are misspelt. */
  function isWithinCluster(index: number): boolean {
    if (VOWEL_AM.test(text[index])) return true;
    for (let i = index - 1; i >= start && has(MARK, i); i--) if (JOINING_SIGN.test(text[i])) return true;
    return false;
  }

  /** The length of the word at `from`: the longest that two words follow, else the shortest that one follows, else the longest; or 0. */
  function wordLength(from: number): number {
    const { lengths } = matchesAt(from);
    let best = lengths.at(-1) ?? 0;
    if (lengths.length < 2 || from + best === end) return best;
    for (let i = lengths.length - 1; i >= 0; i--) {
      const second = from + lengths[i];
      const following = matchesAt(second).lengths;
      if (following.length === 0) continue;
      best = lengths[i];
      if (second + following.at(-1)! === end || following.some((length) => isWordAt(second + length))) break;
    }
    return best;
  }
}

/** Behind the signs for abbreviation and repetition at `index`, which belong to the word before them. */
function afterSuffix(text: string, index: number, end: number): number {
  let next = index;
  const last = text[next - 1];
  if (text[next] === PAIYANNOI && last !== PAIYANNOI && last !== MAIYAMOK) next++;
  if (next < end && text[next] === MAIYAMOK && text[next - 1] !== MAIYAMOK) next++;
  return next;
}

/** Keeps the matches at the last positions: looking ahead asks for each position several times. */
function rememberMatches(match: (index: number) => Matches, size: number): (index: number) => Matches {
  const indexes = new Int32Array(size).fill(-1);
  const cache: Matches[] = [];
  return (index) => {
    const slot = index % size;
    if (indexes[slot] !== index) {
      indexes[slot] = index;
      cache[slot] = match(index);
    }
    return cache[slot];
  };
}

// Finds where words may be hyphenated: Liang's algorithm, as in TeX, with the patterns of a language.
import { type HyphenationPatterns, hyphenationPatterns } from '../contract/layers/hyphenation-languages.js';
import { lowercase } from '../unicode/case-mapping.js';
import { LETTER, WORD_BREAK } from '../unicode/data.js';
import { hasProperty } from '../unicode/properties.js';
import { lookupOf } from '../unicode/table.js';

/** Patterns by their letters: each leads to longer ones, to an index of levels, or to both. */
interface Trie {
  readonly [letter: string]: TrieNode;
}
type TrieNode = Trie | number | readonly [Trie, number];

/** Levels of patterns, the patterns, and exceptional words with their breaks. */
export type Patterns = readonly [
  levels: readonly (readonly number[])[],
  trie: Trie,
  words: Readonly<Record<string, readonly number[]>>,
];

/** Chromium's limits: letters of the shortest word that is hyphenated, and letters that stay together at its start and end. */
const SHORTEST = 5;
const KEPT = 2;

const loaded = new Map<HyphenationPatterns, Patterns>();

export function hasPatterns(name: HyphenationPatterns): boolean {
  return loaded.has(name);
}

export function setPatterns(name: HyphenationPatterns, patterns: Patterns): void {
  loaded.set(name, patterns);
}

const wordBreakOf = lookupOf(WORD_BREAK);

/** Kinds of characters in words; words with a number or an invisible sign, such as a soft hyphen, get no further breaks. */
type Kind = 'letter' | 'apostrophe' | 'other' | undefined;

function kindOf(codePoint: number): Kind {
  if (codePoint === 0x27 || codePoint === 0x2019) return 'apostrophe';
  const wordBreak = wordBreakOf(codePoint);
  if (wordBreak === 'Numeric' || wordBreak === 'Format' || codePoint === 0x2060) return 'other';
  return hasProperty(codePoint, LETTER) || wordBreak === 'Extend' || wordBreak === 'ZWJ' ? 'letter' : undefined;
}

/** The indexes in `text` where a word may end in a hyphen, ascending. The language's patterns must be loaded. */
export function hyphenationPoints(text: string, language: string): number[] {
  const name = hyphenationPatterns(language);
  const patterns = name && loaded.get(name);
  if (!patterns) throw new Error(`the hyphenation patterns of ${language} are not loaded`);
  const points: number[] = [];
  for (let start = 0; start < text.length; ) {
    let end = start;
    let isWhole = false;
    for (let kind: Kind; end < text.length; end += text.codePointAt(end)! > 0xffff ? 2 : 1) {
      kind = kindOf(text.codePointAt(end)!);
      if (kind === undefined) break;
      if (kind === 'other') isWhole = true;
    }
    if (!isWhole) addPoints(text.slice(start, end), start, patterns, points);
    start = Math.max(end, start + 1);
  }
  return points;
}

/** Adds the points of a word, which may stand in single quotes. */
function addPoints(quoted: string, offset: number, patterns: Patterns, points: number[]): void {
  const word = lowercase(quoted.replaceAll('\u2019', "'"));
  // if lower case is longer, indexes don't match
  if (word.length !== quoted.length) return;
  const start = /^'*/.exec(word)![0].length;
  const bare = word.slice(start).replace(/'+$/, '');
  if (bare.length < SHORTEST) return;
  for (const point of breaksOf(bare, patterns)) {
    const isBesideApostrophe = bare[point - 1] === "'" || bare[point] === "'";
    if (point >= KEPT && point <= bare.length - KEPT && !isBesideApostrophe) points.push(offset + start + point);
  }
}

/** The indexes where the patterns break a word in lower case. */
function breaksOf(word: string, [table, trie, words]: Patterns): readonly number[] {
  // as the package counts them: each break after the first has the hyphens before it
  if (Object.hasOwn(words, word)) return words[word].map((index, hyphens) => index - hyphens);
  const levels = new Uint8Array(word.length + 1);
  const marked = `.${word}.`;
  for (let start = 0; start < marked.length; start++) {
    // the levels of a pattern begin before its first letter, and at the word's start without the mark
    const first = Math.max(0, start - 1);
    let node: Trie | undefined = trie;
    for (let i = start; node && i < marked.length; i++) {
      const next: TrieNode | undefined = node[marked[i]];
      const [deeper, index]: readonly [Trie | undefined, number | undefined] = entryOf(next);
      if (index !== undefined) {
        table[index].forEach((level, k) => {
          if (first + k < levels.length) levels[first + k] = Math.max(level, levels[first + k]);
        });
      }
      node = deeper;
    }
  }
  return Array.from(levels.keys()).filter((index) => levels[index] % 2 === 1);
}

function entryOf(node: TrieNode | undefined): readonly [Trie | undefined, number | undefined] {
  if (node === undefined) return [undefined, undefined];
  if (typeof node === 'number') return [undefined, node];
  return Array.isArray(node) ? (node as unknown as [Trie, number]) : [node as Trie, undefined];
}

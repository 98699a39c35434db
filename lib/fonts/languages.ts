// The scripts and languages that a font covers, by the characters that Unicode's CLDR says they are written with
// (fonts/languages.txt, which scripts/languages.mjs makes).
import { host } from '../host.js';
import { unpackRanges } from './bundled.js';

/** Whether a font has a glyph for the character. */
export type HasCharacter = (codePoint: number) => boolean;

export interface Language {
  /** BCP 47: the language, with the script where that is not its usual one. */
  readonly code: string;
  /** Name in English. */
  readonly name: string;
  /** Its name in itself; empty if unknown. */
  readonly ownName: string;
  /** ISO 15924. */
  readonly script: string;
  /** Pairs of first and last code points, ascending. */
  readonly ranges: Uint32Array;
}

export interface LanguageTable {
  readonly languages: readonly Language[];
  /** English names of scripts by their codes. */
  readonly scriptNames: ReadonlyMap<string, string>;
}

interface StoredTable {
  readonly scripts: Readonly<Record<string, string>>;
  readonly languages: readonly (readonly [string, string, string, string, string])[];
}

let table: Promise<LanguageTable> | undefined;

/** Read once; a failed read is tried again. */
export function loadLanguages(): Promise<LanguageTable> {
  if (!table) {
    table = readTable();
    table.catch(() => {
      table = undefined;
    });
  }
  return table;
}

async function readTable(): Promise<LanguageTable> {
  const text = new TextDecoder().decode(await host().readFontFile('languages.txt'));
  const { scripts, languages } = JSON.parse(text) as StoredTable;
  return {
    scriptNames: new Map(Object.entries(scripts)),
    languages: languages.map(([code, name, script, ranges, ownName]) => ({
      ...{ code, name, ownName, script },
      ranges: unpackRanges(ranges),
    })),
  };
}

export interface Coverage {
  /** Languages of which the font has every character, by their codes. */
  readonly languages: readonly Language[];
  /** ISO 15924 codes, the script with the most characters first. */
  readonly scripts: readonly string[];
}

/** Scripts without a language, with characters that only their fonts have together. */
export const SYMBOLS = [
  ['Zsye', '😀🎉🚀🐱👍'],
  ['Zsym', '☯⚓⚖⚛♩'],
  ['Zsym', '☎☢♔⚀✂➤'],
  ['Zmth', '∀∃∇∈∑√∞∫≠≤𝑎𝔸'],
] as const;

export function coverageOf(has: HasCharacter, { languages }: LanguageTable): Coverage {
  const covered = languages.filter(({ ranges }) => hasRanges(has, ranges));
  const scripts = new Map<string, Set<number>>();
  for (const { script, ranges } of covered) {
    const characters = scripts.get(script) ?? new Set();
    scripts.set(script, characters);
    eachCharacter(ranges, (codePoint) => void characters.add(codePoint));
  }
  const byCount = [...scripts].sort(([, a], [, b]) => b.size - a.size).map(([script]) => script);
  const symbols = SYMBOLS.filter(([, text]) => hasText(has, text)).map(([script]) => script);
  return { languages: covered, scripts: [...byCount, ...new Set(symbols)] };
}

/** Whether the font has every character of a text but blanks and what is invisible in a font that lacks it. */
export function hasText(has: HasCharacter, text: string): boolean {
  return [...text].every((character) => IGNORED.test(character) || has(character.codePointAt(0)!));
}

/** Blanks and variation selectors. */
const IGNORED = /\s|\ufe0e|\ufe0f/;

function hasRanges(has: HasCharacter, ranges: Uint32Array): boolean {
  for (let i = 0; i < ranges.length; i += 2) {
    for (let codePoint = ranges[i]; codePoint <= ranges[i + 1]; codePoint++) if (!has(codePoint)) return false;
  }
  return true;
}

function eachCharacter(ranges: Uint32Array, visit: (codePoint: number) => void): void {
  for (let i = 0; i < ranges.length; i += 2) {
    for (let codePoint = ranges[i]; codePoint <= ranges[i + 1]; codePoint++) visit(codePoint);
  }
}

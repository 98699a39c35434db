// Reads the bundled fonts: the manifest, the characters that each face covers, and the bytes of a face. Start-up reads
// manifest.json only (0.4 ms); coverage and faces are read on first use. Nothing here parses a font.
import type { FontCategory } from '../contract/api/fonts.js';
import { parseFamilyList } from '../contract/css/font-family.js';
import { closestMatch, didYouMean } from '../contract/messages/closest-match.js';
import { type FieldIssue, mismatchOf } from '../contract/messages/issues.js';
import { host } from '../host.js';
import { lowercase } from '../unicode/case-mapping.js';
import { unpackFont } from './container.js';

export { unpackFont } from './container.js';

/** A face as described by fonts/manifest.json. */
export interface FontFace {
  readonly family: string;
  readonly category: FontCategory;
  /** CSS weight, 100–900. */
  readonly weight: number;
  readonly style: 'normal' | 'italic';
  /** Path within fonts/, with forward slashes. */
  readonly file: string;
  readonly format: 'ttf' | 'woff2';
  /** Size and SHA-256 (hex) of the stored file. */
  readonly bytes: number;
  readonly sha256: string;
  readonly source: { readonly package: string; readonly version: string; readonly file: string };
  /** The key of its character set in coverage.txt; faces with the same characters share a set. */
  readonly coverage: string;
  /** Writing systems that it covers, for display: `Latin`, `Vietnamese`, `Greek`, … */
  readonly scripts: readonly string[];
}

export interface FontManifest {
  readonly version: 1;
  /** Families to try, in order, for a character that the requested family lacks. */
  readonly fallback: readonly string[];
  /** The colour emoji family; absent if none is bundled. */
  readonly emoji?: string;
  /** Grouped by family, lightest first. */
  readonly faces: readonly FontFace[];
}

let manifest: FontManifest | undefined;

/** The manifest of fonts/, read once. Throws if the file is missing. */
export function loadManifest(): FontManifest {
  manifest ??= JSON.parse(host().readManifest()) as FontManifest;
  return manifest;
}

/** A font family that payloads can name in `fontFamily`. */
export interface FontFamily {
  readonly family: string;
  /** CSS weights of the upright faces, ascending. */
  readonly weights: readonly number[];
  /** CSS weights of the italic faces, ascending. */
  readonly italics: readonly number[];
  /** Writing systems that it covers: `Latin`, `Vietnamese`, `Greek`, … */
  readonly scripts: readonly string[];
  /** Whether it is a fallback for characters that other families lack. */
  readonly fallback: boolean;
}

/**
 * The bundled families, in the order of the manifest.
 * @example
 * for (const { family, scripts } of listFonts()) console.log(family, scripts.join(', '));
 */
export function listFonts(): FontFamily[] {
  const { faces, fallback, emoji } = loadManifest();
  return Array.from(new Set(faces.map(({ family }) => family)), (family) => {
    const own = faces.filter((face) => face.family === family);
    const weights = (style: string) => own.filter((face) => face.style === style).map(({ weight }) => weight);
    return {
      family,
      weights: weights('normal'),
      italics: weights('italic'),
      scripts: own[0].scripts,
      fallback: fallback.includes(family) || family === emoji,
    };
  });
}

/** The names of the bundled families. */
export function listFamilies(): string[] {
  return [...new Set(loadManifest().faces.map(({ family }) => family))];
}

/** Whether two names mean one family: case and blanks around a name don't matter. */
export function isSameFamily(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}

const keyOf = (family: string) => lowercase(family.trim());

/** Used in place of an unknown family. */
const DEFAULT_FAMILY = 'Inter';

/** Characters of a family name that messages quote; the rest is cut. */
const MAX_QUOTED_LENGTH = 60;

/** The bundled families that stand for the generic ones of CSS. */
export const GENERIC_FAMILIES: ReadonlyMap<string, string> = new Map([
  ['serif', 'Source Serif 4'],
  ['ui-serif', 'Source Serif 4'],
  ['sans-serif', 'Inter'],
  ['ui-sans-serif', 'Inter'],
  ['system-ui', 'Inter'],
  ['ui-rounded', 'Nunito'],
  ['monospace', 'JetBrains Mono'],
  ['ui-monospace', 'JetBrains Mono'],
  ['cursive', 'Dancing Script'],
  ['fantasy', 'Lobster'],
  ['math', 'Noto Sans Math'],
  ['emoji', 'Twemoji'],
]);

/** Names of a list that are compared with the known families for a suggestion. */
const MAX_COMPARED_NAMES = 10;

export interface ResolvedFamilies {
  /** The known families that the list names, at least one, in its order and without repetitions. */
  readonly families: readonly string[];
  /** Warning that explains why the default family replaces the list. */
  readonly warning?: FieldIssue<'unknown_font'>;
}

/**
 * Finds the families of a CSS list, ignoring case: those of `others`, then the bundled ones. Unknown names are skipped; if
 * none is known, the default family is used, with a warning.
 */
export function resolveFamilies(list: string, others: readonly string[] = []): ResolvedFamilies {
  const known = new Map([...listFamilies().reverse(), ...[...others].reverse()].map((name) => [keyOf(name), name]));
  // the name of a user's font may look like a list
  const whole = known.get(keyOf(list));
  if (whole !== undefined) return { families: [whole] };
  const names = parseFamilyList(list);
  const families = new Set<string>();
  for (const { name, isQuoted } of names) {
    const generic = isQuoted ? undefined : GENERIC_FAMILIES.get(keyOf(name));
    const family = known.get(keyOf(generic ?? name));
    if (family !== undefined) families.add(family);
  }
  if (families.size > 0) return { families: [...families] };
  const suggestion = names
    .slice(0, MAX_COMPARED_NAMES)
    .map(({ name }) => closestMatch(name, new Set(known.values())))
    .find((match) => match !== undefined);
  const hint = didYouMean(suggestion && JSON.stringify(suggestion));
  const quoted = JSON.stringify(list.length > MAX_QUOTED_LENGTH ? `${list.slice(0, MAX_QUOTED_LENGTH)}…` : list);
  const message = `unknown font family ${quoted}: ${DEFAULT_FAMILY} is used instead${hint}`;
  const warning = { code: 'unknown_font', field: 'fontFamily', message, ...mismatchOf(list, suggestion) } as const;
  return { families: [DEFAULT_FAMILY], warning };
}

/** Reads a face as SFNT bytes (TrueType or CFF) and unpacks WOFF2. Not cached: the caller keeps the parsed font. */
export async function readFace(face: FontFace): Promise<Uint8Array> {
  return unpackFont(await host().readFontFile(face.file));
}

let packedCoverage: ReadonlyMap<string, string> | undefined;
const coverages = new Map<string, Uint32Array>();

/** Loads the characters that each face covers, unless they are loaded or can be read at once. */
export async function prepareCoverage(): Promise<void> {
  if (packedCoverage || host().readCoverage) return;
  setCoverage(new TextDecoder().decode(await host().readFontFile('coverage.txt')));
}

function setCoverage(text: string): ReadonlyMap<string, string> {
  packedCoverage = new Map(Object.entries<string>(JSON.parse(text)));
  return packedCoverage;
}

/** Whether `face` has a glyph for `codePoint`. Call `prepareCoverage` first. */
export function covers(face: FontFace, codePoint: number): boolean {
  let ranges = coverages.get(face.coverage);
  if (!ranges) {
    const text = packedCoverage ? undefined : host().readCoverage?.();
    const packed = packedCoverage ?? (text === undefined ? undefined : setCoverage(text));
    if (!packed) throw new Error('the coverage of the bundled fonts is used before it is loaded');
    ranges = unpackRanges(packed.get(face.coverage) ?? '');
    coverages.set(face.coverage, ranges);
  }
  return isInRanges(ranges, codePoint);
}

/**
 * Unpacks ranges of code points. Packed: per range, the gap since the previous range's end and its length minus one, in base
 * 36. Unpacked: per range, the first and last code point, ascending.
 */
export function unpackRanges(packed: string): Uint32Array {
  const numbers = packed === '' ? [] : packed.split(' ');
  const ranges = new Uint32Array(numbers.length);
  let last = 0;
  for (let i = 0; i < numbers.length; i++) {
    last += Number.parseInt(numbers[i], 36);
    ranges[i] = last;
  }
  return ranges;
}

/** Binary search for the first range that ends at or after the code point. */
function isInRanges(ranges: Uint32Array, codePoint: number): boolean {
  let low = 0;
  let high = ranges.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[2 * middle + 1] < codePoint) low = middle + 1;
    else high = middle;
  }
  return 2 * low < ranges.length && ranges[2 * low] <= codePoint;
}

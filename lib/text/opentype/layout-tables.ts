// Reads the parts that GSUB, GPOS and GDEF share: coverage, glyph classes, and the lookups of a script's features (OpenType
// 1.9, "OpenType Layout Common Table Formats").
import { BASE, LIGATURE, MARK } from './buffer.js';
import type { Data } from './data.js';
import { VariationStore } from './variations.js';

export const NOT_COVERED = -1;

/** The index of a glyph in a coverage table. */
export function coverage(data: Data, at: number, glyph: number): number {
  const isList = data.u16(at) === 1;
  const size = isList ? 2 : 6;
  let low = 0;
  let high = data.u16(at + 2);
  while (low < high) {
    const middle = (low + high) >> 1;
    const record = at + 4 + size * middle;
    if (data.u16(isList ? record : record + 2) < glyph) low = middle + 1;
    else high = middle;
  }
  if (low === data.u16(at + 2)) return NOT_COVERED;
  const record = at + 4 + size * low;
  const start = data.u16(record);
  if (isList) return start === glyph ? low : NOT_COVERED;
  return start <= glyph ? data.u16(record + 4) + glyph - start : NOT_COVERED;
}

/** The class of a glyph in a class definition table; 0 for glyphs that it does not name. */
export function classOf(data: Data, at: number, glyph: number): number {
  if (data.u16(at) === 1) {
    const index = glyph - data.u16(at + 2);
    return index >= 0 && index < data.u16(at + 4) ? data.u16(at + 6 + 2 * index) : 0;
  }
  if (data.u16(at) !== 2) return 0;
  let low = 0;
  let high = data.u16(at + 2);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (data.u16(at + 4 + 6 * middle + 2) < glyph) low = middle + 1;
    else high = middle;
  }
  const record = at + 4 + 6 * low;
  return low < data.u16(at + 2) && data.u16(record) <= glyph ? data.u16(record + 4) : 0;
}

/** The classes of glyphs that lookups skip. */
export interface GlyphDefinitions {
  readonly hasClasses: boolean;
  /** BASE, LIGATURE or MARK, and a mark's attachment class. */
  props(glyph: number): number;
  isInMarkSet(set: number, glyph: number): boolean;
  /** Returns the change of a value at the font's settings, by the device table at `at`. */
  deviceDelta(data: Data, at: number): number;
}

const GLYPH_CLASSES = [0, BASE, LIGATURE, MARK, 0];

/** The format of a device table that refers to the item variation store. */
const VARIATION_INDEX = 0x8000;

export function readDefinitions(gdef: Data | undefined, positions: readonly number[]): GlyphDefinitions {
  const classes = gdef?.u16(4) ?? 0;
  if (!gdef) return { hasClasses: false, props: () => 0, isInMarkSet: () => false, deviceDelta: () => 0 };
  const attachments = gdef.u16(10);
  const sets = gdef.u16(2) >= 2 ? gdef.u16(12) : 0;
  const storeAt = gdef.u16(2) >= 3 ? gdef.u32(14) : 0;
  const store = storeAt > 0 && positions.length > 0 ? new VariationStore(gdef, storeAt, positions) : undefined;
  return {
    hasClasses: classes > 0,
    props(glyph) {
      const kind = classes > 0 ? (GLYPH_CLASSES[classOf(gdef, classes, glyph)] ?? 0) : 0;
      return kind === MARK && attachments > 0 ? kind | (classOf(gdef, attachments, glyph) << 8) : kind;
    },
    isInMarkSet(set, glyph) {
      if (sets === 0 || set >= gdef.u16(sets + 2)) return false;
      return coverage(gdef, sets + gdef.u32(sets + 4 + 4 * set), glyph) !== NOT_COVERED;
    },
    deviceDelta(data, at) {
      if (!store || data.u16(at + 4) !== VARIATION_INDEX) return 0;
      return Math.round(store.delta(data.u16(at), data.u16(at + 2)));
    },
  };
}

export interface Lookup {
  readonly type: number;
  /** The lookup flag, and the mark filtering set in bits 16–31. */
  readonly flags: number;
  /** Addresses of the subtables, extensions resolved. */
  readonly subtables: readonly number[];
}

/** A feature as the font has it for a script: its lookups. */
export interface LayoutTable {
  readonly data: Data;
  /** The script that was found, of those asked for. */
  readonly script: string | undefined;
  readonly features: ReadonlyMap<string, readonly number[]>;
  /** The lookups of the feature that always applies. */
  readonly required: readonly number[];
  lookup(index: number): Lookup | undefined;
}

const NONE = 0xffff;

/** All feature tags of the table. */
export function featureTagsOf(data: Data): string[] {
  const list = data.u16(6);
  return Array.from({ length: list > 0 ? data.u16(list) : 0 }, (_, i) => data.tag(list + 2 + 6 * i));
}

/** The features that the font replaces at these positions of its axes, and the addresses of those that it takes instead. */
function replacedFeatures(data: Data, positions: readonly number[]): Map<number, number> {
  const list = data.u16(2) >= 1 ? data.u32(10) : 0;
  const replaced = new Map<number, number>();
  if (list === 0) return replaced;
  const isMet = (condition: number) => {
    const position = positions[data.u16(condition + 2)] ?? 0;
    return data.u16(condition) === 1 && data.i16(condition + 4) <= position && position <= data.i16(condition + 6);
  };
  for (let record = list + 8; record < list + 8 + 8 * Math.min(data.u32(list + 4), 4096); record += 8) {
    const conditions = list + data.u32(record);
    const count = data.u32(record) === 0 ? 0 : data.u16(conditions);
    const areMet = Array.from({ length: count }, (_, i) => conditions + data.u32(conditions + 2 + 4 * i)).every(isMet);
    if (!areMet) continue;
    const substitution = list + data.u32(record + 4);
    for (let i = 0; i < data.u16(substitution + 4); i++) {
      const entry = substitution + 6 + 6 * i;
      replaced.set(data.u16(entry), substitution + data.u32(entry + 2));
    }
    break;
  }
  return replaced;
}

/** Selects the first of `scripts` that the table has, and its default language. */
export function readLayout(
  data: Data,
  extensionType: number,
  scripts: readonly string[],
  positions: readonly number[],
): LayoutTable {
  const [scriptList, featureList, lookupList] = [data.u16(4), data.u16(6), data.u16(8)];
  const features = new Map<string, readonly number[]>();
  const replaced = replacedFeatures(data, positions);
  const lookupsOf = (index: number) => {
    const at = replaced.get(index) ?? featureList + data.u16(featureList + 2 + 6 * index + 4);
    return Array.from({ length: data.u16(at + 2) }, (_, i) => data.u16(at + 4 + 2 * i));
  };
  const find = (tag: string) => {
    for (let i = 0; i < data.u16(scriptList); i++) {
      const record = scriptList + 2 + 6 * i;
      if (data.tag(record) === tag) return scriptList + data.u16(record + 4);
    }
    return undefined;
  };
  const script = scripts.find((tag) => find(tag) !== undefined);
  const at = script === undefined ? undefined : find(script);
  let required: readonly number[] = [];
  if (at !== undefined && data.u16(at) > 0) {
    const language = at + data.u16(at);
    if (data.u16(language + 2) !== NONE) required = lookupsOf(data.u16(language + 2));
    for (let i = 0; i < data.u16(language + 4); i++) {
      const index = data.u16(language + 6 + 2 * i);
      const tag = data.tag(featureList + 2 + 6 * index);
      if (index < data.u16(featureList) && !features.has(tag)) features.set(tag, lookupsOf(index));
    }
  }
  const lookups = new Map<number, Lookup | undefined>();
  return {
    data,
    script,
    features,
    required,
    lookup(index) {
      if (!lookups.has(index)) {
        const isValid = index < data.u16(lookupList);
        lookups.set(
          index,
          isValid ? readLookup(data, lookupList + data.u16(lookupList + 2 + 2 * index), extensionType) : undefined,
        );
      }
      return lookups.get(index);
    },
  };
}

const USES_MARK_SET = 0x10;

function readLookup(data: Data, at: number, extensionType: number): Lookup {
  const count = data.u16(at + 4);
  let type = data.u16(at);
  let flags = data.u16(at + 2);
  if (flags & USES_MARK_SET) flags += data.u16(at + 6 + 2 * count) * 65_536;
  const subtables = Array.from({ length: count }, (_, i) => at + data.u16(at + 6 + 2 * i));
  if (type !== extensionType) return { type, flags, subtables };
  type = subtables.length > 0 ? data.u16(subtables[0] + 2) : 0;
  const extended = subtables.filter((subtable) => data.u16(subtable + 2) === type);
  return { type, flags, subtables: extended.map((subtable) => subtable + data.u32(subtable + 4)) };
}

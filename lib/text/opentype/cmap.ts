// The glyphs of characters (OpenType 1.9 "cmap").
import type { Data } from './data.js';

export interface CharacterMap {
  /** 0 if there is none. */
  glyph(codePoint: number): number;
}

/** Platform and encoding of the subtables of Unicode, the most complete first. */
const ENCODINGS = [
  [3, 10],
  [0, 6],
  [0, 4],
  [3, 1],
  [0, 3],
  [0, 2],
  [0, 1],
  [0, 0],
] as const;
const SYMBOL = [3, 0] as const;

export function readCharacterMap(cmap: Data | undefined): CharacterMap {
  if (!cmap) return { glyph: () => 0 };
  const count = cmap.u16(2);
  const find = ([platform, encoding]: readonly [number, number]) => {
    for (let record = 4; record < 4 + 8 * count; record += 8) {
      if (cmap.u16(record) === platform && cmap.u16(record + 2) === encoding) return cmap.u32(record + 4);
    }
    return undefined;
  };
  const unicode = ENCODINGS.map(find).find((at) => at !== undefined);
  const symbol = find(SYMBOL);
  const subtable = unicode ?? symbol;
  const look = (codePoint: number) => (subtable === undefined ? 0 : glyphOf(cmap, subtable, codePoint));
  // fonts of symbols have their characters in the private use area
  const glyph =
    unicode === undefined && symbol !== undefined
      ? (codePoint: number) => look(codePoint) || (codePoint <= 0xff ? look(0xf000 + codePoint) : 0)
      : look;
  return { glyph };
}

function glyphOf(cmap: Data, at: number, codePoint: number): number {
  switch (cmap.u16(at)) {
    case 0:
      return codePoint < 256 ? cmap.u8(at + 6 + codePoint) : 0;
    case 4:
      return codePoint < 0x10000 ? segmentGlyph(cmap, at, codePoint) : 0;
    case 6: {
      const index = codePoint - cmap.u16(at + 6);
      return index >= 0 && index < cmap.u16(at + 8) ? cmap.u16(at + 10 + 2 * index) : 0;
    }
    case 10: {
      const index = codePoint - cmap.u32(at + 12);
      return index >= 0 && index < cmap.u32(at + 16) ? cmap.u16(at + 20 + 2 * index) : 0;
    }
    case 12:
    case 13: {
      const group = findRange(cmap, at + 16, cmap.u32(at + 12), 12, codePoint, (record) => cmap.u32(record + 4));
      if (group === undefined) return 0;
      const start = cmap.u32(group + 8);
      return cmap.u16(at) === 12 ? (start + codePoint - cmap.u32(group)) & 0xffff : start & 0xffff;
    }
  }
  return 0;
}

/** Format 4: segments with a difference to the character or an offset into an array. */
function segmentGlyph(cmap: Data, at: number, codePoint: number): number {
  const segments = cmap.u16(at + 6) >> 1;
  const [ends, starts] = [at + 14, at + 16 + 2 * segments];
  let low = 0;
  let high = segments;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cmap.u16(ends + 2 * middle) < codePoint) low = middle + 1;
    else high = middle;
  }
  if (low === segments || cmap.u16(starts + 2 * low) > codePoint) return 0;
  const delta = cmap.u16(starts + 2 * segments + 2 * low);
  const place = starts + 4 * segments + 2 * low;
  const offset = cmap.u16(place);
  if (offset === 0) return (codePoint + delta) & 0xffff;
  const glyph = cmap.u16(place + offset + 2 * (codePoint - cmap.u16(starts + 2 * low)));
  return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
}

/** The record of sorted ranges that contains `value`: records begin with their start. */
function findRange(
  cmap: Data,
  first: number,
  count: number,
  size: number,
  value: number,
  endOf: (record: number) => number,
  startOf = (record: number) => cmap.u32(record),
): number | undefined {
  let low = 0;
  let high = Math.min(count, Math.floor((cmap.length - first) / size));
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endOf(first + middle * size) < value) low = middle + 1;
    else high = middle;
  }
  const record = first + low * size;
  return low < count && record + size <= cmap.length && startOf(record) <= value ? record : undefined;
}

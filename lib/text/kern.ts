// The old kern table (OpenType 1.9 "kern", and Apple's of version 1) → how much closer, or farther, two glyphs stand. Fonts from
// before GPOS have their kerning there alone; HarfBuzz is compiled without it here. Only lists of pairs are read: what else
// there is are tables of classes and state machines, which hardly any font has.
import type * as hb from 'harfbuzzjs';
import type { Glyph } from './glyph.js';

/** Kerning of a font, in font units, by the two glyphs as they stand from left to right (`pairKey`). */
export type Pairs = ReadonlyMap<number, number>;

const pairKey = (left: number, right: number) => left * 0x10000 + right;

/** Subtables read; those of real fonts are two or three. */
const MAX_SUBTABLES = 64;
const APPLE = 1;
// coverage of version 0, and of Apple's
const HORIZONTAL = 0x01;
const MINIMUM = 0x02;
const CROSS_STREAM = 0x04;
const NOT_ALONG_LINES = 0xe0;

/** The pairs of a face whose GPOS, where it has one, does not kern; undefined where nothing is left to be done. */
export function pairsOf(face: hb.Face): Pairs | undefined {
  const table = face.referenceTable('kern');
  if (!table || face.getTableFeatureTags('GPOS').includes('kern')) return undefined;
  const pairs = readPairs(table);
  return pairs.size > 0 ? pairs : undefined;
}

/**
 * Glyphs in visual order, kerned. Those without width, marks in most cases, neither kern nor keep their neighbours from it,
 * and stay where they are over what they mark: that stands before them, from right to left behind them.
 */
export function addKerning(glyphs: readonly Glyph[], pairs: Pairs, unitsPerEm: number): Glyph[] {
  const kerned = [...glyphs];
  let left = -1;
  kerned.forEach((glyph, i) => {
    if (glyph.advance + glyph.kerning === 0) return;
    const before = kerned[left];
    const change = before && pairs.get(pairKey(before.id, glyph.id));
    if (change) {
      // whichever comes later in the text must not begin a line as it is
      const isLater = glyph.cluster > before.cluster;
      const later = isLater ? i : left;
      kerned[later] = { ...kerned[later], unsafeToBreak: true };
      const moving = isLater ? i - 1 : left;
      kerned[moving] = { ...kerned[moving], kerning: kerned[moving].kerning + change / unitsPerEm };
    }
    left = i;
  });
  return kerned;
}

/** The pairs of all subtables along horizontal lines, added up. What lies outside the table, or in another form, is left out. */
export function readPairs(table: Uint8Array): Pairs {
  const pairs = new Map<number, number>();
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  if (table.length < 8) return pairs;
  const isApple = view.getUint16(0) === APPLE;
  const count = Math.min(MAX_SUBTABLES, isApple ? view.getUint32(4) : view.getUint16(2));
  const head = isApple ? 8 : 6;
  let at = isApple ? 8 : 4;
  for (let i = 0; i < count && at + head + 8 <= table.length; i++) {
    const length = isApple ? view.getUint32(at) : view.getUint16(at + 2);
    const [coverage, format] = [view.getUint8(at + (isApple ? 4 : 5)), view.getUint8(at + (isApple ? 5 : 4))];
    const isAlongLines = isApple
      ? (coverage & NOT_ALONG_LINES) === 0
      : (coverage & (HORIZONTAL | MINIMUM | CROSS_STREAM)) === HORIZONTAL;
    // the last one's length is not believed: 16 bits are too few for more than 10,920 pairs
    const end = i === count - 1 ? table.length : Math.min(table.length, at + length);
    if (isAlongLines && format === 0) addPairs(view, at + head, end, pairs);
    if (length < head) break;
    at += length;
  }
  return pairs;
}

/** A count and three numbers for a quicker search, then the pairs. */
function addPairs(view: DataView, at: number, end: number, pairs: Map<number, number>): void {
  const count = Math.min(view.getUint16(at), Math.floor((end - at - 8) / 6));
  for (let pair = at + 8; pair < at + 8 + 6 * count; pair += 6) {
    const key = pairKey(view.getUint16(pair), view.getUint16(pair + 2));
    pairs.set(key, (pairs.get(key) ?? 0) + view.getInt16(pair + 4));
  }
}

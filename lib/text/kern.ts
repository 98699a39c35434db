// Pair kerning from the legacy kern table (OpenType 1.9 "kern", and Apple's version 1). Fonts older than GPOS have their
// kerning only there, and our HarfBuzz build lacks support for it. Only format 0, pair lists, is read: hardly any font has
// the other formats, class tables and state machines.
import type { Glyph } from './glyph.js';
import type { EngineFont } from './text-engine.js';

/** Kerning in font units by `pairKey` of two glyphs in visual order. */
export type Pairs = ReadonlyMap<number, number>;

const pairKey = (left: number, right: number) => left * 0x10000 + right;

/** The maximum number of subtables read; real fonts have two or three. */
const MAX_SUBTABLES = 64;
const APPLE_VERSION = 1;
// coverage bits of version 0; the last one is of Apple's version
const HORIZONTAL = 0x01;
const MINIMUM = 0x02;
const CROSS_STREAM = 0x04;
const APPLE_NOT_HORIZONTAL = 0xe0;

/** The kerning pairs of a font; undefined when it has none or its GPOS table kerns. */
export function pairsOf(font: EngineFont): Pairs | undefined {
  const table = font.table('kern');
  if (!table || font.featureTags('GPOS').includes('kern')) return undefined;
  const pairs = readPairs(table);
  return pairs.size > 0 ? pairs : undefined;
}

/**
 * Kerns glyphs in visual order. Zero-width glyphs, mostly marks, are skipped and keep their position over their base glyph,
 * which precedes them in left-to-right text and follows them in right-to-left text.
 */
export function addKerning(glyphs: readonly Glyph[], pairs: Pairs, unitsPerEm: number): Glyph[] {
  const kerned = [...glyphs];
  let left = -1;
  kerned.forEach((glyph, i) => {
    if (glyph.advance + glyph.kerning === 0) return;
    const previous = kerned[left];
    const value = previous && pairs.get(pairKey(previous.id, glyph.id));
    if (value) {
      // a line that starts with the glyph that is later in the text must be shaped again
      const isLater = glyph.cluster > previous.cluster;
      const later = isLater ? i : left;
      kerned[later] = { ...kerned[later], unsafeToBreak: true };
      const adjusted = isLater ? i - 1 : left;
      kerned[adjusted] = { ...kerned[adjusted], kerning: kerned[adjusted].kerning + value / unitsPerEm };
    }
    left = i;
  });
  return kerned;
}

/** The pairs of all horizontal subtables, summed. Ignores data outside the table and subtables of other formats. */
export function readPairs(table: Uint8Array): Pairs {
  const pairs = new Map<number, number>();
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  if (table.length < 8) return pairs;
  const isApple = view.getUint16(0) === APPLE_VERSION;
  const count = Math.min(MAX_SUBTABLES, isApple ? view.getUint32(4) : view.getUint16(2));
  const head = isApple ? 8 : 6;
  let at = isApple ? 8 : 4;
  for (let i = 0; i < count && at + head + 8 <= table.length; i++) {
    const length = isApple ? view.getUint32(at) : view.getUint16(at + 2);
    const [coverage, format] = [view.getUint8(at + (isApple ? 4 : 5)), view.getUint8(at + (isApple ? 5 : 4))];
    const isHorizontal = isApple
      ? (coverage & APPLE_NOT_HORIZONTAL) === 0
      : (coverage & (HORIZONTAL | MINIMUM | CROSS_STREAM)) === HORIZONTAL;
    // the last subtable's length field is ignored: its 16 bits overflow beyond 10,920 pairs
    const end = i === count - 1 ? table.length : Math.min(table.length, at + length);
    if (isHorizontal && format === 0) addPairs(view, at + head, end, pairs);
    if (length < head) break;
    at += length;
  }
  return pairs;
}

/** Reads a format 0 subtable: a count, three binary search parameters, then the pairs. */
function addPairs(view: DataView, at: number, end: number, pairs: Map<number, number>): void {
  const count = Math.min(view.getUint16(at), Math.floor((end - at - 8) / 6));
  for (let pair = at + 8; pair < at + 8 + 6 * count; pair += 6) {
    const key = pairKey(view.getUint16(pair), view.getUint16(pair + 2));
    pairs.set(key, (pairs.get(key) ?? 0) + view.getInt16(pair + 4));
  }
}

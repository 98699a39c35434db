// The tables of a font's sizes (head, maxp, hhea, hmtx, OS/2, post): bounds, and numbers that the other checks rely on.
import { malformedFont, viewOf } from './errors.js';

export interface FontSizes {
  readonly glyphs: number;
  /** Whether loca has four bytes an entry instead of two. */
  readonly wideOffsets: boolean;
}

/** OpenType's own bounds of unitsPerEm. */
const MIN_EM = 16;
const MAX_EM = 16384;
const MAGIC = 0x5f0f3cf5;

/** head: the em in its range, an offset format that exists. */
export function checkHead(data: Uint8Array): Pick<FontSizes, 'wideOffsets'> {
  const view = viewOf(data);
  if (view.getUint32(12) !== MAGIC) throw malformedFont('its head table has no magic number');
  const unitsPerEm = view.getUint16(18);
  if (unitsPerEm < MIN_EM || unitsPerEm > MAX_EM) {
    throw malformedFont(`its em has ${unitsPerEm} units, expected ${MIN_EM} to ${MAX_EM}`);
  }
  const format = view.getInt16(50);
  if (format !== 0 && format !== 1) throw malformedFont(`its head table gives offsets the format ${format}`);
  view.getInt16(52);
  return { wideOffsets: format === 1 };
}

/** maxp: how many glyphs, at least one. */
export function checkMaxp(data: Uint8Array): Pick<FontSizes, 'glyphs'> {
  const glyphs = viewOf(data).getUint16(4);
  if (glyphs === 0) throw malformedFont('it has no glyphs');
  return { glyphs };
}

/** hhea and hmtx: an advance for the first glyph, and a record for every one. */
export function checkAdvances(hhea: Uint8Array, hmtx: Uint8Array, glyphs: number): void {
  const advances = viewOf(hhea).getUint16(34);
  if (advances === 0 || advances > glyphs) throw malformedFont(`it has ${advances} advances for ${glyphs} glyphs`);
  const expected = 4 * advances + 2 * (glyphs - advances);
  if (hmtx.length < expected) throw malformedFont(`its hmtx table has ${hmtx.length} bytes, ${expected} are needed`);
}

/** OS/2: version 0 as Apple wrote it is the shortest. */
export function checkOs2(data: Uint8Array): void {
  if (data.length < 68) throw malformedFont('its OS/2 table is cut short');
}

/** post without its glyph names, which text has no use for: the 32 bytes of version 3. */
export function stripGlyphNames(data: Uint8Array): Uint8Array {
  if (data.length < 32) throw malformedFont('its post table is cut short');
  const plain = data.slice(0, 32);
  viewOf(plain).setUint32(0, 0x00030000);
  return plain;
}

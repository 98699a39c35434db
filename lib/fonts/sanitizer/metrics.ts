// Checks the header and metrics tables (head, maxp, hhea, hmtx, OS/2, post) and reads the sizes that other checks need.
import { malformedFont, viewOf } from './errors.js';

export interface FontSizes {
  readonly glyphs: number;
  /** Whether loca entries have four bytes instead of two. */
  readonly hasLongOffsets: boolean;
}

/** OpenType's bounds of unitsPerEm. */
const MIN_UNITS_PER_EM = 16;
const MAX_UNITS_PER_EM = 16384;
const HEAD_MAGIC = 0x5f0f3cf5;

/** head: unitsPerEm is in range and the offset format is known. */
export function checkHead(data: Uint8Array): Pick<FontSizes, 'hasLongOffsets'> {
  const view = viewOf(data);
  if (view.getUint32(12) !== HEAD_MAGIC) throw malformedFont('its head table has no magic number');
  const unitsPerEm = view.getUint16(18);
  if (unitsPerEm < MIN_UNITS_PER_EM || unitsPerEm > MAX_UNITS_PER_EM) {
    throw malformedFont(`its em has ${unitsPerEm} units, expected ${MIN_UNITS_PER_EM} to ${MAX_UNITS_PER_EM}`);
  }
  const format = view.getInt16(50);
  if (format !== 0 && format !== 1) throw malformedFont(`its head table has the unknown offset format ${format}`);
  view.getInt16(52);
  return { hasLongOffsets: format === 1 };
}

/** maxp: the number of glyphs, at least one. */
export function checkMaxp(data: Uint8Array): Pick<FontSizes, 'glyphs'> {
  const glyphs = viewOf(data).getUint16(4);
  if (glyphs === 0) throw malformedFont('it has no glyphs');
  return { glyphs };
}

/** hhea and hmtx: the first glyph has an advance, and every glyph has a record. */
export function checkAdvances(hhea: Uint8Array, hmtx: Uint8Array, glyphs: number): void {
  const advances = viewOf(hhea).getUint16(34);
  if (advances === 0 || advances > glyphs) throw malformedFont(`it has ${advances} advances for ${glyphs} glyphs`);
  const expected = 4 * advances + 2 * (glyphs - advances);
  if (hmtx.length < expected) throw malformedFont(`its hmtx table has ${hmtx.length} bytes, ${expected} are needed`);
}

/** OS/2: Apple's version 0 is the shortest. */
export function checkOs2(data: Uint8Array): void {
  if (data.length < 68) throw malformedFont('its OS/2 table is truncated');
}

/** Reduces post to version 3 (32 bytes), without the glyph names, which rendering does not need. */
export function stripGlyphNames(data: Uint8Array): Uint8Array {
  if (data.length < 32) throw malformedFont('its post table is truncated');
  const stripped = data.slice(0, 32);
  viewOf(stripped).setUint32(0, 0x00030000);
  return stripped;
}

// Checks COLR and CPAL: the lists of colour glyphs, the flat layers of COLR version 0, and the palettes. The reader
// (text/opentype/colr.ts) checks the paints of version 1 itself: it bounds their number and depth, and omits malformed ones.
import { assertInside, malformedFont, viewOf } from './errors.js';
import { checkIndexMap, checkStore } from './variations.js';

/** Layers of one glyph; each is an outline to paint. The bundled emoji have at most 44. */
const MAX_LAYERS = 512;

/** Returns whether the table has colour glyphs. */
export function checkColr(data: Uint8Array, glyphs: number): boolean {
  const view = viewOf(data);
  const hasLayers = checkFlatLayers(view, glyphs);
  if (view.getUint16(0) === 0) return hasLayers;
  const map = view.getUint32(26);
  if (map !== 0) checkIndexMap(view, map);
  checkStore(data, view.getUint32(30));
  const bases = view.getUint32(14);
  const count = bases === 0 ? 0 : view.getUint32(bases);
  assertInside(view, bases + 4, 6 * count);
  return count > 0 || hasLayers;
}

function checkFlatLayers(view: DataView, glyphs: number): boolean {
  const count = view.getUint16(2);
  const bases = view.getUint32(4);
  const layers = view.getUint32(8);
  const layerCount = view.getUint16(12);
  if (count === 0) return false;
  assertInside(view, bases, 6 * count);
  assertInside(view, layers, 4 * layerCount);
  let previousGlyph = -1;
  for (let record = bases; record < bases + 6 * count; record += 6) {
    const glyph = view.getUint16(record);
    const first = view.getUint16(record + 2);
    const length = view.getUint16(record + 4);
    if (glyph <= previousGlyph || glyph >= glyphs) throw malformedFont('its COLR table has glyphs out of order');
    if (first + length > layerCount) throw malformedFont(`the layers of glyph ${glyph} are outside its COLR table`);
    if (length > MAX_LAYERS)
      throw malformedFont(`glyph ${glyph} has ${length} layers, ${MAX_LAYERS} at most are drawn`);
    previousGlyph = glyph;
  }
  return true;
}

/** CPAL: every palette's entries are inside the list of colours. */
export function checkPalettes(data: Uint8Array): void {
  const view = viewOf(data);
  const entries = view.getUint16(2);
  const palettes = view.getUint16(4);
  const colors = view.getUint16(6);
  assertInside(view, view.getUint32(8), 4 * colors);
  assertInside(view, 12, 2 * palettes);
  for (let i = 0; i < palettes; i++) {
    if (view.getUint16(12 + 2 * i) + entries > colors) throw malformedFont('a palette is outside its CPAL table');
  }
}

// Checks COLR and CPAL: the flat layers of colour glyphs (COLR version 0) and their palettes. Paint graphs of version 1
// (gradients, transforms, nested glyphs) are not drawn, so they are made unreachable instead of being checked.
import { assertInside, malformedFont, viewOf } from './errors.js';

/** Layers of one glyph; each is an outline to paint. The bundled emoji have at most 44. */
export const MAX_LAYERS = 512;

/** Returns the table with its version set to 0, or undefined if it has no flat layers. */
export function stripColrV1(data: Uint8Array, glyphs: number): Uint8Array | undefined {
  const view = viewOf(data);
  const count = view.getUint16(2);
  const bases = view.getUint32(4);
  const layers = view.getUint32(8);
  const layerCount = view.getUint16(12);
  if (count === 0) return undefined;
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
  const version0 = data.slice();
  viewOf(version0).setUint16(0, 0);
  return version0;
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

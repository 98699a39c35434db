// COLR and CPAL: the flat layers of colour glyphs (version 0) and their palettes. The graphs of version 1 (gradients,
// transforms, glyphs within glyphs) are not drawn, so they are put out of reach rather than walked.
import { malformedFont, viewOf, within } from './errors.js';

/** Layers of one glyph: every one is an outline to be painted. The most in the bundled emoji is 44. */
export const MAX_LAYERS = 512;

/** The table with its version set to 0; undefined when it has no flat layers. */
export function stripColrV1(data: Uint8Array, glyphs: number): Uint8Array | undefined {
  const view = viewOf(data);
  const count = view.getUint16(2);
  const bases = view.getUint32(4);
  const layers = view.getUint32(8);
  const layerCount = view.getUint16(12);
  if (count === 0) return undefined;
  within(view, bases, 6 * count);
  within(view, layers, 4 * layerCount);
  let last = -1;
  for (let record = bases; record < bases + 6 * count; record += 6) {
    const glyph = view.getUint16(record);
    const first = view.getUint16(record + 2);
    const length = view.getUint16(record + 4);
    if (glyph <= last || glyph >= glyphs) throw malformedFont('its COLR table has glyphs out of order');
    if (first + length > layerCount) throw malformedFont(`the layers of glyph ${glyph} lie outside its COLR table`);
    if (length > MAX_LAYERS)
      throw malformedFont(`glyph ${glyph} has ${length} layers, ${MAX_LAYERS} at most are drawn`);
    last = glyph;
  }
  const flat = data.slice();
  viewOf(flat).setUint16(0, 0);
  return flat;
}

/** CPAL: every palette within the table's colours. */
export function checkPalettes(data: Uint8Array): void {
  const view = viewOf(data);
  const entries = view.getUint16(2);
  const palettes = view.getUint16(4);
  const colors = view.getUint16(6);
  within(view, view.getUint32(8), 4 * colors);
  within(view, 12, 2 * palettes);
  for (let i = 0; i < palettes; i++) {
    if (view.getUint16(12 + 2 * i) + entries > colors) throw malformedFont('a palette lies outside its CPAL table');
  }
}

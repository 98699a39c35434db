// Reconstructs the hmtx table from its transformed form, which leaves out side bearings that equal the glyphs' left edges (W3C
// WOFF2, section 5.4).
import { viewOf } from '../sfnt.js';
import { ByteReader } from './reader.js';

const NO_PROPORTIONAL_BEARINGS = 1;
const NO_MONOSPACED_BEARINGS = 2;

/** The number of advances stands in hhea at this offset. */
const NUMBER_OF_H_METRICS = 34;

export function reconstructMetrics(data: Uint8Array, hhea: Uint8Array, xMins: Int16Array): Uint8Array {
  const advances = viewOf(hhea).getUint16(NUMBER_OF_H_METRICS);
  const glyphs = xMins.length;
  if (advances === 0 || advances > glyphs) throw new Error('its hmtx table has more advances than glyphs, or none');
  const reader = new ByteReader(data);
  const flags = reader.u8();
  if (flags === 0 || flags > (NO_PROPORTIONAL_BEARINGS | NO_MONOSPACED_BEARINGS)) {
    throw new Error('its hmtx table has an unknown transform');
  }
  const widths = new ByteReader(reader.slice(2 * advances));
  const hmtx = new Uint8Array(2 * advances + 2 * glyphs);
  const view = viewOf(hmtx);
  for (let glyph = 0; glyph < glyphs; glyph++) {
    const isProportional = glyph < advances;
    if (isProportional) view.setUint16(4 * glyph, widths.u16());
    const isLeftOut = flags & (isProportional ? NO_PROPORTIONAL_BEARINGS : NO_MONOSPACED_BEARINGS);
    const bearing = isLeftOut ? xMins[glyph] : reader.u16();
    view.setUint16(isProportional ? 4 * glyph + 2 : 2 * advances + 2 * glyph, bearing);
  }
  return hmtx;
}

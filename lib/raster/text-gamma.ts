// Text contrast: maps glyph coverage to the alpha that browsers paint. Skia's contrast and gamma for glyph masks, as set
// by Chromium on Linux (contrast 0.2, gamma 1.2 stored in 64ths). Light text gains weight, black text is unchanged.
import { pow } from '../geometry/math.js';
import { BLACK } from './color.js';
import { type Fill, isGradient } from './fill.js';

const CONTRAST = 0.2;
const GAMMA = Math.floor(1.2 * 64) / 64;
/** The text's luminance is quantized to this many levels. */
const LEVELS = 8;

const tables: (Uint8Array | undefined)[] = new Array(LEVELS);

/** The table (256 entries) for text in a colour, whose alpha is ignored. Browsers paint a gradient through black text. */
export function contrastTable(fill: Fill): Uint8Array {
  const { r, g, b } = isGradient(fill) ? BLACK : fill;
  const luminance = (54 * r + 183 * g + 19 * b) >> 8;
  const level = luminance >> 5;
  const table = tables[level] ?? makeTable(((level << 5) | (level << 2) | (level >> 1)) / 255);
  tables[level] = table;
  return table;
}

/** Blends the text's luminance with its opposite in linear light and finds the alpha that gives the same in gamma space. */
function makeTable(luminance: number): Uint8Array {
  const opposite = 1 - luminance;
  const text = pow(luminance, GAMMA);
  const backdrop = pow(opposite, GAMMA);
  const table = new Uint8Array(256);
  for (let i = 0; i < 256; i++) {
    const coverage = i / 255;
    const raised = coverage + (1 - coverage) * CONTRAST * backdrop * coverage;
    const blended = pow(text * raised + (1 - raised) * backdrop, 1 / GAMMA);
    table[i] = Math.floor(255 * ((blended - opposite) / (luminance - opposite)) + 0.5);
  }
  return table;
}

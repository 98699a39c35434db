// Text contrast: maps glyph coverage to the alpha that browsers paint. Skia's contrast and gamma for glyph masks, as set
// by Chromium on Linux (contrast 0.2, gamma 1.2 stored in 64ths: 76/64). Light text gains weight, black text is unchanged.
import { BLACK } from './color.js';
import { type Fill, isGradient } from './fill.js';

const CONTRAST = 0.2;
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

/** Raises to the gamma, 19/16, by what every engine rounds alike and computes at once. */
const raise = (x: number): number => x * Math.sqrt(Math.sqrt(Math.sqrt(Math.sqrt(x * x * x))));

/**
 * Blends the text's luminance with its opposite in linear light and finds the alpha that gives the same in gamma space: from one
 * coverage to the next it grows until the blend by half a step more is beyond.
 */
function makeTable(luminance: number): Uint8Array {
  const opposite = 1 - luminance;
  const text = raise(luminance);
  const backdrop = raise(opposite);
  const table = new Uint8Array(256);
  const direction = luminance - opposite;
  let alpha = 0;
  for (let i = 0; i < 256; i++) {
    const coverage = i / 255;
    const raised = coverage + (1 - coverage) * CONTRAST * backdrop * coverage;
    const blended = text * raised + (1 - raised) * backdrop;
    const reaches = () => (blended - raise(opposite + ((alpha + 0.5) / 255) * direction)) * direction >= 0;
    while (alpha < 255 && reaches()) alpha++;
    table[i] = alpha;
  }
  return table;
}

// The coverage of text → the alpha that browsers paint it with: Skia's contrast and gamma for glyph masks, as Chromium sets
// them on Linux (contrast 0.2, gamma 1.2 kept in 64ths). Light text gains weight, black text stays as it is.
import type { Color } from './color.js';

const CONTRAST = 0.2;
const GAMMA = Math.floor(1.2 * 64) / 64;
/** The text's luminance is told apart in this many steps. */
const LEVELS = 8;

const tables: (Uint8Array | undefined)[] = new Array(LEVELS);

/** The table (256 entries) for text of `color`, whose alpha plays no part. */
export function contrastTable({ r, g, b }: Color): Uint8Array {
  const luminance = (54 * r + 183 * g + 19 * b) >> 8;
  const level = luminance >> 5;
  const table = tables[level] ?? makeTable(((level << 5) | (level << 2) | (level >> 1)) / 255);
  tables[level] = table;
  return table;
}

/** Blends the text's luminance with its opposite in linear light, and finds the alpha that does so in gamma space. */
function makeTable(luminance: number): Uint8Array {
  const opposite = 1 - luminance;
  const text = luminance ** GAMMA;
  const ground = opposite ** GAMMA;
  const table = new Uint8Array(256);
  for (let i = 0; i < 256; i++) {
    const covered = i / 255;
    const raised = covered + (1 - covered) * CONTRAST * ground * covered;
    const blended = (text * raised + (1 - raised) * ground) ** (1 / GAMMA);
    table[i] = Math.floor(255 * ((blended - opposite) / (luminance - opposite)) + 0.5);
  }
  return table;
}

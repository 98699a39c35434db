// Picture → the picture at another size, or a part of that: separable, premultiplied, with no ringing and no aliasing.
// Enlarging is bilinear. Shrinking first halves the picture (each pixel the mean of 2 × 2) until it is less than twice
// too large, then reads it bilinearly: what a browser does with its mipmaps, and near an area average. Means are cut
// off, not rounded, where Chromium cuts them off.
import type { Rect } from '../geometry/rect.js';
import { Pixmap } from './pixmap.js';
import { ScaledRows } from './scaled-rows.js';

/** The pixels `part` (whole, inside 0…width, 0…height) of `source` scaled to width × height. */
export function resample(source: Pixmap, width: number, height: number, part: Rect): Pixmap {
  const rows = new ScaledRows(halveTowards(source, width, height), width, height, part);
  const out = new Pixmap(part.right - part.left, part.bottom - part.top);
  for (let y = 0; y < out.height; y++) {
    const from = rows.locate(y);
    out.words.set(rows.pixels.words.subarray(from, from + out.width), y * out.width);
  }
  return out;
}

/** A side that the other one keeps from being halved is halved alone from here on: times too long. */
const TOO_LONG = 4;

/**
 * The picture halved as often as both sides stay at least `width` and `height` pixels long, as browsers halve; and then a
 * side that is still far too long by itself, which they let alias.
 */
export function halveTowards(source: Pixmap, width: number, height: number): Pixmap {
  const across = source.width > 1 && (source.width + 1) >> 1 >= width;
  const down = source.height > 1 && (source.height + 1) >> 1 >= height;
  if (across && down) return halveTowards(halve(source, 2, 2), width, height);
  if (across && source.width >= TOO_LONG * width) return halveTowards(halve(source, 2, 1), width, height);
  if (down && source.height >= TOO_LONG * height) return halveTowards(halve(source, 1, 2), width, height);
  return source;
}

/** Every other channel of a pixel, with 8 bits above each for a sum. */
const PAIR = 0x00ff00ff;

/**
 * The picture with its sides divided by `across` and `down` (1 or 2 each), rounded up; every pixel the mean, cut off, of
 * those that it takes the place of (edges repeated).
 */
function halve(source: Pixmap, across: number, down: number): Pixmap {
  const width = Math.ceil(source.width / across);
  const height = Math.ceil(source.height / down);
  const out = new Pixmap(width, height);
  const from = source.words;
  const to = out.words;
  const right = across - 1;
  for (let y = 0, o = 0; y < height; y++) {
    const upper = down * y * source.width;
    const lower = Math.min(down * y + down - 1, source.height - 1) * source.width;
    for (let x = 0; x < width; x++, o++) {
      const left = across * x;
      const next = Math.min(left + right, source.width - 1);
      const a = from[upper + left];
      const b = from[upper + next];
      const c = from[lower + left];
      const d = from[lower + next];
      // two channels a word, as sums of 10 bits at most. Measured: half the time of one channel after the other
      const pair = (a & PAIR) + (b & PAIR) + (c & PAIR) + (d & PAIR);
      const other = ((a >>> 8) & PAIR) + ((b >>> 8) & PAIR) + ((c >>> 8) & PAIR) + ((d >>> 8) & PAIR);
      to[o] = ((pair >>> 2) & PAIR) | (((other >>> 2) & PAIR) << 8);
    }
  }
  return out;
}

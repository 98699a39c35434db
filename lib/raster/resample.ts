// Resizes an image, or a part of the result: premultiplied, without ringing and aliasing.
// Enlarging is bilinear. Shrinking first halves the image (each pixel the mean of 2 × 2) until it is less than twice the
// target's size, then samples it bilinearly: as browsers do with mipmaps, and close to an area average. Means are
// truncated, not rounded, where Chromium truncates them.
import type { Rect } from '../geometry/rect.js';
import { Pixmap } from './pixmap.js';
import { ScaledRows } from './scaled-rows.js';

/** Scales `source` to width × height and returns the pixels `part` of the result (integers inside 0…width, 0…height). */
export function resample(source: Pixmap, width: number, height: number, part: Rect): Pixmap {
  const rows = new ScaledRows(halveTowards(source, width, height), width, height, part);
  const out = new Pixmap(part.right - part.left, part.bottom - part.top);
  for (let y = 0; y < out.height; y++) {
    const from = rows.locate(y);
    out.words.set(rows.pixels.words.subarray(from, from + out.width), y * out.width);
  }
  return out;
}

/** The pixels `part` of the image (integers inside it); the image itself when that is all of them. */
export function cutOut(source: Pixmap, { left, top, right, bottom }: Rect): Pixmap {
  const out = new Pixmap(right - left, bottom - top);
  if (out.width === source.width && out.height === source.height) return source;
  for (let y = 0; y < out.height; y++) {
    const from = (top + y) * source.width + left;
    out.words.set(source.words.subarray(from, from + out.width), y * out.width);
  }
  return out;
}

/** The image with its columns in reverse order, its rows, or both. */
export function mirror(source: Pixmap, columns: boolean, rows: boolean): Pixmap {
  const { width, height } = source;
  const out = new Pixmap(width, height);
  for (let y = 0; y < height; y++) {
    const row = out.words.subarray(y * width, (y + 1) * width);
    const from = (rows ? height - 1 - y : y) * width;
    row.set(source.words.subarray(from, from + width));
    if (columns) row.reverse();
  }
  return out;
}

/** A side at least this many times its target length is halved even when the other side can't be. */
const SINGLE_SIDE_RATIO = 4;

/**
 * Halves the image while both sides stay at least `width` and `height` pixels long, as browsers do. Then halves a single
 * side that is still far too long; browsers let that alias.
 */
export function halveTowards(source: Pixmap, width: number, height: number): Pixmap {
  const canHalveWidth = source.width > 1 && (source.width + 1) >> 1 >= width;
  const canHalveHeight = source.height > 1 && (source.height + 1) >> 1 >= height;
  if (canHalveWidth && canHalveHeight) return halveTowards(halve(source, 2, 2), width, height);
  if (canHalveWidth && source.width >= SINGLE_SIDE_RATIO * width) {
    return halveTowards(halve(source, 2, 1), width, height);
  }
  if (canHalveHeight && source.height >= SINGLE_SIDE_RATIO * height) {
    return halveTowards(halve(source, 1, 2), width, height);
  }
  return source;
}

/** Selects every other channel of a pixel; each has 8 free bits above it for a sum. */
const PAIR = 0x00ff00ff;

/**
 * Divides the image's sides by `divisorX` and `divisorY` (1 or 2 each), rounding up. Every pixel is the truncated mean of
 * the pixels that it replaces; edge pixels repeat.
 */
function halve(source: Pixmap, divisorX: number, divisorY: number): Pixmap {
  const width = Math.ceil(source.width / divisorX);
  const height = Math.ceil(source.height / divisorY);
  const out = new Pixmap(width, height);
  const from = source.words;
  const to = out.words;
  const right = divisorX - 1;
  for (let y = 0, o = 0; y < height; y++) {
    const upper = divisorY * y * source.width;
    const lower = Math.min(divisorY * y + divisorY - 1, source.height - 1) * source.width;
    for (let x = 0; x < width; x++, o++) {
      const left = divisorX * x;
      const next = Math.min(left + right, source.width - 1);
      const a = from[upper + left];
      const b = from[upper + next];
      const c = from[lower + left];
      const d = from[lower + next];
      // two channels per word, as sums of at most 10 bits: half the time of one channel after the other, measured
      const even = (a & PAIR) + (b & PAIR) + (c & PAIR) + (d & PAIR);
      const odd = ((a >>> 8) & PAIR) + ((b >>> 8) & PAIR) + ((c >>> 8) & PAIR) + ((d >>> 8) & PAIR);
      to[o] = ((even >>> 2) & PAIR) | (((odd >>> 2) & PAIR) << 8);
    }
  }
  return out;
}

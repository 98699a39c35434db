// Random colours, images and spans for the painting tests.
import fc from 'fast-check';
import type { Color } from '../../lib/raster/color.js';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { PER_PIXEL, Spans } from '../../lib/raster/spans.js';

const byte = fc.integer({ min: 0, max: 255 });

/** Alpha values, often 0 or 1. */
const alpha = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }));

export const anyColor: fc.Arbitrary<Color> = fc.record({ r: byte, g: byte, b: byte, a: alpha });
export const opacity = alpha;

/** Random pixels, premultiplied. */
export function anyPixmap(width: number, height: number): fc.Arbitrary<Pixmap> {
  const pixel = fc.tuple(byte, byte, byte, fc.oneof(fc.constantFrom(0, 255), byte));
  return fc.array(pixel, { minLength: width * height, maxLength: width * height }).map((pixels) => {
    const out = new Pixmap(width, height);
    pixels.forEach(([r, g, b, a], i) => {
      out.data.set([Math.min(r, a), Math.min(g, a), Math.min(b, a), a], 4 * i);
    });
    return out;
  });
}

export function copy(source: Pixmap): Pixmap {
  return new Pixmap(source.width, source.height, source.data.slice());
}

/** One row of coverage as spans: runs of constant coverage or with coverage per pixel. */
export function spansOf(coverage: readonly number[], constant: boolean): Spans {
  const spans = new Spans(coverage.length);
  coverage.forEach((value, x) => {
    spans.alpha[x] = value;
    if (constant && value > 0) spans.push(x, x + 1, value);
    else if (!constant) spans.push(x, x + 1, PER_PIXEL);
  });
  return spans;
}

/** The first pixel in which a channel exceeds alpha, or -1. */
export function firstBroken({ data }: Pixmap): number {
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] > data[i + 3] || data[i + 1] > data[i + 3] || data[i + 2] > data[i + 3]) return i / 4;
  }
  return -1;
}

/** The largest difference between two images in any channel. */
export function largestDifference(p: Pixmap, q: Pixmap): number {
  if (p.width !== q.width || p.height !== q.height) return Infinity;
  let most = 0;
  for (let i = 0; i < p.data.length; i++) most = Math.max(most, Math.abs(p.data[i] - q.data[i]));
  return most;
}

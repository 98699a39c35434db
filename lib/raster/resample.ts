// Picture → the picture at another size, or a part of that: separable, premultiplied, with no ringing and no aliasing.
// Enlarging is bilinear. Shrinking first halves the picture (each pixel the mean of 2 × 2) until it is less than twice
// too large, then reads it bilinearly: what a browser does with its mipmaps, and near an area average. Shares and
// results are cut off, not rounded, where Chromium cuts them off.
import type { Rect } from '../geometry/rect.js';
import { Pixmap } from './pixmap.js';

/** The pixels `part` (whole, inside 0…width, 0…height) of `source` scaled to width × height. */
export function resample(source: Pixmap, width: number, height: number, part: Rect): Pixmap {
  const shrunk = halveTowards(source, width, height);
  const across = taps(shrunk.width / width, part.left, part.right, shrunk.width);
  const down = taps(shrunk.height / height, part.top, part.bottom, shrunk.height);
  return interpolate(shrunk, across, down);
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

/**
 * The picture with its sides divided by `across` and `down` (1 or 2 each), rounded up; every pixel the mean, cut off, of
 * those that it takes the place of (edges repeated).
 */
function halve(source: Pixmap, across: number, down: number): Pixmap {
  const width = Math.ceil(source.width / across);
  const height = Math.ceil(source.height / down);
  const out = new Pixmap(width, height);
  const from = source.data;
  const to = out.data;
  for (let y = 0, o = 0; y < height; y++) {
    const upper = down * y * source.width;
    const lower = Math.min(down * y + down - 1, source.height - 1) * source.width;
    for (let x = 0; x < width; x++, o += 4) {
      const left = across * x;
      const right = Math.min(left + across - 1, source.width - 1);
      const a = (upper + left) * 4;
      const b = (upper + right) * 4;
      const c = (lower + left) * 4;
      const d = (lower + right) * 4;
      to[o] = (from[a] + from[b] + from[c] + from[d]) >> 2;
      to[o + 1] = (from[a + 1] + from[b + 1] + from[c + 1] + from[d + 1]) >> 2;
      to[o + 2] = (from[a + 2] + from[b + 2] + from[c + 2] + from[d + 2]) >> 2;
      to[o + 3] = (from[a + 3] + from[b + 3] + from[c + 3] + from[d + 3]) >> 2;
    }
  }
  return out;
}

/**
 * Shares are cut to 16ths, as Chromium has them; where more than this many pixels are made of one, 16 steps would show as
 * bands, and they are 256ths.
 */
const COARSE_UP_TO = 16;

/** So that a place which should be whole is not taken for the end of the pixel before. */
const EPSILON = 1e-6;

/** For each target position the two neighbouring source positions and the second one's share, in 256ths. */
interface Taps {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly share: Int32Array;
}

/** `scale`: source pixels a target pixel; `size`: source pixels in all. */
function taps(scale: number, from: number, to: number, size: number): Taps {
  const count = to - from;
  const first = new Int32Array(count);
  const second = new Int32Array(count);
  const share = new Int32Array(count);
  const steps = scale * COARSE_UP_TO < 1 ? 256 : 16;
  for (let i = 0; i < count; i++) {
    const at = (from + i + 0.5) * scale - 0.5 + EPSILON;
    const cell = Math.floor(at);
    first[i] = Math.min(size - 1, Math.max(0, cell));
    second[i] = Math.min(size - 1, Math.max(0, cell + 1));
    share[i] = Math.floor((at - cell) * steps) * (256 / steps);
  }
  return { first, second, share };
}

function interpolate({ data, width }: Pixmap, across: Taps, down: Taps): Pixmap {
  const out = new Pixmap(across.first.length, down.first.length);
  const to = out.data;
  const { first, second, share } = across;
  for (let y = 0, o = 0; y < out.height; y++) {
    const upper = down.first[y] * width;
    const lower = down.second[y] * width;
    const low = down.share[y];
    const high = 256 - low;
    for (let x = 0; x < out.width; x++, o += 4) {
      const right = share[x];
      const left = 256 - right;
      const a = (upper + first[x]) * 4;
      const b = (upper + second[x]) * 4;
      const c = (lower + first[x]) * 4;
      const d = (lower + second[x]) * 4;
      to[o] = ((data[a] * left + data[b] * right) * high + (data[c] * left + data[d] * right) * low) >> 16;
      to[o + 1] =
        ((data[a + 1] * left + data[b + 1] * right) * high + (data[c + 1] * left + data[d + 1] * right) * low) >> 16;
      to[o + 2] =
        ((data[a + 2] * left + data[b + 2] * right) * high + (data[c + 2] * left + data[d + 2] * right) * low) >> 16;
      to[o + 3] =
        ((data[a + 3] * left + data[b + 3] * right) * high + (data[c + 3] * left + data[d + 3] * right) * low) >> 16;
    }
  }
  return out;
}

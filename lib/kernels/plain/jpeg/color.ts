// Converts one row of samples to RGBA pixels. Upsamples chroma of half width or height with libjpeg's triangle filter
// ("fancy upsampling", jdsample.c); converts colours by libjpeg's formulas (jdcolor.c): Q16 factors, rounded. Twin of
// assembly/jpeg/ycbcr-to-rgba.ts and cmyk.ts.
import { clamp } from './idct.js';

const OPAQUE = 0xff000000;

export function writeGray(luma: Uint8Array, out: Uint32Array): void {
  for (let x = 0; x < out.length; x++) out[x] = OPAQUE | (luma[x] * 0x010101);
}

export function writeYcc(luma: Uint8Array, cb: Uint8Array, cr: Uint8Array, out: Uint32Array): void {
  for (let x = 0; x < out.length; x++) {
    const y = luma[x];
    const blue = cb[x] - 128;
    const red = cr[x] - 128;
    const r = clamp(y + ((91881 * red + 32768) >> 16));
    const g = clamp(y + ((-22554 * blue - 46802 * red + 32768) >> 16));
    const b = clamp(y + ((116130 * blue + 32768) >> 16));
    out[x] = OPAQUE | (b << 16) | (g << 8) | r;
  }
}

/** Writes cyan, magenta and yellow as R, G and B, without black: samples are inverted, 255 is no ink. */
export function writeCmy(cyan: Uint8Array, magenta: Uint8Array, yellow: Uint8Array, out: Uint32Array): void {
  for (let x = 0; x < out.length; x++) out[x] = OPAQUE | (yellow[x] << 16) | (magenta[x] << 8) | cyan[x];
}

/** Multiplies pixels by black; inverts them first if `isInverted` (YCCK decodes to the complements of the inks). */
export function applyBlack(black: Uint8Array, isInverted: boolean, out: Uint32Array): void {
  for (let x = 0; x < out.length; x++) {
    const pixel = isInverted ? ~out[x] : out[x];
    let result = OPAQUE;
    for (let shift = 0; shift < 24; shift += 8) {
      result |= Math.floor((((pixel >>> shift) & 255) * black[x]) / 255) << shift;
    }
    out[x] = result;
  }
}

/**
 * Upsamples a row of `columns` samples to twice as many: three parts of the nearer one and one part of the other. With
 * `far`, chroma also has half the height, and a sample is three parts of `near` and one part of `far`.
 */
export function upsample(near: Uint8Array, far: Uint8Array | undefined, columns: number, out: Uint8Array): void {
  const sum = (x: number) => {
    const column = Math.min(columns - 1, Math.max(0, x));
    return far ? 3 * near[column] + far[column] : near[column];
  };
  // jdsample.c: rounding terms are 8 (left) and 7 (right) of 16; 1 and 2 of 4
  const [shift, left, right] = far ? [4, 8, 7] : [2, 1, 2];
  let previous = sum(-1);
  let here = previous;
  for (let x = 0; x < columns; x++) {
    const next = sum(x + 1);
    out[2 * x] = (3 * here + previous + left) >> shift;
    out[2 * x + 1] = (3 * here + next + right) >> shift;
    previous = here;
    here = next;
  }
}

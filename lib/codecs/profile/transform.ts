// Converts pixels of a colour space to sRGB: a table of linear light for each channel, the matrix, and a table back, in whole
// numbers. Relative colorimetric; what is outside sRGB is clamped channel by channel, as browsers do.
import { ALPHA_MASK, Pixmap, packWord } from '../../raster/pixmap.js';
import type { Curve, ProfileSpace } from './color-space.js';
import { SRGB } from './curve.js';
import { multiply, XYZ_TO_SRGB } from './matrix.js';

/**
 * Light is a whole number up to this. The steps of sRGB are smallest near black, where one of 255 takes 5 of these; with 12
 * bits it would take 1.2, and a third of the dark colours would be off by one.
 */
const MAX_LIGHT = (1 << 14) - 1;
/** Further bits of the products, which are added before they are rounded. */
const FRACTION_BITS = 12;
const ONE = MAX_LIGHT << FRACTION_BITS;
const HALF = 1 << (FRACTION_BITS - 1);
/** Bounds a product, so that the sum of three and a half fits 32 bits. */
const MAX_PRODUCT = 2 ** 29;

/** Positions of the channels in a word of `Pixmap.words`, which follow the machine's byte order. */
const isLittleEndian = packWord(255, 0, 0, 0) === 255;
const [RED_SHIFT, GREEN_SHIFT, BLUE_SHIFT] = isLittleEndian ? [0, 8, 16] : [24, 16, 8];
/** Signed, as `&` yields it. */
const ALPHA_BITS = ALPHA_MASK | 0;

/** Converts pixels with straight alpha in place. Transparent ones stay as they are. */
export type ColorTransform = (pixmap: Pixmap) => void;

let encoded: Uint8Array | undefined;

/** The sample of each light. Only 255 powers: the light between two samples is where the table changes. */
function encodeTable(): Uint8Array {
  if (encoded) return encoded;
  encoded = new Uint8Array(MAX_LIGHT + 1);
  for (let sample = 1, at = 0; sample <= 255; sample++) {
    at = Math.ceil(SRGB((sample - 0.5) / 255) * MAX_LIGHT);
    encoded.fill(sample, at);
  }
  return encoded;
}

const clamp = (value: number, min: number, max: number) => (value > min ? Math.min(value, max) : min);

/** The light of every sample, 0–1. */
function sampleCurve(curve: Curve): Float64Array {
  return Float64Array.from({ length: 256 }, (_, sample) => clamp(curve(sample / 255), 0, 1));
}

/**
 * The transform; undefined if the space is sRGB within one step of 255 for every colour that is compared: all neutral ones,
 * those of one channel, and a lattice of 729. That much comes from the rounding of profiles themselves (numbers of 1/65536,
 * curves of 1,024 entries), and browsers convert none that is as close.
 */
export function transformToSrgb(space: ProfileSpace): ColorTransform | undefined {
  const convert = space.kind === 'gray' ? grayTransform(space.curve) : matrixTransform(space);
  return isIdentity(convert) ? undefined : convert;
}

/** The colours that are compared, once for all profiles. */
let compared: Uint32Array | undefined;

function comparedColors(): Uint32Array {
  if (compared) return compared;
  const words: number[] = [];
  for (let v = 0; v < 256; v++) {
    words.push(packWord(v, v, v, 255), packWord(v, 0, 0, 255), packWord(0, v, 0, 255), packWord(0, 0, v, 255));
  }
  const levels = [0, 32, 64, 96, 128, 160, 192, 224, 255];
  for (const r of levels) for (const g of levels) for (const b of levels) words.push(packWord(r, g, b, 255));
  compared = Uint32Array.from(words);
  return compared;
}

function isIdentity(convert: ColorTransform): boolean {
  const words = comparedColors();
  const before = new Uint8Array(words.buffer);
  const pixmap = new Pixmap(words.length, 1);
  pixmap.words.set(words);
  convert(pixmap);
  return pixmap.data.every((value, i) => Math.abs(value - before[i]) <= 1);
}

function grayTransform(curve: Curve): ColorTransform {
  const encode = encodeTable();
  const table = Uint8Array.from(sampleCurve(curve), (light) => encode[Math.round(light * MAX_LIGHT)]);
  return ({ data }) => {
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] > 0) data[i] = data[i + 1] = data[i + 2] = table[data[i]];
    }
  };
}

/** Products are in tables, so that a pixel takes nine additions, no multiplication. */
function matrixTransform({ curves, toXyz }: Extract<ProfileSpace, { kind: 'rgb' }>): ColorTransform {
  const matrix = multiply(XYZ_TO_SRGB, toXyz);
  const lights = curves.map(sampleCurve);
  // row by row: what the red, green and blue sample add to a channel
  const products = Int32Array.from({ length: 9 * 256 }, (_, i) => {
    const cell = i >> 8;
    const product = Math.round(clamp(matrix[cell] * lights[cell % 3][i & 255] * ONE, -MAX_PRODUCT, MAX_PRODUCT));
    return product + (cell % 3 === 0 ? HALF : 0);
  });
  const encode = encodeTable();
  return ({ words }) => convertPixels(words, products, encode);
}

/** Measured: 8 ns per pixel of a photograph, 2 where pixels repeat; as a closure, with variables in its context, 18. */
function convertPixels(words: Uint32Array, products: Int32Array, encode: Uint8Array): void {
  let lastWord = 0;
  let lastResult = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] | 0;
    if (word !== lastWord) {
      lastWord = lastResult = word;
      if ((word & ALPHA_BITS) !== 0) {
        const r = (word >>> RED_SHIFT) & 255;
        const g = ((word >>> GREEN_SHIFT) & 255) + 256;
        const b = ((word >>> BLUE_SHIFT) & 255) + 512;
        const red = (products[r] + products[g] + products[b]) >> FRACTION_BITS;
        const green = (products[r + 768] + products[g + 768] + products[b + 768]) >> FRACTION_BITS;
        const blue = (products[r + 1536] + products[g + 1536] + products[b + 1536]) >> FRACTION_BITS;
        lastResult =
          (word & ALPHA_BITS) |
          (encode[red < 0 ? 0 : red > MAX_LIGHT ? MAX_LIGHT : red] << RED_SHIFT) |
          (encode[green < 0 ? 0 : green > MAX_LIGHT ? MAX_LIGHT : green] << GREEN_SHIFT) |
          (encode[blue < 0 ? 0 : blue > MAX_LIGHT ? MAX_LIGHT : blue] << BLUE_SHIFT);
      }
    }
    words[i] = lastResult;
  }
}

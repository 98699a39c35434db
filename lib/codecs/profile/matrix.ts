// Matrices between linear light and CIE XYZ relative to D50, the white of profiles.
import type { ColorMatrix } from './color-space.js';

export function multiply(a: ColorMatrix, b: ColorMatrix): ColorMatrix {
  return Array.from({ length: 9 }, (_, i) => {
    const row = i - (i % 3);
    const column = i % 3;
    return a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6];
  });
}

/** The inverse; undefined if there is none. */
export function invert([a, b, c, d, e, f, g, h, i]: ColorMatrix): ColorMatrix | undefined {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const inverse = [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ].map((value) => value / determinant);
  return inverse.every(Number.isFinite) ? inverse : undefined;
}

const diagonal = (x: number, y: number, z: number): ColorMatrix => [x, 0, 0, 0, y, 0, 0, 0, z];

const apply = (m: ColorMatrix, [x, y, z]: readonly number[]) =>
  [0, 3, 6].map((row) => m[row] * x + m[row + 1] * y + m[row + 2] * z);

/** The colorants of sRGB as its ICC profiles store them, columns red, green and blue: adapted from D65 to D50. */
export const SRGB_TO_XYZ: ColorMatrix = [
  0.436065674, 0.385147095, 0.143066406, 0.222488403, 0.716873169, 0.06060791, 0.013916016, 0.097076416, 0.714096069,
];

export const XYZ_TO_SRGB = invert(SRGB_TO_XYZ)!;

/** D50 as profiles have it (ICC.1:2022 section 7.2.16). */
const D50 = [0.9642, 1, 0.8249];

/** The cone responses in which Bradford's adaptation scales white to white (ICC.1:2022 annex E). */
const BRADFORD: ColorMatrix = [0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296];
const BRADFORD_INVERSE = invert(BRADFORD)!;

/**
 * Returns the matrix from linear light to XYZ, adapted to D50. `chromaticities` are x and y of white, red, green and blue.
 * Undefined if they form no colour space.
 */
export function fromChromaticities(chromaticities: readonly number[]): ColorMatrix | undefined {
  const [white, ...primaries] = [0, 2, 4, 6].map((at) => {
    const [x, y] = [chromaticities[at], chromaticities[at + 1]];
    return [x / y, 1, (1 - x - y) / y];
  });
  const columns = [0, 1, 2].flatMap((row) => primaries.map((primary) => primary[row]));
  const inverse = invert(columns);
  if (!inverse) return undefined;
  const [red, green, blue] = apply(inverse, white);
  const cones = apply(BRADFORD, white);
  const target = apply(BRADFORD, D50);
  const scale = diagonal(target[0] / cones[0], target[1] / cones[1], target[2] / cones[2]);
  const adaptation = multiply(BRADFORD_INVERSE, multiply(scale, BRADFORD));
  const matrix = multiply(adaptation, multiply(columns, diagonal(red, green, blue)));
  return matrix.every(Number.isFinite) ? matrix : undefined;
}

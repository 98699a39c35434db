// Colour spaces by the code points of ITU-T H.273 (tables 2 and 3), and by PNG's gAMA and cHRM.
import { type ColorMatrix, type Curve, ProfileError, type ProfileSpace } from './color-space.js';
import { gamma, parametric, SRGB } from './curve.js';
import type { CodedColors, PngColors } from './declared.js';
import { fromChromaticities, SRGB_TO_XYZ } from './matrix.js';

const D65 = [0.3127, 0.329];
const C = [0.31, 0.316];

/** x and y of white, red, green and blue. */
const PRIMARIES = new Map<number, readonly number[]>([
  [4, [...C, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08]],
  [5, [...D65, 0.64, 0.33, 0.29, 0.6, 0.15, 0.06]],
  [6, [...D65, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07]],
  [7, [...D65, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07]],
  [8, [...C, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049]],
  [9, [...D65, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046]],
  [11, [0.314, 0.351, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]],
  [12, [...D65, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]],
  [22, [...D65, 0.63, 0.34, 0.295, 0.605, 0.155, 0.077]],
]);

/** The curve by which screens show what BT.709's camera function encodes (BT.1886), as browsers apply it in a PNG. */
const VIDEO = gamma(2.4);

const TRANSFERS = new Map<number, Curve>([
  [1, VIDEO],
  [4, gamma(2.2)],
  [5, gamma(2.8)],
  [6, VIDEO],
  [7, parametric({ g: 1 / 0.45, a: 1 / 1.1115, b: 0.1115 / 1.1115, c: 0.25, d: 0.0913, e: 0, f: 0 })],
  [8, (x) => x],
  [11, VIDEO],
  [13, SRGB],
  [14, VIDEO],
  [15, VIDEO],
]);

const UNSPECIFIED = 2;
const [PQ, HLG] = [16, 18];

/** Unspecified code points mean those of sRGB. Throws ProfileError for unknown ones, and for brightness beyond white. */
export function codedSpace({ primaries, transfer }: CodedColors): ProfileSpace {
  const curve = transfer === UNSPECIFIED ? SRGB : TRANSFERS.get(transfer);
  if (!curve) {
    const isHdr = transfer === PQ || transfer === HLG;
    throw new ProfileError(isHdr ? 'HDR is not supported' : `its transfer function ${transfer} is not supported`);
  }
  return { kind: 'rgb', curves: [curve, curve, curve], toXyz: matrixOf(primaries) };
}

function matrixOf(primaries: number): ColorMatrix {
  if (primaries === 1 || primaries === UNSPECIFIED) return SRGB_TO_XYZ;
  const chromaticities = PRIMARIES.get(primaries);
  const matrix = chromaticities && fromChromaticities(chromaticities);
  if (!matrix) throw new ProfileError(`its primaries ${primaries} are not supported`);
  return matrix;
}

/** gAMA and cHRM hold whole numbers of this part. */
const PNG_UNITS = 100_000;

/** Throws ProfileError for values that are no colour space. */
export function pngSpace({ gamma: exponent, chromaticities }: PngColors): ProfileSpace {
  if (exponent === 0) throw new ProfileError('its gamma is 0');
  const curve = gamma(PNG_UNITS / exponent);
  const toXyz = chromaticities ? fromChromaticities(chromaticities.map((c) => c / PNG_UNITS)) : SRGB_TO_XYZ;
  if (!toXyz) throw new ProfileError('its chromaticities are no colour space');
  return { kind: 'rgb', curves: [curve, curve, curve], toXyz };
}

// The colour spaces in which gradients interpolate: conversions from and to sRGB (CSS Color 4, sections 10, 12 and 18).
import { atan2, cos, hypot, pow, sin } from '../../geometry/math.js';
import type { Color } from '../color.js';
import type { ColorSpace, HueDirection, Interpolation } from './gradient.js';

type Triple = readonly [number, number, number];

interface Space {
  /** The index of the hue, in degrees; -1 without one. */
  readonly hue: number;
  /** Converts from and to sRGB, whose components are 0–1, or beyond if the space has colours that sRGB lacks. */
  from(rgb: Triple): Triple;
  toSrgb(components: Triple): Triple;
  /** Whether a colour is a grey, whose hue is missing: it takes the other colour's. */
  isAchromatic(components: Triple): boolean;
}

/** Up to this saturation, a colour is grey but for rounding. */
const MAX_GREY = 1e-5;
/** Up to this chroma in oklch, a colour counts as grey: Chromium's limit, measured. */
const MAX_GREY_OKLCH = 0.02;
const RADIANS = Math.PI / 180;
const never = () => false;

const SPACES: Readonly<Record<ColorSpace, Space>> = {
  srgb: { hue: -1, from: (rgb) => rgb, toSrgb: (rgb) => rgb, isAchromatic: never },
  'srgb-linear': { hue: -1, from: toLinear, toSrgb: fromLinear, isAchromatic: never },
  oklab: {
    hue: -1,
    from: (rgb) => linearToOklab(toLinear(rgb)),
    toSrgb: (lab) => fromLinear(oklabToLinear(lab)),
    isAchromatic: never,
  },
  oklch: {
    hue: 2,
    from(rgb) {
      const [lightness, a, b] = linearToOklab(toLinear(rgb));
      return [lightness, hypot(a, b), positive(atan2(b, a) / RADIANS)];
    },
    toSrgb([lightness, chroma, hue]) {
      const angle = hue * RADIANS;
      return fromLinear(oklabToLinear([lightness, chroma * cos(angle), chroma * sin(angle)]));
    },
    isAchromatic: ([, chroma]) => chroma <= MAX_GREY_OKLCH,
  },
  hsl: { hue: 0, from: rgbToHsl, toSrgb: hslToRgb, isAchromatic: ([, saturation]) => saturation < MAX_GREY },
};

/** Premultiplied sRGB components and alpha, 0–255 each. */
export type Premultiplied = readonly [number, number, number, number];

export function premultiply({ r, g, b, a }: Color): Premultiplied {
  return [r * a, g * a, b * a, 255 * a];
}

/**
 * Interpolates from one colour to another: the result's argument is 0 at the first, 1 at the second. Components other than
 * hue are premultiplied meanwhile. What sRGB lacks is clamped channel by channel.
 */
export function interpolator(first: Color, second: Color, { space, hue }: Interpolation): (t: number) => Premultiplied {
  const { hue: hueIndex, from, toSrgb, isAchromatic } = SPACES[space];
  const start = [...from([first.r / 255, first.g / 255, first.b / 255])];
  const end = [...from([second.r / 255, second.g / 255, second.b / 255])];
  if (hueIndex >= 0) {
    const isStartGrey = isAchromatic(start as unknown as Triple);
    if (isAchromatic(end as unknown as Triple)) end[hueIndex] = isStartGrey ? 0 : start[hueIndex];
    if (isStartGrey) start[hueIndex] = end[hueIndex];
    end[hueIndex] = start[hueIndex] + hueDifference(end[hueIndex] - start[hueIndex], hue);
  }
  return (t) => {
    const a = first.a + (second.a - first.a) * t;
    if (a <= 0) return [0, 0, 0, 0];
    const at = (i: number) => {
      if (i === hueIndex) return start[i] + (end[i] - start[i]) * t;
      const from = start[i] * first.a;
      return (from + (end[i] * second.a - from) * t) / a;
    };
    const [r, g, b] = toSrgb([at(0), at(1), at(2)]).map((value) => Math.min(1, Math.max(0, value)) * 255 * a);
    return [r, g, b, 255 * a];
  };
}

/** CSS Color 4 section 12.4: the way from one hue to another, of which `difference` is one, from -360 to 360 degrees. */
function hueDifference(difference: number, direction: HueDirection): number {
  switch (direction) {
    case 'shorter':
      return difference > 180 ? difference - 360 : difference < -180 ? difference + 360 : difference;
    case 'longer':
      if (difference > 0 && difference < 180) return difference - 360;
      return difference > -180 && difference <= 0 ? difference + 360 : difference;
    case 'increasing':
      return difference < 0 ? difference + 360 : difference;
    case 'decreasing':
      return difference > 0 ? difference - 360 : difference;
  }
}

function positive(degrees: number): number {
  return degrees < 0 ? degrees + 360 : degrees;
}

function toLinear(rgb: Triple): Triple {
  return map(rgb, (value) => (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)));
}

function fromLinear(rgb: Triple): Triple {
  return map(rgb, (value) => (value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055));
}

function linearToOklab(rgb: Triple): Triple {
  const lms = map(times(LINEAR_TO_LMS, rgb), (value) => (value <= 0 ? 0 : pow(value, 1 / 3)));
  return times(LMS_TO_OKLAB, lms);
}

function oklabToLinear(lab: Triple): Triple {
  return times(
    LMS_TO_LINEAR,
    map(times(OKLAB_TO_LMS, lab), (value) => value * value * value),
  );
}

// B. Ottosson, "A perceptual color space for image processing"
const LINEAR_TO_LMS = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
] as const;
const LMS_TO_OKLAB = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
] as const;
const OKLAB_TO_LMS = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
] as const;
const LMS_TO_LINEAR = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
] as const;

function times(matrix: readonly (readonly [number, number, number])[], [x, y, z]: Triple): Triple {
  const row = (i: number) => matrix[i][0] * x + matrix[i][1] * y + matrix[i][2] * z;
  return [row(0), row(1), row(2)];
}

function map([x, y, z]: Triple, each: (value: number) => number): Triple {
  return [each(x), each(y), each(z)];
}

/** CSS Color 4 section 7.2; hue in degrees, saturation and lightness 0–1. */
function rgbToHsl([r, g, b]: Triple): Triple {
  const max = Math.max(r, g, b);
  const min = Math.min(r, g, b);
  const lightness = (max + min) / 2;
  const chroma = max - min;
  if (chroma === 0) return [0, 0, lightness];
  const saturation = (max - lightness) / Math.min(lightness, 1 - lightness);
  const sixth = max === r ? (g - b) / chroma : max === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
  return [positive(sixth * 60), saturation, lightness];
}

/** CSS Color 4 section 7.1; any hue. */
function hslToRgb([hue, saturation, lightness]: Triple): Triple {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number) => {
    const turned = n + hue / 30;
    const k = turned - 12 * Math.floor(turned / 12);
    return lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [channel(0), channel(8), channel(4)];
}

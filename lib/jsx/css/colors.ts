// Colours that payloads don't have: oklch(), oklab(), lab(), lch(), color(), color-mix() and relative ones, written as rgb().
import { parseColor } from '../../contract/css/parse-color.js';
import { atan2, cos, hypot, pow, sin } from '../../geometry/math.js';
import { rounded } from './length.js';
import { functionOf, splitTop } from './tokens.js';

/** Linear or not: what the components mean is the space's. Alpha is 0 to 1. */
type Components = readonly [number, number, number];

interface ModernColor {
  /** Red, green and blue of sRGB with its gamma, 0 to 1 in the gamut. */
  readonly rgb: Components;
  readonly alpha: number;
}

const MODERN = /\b(?:ok)?l(?:ch|ab)\(|\bcolor(?:-mix)?\(|\b(?:rgb|hsl|hwb)a?\(\s*from\s/i;
const MAX_NESTING = 8;

/** Replaces the colours of a value that payloads don't have; those that can't be read stay. */
export function withPlainColors(value: string): string {
  if (!MODERN.test(value)) return value;
  let result = '';
  let rest = value;
  for (let match = MODERN.exec(rest); match; match = MODERN.exec(rest)) {
    const end = endOfCall(rest, match.index + match[0].length);
    const call = rest.slice(match.index, end);
    const color = readColor(call, 0);
    result += rest.slice(0, match.index) + (color ? writeColor(color) : call);
    rest = rest.slice(end);
  }
  return result + rest;
}

function endOfCall(text: string, from: number): number {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')' && --depth === 0) return i + 1;
  }
  return text.length;
}

function writeColor({ rgb, alpha }: ModernColor): string {
  const [r, g, b] = rgb.map((value) => Math.round(Math.min(1, Math.max(0, value)) * 255));
  return alpha >= 1 ? `rgb(${r}, ${g}, ${b})` : `rgba(${r}, ${g}, ${b}, ${rounded(Math.max(0, alpha))})`;
}

function readColor(text: string, depth: number): ModernColor | undefined {
  const plain = parseColor(text);
  if (plain) return { rgb: [plain.r / 255, plain.g / 255, plain.b / 255], alpha: plain.a };
  const call = functionOf(text);
  if (!call || depth > MAX_NESTING) return undefined;
  if (call.name === 'color-mix') return mix(call.args, depth);
  const [components, alphaText] = splitTop(call.args, '/');
  const words = splitTop(components, ' ');
  const isRelative = words[0]?.toLowerCase() === 'from';
  const origin = isRelative ? readColor(words[1] ?? '', depth + 1) : undefined;
  if (isRelative && !origin) return undefined;
  const own = isRelative ? words.slice(2) : words;
  const name = call.name === 'color' ? (own.shift() ?? '').toLowerCase() : call.name.replace(/a$/, '');
  const space = SPACES[name];
  if (!space || own.length !== 3) return undefined;
  const channels = origin ? space.fromRgb(origin.rgb) : undefined;
  const values = own.map((word, i) => {
    const channel = channels && space.names.indexOf(word.toLowerCase());
    if (channels && channel !== undefined && channel >= 0) return channels[channel];
    return readNumber(word, space.percent[i], space.names[i] === 'h');
  });
  const alpha =
    alphaText === undefined
      ? (origin?.alpha ?? 1)
      : /^alpha$/i.test(alphaText)
        ? origin?.alpha
        : readNumber(alphaText, 1, false);
  if (values.includes(undefined) || alpha === undefined) return undefined;
  return { rgb: space.toRgb(values as unknown as Components), alpha: Math.min(1, Math.max(0, alpha)) };
}

/** A component; 100 % are `whole`. */
function readNumber(word: string, whole: number, isHue: boolean): number | undefined {
  if (/^none$/i.test(word)) return 0;
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]*)$/i.exec(word);
  if (!match) return undefined;
  const value = Number(match[1]);
  switch (match[2].toLowerCase()) {
    case '':
      return value;
    case '%':
      return isHue ? undefined : (value * whole) / 100;
    case 'deg':
      return value;
    case 'turn':
      return value * 360;
    case 'rad':
      return (value * 180) / Math.PI;
    case 'grad':
      return value * 0.9;
    default:
      return undefined;
  }
}

interface Space {
  readonly names: readonly string[];
  /** What 100 % of each component are. */
  readonly percent: Components;
  toRgb(components: Components): Components;
  fromRgb(rgb: Components): Components;
}

type Matrix = readonly [Components, Components, Components];

const times = (matrix: Matrix, [x, y, z]: Components): Components =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Components;
const each = (components: Components, change: (value: number) => number): Components =>
  components.map(change) as unknown as Components;
const root3 = (value: number) => (value < 0 ? -pow(-value, 1 / 3) : pow(value, 1 / 3));

const decode = (value: number) => {
  const size = Math.abs(value);
  return Math.sign(value) * (size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4));
};
const encode = (value: number) => {
  const size = Math.abs(value);
  return Math.sign(value) * (size <= 0.0031308 ? size * 12.92 : 1.055 * pow(size, 1 / 2.4) - 0.055);
};

// CSS Color 4 section 18
const SRGB_TO_XYZ: Matrix = [
  [0.41239079926595934, 0.357584339383878, 0.1804807884018343],
  [0.21263900587151027, 0.715168678767756, 0.07219231536073371],
  [0.01933081871559182, 0.11919477979462598, 0.9505321522496607],
];
const XYZ_TO_SRGB: Matrix = [
  [3.2409699419045226, -1.537383177570094, -0.4986107602930034],
  [-0.9692436362808796, 1.8759675015077202, 0.04155505740717559],
  [0.05563007969699366, -0.20397695888897652, 1.0569715142428786],
];
const P3_TO_XYZ: Matrix = [
  [0.4865709486482162, 0.26566769316909306, 0.1982172852343625],
  [0.2289745640697488, 0.6917385218365064, 0.079286914093745],
  [0, 0.04511338185890264, 1.043944368900976],
];
const XYZ_TO_P3: Matrix = [
  [2.493496911941425, -0.9313836179191239, -0.40271078445071684],
  [-0.8294889695615747, 1.7626640603183463, 0.023624685841943577],
  [0.03584583024378447, -0.07617238926804182, 0.9568845240076872],
];
const XYZ_TO_LMS: Matrix = [
  [0.819022437996703, 0.3619062600528904, -0.1288737815209879],
  [0.0329836539323885, 0.9292868615863434, 0.0361446663506424],
  [0.0481771893596242, 0.2642395317527308, 0.6335478284694309],
];
const LMS_TO_XYZ: Matrix = [
  [1.2268798758459243, -0.5578149944602171, 0.2813910456659647],
  [-0.0405757452148008, 1.112286803280317, -0.0717110580655164],
  [-0.0763729366746601, -0.4214933324022432, 1.5869240198367816],
];
const LMS_TO_OKLAB: Matrix = [
  [0.210454268309314, 0.7936177747023054, -0.0040720430116193],
  [1.9779985324311684, -2.4285922420485799, 0.450593709617411],
  [0.0259040424655478, 0.7827717124575296, -0.8086757549230774],
];
const OKLAB_TO_LMS: Matrix = [
  [1, 0.3963377773761749, 0.2158037573099136],
  [1, -0.1055613458156586, -0.0638541728258133],
  [1, -0.0894841775298119, -1.2914855480194092],
];
const D65_TO_D50: Matrix = [
  [1.0479297925449969, 0.022946870601609652, -0.05019226628920524],
  [0.02962780877005599, 0.9904344267538799, -0.017073799063418826],
  [-0.009243040646204504, 0.015055191490298152, 0.7518742814281371],
];
const D50_TO_D65: Matrix = [
  [0.955473421488075, -0.02309845494876471, 0.06325924320057072],
  [-0.0283697093338637, 1.0099953980813041, 0.021041441191917323],
  [0.012314014864481998, -0.020507649298898964, 1.330365926242124],
];
const D50_WHITE: Components = [0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585];
const EPSILON = 216 / 24389;
const KAPPA = 24389 / 27;

const toXyz = (rgb: Components) => times(SRGB_TO_XYZ, each(rgb, decode));
const fromXyz = (xyz: Components) => each(times(XYZ_TO_SRGB, xyz), encode);

const OKLAB: Space = {
  names: ['l', 'a', 'b'],
  percent: [1, 0.4, 0.4],
  toRgb: (lab) =>
    fromXyz(
      times(
        LMS_TO_XYZ,
        each(times(OKLAB_TO_LMS, lab), (value) => value * value * value),
      ),
    ),
  fromRgb: (rgb) => times(LMS_TO_OKLAB, each(times(XYZ_TO_LMS, toXyz(rgb)), root3)),
};

const LAB: Space = {
  names: ['l', 'a', 'b'],
  percent: [100, 125, 125],
  toRgb([l, a, b]) {
    const y = (l + 16) / 116;
    const x = a / 500 + y;
    const z = y - b / 200;
    const part = (f: number) => (f * f * f > EPSILON ? f * f * f : (116 * f - 16) / KAPPA);
    const xyz: Components = [part(x), l > KAPPA * EPSILON ? y * y * y : l / KAPPA, part(z)];
    return fromXyz(times(D50_TO_D65, xyz.map((value, i) => value * D50_WHITE[i]) as unknown as Components));
  },
  fromRgb(rgb) {
    const xyz = times(D65_TO_D50, toXyz(rgb));
    const [x, y, z] = xyz.map((value, i) => {
      const share = value / D50_WHITE[i];
      return share > EPSILON ? root3(share) : (KAPPA * share + 16) / 116;
    });
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  },
};

/** The same space by chroma and hue in degrees. */
function polar(space: Space, chroma: number): Space {
  return {
    names: ['l', 'c', 'h'],
    percent: [space.percent[0], chroma, 360],
    toRgb([l, c, h]) {
      const angle = (h * Math.PI) / 180;
      return space.toRgb([l, c * cos(angle), c * sin(angle)]);
    },
    fromRgb(rgb) {
      const [l, a, b] = space.fromRgb(rgb);
      const hue = (atan2(b, a) * 180) / Math.PI;
      return [l, hypot(a, b), hue < 0 ? hue + 360 : hue];
    },
  };
}

const SRGB: Space = { names: ['r', 'g', 'b'], percent: [1, 1, 1], toRgb: (rgb) => rgb, fromRgb: (rgb) => rgb };

const HSL: Space = {
  names: ['h', 's', 'l'],
  percent: [360, 100, 100],
  toRgb([h, s, l]) {
    const light = l / 100;
    const reach = (s / 100) * Math.min(light, 1 - light);
    const channel = (n: number) => {
      const k = (((n + h / 30) % 12) + 12) % 12;
      return light - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    };
    return [channel(0), channel(8), channel(4)];
  },
  fromRgb([r, g, b]) {
    const most = Math.max(r, g, b);
    const least = Math.min(r, g, b);
    const light = (most + least) / 2;
    const range = most - least;
    if (range === 0) return [0, 0, light * 100];
    const saturation = range / (1 - Math.abs(2 * light - 1));
    const sixth =
      most === r ? (g - b) / range + (g < b ? 6 : 0) : most === g ? (b - r) / range + 2 : (r - g) / range + 4;
    return [sixth * 60, saturation * 100, light * 100];
  },
};

const SPACES: Readonly<Record<string, Space>> = {
  rgb: {
    names: ['r', 'g', 'b'],
    percent: [255, 255, 255],
    toRgb: (rgb) => each(rgb, (value) => value / 255),
    fromRgb: (rgb) => each(rgb, (value) => value * 255),
  },
  hsl: HSL,
  oklab: OKLAB,
  oklch: polar(OKLAB, 0.4),
  lab: LAB,
  lch: polar(LAB, 150),
  srgb: SRGB,
  'srgb-linear': { ...SRGB, toRgb: (rgb) => each(rgb, encode), fromRgb: (rgb) => each(rgb, decode) },
  'display-p3': {
    ...SRGB,
    toRgb: (rgb) => fromXyz(times(P3_TO_XYZ, each(rgb, decode))),
    fromRgb: (rgb) => each(times(XYZ_TO_P3, toXyz(rgb)), encode),
  },
};

/** `in oklab, red 30%, blue` (CSS Color 5 section 3). */
function mix(args: string, depth: number): ModernColor | undefined {
  const [method, ...colors] = splitTop(args, ',');
  const [, name = '', direction = 'shorter'] = /^in\s+([a-z0-9-]+)(?:\s+(shorter|longer)\s+hue)?$/i.exec(method) ?? [];
  const space = SPACES[name.toLowerCase()];
  if (!space || colors.length !== 2) return undefined;
  const parts = colors.map((text) => {
    const words = splitTop(text, ' ');
    const share = words.find((word) => /^[\d.]+%$/.test(word));
    const color = readColor(words.filter((word) => word !== share).join(' '), depth + 1);
    return color && { color, share: share === undefined ? undefined : Number.parseFloat(share) / 100 };
  });
  const [one, other] = parts;
  if (!one || !other) return undefined;
  const first = one.share ?? (other.share === undefined ? 0.5 : 1 - other.share);
  const second = other.share ?? 1 - first;
  const sum = first + second;
  if (sum === 0) return undefined;
  const weight = second / sum;
  const alpha = one.color.alpha * (1 - weight) + other.color.alpha * weight;
  const from = space.fromRgb(one.color.rgb);
  const to = space.fromRgb(other.color.rgb);
  const mixed = from.map((value, i) => {
    if (space.names[i] === 'h') return mixHue(value, to[i], weight, direction === 'longer');
    if (alpha === 0) return value;
    return (value * one.color.alpha * (1 - weight) + to[i] * other.color.alpha * weight) / alpha;
  });
  return { rgb: space.toRgb(mixed as unknown as Components), alpha: alpha * Math.min(1, sum) };
}

function mixHue(from: number, to: number, weight: number, isLonger: boolean): number {
  let turn = to - from;
  if (!isLonger && turn > 180) turn -= 360;
  else if (!isLonger && turn < -180) turn += 360;
  else if (isLonger && turn > 0 && turn < 180) turn -= 360;
  else if (isLonger && turn > -180 && turn <= 0) turn += 360;
  return from + turn * weight;
}

// Parses CSS Color 4 sRGB colours to straight-alpha Colors, in linear time for any input.
import type { Color } from '../../raster/color.js';
import { asciiLowercase } from '../../unicode/ascii.js';
import { closestMatch } from '../messages/closest-match.js';
import { type Hint, meant } from '../messages/value-hints.js';

/** Longer texts are no colour: the bound keeps a megabyte of digits from being looked at. */
const MAX_LENGTH = 1024;
/** Colours are ASCII. JavaScript's blanks and lower case are not CSS's: a no-break space is no blank, a Kelvin sign no k. */
const FOREIGN = /[^\t\n\f\r\x20-\x7e]/;
const HEX = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/;
const BLANK = /[ \t\n\r\f]*/y;
/** Matches a CSS number token with its unit (CSS Syntax 3, section 4.3.3), or the keyword `none`. */
const COMPONENT = /([+-]?(?:\d*\.\d+|\d+)(?:e[+-]?\d+)?)(%|[a-z]+)?|none/y;

/** A component of a colour function: unit '' for a plain number. `none` is 0 of any unit. */
interface Component {
  readonly value: number;
  readonly unit: string;
}

interface Arguments {
  readonly parts: readonly Component[];
  readonly alpha: Component | undefined;
  /** Whether the older comma syntax was used, which takes no `none` and does not mix numbers with percentages. */
  readonly commas: boolean;
}

/** Parses a colour in any sRGB notation of CSS Color 4, ignoring surrounding whitespace; undefined if it is not one. */
export function parseColor(text: string): Color | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH || FOREIGN.test(text)) return undefined;
  const source = asciiLowercase(trimmed);
  if (source === 'transparent') return { r: 0, g: 0, b: 0, a: 0 };
  if (source.startsWith('#')) return HEX.test(source) ? fromHex(source.slice(1)) : undefined;
  const open = source.indexOf('(');
  if (open >= 0) return fromFunction(source.slice(0, open), source, open + 1);
  const named = NAMED_COLORS.get(source);
  return named === undefined ? undefined : fromHex(named);
}

function fromHex(digits: string): Color {
  const long = digits.length > 4;
  const at = (i: number) => Number.parseInt(long ? digits.slice(i * 2, i * 2 + 2) : digits[i].repeat(2), 16);
  const opaque = digits.length === 3 || digits.length === 6;
  return { r: at(0), g: at(1), b: at(2), a: opaque ? 1 : at(3) / 255 };
}

function fromFunction(name: string, source: string, start: number): Color | undefined {
  const args = readArguments(source, start);
  if (!args) return undefined;
  const a = args.alpha ? clamp(scaled(args.alpha, 1), 0, 1) : 1;
  switch (name) {
    case 'rgb':
    case 'rgba':
      return fromRgb(args, a);
    case 'hsl':
    case 'hsla':
    case 'hwb':
      return fromHue(name, args, a);
    default:
      return undefined;
  }
}

function fromRgb({ parts, commas }: Arguments, a: number): Color | undefined {
  if (!parts.every(({ unit }) => unit === '' || unit === '%' || unit === 'none')) return undefined;
  if (commas && parts.some(({ unit }) => unit !== parts[0].unit)) return undefined;
  const [r, g, b] = parts.map((part) => Math.round(clamp(scaled(part, 255), 0, 255)));
  return { r, g, b, a };
}

function fromHue(name: 'hsl' | 'hsla' | 'hwb', { parts, commas }: Arguments, a: number): Color | undefined {
  const hue = degrees(parts[0]);
  const percentages = parts.slice(1);
  if (hue === undefined || (commas && name === 'hwb')) return undefined;
  if (!percentages.every(({ unit }) => unit === '%' || (!commas && (unit === '' || unit === 'none')))) return undefined;
  const [first, second] = percentages.map(({ value }) => clamp(value, 0, 100) / 100);
  return { ...(name === 'hwb' ? hwbToRgb(hue, first, second) : hslToRgb(hue, first, second)), a };
}

/** CSS Color 4, section 7.1: hue in degrees 0–360, saturation and lightness 0–1. */
function hslToRgb(hue: number, saturation: number, lightness: number): Omit<Color, 'a'> {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return { r: channel(0), g: channel(8), b: channel(4) };
}

/** CSS Color 4, section 8.1: hue in degrees 0–360, whiteness and blackness 0–1. */
function hwbToRgb(hue: number, whiteness: number, blackness: number): Omit<Color, 'a'> {
  const sum = whiteness + blackness;
  if (sum >= 1) {
    const grey = Math.round((255 * whiteness) / sum);
    return { r: grey, g: grey, b: grey };
  }
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    const pure = 0.5 - 0.5 * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * (pure * (1 - sum) + whiteness));
  };
  return { r: channel(0), g: channel(8), b: channel(4) };
}

/** Parses `1, 2, 3[, a])` or `1 2 3[ / a])` from `start` to the end of the text; undefined if it is neither. */
function readArguments(source: string, start: number): Arguments | undefined {
  let position = start;
  const skipBlanks = () => {
    BLANK.lastIndex = position;
    BLANK.test(source);
    position = BLANK.lastIndex;
  };
  const skip = (mark: string) => {
    skipBlanks();
    if (source[position] !== mark) return false;
    position++;
    return true;
  };
  const component = (): Component | undefined => {
    skipBlanks();
    COMPONENT.lastIndex = position;
    const match = COMPONENT.exec(source);
    if (!match) return undefined;
    position = COMPONENT.lastIndex;
    if (match[1] === undefined) return { value: 0, unit: 'none' };
    return match[2] === 'none' ? undefined : { value: Number(match[1]), unit: match[2] ?? '' };
  };

  const first = component();
  const commas = skip(',');
  const second = component();
  if (skip(',') !== commas) return undefined;
  const third = component();
  if (!first || !second || !third) return undefined;
  const parts = [first, second, third];
  let alpha: Component | undefined;
  if (skip(commas ? ',' : '/')) {
    alpha = component();
    if (!alpha || !(alpha.unit === '' || alpha.unit === '%' || alpha.unit === 'none')) return undefined;
  }
  if (!skip(')') || position !== source.length) return undefined;
  if (commas && [...parts, ...(alpha ? [alpha] : [])].some(({ unit }) => unit === 'none')) return undefined;
  return { parts, alpha, commas };
}

/** Resolves a percentage against `whole`; returns a plain number unchanged. */
function scaled({ value, unit }: Component, whole: number): number {
  return unit === '%' ? (value * whole) / 100 : value;
}

const DEGREES = new Map([
  ['', 1],
  ['none', 1],
  ['deg', 1],
  ['grad', 0.9],
  ['rad', 180 / Math.PI],
  ['turn', 360],
]);

/** The hue in [0, 360); undefined if the unit is not an angle. A hue that overflows counts as 0. */
function degrees({ value, unit }: Component): number | undefined {
  const factor = DEGREES.get(unit);
  if (factor === undefined) return undefined;
  const turned = (value * factor) % 360;
  return Number.isFinite(turned) ? (turned + 360) % 360 : 0;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** The value that errors say was expected. */
export const EXPECTED_COLOR = 'a CSS colour such as #ff8800, rgb(255 136 0 / 50%), hsl(32 100% 50%) or orange';

/** Characters of a text that a name is suggested for. */
const MAX_NAME_LENGTH = 30;

/** Suggests the colour that was probably meant by an invalid text. */
export function colorHint(value: unknown): Hint | undefined {
  if (typeof value !== 'string' || value.length > MAX_NAME_LENGTH) return undefined;
  const word = asciiLowercase(value.trim());
  return meant(word === 'none' ? 'transparent' : (hexIn(word) ?? closestName(word)));
}

/** Completes hex digits that lack their sign; undefined for other words. */
function hexIn(word: string): string | undefined {
  const hex = `#${word.replace(/^(?:0x|#)/, '')}`;
  return HEX.test(hex) ? hex : undefined;
}

/** Compares names with the same first letter alone: a body may have hundreds of thousands of wrong colours. */
function closestName(word: string): string | undefined {
  return closestMatch(
    word,
    [...NAMED_COLORS.keys()].filter((name) => name[0] === word[0]),
  );
}

/** The 148 named colours of CSS Color 4, section 6.1, as six hexadecimal digits. Names are lower case. */
const TABLE = `
aliceblue f0f8ff  antiquewhite faebd7  aqua 00ffff  aquamarine 7fffd4  azure f0ffff  beige f5f5dc  bisque ffe4c4
black 000000  blanchedalmond ffebcd  blue 0000ff  blueviolet 8a2be2  brown a52a2a  burlywood deb887
cadetblue 5f9ea0  chartreuse 7fff00  chocolate d2691e  coral ff7f50  cornflowerblue 6495ed  cornsilk fff8dc
crimson dc143c  cyan 00ffff  darkblue 00008b  darkcyan 008b8b  darkgoldenrod b8860b  darkgray a9a9a9
darkgreen 006400  darkgrey a9a9a9  darkkhaki bdb76b  darkmagenta 8b008b  darkolivegreen 556b2f
darkorange ff8c00  darkorchid 9932cc  darkred 8b0000  darksalmon e9967a  darkseagreen 8fbc8f
darkslateblue 483d8b  darkslategray 2f4f4f  darkslategrey 2f4f4f  darkturquoise 00ced1  darkviolet 9400d3
deeppink ff1493  deepskyblue 00bfff  dimgray 696969  dimgrey 696969  dodgerblue 1e90ff  firebrick b22222
floralwhite fffaf0  forestgreen 228b22  fuchsia ff00ff  gainsboro dcdcdc  ghostwhite f8f8ff  gold ffd700
goldenrod daa520  gray 808080  green 008000  greenyellow adff2f  grey 808080  honeydew f0fff0  hotpink ff69b4
indianred cd5c5c  indigo 4b0082  ivory fffff0  khaki f0e68c  lavender e6e6fa  lavenderblush fff0f5
lawngreen 7cfc00  lemonchiffon fffacd  lightblue add8e6  lightcoral f08080  lightcyan e0ffff
lightgoldenrodyellow fafad2  lightgray d3d3d3  lightgreen 90ee90  lightgrey d3d3d3  lightpink ffb6c1
lightsalmon ffa07a  lightseagreen 20b2aa  lightskyblue 87cefa  lightslategray 778899  lightslategrey 778899
lightsteelblue b0c4de  lightyellow ffffe0  lime 00ff00  limegreen 32cd32  linen faf0e6  magenta ff00ff
maroon 800000  mediumaquamarine 66cdaa  mediumblue 0000cd  mediumorchid ba55d3  mediumpurple 9370db
mediumseagreen 3cb371  mediumslateblue 7b68ee  mediumspringgreen 00fa9a  mediumturquoise 48d1cc
mediumvioletred c71585  midnightblue 191970  mintcream f5fffa  mistyrose ffe4e1  moccasin ffe4b5
navajowhite ffdead  navy 000080  oldlace fdf5e6  olive 808000  olivedrab 6b8e23  orange ffa500  orangered ff4500
orchid da70d6  palegoldenrod eee8aa  palegreen 98fb98  paleturquoise afeeee  palevioletred db7093
papayawhip ffefd5  peachpuff ffdab9  peru cd853f  pink ffc0cb  plum dda0dd  powderblue b0e0e6  purple 800080
rebeccapurple 663399  red ff0000  rosybrown bc8f8f  royalblue 4169e1  saddlebrown 8b4513  salmon fa8072
sandybrown f4a460  seagreen 2e8b57  seashell fff5ee  sienna a0522d  silver c0c0c0  skyblue 87ceeb
slateblue 6a5acd  slategray 708090  slategrey 708090  snow fffafa  springgreen 00ff7f  steelblue 4682b4
tan d2b48c  teal 008080  thistle d8bfd8  tomato ff6347  turquoise 40e0d0  violet ee82ee  wheat f5deb3
white ffffff  whitesmoke f5f5f5  yellow ffff00  yellowgreen 9acd32
`;

/** Name → RRGGBB. A Map, so that a user's `constructor` finds nothing. */
export const NAMED_COLORS: ReadonlyMap<string, string> = new Map(
  TABLE.trim()
    .split(/\s{2,}|\n/)
    .map((entry) => entry.split(' ') as [string, string]),
);

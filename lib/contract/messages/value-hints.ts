// Suggests values in place of those that another tool would take: ` (write 24)` for "24px", ` (did you mean "blue"?)` for
// "bluu".
import type { Scalar } from '../../errors.js';
import { asciiLowercase } from '../../unicode/ascii.js';
import { isObject } from '../json/is-object.js';
import { lazily } from '../json/lazily.js';
import { closestMatch } from './closest-match.js';

/** A suggestion, and how a message ends with it. */
export interface Hint {
  readonly text: string;
  /** Absent if what is suggested is an object, a list, or the renaming of a field. */
  readonly suggestion?: Scalar;
}

const write = (value: Scalar): Hint => ({ text: ` (write ${JSON.stringify(value)})`, suggestion: value });

/** Suggests the word that was probably meant. */
export const meant = (word: string | undefined): Hint | undefined =>
  word === undefined ? undefined : { text: ` (did you mean "${word}"?)`, suggestion: word };

interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly above?: number | undefined;
  readonly whole?: boolean | undefined;
}

/** Characters. Longer texts are no mistaken numbers or names. */
const MAX_LENGTH = 60;
const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(px|pt|deg|°|%)?$/;

/**
 * Suggests a number for text that is a number with or without a unit, and for fractions in place of percentages or the reverse.
 */
export function numberHint(wrong: unknown, bounds: Bounds = {}): Hint | undefined {
  const value = numberIn(wrong, bounds);
  return value === undefined ? undefined : write(value);
}

function numberIn(wrong: unknown, bounds: Bounds): number | undefined {
  const { min, max } = bounds;
  if (typeof wrong === 'number') {
    if (min === 0 && max === 1 && wrong >= 5 && wrong <= 100) return rounded(wrong / 100);
    return min === 1 && max === 100 && wrong > 0 && wrong < 1 ? inBounds(rounded(wrong * 100), bounds) : undefined;
  }
  if (typeof wrong !== 'string' || wrong.length > MAX_LENGTH) return undefined;
  const [, digits, unit] = NUMBER.exec(wrong.trim()) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits);
  if (unit !== '%') return inBounds(value, bounds);
  // a percentage of a length is no number of pixels
  if (max === undefined || max > 100) return undefined;
  return inBounds(max <= 1 ? rounded(value / 100) : value, bounds);
}

function inBounds(value: number, { min = -Infinity, max = Infinity, above = -Infinity, whole }: Bounds) {
  const isWithin = value >= min && value <= max && value > above && (!whole || Number.isInteger(value));
  return isWithin ? value : undefined;
}

const rounded = (value: number) => Math.round(value * 1e4) / 1e4;

/**
 * Suggests lengths for CSS text of several lengths, if one length or an array of `min` to `max` is expected: `[10, 20]` for
 * "10px 20px".
 */
export function numbersHint(
  wrong: unknown,
  [min, max]: readonly [number, number],
  bounds: Bounds = {},
): Hint | undefined {
  if (typeof wrong !== 'string' || wrong.length > MAX_LENGTH) return undefined;
  const values = wrong
    .trim()
    .split(/[\s,]+/)
    .map((each) => numberIn(each, bounds));
  const [first] = values;
  if (first === undefined || values.includes(undefined)) return undefined;
  if (values.length === 1 && min <= 1) return write(first);
  return values.length >= min && values.length <= max ? { text: ` (write [${values.join(', ')}])` } : undefined;
}

/** Suggests a truth value for one that is written as text or as a number. */
export function flagHint(wrong: unknown): Hint | undefined {
  const word = typeof wrong === 'string' ? asciiLowercase(wrong.slice(0, MAX_LENGTH)) : wrong;
  if (word === 'true' || word === 'yes' || word === 'on' || word === 1) return write(true);
  const isFalse = word === 'false' || word === 'no' || word === 'off' || word === 'none' || word === 0;
  return isFalse ? write(false) : undefined;
}

/** Suggests text for a number or a truth value. */
export function textHint(wrong: unknown): Hint | undefined {
  return typeof wrong === 'number' || typeof wrong === 'boolean' ? write(String(wrong)) : undefined;
}

/** Values with the words that others have for them. */
const WORDS: readonly (readonly [value: string, words: string])[] = [
  ['rectangle', 'rect square box'],
  ['rounded_rectangle', 'roundRect rounded roundedRectangle rrect'],
  ['circle', 'ellipse oval dot'],
  ['polygon', 'triangle polyline hexagon pentagon'],
  ['arc', 'pie wedge ring donut sector'],
  ['path', 'svg'],
  ['start', 'flex-start left top begin min'],
  ['end', 'flex-end right bottom max'],
  ['center', 'middle'],
  ['middle', 'center centre'],
  ['space-between', 'between spaceBetween'],
  ['space-around', 'around spaceAround'],
  ['space-evenly', 'evenly spaceEvenly'],
  ['row', 'horizontal flex inline hstack'],
  ['column', 'vertical stack block vstack'],
  ['none', 'absolute free'],
  ['cover', 'crop fill-crop slice'],
  ['contain', 'inside letterbox meet'],
  ['fill', 'stretch stretched'],
  ['rounded', 'round roundedRect'],
  ['uppercase', 'upper caps'],
  ['lowercase', 'lower'],
  ['capitalize', 'title'],
  ['italic', 'oblique'],
  ['normal', 'regular'],
  ['line-through', 'linethrough strikethrough strike'],
  ['both', 'xy'],
  ['x', 'horizontal'],
  ['y', 'vertical'],
  ['ltr', 'left-to-right'],
  ['rtl', 'right-to-left'],
  ['json', 'application/json'],
  ['png', 'image/png'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['upca', 'upc upc-a'],
  ['itf14', 'itf itf-14'],
  ['gs1-128', 'gs1 ean128'],
  ['datamatrix', 'data_matrix'],
];

const valuesByWord = lazily(() => groupByWord(WORDS));

function groupByWord(
  rows: readonly (readonly [value: string, words: string])[],
): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const [value, words] of rows) {
    for (const word of words.split(' ').map(asciiLowercase)) values.set(word, [...(values.get(word) ?? []), value]);
  }
  return values;
}

/** `one of "a", "b", "c"`. */
export function expectedChoice(values: readonly string[]): string {
  return `one of ${values.map((value) => `"${value}"`).join(', ')}`;
}

/** Suggests one of `values` for a word that is close to it or that others have for it, or for an object that contains one. */
export function choiceHint(wrong: unknown, values: readonly string[]): Hint | undefined {
  if (isObject(wrong)) {
    const inside = Object.values(wrong).find((each) => typeof each === 'string' && values.includes(each));
    return inside === undefined ? undefined : write(inside as string);
  }
  if (typeof wrong !== 'string' || wrong.length > MAX_LENGTH) return undefined;
  const others = valuesByWord().get(asciiLowercase(wrong)) ?? [];
  return meant(others.find((each) => values.includes(each)) ?? closestMatch(wrong, values));
}

/** The types of layers with what others call them, and the field that says more. */
const typesByWord = lazily(() =>
  groupByWord([
    ['"shape" with "shapeType": "rectangle"', 'rect rectangle square'],
    ['"shape" with "shapeType": "rounded_rectangle"', 'roundRect rounded_rectangle'],
    ['"shape" with "shapeType": "circle"', 'circle ellipse oval'],
    ['"shape" with "shapeType": "line"', 'line hr divider rule'],
    ['"shape" with "shapeType": "polygon"', 'polygon triangle polyline regularPolygon'],
    ['"shape" with "shapeType": "star"', 'star'],
    ['"shape" with "shapeType": "path"', 'path vector'],
    ['"shape" with "shapeType": "arc"', 'arc ring wedge pie donut'],
    ['"shape" with "shapeType": "pill"', 'pill capsule'],
    ['image', 'img picture photo svg bitmap icon logo background'],
    [
      'text',
      'span p h1 h2 h3 h4 label heading headline title paragraph textbox i-text itext richtext rich_text string caption',
    ],
    ['group', 'div view frame container box flex row column stack section layer component instance hstack vstack'],
    ['qrcode', 'qr qr_code'],
    ['"barcode" with a "symbology"', 'code128 code39 ean13 ean8 upca itf14 pdf417 datamatrix aztec'],
  ]),
);

/** Suggests the type of a layer, as `choiceHint` does. */
export function typeHint(wrong: unknown, types: readonly string[]): Hint | undefined {
  const [found] =
    typeof wrong === 'string' ? (typesByWord().get(asciiLowercase(wrong.slice(0, MAX_LENGTH))) ?? []) : [];
  if (found === undefined) return choiceHint(wrong, types);
  const type = /^"(\w+)"/.exec(found)?.[1];
  return type === undefined ? meant(found) : { text: ` (did you mean ${found}?)`, suggestion: type };
}

const weightsByWord = lazily(() =>
  groupByWord([
    ['100', 'thin hairline'],
    ['200', 'extralight ultralight extra-light'],
    ['300', 'light lighter'],
    ['400', 'regular book'],
    ['500', 'medium'],
    ['600', 'semibold demibold semi-bold demi-bold'],
    ['800', 'extrabold ultrabold extra-bold bolder'],
    ['900', 'black heavy'],
  ]),
);

/** Suggests a weight for names that CSS has no keyword for. */
export function weightHint(wrong: unknown): Hint | undefined {
  if (typeof wrong !== 'string') return undefined;
  const [weight] = weightsByWord().get(asciiLowercase(wrong.slice(0, MAX_LENGTH))) ?? [];
  return weight === undefined ? undefined : write(weight);
}

const BORDER = /^(\d+(?:\.\d+)?)px\s+(?:solid\s+)?(\S.*)$/;
const SHADOW = /^(-?\d+(?:\.\d+)?)(?:px)?\s+(-?\d+(?:\.\d+)?)(?:px)?(?:\s+(\d+(?:\.\d+)?)(?:px)?)?\s+([a-z#].*)$/i;

/** Suggests an object with these fields for a CSS text, a colour, a width or a URL. */
export function objectHint(wrong: unknown, has: (field: string) => boolean): Hint | undefined {
  const object = (fields: Readonly<Record<string, unknown>>): Hint => {
    const entries = Object.entries(fields).map(([field, value]) => `"${field}": ${JSON.stringify(value)}`);
    return { text: ` (write { ${entries.join(', ')} })` };
  };
  if (typeof wrong === 'number') return has('width') && has('color') ? object({ width: wrong }) : undefined;
  if (typeof wrong !== 'string' || wrong.length > MAX_LENGTH) return undefined;
  const text = wrong.trim();
  const line = has('width') && has('color') ? BORDER.exec(text) : null;
  if (line) return object({ width: Number(line[1]), color: line[2] });
  const shadow = has('offsetX') ? SHADOW.exec(text) : null;
  if (shadow) {
    const [, x, y, blur, color] = shadow;
    return object({ offsetX: Number(x), offsetY: Number(y), ...(blur && { blur: Number(blur) }), color });
  }
  if (has('url') && /[/.:]/.test(text)) return object({ url: text });
  return has('color') && /^(?:#[\da-f]{3,8}|[a-z]+|(?:rgb|hsl)a?\(.*\))$/i.test(text)
    ? object({ color: text })
    : undefined;
}

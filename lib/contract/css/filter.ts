// Parses CSS filter lists: what filter and backdropFilter accept.
import * as z from 'zod';
import type { Color } from '../../raster/color.js';
import { AMOUNT_FILTERS, type FilterFunction } from '../../raster/filters/filter.js';
import { readAngle, readLength, Scanner } from './scanner.js';

/** Maximum functions of a list. */
const MAX_FUNCTIONS = 20;
const MAX_AMOUNT = 1e6;
/** Maximum standard deviation of a blur, in pixels. */
const MAX_SIGMA = 1e4;
const MAX_OFFSET = 1e6;

const EXPECTED =
  'a CSS filter list of blur(), brightness(), contrast(), drop-shadow(), grayscale(), hue-rotate(), invert(), opacity(), saturate() and sepia(), such as blur(4px) saturate(1.5), or none';
const EXPECTED_BLUR = `blur() of a length from 0 to ${MAX_SIGMA}px`;
const EXPECTED_ANGLE = 'hue-rotate() of an angle such as 90deg';
const EXPECTED_SHADOW = `drop-shadow() of two offsets of up to ${MAX_OFFSET}px, a blur from 0 to ${MAX_SIGMA}px and a color, such as drop-shadow(2px 4px 3px #00000080)`;

type AmountFilter = (typeof AMOUNT_FILTERS)[number];

/** The functions that reach their full effect at 1: more is the same. */
const LIMITED: readonly AmountFilter[] = ['grayscale', 'invert', 'opacity', 'sepia'];

/** The functions in order, or what was expected. */
export function parseFilter(text: string): readonly FilterFunction[] | string {
  const scanner = new Scanner(text);
  if (scanner.keyword(['none'])) return scanner.isDone ? [] : EXPECTED;
  const functions: FilterFunction[] = [];
  do {
    const name = scanner.functionName();
    const fn = name === undefined ? EXPECTED : readFunction(scanner, name);
    if (typeof fn === 'string') return fn;
    if (functions.length === MAX_FUNCTIONS) return `a filter list of at most ${MAX_FUNCTIONS} functions`;
    functions.push(fn);
  } while (!scanner.isDone);
  return functions;
}

/** The function after its opening bracket, or what was expected. */
function readFunction(scanner: Scanner, name: string): FilterFunction | string {
  if (name === 'blur') return readBlur(scanner) ?? EXPECTED_BLUR;
  if (name === 'hue-rotate') return readHueRotation(scanner) ?? EXPECTED_ANGLE;
  if (name === 'drop-shadow') return readDropShadow(scanner) ?? EXPECTED_SHADOW;
  const type = AMOUNT_FILTERS.find((known) => known === name);
  if (!type) return EXPECTED;
  const amount = readAmount(scanner);
  if (amount === undefined) return `${type}() of a number or percentage of at least 0, such as 0.5 or 50%`;
  return { type, amount: LIMITED.includes(type) ? Math.min(1, amount) : amount };
}

/** A number or percentage, by default 1, and the closing bracket. */
function readAmount(scanner: Scanner): number | undefined {
  if (scanner.mark(')')) return 1;
  const found = scanner.dimension();
  if (!found || (found.unit !== '' && found.unit !== '%')) return undefined;
  const amount = found.unit === '%' ? found.value / 100 : found.value;
  return amount >= 0 && amount <= MAX_AMOUNT && scanner.mark(')') ? amount : undefined;
}

function readBlur(scanner: Scanner): FilterFunction | undefined {
  if (scanner.mark(')')) return { type: 'blur', sigma: 0 };
  const sigma = readPixels(scanner, 0, MAX_SIGMA);
  return sigma !== undefined && scanner.mark(')') ? { type: 'blur', sigma } : undefined;
}

function readHueRotation(scanner: Scanner): FilterFunction | undefined {
  if (scanner.mark(')')) return { type: 'hue-rotate', degrees: 0 };
  const degrees = readAngle(scanner);
  return degrees !== undefined && scanner.mark(')') ? { type: 'hue-rotate', degrees } : undefined;
}

/** Two offsets and perhaps a blur, before or after a colour, which is otherwise the layer's own. */
function readDropShadow(scanner: Scanner): FilterFunction | undefined {
  const before = readShadowColor(scanner);
  const x = readPixels(scanner, -MAX_OFFSET, MAX_OFFSET);
  const y = readPixels(scanner, -MAX_OFFSET, MAX_OFFSET);
  if (x === undefined || y === undefined) return undefined;
  const sigma = readPixels(scanner, 0, MAX_SIGMA) ?? 0;
  const color = before ?? readShadowColor(scanner) ?? 'currentcolor';
  return scanner.mark(')') ? { type: 'drop-shadow', x, y, sigma, color } : undefined;
}

function readShadowColor(scanner: Scanner): Color | 'currentcolor' | undefined {
  return scanner.keyword(['currentcolor']) ?? scanner.color();
}

/** A length in px. */
function readPixels(scanner: Scanner, min: number, max: number): number | undefined {
  return scanner.attempt(() => {
    const length = readLength(scanner);
    return length?.percent === 0 && length.px >= min && length.px <= max ? length.px : undefined;
  });
}

/** A filter list on the wire, its functions inside. */
export const filter = z
  .string({ error: EXPECTED })
  .transform((text, context): readonly FilterFunction[] => {
    const parsed = parseFilter(text);
    if (typeof parsed !== 'string') return parsed;
    context.addIssue({ code: 'custom', message: parsed });
    return z.NEVER;
  })
  .meta({ format: 'css-filter' });

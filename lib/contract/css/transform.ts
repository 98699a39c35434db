// Parses CSS transform lists and transform-origin.
import * as z from 'zod';
import { IDENTITY, rotationAbout, translation } from '../../geometry/affine.js';
import type { LengthPercentage, Position } from '../../geometry/length.js';
import { tan } from '../../geometry/math.js';
import type { TransformFunction } from '../../geometry/transform.js';
import { readPosition } from './position.js';
import { readAngle, readLength, Scanner } from './scanner.js';

/** Maximum functions of a list. */
const MAX_FUNCTIONS = 20;
/** Maximum factor of scale() and number of matrix(), other than its last two. */
const MAX_FACTOR = 1000;
const MAX_DISTANCE = 1e6;

const EXPECTED =
  'a CSS transform list of translate(), rotate(), scale(), skew() and matrix(), such as rotate(15deg) scale(1.2), or none';

/** Reads a function's arguments. */
type Reader = (scanner: Scanner) => TransformFunction | undefined;

const ZERO: LengthPercentage = { px: 0, percent: 0 };

function moveBy(x: LengthPercentage, y: LengthPercentage): TransformFunction {
  const map = translation(x.px, y.px);
  return x.percent === 0 && y.percent === 0 ? { map } : { map, share: { x: x.percent, y: y.percent } };
}

function stretchBy(a: number, d: number): TransformFunction {
  return { map: { ...IDENTITY, a, d } };
}

function slantBy(x: number, y: number): TransformFunction | undefined {
  const [c, b] = [tangentOf(x), tangentOf(y)];
  return isFactor(b) && isFactor(c) ? { map: { ...IDENTITY, b, c } } : undefined;
}

const tangentOf = (degrees: number) => tan((degrees * Math.PI) / 180);
const isFactor = (value: number) => Math.abs(value) <= MAX_FACTOR;

/** Applies `make` to one value of the scanner. */
function one<Value>(
  read: (scanner: Scanner) => Value | undefined,
  make: (value: Value) => TransformFunction | undefined,
) {
  return (scanner: Scanner): TransformFunction | undefined => {
    const value = read(scanner);
    return value === undefined ? undefined : make(value);
  };
}

/** Applies `make` to one or two values; `other` returns the second when it is absent. */
function two<Value>(
  read: (scanner: Scanner) => Value | undefined,
  other: (first: Value) => Value,
  make: (first: Value, second: Value) => TransformFunction | undefined,
): Reader {
  return (scanner) => {
    const first = read(scanner);
    if (first === undefined) return undefined;
    const second = scanner.mark(',') ? read(scanner) : other(first);
    return second === undefined ? undefined : make(first, second);
  };
}

const READERS = new Map<string, Reader>([
  ['translate', two(readDistance, () => ZERO, moveBy)],
  ['translatex', one(readDistance, (x) => moveBy(x, ZERO))],
  ['translatey', one(readDistance, (y) => moveBy(ZERO, y))],
  ['scale', two(readFactor, (x) => x, stretchBy)],
  ['scalex', one(readFactor, (x) => stretchBy(x, 1))],
  ['scaley', one(readFactor, (y) => stretchBy(1, y))],
  ['rotate', one(readAngle, (angle) => ({ map: rotationAbout(angle, 0, 0) }))],
  ['skew', two(readAngle, () => 0, slantBy)],
  ['skewx', one(readAngle, (x) => slantBy(x, 0))],
  ['skewy', one(readAngle, (y) => slantBy(0, y))],
  ['matrix', readMatrix],
]);

function readDistance(scanner: Scanner): LengthPercentage | undefined {
  const length = readLength(scanner);
  return length && isNear(length) ? length : undefined;
}

/** A number, or a percentage as CSS Transforms 2 allows. */
function readFactor(scanner: Scanner): number | undefined {
  const found = scanner.dimension();
  if (!found || (found.unit !== '' && found.unit !== '%')) return undefined;
  const factor = found.unit === '%' ? found.value / 100 : found.value;
  return isFactor(factor) ? factor : undefined;
}

function readMatrix(scanner: Scanner): TransformFunction | undefined {
  const numbers: number[] = [];
  do {
    const number = scanner.number();
    if (number === undefined) return undefined;
    numbers.push(number);
  } while (scanner.mark(',') && numbers.length < 6);
  const [a, b, c, d, e, f] = numbers;
  const isBounded = [a, b, c, d].every(isFactor) && Math.abs(e) <= MAX_DISTANCE && Math.abs(f) <= MAX_DISTANCE;
  return numbers.length === 6 && isBounded ? { map: { a, b, c, d, e, f } } : undefined;
}

/** The functions in order, empty for none; or what was expected. */
export function parseTransform(text: string): readonly TransformFunction[] | string {
  const scanner = new Scanner(text);
  if (scanner.keyword(['none'])) return scanner.isDone ? [] : EXPECTED;
  const functions: TransformFunction[] = [];
  do {
    const fn = READERS.get(scanner.functionName() ?? '')?.(scanner);
    if (!fn || !scanner.mark(')')) return EXPECTED;
    if (functions.length === MAX_FUNCTIONS) return `a transform list of at most ${MAX_FUNCTIONS} functions`;
    functions.push(fn);
  } while (!scanner.isDone);
  return functions;
}

const EXPECTED_ORIGIN = 'a CSS position such as "top left", "50% 100%" or "20px 0"';

/** The point, or undefined. */
export function parseTransformOrigin(text: string): Position | undefined {
  const scanner = new Scanner(text);
  const position = readPosition(scanner);
  return position && scanner.isDone && isNear(position.x) && isNear(position.y) ? position : undefined;
}

function isNear({ px, percent }: LengthPercentage): boolean {
  return Math.abs(px) <= MAX_DISTANCE && Math.abs(percent) <= MAX_DISTANCE;
}

/** A transform list on the wire, its functions inside. */
export const transform = z.string({ error: EXPECTED }).transform((text, context): readonly TransformFunction[] => {
  const parsed = parseTransform(text);
  if (typeof parsed !== 'string') return parsed;
  context.addIssue({ code: 'custom', message: parsed });
  return z.NEVER;
});

/** A transform-origin on the wire, a Position inside. */
export const transformOrigin = z.string({ error: EXPECTED_ORIGIN }).transform((text, context): Position => {
  const position = parseTransformOrigin(text);
  if (position) return position;
  context.addIssue({ code: 'custom', message: EXPECTED_ORIGIN });
  return z.NEVER;
});

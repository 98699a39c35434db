// Parses CSS clip-path: the basic shapes inset(), circle(), ellipse(), polygon() and path().
import * as z from 'zod';
import type { BasicShape, ShapeRadius } from '../../geometry/basic-shape.js';
import type { LengthPercentage, Position } from '../../geometry/length.js';
import { isPathError, parsePathData } from '../../geometry/path-data.js';
import { readPosition } from './position.js';
import { readLength, Scanner } from './scanner.js';

/** Maximum corners of a polygon. */
const MAX_POINTS = 10_000;

const EXPECTED =
  'a CSS shape: inset(), circle(), ellipse(), polygon() or path(), such as circle(40px at 50% 50%) or polygon(0 0, 100% 0, 50% 100%)';

const CENTER: Position = { x: { px: 0, percent: 50 }, y: { px: 0, percent: 50 } };
const ZERO: LengthPercentage = { px: 0, percent: 0 };

/** The shape, or what was expected. */
type Parsed = { readonly shape: BasicShape } | { readonly shape?: undefined; readonly expected: string };

export function parseClipPath(text: string): Parsed {
  const scanner = new Scanner(text);
  const read = READERS.get(scanner.functionName() ?? '');
  const found = read?.(scanner);
  if (typeof found === 'string') return { expected: found };
  return found && scanner.mark(')') && scanner.isDone ? { shape: found } : { expected: EXPECTED };
}

/** Reads a function's arguments; undefined if they are malformed, or what was expected. */
type Reader = (scanner: Scanner) => BasicShape | string | undefined;

const READERS = new Map<string, Reader>([
  ['inset', readInset],
  ['circle', readCircle],
  ['ellipse', readEllipse],
  ['polygon', readPolygon],
  ['path', readPath],
]);

function readInset(scanner: Scanner): BasicShape | undefined {
  const insets = readSides(scanner, readLength);
  if (!insets) return undefined;
  if (!scanner.keyword(['round'])) return { kind: 'inset', insets, corners: cornersOf([ZERO], [ZERO]) };
  const across = readSides(scanner, readRadius);
  const down = across && scanner.mark('/') ? readSides(scanner, readRadius) : across;
  return across && down && { kind: 'inset', insets, corners: cornersOf(across, down) };
}

/** Reads one to four values and completes them as CSS does for the sides of a box. */
function readSides(
  scanner: Scanner,
  read: (scanner: Scanner) => LengthPercentage | undefined,
): readonly [LengthPercentage, LengthPercentage, LengthPercentage, LengthPercentage] | undefined {
  const values: LengthPercentage[] = [];
  while (values.length < 4) {
    const value = read(scanner);
    if (!value) break;
    values.push(value);
  }
  if (values.length === 0) return undefined;
  const [first, second = first, third = first, fourth = second] = values;
  return [first, second, third, fourth];
}

function cornersOf(
  [a, b = a, c = a, d = b]: readonly LengthPercentage[],
  [e, f = e, g = e, h = f]: readonly LengthPercentage[],
): readonly [Position, Position, Position, Position] {
  return [
    { x: a, y: e },
    { x: b, y: f },
    { x: c, y: g },
    { x: d, y: h },
  ];
}

/** A length that is not negative. */
function readRadius(scanner: Scanner): LengthPercentage | undefined {
  return scanner.attempt(() => {
    const length = readLength(scanner);
    return length && length.px >= 0 && length.percent >= 0 ? length : undefined;
  });
}

function readShapeRadius(scanner: Scanner): ShapeRadius | undefined {
  return scanner.keyword(['closest-side', 'farthest-side']) ?? readRadius(scanner);
}

function readCircle(scanner: Scanner): BasicShape | undefined {
  const radius = readShapeRadius(scanner) ?? 'closest-side';
  const center = readCenter(scanner);
  return center && { kind: 'circle', radius, center };
}

function readEllipse(scanner: Scanner): BasicShape | undefined {
  const x = readShapeRadius(scanner);
  const y = readShapeRadius(scanner);
  if (x && !y) return undefined;
  const center = readCenter(scanner);
  return center && { kind: 'ellipse', radii: [x ?? 'closest-side', y ?? 'closest-side'], center };
}

/** `at` with a position; without it the box's centre. */
function readCenter(scanner: Scanner): Position | undefined {
  return scanner.keyword(['at']) ? readPosition(scanner) : CENTER;
}

/** A fill rule and the comma after it. */
function readRule(scanner: Scanner): 'nonzero' | 'evenodd' | undefined {
  const rule = scanner.keyword(['nonzero', 'evenodd']);
  if (!rule) return 'nonzero';
  return scanner.mark(',') ? rule : undefined;
}

function readPolygon(scanner: Scanner): BasicShape | string | undefined {
  const rule = readRule(scanner);
  if (!rule) return undefined;
  const points: Position[] = [];
  do {
    const x = readLength(scanner);
    const y = readLength(scanner);
    if (!x || !y) return undefined;
    if (points.length === MAX_POINTS) return `a polygon of at most ${MAX_POINTS} corners`;
    points.push({ x, y });
  } while (scanner.mark(','));
  return { kind: 'polygon', rule, points };
}

function readPath(scanner: Scanner): BasicShape | string | undefined {
  const rule = readRule(scanner);
  const text = rule && scanner.string();
  if (!rule || text === undefined) return undefined;
  const data = parsePathData(text);
  if (isPathError(data)) return `${data.expected} at character ${data.at + 1} of the path data`;
  return data.verbs.length > 0 ? { kind: 'path', rule, data } : undefined;
}

/** A clip-path on the wire, a BasicShape inside. */
export const clipPath = z.string({ error: EXPECTED }).transform((text, context): BasicShape => {
  const { shape, ...failed } = parseClipPath(text);
  if (shape) return shape;
  context.addIssue({ code: 'custom', message: 'expected' in failed ? failed.expected : EXPECTED });
  return z.NEVER;
});

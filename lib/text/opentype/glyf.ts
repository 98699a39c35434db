// TrueType outlines (OpenType 1.9 "glyf" and "loca"), with HarfBuzz's points and order of contours, in 32-bit floats.
import { Path } from '../../geometry/path.js';
import type { Data } from './data.js';
import type { Metrics } from './metrics.js';
import type { GlyphDeltas } from './variations.js';

interface Point {
  x: number;
  y: number;
  readonly isOnCurve: boolean;
  /** Whether it is its contour's last. */
  readonly isEnd: boolean;
}

interface Outline {
  readonly points: Point[];
  /** The origin of the glyph, from which the outline is shifted to x = 0. */
  readonly originX: number;
  /** The change of its advance by variations. */
  readonly advanceDelta: number;
}

export interface Outlines {
  path(glyph: number): Path;
  advanceDelta(glyph: number): number;
}

/** Levels of composite glyphs, and points of one glyph. */
const MAX_DEPTH = 64;
const MAX_POINTS = 20_000;
// flags of a simple glyph's points
const ON_CURVE = 1;
const X_SHORT = 2;
const Y_SHORT = 4;
const REPEAT = 8;
const X_SAME = 16;
const Y_SAME = 32;
// flags of a component
const ARE_WORDS = 1;
const ARE_OFFSETS = 2;
const HAS_SCALE = 8;
const HAS_MORE = 32;
const HAS_TWO_SCALES = 64;
const HAS_MATRIX = 128;
const USE_MY_METRICS = 0x200;
const HAS_SCALED_OFFSET = 0x800;

const EMPTY: Outline = { points: [], originX: 0, advanceDelta: 0 };
const { fround } = Math;

export function glyfOutlines(
  glyf: Data,
  loca: Data,
  isLong: boolean,
  metrics: Metrics,
  deltasOf?: GlyphDeltas,
): Outlines {
  const offset = (index: number) => (isLong ? loca.u32(4 * index) : 2 * loca.u16(2 * index));

  function read(glyph: number, depth: number, budget: { points: number }): Outline {
    if (glyph >= metrics.glyphs || depth > MAX_DEPTH) return EMPTY;
    const [start, end] = [offset(glyph), offset(glyph + 1)];
    if (end - start < 10 || end > glyf.length) return EMPTY;
    const contours = glyf.i16(start);
    let originX = glyf.i16(start + 2) - metrics.leftSideBearing(glyph);
    const points = contours >= 0 ? simplePoints(glyf, start, end, contours) : componentOffsets(glyf, start + 10, end);
    let deltas: readonly Position[] | undefined;
    let advanceDelta = 0;
    if (deltasOf) {
      const ends = contours >= 0 ? points.flatMap(({ isEnd }, i) => (isEnd ? [i] : [])) : [];
      // after the points come the glyph's origin, its advance and two of vertical text
      const phantoms = [originX, originX, 0, 0].map((x) => ({ x, y: 0 }));
      deltas = deltasOf(glyph, [...points, ...phantoms], ends);
      const [origin, advance] = deltas?.slice(points.length) ?? [];
      if (origin && advance) {
        originX = fround(originX + origin.x);
        advanceDelta = advance.x - origin.x;
      }
    }
    if (contours < 0) return composite(start + 10, end, { originX, advanceDelta }, depth, budget, deltas);
    deltas?.slice(0, points.length).forEach(({ x, y }, i) => {
      points[i].x = fround(points[i].x + x);
      points[i].y = fround(points[i].y + y);
    });
    budget.points -= points.length;
    return { points: budget.points < 0 ? [] : points, originX, advanceDelta };
  }

  function composite(
    start: number,
    end: number,
    own: Omit<Outline, 'points'>,
    depth: number,
    budget: { points: number },
    deltas: readonly Position[] | undefined,
  ): Outline {
    const points: Point[] = [];
    let component = 0;
    let { originX, advanceDelta } = own;
    let at = start;
    for (let flags = HAS_MORE; (flags & HAS_MORE) !== 0 && at + 4 <= end && budget.points >= 0; ) {
      flags = glyf.u16(at);
      const part = read(glyf.u16(at + 2), depth + 1, budget);
      budget.points--;
      at += 4;
      const areWords = (flags & ARE_WORDS) !== 0;
      const areOffsets = (flags & ARE_OFFSETS) !== 0;
      const argument = (index: number) => {
        const raw = areWords ? glyf.u16(at + 2 * index) : glyf.u8(at + index);
        if (!areOffsets) return raw;
        return areWords ? (raw << 16) >> 16 : (raw << 24) >> 24;
      };
      const delta = deltas?.[component++];
      const [first, second] = [argument(0), argument(1)];
      const [moveX, moveY] = delta ? [fround(first + delta.x), fround(second + delta.y)] : [first, second];
      at += areWords ? 4 : 2;
      const matrix = [1, 0, 0, 1];
      const fixed = () => {
        at += 2;
        return glyf.i16(at - 2) / 16_384;
      };
      if (flags & HAS_SCALE) matrix[0] = matrix[3] = fixed();
      else if (flags & HAS_TWO_SCALES) [matrix[0], matrix[3]] = [fixed(), fixed()];
      else if (flags & HAS_MATRIX) for (let i = 0; i < 4; i++) matrix[i] = fixed();
      if (flags & USE_MY_METRICS) ({ originX, advanceDelta } = part);
      const isScaled = (flags & (HAS_SCALE | HAS_TWO_SCALES | HAS_MATRIX)) !== 0;
      const moved = part.points.map((point) => ({ ...point }));
      const isOffsetScaled = areOffsets && (flags & HAS_SCALED_OFFSET) !== 0;
      if (isOffsetScaled) translate(moved, moveX, moveY);
      if (isScaled) transform(moved, matrix);
      if (areOffsets && !isOffsetScaled) translate(moved, moveX, moveY);
      if (!areOffsets && points[first] && moved[second]) {
        translate(moved, fround(points[first].x - moved[second].x), fround(points[first].y - moved[second].y));
      }
      points.push(...moved);
    }
    return { points: budget.points < 0 ? [] : points, originX, advanceDelta };
  }

  return {
    path(glyph) {
      const { points, originX } = read(glyph, 0, { points: MAX_POINTS });
      if (originX !== 0) translate(points, -originX, 0);
      return draw(points);
    },
    advanceDelta: (glyph) => read(glyph, 0, { points: MAX_POINTS }).advanceDelta,
  };
}

/** A point for the offset of each component, as variations number them. */
function componentOffsets(glyf: Data, start: number, end: number): Point[] {
  const offsets: Point[] = [];
  let at = start;
  for (let flags = HAS_MORE; (flags & HAS_MORE) !== 0 && at + 4 <= end; ) {
    flags = glyf.u16(at);
    offsets.push({ x: 0, y: 0, isOnCurve: true, isEnd: false });
    at += 4 + (flags & ARE_WORDS ? 4 : 2);
    at += flags & HAS_SCALE ? 2 : flags & HAS_TWO_SCALES ? 4 : flags & HAS_MATRIX ? 8 : 0;
  }
  return offsets;
}

function simplePoints(glyf: Data, start: number, end: number, contours: number): Point[] {
  let at = start + 10 + 2 * contours;
  const count = contours === 0 ? 0 : glyf.u16(at - 2) + 1;
  if (count > MAX_POINTS) return [];
  const ends = new Set<number>();
  for (let i = 0; i < contours; i++) ends.add(glyf.u16(start + 10 + 2 * i));
  at += 2 + glyf.u16(at);
  const flags: number[] = [];
  while (flags.length < count && at < end) {
    const flag = glyf.u8(at++);
    const times = flag & REPEAT ? 1 + glyf.u8(at++) : 1;
    for (let i = 0; i < times && flags.length < count; i++) flags.push(flag);
  }
  if (flags.length < count) return [];
  const coordinates = (short: number, same: number) => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? glyf.u8(at++) : -glyf.u8(at++);
      else if (!(flag & same)) {
        value += glyf.i16(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = coordinates(X_SHORT, X_SAME);
  const ys = coordinates(Y_SHORT, Y_SAME);
  if (at > end) return [];
  return xs.map((x, i) => ({ x, y: ys[i], isOnCurve: (flags[i] & ON_CURVE) !== 0, isEnd: ends.has(i) }));
}

function translate(points: Point[], x: number, y: number): void {
  for (const point of points) {
    point.x = fround(point.x + x);
    point.y = fround(point.y + y);
  }
}

function transform(points: Point[], [a, b, c, d]: readonly number[]): void {
  for (const point of points) {
    const x = fround(fround(point.x * a) + fround(point.y * c));
    point.y = fround(fround(point.x * b) + fround(point.y * d));
    point.x = x;
  }
}

interface Position {
  readonly x: number;
  readonly y: number;
}

const middle = (a: Position, b: Position): Position => ({
  x: fround(fround(a.x + b.x) * 0.5),
  y: fround(fround(a.y + b.y) * 0.5),
});

/** Two control points in a row have a point of the curve halfway between them. */
function draw(points: readonly Point[]): Path {
  const path = new Path();
  for (let start = 0; start < points.length; ) {
    let end = start;
    while (end < points.length - 1 && !points[end].isEnd) end++;
    drawContour(path, points.slice(start, end + 1));
    start = end + 1;
  }
  return path;
}

function drawContour(path: Path, points: readonly Point[]): void {
  const [first, last] = [points[0], points[points.length - 1]];
  // a contour that begins with a control point begins at its last point, or halfway to that
  const isAtLast = !first.isOnCurve && last.isOnCurve;
  const start: Position = first.isOnCurve ? first : isAtLast ? last : middle(last, first);
  let control: Position | undefined;
  path.moveTo(start.x, start.y);
  const drawTo = (to: Position) => {
    if (control) path.quadTo(control.x, control.y, to.x, to.y);
    else path.lineTo(to.x, to.y);
    control = undefined;
  };
  for (const point of points.slice(first.isOnCurve ? 1 : 0, isAtLast ? -1 : undefined)) {
    if (point.isOnCurve) drawTo(point);
    else {
      if (control) drawTo(middle(control, point));
      control = point;
    }
  }
  drawTo(start);
  path.close();
}

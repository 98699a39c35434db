// Variable fonts (OpenType 1.9, "OpenType Font Variations"): positions on the axes, the deltas of item variation stores, and
// the deltas of a glyph's points.
import type { Axis } from '../text-engine.js';
import type { Data } from './data.js';

/** 1 as a number with 14 bits after the point. */
const ONE = 16_384;
const MAX_AXES = 64;

interface AxisRecord extends Axis {
  readonly tag: string;
  readonly initial: number;
}

function readAxisRecords(fvar: Data | undefined): AxisRecord[] {
  if (!fvar) return [];
  const [first, count, size] = [fvar.u16(4), Math.min(MAX_AXES, fvar.u16(8)), fvar.u16(10)];
  const fixed = (at: number) => (fvar.u32(at) | 0) / 65_536;
  return Array.from({ length: count }, (_, i) => {
    const at = first + i * size;
    return { tag: fvar.tag(at), min: fixed(at + 4), initial: fixed(at + 8), max: fixed(at + 12) };
  });
}

export function readAxes(fvar: Data | undefined): Map<string, Axis> {
  return new Map(readAxisRecords(fvar).map(({ tag, min, max }) => [tag, { min, max }]));
}

/** The position of each axis, from -1 to 1 in units of 1/16,384; empty at the default of all axes. */
export function positionsOf(
  tables: ReadonlyMap<string, Data>,
  settings: ReadonlyMap<string, number>,
): readonly number[] {
  const avar = tables.get('avar');
  let map = 8;
  const positions = readAxisRecords(tables.get('fvar')).map(({ tag, min, initial, max }) => {
    const value = Math.min(max, Math.max(min, settings.get(tag) ?? initial));
    const range = value < initial ? initial - min : max - initial;
    let position = Math.round((range === 0 ? 0 : (value - initial) / range) * ONE);
    if (avar) {
      position = mapped(avar, map, position);
      map += 2 + 4 * avar.u16(map);
    }
    return position;
  });
  return positions.some((position) => position !== 0) ? positions : [];
}

/** The value of an axis's segment map in avar. */
function mapped(avar: Data, at: number, position: number): number {
  const count = avar.u16(at);
  const from = (i: number) => avar.i16(at + 2 + 4 * i);
  const to = (i: number) => avar.i16(at + 4 + 4 * i);
  if (count < 2) return count === 0 ? position : position - from(0) + to(0);
  if (position <= from(0)) return position - from(0) + to(0);
  let i = 1;
  while (i < count - 1 && position > from(i)) i++;
  if (position >= from(i)) return position - from(i) + to(i);
  const width = from(i) - from(i - 1);
  if (width === 0) return to(i - 1);
  return Math.round(to(i - 1) + ((to(i) - to(i - 1)) * (position - from(i - 1))) / width);
}

/** Returns the share of a region's delta that applies on one axis. */
function scalarOn(start: number, peak: number, end: number, position: number): number {
  if (peak === 0 || position === peak || start > peak || peak > end || (start < 0 && end > 0)) return 1;
  if (position <= start || position >= end) return 0;
  return position < peak ? (position - start) / (peak - start) : (end - position) / (end - peak);
}

/** An item variation store: deltas by an outer and an inner index. */
export class VariationStore {
  private readonly scalars: readonly number[];

  constructor(
    private readonly data: Data,
    private readonly at: number,
    positions: readonly number[],
  ) {
    const regions = at + data.u32(at + 2);
    const axes = data.u16(regions);
    this.scalars = Array.from({ length: Math.min(data.u16(regions + 2), 4096) }, (_, region) => {
      let scalar = 1;
      for (let axis = 0; axis < Math.min(axes, MAX_AXES); axis++) {
        const range = regions + 4 + 6 * (region * axes + axis);
        scalar *= scalarOn(data.i16(range), data.i16(range + 2), data.i16(range + 4), positions[axis] ?? 0);
      }
      return scalar;
    });
  }

  delta(outer: number, inner: number): number {
    const { data, at, scalars } = this;
    if (outer >= data.u16(at + 6)) return 0;
    const list = at + data.u32(at + 8 + 4 * outer);
    const words = data.u16(list + 2) & 0x7fff;
    const areLong = (data.u16(list + 2) & 0x8000) !== 0;
    const regions = data.u16(list + 4);
    if (inner >= data.u16(list) || words > regions) return 0;
    const [wide, narrow] = areLong ? [4, 2] : [2, 1];
    let place = list + 6 + 2 * regions + inner * (words * wide + (regions - words) * narrow);
    let delta = 0;
    for (let i = 0; i < regions; i++) {
      const size = i < words ? wide : narrow;
      const value = size === 4 ? data.u32(place) | 0 : size === 2 ? data.i16(place) : (data.u8(place) << 24) >> 24;
      delta += value * (scalars[data.u16(list + 6 + 2 * i)] ?? 0);
      place += size;
    }
    return delta;
  }
}

/** The function from a glyph to the delta of its advance; undefined without HVAR. */
export function advanceDeltas(
  hvar: Data | undefined,
  positions: readonly number[],
): ((glyph: number) => number) | undefined {
  if (!hvar || positions.length === 0) return undefined;
  const store = new VariationStore(hvar, hvar.u32(4), positions);
  const map = hvar.u32(8);
  return (glyph) => (map === 0 ? store.delta(0, glyph) : store.delta(...deltaSetIndexes(hvar, map, glyph)));
}

/** The outer and the inner index of a delta set that a map has for `index`. */
export function deltaSetIndexes(data: Data, map: number, index: number): [outer: number, inner: number] {
  const isLong = data.u8(map) === 1;
  const [format, count, first] = [
    data.u8(map + 1),
    isLong ? data.u32(map + 2) : data.u16(map + 2),
    map + (isLong ? 6 : 4),
  ];
  const size = ((format & 0x30) >> 4) + 1;
  const bits = (format & 0xf) + 1;
  let entry = 0;
  for (let i = 0; i < size; i++) entry = entry * 256 + data.u8(first + size * Math.min(index, count - 1) + i);
  return [Math.floor(entry / 2 ** bits), entry % 2 ** bits];
}

/** The function from a metric's tag to its delta. */
export function metricDeltas(mvar: Data | undefined, positions: readonly number[]): (tag: string) => number {
  if (!mvar || positions.length === 0 || mvar.u16(10) === 0) return () => 0;
  const store = new VariationStore(mvar, mvar.u16(10), positions);
  return (tag) => {
    for (let i = 0; i < mvar.u16(8); i++) {
      const record = 12 + i * mvar.u16(6);
      if (mvar.tag(record) === tag) return store.delta(mvar.u16(record + 4), mvar.u16(record + 6));
    }
    return 0;
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

// flags of gvar's tuples
const HAS_SHARED_POINTS = 0x8000;
const COUNT = 0xfff;
const HAS_PEAK = 0x8000;
const HAS_RANGE = 0x4000;
const HAS_POINTS = 0x2000;

/** Deltas of a glyph's points, in HarfBuzz's order of 32-bit operations; undefined if they do not vary. */
export type GlyphDeltas = (glyph: number, points: readonly Point[], ends: readonly number[]) => Point[] | undefined;

export function glyphDeltas(gvar: Data | undefined, positions: readonly number[]): GlyphDeltas | undefined {
  if (!gvar || positions.length === 0) return undefined;
  const axes = gvar.u16(4);
  const isLong = (gvar.u16(14) & 1) !== 0;
  const offset = (i: number) => gvar.u32(16) + (isLong ? gvar.u32(20 + 4 * i) : 2 * gvar.u16(20 + 2 * i));

  const scalarOf = (header: number, flags: number): number => {
    const peaks = flags & HAS_PEAK ? header + 4 : gvar.u32(8) + 2 * axes * (flags & COUNT);
    const range = header + 4 + (flags & HAS_PEAK ? 2 * axes : 0);
    let scalar = 1;
    for (let axis = 0; axis < Math.min(axes, MAX_AXES); axis++) {
      const peak = gvar.i16(peaks + 2 * axis);
      const [start, end] =
        flags & HAS_RANGE
          ? [gvar.i16(range + 2 * axis), gvar.i16(range + 2 * (axes + axis))]
          : [Math.min(0, peak), Math.max(0, peak)];
      scalar *= scalarOn(start, peak, end, positions[axis] ?? 0);
    }
    return scalar;
  };

  return (glyph, points, ends) => {
    if (glyph >= gvar.u16(12)) return undefined;
    const [start, end] = [offset(glyph), offset(glyph + 1)];
    if (end <= start || end > gvar.length) return undefined;
    const count = gvar.u16(start);
    let data = start + gvar.u16(start + 2);
    let shared: readonly number[] | undefined;
    if (count & HAS_SHARED_POINTS) {
      const read = readPointNumbers(gvar, data);
      shared = read.numbers;
      data = read.end;
    }
    const total = points.map(() => ({ x: 0, y: 0 }));
    let header = start + 4;
    for (let tuple = 0; tuple < (count & COUNT) && header < end; tuple++) {
      const [size, flags] = [gvar.u16(header), gvar.u16(header + 2)];
      const scalar = Math.fround(scalarOf(header, flags));
      const next = data + size;
      if (scalar !== 0) {
        const own = flags & HAS_POINTS ? readPointNumbers(gvar, data) : { numbers: shared, end: data };
        const numbers = own.numbers ?? points.map((_, i) => i);
        const xs = readDeltas(gvar, own.end, next, numbers.length);
        const ys = readDeltas(gvar, xs.end, next, numbers.length);
        addDeltas(total, points, ends, own.numbers, numbers, xs.deltas, ys.deltas, scalar);
      }
      data = next;
      header += 4 + (flags & HAS_PEAK ? 2 * axes : 0) + (flags & HAS_RANGE ? 4 * axes : 0);
    }
    return total;
  };
}

const { fround } = Math;

function addDeltas(
  total: { x: number; y: number }[],
  points: readonly Point[],
  ends: readonly number[],
  given: readonly number[] | undefined,
  numbers: readonly number[],
  xs: readonly number[],
  ys: readonly number[],
  scalar: number,
): void {
  const deltas: (Point | undefined)[] = new Array(points.length).fill(undefined);
  numbers.forEach((number, i) => {
    const before = deltas[number] ?? { x: 0, y: 0 };
    if (number < points.length) {
      deltas[number] = { x: fround(before.x + fround(xs[i] * scalar)), y: fround(before.y + fround(ys[i] * scalar)) };
    }
  });
  if (given) {
    let start = 0;
    for (const end of ends) {
      inferDeltas(deltas, points, start, end);
      start = end + 1;
    }
  }
  deltas.forEach((delta, i) => {
    if (!delta) return;
    total[i].x = fround(total[i].x + delta.x);
    total[i].y = fround(total[i].y + delta.y);
  });
}

/** Moves the points of a contour between those with deltas. */
function inferDeltas(deltas: (Point | undefined)[], points: readonly Point[], start: number, end: number): void {
  const known: number[] = [];
  for (let i = start; i <= end; i++) if (deltas[i]) known.push(i);
  if (known.length === 0) return;
  const inferred: [number, Point][] = [];
  for (let i = start; i <= end; i++) {
    if (deltas[i]) continue;
    const after = known.find((k) => k > i) ?? known[0];
    const before = known.findLast((k) => k < i) ?? known[known.length - 1];
    const [p, q] = [deltas[before]!, deltas[after]!];
    const along = (axis: 'x' | 'y') =>
      between(points[i][axis], points[before][axis], points[after][axis], p[axis], q[axis]);
    inferred.push([i, { x: along('x'), y: along('y') }]);
  }
  for (const [i, delta] of inferred) deltas[i] = delta;
}

function between(target: number, before: number, after: number, beforeDelta: number, afterDelta: number): number {
  if (before === after) return beforeDelta === afterDelta ? beforeDelta : 0;
  if (target <= Math.min(before, after)) return before < after ? beforeDelta : afterDelta;
  if (target >= Math.max(before, after)) return before > after ? beforeDelta : afterDelta;
  const share = fround(fround(target - before) / fround(after - before));
  return fround(beforeDelta + fround(share * fround(afterDelta - beforeDelta)));
}

/** Packed point numbers; undefined numbers stand for all points. */
function readPointNumbers(gvar: Data, at: number): { numbers: number[] | undefined; end: number } {
  let place = at;
  let count = gvar.u8(place++);
  if (count === 0) return { numbers: undefined, end: place };
  if (count & 0x80) count = ((count & 0x7f) << 8) | gvar.u8(place++);
  const numbers: number[] = [];
  let number = 0;
  while (numbers.length < count && place < gvar.length) {
    const control = gvar.u8(place++);
    const areWords = (control & 0x80) !== 0;
    for (let run = (control & 0x7f) + 1; run > 0 && numbers.length < count; run--) {
      number += areWords ? gvar.u16(place) : gvar.u8(place);
      place += areWords ? 2 : 1;
      numbers.push(number);
    }
  }
  return { numbers, end: place };
}

/** Packed deltas; those that are missing are 0. */
function readDeltas(gvar: Data, at: number, limit: number, count: number): { deltas: number[]; end: number } {
  const deltas: number[] = [];
  let place = at;
  while (deltas.length < count && place < limit) {
    const control = gvar.u8(place++);
    const kind = control & 0xc0;
    for (let run = (control & 0x3f) + 1; run > 0 && deltas.length < count; run--) {
      if (kind === 0x80) deltas.push(0);
      else if (kind === 0x40) {
        deltas.push(gvar.i16(place));
        place += 2;
      } else if (kind === 0xc0) {
        deltas.push(gvar.u32(place) | 0);
        place += 4;
      } else deltas.push((gvar.u8(place++) << 24) >> 24);
    }
  }
  while (deltas.length < count) deltas.push(0);
  return { deltas, end: place };
}

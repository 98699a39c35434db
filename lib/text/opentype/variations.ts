// Variable fonts (OpenType 1.9, "OpenType Font Variations"): positions on the axes, and the deltas of item variation stores.
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

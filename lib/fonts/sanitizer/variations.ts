// Checks the tables of variable fonts (fvar, avar, gvar, HVAR, MVAR) and the item variation store that several of them use:
// counts and offsets are inside each table and consistent between tables.
import { assertInside, malformedFont, viewOf } from './errors.js';
import type { Glyphs } from './glyf.js';

/** More axes than any font has; each costs a number per region when the font is used. */
const MAX_AXES = 64;
/** References to regions by all subtables of a store. Subtables may share bytes, so the file's length is no bound. */
const MAX_REGION_REFERENCES = 1 << 20;

/** Regions of one varying value, times the axes: all are evaluated whenever the value is used. */
const MAX_REGION_AXES = 16_384;

/**
 * Points moved by the variations of all glyphs, counted once per variation: a reader visits all points of a glyph for each
 * of its variations, however few bytes encode them. 64 million take half a second. The maximum in 639 tested fonts is 4.2
 * million (Handjet).
 */
export const MAX_MOVED_POINTS = 64_000_000;

/** fvar: returns the number of axes. Each axis's default is between its minimum and maximum. */
export function checkAxes(data: Uint8Array): number {
  const view = viewOf(data);
  const first = view.getUint16(4);
  const count = view.getUint16(8);
  const size = view.getUint16(10);
  if (count === 0 || count > MAX_AXES) throw malformedFont(`it has ${count} axes, ${MAX_AXES} at most are read`);
  if (size < 20) throw malformedFont('its fvar table is malformed');
  assertInside(view, first, count * size + view.getUint16(12) * view.getUint16(14));
  for (let axis = first; axis < first + count * size; axis += size) {
    const [min, defaultValue, max] = [view.getInt32(axis + 4), view.getInt32(axis + 8), view.getInt32(axis + 12)];
    if (min > defaultValue || defaultValue > max) throw malformedFont('an axis has its default outside its range');
  }
  return count;
}

/** avar: a segment map per axis, with ascending positions. Version 2 appends offsets, which are not read. */
export function checkAxisMaps(data: Uint8Array, axes: number): void {
  const view = viewOf(data);
  const count = view.getUint16(6);
  if (count !== axes) throw malformedFont(`its avar table has ${count} axes of ${axes}`);
  for (let axis = 0, at = 8; axis < axes; axis++) {
    const pairs = view.getUint16(at);
    assertInside(view, at + 2, 4 * pairs);
    for (let pair = 1; pair < pairs; pair++) {
      const current = at + 2 + 4 * pair;
      if (view.getInt16(current) < view.getInt16(current - 4))
        throw malformedFont('its avar table has a decreasing position');
    }
    at += 2 + 4 * pairs;
  }
}

/** Phantom points, which every glyph has in addition to its own: its four edges. */
const PHANTOM_POINTS = 4;

/** gvar: has the font's axes and glyphs, and the glyphs' data is sorted, inside the table and long enough for its counts. */
export function checkGlyphVariations(data: Uint8Array, axes: number, { points, composites }: Glyphs): void {
  const view = viewOf(data);
  const glyphs = points.length;
  if (view.getUint16(4) !== axes) throw malformedFont(`its gvar table has ${view.getUint16(4)} axes of ${axes}`);
  const shared = view.getUint16(6);
  assertInside(view, view.getUint32(8), shared * axes * 2);
  if (view.getUint16(12) !== glyphs)
    throw malformedFont(`its gvar table has ${view.getUint16(12)} glyphs of ${glyphs}`);
  const isWide = (view.getUint16(14) & 1) === 1;
  const base = view.getUint32(16);
  const offsetOf = (glyph: number) =>
    base + (isWide ? view.getUint32(20 + 4 * glyph) : 2 * view.getUint16(20 + 2 * glyph));
  /** Glyph → points that its variations move, including its components. */
  const moved = new Float64Array(glyphs);
  let start = offsetOf(0);
  for (let glyph = 0; glyph < glyphs; glyph++) {
    const end = offsetOf(glyph + 1);
    if (end < start) throw malformedFont(`its gvar table has a decreasing offset at glyph ${glyph}`);
    assertInside(view, start, end - start);
    if (end > start) {
      const own = composites.get(glyph)?.length ?? points[glyph];
      moved[glyph] = checkTuples(view, start, end, axes, shared, glyph) * (own + PHANTOM_POINTS);
    }
    start = end;
  }
  for (const [glyph, components] of composites) for (const part of components) moved[glyph] += moved[part];
  const total = moved.reduce((sum, count) => sum + count, 0);
  if (total > MAX_MOVED_POINTS) throw malformedFont(`its variations move ${total} points, ${MAX_MOVED_POINTS} at most`);
}

const TUPLE_COUNT = 0x0fff;
const EMBEDDED_PEAK_TUPLE = 0x8000;
const INTERMEDIATE_REGION = 0x4000;

/** Checks the tuple headers of one glyph's variations and the data lengths that they claim; returns their number. */
function checkTuples(view: DataView, start: number, end: number, axes: number, shared: number, glyph: number): number {
  const count = view.getUint16(start) & TUPLE_COUNT;
  let length = view.getUint16(start + 2);
  let at = start + 4;
  for (let tuple = 0; tuple < count; tuple++) {
    if (at + 4 > end) throw malformedFont(`the variations of glyph ${glyph} are truncated`);
    length += view.getUint16(at);
    const index = view.getUint16(at + 2);
    if (!(index & EMBEDDED_PEAK_TUPLE) && (index & TUPLE_COUNT) >= shared) {
      throw malformedFont(`the variations of glyph ${glyph} refer to a missing tuple of ${shared} shared ones`);
    }
    at += 4 + 2 * axes * ((index & EMBEDDED_PEAK_TUPLE ? 1 : 0) + (index & INTERMEDIATE_REGION ? 2 : 0));
  }
  if (at > end || start + length > end) throw malformedFont(`the variations of glyph ${glyph} are truncated`);
  return count;
}

/** HVAR: the offsets of a store and of three maps; 0 means that a map is absent. */
export function checkAdvanceVariations(data: Uint8Array): void {
  const view = viewOf(data);
  checkStore(data, view.getUint32(4));
  for (const at of [8, 12, 16]) {
    const map = view.getUint32(at);
    if (map !== 0) checkIndexMap(view, map);
  }
}

/** A map from indexes to delta sets. */
export function checkIndexMap(view: DataView, at: number): void {
  const isWide = view.getUint8(at) === 1;
  const size = 1 + ((view.getUint8(at + 1) >> 4) & 3);
  const count = isWide ? view.getUint32(at + 2) : view.getUint16(at + 2);
  assertInside(view, at + (isWide ? 6 : 4), count * size);
}

/** MVAR: records of the given size, and a store. */
export function checkMetricVariations(data: Uint8Array): void {
  const view = viewOf(data);
  const count = view.getUint16(8);
  if (count > 0 && view.getUint16(6) < 8) throw malformedFont('its MVAR table is malformed');
  assertInside(view, 12, count * view.getUint16(6));
  checkStore(data, view.getUint16(10));
}

/** Checks the item variation store at `at`, counted from the start of the table; 0 means that there is none. */
export function checkStore(data: Uint8Array, at: number): void {
  if (at === 0) return;
  assertInside(viewOf(data), at, 8);
  const view = viewOf(data.subarray(at));
  if (view.getUint16(0) !== 1) throw malformedFont(`a variation store has the format ${view.getUint16(0)}`);
  const regions = view.getUint32(2);
  const axes = view.getUint16(regions);
  const regionCount = view.getUint16(regions + 2) & 0x7fff;
  if (axes > MAX_AXES) throw malformedFont(`a variation store has ${axes} axes, ${MAX_AXES} at most are read`);
  assertInside(view, regions + 4, regionCount * axes * 6);
  const count = view.getUint16(6);
  assertInside(view, 8, 4 * count);
  let total = 0;
  for (let i = 0; i < count; i++) {
    const list = view.getUint32(8 + 4 * i);
    if (list === 0) continue;
    const items = view.getUint16(list);
    const wordDeltaCount = view.getUint16(list + 2);
    const indexes = view.getUint16(list + 4);
    assertInside(view, list + 6, 2 * indexes);
    total += indexes;
    if (indexes * axes > MAX_REGION_AXES) {
      throw malformedFont(
        `a value varies by ${indexes} regions of ${axes} axes, ${Math.floor(MAX_REGION_AXES / axes)} at most are read`,
      );
    }
    if (total > MAX_REGION_REFERENCES)
      throw malformedFont(`a variation store refers to more than ${MAX_REGION_REFERENCES} regions`);
    const longDeltas = wordDeltaCount & 0x7fff;
    if (longDeltas > indexes) throw malformedFont('a variation store is malformed');
    // Long and short deltas have 32 and 16 bits if the high bit of the word count is set, else 16 and 8.
    assertInside(view, list + 6 + 2 * indexes, items * (indexes + longDeltas) * (wordDeltaCount & 0x8000 ? 2 : 1));
    for (let index = 0; index < indexes; index++) {
      if (view.getUint16(list + 6 + 2 * index) >= regionCount)
        throw malformedFont('a variation store refers to a missing region');
    }
  }
}

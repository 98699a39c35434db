// The tables of variable fonts (fvar, avar, gvar, HVAR, MVAR) and the item variation store that several share: counts and
// offsets within each table, and agreeing with each other.
import { malformedFont, viewOf, within } from './errors.js';
import type { Glyphs } from './glyf.js';

/** More axes than any font has; each costs every reader a number per region. */
const MAX_AXES = 64;
/** Regions that the subtables of a store may name in all; subtables may share their bytes, so the file's length is no bound. */
const MAX_REGIONS = 1 << 20;

/** Regions that one number may vary by, times the axes: gone through whenever a glyph that has it is set. */
const MAX_TENTS = 16_384;

/**
 * Points that the variations of all glyphs move, each as often as it is moved: a reader goes through all the points of a
 * glyph for each of its variations, however few bytes give them. 64 million take it half a second; 4.2 million are the
 * most of 639 fonts tried (Handjet).
 */
export const MAX_MOVED = 64_000_000;

/** fvar: how many axes. Each has its default between its least and its greatest value. */
export function checkAxes(data: Uint8Array): number {
  const view = viewOf(data);
  const first = view.getUint16(4);
  const count = view.getUint16(8);
  const size = view.getUint16(10);
  if (count === 0 || count > MAX_AXES) throw malformedFont(`it has ${count} axes, ${MAX_AXES} at most are read`);
  if (size < 20) throw malformedFont('its fvar table is malformed');
  within(view, first, count * size + view.getUint16(12) * view.getUint16(14));
  for (let axis = first; axis < first + count * size; axis += size) {
    const [least, usual, most] = [view.getInt32(axis + 4), view.getInt32(axis + 8), view.getInt32(axis + 12)];
    if (least > usual || usual > most) throw malformedFont('an axis has its default outside its range');
  }
  return count;
}

/** avar: a map for each axis, of positions that don't run backwards. Version 2 adds offsets after them, which are not read. */
export function checkAxisMaps(data: Uint8Array, axes: number): void {
  const view = viewOf(data);
  const count = view.getUint16(6);
  if (count !== axes) throw malformedFont(`its avar table has ${count} axes of ${axes}`);
  for (let axis = 0, at = 8; axis < axes; axis++) {
    const pairs = view.getUint16(at);
    within(view, at + 2, 4 * pairs);
    for (let pair = 1; pair < pairs; pair++) {
      const here = at + 2 + 4 * pair;
      if (view.getInt16(here) < view.getInt16(here - 4)) throw malformedFont('its avar table runs backwards');
    }
    at += 2 + 4 * pairs;
  }
}

/** What every glyph has besides its own points: its four edges. */
const EDGES = 4;

/** gvar: as many axes and glyphs as the font, the glyphs' data in order within the table, with room for what it counts. */
export function checkGlyphVariations(data: Uint8Array, axes: number, { points, composites }: Glyphs): void {
  const view = viewOf(data);
  const glyphs = points.length;
  if (view.getUint16(4) !== axes) throw malformedFont(`its gvar table has ${view.getUint16(4)} axes of ${axes}`);
  const shared = view.getUint16(6);
  within(view, view.getUint32(8), shared * axes * 2);
  if (view.getUint16(12) !== glyphs)
    throw malformedFont(`its gvar table has ${view.getUint16(12)} glyphs of ${glyphs}`);
  const isWide = (view.getUint16(14) & 1) === 1;
  const base = view.getUint32(16);
  const offsetOf = (glyph: number) =>
    base + (isWide ? view.getUint32(20 + 4 * glyph) : 2 * view.getUint16(20 + 2 * glyph));
  /** Glyph → the points that its variations move, those of its components included. */
  const moved = new Float64Array(glyphs);
  let start = offsetOf(0);
  for (let glyph = 0; glyph < glyphs; glyph++) {
    const end = offsetOf(glyph + 1);
    if (end < start) throw malformedFont(`its gvar table runs backwards at glyph ${glyph}`);
    within(view, start, end - start);
    if (end > start) {
      const own = composites.get(glyph)?.length ?? points[glyph];
      moved[glyph] = checkTuples(view, start, end, axes, shared, glyph) * (own + EDGES);
    }
    start = end;
  }
  for (const [glyph, components] of composites) for (const part of components) moved[glyph] += moved[part];
  const total = moved.reduce((sum, count) => sum + count, 0);
  if (total > MAX_MOVED) throw malformedFont(`its variations move ${total} points, ${MAX_MOVED} at most`);
}

const TUPLE_COUNT = 0x0fff;
const EMBEDDED = 0x8000;
const INTERMEDIATE = 0x4000;

/** The headers of one glyph's variations, and the lengths that they give: how many there are. */
function checkTuples(view: DataView, start: number, end: number, axes: number, shared: number, glyph: number): number {
  const count = view.getUint16(start) & TUPLE_COUNT;
  let length = view.getUint16(start + 2);
  let at = start + 4;
  for (let tuple = 0; tuple < count; tuple++) {
    if (at + 4 > end) throw malformedFont(`the variations of glyph ${glyph} are cut short`);
    length += view.getUint16(at);
    const index = view.getUint16(at + 2);
    if (!(index & EMBEDDED) && (index & TUPLE_COUNT) >= shared) {
      throw malformedFont(`the variations of glyph ${glyph} name a tuple of ${shared} that is not there`);
    }
    at += 4 + 2 * axes * ((index & EMBEDDED ? 1 : 0) + (index & INTERMEDIATE ? 2 : 0));
  }
  if (at > end || start + length > end) throw malformedFont(`the variations of glyph ${glyph} are cut short`);
  return count;
}

/** HVAR: the store at offset 4, and three maps after it, 0 where there is none. */
export function checkAdvanceVariations(data: Uint8Array): void {
  const view = viewOf(data);
  checkStore(data, view.getUint32(4));
  for (const at of [8, 12, 16]) {
    const map = view.getUint32(at);
    if (map === 0) continue;
    const isWide = view.getUint8(map) === 1;
    const size = 1 + ((view.getUint8(map + 1) >> 4) & 3);
    const count = isWide ? view.getUint32(map + 2) : view.getUint16(map + 2);
    within(view, map + (isWide ? 6 : 4), count * size);
  }
}

/** MVAR: records of the size that it gives, and a store. */
export function checkMetricVariations(data: Uint8Array): void {
  const view = viewOf(data);
  const count = view.getUint16(8);
  if (count > 0 && view.getUint16(6) < 8) throw malformedFont('its MVAR table is malformed');
  within(view, 12, count * view.getUint16(6));
  checkStore(data, view.getUint16(10));
}

/** The store at an offset from the beginning of its table; 0 stands for none. */
export function checkStore(data: Uint8Array, at: number): void {
  if (at === 0) return;
  within(viewOf(data), at, 8);
  regionCounts(data.subarray(at));
}

/** An item variation store: how many regions each of its subtables varies by. */
export function regionCounts(store: Uint8Array): number[] {
  const view = viewOf(store);
  if (view.getUint16(0) !== 1) throw malformedFont(`a variation store has the format ${view.getUint16(0)}`);
  const regions = view.getUint32(2);
  const axes = view.getUint16(regions);
  const regionCount = view.getUint16(regions + 2) & 0x7fff;
  if (axes > MAX_AXES) throw malformedFont(`a variation store has ${axes} axes, ${MAX_AXES} at most are read`);
  within(view, regions + 4, regionCount * axes * 6);
  const count = view.getUint16(6);
  within(view, 8, 4 * count);
  let total = 0;
  return Array.from({ length: count }, (_, i) => {
    const at = view.getUint32(8 + 4 * i);
    if (at === 0) return 0;
    const items = view.getUint16(at);
    const words = view.getUint16(at + 2);
    const indexes = view.getUint16(at + 4);
    within(view, at + 6, 2 * indexes);
    total += indexes;
    if (indexes * axes > MAX_TENTS) {
      throw malformedFont(
        `a number varies by ${indexes} regions of ${axes} axes, ${Math.floor(MAX_TENTS / axes)} at most are read`,
      );
    }
    if (total > MAX_REGIONS) throw malformedFont(`a variation store names more than ${MAX_REGIONS} regions`);
    const wide = words & 0x7fff;
    if (wide > indexes) throw malformedFont('a variation store is malformed');
    // 32 and 16 bits where the high bit is set, else 16 and 8
    within(view, at + 6 + 2 * indexes, items * (indexes + wide) * (words & 0x8000 ? 2 : 1));
    for (let index = 0; index < indexes; index++) {
      if (view.getUint16(at + 6 + 2 * index) >= regionCount)
        throw malformedFont('a variation store names a region too many');
    }
    return indexes;
  });
}

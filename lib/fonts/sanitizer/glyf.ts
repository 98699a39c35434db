// Checks loca and glyf (TrueType outlines): every glyph is inside the table, its data fits its extent, and composite glyphs
// form no cycle, no deep nesting and no exponential expansion. Two passes over the bytes, no recursion.
import { malformedFont, viewOf } from './errors.js';
import type { FontSizes } from './metrics.js';

/** Points of one glyph, including its components. The maximum in 2,970 tested fonts is 3,685. */
const MAX_POINTS = 50_000;
/** Components of one glyph, including nested ones, and their nesting depth. The maxima in those fonts are 28 and 5. */
const MAX_COMPONENTS = 256;
const MAX_DEPTH = 8;

// simple glyph flags
const X_SHORT_VECTOR = 0x02;
const Y_SHORT_VECTOR = 0x04;
const REPEAT_FLAG = 0x08;
const X_IS_SAME = 0x10;
const Y_IS_SAME = 0x20;
// composite glyph flags
const ARGS_ARE_WORDS = 0x01;
const HAS_SCALE = 0x08;
const MORE_COMPONENTS = 0x20;
const HAS_X_AND_Y_SCALE = 0x40;
const HAS_TWO_BY_TWO = 0x80;

/** Point counts and components of all glyphs. */
export interface Glyphs {
  /** Glyph → number of points, including its components. */
  readonly points: Float64Array;
  /** Composite glyph → components, in topological order: a glyph comes after its components. */
  readonly composites: ReadonlyMap<number, readonly number[]>;
}

/** Throws RenderError for the first malformed glyph. */
export function checkGlyf(loca: Uint8Array, glyf: Uint8Array, { glyphs, hasLongOffsets }: FontSizes): Glyphs {
  const offsets = viewOf(loca);
  const width = hasLongOffsets ? 4 : 2;
  if (loca.length < (glyphs + 1) * width) throw malformedFont(`its loca table has no room for ${glyphs} glyphs`);
  const offsetOf = (glyph: number) =>
    hasLongOffsets ? offsets.getUint32(4 * glyph) : 2 * offsets.getUint16(2 * glyph);
  const view = viewOf(glyf);
  const points = new Float64Array(glyphs);
  const composites = new Map<number, readonly number[]>();
  let start = offsetOf(0);
  for (let glyph = 0; glyph < glyphs; glyph++) {
    const end = offsetOf(glyph + 1);
    if (end < start) throw malformedFont(`its loca table has a decreasing offset at glyph ${glyph}`);
    if (end > glyf.length) throw malformedFont(`glyph ${glyph} is outside its glyf table`);
    if (end > start) {
      if (end - start < 10) throw malformedFont(`glyph ${glyph} is truncated`);
      const contours = view.getInt16(start);
      if (contours >= 0) points[glyph] = countPoints(view, start, end, contours, glyph);
      else composites.set(glyph, readComponents(view, start, end, glyph, glyphs));
    }
    start = end;
  }
  return { points, composites: checkComposites(composites, points) };
}

/** The number of points of a simple glyph. Throws if its flags and coordinates extend past `end`. */
function countPoints(view: DataView, start: number, end: number, contours: number, glyph: number): number {
  let at = start + 10;
  if (contours === 0) return 0;
  if (at + 2 * contours + 2 > end) throw malformedFont(`glyph ${glyph} is truncated`);
  let previous = -1;
  for (let i = 0; i < contours; i++, at += 2) {
    const point = view.getUint16(at);
    if (point < previous) throw malformedFont(`glyph ${glyph} has contours out of order`);
    previous = point;
  }
  const points = previous + 1;
  if (points > MAX_POINTS) throw malformedFont(`glyph ${glyph} has ${points} points, ${MAX_POINTS} at most are drawn`);
  at += 2 + view.getUint16(at);
  let coordinateBytes = 0;
  for (let point = 0; point < points; ) {
    if (at >= end) throw malformedFont(`glyph ${glyph} is truncated`);
    const flags = view.getUint8(at++);
    let repeats = 1;
    if (flags & REPEAT_FLAG) {
      if (at >= end) throw malformedFont(`glyph ${glyph} is truncated`);
      repeats += view.getUint8(at++);
    }
    const xBytes = flags & X_SHORT_VECTOR ? 1 : flags & X_IS_SAME ? 0 : 2;
    const yBytes = flags & Y_SHORT_VECTOR ? 1 : flags & Y_IS_SAME ? 0 : 2;
    // The last flag may repeat past the last point.
    const counted = Math.min(repeats, points - point);
    coordinateBytes += counted * (xBytes + yBytes);
    point += counted;
  }
  if (at + coordinateBytes > end) throw malformedFont(`glyph ${glyph} is truncated`);
  return points;
}

function readComponents(view: DataView, start: number, end: number, glyph: number, glyphs: number): number[] {
  const components: number[] = [];
  let at = start + 10;
  let flags = MORE_COMPONENTS;
  while (flags & MORE_COMPONENTS) {
    if (at + 4 > end) throw malformedFont(`glyph ${glyph} is truncated`);
    flags = view.getUint16(at);
    const component = view.getUint16(at + 2);
    if (component >= glyphs) throw malformedFont(`glyph ${glyph} has the component ${component} of ${glyphs} glyphs`);
    components.push(component);
    if (components.length > MAX_COMPONENTS) throw tooManyComponents(glyph);
    at +=
      4 +
      (flags & ARGS_ARE_WORDS ? 4 : 2) +
      (flags & HAS_SCALE ? 2 : flags & HAS_X_AND_Y_SCALE ? 4 : flags & HAS_TWO_BY_TWO ? 8 : 0);
    if (at > end) throw malformedFont(`glyph ${glyph} is truncated`);
  }
  return components;
}

function tooManyComponents(glyph: number) {
  return malformedFont(`glyph ${glyph} has more than ${MAX_COMPONENTS} components`);
}

/**
 * Totals points, components and depth of each composite once, after its components: a depth-first walk with an explicit
 * stack. A glyph that is reached again while it is open contains itself. Fills in `points` for composites and returns them in
 * topological order.
 */
function checkComposites(composites: Glyphs['composites'], points: Float64Array): Glyphs['composites'] {
  const open = new Set<number>();
  const depths = new Map<number, number>();
  const totals = new Map<number, number>();
  for (const root of composites.keys()) {
    const stack = [root];
    while (stack.length > 0) {
      const glyph = stack[stack.length - 1];
      const components = composites.get(glyph) ?? [];
      if (depths.has(glyph)) {
        stack.pop();
        continue;
      }
      const pending = open.has(glyph) ? [] : components.filter((part) => composites.has(part) && !depths.has(part));
      open.add(glyph);
      if (pending.some((part) => open.has(part))) throw malformedFont(`glyph ${glyph} contains itself`);
      if (pending.length > 0) {
        stack.push(...pending);
        continue;
      }
      let depth = 0;
      let total = 0;
      for (const part of components) {
        depth = Math.max(depth, depths.get(part) ?? 0);
        total += 1 + (totals.get(part) ?? 0);
        points[glyph] += points[part];
      }
      depth++;
      if (depth > MAX_DEPTH) throw malformedFont(`glyph ${glyph} has components ${depth} deep, ${MAX_DEPTH} at most`);
      if (total > MAX_COMPONENTS) throw tooManyComponents(glyph);
      if (points[glyph] > MAX_POINTS) {
        throw malformedFont(`glyph ${glyph} has ${points[glyph]} points, ${MAX_POINTS} at most are drawn`);
      }
      depths.set(glyph, depth);
      totals.set(glyph, total);
      open.delete(glyph);
      stack.pop();
    }
  }
  return new Map([...depths.keys()].map((glyph) => [glyph, composites.get(glyph)!]));
}

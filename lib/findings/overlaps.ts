// Texts whose lines meet those of another text, or a code.
import { intersect, isEmpty, mapRect, type Rect, roundOut } from '../geometry/rect.js';
import { compositeLayer } from '../layers/composite.js';
import { RasterTarget } from '../paint/raster-target.js';
import { Surface } from '../raster/surface.js';
import { coveredShareOf, MAX_COVERED } from './covered.js';
import { coversPoint } from './covers.js';
import { type Change, moving } from './fixes/changes.js';
import { isFree, obstaclesOf, placesWithin } from './fixes/free-places.js';
import { clipOf, excerptOf, type Item, type Items, isCode, isDecoration, isShown } from './items.js';
import { windowsOf } from './paint.js';
import type { MeasuredFinding, RuleContext } from './rules.js';

/** Pixels of the payload by which ink may meet in both directions. */
const TOLERANCE = 2;
/** Texts under this opacity are part of the background. */
const MIN_OPACITY = 0.3;
/** The share of a line's height under which ink that meets by its rectangles is looked at. */
const SLIGHT = 0.3;
const MAX_WINDOWS = 6;
/** Pixels of both inks that have to meet. */
const MIN_PIXELS = 6;
/** Moves that are offered for one overlap. */
const MAX_MOVES = 8;

/** The overlaps, each with the layer that lies beneath. */
export function findOverlaps({ items }: RuleContext): (MeasuredFinding & { readonly lower: Item })[] {
  const found: (MeasuredFinding & { readonly lower: Item })[] = [];
  const shown = items.all.filter((item) => isShown(item) && !isDecoration(item) && alphaOf(item) >= MIN_OPACITY);
  const texts = shown.filter(({ lines }) => lines.length > 0);
  const codes = shown.filter(isCode);
  const upperOnes = new Set<Item>();
  for (const one of texts) {
    for (const other of [...texts, ...codes]) {
      if (other === one || (other.lines.length > 0 && other.order > one.order)) continue;
      const meeting = meetingOf(one, other, items);
      if (!meeting || isEcho(one, other)) continue;
      const [upper, lower] = one.order > other.order ? [one, other] : [other, one];
      if (upperOnes.has(upper)) continue;
      upperOnes.add(upper);
      const by = Math.round(Math.min(meeting.right - meeting.left, meeting.bottom - meeting.top) / items.scale);
      found.push({
        lower,
        code: 'overlap',
        severity: 'error',
        path: upper.path,
        message: `${excerptOf(upper)} lies ${by} px on ${excerptOf(lower)}`,
        value: by,
        limit: TOLERANCE,
        changes: apart(upper, lower, items),
      });
    }
  }
  return found;
}

/** The opacity at which the text is seen, the alpha of its colour included. */
function alphaOf({ layer, opacity }: Item): number {
  const isClear = layer.type === 'text' && !('stops' in layer.color);
  return opacity * (isClear && 'a' in layer.color ? layer.color.a : 1);
}

function inkOf(item: Item, items: Items): Rect[] {
  const clip = clipOf(item, items);
  const { code } = item.measured;
  // a text in the light space around the modules lies on none
  const rects = code ? [mapRect(code.symbol, code.toCanvas)] : item.lines;
  return rects.map((rect) => intersect(rect, clip)).filter((rect) => !isEmpty(rect));
}

/** The place at which the visible parts of two layers meet; undefined if they do not. */
function meetingOf(one: Item, other: Item, items: Items): Rect | undefined {
  const least = TOLERANCE * items.scale;
  const [lower, upper] = one.order < other.order ? [one, other] : [other, one];
  for (const p of inkOf(one, items)) {
    for (const q of inkOf(other, items)) {
      const both = intersect(p, q);
      const depth = both.bottom - both.top;
      if (both.right - both.left <= least || depth <= least) continue;
      const height = Math.min(p.bottom - p.top, q.bottom - q.top);
      const isSlight = depth < SLIGHT * height || !isStraight(one) || !isStraight(other);
      if (isSlight && !inksMeet(one, other, both)) continue;
      if (isCoveredText(lower, items) || !isHiddenBetween(both, lower, upper, items)) return both;
    }
  }
  return undefined;
}

/** Whether the rectangles of lines are those of the ink itself: lines on a path and turned ones leave most of theirs free. */
function isStraight({ layer, isUpright }: Item): boolean {
  return isUpright && !(layer.type === 'text' && layer.textPath);
}

/** Whether pixels of both layers' ink meet. */
function inksMeet(one: Item, other: Item, both: Rect): boolean {
  let count = 0;
  for (const window of windowsOf([both], roundOut(both), MAX_WINDOWS)) {
    const [first, second] = [one, other].map(({ measured }) => {
      const surface = new Surface(window);
      const { effects, content, mask } = measured.prepared!;
      compositeLayer(new RasterTarget(surface), { effects: { ...effects, shadow: undefined }, content, mask });
      return surface.pixmap.data;
    });
    for (let i = 3; i < first.length; i += 4) if (first[i] > 127 && second[i] > 127) count++;
  }
  return count >= MIN_PIXELS;
}

/** Whether a text lies beneath a plate with a text of its own: both are where one should be. */
function isCoveredText(lower: Item, items: Items): boolean {
  return lower.lines.length > 0 && coveredShareOf(lower, items) >= MAX_COVERED;
}

/** Whether layers between the two hide the lower one where they meet. */
function isHiddenBetween({ left, top, right, bottom }: Rect, lower: Item, upper: Item, items: Items): boolean {
  const between = items.all.filter(({ order }) => order > lower.order && order < upper.order);
  if (between.length === 0) return false;
  const inset = 0.1;
  const xs = [left + inset, (left + right) / 2, right - inset];
  const ys = [top + inset, (top + bottom) / 2, bottom - inset];
  return xs.every((x) => ys.every((y) => between.some((item) => coversPoint(item, x, y))));
}

/** Whether one text repeats the other a little beside it, as an effect. */
function isEcho(one: Item, other: Item): boolean {
  if (one.layer.type !== 'text' || other.layer.type !== 'text') return false;
  if (one.layer.text === '' || one.layer.text !== other.layer.text) return false;
  const near = 0.25 * one.layer.fontSize;
  return [0, 1].every((axis) => Math.abs(one.box[axis] - other.box[axis]) <= near);
}

/** Moves of either layer that part the two, the shortest first. */
function apart(upper: Item, lower: Item, items: Items): Change[] {
  const [first, second] = [movesOf(upper, lower, items), movesOf(lower, upper, items)];
  const mixed = first.flatMap((move, i) => [move, ...(second[i] ? [second[i]] : [])]);
  const all = [...mixed, ...second.slice(first.length)].sort((one, other) => one.far - other.far);
  return all.slice(0, MAX_MOVES).flatMap(({ change }) => change);
}

function movesOf(item: Item, other: Item, items: Items): { readonly change: Change[]; readonly far: number }[] {
  const { canvas, scale } = items;
  const { ink } = item;
  const gaps = [8, 16, 4].map((gap) => gap * scale);
  const beside = gaps.flatMap((gap) => [
    { dx: 0, dy: other.ink.top - gap - ink.bottom },
    { dx: 0, dy: other.ink.bottom + gap - ink.top },
    { dx: other.ink.left - gap - ink.right, dy: 0 },
    { dx: other.ink.right + gap - ink.left, dy: 0 },
  ]);
  const obstacles = obstaclesOf(item, items);
  const isInside = ({ dx, dy }: { readonly dx: number; readonly dy: number }) =>
    ink.left + dx >= canvas.left &&
    ink.top + dy >= canvas.top &&
    ink.right + dx <= canvas.right &&
    ink.bottom + dy <= canvas.bottom;
  const whole = beside.map(({ dx, dy }) => ({ dx: Math.round(dx), dy: Math.round(dy) }));
  const free = whole.filter((place) => isInside(place) && isFree(item, place, items, obstacles));
  const places = [...free, ...placesWithin(item, items, clipOf(item, items)).slice(0, 4)];
  return places.map(({ dx, dy }) => ({ change: moving(item, dx, dy), far: Math.abs(dx) + Math.abs(dy) }));
}

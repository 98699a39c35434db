// Places where a text, picture or code could be moved: on the canvas, clear of texts and codes, and in line with its siblings.
import { expand, intersect, isEmpty, type Rect, unite } from '../../geometry/rect.js';
import { misalignedIn } from '../alignment.js';
import { ancestors, glyphInk, type Item, type Items, isCode, isShown } from '../items.js';
import { type Change, moving } from './changes.js';

/** Free places that are collected. */
const MAX_FREE = 400;
/** Pixels of the payload that are left between the ink of two texts. */
const GAP = 6;
/** Distances along an axis that are looked at. */
const STEPS = 160;

interface Place {
  readonly dx: number;
  readonly dy: number;
  /** Whether it is in line with a sibling along both axes. */
  readonly isInLine?: boolean;
}

/** The changes that move the item within `area`, the nearest first. */
export function freePlaces(item: Item, items: Items, area: Rect): Change[] {
  const places = placesWithin(item, items, area);
  const far = ({ dx, dy }: Place) => Math.abs(dx) + Math.abs(dy);
  const least = Math.min(...places.map(({ dx }) => Math.abs(dx)));
  const lowest = Math.min(...places.map(({ dy }) => Math.abs(dy)));
  // most layers are out of place along one axis, and belong in line with others
  const straight = places.filter(({ dx, dy }) => Math.abs(dx) === least || Math.abs(dy) === lowest);
  const inLine = [...straight].sort(
    (one, other) => inLineAt(item, items, other) - inLineAt(item, items, one) || far(one) - far(other),
  );
  const chosen = [...inLine.slice(0, 4), ...straight.slice(0, 2), ...evenly(straight, 5), ...evenly(places, 2)];
  return [...new Set(chosen)].flatMap(({ dx, dy }) => moving(item, dx, dy));
}

/** So many of the places, from all over the list. */
function evenly(places: readonly Place[], count: number): Place[] {
  if (places.length <= count) return [...places];
  return Array.from({ length: count }, (_, i) => places[Math.floor(((i + 0.5) * places.length) / count)]);
}

/** The number of edges and centres of siblings that the item would share. */
function inLineAt(item: Item, { all, scale }: Items, { dx, dy }: Place): number {
  let count = 0;
  for (const other of all) {
    if (other === item || other.parent !== item.parent || !isShown(other)) continue;
    for (const [axis, by] of [
      [0, dx],
      [1, dy],
    ]) {
      const [at, size] = [item.box[axis] + by / scale, item.box[axis + 2]];
      const [to, length] = [other.box[axis], other.box[axis + 2]];
      for (const share of [0, 0.5, 1]) if (Math.abs(at + size * share - to - length * share) < 0.5) count++;
    }
  }
  return count;
}

/** The item's places along both axes at which nothing is in its way, the nearest first. */
export function placesWithin(item: Item, items: Items, area: Rect): Place[] {
  if (item.isPlaced || !item.isUpright) return [];
  const ink = unite(glyphInk(item), item.ink);
  const [width, height] = [ink.right - ink.left, ink.bottom - ink.top];
  if (width > area.right - area.left || height > area.bottom - area.top) return [];
  const toX = { least: area.left - ink.left, most: area.right - ink.right };
  const toY = { least: area.top - ink.top, most: area.bottom - ink.bottom };
  const stays = { x: clamp(0, toX), y: clamp(0, toY) };
  const xs = distances(toX, items.scale, linesOf(item, items, 0));
  const ys = distances(toY, items.scale, linesOf(item, items, 1));
  // along one axis first: most layers are out of place along one
  const places: Place[] = [
    ...linesOf(item, items, 0).map((dx) => ({ dx, dy: stays.y, isInLine: true })),
    ...linesOf(item, items, 1).map((dy) => ({ dx: stays.x, dy, isInLine: true })),
    ...ys.map((dy) => ({ dx: stays.x, dy })),
    ...xs.map((dx) => ({ dx, dy: stays.y })),
    ...xs.flatMap((dx) => ys.filter((_, i) => i % 4 === 0).map((dy) => ({ dx, dy }))),
  ];
  const far = ({ dx, dy }: Place) => Math.abs(dx) + Math.abs(dy);
  const free: Place[] = [];
  const obstacles = obstaclesOf(item, items);
  for (const place of places.sort((one, other) => far(one) - far(other))) {
    if (place.dx < toX.least || place.dx > toX.most || place.dy < toY.least || place.dy > toY.most) continue;
    if (!isFree(item, place, items, obstacles)) continue;
    free.push(place);
    if (free.length >= MAX_FREE) break;
  }
  return spread(free, 12 * items.scale);
}

/** The ink of the texts and codes that the item must not lie on. */
export function obstaclesOf(item: Item, { all }: Items): Rect[] {
  const around = new Set(ancestors(item));
  return all
    .filter((other) => other !== item && !around.has(other) && isShown(other))
    .flatMap((other) => (isCode(other) ? [other.ink] : other.lines));
}

export function isFree(item: Item, { dx, dy }: Place, items: Items, obstacles: readonly Rect[]): boolean {
  const moved = (rect: Rect): Rect => ({
    left: rect.left + dx,
    top: rect.top + dy,
    right: rect.right + dx,
    bottom: rect.bottom + dy,
  });
  const own = item.lines.length > 0 ? item.lines : [item.ink];
  for (const rect of own) {
    const reach = expand(moved(rect), GAP * items.scale);
    if (obstacles.some((each) => !isEmpty(intersect(reach, each)))) return false;
  }
  const { scale } = items;
  const [x, y, width, height] = item.box;
  return !misalignedIn(item, items, [x + dx / scale, y + dy / scale, width, height]);
}

/** Places that are at least `apart` from each other: what is wrong with one is mostly wrong with its neighbours. */
function spread(places: readonly Place[], apart: number): Place[] {
  const chosen: Place[] = [];
  for (const place of places) {
    const isNear = chosen.some(({ dx, dy }) => Math.abs(dx - place.dx) + Math.abs(dy - place.dy) < apart);
    if (!isNear || place.isInLine) chosen.push(place);
  }
  return chosen;
}

interface Reach {
  readonly least: number;
  readonly most: number;
}

const clamp = (length: number, { least, most }: Reach) => Math.min(Math.max(length, least), most);

/** Distances within reach, in whole pixels of the payload, from margins and in line with siblings. */
function distances({ least, most }: Reach, scale: number, lines: readonly number[]): number[] {
  const step = Math.max(scale * 4, (most - least) / STEPS);
  const steps = Array.from({ length: STEPS + 1 }, (_, i) => least + i * step);
  const whole = [...lines, clamp(0, { least, most }), ...steps].map((at) => Math.round(at / scale) * scale);
  return [...new Set(whole.filter((at) => at >= least && at <= most))];
}

/** The distances at which the item's start, centre or end is in line with that of a sibling. */
function linesOf(item: Item, { all, scale }: Items, axis: 0 | 1): number[] {
  const size = item.box[axis + 2];
  return all
    .filter((other) => other !== item && other.parent === item.parent && isShown(other))
    .flatMap(({ box }) => {
      const [at, length] = [box[axis], box[axis + 2]];
      return [at, at + (length - size) / 2, at + length - size].map((to) => (to - item.box[axis]) * scale);
    });
}

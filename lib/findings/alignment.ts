// Boxes that are nearly in line with two siblings, and gaps that are nearly as wide as the others of a row or column.
import type { Layer } from '../contract/layers/index.js';
import { type Change, setting } from './fixes/changes.js';
import { excerptOf, glyphInk, type Item, type ItemBox, type Items, isDecoration } from './items.js';
import type { MeasuredFinding, RuleContext } from './rules.js';

/** Pixels of the payload. */
const SAME = 0.5;
const [MIN_OFF, MAX_OFF] = [1, 4];
const IN_LINE = 0.3;
/** Texts from this size are set by the edge of their letters, in line within so many pixels. */
const LARGE_TYPE = 40;
const OPTICAL = 2;
/** Among more siblings, only those of one kind are compared: the marks of a chart lie where its values are. */
const MANY = 30;
/** The least siblings that share a line, and the least layers of a row. */
const MIN_SHARED = 2;
const MIN_ROW = 3;

const LINES = [
  { name: 'left edge', axis: 0, of: ([x]: ItemBox) => x },
  { name: 'centre', axis: 0, of: ([x, , width]: ItemBox) => x + width / 2 },
  { name: 'right edge', axis: 0, of: ([x, , width]: ItemBox) => x + width },
  { name: 'top edge', axis: 1, of: ([, y]: ItemBox) => y },
  { name: 'middle', axis: 1, of: ([, y, , height]: ItemBox) => y + height / 2 },
  { name: 'bottom edge', axis: 1, of: ([, y, , height]: ItemBox) => y + height },
] as const;

export function findAlignment({ items }: RuleContext): MeasuredFinding[] {
  const found: MeasuredFinding[] = [];
  for (const siblings of siblingsOf(items)) {
    for (const item of siblings) {
      const off = offLine(item, item.box, siblings);
      if (off) found.push(misaligned(item, off));
    }
    for (const axis of [0, 1] as const) for (const row of rowsOf(siblings, axis)) found.push(...uneven(row, axis));
  }
  return found;
}

/** Whether the item would be misaligned with this box. */
export function misalignedIn(item: Item, items: Items, box: ItemBox): boolean {
  if (!takesPart(item)) return false;
  const siblings = items.all.filter((other) => other.parent === item.parent && takesPart(other));
  return offLine(item, box, siblings) !== undefined;
}

function takesPart(item: Item): boolean {
  return !item.isHidden && !item.isPlaced && !isDecoration(item) && !isTurned(item.layer) && !isFree(item.layer);
}

/** Whether the outline is drawn by points, for which the box is no measure. */
function isFree(layer: Layer): boolean {
  return layer.type === 'shape' && (layer.shapeType === 'path' || layer.shapeType === 'polygon');
}

function isTurned({ rotation, transform }: Layer): boolean {
  return rotation % 360 !== 0 || (transform?.length ?? 0) > 0;
}

function siblingsOf({ all }: Items): Item[][] {
  const groups = new Map<Item | undefined, Item[]>();
  for (const item of all.filter(takesPart)) {
    const group = groups.get(item.parent);
    if (group) group.push(item);
    else groups.set(item.parent, [item]);
  }
  return [...groups.values()];
}

interface Off {
  readonly line: (typeof LINES)[number];
  /** Pixels from the item's line to that of the others. */
  readonly by: number;
  readonly shared: number;
}

/** The line that the box misses by a little, the nearest if there are several. */
function offLine(item: Item, box: ItemBox, siblings: readonly Item[]): Off | undefined {
  let best: Off | undefined;
  const others = siblings.filter((each) => each !== item);
  // among many layers, two are in line with each other by chance
  const least = Math.max(MIN_SHARED, Math.floor(siblings.length / 10));
  for (const line of LINES) {
    if (isInLine(box, others, line.axis)) continue;
    const at = line.of(box);
    const distances = others
      .filter((each) => isComparable(item, each, line) && (siblings.length <= MANY || isAlike(item.layer, each.layer)))
      .map((each) => round(line.of(each.box) - at));
    for (const by of distances) {
      if (!isOff(by)) continue;
      const shared = distances.filter((each) => Math.abs(each - by) <= SAME && isOff(each)).length;
      if (shared < least) continue;
      if (!best || Math.abs(by) < Math.abs(best.by)) best = { line, by, shared };
    }
  }
  return best;
}

function isAlike(one: Layer, other: Layer): boolean {
  return (
    one.type === other.type && (one.type !== 'shape' || other.type !== 'shape' || one.shapeType === other.shapeType)
  );
}

/** Whether the box shares an edge or its centre with another: it is in line along this axis, whatever else is near. */
function isInLine(box: ItemBox, others: readonly Item[], axis: 0 | 1): boolean {
  const lines = LINES.filter((line) => line.axis === axis);
  return others.some((other) => lines.some(({ of }) => Math.abs(of(other.box) - of(box)) < IN_LINE));
}

/**
 * Whether an edge of one can be expected to be in line with that of the other. The upper and lower edges of texts are those of
 * their line boxes, which shapes have not; and large letters are set a little to the left, because they begin later.
 */
function isComparable(item: Item, other: Item, { name, axis }: (typeof LINES)[number]): boolean {
  const [one, two] = [item.layer, other.layer];
  if (one.type !== 'text') return true;
  if (axis === 1) return name === 'middle' || two.type === 'text' || two.type === 'image';
  if (name !== 'left edge' || one.fontSize < LARGE_TYPE) return true;
  if (two.type === 'text' && one.fontSize < 1.5 * two.fontSize) return true;
  const its = two.type === 'text' ? glyphInk(other) : other.ink;
  return Math.abs(glyphInk(item).left - its.left) > OPTICAL;
}

const isOff = (by: number) => Math.abs(by) >= MIN_OFF && Math.abs(by) <= MAX_OFF;
const round = (length: number) => Math.round(length * 100) / 100;

function misaligned(item: Item, { line: { name, axis }, by, shared }: Off): MeasuredFinding {
  return {
    code: 'misaligned',
    severity: 'info',
    path: item.path,
    message: `the ${name} of ${excerptOf(item)} is ${Math.abs(by)} px beside that of ${shared} other layers`,
    value: Math.abs(by),
    limit: MIN_OFF,
    changes: shifted(item, axis, by),
  };
}

/** The change that moves the layer along an axis by pixels of its own coordinates. */
function shifted(item: Item, axis: 0 | 1, by: number): Change[] {
  const field = axis === 0 ? 'x' : 'y';
  return setting(item, { [field]: round(item.measured.written[field] + by) });
}

/** Rows (axis 0) or columns of at least three layers of one type and size. */
function rowsOf(siblings: readonly Item[], axis: 0 | 1): Item[][] {
  const rows: Item[][] = [];
  for (const item of siblings) {
    const row = rows.find(([first]) => isSameRow(first, item, axis));
    if (row) row.push(item);
    else rows.push([item]);
  }
  return rows
    .filter((row) => row.length >= MIN_ROW)
    .map((row) => [...row].sort((one, other) => one.box[axis] - other.box[axis]));
}

function isSameRow(one: Item, other: Item, axis: 0 | 1): boolean {
  const across = axis === 0 ? 1 : 0;
  return (
    one.layer.type === other.layer.type &&
    [across, 2, 3].every((index) => Math.abs(one.box[index] - other.box[index]) <= SAME)
  );
}

function uneven(row: readonly Item[], axis: 0 | 1): MeasuredFinding[] {
  const gaps = row.slice(1).map(({ box }, i) => round(box[axis] - row[i].box[axis] - row[i].box[axis + 2]));
  const off = gaps.map((gap, i) => round(gap - median(gaps.filter((_, j) => j !== i))));
  const index = off.reduce((worst, each, i) => {
    return isOff(each) && (worst < 0 || Math.abs(each) > Math.abs(off[worst])) ? i : worst;
  }, -1);
  if (index < 0) return [];
  const by = off[index];
  const [before, after] = [row[index], row[index + 1]];
  const found = index === 0 ? before : after;
  // two gaps may differ from each other: then the layer at either end may be the one out of place
  const places = off.flatMap((each, i) => (isOff(each) ? [i] : []));
  const ends = places.flatMap((i) => closing(row, i, off[i], axis));
  const changes = ends.sort((one, other) => one.length - other.length);
  return [
    {
      code: 'uneven_spacing',
      severity: 'info',
      path: found.path,
      message: `the gap between ${excerptOf(before)} and ${excerptOf(after)} is ${gaps[index]} px, those beside it ${round(gaps[index] - by)} px`,
      value: gaps[index],
      limit: round(gaps[index] - by),
      changes,
    },
  ];
}

/** The changes that close a gap, or open it, by moving all layers before or behind it; fewer layers first. */
function closing(row: readonly Item[], index: number, by: number, axis: 0 | 1): Change[] {
  const behind = row.slice(index + 1).flatMap((item) => shifted(item, axis, -by));
  const before = row.slice(0, index + 1).flatMap((item) => shifted(item, axis, by));
  return [before.flat(), behind.flat()].filter((change) => change.length > 0);
}

function median(lengths: readonly number[]): number {
  const sorted = [...lengths].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

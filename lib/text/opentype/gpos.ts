// Glyph positioning (OpenType 1.9 "GPOS").
import { componentOf, type Item, isMarkGlyph, LIGATED, MARK, MULTIPLIED, markUnsafe } from './buffer.js';
import { classOf, coverage, type Lookup, NOT_COVERED } from './layout-tables.js';
import type { LookupRun } from './lookup.js';

export const GPOS_EXTENSION = 9;

/** Lookup flag: the last glyph of a cursive connection is on the baseline. */
const RIGHT_TO_LEFT = 1;
const IGNORE_MARKS = MARK;
/** The lookup flag's bits that skip glyphs. */
const SKIPPING_FLAGS = 0x0e;
const X_PLACEMENT = 1;
const Y_PLACEMENT = 2;
const X_ADVANCE = 4;
const Y_ADVANCE = 8;
const DEVICES = 0xf0;

export function position(run: LookupRun, { type, subtables }: Lookup): boolean {
  for (const at of subtables) if (positionWith(run, type, at)) return true;
  return false;
}

function positionWith(run: LookupRun, type: number, at: number): boolean {
  switch (type) {
    case 1:
      return single(run, at);
    case 2:
      return pair(run, at);
    case 3:
      return cursive(run, at);
    case 4:
      return markToBase(run, at);
    case 5:
      return markToLigature(run, at);
    case 6:
      return markToMark(run, at);
    case 7:
      return run.applyContext(at, false);
    case 8:
      return run.applyContext(at, true);
  }
  return false;
}

/** The size of a value record in bytes. */
function valueSize(format: number): number {
  let size = 0;
  for (let bits = format & 0xff; bits > 0; bits >>= 1) size += 2 * (bits & 1);
  return size;
}

/** Adds a value record of a subtable at `base`; returns whether one of its values is not zero. */
function addValue({ data, definitions }: LookupRun, item: Item, format: number, record: number, base: number): boolean {
  let at = record;
  const read = (bit: number) => {
    if ((format & bit) === 0) return 0;
    at += 2;
    return data.i16(at - 2);
  };
  const delta = (bit: number) => {
    const offset = read(bit);
    return offset === 0 ? 0 : definitions.deviceDelta(data, base + (offset & 0xffff));
  };
  const [x, y, advance] = [X_PLACEMENT, Y_PLACEMENT, X_ADVANCE].map(read);
  const vertical = read(Y_ADVANCE);
  // a device table may hold a value where the record has 0
  const isSet = x !== 0 || y !== 0 || advance !== 0 || vertical !== 0 || (format & DEVICES) !== 0;
  item.offsetX += x + delta(X_PLACEMENT << 4);
  item.offsetY += y + delta(Y_PLACEMENT << 4);
  item.advance += advance + delta(X_ADVANCE << 4);
  return isSet;
}

function single(run: LookupRun, at: number): boolean {
  const { data, current } = run;
  const index = coverage(data, at + data.u16(at + 2), current.glyph);
  if (index === NOT_COVERED) return false;
  const format = data.u16(at + 4);
  if (data.u16(at) === 1) addValue(run, current, format, at + 6, at);
  else {
    if (index >= data.u16(at + 6)) return false;
    addValue(run, current, format, at + 8 + index * valueSize(format), at);
  }
  run.index++;
  return true;
}

function pair(run: LookupRun, at: number): boolean {
  const { data, current, items } = run;
  const index = coverage(data, at + data.u16(at + 2), current.glyph);
  if (index === NOT_COVERED) return false;
  const second = run.next(run.index, 1, false);
  if (second === undefined) return false;
  const { glyph } = items[second];
  const [format1, format2] = [data.u16(at + 4), data.u16(at + 6)];
  const [size1, size2] = [valueSize(format1), valueSize(format2)];
  let record: number | undefined;
  let base = at;
  if (data.u16(at) === 1) {
    if (index >= data.u16(at + 8)) return false;
    const set = at + data.u16(at + 10 + 2 * index);
    record = findPair(run, set, 2 + size1 + size2, glyph);
    base = set;
  } else {
    const class1 = classOf(data, at + data.u16(at + 8), current.glyph);
    const class2 = classOf(data, at + data.u16(at + 10), glyph);
    const count2 = data.u16(at + 14);
    if (class1 < data.u16(at + 12) && class2 < count2) record = at + 16 + (class1 * count2 + class2) * (size1 + size2);
  }
  if (record === undefined) return false;
  const isFirstMoved = addValue(run, current, format1, record, base);
  const isSecondMoved = addValue(run, items[second], format2, record + size1, base);
  if (isFirstMoved || isSecondMoved) markUnsafe(items, run.index, second + 1);
  run.index = second;
  if (size2 > 0) {
    run.index++;
    // the second glyph may have been placed by its other neighbours
    markUnsafe(items, second, Math.min(items.length, second + 2));
  }
  return true;
}

/** The values of the pair whose second glyph is `glyph`. */
function findPair({ data }: LookupRun, set: number, size: number, glyph: number): number | undefined {
  let low = 0;
  let high = data.u16(set);
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = data.u16(set + 2 + size * middle);
    if (found === glyph) return set + 2 + size * middle + 2;
    if (found < glyph) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

interface Anchor {
  readonly x: number;
  readonly y: number;
}

function anchorAt({ data, definitions }: LookupRun, at: number): Anchor {
  const coordinate = (value: number, device: number) => {
    const offset = data.u16(at) === 3 ? data.u16(at + device) : 0;
    return data.i16(at + value) + (offset === 0 ? 0 : definitions.deviceDelta(data, at + offset));
  };
  return { x: coordinate(2, 6), y: coordinate(4, 8) };
}

function cursive(run: LookupRun, at: number): boolean {
  const { data, current, items } = run;
  const recordOf = (glyph: number) => {
    const index = coverage(data, at + data.u16(at + 2), glyph);
    return index === NOT_COVERED || index >= data.u16(at + 4) ? undefined : at + 6 + 4 * index;
  };
  const own = recordOf(current.glyph);
  if (own === undefined || data.u16(own) === 0) return false;
  const i = run.next(run.index, -1, false);
  if (i === undefined) return false;
  const other = recordOf(items[i].glyph);
  if (other === undefined || data.u16(other + 2) === 0) return false;
  const j = run.index;
  markUnsafe(items, i, j + 1);
  const entry = anchorAt(run, at + data.u16(own));
  const exit = anchorAt(run, at + data.u16(other + 2));
  const [before, after] = [items[i], items[j]];
  if (run.rightToLeft) {
    const distance = exit.x + before.offsetX;
    before.advance -= distance;
    before.offsetX -= distance;
    after.advance = entry.x + after.offsetX;
  } else {
    before.advance = exit.x + before.offsetX;
    const distance = entry.x + after.offsetX;
    after.advance -= distance;
    after.offsetX -= distance;
  }
  const isFirstFixed = (run.flags & RIGHT_TO_LEFT) === 0;
  const [child, parent] = isFirstFixed ? [j, i] : [i, j];
  reverseChain(items, child, parent);
  items[child].attachment = 'cursive';
  items[child].chain = parent - child;
  items[child].offsetY = isFirstFixed ? exit.y - entry.y : entry.y - exit.y;
  if (items[parent].chain === child - parent) {
    items[parent].chain = 0;
    items[parent].offsetY = 0;
  }
  run.index++;
  return true;
}

/** Turns the connections that lead from `start` around, up to the new parent, so that `start` can be attached to that. */
function reverseChain(items: readonly Item[], start: number, newParent: number): void {
  let index = start;
  let { chain, offsetY } = items[index];
  if (chain === 0 || items[index].attachment !== 'cursive') return;
  items[index].chain = 0;
  for (;;) {
    const parent = index + chain;
    if (parent === newParent || !items[parent]) return;
    const next = items[parent];
    const [nextChain, nextOffset, isCursive] = [next.chain, next.offsetY, next.attachment === 'cursive'];
    next.offsetY = -offsetY;
    next.chain = -chain;
    next.attachment = 'cursive';
    if (nextChain === 0 || !isCursive) return;
    [index, chain, offsetY] = [parent, nextChain, nextOffset];
  }
}

/** Attaches the current mark to `base`: the record of the mark array names its class and anchor. */
function attach(run: LookupRun, at: number, markIndex: number, anchors: number, row: number, base: number): boolean {
  const { data, current, items } = run;
  const marks = at + data.u16(at + 8);
  if (markIndex >= data.u16(marks) || row >= data.u16(anchors)) return false;
  const classes = data.u16(at + 6);
  const markClass = data.u16(marks + 2 + 4 * markIndex);
  const anchor = data.u16(anchors + 2 + 2 * (row * classes + markClass));
  // another subtable may have the anchor
  if (markClass >= classes || anchor === 0) return false;
  markUnsafe(items, base, run.index + 1);
  const own = anchorAt(run, marks + data.u16(marks + 2 + 4 * markIndex + 2));
  const target = anchorAt(run, anchors + anchor);
  current.offsetX = target.x - own.x;
  current.offsetY = target.y - own.y;
  current.attachment = 'mark';
  current.chain = base - run.index;
  run.index++;
  return true;
}

/** The last glyph before the current one that is not a mark. */
function findBase(run: LookupRun, isAccepted: (place: number) => boolean): number | undefined {
  if (run.lastBaseUntil > run.index) {
    run.lastBaseUntil = 0;
    run.lastBase = -1;
  }
  for (let i = run.index - 1; i >= run.lastBaseUntil; i--) {
    if (run.skips(run.items[i], false, IGNORE_MARKS) === 'no' && isAccepted(i)) {
      run.lastBase = i;
      break;
    }
  }
  run.lastBaseUntil = run.index;
  return run.lastBase < 0 ? undefined : run.lastBase;
}

function markToBase(run: LookupRun, at: number): boolean {
  const { data, current, items } = run;
  const markIndex = coverage(data, at + data.u16(at + 2), current.glyph);
  if (markIndex === NOT_COVERED) return false;
  const baseIndex = (place: number) => coverage(data, at + data.u16(at + 4), items[place].glyph);
  const base = findBase(run, (place) => isFirstOfSeveral(items, place) || baseIndex(place) !== NOT_COVERED);
  if (base === undefined || baseIndex(base) === NOT_COVERED) return false;
  return attach(run, at, markIndex, at + data.u16(at + 10), baseIndex(base), base);
}

/** Whether the item is the first of several that replaced one glyph: marks attach to that one. */
function isFirstOfSeveral(items: readonly Item[], place: number): boolean {
  const item = items[place];
  const before = items[place - 1];
  const isMultiplied = (one: Item) => (one.props & MULTIPLIED) !== 0 && (one.props & LIGATED) === 0;
  return (
    !isMultiplied(item) ||
    componentOf(item) === 0 ||
    !before ||
    isMarkGlyph(before) ||
    !isMultiplied(before) ||
    item.ligature !== before.ligature ||
    componentOf(item) !== componentOf(before) + 1
  );
}

function markToLigature(run: LookupRun, at: number): boolean {
  const { data, current, items } = run;
  const markIndex = coverage(data, at + data.u16(at + 2), current.glyph);
  if (markIndex === NOT_COVERED) return false;
  const base = findBase(run, () => true);
  if (base === undefined) return false;
  const index = coverage(data, at + data.u16(at + 4), items[base].glyph);
  const ligatures = at + data.u16(at + 10);
  if (index === NOT_COVERED || index >= data.u16(ligatures)) return false;
  const anchors = ligatures + data.u16(ligatures + 2 + 2 * index);
  const count = data.u16(anchors);
  if (count === 0) return false;
  const { ligature } = items[base];
  const component = componentOf(current);
  const isOfLigature = ligature > 0 && ligature === current.ligature && component > 0;
  const row = isOfLigature ? Math.min(count, component) - 1 : count - 1;
  return attach(run, at, markIndex, anchors, row, base);
}

function markToMark(run: LookupRun, at: number): boolean {
  const { data, current, items } = run;
  const markIndex = coverage(data, at + data.u16(at + 2), current.glyph);
  if (markIndex === NOT_COVERED) return false;
  const place = run.next(run.index, -1, false, undefined, run.flags - (run.flags & SKIPPING_FLAGS));
  if (place === undefined || !isMarkGlyph(items[place])) return false;
  const other = items[place];
  const [component, otherComponent] = [componentOf(current), componentOf(other)];
  const areTogether =
    current.ligature === other.ligature
      ? current.ligature === 0 || component === otherComponent
      : (current.ligature > 0 && component === 0) || (other.ligature > 0 && otherComponent === 0);
  if (!areTogether) return false;
  const index = coverage(data, at + data.u16(at + 4), other.glyph);
  if (index === NOT_COVERED) return false;
  return attach(run, at, markIndex, at + data.u16(at + 10), index, place);
}

/** Moves attached glyphs with the glyphs that they are attached to. */
export function resolveAttachments(items: readonly Item[], rightToLeft: boolean): void {
  const resolve = (index: number) => {
    const item = items[index];
    const { chain, attachment } = item;
    const parent = items[index + chain];
    item.chain = 0;
    if (chain === 0 || !parent) return;
    resolve(index + chain);
    item.offsetY += parent.offsetY;
    if (attachment === 'cursive') return;
    item.offsetX += parent.offsetX;
    const place = index + chain;
    if (rightToLeft) for (let i = place + 1; i <= index; i++) item.offsetX += items[i].advance;
    else for (let i = place; i < index; i++) item.offsetX -= items[i].advance;
  };
  for (let i = 0; i < items.length; i++) resolve(i);
}

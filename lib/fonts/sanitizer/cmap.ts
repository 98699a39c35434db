// Checks the cmap table: every subtable is inside the table, and its segments and groups are sorted, as binary search needs.
import { assertInside, malformedFont, viewOf } from './errors.js';

/** More than any font has; six are common. */
const MAX_SUBTABLES = 64;
const LAST_CODE_POINT = 0x10ffff;

/** Throws RenderError if a subtable of a known format is outside the table or unsorted. Unknown formats are never read. */
export function checkCmap(data: Uint8Array): void {
  const view = viewOf(data);
  const count = view.getUint16(2);
  if (count > MAX_SUBTABLES)
    throw malformedFont(`its cmap table has ${count} subtables, ${MAX_SUBTABLES} at most are read`);
  const checked = new Set<number>();
  for (let record = 4; record < 4 + 8 * count; record += 8) {
    const at = view.getUint32(record + 4);
    if (!checked.has(at)) checkSubtable(view, at);
    checked.add(at);
  }
}

function checkSubtable(view: DataView, at: number): void {
  const format = view.getUint16(at);
  if (format === 4) checkSegments(view, at);
  else if (format === 12 || format === 13) checkGroups(view, at);
  else if (format === 14) checkVariationSelectors(view, at);
  else assertInside(view, at, arrayLength(view, at, format));
}

/** Bytes of a subtable that is a single array. */
function arrayLength(view: DataView, at: number, format: number): number {
  switch (format) {
    case 0:
      return 262;
    case 2:
      return 518;
    case 6:
      return 10 + 2 * view.getUint16(at + 8);
    case 8:
      return 8208 + 12 * view.getUint32(at + 8204);
    case 10:
      return 20 + 2 * view.getUint32(at + 16);
    default:
      return 0;
  }
}

/** Format 4. Its length field is ignored, as by other readers: fonts with many characters overflow it. */
function checkSegments(view: DataView, at: number): void {
  const doubledCount = view.getUint16(at + 6);
  assertInside(view, at + 14, 2 + 4 * doubledCount);
  if (doubledCount === 0 || doubledCount % 2) throw malformedFont(`its cmap table has ${doubledCount / 2} segments`);
  const ends = at + 14;
  const starts = ends + doubledCount + 2;
  let previousEnd = -1;
  for (let i = 0; i < doubledCount; i += 2) {
    const start = view.getUint16(starts + i);
    const end = view.getUint16(ends + i);
    if (end < previousEnd) throw malformedFont('its cmap table has segments out of order');
    previousEnd = end;
    const offsetAt = starts + 2 * doubledCount + i;
    const offset = view.getUint16(offsetAt);
    // Some old fonts use 0xFFFF for "no offset" in the final segment.
    if (offset !== 0 && offset !== 0xffff && start <= end) assertInside(view, offsetAt + offset, 2);
  }
}

/** Formats 12 and 13. */
function checkGroups(view: DataView, at: number): void {
  const count = view.getUint32(at + 12);
  assertInside(view, at + 16, 12 * count);
  let previousEnd = -1;
  for (let i = 0; i < count; i++) {
    const group = at + 16 + 12 * i;
    const start = view.getUint32(group);
    const end = view.getUint32(group + 4);
    if (start <= previousEnd || end < start || end > LAST_CODE_POINT)
      throw malformedFont('its cmap table has groups out of order');
    previousEnd = end;
  }
}

/** Format 14: the default and non-default lists of each variation selector. */
function checkVariationSelectors(view: DataView, at: number): void {
  const count = view.getUint32(at + 6);
  assertInside(view, at + 10, 11 * count);
  for (let i = 0; i < count; i++) {
    const record = at + 10 + 11 * i;
    const defaults = view.getUint32(record + 3);
    const nonDefaults = view.getUint32(record + 7);
    if (defaults !== 0) assertInside(view, at + defaults + 4, 4 * view.getUint32(at + defaults));
    if (nonDefaults !== 0) assertInside(view, at + nonDefaults + 4, 5 * view.getUint32(at + nonDefaults));
  }
}

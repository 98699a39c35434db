// cmap: every subtable within the table, its segments and groups in order, so that a look-up by bisection ends where it should.
import { malformedFont, viewOf, within } from './errors.js';

/** More than any font has: six are usual. */
const MAX_SUBTABLES = 64;
const LAST_CODE_POINT = 0x10ffff;

/** Throws RenderError when a subtable of a known format leaves the table or is out of order; unknown formats are never read. */
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
  else if (format === 14) checkVariations(view, at);
  else within(view, at, lengthOf(view, at, format));
}

/** Bytes of a subtable that is an array and nothing else. */
function lengthOf(view: DataView, at: number, format: number): number {
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

/** Format 4. Its length field is not believed: fonts of many characters overflow it, and readers ignore it. */
function checkSegments(view: DataView, at: number): void {
  const doubled = view.getUint16(at + 6);
  within(view, at + 14, 2 + 4 * doubled);
  if (doubled === 0 || doubled % 2) throw malformedFont(`its cmap table has ${doubled / 2} segments`);
  const ends = at + 14;
  const starts = ends + doubled + 2;
  let last = -1;
  for (let i = 0; i < doubled; i += 2) {
    const start = view.getUint16(starts + i);
    const end = view.getUint16(ends + i);
    if (end < last) throw malformedFont('its cmap table has segments out of order');
    last = end;
    const offsetAt = starts + 2 * doubled + i;
    const offset = view.getUint16(offsetAt);
    // 0xFFFF in the segment that ends the list stands for no offset in some old fonts
    if (offset !== 0 && offset !== 0xffff && start <= end) within(view, offsetAt + offset, 2);
  }
}

/** Formats 12 and 13. */
function checkGroups(view: DataView, at: number): void {
  const count = view.getUint32(at + 12);
  within(view, at + 16, 12 * count);
  let last = -1;
  for (let i = 0; i < count; i++) {
    const group = at + 16 + 12 * i;
    const start = view.getUint32(group);
    const end = view.getUint32(group + 4);
    if (start <= last || end < start || end > LAST_CODE_POINT)
      throw malformedFont('its cmap table has groups out of order');
    last = end;
  }
}

/** Format 14: what follows each variation selector. */
function checkVariations(view: DataView, at: number): void {
  const count = view.getUint32(at + 6);
  within(view, at + 10, 11 * count);
  for (let i = 0; i < count; i++) {
    const record = at + 10 + 11 * i;
    const defaults = view.getUint32(record + 3);
    const others = view.getUint32(record + 7);
    if (defaults !== 0) within(view, at + defaults + 4, 4 * view.getUint32(at + defaults));
    if (others !== 0) within(view, at + others + 4, 5 * view.getUint32(at + others));
  }
}

// Checks CFF and CFF2 tables: INDEXes and DICTs are inside the table, every glyph has a charstring, and each charstring passes
// a run without drawing (charstring.ts).
import { type CffIndex, type Dict, offsetIn, readDict, readIndex } from './cff-data.js';
import { CharstringCheck, type LocalFont } from './charstring.js';
import { assertInside, malformedFont, viewOf } from './errors.js';
import { regionCounts } from './variations.js';

// operators of top and private DICTs
const CHARSET = 15;
const CHAR_STRINGS = 17;
const PRIVATE = 18;
const SUBRS = 19;
const VSINDEX = 22;
const VARIATION_STORE = 24;
const CHARSTRING_TYPE = 1206;
const FD_ARRAY = 1236;
const FD_SELECT = 1237;

/** Font DICTs of one table. A glyph selects one by a byte, in CFF2 by two. */
const MAX_FONT_DICTS = 256;

/** Throws RenderError if the CFF or CFF2 table is malformed. */
export function checkCff(data: Uint8Array, glyphs: number, isCff2: boolean): void {
  const view = viewOf(data);
  const { top, globalSubrs } = isCff2 ? readTopCff2(view) : readTop(view);
  const type = top.get(CHARSTRING_TYPE)?.[0] ?? 2;
  if (type !== 2) throw malformedFont(`it has charstrings of type ${type}`);
  const at = offsetIn(top, CHAR_STRINGS, view);
  if (at === undefined) throw malformedFont('it has no charstrings');
  const charstrings = readIndex(view, at, isCff2, 'charstrings');
  if (charstrings.count !== glyphs) throw malformedFont(`it has ${charstrings.count} charstrings for ${glyphs} glyphs`);
  const fonts = readFonts(view, top, isCff2);
  const fontIndexOf = readFdSelect(view, top, glyphs, fonts.length);
  if (!isCff2) checkCharset(view, top, glyphs);
  const store = isCff2 ? offsetIn(top, VARIATION_STORE, view) : undefined;
  const regions = store === undefined ? [] : regionCounts(data.subarray(store + 2));
  const check = new CharstringCheck(data, globalSubrs, isCff2, regions);
  for (let glyph = 0; glyph < glyphs; glyph++) {
    check.run(charstrings.offsetOf(glyph), charstrings.offsetOf(glyph + 1), fonts[fontIndexOf(glyph)], glyph);
  }
}

interface Top {
  readonly top: Dict;
  readonly globalSubrs: CffIndex;
}

function readTop(view: DataView): Top {
  const names = readIndex(view, view.getUint8(2), false, 'CFF names');
  const tops = readIndex(view, names.end, false, 'CFF dictionaries');
  if (tops.count !== 1) throw malformedFont(`its CFF table holds ${tops.count} fonts`);
  const strings = readIndex(view, tops.end, false, 'CFF strings');
  const globalSubrs = readIndex(view, strings.end, false, 'subroutines');
  return { top: readDict(view, tops.offsetOf(0), tops.offsetOf(1)), globalSubrs };
}

function readTopCff2(view: DataView): Top {
  const start = view.getUint8(2);
  const end = start + view.getUint16(3);
  assertInside(view, start, end - start);
  return { top: readDict(view, start, end), globalSubrs: readIndex(view, end, true, 'subroutines') };
}

/** The private data of each Font DICT. A font that is not CID-keyed has one. */
function readFonts(view: DataView, top: Dict, isCff2: boolean): LocalFont[] {
  const at = offsetIn(top, FD_ARRAY, view);
  if (at === undefined) return [readPrivate(view, top, isCff2)];
  const list = readIndex(view, at, isCff2, 'CFF fonts');
  if (list.count === 0 || list.count > MAX_FONT_DICTS) throw malformedFont(`its CFF table holds ${list.count} fonts`);
  return Array.from({ length: list.count }, (_, i) =>
    readPrivate(view, readDict(view, list.offsetOf(i), list.offsetOf(i + 1)), isCff2),
  );
}

function readPrivate(view: DataView, dict: Dict, isCff2: boolean): LocalFont {
  const at = offsetIn(dict, PRIVATE, view, 1);
  if (at === undefined) return { vsindex: 0 };
  const size = dict.get(PRIVATE)?.[0] ?? 0;
  if (!(size >= 0)) throw new RangeError('outside the table');
  assertInside(view, at, size);
  const own = readDict(view, at, at + size);
  const vsindex = own.get(VSINDEX)?.[0] ?? 0;
  const offset = own.get(SUBRS)?.[0];
  // Some converters write 0 for "no subroutines".
  if (offset === undefined || offset === 0) return { vsindex };
  if (!(offset > 0)) throw new RangeError('outside the table');
  return { vsindex, subrs: readIndex(view, at + offset, isCff2, 'subroutines') };
}

/** Returns a function from a glyph to its Font DICT's index, by FDSelect (formats 0, 3 and 4). */
function readFdSelect(view: DataView, top: Dict, glyphs: number, fonts: number): (glyph: number) => number {
  const at = offsetIn(top, FD_SELECT, view);
  if (at === undefined || fonts === 1) return () => 0;
  const selected = new Uint16Array(glyphs);
  const format = view.getUint8(at);
  if (format === 0) for (let glyph = 0; glyph < glyphs; glyph++) selected[glyph] = view.getUint8(at + 1 + glyph);
  else if (format === 3 || format === 4) fillRanges(view, at, format === 4, selected);
  else throw malformedFont(`its FDSelect has the unknown format ${format}`);
  const invalid = selected.findIndex((font) => font >= fonts);
  if (invalid !== -1) {
    throw malformedFont(`glyph ${invalid} selects the CFF font ${selected[invalid]} of ${fonts}`);
  }
  return (glyph) => selected[glyph];
}

function fillRanges(view: DataView, at: number, isCff2: boolean, selected: Uint16Array): void {
  const count = isCff2 ? view.getUint32(at + 1) : view.getUint16(at + 1);
  const [first, step] = isCff2 ? [at + 5, 6] : [at + 3, 3];
  const glyphAt = (range: number) =>
    isCff2 ? view.getUint32(first + range * step) : view.getUint16(first + range * step);
  if (count === 0 || glyphAt(0) !== 0 || glyphAt(count) !== selected.length) {
    throw malformedFont('its FDSelect does not cover all glyphs');
  }
  for (let range = 0; range < count; range++) {
    const start = glyphAt(range);
    const end = glyphAt(range + 1);
    if (end < start || end > selected.length) throw malformedFont('its FDSelect has ranges out of order');
    const font = first + range * step + (isCff2 ? 4 : 2);
    selected.fill(isCff2 ? view.getUint16(font) : view.getUint8(font), start, end);
  }
}

/** Charset: an entry for every glyph but the first. The offsets 0, 1 and 2 mean predefined charsets. */
function checkCharset(view: DataView, top: Dict, glyphs: number): void {
  const at = offsetIn(top, CHARSET, view) ?? 0;
  if (at <= 2) return;
  const format = view.getUint8(at);
  if (format === 0) assertInside(view, at + 1, 2 * (glyphs - 1));
  if (format > 2) throw malformedFont(`its charset has the unknown format ${format}`);
  const step = format === 1 ? 3 : 4;
  const first = format === 0 ? glyphs : 1;
  for (let glyph = first, range = at + 1; glyph < glyphs; range += step) {
    glyph += 1 + (format === 1 ? view.getUint8(range + 2) : view.getUint16(range + 2));
  }
}

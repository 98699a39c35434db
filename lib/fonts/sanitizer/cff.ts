// Checks CFF and CFF2 tables: INDEXes and DICTs are inside the table, every glyph has a charstring, and each glyph selects an
// existing Font DICT. Charstrings are not run: HarfBuzz draws nothing for one that takes more than 200,000 operations, nests
// more than 10 calls of subroutines or lacks operands.
import { type Dict, offsetIn, readDict, readIndex } from './cff-data.js';
import { assertInside, malformedFont, viewOf } from './errors.js';
import { checkStore } from './variations.js';

// operators of top and private DICTs
const CHARSET = 15;
const CHAR_STRINGS = 17;
const PRIVATE = 18;
const SUBRS = 19;
const VARIATION_STORE = 24;
const CHARSTRING_TYPE = 1206;
const FD_ARRAY = 1236;
const FD_SELECT = 1237;

/** Font DICTs of one table. A glyph selects one by a byte, in CFF2 by two. */
const MAX_FONT_DICTS = 256;

/** Throws RenderError if the CFF or CFF2 table is malformed. */
export function checkCff(data: Uint8Array, glyphs: number, isCff2: boolean): void {
  const view = viewOf(data);
  const top = isCff2 ? readTopCff2(view) : readTop(view);
  const type = top.get(CHARSTRING_TYPE)?.[0] ?? 2;
  if (type !== 2) throw malformedFont(`it has charstrings of type ${type}`);
  const at = offsetIn(top, CHAR_STRINGS, view);
  if (at === undefined) throw malformedFont('it has no charstrings');
  const charstrings = readIndex(view, at, isCff2, 'charstrings');
  if (charstrings.count !== glyphs) throw malformedFont(`it has ${charstrings.count} charstrings for ${glyphs} glyphs`);
  checkFdSelect(view, top, glyphs, checkFonts(view, top, isCff2));
  if (!isCff2) checkCharset(view, top, glyphs);
  const store = isCff2 ? offsetIn(top, VARIATION_STORE, view) : undefined;
  if (store !== undefined) checkStore(data, store + 2);
}

function readTop(view: DataView): Dict {
  const names = readIndex(view, view.getUint8(2), false, 'CFF names');
  const tops = readIndex(view, names.end, false, 'CFF dictionaries');
  if (tops.count !== 1) throw malformedFont(`its CFF table holds ${tops.count} fonts`);
  const strings = readIndex(view, tops.end, false, 'CFF strings');
  readIndex(view, strings.end, false, 'subroutines');
  return readDict(view, tops.offsetOf(0), tops.offsetOf(1));
}

function readTopCff2(view: DataView): Dict {
  const start = view.getUint8(2);
  const end = start + view.getUint16(3);
  assertInside(view, start, end - start);
  readIndex(view, end, true, 'subroutines');
  return readDict(view, start, end);
}

/** Checks the Font DICTs and their private data; returns their number. A font that is not CID-keyed has one. */
function checkFonts(view: DataView, top: Dict, isCff2: boolean): number {
  const at = offsetIn(top, FD_ARRAY, view);
  if (at === undefined) {
    checkPrivate(view, top, isCff2);
    return 1;
  }
  const { count, offsetOf } = readIndex(view, at, isCff2, 'CFF fonts');
  if (count === 0 || count > MAX_FONT_DICTS) throw malformedFont(`its CFF table holds ${count} fonts`);
  for (let font = 0; font < count; font++) {
    checkPrivate(view, readDict(view, offsetOf(font), offsetOf(font + 1)), isCff2);
  }
  return count;
}

function checkPrivate(view: DataView, dict: Dict, isCff2: boolean): void {
  const at = offsetIn(dict, PRIVATE, view, 1);
  if (at === undefined) return;
  const size = dict.get(PRIVATE)?.[0] ?? 0;
  if (!(size >= 0)) throw new RangeError('outside the table');
  assertInside(view, at, size);
  const offset = readDict(view, at, at + size).get(SUBRS)?.[0];
  // Some converters write 0 for "no subroutines".
  if (offset === undefined || offset === 0) return;
  if (!(offset > 0)) throw new RangeError('outside the table');
  readIndex(view, at + offset, isCff2, 'subroutines');
}

/** FDSelect: the index of each glyph's Font DICT, in a list (format 0) or by ranges of glyphs (formats 3 and 4). */
function checkFdSelect(view: DataView, top: Dict, glyphs: number, fonts: number): void {
  const at = offsetIn(top, FD_SELECT, view);
  if (at === undefined || fonts === 1) return;
  const checkFont = (glyph: number, font: number) => {
    if (font >= fonts) throw malformedFont(`glyph ${glyph} selects the CFF font ${font} of ${fonts}`);
  };
  const format = view.getUint8(at);
  if (format === 0) {
    for (let glyph = 0; glyph < glyphs; glyph++) checkFont(glyph, view.getUint8(at + 1 + glyph));
    return;
  }
  if (format !== 3 && format !== 4) throw malformedFont(`its FDSelect has the unknown format ${format}`);
  const isWide = format === 4;
  const read = (place: number) => (isWide ? view.getUint32(place) : view.getUint16(place));
  const [first, step] = isWide ? [at + 5, 6] : [at + 3, 3];
  const end = first + step * read(at + 1);
  if (end === first || read(first) !== 0 || read(end) !== glyphs) {
    throw malformedFont('its FDSelect does not cover all glyphs');
  }
  for (let range = first; range < end; range += step) {
    const glyph = read(range);
    if (read(range + step) < glyph) throw malformedFont('its FDSelect has ranges out of order');
    checkFont(glyph, isWide ? view.getUint16(range + 4) : view.getUint8(range + 2));
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

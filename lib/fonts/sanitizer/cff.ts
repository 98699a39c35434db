// CFF and CFF2 tables: their lists and dictionaries lie within the table, there is a charstring for every glyph, and each
// charstring is run without drawing (charstring.ts).
import { type CffIndex, type Dict, offsetIn, readDict, readIndex } from './cff-data.js';
import { CharstringCheck, type LocalFont } from './charstring.js';
import { malformedFont, viewOf, within } from './errors.js';
import { regionCounts } from './variations.js';

// operators of top and private DICTs
const CHARSET = 15;
const CHAR_STRINGS = 17;
const PRIVATE = 18;
const SUBRS = 19;
const SOURCE = 22;
const VARIATION_STORE = 24;
const CHARSTRING_TYPE = 1206;
const FD_ARRAY = 1236;
const FD_SELECT = 1237;

/** More fonts within one than any has (glyphs name theirs in a byte, CFF2's in two). */
const MAX_FONTS = 256;

/** Throws RenderError when the CFF table (`wide`: CFF2) breaks a rule. */
export function checkCff(data: Uint8Array, glyphs: number, wide: boolean): void {
  const view = viewOf(data);
  const { top, globalSubrs } = wide ? readTop2(view) : readTop(view);
  const type = top.get(CHARSTRING_TYPE)?.[0] ?? 2;
  if (type !== 2) throw malformedFont(`it has charstrings of type ${type}`);
  const at = offsetIn(top, CHAR_STRINGS, view);
  if (at === undefined) throw malformedFont('it has no charstrings');
  const charstrings = readIndex(view, at, wide, 'charstrings');
  if (charstrings.count !== glyphs) throw malformedFont(`it has ${charstrings.count} charstrings for ${glyphs} glyphs`);
  const fonts = readFonts(view, top, wide);
  const fontOf = readSelection(view, top, glyphs, fonts.length);
  if (!wide) checkCharset(view, top, glyphs);
  const stores = wide ? offsetIn(top, VARIATION_STORE, view) : undefined;
  const regions = stores === undefined ? [] : regionCounts(data.subarray(stores + 2));
  const check = new CharstringCheck(data, globalSubrs, wide, regions);
  for (let glyph = 0; glyph < glyphs; glyph++) {
    check.run(charstrings.offsetOf(glyph), charstrings.offsetOf(glyph + 1), fonts[fontOf(glyph)], glyph);
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

function readTop2(view: DataView): Top {
  const start = view.getUint8(2);
  const end = start + view.getUint16(3);
  within(view, start, end - start);
  return { top: readDict(view, start, end), globalSubrs: readIndex(view, end, true, 'subroutines') };
}

/** The fonts within: their private subroutines. A font that is not keyed by CID has one. */
function readFonts(view: DataView, top: Dict, wide: boolean): LocalFont[] {
  const at = offsetIn(top, FD_ARRAY, view);
  if (at === undefined) return [readPrivate(view, top, wide)];
  const list = readIndex(view, at, wide, 'CFF fonts');
  if (list.count === 0 || list.count > MAX_FONTS) throw malformedFont(`its CFF table holds ${list.count} fonts`);
  return Array.from({ length: list.count }, (_, i) =>
    readPrivate(view, readDict(view, list.offsetOf(i), list.offsetOf(i + 1)), wide),
  );
}

function readPrivate(view: DataView, dict: Dict, wide: boolean): LocalFont {
  const at = offsetIn(dict, PRIVATE, view, 1);
  if (at === undefined) return { source: 0 };
  const size = dict.get(PRIVATE)?.[0] ?? 0;
  if (!(size >= 0)) throw new RangeError('outside the table');
  within(view, at, size);
  const own = readDict(view, at, at + size);
  const source = own.get(SOURCE)?.[0] ?? 0;
  const offset = own.get(SUBRS)?.[0];
  // converters write 0 where there are none
  if (offset === undefined || offset === 0) return { source };
  if (!(offset > 0)) throw new RangeError('outside the table');
  return { source, subrs: readIndex(view, at + offset, wide, 'subroutines') };
}

/** Glyph → its font, by FDSelect (formats 0, 3 and 4). */
function readSelection(view: DataView, top: Dict, glyphs: number, fonts: number): (glyph: number) => number {
  const at = offsetIn(top, FD_SELECT, view);
  if (at === undefined || fonts === 1) return () => 0;
  const chosen = new Uint16Array(glyphs);
  const format = view.getUint8(at);
  if (format === 0) for (let glyph = 0; glyph < glyphs; glyph++) chosen[glyph] = view.getUint8(at + 1 + glyph);
  else if (format === 3 || format === 4) fillRanges(view, at, format === 4, chosen);
  else throw malformedFont(`it chooses its CFF fonts by the unknown format ${format}`);
  const wrong = chosen.findIndex((font) => font >= fonts);
  if (wrong !== -1) throw malformedFont(`glyph ${wrong} is of the font ${chosen[wrong]} of ${fonts}`);
  return (glyph) => chosen[glyph];
}

function fillRanges(view: DataView, at: number, wide: boolean, chosen: Uint16Array): void {
  const count = wide ? view.getUint32(at + 1) : view.getUint16(at + 1);
  const [first, step] = wide ? [at + 5, 6] : [at + 3, 3];
  const glyphAt = (range: number) =>
    wide ? view.getUint32(first + range * step) : view.getUint16(first + range * step);
  if (count === 0 || glyphAt(0) !== 0 || glyphAt(count) !== chosen.length) {
    throw malformedFont('it does not say of which CFF font its glyphs are');
  }
  for (let range = 0; range < count; range++) {
    const start = glyphAt(range);
    const end = glyphAt(range + 1);
    if (end < start || end > chosen.length) throw malformedFont('its CFF fonts are chosen out of order');
    const font = first + range * step + (wide ? 4 : 2);
    chosen.fill(wide ? view.getUint16(font) : view.getUint8(font), start, end);
  }
}

/** Charset: an entry for every glyph but the first. 0, 1 and 2 stand for predefined ones. */
function checkCharset(view: DataView, top: Dict, glyphs: number): void {
  const at = offsetIn(top, CHARSET, view) ?? 0;
  if (at <= 2) return;
  const format = view.getUint8(at);
  if (format === 0) within(view, at + 1, 2 * (glyphs - 1));
  if (format > 2) throw malformedFont(`its charset has the unknown format ${format}`);
  const step = format === 1 ? 3 : 4;
  const first = format === 0 ? glyphs : 1;
  for (let glyph = first, range = at + 1; glyph < glyphs; range += step) {
    glyph += 1 + (format === 1 ? view.getUint8(range + 2) : view.getUint16(range + 2));
  }
}

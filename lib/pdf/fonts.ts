// The fonts of a document: which glyphs it uses of each face, and at the end their subsets (ISO 32000-1, 9.7). Codes in the
// text are glyph ids.
import { RenderError } from '../errors.js';
import { licenceOf } from '../fonts/embedding/licence.js';
import type { Subset } from '../fonts/embedding/subset.js';
import { OUTLINE_TABLES, packTables, tablesOf } from '../fonts/embedding/tables.js';
import { viewOf } from '../fonts/sfnt.js';
import type { Face } from '../text/face.js';
import { hex4, latin1, name, number, numbers, utf16Hex } from './syntax.js';
import { type PdfWriter, type Ref, refTo } from './writer.js';

/** Entries of one `bfchar` section. */
const MAX_ENTRIES = 100;

export class DocumentFont {
  /** The text of each glyph as it was first used; '' until it is known. */
  readonly texts = new Map<number, string>();
  readonly resource: string;

  constructor(
    readonly face: Face,
    readonly ref: Ref,
    private readonly isStrict: boolean,
  ) {
    this.resource = `F${ref}`;
  }

  /** The width of a glyph as the document states it, in thousandths of the font size. */
  width(glyph: number): number {
    return Math.round((this.face.advance(glyph) * 100_000) / this.face.unitsPerEm) / 100;
  }

  /** Uses a glyph for `text`; returns whether copying the glyph gives that text. `undefined` leaves its text open. */
  use(glyph: number, text: string | undefined): boolean {
    if (glyph === 0 && this.isStrict) {
      const what = text ? `“${text}”` : 'a character';
      throw new RenderError('render_failed', `no font has ${what}, expected glyphs for all text for this conformance`);
    }
    const known = this.texts.get(glyph);
    if (known) return known === text;
    this.texts.set(glyph, text ?? '');
    return text !== undefined && text !== '';
  }
}

export class DocumentFonts {
  private readonly fonts = new Map<Face, DocumentFont>();

  /** `isStrict`: whether every character needs a glyph, and every glyph a text. */
  constructor(
    private readonly writer: PdfWriter,
    private readonly isStrict = false,
  ) {}

  get isEmpty(): boolean {
    return this.fonts.size === 0;
  }

  /** The font of a face. Throws RenderError if its maker forbids to embed it. */
  of(face: Face): DocumentFont {
    let font = this.fonts.get(face);
    if (!font) {
      checkLicence(face);
      font = new DocumentFont(face, this.writer.reserve(), this.isStrict);
      this.fonts.set(face, font);
    }
    return font;
  }

  /** Writes the fonts. */
  write(subset: Subset): void {
    for (const font of this.fonts.values()) this.writeFont(font, subset);
  }

  private writeFont({ face, ref, texts }: DocumentFont, subset: Subset): void {
    const { writer } = this;
    const isVariable = face.table('fvar') !== undefined;
    const glyphs = [...texts.keys()].sort((p, q) => p - q);
    const { forbidsSubsetting } = licenceOf(face);
    const all = forbidsSubsetting ? Array.from({ length: glyphCount(face) }, (_, id) => id) : glyphs;
    const font = packTables(OUTLINE_TABLES, (tag) => face.table(tag));
    const file = subset({ font, glyphs: all, axes: face.axes, isVariable });
    if (!file) throw new RenderError('render_failed', `the font ${face.name ?? ''} can't be subset for PDF`);
    const tables = tablesOf(file);
    const cff = tables.get('CFF ');
    const fontName = `${tagFor(face, glyphs)}+${face.name?.replace(/[^A-Za-z0-9]+/g, '-') ?? 'Font'}`;
    const widths = glyphs.map((glyph) => `${glyph}[${number(widthOf({ face }, glyph), 2)}]`).join('');
    const outlines = cff
      ? `/FontFile3 ${refTo(writer.addStream('/Subtype/CIDFontType0C', withIdentityCharset(cff)))}`
      : `/FontFile2 ${refTo(writer.addStream(`/Length1 ${file.length}`, file))}`;
    const descriptor = writer.add(`<</Type/FontDescriptor/FontName${name(fontName)}${metrics(face)}${outlines}>>`);
    const descendant = writer.add(
      `<</Type/Font/Subtype/CIDFontType${cff ? 0 : 2}/BaseFont${name(fontName)}` +
        '/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>' +
        `${cff ? '' : '/CIDToGIDMap/Identity'}/FontDescriptor ${refTo(descriptor)}/DW 0/W[${widths}]>>`,
    );
    const toUnicode = writer.addStream('', latin1(characterMap(texts, glyphs, this.isStrict ? UNKNOWN : '')));
    writer.add(
      `<</Type/Font/Subtype/Type0/BaseFont${name(fontName)}/Encoding/Identity-H` +
        `/DescendantFonts[${refTo(descendant)}]/ToUnicode ${refTo(toUnicode)}>>`,
      ref,
    );
  }
}

function widthOf({ face }: Pick<DocumentFont, 'face'>, glyph: number): number {
  return (face.advance(glyph) * 1000) / face.unitsPerEm;
}

function checkLicence(face: Face): void {
  const { fsType, forbidsEmbedding } = licenceOf(face);
  if (!forbidsEmbedding) return;
  const named = face.name === undefined ? 'a font' : `the font ${face.name}`;
  throw new RenderError(
    'render_failed',
    `${named} forbids to be embedded in documents (fsType ${fsType} in its OS/2 table)`,
  );
}

function glyphCount(face: Face): number {
  const maxp = face.table('maxp');
  return maxp && maxp.length >= 6 ? viewOf(maxp).getUint16(4) : 0;
}

/** Six capital letters that name the subset. */
function tagFor({ name: faceName = '' }: Face, glyphs: readonly number[]): string {
  let hash = glyphs.length;
  for (let i = 0; i < faceName.length; i++) hash = (Math.imul(hash, 31) + faceName.charCodeAt(i)) >>> 0;
  for (const glyph of glyphs) hash = (Math.imul(hash, 16777619) + glyph) >>> 0;
  let tag = '';
  for (let i = 0; i < 6; i++) {
    tag += String.fromCharCode(65 + (hash % 26));
    hash = Math.floor(hash / 26);
  }
  return tag;
}

const SYMBOLIC = 4;
const ITALIC = 64;
/** The thickness of stems, which viewers need only to replace a font. */
const STEM = 80;

function metrics(face: Face): string {
  const { ascent, descent, isItalic } = face;
  const head = face.table('head');
  const view = head && head.length >= 44 ? viewOf(head) : undefined;
  const box = [36, 38, 40, 42].map((at) => (view ? (view.getInt16(at) * 1000) / face.unitsPerEm : 0));
  return (
    `/Flags ${SYMBOLIC | (isItalic ? ITALIC : 0)}/FontBBox[${numbers(box, 0)}]/ItalicAngle ${isItalic ? -12 : 0}` +
    `/Ascent ${number(ascent * 1000, 0)}/Descent ${number(-descent * 1000, 0)}` +
    `/CapHeight ${number(ascent * 1000, 0)}/StemV ${STEM}`
  );
}

/** The text of a glyph that has none of its own: the text around it says what it stands for. */
const UNKNOWN = '\ufffd';

/** The map from glyph ids to text. `missing`: that of glyphs without one. */
function characterMap(texts: ReadonlyMap<number, string>, glyphs: readonly number[], missing: string): string {
  const entries = glyphs.flatMap((glyph) => {
    const text = texts.get(glyph) || missing;
    return text ? [`<${hex4(glyph)}><${utf16Hex(text)}>`] : [];
  });
  let sections = '';
  for (let start = 0; start < entries.length; start += MAX_ENTRIES) {
    const part = entries.slice(start, start + MAX_ENTRIES);
    sections += `${part.length} beginbfchar\n${part.join('\n')}\nendbfchar\n`;
  }
  return (
    '/CIDInit/ProcSet findresource begin\n12 dict begin\nbegincmap\n' +
    '/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n/CMapName/Adobe-Identity-UCS def\n/CMapType 2 def\n' +
    `1 begincodespacerange\n<0000><ffff>\nendcodespacerange\n${sections}` +
    'endcmap\nCMapName currentdict/CMap defineresource pop\nend\nend\n'
  );
}

/** Operators of a CFF font's Top DICT: charset, and ROS of a font whose glyphs have CIDs. */
const CHARSET = 15;
const ROS = 0x0c1e;

/**
 * The CFF font with glyph ids as CIDs. Fonts without CIDs are so already; in others the charset, which the subsetter wrote, is
 * replaced by a shorter one.
 */
function withIdentityCharset(cff: Uint8Array): Uint8Array {
  const view = viewOf(cff);
  const names = endOfIndex(view, cff[2]);
  const dict = indexEntry(view, names, 0);
  const operators = topDict(cff.subarray(dict.start, dict.end));
  const charset = operators.get(CHARSET);
  const charStrings = operators.get(17);
  if (!operators.has(ROS) || charset === undefined || charset <= 2 || charStrings === undefined) return cff;
  const count = view.getUint16(charStrings);
  const result = cff.slice();
  // one range of all glyphs but .notdef: its count has a byte, or two
  if (count < 3) result.set([0, 0, 1], charset);
  else if (count - 2 < 256) result.set([1, 0, 1, count - 2], charset);
  else result.set([2, 0, 1, (count - 2) >> 8, (count - 2) & 255], charset);
  return result;
}

/** The last operand of each operator. */
function topDict(bytes: Uint8Array): Map<number, number> {
  const view = viewOf(bytes);
  const operators = new Map<number, number>();
  let operand = 0;
  for (let i = 0; i < bytes.length; ) {
    const b = bytes[i];
    if (b <= 21) {
      const operator = b === 12 ? 0x0c00 | bytes[i + 1] : b;
      operators.set(operator, operand);
      i += b === 12 ? 2 : 1;
    } else if (b === 28) {
      operand = view.getInt16(i + 1);
      i += 3;
    } else if (b === 29) {
      operand = view.getInt32(i + 1);
      i += 5;
    } else if (b === 30) {
      do i++;
      while (i < bytes.length && (bytes[i] & 15) !== 15 && bytes[i] >> 4 !== 15);
      i++;
    } else if (b < 247) {
      operand = b - 139;
      i++;
    } else {
      operand = b < 251 ? (b - 247) * 256 + bytes[i + 1] + 108 : -(b - 251) * 256 - bytes[i + 1] - 108;
      i += 2;
    }
  }
  return operators;
}

function offsetIn(view: DataView, index: number, entry: number): number {
  const size = view.getUint8(index + 2);
  let offset = 0;
  for (let i = 0; i < size; i++) offset = offset * 256 + view.getUint8(index + 3 + entry * size + i);
  return offset;
}

function indexEntry(view: DataView, index: number, entry: number): { start: number; end: number } {
  const count = view.getUint16(index);
  const data = index + 2 + (count + 1) * view.getUint8(index + 2);
  return { start: data + offsetIn(view, index, entry), end: data + offsetIn(view, index, entry + 1) };
}

function endOfIndex(view: DataView, index: number): number {
  const count = view.getUint16(index);
  return count === 0 ? index + 2 : indexEntry(view, index, count - 1).end;
}

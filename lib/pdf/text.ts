// Glyph runs as text: positioned glyphs, and the source text that copying them gives (ISO 32000-1, 9.4 and 14.9.4).
import type { Affine } from '../geometry/affine.js';
import type { GlyphRun, RunGlyph } from '../paint/target.js';
import type { Face } from '../text/face.js';
import type { ContentStream } from './content.js';
import type { DocumentFont, DocumentFonts } from './fonts.js';
import { hex4, number, numbers, utf16Hex } from './syntax.js';

/** The greatest distance of a glyph from its place that is left, in thousandths of the font size. */
const TOLERANCE = 1;

/** How text is painted: filled, not at all, or as a clip. */
export const FILL = 0;
export const INVISIBLE = 3;
export const CLIP = 7;

/** Adds a text object with the run's glyphs. Colour glyphs are invisible: shapes are painted for them. */
export function addText(content: ContentStream, fonts: DocumentFonts, run: GlyphRun, mode: number): void {
  const glyphs = run.glyphs();
  const text = new TextObject(content, fonts, mode);
  for (let i = 0; i < glyphs.length; ) {
    const { cluster } = glyphs[i];
    let end = i + 1;
    while (end < glyphs.length && glyphs[end].cluster === cluster) end++;
    text.addCluster(glyphs.slice(i, end), run.text.textOf(cluster));
    i = end;
  }
  text.end();
}

/** Hebrew, Arabic and the scripts between and beside them, with their presentation forms. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Viewers reverse text from right to left, its marks as well: poppler and PDFium take it for glyphs from left to right. */
function inVisualOrder(text: string): string {
  return text.length > 1 && RIGHT_TO_LEFT.test(text) ? [...text].reverse().join('') : text;
}

/**
 * The glyphs of a cluster from its left to its right end: viewers take these from the first and the last glyph, which must not be
 * marks. A blank that ends where the last letter does follows its marks.
 */
function inReach(glyphs: readonly RunGlyph[]): readonly RunGlyph[] {
  const isBase = ({ face, id }: RunGlyph) => face.advance(id) > 0;
  const first = glyphs.findIndex(isBase);
  if (first < 0 || glyphs.every(isBase)) return glyphs;
  const ordered = [glyphs[first], ...glyphs.slice(0, first), ...glyphs.slice(first + 1)];
  const last = ordered[ordered.length - 1];
  if (isBase(last)) return ordered;
  const base = [...ordered].reverse().find(isBase) as RunGlyph;
  const { face, toCanvas } = base;
  const blank = face.glyph(0x20);
  if (blank === 0) return ordered;
  const shift = face.advance(base.id) - face.advance(blank);
  const { a, b, e, f } = toCanvas;
  return [...ordered, { ...base, id: blank, toCanvas: { ...toCanvas, e: e + a * shift, f: f + b * shift } }];
}

class TextObject {
  private font: DocumentFont | undefined;
  private face: Face | undefined;
  private size = 0;
  /** The linear part of the glyphs' maps, per font unit. */
  private map: Affine | undefined;
  /** The start of the line on the canvas, and the pen's distance from it in units of the text. */
  private lineX = 0;
  private lineY = 0;
  private pen = 0;
  private matrix = { a: 1, b: 0, c: 0, d: 1 };
  /** Elements of the array of the operator TJ. */
  private shown = '';
  private codes = '';
  private currentMode = FILL;

  constructor(
    private readonly content: ContentStream,
    private readonly fonts: DocumentFonts,
    private readonly mode: number,
  ) {
    content.add('BT');
  }

  addCluster(glyphs: readonly RunGlyph[], text: string): void {
    if (glyphs.length === 1 && this.fonts.of(glyphs[0].face).use(glyphs[0].id, text)) {
      this.addGlyph(glyphs[0]);
      return;
    }
    this.flush();
    this.content.add(`/Span<</ActualText<feff${utf16Hex(inVisualOrder(text))}>>>BDC`);
    for (const glyph of inReach(glyphs)) {
      if (glyphs.length > 1) this.fonts.of(glyph.face).use(glyph.id, undefined);
      this.addGlyph(glyph);
    }
    this.flush();
    this.content.add('EMC');
  }

  end(): void {
    this.flush();
    this.content.add('ET');
    // the mode outlives the text object
    if (this.currentMode !== FILL && this.mode !== CLIP) this.content.add(`${FILL} Tr`);
  }

  private addGlyph({ face, id, toCanvas }: RunGlyph): void {
    this.setMode(face.colorPaint(id) ? INVISIBLE : this.mode);
    if (face !== this.face || !this.hasMap(toCanvas)) this.setFont(face, toCanvas);
    const [x, y] = this.position(toCanvas);
    const { size } = this;
    if (Math.abs(y) * 1000 > size * TOLERANCE || Math.abs(x - this.pen) > 100 * size) this.moveTo(toCanvas);
    else {
      const adjustment = ((this.pen - x) * 1000) / size;
      if (Math.abs(adjustment) > TOLERANCE) {
        const rounded = Math.round(adjustment);
        this.endCodes();
        this.shown += rounded;
        this.pen -= (rounded * size) / 1000;
      }
    }
    this.codes += hex4(id);
    this.pen += ((this.font as DocumentFont).width(id) * size) / 1000;
  }

  private setMode(mode: number): void {
    if (mode === this.currentMode) return;
    this.flush();
    this.content.add(`${mode} Tr`);
    this.currentMode = mode;
  }

  private hasMap({ a, b, c, d }: Affine): boolean {
    const { map } = this;
    return map !== undefined && map.a === a && map.b === b && map.c === c && map.d === d;
  }

  private setFont(face: Face, map: Affine): void {
    this.flush();
    const { unitsPerEm } = face;
    const { a, b, c, d } = map;
    const size = (b === 0 ? Math.abs(d) : Math.sqrt(c * c + d * d)) * unitsPerEm || 1;
    const scale = unitsPerEm / size;
    this.map = map;
    this.matrix = { a: a * scale, b: b * scale, c: c * scale, d: d * scale };
    if (face !== this.face || size !== this.size) {
      this.face = face;
      this.font = this.fonts.of(face);
      // the state of the stream, so that a resource is named where it is used
      this.content.add(`${this.content.use('Font', this.font.ref)} ${number(size, 3)} Tf`);
    }
    this.size = size;
    this.moveTo(map);
  }

  /** The place of a glyph from the start of the line, in units of the text. */
  private position({ e, f }: Affine): readonly [number, number] {
    const { a, b, c, d } = this.matrix;
    const [x, y] = [e - this.lineX, f - this.lineY];
    const determinant = a * d - b * c;
    if (determinant === 0) return [0, 0];
    return [(d * x - c * y) / determinant, (a * y - b * x) / determinant];
  }

  /** Begins a line at a glyph. */
  private moveTo({ e, f }: Affine): void {
    this.flush();
    const { a, b, c, d } = this.matrix;
    this.lineX = e;
    this.lineY = f;
    this.pen = 0;
    this.content.add(`${numbers([a, b, c, d], 5)} ${numbers([e, f])} Tm`);
  }

  private endCodes(): void {
    if (this.codes !== '') this.shown += `<${this.codes}>`;
    this.codes = '';
  }

  private flush(): void {
    if (this.shown === '' && this.codes !== '') this.content.add(`<${this.codes}>Tj`);
    else if (this.shown !== '') {
      this.endCodes();
      this.content.add(`[${this.shown}]TJ`);
    }
    this.shown = '';
    this.codes = '';
  }
}

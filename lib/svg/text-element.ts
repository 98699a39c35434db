// A `<text>` of a document: pieces of one paragraph, in the order of the source whatever their places are.

import { escapeText } from '../bytes/xml.js';
import type { RunText } from '../paint/target.js';
import type { GlyphUse, LiveText, SvgDocument } from './document.js';
import { alongAxes, type TextPiece } from './live-text.js';
import { type Attributes, element, numberText } from './text.js';

/** The fill of a run. */
export interface RunFill {
  /** The attributes of its glyphs but their opacity. */
  readonly values: Attributes;
  readonly isGradient: boolean;
}

interface FilledPiece {
  readonly piece: TextPiece;
  readonly fill: RunFill;
}

interface Outlines {
  readonly uses: GlyphUse[];
  readonly fill: RunFill;
}

/** Line ends, blanks, and characters that are never seen: what may be between two pieces that touch in the source. */
const UNSEEN = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

export class TextElement implements LiveText {
  private readonly pieces: FilledPiece[] = [];
  private readonly outlines: Outlines[] = [];

  constructor(
    private readonly document: SvgDocument,
    private readonly paragraph: RunText['paragraph'],
    private readonly opacity: number | undefined,
    /** Its axes are those of the element. */
    private readonly first: TextPiece,
  ) {}

  /** Whether the piece can be in this element. */
  accepts(paragraph: RunText['paragraph'], opacity: number | undefined, { axes, glyphs }: TextPiece): boolean {
    if (paragraph !== this.paragraph || opacity !== this.opacity) return false;
    const { map, angle } = this.first.axes;
    const { map: other } = axes;
    if (map.a === other.a && map.b === other.b && map.c === other.c && map.d === other.d) return true;
    // `rotate` turns each character about its own origin
    return angle !== undefined && axes.angle !== undefined && glyphs.length === 1;
  }

  add(piece: TextPiece, fill: RunFill): void {
    const { face, text, features, shaping } = piece;
    if (shaping) this.document.fonts.use(face, text, features);
    this.pieces.push({ piece, fill });
  }

  /** Uses outlines for the pieces whose faces can't be embedded, or are shaped otherwise then. */
  settle(): void {
    this.pieces.forEach(({ piece, fill }, i) => {
      const { face, text, shaping } = piece;
      if (!shaping || this.document.fonts.isShapedAlike(face, text, shaping)) return;
      this.pieces[i] = { piece: { ...piece, shaping: undefined }, fill };
      const uses = this.document.useGlyphs(piece.glyphs);
      const open = this.outlines.at(-1);
      if (open?.fill === fill) open.uses.push(...uses);
      else this.outlines.push({ uses, fill });
    });
  }

  write(): string {
    const sorted = [...this.pieces].sort((p, q) => p.piece.start - q.piece.start);
    const common = this.valuesOf(sorted.find(({ piece }) => piece.shaping) ?? sorted[0]);
    const { opacity } = this;
    let y: string | undefined;
    const parts = sorted.map((filled, i) => {
      const { piece } = filled;
      const [px, py] = this.placeOf(piece);
      const next = sorted[i + 1]?.piece.start;
      const end = piece.start + piece.text.length;
      const between = next === undefined ? '' : this.paragraph.text.slice(end, next);
      const content = escapeText(piece.text + (UNSEEN.test(between) ? between : ''));
      const line = numberText(py);
      const place = { x: px, y: line === y ? undefined : py, rotate: this.turnOf(piece), ...ownValues(piece) };
      const values = { ...place, ...this.valuesOf(filled) };
      y = line;
      return { values, content };
    });
    const shared = { ...common, opacity, transform: this.transform(), 'xml:space': 'preserve' };
    const outlines = this.outlines.map(({ uses, fill }) => {
      return this.document.glyphsText(uses, { ...fill.values, opacity }, fill.isGradient);
    });
    const [{ values, content }] = parts;
    const text =
      parts.length === 1
        ? element('text', { ...values, ...shared }, content)
        : element(
            'text',
            shared,
            parts.map((part) => element('tspan', without(part.values, common), part.content)).join(''),
          );
    return outlines.join('') + text;
  }

  private valuesOf({ piece, fill }: FilledPiece): Attributes {
    const { face, letterSpacing, features, shaping } = piece;
    const size = numberText(piece.size);
    if (!shaping) return { 'font-size': size, 'fill-opacity': 0 };
    const { fonts } = this.document;
    return {
      class: fonts.classOf(features),
      'font-family': fonts.familyOf(face),
      'font-size': size,
      'letter-spacing': letterSpacing || undefined,
      ...fill.values,
    };
  }

  /** The place of a piece along the axes of the element. */
  private placeOf({ x, y, axes: { map } }: TextPiece): readonly [number, number] {
    return alongAxes(this.first.axes, map.a * x + map.c * y, map.b * x + map.d * y);
  }

  private turnOf({ axes }: TextPiece): number | undefined {
    const angle = (axes.angle ?? 0) - (this.first.axes.angle ?? 0);
    return numberText(angle) === '0' ? undefined : angle;
  }

  private transform(): string | undefined {
    const { map, angle } = this.first.axes;
    if (angle === undefined) return `matrix(${[map.a, map.b, map.c, map.d, 0, 0].map(numberText).join(' ')})`;
    return numberText(angle) === '0' ? undefined : `rotate(${numberText(angle)})`;
  }
}

/** What a piece never shares with others: an override of the direction would reach the pieces within a piece. */
function ownValues({ isRightToLeft, shaping, width }: TextPiece): Attributes {
  return {
    ...(isRightToLeft ? { direction: 'rtl', 'unicode-bidi': 'bidi-override' } : {}),
    ...(shaping || !(width > 0) ? {} : { textLength: width, lengthAdjust: 'spacingAndGlyphs' }),
  };
}

/** The values that differ from those of the element around it. What it sets alone is set back. */
function without(values: Attributes, outer: Attributes): Attributes {
  const own: Record<string, string | number | undefined> = {};
  for (const [name, value] of Object.entries(values)) if (value !== outer[name]) own[name] = value;
  for (const [name, value] of Object.entries(outer)) {
    if (value !== undefined && values[name] === undefined) own[name] = INITIAL[name];
  }
  return own;
}

const INITIAL: Attributes = {
  fill: '#000',
  'fill-opacity': 1,
  'letter-spacing': 'normal',
  class: '',
};

// One face, ready to set text in: SFNT bytes → shaping, metrics and outlines. All lengths are in ems.
import * as hb from 'harfbuzzjs';
import type { Path } from '../geometry/path.js';
import type { Glyph } from './glyph.js';
import { addKerning, type Pairs, pairsOf } from './kern.js';
import { Outlines } from './outlines.js';

/** A line through or under text: where its top lies above the baseline (below when negative), and its thickness. */
export interface DecorationMetrics {
  readonly position: number;
  readonly thickness: number;
}

/** A colour of a font's palette, straight sRGB: r, g, b 0–255, a 0–1. */
export interface PaletteColor {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}

/** One flat part of a colour glyph, drawn over the parts before it. */
export interface ColorLayer {
  readonly glyph: number;
  /** Absent where the part takes the text's colour. */
  readonly color: PaletteColor | undefined;
}

export interface FaceOptions {
  /** Whether the file is one of ours, and known to have characters. */
  readonly trusted: boolean;
  /** What a variable font's axes are set to, as near as they go: `wght`, and `ital` or `slnt`. */
  readonly weight?: number;
  readonly italic?: boolean;
}

export interface ShapeOptions {
  readonly rightToLeft: boolean;
  /** ISO 15924, or undefined to let the text tell. */
  readonly script: string | undefined;
  readonly ligatures: boolean;
}

/** What letter spacing switches off (CSS Text 3 section 8.2); the joining of scripts that join stays. */
const NO_LIGATURES = ['liga', 'clig', 'dlig', 'hlig', 'calt'].map((tag) => new hb.Feature(tag, 0));

/** Characters whose glyphs are looked up in an array: Latin, Greek, Cyrillic, Hebrew, Arabic. */
const COMMON = 0x780;

/** The layers of a glyph without colours. */
const PLAIN: readonly ColorLayer[] = [];

export class Face {
  /** Above and below the baseline, both positive for ink on their side: OS/2's typo metrics with USE_TYPO_METRICS, else hhea's. */
  readonly ascent: number;
  readonly descent: number;
  readonly underline: DecorationMetrics;
  readonly lineThrough: DecorationMetrics;
  readonly unitsPerEm: number;
  /** Whether it has no characters at all, as a file that is no font. */
  readonly isEmpty: boolean;
  /** Whether its glyphs lean by themselves, by design or by an axis. */
  readonly isItalic: boolean;
  private readonly font: hb.Font;
  private readonly buffer = new hb.Buffer();
  private readonly outlines: Outlines;
  private readonly paths = new Map<number, Path>();
  private readonly glyphOf = new Map<number, number>();
  /** The same for the first characters, one more than each glyph: a text asks for each of its letters three times. */
  private readonly commonGlyphs = new Uint16Array(COMMON);
  private readonly advances = new Map<number, number>();
  private readonly signs = new Map<string, readonly Glyph[]>();
  /** The kerning of a font from before GPOS. */
  private readonly pairs: Pairs | undefined;
  private readonly hasColor: boolean;
  private readonly colored = new Map<number, readonly ColorLayer[]>();
  private palette: readonly PaletteColor[] | undefined;

  /** Never throws on bad bytes: a file that is no font has no characters (`isEmpty`). */
  constructor(bytes: Uint8Array, options: FaceOptions) {
    const face = new hb.Face(new hb.Blob(bytes));
    this.font = new hb.Font(face);
    const settings = axisSettings(face, options);
    if (settings.size > 0) this.font.setVariations([...settings].map(([tag, value]) => new hb.Variation(tag, value)));
    if (!options.trusted) this.pairs = pairsOf(face);
    this.hasColor = face.hasColorLayers();
    this.isEmpty = !options.trusted && face.collectUnicodes().length === 0;
    this.isItalic = settings.has('ital') || settings.has('slnt') || isDesignedItalic(face);
    this.unitsPerEm = face.upem;
    const { ascender, descender } = this.font.hExtents();
    this.ascent = ascender / this.unitsPerEm;
    this.descent = -descender / this.unitsPerEm;
    const metric = (tag: hb.MetricsTag) => this.font.getMetricPositionWithFallback(tag) / this.unitsPerEm;
    this.underline = {
      position: metric(hb.MetricsTag.UNDERLINE_OFFSET),
      thickness: metric(hb.MetricsTag.UNDERLINE_SIZE),
    };
    this.lineThrough = {
      position: metric(hb.MetricsTag.STRIKEOUT_OFFSET),
      thickness: metric(hb.MetricsTag.STRIKEOUT_SIZE),
    };
    this.outlines = new Outlines(this.font);
  }

  /** The glyph of a character, 0 where the face has none. */
  glyph(codePoint: number): number {
    if (codePoint < COMMON && this.commonGlyphs[codePoint] > 0) return this.commonGlyphs[codePoint] - 1;
    let glyph = this.glyphOf.get(codePoint);
    if (glyph === undefined) {
      glyph = this.font.nominalGlyph(codePoint) ?? 0;
      this.glyphOf.set(codePoint, glyph);
      if (codePoint < COMMON) this.commonGlyphs[codePoint] = glyph + 1;
    }
    return glyph;
  }

  /** The glyph's own advance in font units. */
  private advance(glyph: number): number {
    let advance = this.advances.get(glyph);
    if (advance === undefined) {
      advance = this.font.glyphHAdvance(glyph);
      this.advances.set(glyph, advance);
    }
    return advance;
  }

  /** Shapes text[start, end) in the context of the whole text; glyphs come in visual order. */
  shape(text: string, start: number, end: number, { rightToLeft, script, ligatures }: ShapeOptions): Glyph[] {
    const { buffer, unitsPerEm } = this;
    buffer.reset();
    buffer.addText(text, start, end - start);
    buffer.setDirection(rightToLeft ? hb.Direction.RTL : hb.Direction.LTR);
    if (script) buffer.setScript(script);
    buffer.guessSegmentProperties();
    hb.shape(this.font, buffer, ligatures ? [] : NO_LIGATURES);
    // the call that gives both at once doubles the time of shaping: it defines four hidden properties a glyph
    const positions = buffer.getGlyphPositions();
    const glyphs = buffer.getGlyphInfos().map(({ codepoint: id, cluster, flags }, i) => {
      const { xAdvance, xOffset, yOffset } = positions[i];
      const advance = this.advance(id);
      return {
        id,
        cluster,
        advance: advance / unitsPerEm,
        kerning: (xAdvance - advance) / unitsPerEm,
        offsetX: xOffset / unitsPerEm,
        offsetY: yOffset / unitsPerEm,
        unsafeToBreak: (flags & hb.GlyphFlag.UNSAFE_TO_BREAK) !== 0,
      };
    });
    return this.pairs ? addKerning(glyphs, this.pairs, unitsPerEm) : glyphs;
  }

  /** One sign by itself, set from left to right as Latin text is; kept, as every line asks for blank and hyphen. */
  sign(character: string, ligatures: boolean): readonly Glyph[] {
    const key = ligatures ? character : `${character} apart`;
    let glyphs = this.signs.get(key);
    if (!glyphs) {
      glyphs = this.shape(character, 0, character.length, { rightToLeft: false, script: 'Latn', ligatures });
      this.signs.set(key, glyphs);
    }
    return glyphs;
  }

  /** The parts of a colour glyph (COLR version 0), bottom first; none for an ordinary glyph. */
  colorLayers(glyph: number): readonly ColorLayer[] {
    if (!this.hasColor) return PLAIN;
    let layers = this.colored.get(glyph);
    if (!layers) {
      this.palette ??= paletteOf(this.font.face);
      const { palette } = this;
      layers = this.font.face.getGlyphColorLayers(glyph).map((layer) => ({
        glyph: layer.glyph,
        color: layer.colorIndex === undefined ? undefined : palette[layer.colorIndex],
      }));
      this.colored.set(glyph, layers);
    }
    return layers;
  }

  /** The glyph's outline in font units, y up. Kept: callers must not change it. */
  outline(glyph: number): Path {
    let path = this.paths.get(glyph);
    if (!path) {
      path = this.outlines.outline(glyph);
      this.paths.set(glyph, path);
    }
    return path;
  }
}

/** The axes that weight and style set, each within its range. */
function axisSettings(face: hb.Face, { weight = 400, italic = false }: FaceOptions): Map<string, number> {
  const axes = new Map(Object.entries(face.getAxisInfos()));
  const settings = new Map<string, number>();
  const set = (tag: string, value: number) => {
    const axis = axes.get(tag);
    if (axis) settings.set(tag, Math.min(axis.max, Math.max(axis.min, value)));
    return axis !== undefined;
  };
  set('wght', weight);
  if (italic && !set('ital', 1)) set('slnt', -14);
  return settings;
}

/** OS/2 fsSelection, bit 0. */
function isDesignedItalic(face: hb.Face): boolean {
  const os2 = face.referenceTable('OS/2');
  return os2 !== undefined && os2.length > 63 && (os2[63] & 1) === 1;
}

/** The face's first palette. */
function paletteOf(face: hb.Face): PaletteColor[] {
  const [palette] = face.getColorPalettes();
  return (palette?.colors ?? []).map(({ red, green, blue, alpha }) => ({ r: red, g: green, b: blue, a: alpha / 255 }));
}

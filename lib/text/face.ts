// A font face, opened with HarfBuzz: shaping, metrics and outlines. Lengths are in ems unless noted.
import * as hb from 'harfbuzzjs';
import { Path } from '../geometry/path.js';
import type { Glyph } from './glyph.js';
import { addKerning, type Pairs, pairsOf } from './kern.js';

/** A line through or under text: its top's height above the baseline (negative below it), and its thickness. */
export interface DecorationMetrics {
  readonly position: number;
  readonly thickness: number;
}

/** A palette colour in straight sRGB: r, g, b 0–255, a 0–1. */
export interface PaletteColor {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}

/** A layer of a colour glyph, drawn over the preceding layers. */
export interface ColorLayer {
  readonly glyph: number;
  /** Undefined when the layer takes the text's colour. */
  readonly color: PaletteColor | undefined;
}

export interface FaceOptions {
  /** Whether the file is a bundled font. */
  readonly trusted: boolean;
  /** Settings of a variable font's axes, clamped to their ranges: `wght`, and `ital` or `slnt`. */
  readonly weight?: number;
  readonly italic?: boolean;
}

export interface ShapeOptions {
  readonly rightToLeft: boolean;
  /** ISO 15924; undefined to detect it from the text. */
  readonly script: string | undefined;
  readonly ligatures: boolean;
}

/** Features that letter spacing disables (CSS Text 3 section 8.2); cursive joining stays enabled. */
const NO_LIGATURES = ['liga', 'clig', 'dlig', 'hlig', 'calt'].map((tag) => new hb.Feature(tag, 0));

/** Code points below this have their glyphs cached in an array: Latin, Greek, Cyrillic, Hebrew, Arabic. */
const COMMON_END = 0x780;

const NO_LAYERS: readonly ColorLayer[] = [];

export class Face {
  /** Extents above and below the baseline, both positive: OS/2's typo metrics if USE_TYPO_METRICS is set, else hhea's. */
  readonly ascent: number;
  readonly descent: number;
  readonly underline: DecorationMetrics;
  readonly lineThrough: DecorationMetrics;
  readonly unitsPerEm: number;
  /** Whether it maps no characters, like a file that is not a font. */
  readonly isEmpty: boolean;
  /** Whether its glyphs are italic, by design or by an axis setting. */
  readonly isItalic: boolean;
  private readonly font: hb.Font;
  private readonly buffer = new hb.Buffer();
  private readonly outlines: Outlines;
  private readonly outlineCache = new Map<number, Path>();
  private readonly glyphCache = new Map<number, number>();
  /** Cached glyphs of common characters, plus one; 0 is unknown. Layout looks every character up three times. */
  private readonly commonGlyphs = new Uint16Array(COMMON_END);
  private readonly advances = new Map<number, number>();
  private readonly characters = new Map<string, readonly Glyph[]>();
  /** Kerning from a legacy kern table. */
  private readonly pairs: Pairs | undefined;
  private readonly hasColor: boolean;
  private readonly layerCache = new Map<number, readonly ColorLayer[]>();
  private palette: readonly PaletteColor[] | undefined;

  /** Never throws on invalid bytes: a file that is not a font has no characters (`isEmpty`). */
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

  /** The glyph of a character; 0 if the face has none. */
  glyph(codePoint: number): number {
    if (codePoint < COMMON_END && this.commonGlyphs[codePoint] > 0) return this.commonGlyphs[codePoint] - 1;
    let glyph = this.glyphCache.get(codePoint);
    if (glyph === undefined) {
      glyph = this.font.nominalGlyph(codePoint) ?? 0;
      this.glyphCache.set(codePoint, glyph);
      if (codePoint < COMMON_END) this.commonGlyphs[codePoint] = glyph + 1;
    }
    return glyph;
  }

  /** The glyph's nominal advance in font units. */
  private advance(glyph: number): number {
    let advance = this.advances.get(glyph);
    if (advance === undefined) {
      advance = this.font.glyphHAdvance(glyph);
      this.advances.set(glyph, advance);
    }
    return advance;
  }

  /** Shapes [start, end) of `text` in the context of the whole text; returns glyphs in visual order. */
  shape(text: string, start: number, end: number, { rightToLeft, script, ligatures }: ShapeOptions): Glyph[] {
    const { buffer, unitsPerEm } = this;
    buffer.reset();
    buffer.addText(text, start, end - start);
    buffer.setDirection(rightToLeft ? hb.Direction.RTL : hb.Direction.LTR);
    if (script) buffer.setScript(script);
    buffer.guessSegmentProperties();
    hb.shape(this.font, buffer, ligatures ? [] : NO_LIGATURES);
    // the call that returns both doubles the shaping time: it defines four non-enumerable properties per glyph
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

  /** Shapes a single character, left to right as Latin text. Cached: every line needs the space and the hyphen. */
  shapeCharacter(character: string, ligatures: boolean): readonly Glyph[] {
    const key = ligatures ? character : `${character} without ligatures`;
    let glyphs = this.characters.get(key);
    if (!glyphs) {
      glyphs = this.shape(character, 0, character.length, { rightToLeft: false, script: 'Latn', ligatures });
      this.characters.set(key, glyphs);
    }
    return glyphs;
  }

  /** The layers of a colour glyph (COLR version 0), bottom first; empty for other glyphs. */
  colorLayers(glyph: number): readonly ColorLayer[] {
    if (!this.hasColor) return NO_LAYERS;
    let layers = this.layerCache.get(glyph);
    if (!layers) {
      this.palette ??= paletteOf(this.font.face);
      const { palette } = this;
      layers = this.font.face.getGlyphColorLayers(glyph).map((layer) => ({
        glyph: layer.glyph,
        color: layer.colorIndex === undefined ? undefined : palette[layer.colorIndex],
      }));
      this.layerCache.set(glyph, layers);
    }
    return layers;
  }

  /** The glyph's outline in font units, y up. Cached: callers must not modify it. */
  outline(glyph: number): Path {
    let path = this.outlineCache.get(glyph);
    if (!path) {
      path = this.outlines.outline(glyph);
      this.outlineCache.set(glyph, path);
    }
    return path;
  }
}

/**
 * Draws glyph outlines with HarfBuzz, at the font's variation settings. HarfBuzz has the font open for shaping anyway and
 * tolerates malformed fonts. opentype.js draws the same outlines (test/text/outlines.test.ts compares every bundled face)
 * and is as fast once warm, but importing it takes 70 ms and parsing a face for its first 60 glyphs 55 ms, against 8 ms
 * with HarfBuzz: that dominated cold starts.
 */
export class Outlines {
  private path = new Path();
  private readonly functions = new hb.DrawFuncs();

  constructor(private readonly font: hb.Font) {
    this.functions.setMoveToFunc((x, y) => this.path.moveTo(x, y));
    this.functions.setLineToFunc((x, y) => this.path.lineTo(x, y));
    this.functions.setQuadraticToFunc((cx, cy, x, y) => this.path.quadTo(cx, cy, x, y));
    this.functions.setCubicToFunc((c1x, c1y, c2x, c2y, x, y) => this.path.cubicTo(c1x, c1y, c2x, c2y, x, y));
    this.functions.setClosePathFunc(() => this.path.close());
  }

  /** The glyph's outline; an empty path for a glyph without ink or without outline data. */
  outline(glyph: number): Path {
    this.path = new Path();
    this.font.drawGlyph(glyph, this.functions);
    return this.path;
  }
}

/** The settings of the weight and style axes, each clamped to its range. */
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

/** Reads bit 0 (ITALIC) of OS/2 fsSelection. */
function isDesignedItalic(face: hb.Face): boolean {
  const os2 = face.referenceTable('OS/2');
  return os2 !== undefined && os2.length > 63 && (os2[63] & 1) === 1;
}

/** The face's first palette. */
function paletteOf(face: hb.Face): PaletteColor[] {
  const [palette] = face.getColorPalettes();
  return (palette?.colors ?? []).map(({ red, green, blue, alpha }) => ({ r: red, g: green, b: blue, a: alpha / 255 }));
}

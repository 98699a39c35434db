// A font face, opened with the text engine: shaping, metrics and outlines, each cached. Lengths are in
// ems unless noted.
import type { Path } from '../geometry/path.js';
import type { Glyph } from './glyph.js';
import type { GlyphPaint } from './glyph-paint.js';
import { addKerning, type Pairs, pairsOf } from './kern.js';
import { type ColorGlyphs, readColorGlyphs } from './opentype/colr.js';
import type { EngineFont, FontSettings, MetricTag, ShapeOptions, TextEngine } from './text-engine.js';

export type { FontSettings, ShapeOptions } from './text-engine.js';

/** A line through or under text: its top's height above the baseline (negative below it), and its thickness. */
export interface DecorationMetrics {
  readonly position: number;
  readonly thickness: number;
}

export interface FaceOptions {
  /** Whether the file is a bundled font. */
  readonly trusted: boolean;
  /** The family and the weight. */
  readonly name?: string | undefined;
  /** Settings of a variable font's axes, clamped to their ranges: `wght`, and `ital` or `slnt`. */
  readonly weight?: number;
  readonly italic?: boolean;
  /** Settings of any axes, in place of those. */
  readonly variations?: FontSettings | undefined;
}

export interface Face {
  /** The family, the weight and the style: `Inter 700 italic`. Undefined where no one has named it. */
  readonly name: string | undefined;
  /** Extents above and below the baseline, both positive: OS/2's typo metrics if USE_TYPO_METRICS is set, else hhea's. */
  readonly ascent: number;
  readonly descent: number;
  /** The font's own room between lines, for lines of a normal height. */
  readonly lineGap: number;
  /** The height of a letter x. */
  readonly xHeight: number;
  readonly underline: DecorationMetrics;
  readonly lineThrough: DecorationMetrics;
  readonly unitsPerEm: number;
  /** Whether it maps no characters, like a file that is not a font. */
  readonly isEmpty: boolean;
  /** Whether its glyphs are italic, by design or by an axis setting. */
  readonly isItalic: boolean;
  /** The glyph of a character; 0 if the face has none. */
  glyph(codePoint: number): number;
  /** Shapes [start, end) of `text` in the context of the whole text; returns glyphs in visual order. */
  shape(text: string, start: number, end: number, options: ShapeOptions): Glyph[];
  /** Shapes a single character, left to right as Latin text. */
  shapeCharacter(character: string, ligatures: boolean, features?: FontSettings): readonly Glyph[];
  /** Whether it has the axis. */
  hasAxis(tag: string): boolean;
  /** Whether it has glyphs or positions for the OpenType feature. */
  hasFeature(tag: string): boolean;
  /** Whether it has colour glyphs. */
  readonly hasColor: boolean;
  /** Returns the paint of a colour glyph (COLR); undefined for other glyphs. */
  colorPaint(glyph: number): GlyphPaint | undefined;
  /** The glyph's outline in font units, y up. Callers must not modify it. */
  outline(glyph: number): Path;
  /** The glyph's nominal advance in font units. */
  advance(glyph: number): number;
  /** The settings of its axes. */
  readonly axes: ReadonlyMap<string, number>;
  /** A copy of a table of its file; undefined if there is none. */
  table(tag: string): Uint8Array | undefined;
}

let textEngine: TextEngine | undefined;

/** Sets the engine that opens the faces from now on. */
export function setTextEngine(engine: TextEngine): void {
  textEngine = engine;
}

/** Drops the engine after a trap. Its faces must not be used again. */
export function abandonTextEngine(): void {
  textEngine?.abandon?.();
  textEngine = undefined;
}

/** Never throws on invalid bytes: a file that is not a font has no characters (`isEmpty`). */
export function openFace(bytes: Uint8Array, options: FaceOptions): Face {
  if (!textEngine) throw new Error('no text engine is loaded: call loadTextEngine first');
  return new CachedFace(textEngine.open(bytes), options);
}

/** Code points below this have their glyphs cached in an array: Latin, Greek, Cyrillic, Hebrew, Arabic. */
const COMMON_END = 0x780;

/** Paints of colour glyphs that are cached per face: as many as all of Noto Color Emoji has. */
const MAX_CACHED_PAINTS = 4096;

/** Caches what the engine reads from a font. Layout looks every character up three times. */
class CachedFace implements Face {
  readonly name: string | undefined;
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  readonly underline: DecorationMetrics;
  readonly lineThrough: DecorationMetrics;
  readonly unitsPerEm: number;
  readonly isEmpty: boolean;
  readonly isItalic: boolean;
  readonly axes: ReadonlyMap<string, number>;
  private readonly outlines = new Map<number, Path>();
  private readonly glyphs = new Map<number, number>();
  /** Cached glyphs of common characters, plus one; 0 is unknown. */
  private readonly commonGlyphs = new Uint16Array(COMMON_END);
  private readonly characters = new Map<string, readonly Glyph[]>();
  private features: ReadonlySet<string> | undefined;
  private height: number | undefined;
  /** Kerning from a legacy kern table. */
  private readonly pairs: Pairs | undefined;
  private readonly colorGlyphs: ColorGlyphs | undefined;
  private readonly colorPaints = new Map<number, GlyphPaint | undefined>();

  constructor(
    private readonly font: EngineFont,
    options: FaceOptions,
  ) {
    const settings = axisSettings(font, options);
    this.axes = settings;
    if (settings.size > 0) font.setVariations(settings);
    if (!options.trusted) this.pairs = pairsOf(font);
    this.isEmpty = !options.trusted && !font.hasCharacters();
    this.isItalic = settings.has('ital') || settings.has('slnt') || isDesignedItalic(font);
    this.name = options.name === undefined || !this.isItalic ? options.name : `${options.name} italic`;
    this.unitsPerEm = font.unitsPerEm;
    this.colorGlyphs = readColorGlyphs((tag) => font.table(tag), settings);
    const { ascender, descender, lineGap } = font.extents();
    this.ascent = ascender / this.unitsPerEm;
    this.descent = -descender / this.unitsPerEm;
    this.lineGap = lineGap / this.unitsPerEm;
    const metric = (tag: MetricTag) => font.metric(tag) / this.unitsPerEm;
    this.underline = { position: metric('undo'), thickness: metric('unds') };
    this.lineThrough = { position: metric('stro'), thickness: metric('strs') };
  }

  glyph(codePoint: number): number {
    if (codePoint < COMMON_END && this.commonGlyphs[codePoint] > 0) return this.commonGlyphs[codePoint] - 1;
    let glyph = this.glyphs.get(codePoint);
    if (glyph === undefined) {
      glyph = this.font.glyph(codePoint);
      this.glyphs.set(codePoint, glyph);
      if (codePoint < COMMON_END) this.commonGlyphs[codePoint] = glyph + 1;
    }
    return glyph;
  }

  shape(text: string, start: number, end: number, options: ShapeOptions): Glyph[] {
    const glyphs = this.font.shape(text, start, end, options);
    return this.pairs && options.features?.kern !== 0 ? addKerning(glyphs, this.pairs, this.unitsPerEm) : glyphs;
  }

  /** Cached: every line needs the space and the hyphen. */
  shapeCharacter(character: string, ligatures: boolean, features?: FontSettings): readonly Glyph[] {
    const options = { rightToLeft: false, script: 'Latn', ligatures, features };
    if (features) return this.shape(character, 0, character.length, options);
    const key = ligatures ? character : `${character} without ligatures`;
    let glyphs = this.characters.get(key);
    if (!glyphs) {
      glyphs = this.shape(character, 0, character.length, options);
      this.characters.set(key, glyphs);
    }
    return glyphs;
  }

  get hasColor(): boolean {
    return this.colorGlyphs !== undefined;
  }

  colorPaint(glyph: number): GlyphPaint | undefined {
    if (!this.colorGlyphs) return undefined;
    let paint = this.colorPaints.get(glyph);
    if (!paint && !this.colorPaints.has(glyph)) {
      paint = this.colorGlyphs.paint(glyph);
      if (this.colorPaints.size >= MAX_CACHED_PAINTS) this.colorPaints.clear();
      this.colorPaints.set(glyph, paint);
    }
    return paint;
  }

  hasAxis(tag: string): boolean {
    return this.font.axes.has(tag);
  }

  hasFeature(tag: string): boolean {
    this.features ??= new Set([...this.font.featureTags('GSUB'), ...this.font.featureTags('GPOS')]);
    return this.features.has(tag) || (tag === 'kern' && this.pairs !== undefined);
  }

  get xHeight(): number {
    this.height ??= xHeightOf(this.font) / this.unitsPerEm;
    return this.height;
  }

  outline(glyph: number): Path {
    let path = this.outlines.get(glyph);
    if (!path) {
      path = this.font.outline(glyph);
      this.outlines.set(glyph, path);
    }
    return path;
  }

  advance(glyph: number): number {
    return this.font.advance(glyph);
  }

  table(tag: string): Uint8Array | undefined {
    return this.font.table(tag);
  }
}

/** The height of a letter x in font units; half an em where the font does not say, as in CSS. */
function xHeightOf(font: EngineFont): number {
  const table = font.table('OS/2');
  const view = table && new DataView(table.buffer, table.byteOffset, table.byteLength);
  const hasHeight = view && view.byteLength >= 88 && view.getUint16(0) >= 2;
  const height = hasHeight ? view.getInt16(86) : 0;
  return height > 0 ? height : font.unitsPerEm / 2;
}

/** The settings of the weight and style axes, each clamped to its range. */
function axisSettings(
  { axes }: EngineFont,
  { weight = 400, italic = false, variations = {} }: FaceOptions,
): Map<string, number> {
  const settings = new Map<string, number>();
  const set = (tag: string, value: number) => {
    const axis = axes.get(tag);
    if (axis) settings.set(tag, Math.min(axis.max, Math.max(axis.min, value)));
    return axis !== undefined;
  };
  set('wght', weight);
  if (italic && !set('ital', 1)) set('slnt', -14);
  for (const [tag, value] of Object.entries(variations)) set(tag, value);
  return settings;
}

/** Reads bit 0 (ITALIC) of OS/2 fsSelection. */
function isDesignedItalic(font: EngineFont): boolean {
  const os2 = font.table('OS/2');
  return os2 !== undefined && os2.length > 63 && (os2[63] & 1) === 1;
}

// The interface of a text engine, which opens font files, shapes text with them and reads their outlines. HarfBuzz (harfbuzz/)
// is one.
import type { Path } from '../geometry/path.js';
import type { Glyph } from './glyph.js';

export interface TextEngine {
  /** Never throws on invalid bytes: a file that is not a font has no characters. */
  open(bytes: Uint8Array): EngineFont;
  /** Called after a trap, which may have damaged it: nothing of it must run again. */
  abandon?(): void;
}

/** The range of a variable font's axis. */
export interface Axis {
  readonly min: number;
  readonly max: number;
}

/** A metric by its tag in OpenType's MVAR table: the height and thickness of the underline and of the strikeout. */
export type MetricTag = 'undo' | 'unds' | 'stro' | 'strs';

export interface ShapeOptions {
  readonly rightToLeft: boolean;
  /** ISO 15924; undefined to detect it from the text. */
  readonly script: string | undefined;
  readonly ligatures: boolean;
  readonly features?: FontSettings | undefined;
}

/** OpenType features or axes by their tags, as CSS font-feature-settings and font-variation-settings. */
export type FontSettings = Readonly<Record<string, number>>;

/** Features that letter spacing disables (CSS Text 3 section 8.2); cursive joining stays enabled. */
export const LIGATURE_FEATURES = ['liga', 'clig', 'dlig', 'hlig', 'calt'] as const;

/** An open font. Lengths are in font units; nothing is cached. */
export interface EngineFont {
  readonly unitsPerEm: number;
  readonly axes: ReadonlyMap<string, Axis>;
  /** Sets axes by their tags; the others keep their defaults. */
  setVariations(settings: ReadonlyMap<string, number>): void;
  /** The ascender, the descender, which is negative, and the gap between lines. */
  extents(): { readonly ascender: number; readonly descender: number; readonly lineGap: number };
  /** A metric; a usual value if the font has none. */
  metric(tag: MetricTag): number;
  /** Whether it maps any character. */
  hasCharacters(): boolean;
  /** The glyph of a character; 0 if there is none. */
  glyph(codePoint: number): number;
  /** Shapes [start, end) of `text` in the context of the whole text; returns glyphs in visual order. */
  shape(text: string, start: number, end: number, options: ShapeOptions): Glyph[];
  /** The glyph's nominal advance. */
  advance(glyph: number): number;
  /** The glyph's outline, y up; empty for a glyph without ink or without outline data. */
  outline(glyph: number): Path;
  /** A copy of a table; undefined if the font does not have it. */
  table(tag: string): Uint8Array | undefined;
  /** The tags of all features of a layout table. */
  featureTags(table: 'GSUB' | 'GPOS'): string[];
}

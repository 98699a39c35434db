// The paint of a colour glyph: the paint graph of OpenType's COLR table as a tree, in font units, y up. Layers of version 0 are
// outlines filled with one colour each.
import type { Affine } from '../geometry/affine.js';
import type { BlendMode } from '../raster/blend-mode.js';
import type { CompositeOperator } from '../raster/composite-operator.js';
import type { Extend, GradientGeometry } from '../raster/gradient/color-line.js';

/** A palette colour in straight sRGB: r, g, b 0–255, a 0–1. */
export interface PaletteColor {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}

export interface SolidGlyphPaint {
  readonly kind: 'solid';
  /** Colour; undefined means the text's colour. */
  readonly color: PaletteColor | undefined;
  /** Multiplies the colour's alpha. */
  readonly alpha: number;
}

export interface GlyphColorStop {
  readonly offset: number;
  /** Colour; undefined means the text's colour. */
  readonly color: PaletteColor | undefined;
  readonly alpha: number;
}

export interface GradientGlyphPaint {
  readonly kind: 'gradient';
  readonly geometry: GradientGeometry;
  /** Stops by ascending offset; at least one. */
  readonly stops: readonly GlyphColorStop[];
  readonly extend: Extend;
}

export type GlyphPaint =
  | SolidGlyphPaint
  | GradientGlyphPaint
  /** Drawn one over the other, bottom first. */
  | { readonly kind: 'layers'; readonly paints: readonly GlyphPaint[] }
  /** Only what is inside the glyph's outline. */
  | { readonly kind: 'glyph'; readonly glyph: number; readonly paint: GlyphPaint }
  /** Only what is inside the box. */
  | { readonly kind: 'clip'; readonly box: ClipBox; readonly paint: GlyphPaint }
  | { readonly kind: 'transform'; readonly map: Affine; readonly paint: GlyphPaint }
  | {
      readonly kind: 'composite';
      readonly mode: GlyphCompositeMode;
      readonly source: GlyphPaint;
      readonly backdrop: GlyphPaint;
    };

/** The operators and blend modes of COLR; 'plus' is the blend mode plus-lighter. */
export type GlyphCompositeMode = CompositeOperator | Exclude<BlendMode, 'normal'>;

export interface ClipBox {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

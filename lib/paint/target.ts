// What layers paint on. A layer says once what it paints; the target turns that into pixels, or into elements of a vector
// document. Coordinates are pixels of the canvas, which the `map` or the area of an operation leads to.
import type { LayerRole } from '../contract/layers/shared.js';
import type { Affine } from '../geometry/affine.js';
import type { PathData } from '../geometry/path.js';
import type { Polygon } from '../geometry/polygon.js';
import type { Rect } from '../geometry/rect.js';
import type { BlendMode } from '../raster/blend-mode.js';
import type { Color } from '../raster/color.js';
import type { FillRule } from '../raster/coverage.js';
import type { Fill, FillArea } from '../raster/fill.js';
import type { Mask } from '../raster/mask.js';
import type { Pixmap } from '../raster/pixmap.js';
import type { Surface } from '../raster/surface.js';
import type { Face, FontSettings } from '../text/face.js';

/** A colour or gradient, and where it lies. */
export interface FillStyle {
  readonly fill: Fill;
  /** The area of a gradient. */
  readonly area: FillArea;
  readonly opacity: number;
  /** Maps the coverage of small text, for pixels (256 entries). */
  readonly contrast?: Uint8Array | undefined;
}

/** A glyph of a run. */
export interface RunGlyph {
  readonly face: Face;
  readonly id: number;
  /** Maps font units (y up) to the canvas. */
  readonly toCanvas: Affine;
  /** Start of its cluster in the paragraph; a cluster may have several glyphs. -1: a hyphen that the line adds. */
  readonly cluster: number;
}

/** The text that a run shows a part of. */
export interface RunText {
  /** The paragraph; the runs of one paragraph have the same object. */
  readonly paragraph: { readonly text: string };
  /** The source text of a cluster; '' for a hyphen or an ellipsis that layout adds. */
  textOf(cluster: number): string;
  /** OpenType features besides those that are on by default. */
  readonly features?: FontSettings | undefined;
  /** Ems between clusters. */
  readonly letterSpacing: number;
}

/** Glyphs of one style in one line. */
export interface GlyphRun {
  readonly style: FillStyle;
  readonly text: RunText;
  /** Bounds the ink on the canvas. */
  bounds(): Rect;
  /** The glyphs in visual order, also those without ink, at the places that layout gave them: pixels may round these. */
  glyphs(): readonly RunGlyph[];
  /** Paints the run on pixels. */
  drawPixels(surface: Surface): void;
}

/** A JPEG file that documents can contain as it is. */
export interface PictureFile {
  readonly bytes: Uint8Array;
  /** Pixels as stored. */
  readonly width: number;
  readonly height: number;
  /** Maps stored pixels to the unit square that displays the picture. */
  readonly toSquare: Affine;
}

/** A picture in a box. */
export interface PlacedPicture {
  readonly source: Pixmap;
  /** The file of the whole picture, and the map of its pixels to the canvas. */
  readonly original?: { readonly file: PictureFile; readonly toCanvas: Affine } | undefined;
  /** Maps pixels of `source` to the canvas. */
  readonly toCanvas: Affine;
  /** Whether copies of it surround it. */
  readonly repeats: boolean;
  /** The outline that it is clipped to. */
  clip(): ClipShape;
  readonly opacity: number;
  /** Paints the picture on pixels. */
  drawPixels(surface: Surface): void;
}

/** A path, and the map that leads it to the canvas. */
export interface ClipShape {
  readonly path: PathData;
  readonly map: Affine;
  readonly rule?: FillRule;
}

/** What becomes of a group as a whole. */
export interface GroupEffects {
  /** The pixels of the canvas that may be painted; integers, not empty. */
  readonly bounds: Rect;
  readonly opacity?: number;
  readonly blendMode?: BlendMode;
  /** The group's edge: it is antialiased once, with the whole group. */
  readonly clip?: ClipShape;
  /** Removes what lies outside of a clip path or mask. */
  readonly restriction?: Restriction;
}

/** A clip path or mask of a group. */
export interface Restriction {
  /** The share of each pixel in `bounds` that stays. */
  coverage(bounds: Rect): Mask;
  /** Paints the mask, whose alpha counts. */
  draw(target: PaintTarget): void;
}

/** The inside of a shape, or everything else; without a shape, there is nothing inside. */
export interface Side {
  readonly shape: ClipShape | undefined;
  readonly isOutside: boolean;
}

/** A blurred group: a shadow, or a layer under a blur. */
export interface Blurred {
  /** What is blurred, or what paints it. */
  readonly content: Side | ((target: PaintTarget) => void);
  /** The standard deviation in pixels of the canvas. */
  readonly sigma: number;
  /** Pixels by which the result is moved. */
  readonly x: number;
  readonly y: number;
  /** The colour of a shadow, which has the group's alpha; absent for a group that keeps its colours. */
  readonly color?: Color;
  readonly opacity: number;
  /** What is seen of it. */
  readonly clip?: Side | undefined;
}

/** What targets without pixels need to know of pixels. */
export interface PixelSource {
  /** Paints the same by other operations, which take longer on pixels. */
  readonly exact?: ((target: PaintTarget) => void) | undefined;
  /** Paints what the pixels were made of: its text belongs to the picture. */
  readonly origin?: (target: PaintTarget) => void;
  /** Describes the pixels for targets that blur by themselves. */
  readonly blurred?: (() => Blurred) | undefined;
}

/** A part of a document's structure. Without one, a part has only what it is made of. */
export type StructureRole = LayerRole | 'figure';

/** What a part of what is painted means: for links, for outlines, and for those who don't see it. */
export interface Meaning {
  readonly role?: StructureRole | undefined;
  /** Links within the document name it. */
  readonly id?: string | undefined;
  /** What it says or shows; '' for decoration. */
  readonly alt?: string | undefined;
  /** The target of a link. */
  readonly href?: string | undefined;
  readonly bookmark?: { readonly title: string; readonly level: number } | undefined;
  /** Whether other layers are in it. */
  readonly hasLayers?: boolean;
  /** The row of a grid that it is placed in, from 1. */
  readonly row?: number | undefined;
  /** BCP 47. */
  readonly language?: string | undefined;
  /** Its alternative text, else the text in it. */
  text(): string;
  /** The boxes that it has on the canvas: one, or one on each line of a text. */
  areas(): readonly FillArea[];
}

export interface PaintTarget {
  /** The pixels of the canvas that can be painted; integers. */
  readonly bounds: Rect;
  /** Fills `path`, which `map` leads to the canvas. */
  fillPath(path: PathData, map: Affine, style: FillStyle, rule?: FillRule): void;
  /** Fills a polygon on the canvas, such as a stroke. `curves` returns the shapes that were flattened to it: what an odd number of them covers. */
  fillPolygon(polygon: Polygon, style: FillStyle, rule?: FillRule, curves?: () => readonly ClipShape[]): void;
  /** Fills rectangles whose edges lie between pixels of the canvas. */
  fillRects(rects: readonly Rect[], style: FillStyle): void;
  drawGlyphs(run: GlyphRun): void;
  drawPicture(picture: PlacedPicture): void;
  /** Paints what `draw` paints as one picture. */
  drawGroup(effects: GroupEffects, draw: (target: PaintTarget) => void): void;
  /** Paints pixels within `bounds`: what no other operation describes. `beneath` returns the pixels painted so far. */
  drawPixels(bounds: Rect, draw: (surface: Surface, beneath: () => Surface) => void, source?: PixelSource): void;
  /**
   * Paints what `draw` paints, and says what it means. Calls with the same `meaning` are about one part. Targets without a use for
   * it leave this out.
   */
  annotate?(meaning: Meaning, draw: (target: PaintTarget) => void): void;
}

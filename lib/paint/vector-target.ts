// What targets of vector documents share: fills become colours and gradients of such documents, and what only pixels can show
// becomes a picture in its bounds. A target adds how its format writes paths, glyphs, pictures and groups.
import { type Affine, IDENTITY, translation } from '../geometry/affine.js';
import { Path, type PathData } from '../geometry/path.js';
import type { Polygon } from '../geometry/polygon.js';
import { intersect, isEmpty, mapRect, type Rect, roundOut } from '../geometry/rect.js';
import { rectangle } from '../geometry/shapes.js';
import type { FillRule } from '../raster/coverage.js';
import type { Pixmap } from '../raster/pixmap.js';
import { Surface } from '../raster/surface.js';
import { drawColorGlyphs } from './color-glyphs.js';
import { RasterTarget } from './raster-target.js';
import type {
  ClipShape,
  FillStyle,
  GlyphRun,
  GroupEffects,
  PaintTarget,
  PictureFile,
  PixelSource,
  PlacedPicture,
} from './target.js';
import { type VectorFill, vectorFill } from './vector-fill.js';

/** A picture in a document. */
export interface VectorPicture {
  readonly source: Pixmap | PictureFile;
  /** Maps pixels of `source` to the canvas. */
  readonly toCanvas: Affine;
  readonly clip?: ClipShape | undefined;
  readonly opacity: number;
}

export abstract class VectorTarget implements PaintTarget {
  /** The operations so far. They are painted on pixels when a picture depends on what lies beneath it. */
  private readonly operations: ((target: PaintTarget) => void)[] = [];
  /** The pixels of the first `drawn` operations. */
  private beneath: Surface | undefined;
  private drawn = 0;

  constructor(readonly bounds: Rect) {}

  protected abstract paintPath(path: PathData, map: Affine, fill: VectorFill, rule: FillRule): void;
  protected abstract paintGlyphs(run: GlyphRun, fill: VectorFill): void;
  protected abstract paintPicture(picture: VectorPicture): void;
  /** Paints a group; `effects.bounds` are its only pixels. */
  protected abstract paintGroup(effects: GroupEffects, draw: (target: PaintTarget) => void): void;

  fillPath(path: PathData, map: Affine, style: FillStyle, rule: FillRule = 'nonzero'): void {
    this.operations.push((target) => target.fillPath(path, map, style, rule));
    const fill = vectorFill(style);
    if (fill) this.paintPath(path, map, fill, rule);
    else {
      // the document clips the gradient's pixels: so the edge is sharp
      const bounds = this.visible(pathBounds(path, map));
      const draw = (surface: Surface) => surface.fillRect(bounds, surface.paintOf(style.fill, style.area));
      this.paintPixels(bounds, draw, { clip: { path, map, rule }, opacity: style.opacity });
    }
  }

  fillPolygon(polygon: Polygon, style: FillStyle, rule?: FillRule): void {
    if (polygon.length > 0) this.fillPath(polygonPath(polygon), IDENTITY, style, rule);
  }

  fillRects(rects: readonly Rect[], style: FillStyle): void {
    const path = new Path();
    for (const rect of rects) {
      const visible = intersect(rect, this.bounds);
      if (!isEmpty(visible)) rectangle(visible, path);
    }
    if (!path.isEmpty) this.fillPath(path, IDENTITY, style);
  }

  drawGlyphs(run: GlyphRun): void {
    this.operations.push((target) => target.drawGlyphs(run));
    const glyphs = run.glyphs();
    const colored = glyphs.filter(({ face, id }) => face.colorPaint(id) !== undefined);
    const fill = vectorFill(run.style);
    const count = this.operations.length;
    const isDrawn = fill !== undefined && (colored.length === 0 || drawColorGlyphs(this, run, colored));
    // the run paints the shapes of its colour glyphs itself
    this.operations.length = count;
    if (!isDrawn) this.paintPixels(run.bounds(), (surface) => run.drawPixels(surface));
    else if (colored.length < glyphs.length) this.paintGlyphs(run, fill);
  }

  drawPicture(picture: PlacedPicture): void {
    this.operations.push((target) => target.drawPicture(picture));
    const { repeats, opacity, original } = picture;
    const { file: source, toCanvas } = original ?? { file: picture.source, toCanvas: picture.toCanvas };
    const clip = picture.clip();
    if (repeats) this.paintPixels(pathBounds(clip.path, clip.map), (surface) => picture.drawPixels(surface));
    else this.paintPicture({ source, toCanvas, clip, opacity });
  }

  drawGroup(effects: GroupEffects, draw: (target: PaintTarget) => void): void {
    this.operations.push((target) => target.drawGroup(effects, draw));
    this.paintGroup(effects, draw);
  }

  drawPixels(
    bounds: Rect,
    draw: (surface: Surface, beneath: () => Surface) => void,
    { exact }: PixelSource = {},
  ): void {
    if (exact) {
      exact(this);
      return;
    }
    this.paintPixels(bounds, (surface) => draw(surface, () => this.pixelsBeneath()));
    this.operations.push((target) => target.drawPixels(bounds, draw));
  }

  private visible(rect: Rect): Rect {
    return intersect(roundOut(rect), this.bounds);
  }

  /** Adds what `draw` paints as a picture. */
  private paintPixels(
    bounds: Rect,
    draw: (surface: Surface) => void,
    { clip, opacity = 1 }: { readonly clip?: ClipShape; readonly opacity?: number } = {},
  ): void {
    const visible = this.visible(bounds);
    if (isEmpty(visible)) return;
    const surface = new Surface(visible);
    draw(surface);
    const toCanvas = translation(visible.left, visible.top);
    this.paintPicture({ source: surface.pixmap, toCanvas, clip, opacity });
  }

  /** The pixels of everything painted so far. */
  private pixelsBeneath(): Surface {
    this.beneath ??= new Surface(this.bounds);
    const target = new RasterTarget(this.beneath);
    for (const paint of this.operations.slice(this.drawn)) paint(target);
    this.drawn = this.operations.length;
    return this.beneath;
  }
}

/** Bounds the path's points on the canvas, control points included. */
export function pathBounds({ coords }: PathData, map: Affine): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < coords.length; i += 2) {
    left = Math.min(left, coords[i]);
    right = Math.max(right, coords[i]);
    top = Math.min(top, coords[i + 1]);
    bottom = Math.max(bottom, coords[i + 1]);
  }
  return coords.length === 0 ? { left: 0, top: 0, right: 0, bottom: 0 } : mapRect({ left, top, right, bottom }, map);
}

function polygonPath(polygon: Polygon): PathData {
  const path = new Path();
  const { points, starts } = polygon;
  starts.forEach((start, contour) => {
    path.moveTo(points[start], points[start + 1]);
    for (let i = start + 2; i < polygon.endOf(contour); i += 2) path.lineTo(points[i], points[i + 1]);
    path.close();
  });
  return path;
}

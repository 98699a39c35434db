// The target that paints on pixels.
import type { Affine } from '../geometry/affine.js';
import type { PathData } from '../geometry/path.js';
import type { Polygon } from '../geometry/polygon.js';
import type { Rect } from '../geometry/rect.js';
import type { FillRule } from '../raster/coverage.js';
import { maskPixels } from '../raster/mask.js';
import { type Paint, PixmapPaint } from '../raster/paint.js';
import { Surface } from '../raster/surface.js';
import type { FillStyle, GlyphRun, GroupEffects, PaintTarget, PlacedPicture } from './target.js';

export class RasterTarget implements PaintTarget {
  readonly bounds: Rect;

  constructor(readonly surface: Surface) {
    this.bounds = surface.bounds;
  }

  fillPath(path: PathData, map: Affine, style: FillStyle, rule?: FillRule): void {
    this.surface.fillPath(path, map, this.paintOf(style), rule);
  }

  fillPolygon(polygon: Polygon, style: FillStyle, rule?: FillRule): void {
    this.surface.fillPolygon(polygon, this.paintOf(style), rule);
  }

  fillRects(rects: readonly Rect[], style: FillStyle): void {
    const paint = this.paintOf(style);
    for (const rect of rects) this.surface.fillRect(rect, paint);
  }

  drawGlyphs(run: GlyphRun): void {
    run.drawPixels(this.surface);
  }

  drawPicture(picture: PlacedPicture): void {
    picture.drawPixels(this.surface);
  }

  drawGroup(effects: GroupEffects, draw: (target: PaintTarget) => void): void {
    const { bounds, opacity = 1, blendMode, clip, restriction } = effects;
    const group = new Surface(bounds);
    draw(new RasterTarget(group));
    if (restriction) maskPixels(group.pixmap, restriction.coverage(bounds));
    if (!clip) {
      this.surface.drawSurface(group, opacity, blendMode);
      return;
    }
    const { left, top } = this.bounds;
    const paint = new PixmapPaint(group.pixmap, bounds.left - left, bounds.top - top, opacity, blendMode);
    this.surface.fillPath(clip.path, clip.map, paint, clip.rule);
  }

  drawPixels(_bounds: Rect, draw: (surface: Surface, beneath: () => Surface) => void): void {
    draw(this.surface, () => this.surface);
  }

  private paintOf({ fill, area, opacity, contrast }: FillStyle): Paint {
    return this.surface.paintOf(fill, area, opacity, contrast);
  }
}

// A paintable window onto the canvas: a pixmap and its position. All painting goes through a surface, in canvas
// coordinates; parts outside the window are clipped before they cost anything.
import type { Affine } from '../geometry/affine.js';
import { flatten } from '../geometry/flatten.js';
import type { PathData } from '../geometry/path.js';
import { Polygon } from '../geometry/polygon.js';
import { intersect, isEmpty, offset, type Rect } from '../geometry/rect.js';
import type { BlendMode } from './blend-mode.js';
import { type FillRule, Rasterizer } from './coverage.js';
import { createPaint, type Fill, type FillArea } from './fill.js';
import type { Mask } from './mask.js';
import { type Paint, PixmapPaint } from './paint.js';
import { Pixmap } from './pixmap.js';
import { PER_PIXEL, Spans } from './spans.js';

export class Surface {
  readonly pixmap: Pixmap;
  /** The canvas pixels that the pixmap holds; integers. */
  readonly bounds: Rect;
  private rasterizer: Rasterizer | undefined;

  /** Paints onto `pixmap`, by default a new transparent one. `bounds` must be integers and not empty. */
  constructor(bounds: Rect, pixmap = new Pixmap(bounds.right - bounds.left, bounds.bottom - bounds.top)) {
    this.bounds = bounds;
    this.pixmap = pixmap;
  }

  /** The paint of a fill that lies in `area`. `table` (256 entries) maps coverage before it is used. */
  paintOf(fill: Fill, area: FillArea, opacity = 1, table?: Uint8Array): Paint {
    return createPaint(fill, area, this.bounds.left, this.bounds.top, opacity, table);
  }

  /** Fills `path`, which `map` transforms to canvas coordinates. */
  fillPath(path: PathData, map: Affine, paint: Paint, rule: FillRule = 'nonzero'): void {
    const polygon = new Polygon();
    flatten(path, map, polygon);
    this.fillPolygon(polygon, paint, rule);
  }

  /** Fills a polygon in canvas coordinates. */
  fillPolygon(polygon: Polygon, paint: Paint, rule: FillRule = 'nonzero'): void {
    const { left, top } = this.bounds;
    this.rasterizer ??= new Rasterizer(this.pixmap.width, this.pixmap.height);
    this.rasterizer.fill(polygon, left, top, rule, (y, spans) => paint.row(this.pixmap, y, spans));
  }

  /** Fills a rectangle with integer canvas coordinates. */
  fillRect(rect: Rect, paint: Paint): void {
    const { left, top } = this.bounds;
    const visible = intersect(rect, this.bounds);
    if (isEmpty(visible)) return;
    const spans = new Spans(0);
    spans.push(visible.left - left, visible.right - left, 255);
    for (let y = visible.top - top; y < visible.bottom - top; y++) paint.row(this.pixmap, y, spans);
  }

  /** Makes a rectangle with integer canvas coordinates transparent. */
  clearRect(rect: Rect): void {
    const { left, top, right, bottom } = offset(intersect(rect, this.bounds), -this.bounds.left, -this.bounds.top);
    const { words, width } = this.pixmap;
    for (let y = top; y < bottom; y++) if (left < right) words.fill(0, y * width + left, y * width + right);
  }

  /** Fills the coverage of `mask`. */
  fillMask(mask: Mask, paint: Paint): void {
    const visible = intersect(mask.bounds, this.bounds);
    if (isEmpty(visible)) return;
    const spans = new Spans(this.pixmap.width);
    const start = visible.left - this.bounds.left;
    spans.push(start, visible.right - this.bounds.left, PER_PIXEL);
    const width = visible.right - visible.left;
    for (let y = visible.top; y < visible.bottom; y++) {
      const from = (y - mask.bounds.top) * mask.width + visible.left - mask.bounds.left;
      spans.alpha.set(mask.alpha.subarray(from, from + width), start);
      paint.row(this.pixmap, y - this.bounds.top, spans);
    }
  }

  /** Composites another surface at its own position, as one image with `opacity`. */
  drawSurface(source: Surface, opacity = 1, mode: BlendMode = 'normal'): void {
    const left = source.bounds.left - this.bounds.left;
    const top = source.bounds.top - this.bounds.top;
    this.fillRect(source.bounds, new PixmapPaint(source.pixmap, left, top, opacity, mode));
  }
}

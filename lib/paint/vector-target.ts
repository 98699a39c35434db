// What targets of vector documents share: fills become colours and gradients of such documents, and what only pixels can show
// becomes a picture in its bounds. A target adds how its format writes paths, glyphs, pictures and groups.
import { type Affine, IDENTITY, translation } from '../geometry/affine.js';
import { Path, type PathData } from '../geometry/path.js';
import type { Polygon } from '../geometry/polygon.js';
import { intersect, isEmpty, mapRect, type Rect, roundOut } from '../geometry/rect.js';
import { rectangle } from '../geometry/shapes.js';
import type { BlendMode } from '../raster/blend-mode.js';
import type { FillRule } from '../raster/coverage.js';
import { Pixmap } from '../raster/pixmap.js';
import { Surface } from '../raster/surface.js';
import { drawColorGlyphs } from './color-glyphs.js';
import { RasterTarget } from './raster-target.js';
import type {
  Blurred,
  ClipShape,
  FillStyle,
  GlyphRun,
  GroupEffects,
  Meaning,
  PaintTarget,
  PixelSource,
  PlacedPicture,
  Side,
} from './target.js';
import { TextOnlyTarget } from './text-only-target.js';
import { type VectorFill, vectorFill } from './vector-fill.js';

/** A picture in a document. */
export interface VectorPicture {
  readonly source: Pixmap;
  /** Maps pixels of `source` to the canvas, once for each copy. */
  readonly maps: readonly Affine[];
  /** The file that `source` was decoded from. */
  readonly original?: PlacedPicture['original'];
  readonly clip?: ClipShape | undefined;
  readonly opacity: number;
}

type DrawPixels = Parameters<PaintTarget['drawPixels']>[1];

export abstract class VectorTarget implements PaintTarget {
  /** The operations so far. They are painted on pixels when a picture depends on what lies beneath it. */
  private readonly operations: ((target: PaintTarget) => void)[] = [];
  /** The pixels of the first `drawn` operations. */
  private beneath: Surface | undefined;
  private drawn = 0;

  constructor(readonly bounds: Rect) {}

  protected abstract paintPath(path: PathData, map: Affine, fill: VectorFill, rule: FillRule): void;
  /** Paints the glyphs of a run but those in colours of their own, which are painted already. */
  protected abstract paintGlyphs(run: GlyphRun, fill: VectorFill): void;
  protected abstract paintPicture(picture: VectorPicture): void;
  /** Paints a group; `effects.bounds` are its only pixels. */
  protected abstract paintGroup(effects: GroupEffects, draw: (target: PaintTarget) => void): void;
  abstract annotate(meaning: Meaning, draw: (target: PaintTarget) => void): void;
  /** Adds text whose ink is part of a picture. */
  protected addHiddenText(_run: GlyphRun): void {}

  /** Paints a blurred group, whose pixels are in `bounds`; returns false if the format can't. */
  protected paintBlurred(_bounds: Rect, _blurred: Blurred): boolean {
    return false;
  }

  /** Whether the format has the fill; `bounds` is where it is painted. */
  protected hasFill(_fill: VectorFill, _bounds: () => Rect): boolean {
    return true;
  }
  protected hasBlendMode(_mode: BlendMode): boolean {
    return true;
  }
  /** Maps the picture's pixels to the canvas, once for each copy in `bounds`; undefined if a picture of these is better. */
  protected copiesOf({ repeats, toCanvas }: PlacedPicture, _bounds: Rect): readonly Affine[] | undefined {
    return repeats ? undefined : [toCanvas];
  }

  fillPath(path: PathData, map: Affine, style: FillStyle, rule: FillRule = 'nonzero'): void {
    this.operations.push((target) => target.fillPath(path, map, style, rule));
    const bounds = () => this.visible(pathBounds(path, map));
    const fill = this.fillOf(style, bounds);
    if (fill) this.paintPath(path, map, fill, rule);
    else {
      // the document clips the gradient's pixels: so the edge is sharp
      const region = bounds();
      const draw = (surface: Surface) => surface.fillRect(region, surface.paintOf(style.fill, style.area));
      this.paintPixels(region, draw, { clip: { path, map, rule }, opacity: style.opacity });
    }
  }

  fillPolygon(polygon: Polygon, style: FillStyle, rule?: FillRule, curves?: () => readonly ClipShape[]): void {
    if (polygon.length === 0) return;
    if (curves) this.fillPath(joined(curves()), IDENTITY, style, 'evenodd');
    else this.fillPath(polygonPath(polygon), IDENTITY, style, rule);
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
    const colored = run.glyphs().filter(({ face, id }) => face.colorPaint(id) !== undefined);
    const fill = this.fillOf(run.style, () => this.visible(run.bounds()));
    const count = this.operations.length;
    const isDrawn = fill !== undefined && (colored.length === 0 || drawColorGlyphs(this, run, colored));
    // the run paints the shapes of its colour glyphs itself
    this.operations.length = count;
    if (isDrawn) this.paintGlyphs(run, fill);
    else {
      this.paintPixels(run.bounds(), (surface) => run.drawPixels(surface));
      this.addHiddenText(run);
    }
  }

  drawPicture(picture: PlacedPicture): void {
    this.operations.push((target) => target.drawPicture(picture));
    const { source, repeats, opacity, original } = picture;
    const clip = picture.clip();
    const bounds = this.visible(pathBounds(clip.path, clip.map));
    if (isEmpty(bounds)) return;
    const maps = this.copiesOf(picture, bounds);
    if (!maps) this.paintPixels(bounds, (surface) => picture.drawPixels(surface));
    else this.paintPicture({ source, maps, original: repeats ? undefined : original, clip, opacity });
  }

  drawGroup(effects: GroupEffects, draw: (target: PaintTarget) => void): void {
    if (!this.hasBlendMode(effects.blendMode ?? 'normal')) {
      this.drawPixels(effects.bounds, (surface, beneath) => blendOnto(surface, beneath(), effects, draw), {
        origin: draw,
      });
      return;
    }
    this.operations.push((target) => target.drawGroup(effects, draw));
    this.paintGroup(effects, draw);
  }

  drawPixels(bounds: Rect, draw: DrawPixels, { exact, origin, blurred }: PixelSource = {}): void {
    if (exact) {
      exact(this);
      return;
    }
    if (blurred && this.paintBlurred(this.visible(bounds), blurred())) {
      this.operations.push((target) => target.drawPixels(bounds, draw));
      return;
    }
    this.paintPixels(bounds, (surface) => draw(surface, () => this.pixelsBeneath()));
    this.operations.push((target) => target.drawPixels(bounds, draw));
    origin?.(
      new TextOnlyTarget(
        this.bounds,
        (run) => this.addHiddenText(run),
        (meaning, drawText) => this.annotate(meaning, drawText),
      ),
    );
  }

  /** The fill of `style`, if the format has it. */
  private fillOf(style: FillStyle, bounds: () => Rect): VectorFill | undefined {
    const fill = vectorFill(style);
    return fill && this.hasFill(fill, bounds) ? fill : undefined;
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
    const inked = trim(surface.pixmap);
    if (!inked) return;
    const maps = [translation(visible.left + inked.left, visible.top + inked.top)];
    this.paintPicture({ source: inked.picture, maps, clip, opacity });
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

/** The paths of all shapes, on the canvas. */
export function joined(shapes: readonly ClipShape[]): Path {
  const all = new Path();
  for (const { path, map } of shapes) {
    const { a, b, c, d, e, f } = map;
    for (let i = 0; i < path.verbs.length; i++) all.verbs.push(path.verbs[i]);
    for (let i = 0; i < path.coords.length; i += 2) {
      const [x, y] = [path.coords[i], path.coords[i + 1]];
      all.coords.push(a * x + c * y + e, b * x + d * y + f);
    }
  }
  return all;
}

/** A side of a shape as a shape, as far as it is in `bounds`. */
export function shapeOf({ shape, isOutside }: Side, bounds: Rect): ClipShape {
  if (shape && !isOutside) return shape;
  const around = { path: rectangle(bounds), map: IDENTITY };
  return { path: joined(shape ? [around, shape] : [around]), map: IDENTITY, rule: 'evenodd' };
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

/** The polygon as a path. */
export function polygonPath(polygon: Polygon): PathData {
  const path = new Path();
  const { points, starts } = polygon;
  starts.forEach((start, contour) => {
    path.moveTo(points[start], points[start + 1]);
    for (let i = start + 2; i < polygon.endOf(contour); i += 2) path.lineTo(points[i], points[i + 1]);
    path.close();
  });
  return path;
}

/** Paints what a group changes of the pixels beneath it, for formats without its blend mode. */
function blendOnto(
  surface: Surface,
  beneath: Surface,
  effects: GroupEffects,
  draw: (target: PaintTarget) => void,
): void {
  surface.drawSurface(beneath);
  const { words } = surface.pixmap;
  const before = words.slice();
  new RasterTarget(surface).drawGroup(effects, draw);
  for (let i = 0; i < words.length; i++) if (words[i] === before[i]) words[i] = 0;
}

/** The part of a picture with ink; undefined without any. */
function trim(pixmap: Pixmap): { picture: Pixmap; left: number; top: number } | undefined {
  const { width, height, words } = pixmap;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let start = 0;
    while (start < width && words[row + start] === 0) start++;
    if (start === width) continue;
    let end = width;
    while (words[row + end - 1] === 0) end--;
    left = Math.min(left, start);
    right = Math.max(right, end);
    top = Math.min(top, y);
    bottom = y + 1;
  }
  if (right <= left) return undefined;
  const picture = new Pixmap(right - left, bottom - top);
  for (let y = top; y < bottom; y++) {
    picture.words.set(words.subarray(y * width + left, y * width + right), (y - top) * picture.width);
  }
  return { picture, left, top };
}

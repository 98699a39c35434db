// Content + opacity + shadow → the canvas. A layer draws straight onto the canvas where it can; where it must be seen as
// one picture first, a scratch surface holds just the part of it that can be seen.
import type { Shadow } from '../contract/layers.js';
import { expand, intersect, isEmpty, offset, type Rect, roundOut, unite } from '../geometry/rect.js';
import { blur, blurReach, rowStep } from '../raster/blur.js';
import { Mask } from '../raster/mask.js';
import { SolidPaint } from '../raster/paint.js';
import { Surface } from '../raster/surface.js';
import type { Drawable } from './drawable.js';

interface Effects {
  readonly opacity: number;
  /** Degrees, clockwise: the shadow's offset turns with the layer. */
  readonly rotation: number;
  readonly shadow?: Shadow | undefined;
}

export function compositeLayer(canvas: Surface, content: Drawable, effects: Effects): void {
  const { opacity, shadow } = effects;
  if (opacity === 0 || isEmpty(content.bounds)) return;
  if (!shadow) {
    if (opacity === 1 || content.nonOverlapping) content.draw(canvas, opacity);
    else paintIsolated(canvas, content, opacity);
  } else paintShadowed(canvas, content, shadow, effects);
}

function paintIsolated(canvas: Surface, content: Drawable, opacity: number): void {
  const visible = intersect(roundOut(content.bounds), canvas.bounds);
  if (isEmpty(visible)) return;
  const group = new Surface(visible);
  content.draw(group, 1);
  canvas.drawSurface(group, opacity);
}

function paintShadowed(canvas: Surface, content: Drawable, shadow: Shadow, { opacity, rotation }: Effects): void {
  const cast = castShadow(canvas.bounds, content, shadow, rotation);
  if (opacity === 1) {
    if (cast) canvas.fillMask(cast, new SolidPaint(shadow.color));
    content.draw(canvas, 1);
    return;
  }
  const ink = unite(roundOut(content.bounds), cast ? cast.bounds : content.bounds);
  const visible = intersect(ink, canvas.bounds);
  if (isEmpty(visible)) return;
  const group = new Surface(visible);
  if (cast) group.fillMask(cast, new SolidPaint(shadow.color));
  content.draw(group, 1);
  canvas.drawSurface(group, opacity);
}

/** The shadow's coverage where the canvas shows it: the layer's alpha, moved and blurred. */
function castShadow(clip: Rect, content: Drawable, shadow: Shadow, rotation: number): Mask | undefined {
  const sigma = shadow.blur / 2;
  const turn = (rotation * Math.PI) / 180;
  const x = shadow.offsetX * Math.cos(turn) - shadow.offsetY * Math.sin(turn);
  const y = shadow.offsetX * Math.sin(turn) + shadow.offsetY * Math.cos(turn);
  const wholeX = Math.floor(x);
  const wholeY = Math.floor(y);
  // only what can throw its shadow into the clip is drawn
  const reach = offset(expand(clip, blurReach(sigma) + 1), -wholeX, -wholeY);
  const source = intersect(roundOut(content.bounds), reach);
  if (isEmpty(source)) return undefined;
  const step = rowStep(sigma);
  // beside a blur that wide, a part of a pixel is nothing
  const ink = step > 1 ? sparseInk(content, source, step) : moveMask(inkOf(content, source), x - wholeX, y - wholeY);
  const placed = new Mask(offset(ink.bounds, wholeX, wholeY), ink.alpha, step);
  return sigma > 0 ? blur(placed, sigma, clip) : placed;
}

/** Pixels of ink that are drawn at once; beyond them it is drawn in bands, which take no memory for colours. */
const BAND_PIXELS = 4 * 2 ** 20;

/** The content's alpha inside `bounds`. */
function inkOf(content: Drawable, bounds: Rect): Mask {
  const mask = new Mask(bounds);
  const rows = Math.max(1, Math.floor(BAND_PIXELS / mask.width));
  for (let top = bounds.top; top < bounds.bottom; top += rows) {
    const surface = new Surface({ ...bounds, top, bottom: Math.min(bounds.bottom, top + rows) });
    content.draw(surface, 1);
    const { data } = surface.pixmap;
    const to = (top - bounds.top) * mask.width;
    for (let i = 0; 4 * i < data.length; i++) mask.alpha[to + i] = data[4 * i + 3];
  }
  return mask;
}

/**
 * The content's alpha in every `step`th row of `bounds`: a blur of 10,000 px asks for 30,000 rows of as many pixels, and
 * can't tell one from the next.
 */
function sparseInk(content: Drawable, bounds: Rect, step: number): Mask {
  const mask = new Mask(bounds, undefined, step);
  for (let row = 0; row < mask.height; row++) {
    const top = bounds.top + row * step;
    mask.alpha.set(inkOf(content, { ...bounds, top, bottom: top + 1 }).alpha, row * mask.width);
  }
  return mask;
}

/** The mask moved by a part of a pixel to the right and down, bilinearly. */
function moveMask(mask: Mask, x: number, y: number): Mask {
  if (x === 0 && y === 0) return mask;
  const { left, top, right, bottom } = mask.bounds;
  const out = new Mask({ left, top, right: right + 1, bottom: bottom + 1 });
  const at = (column: number, row: number) =>
    column < 0 || row < 0 || column >= mask.width || row >= mask.height ? 0 : mask.alpha[row * mask.width + column];
  for (let row = 0, o = 0; row < out.height; row++) {
    for (let column = 0; column < out.width; column++, o++) {
      const here = at(column - 1, row) * x + at(column, row) * (1 - x);
      const above = at(column - 1, row - 1) * x + at(column, row - 1) * (1 - x);
      out.alpha[o] = here * (1 - y) + above * y + 0.5;
    }
  }
  return out;
}

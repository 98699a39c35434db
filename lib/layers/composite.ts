// Composites a layer onto the canvas with its opacity and shadow. A layer draws straight onto the canvas when it can; when
// it must be composited as a group, a scratch surface holds only its visible part.
import type { Shadow } from '../contract/layers/index.js';
import { cos, sin } from '../geometry/math.js';
import { expand, intersect, isEmpty, offset, type Rect, roundOut, unite } from '../geometry/rect.js';
import { blur, blurReach, rowStep } from '../raster/blur.js';
import { Mask } from '../raster/mask.js';
import { SolidPaint } from '../raster/paint.js';
import { Surface } from '../raster/surface.js';
import type { Drawable } from './drawable.js';

interface Effects {
  readonly opacity: number;
  /** Degrees, clockwise; the shadow's offset rotates with the layer. */
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
  const mask = shadowMask(canvas.bounds, content, shadow, rotation);
  if (opacity === 1) {
    if (mask) canvas.fillMask(mask, new SolidPaint(shadow.color));
    content.draw(canvas, 1);
    return;
  }
  const bounds = unite(roundOut(content.bounds), mask ? mask.bounds : content.bounds);
  const visible = intersect(bounds, canvas.bounds);
  if (isEmpty(visible)) return;
  const group = new Surface(visible);
  if (mask) group.fillMask(mask, new SolidPaint(shadow.color));
  content.draw(group, 1);
  canvas.drawSurface(group, opacity);
}

/** The shadow's coverage inside `clip`: the layer's alpha, offset and blurred; undefined when none is visible. */
function shadowMask(clip: Rect, content: Drawable, shadow: Shadow, rotation: number): Mask | undefined {
  const sigma = shadow.blur / 2;
  const angle = (rotation * Math.PI) / 180;
  const x = shadow.offsetX * cos(angle) - shadow.offsetY * sin(angle);
  const y = shadow.offsetX * sin(angle) + shadow.offsetY * cos(angle);
  const wholeX = Math.floor(x);
  const wholeY = Math.floor(y);
  // draw only the part whose shadow can reach the clip
  const reach = offset(expand(clip, blurReach(sigma) + 1), -wholeX, -wholeY);
  const source = intersect(roundOut(content.bounds), reach);
  if (isEmpty(source)) return undefined;
  const step = rowStep(sigma);
  // under a blur this wide, the offset's fraction of a pixel is invisible
  const alpha =
    step > 1 ? sampledAlpha(content, source, step) : translateMask(alphaOf(content, source), x - wholeX, y - wholeY);
  const moved = new Mask(offset(alpha.bounds, wholeX, wholeY), alpha.alpha, step);
  return sigma > 0 ? blur(moved, sigma, clip) : moved;
}

/** Pixels drawn at once for a shadow: larger layers are drawn in bands, which bounds the memory for colours. */
const MAX_BAND_PIXELS = 4 * 2 ** 20;

/** The content's alpha inside `bounds`. */
function alphaOf(content: Drawable, bounds: Rect): Mask {
  const mask = new Mask(bounds);
  const rows = Math.max(1, Math.floor(MAX_BAND_PIXELS / mask.width));
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
 * The content's alpha in every `step`th row of `bounds`. A blur of 10,000 px needs 30,000 rows of as many pixels, and
 * adjacent rows make no visible difference.
 */
function sampledAlpha(content: Drawable, bounds: Rect, step: number): Mask {
  const mask = new Mask(bounds, undefined, step);
  for (let row = 0; row < mask.height; row++) {
    const top = bounds.top + row * step;
    mask.alpha.set(alphaOf(content, { ...bounds, top, bottom: top + 1 }).alpha, row * mask.width);
  }
  return mask;
}

/** Translates the mask right and down by a fraction of a pixel, with bilinear filtering. */
function translateMask(mask: Mask, x: number, y: number): Mask {
  if (x === 0 && y === 0) return mask;
  const { left, top, right, bottom } = mask.bounds;
  const out = new Mask({ left, top, right: right + 1, bottom: bottom + 1 });
  const at = (column: number, row: number) =>
    column < 0 || row < 0 || column >= mask.width || row >= mask.height ? 0 : mask.alpha[row * mask.width + column];
  for (let row = 0, o = 0; row < out.height; row++) {
    for (let column = 0; column < out.width; column++, o++) {
      const current = at(column - 1, row) * x + at(column, row) * (1 - x);
      const above = at(column - 1, row - 1) * x + at(column, row - 1) * (1 - x);
      out.alpha[o] = current * (1 - y) + above * y + 0.5;
    }
  }
  return out;
}

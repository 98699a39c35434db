// Shadows of what a layer paints: copies of its alpha in one colour, offset and blurred (CSS: `filter: drop-shadow()`).
import type { Shadow } from '../../contract/layers/index.js';
import { expand, intersect, isEmpty, offset, type Rect, roundOut } from '../../geometry/rect.js';
import type { PaintTarget } from '../../paint/target.js';
import { blur, blurReach, MAX_SIGMA, rowStep } from '../../raster/blur.js';
import { Mask } from '../../raster/mask.js';
import { SolidPaint } from '../../raster/paint.js';
import type { Drawable } from '../drawable.js';
import { scaleOf } from '../frame.js';
import { alphaOf, sampledAlpha } from './alpha.js';

/** The canvas pixels that the shadow may reach; integers. */
export function dropShadowBounds({ bounds, frame }: Drawable, shadow: Shadow): Rect {
  if (isEmpty(bounds)) return bounds;
  const { x, y, sigma } = shadowPlacement(shadow, frame);
  return expand(offset(roundOut(bounds), Math.floor(x), Math.floor(y)), blurReach(sigma) + 1);
}

/** The part of the content that casts what is visible of the shadow in `clip`. */
export function dropShadowSource({ bounds, frame }: Drawable, shadow: Shadow, clip: Rect): Rect {
  return intersect(roundOut(bounds), dropShadowInput(frame, shadow, clip));
}

/** Returns the area whose content casts the shadow that is visible in `clip`. */
export function dropShadowInput(frame: Pick<Drawable['frame'], 'toCanvas'>, shadow: Shadow, clip: Rect): Rect {
  const { x, y, sigma } = shadowPlacement(shadow, frame);
  return offset(expand(clip, blurReach(sigma) + 1), -Math.floor(x), -Math.floor(y));
}

/** Draws the shadow without its content. */
export function drawDropShadow(target: PaintTarget, content: Drawable, shadow: Shadow): void {
  const mask = shadowMask(target.bounds, content, shadow);
  if (!mask) return;
  const { color } = shadow;
  const blurred = () => ({
    content: (on: PaintTarget) => content.draw(on, 1),
    ...shadowPlacement(shadow, content.frame),
    color,
    opacity: 1,
  });
  target.drawPixels(mask.bounds, (surface) => surface.fillMask(mask, new SolidPaint(color)), { blurred });
}

/** The shadow's offset and standard deviation in canvas pixels: it turns, flips and scales with the layer. */
export function shadowPlacement({ blur, offsetX, offsetY }: Shadow, frame: Pick<Drawable['frame'], 'toCanvas'>) {
  const { a, b, c, d } = frame.toCanvas;
  return { x: a * offsetX + c * offsetY, y: b * offsetX + d * offsetY, sigma: shadowSigma(blur, frame) };
}

/** A shadow's standard deviation in canvas pixels. */
export function shadowSigma(blur: number, frame: Pick<Drawable['frame'], 'toCanvas'>): number {
  return Math.min((blur / 2) * scaleOf(frame), MAX_SIGMA);
}

/** The shadow's coverage inside `clip`: the layer's alpha, offset and blurred; undefined when none is visible. */
function shadowMask(clip: Rect, content: Drawable, shadow: Shadow): Mask | undefined {
  const { x, y, sigma } = shadowPlacement(shadow, content.frame);
  const wholeX = Math.floor(x);
  const wholeY = Math.floor(y);
  // draw only the part whose shadow can reach the clip
  const source = dropShadowSource(content, shadow, clip);
  if (isEmpty(source)) return undefined;
  const step = rowStep(sigma);
  // under a blur this wide, the offset's fraction of a pixel is invisible
  const alpha =
    step > 1 ? sampledAlpha(content, source, step) : translateMask(alphaOf(content, source), x - wholeX, y - wholeY);
  const moved = new Mask(offset(alpha.bounds, wholeX, wholeY), alpha.alpha, step);
  return sigma > 0 ? blur(moved, sigma, clip) : moved;
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

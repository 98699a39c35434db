// The alpha of what a layer paints: shadows are cast by it, masks are made of it.
import { intersect, isEmpty, type Rect, roundOut } from '../../geometry/rect.js';
import { RasterTarget } from '../../paint/raster-target.js';
import type { PaintTarget } from '../../paint/target.js';
import { affordable, withHidden } from '../../raster/hidden-pixels.js';
import { Mask } from '../../raster/mask.js';
import { Surface } from '../../raster/surface.js';
import { type Drawable, emptyDrawable } from '../drawable.js';

/** Pixels drawn at once: larger layers are drawn in bands, which bounds the memory for colours. */
const MAX_BAND_PIXELS = 4 * 2 ** 20;

/** The content's alpha inside `bounds`. */
export function alphaOf(content: Drawable, bounds: Rect): Mask {
  const mask = new Mask(bounds);
  const rows = Math.max(1, Math.floor(MAX_BAND_PIXELS / mask.width));
  for (let top = bounds.top; top < bounds.bottom; top += rows) {
    const surface = new Surface({ ...bounds, top, bottom: Math.min(bounds.bottom, top + rows) });
    content.draw(new RasterTarget(surface), 1);
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
export function sampledAlpha(content: Drawable, bounds: Rect, step: number): Mask {
  const mask = new Mask(bounds, undefined, step);
  for (let row = 0; row < mask.height; row++) {
    const top = bounds.top + row * step;
    mask.alpha.set(alphaOf(content, { ...bounds, top, bottom: top + 1 }).alpha, row * mask.width);
  }
  return mask;
}

/** The content as one picture, drawn once: what lies in `region`, or the part of it near `visible` if it is too large. */
export function snapshot(content: Drawable, region: Rect, visible: Rect): Drawable {
  const bounds = affordable(intersect(roundOut(content.bounds), region), visible);
  if (isEmpty(bounds)) return emptyDrawable(content.frame, content.outline);
  const picture = new Surface(bounds);
  withHidden(bounds, visible, () => content.draw(new RasterTarget(picture), 1));
  return {
    frame: content.frame,
    outline: content.outline,
    bounds,
    nonOverlapping: true,
    draw(target, opacity) {
      const exact = opacity === 1 ? (on: PaintTarget) => content.draw(on, 1) : undefined;
      target.drawPixels(bounds, (surface) => surface.drawSurface(picture, opacity), { exact });
    },
  };
}

// Applies the filters of a layer: to its drawing, and to the backdrop beneath it.
import { intersect, isEmpty, mapRect, type Rect, roundOut } from '../../geometry/rect.js';
import { RasterTarget } from '../../paint/raster-target.js';
import type { PaintTarget } from '../../paint/target.js';
import { BLACK } from '../../raster/color.js';
import type { Fill } from '../../raster/fill.js';
import { applyFilters } from '../../raster/filters/apply.js';
import {
  type FilterFunction,
  filteredBounds,
  filterSource,
  mapFilters,
  type PlacedFilter,
} from '../../raster/filters/filter.js';
import { affordable, withHidden } from '../../raster/hidden-pixels.js';
import { PixmapPaint } from '../../raster/paint.js';
import { Surface } from '../../raster/surface.js';
import type { Drawable } from '../drawable.js';
import { canvasRect, type Frame, scaleOf } from '../frame.js';
import { outlinePath } from '../outline.js';

/** Returns the filtered content. `color` is the colour of the layer's text. */
export function filtered(content: Drawable, filter: readonly FilterFunction[], color: Fill = BLACK): Drawable {
  const functions = onCanvas(filter, content.frame, color);
  const ink = roundOut(content.bounds);
  const bounds = isEmpty(ink) ? ink : filteredBounds(functions, ink);
  return {
    ...content,
    bounds,
    nonOverlapping: true,
    readsBackdrop: false,
    draw(target, opacity) {
      const clip = intersect(bounds, target.bounds);
      if (isEmpty(clip)) return;
      const read = affordable(intersect(ink, filterSource(functions, clip)), clip);
      if (isEmpty(read)) return;
      const source = new Surface(read);
      withHidden(read, clip, () => content.draw(new RasterTarget(source), 1));
      const result = applyFilters(source, functions, 'transparent', clip);
      const origin = (on: PaintTarget) => content.draw(on, 1);
      const [first, ...others] = functions;
      const sigma = first?.type === 'blur' && others.length === 0 && !content.readsBackdrop ? first.sigma : undefined;
      const blurred = sigma === undefined ? undefined : () => ({ content: origin, sigma, x: 0, y: 0, opacity });
      if (result) target.drawPixels(clip, (surface) => surface.drawSurface(result, opacity), { origin, blurred });
    },
  };
}

/** Returns the part of `backdrop` in the layer's box, filtered and clipped to the outline. */
export function filteredBackdrop(
  content: Pick<Drawable, 'frame' | 'outline'>,
  filter: readonly FilterFunction[],
  backdrop: Surface,
): Drawable {
  const { frame, outline } = content;
  const box = roundOut(mapRect(frame.box, frame.toCanvas));
  const bounds = intersect(box, backdrop.bounds);
  return {
    frame,
    outline,
    bounds,
    nonOverlapping: true,
    draw(target, opacity) {
      if (isEmpty(bounds)) return;
      const result = applyFilters(copyOf(backdrop, bounds), onCanvas(filter, frame, BLACK), 'mirrored', bounds);
      if (!result) return;
      const whole = outline.kind === 'rectangle' && canvasRect(frame, frame.box);
      target.drawPixels(bounds, (surface) => {
        const { left, top } = surface.bounds;
        const paint = new PixmapPaint(result.pixmap, bounds.left - left, bounds.top - top, opacity);
        if (whole) surface.fillRect(bounds, paint);
        else surface.fillPath(outlinePath(outline, frame.box), frame.toCanvas, paint);
      });
    },
  };
}

function onCanvas(filter: readonly FilterFunction[], frame: Frame, color: Fill): PlacedFilter[] {
  return mapFilters(filter, frame.toCanvas, scaleOf(frame), 'r' in color ? color : BLACK);
}

/** A copy of the part in `bounds`, which lies in the surface. */
function copyOf({ bounds: { left, top }, pixmap }: Surface, bounds: Rect): Surface {
  const copy = new Surface(bounds);
  for (let y = bounds.top; y < bounds.bottom; y++) {
    const from = (y - top) * pixmap.width + bounds.left - left;
    copy.pixmap.words.set(pixmap.words.subarray(from, from + copy.pixmap.width), (y - bounds.top) * copy.pixmap.width);
  }
  return copy;
}

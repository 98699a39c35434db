// CSS's box shadows: cast by the box of a layer and its corners, whatever is painted in it.
import type { Shadow } from '../../contract/layers/index.js';
import type { Polygon } from '../../geometry/polygon.js';
import { expand, intersect, isEmpty, mapRect, offset, type Rect, roundOut, unite } from '../../geometry/rect.js';
import type { Blurred, PaintTarget, Side } from '../../paint/target.js';
import { blur, blurReach, rowStep } from '../../raster/blur.js';
import { coverageMask, type Mask, subtractMask } from '../../raster/mask.js';
import { SolidPaint } from '../../raster/paint.js';
import type { Drawable } from '../drawable.js';
import { shadowPlacement, shadowSigma } from '../effects/drop-shadow.js';
import { type Frame, imageScaleOf } from '../frame.js';
import { insetOutline, type Outline, outlinePath, outlinePolygon, outsetOutline } from '../outline.js';

/** A box that casts shadows. */
type Box = Pick<Drawable, 'frame' | 'outline' | 'isOpaqueBox'>;

/** Whether the shadow is cast by the layer's box, not by its alpha. */
export function isBoxShadow({ spread, inset }: Shadow): boolean {
  return inset || spread !== 0;
}

/**
 * The layer with the shadows around its box beneath it: other shadows are cast by both, as `drop-shadow()` and `box-shadow`
 * of one element are in CSS.
 */
export function withOuterShadows(content: Drawable, shadows: readonly Shadow[]): Drawable {
  const outer = shadows.filter((shadow) => isBoxShadow(shadow) && !shadow.inset);
  if (outer.length === 0) return content;
  const { frame, outline, isOpaqueBox = false, shadowBoxes = [{ frame, outline }] } = content;
  const boxes = shadowBoxes.filter((box) => !isEmpty(box.frame.box)).map((box): Box => ({ ...box, isOpaqueBox }));
  if (boxes.length === 0) return content;
  const reached = (box: Box) => outer.map((shadow) => outerShadowBounds(box, shadow));
  return {
    ...content,
    bounds: boxes.flatMap(reached).reduce(unite, content.bounds),
    nonOverlapping: false,
    draw(target, opacity) {
      // the first is on top
      for (const box of boxes) for (const shadow of [...outer].reverse()) drawOuterShadow(target, box, shadow);
      content.draw(target, opacity);
    },
  };
}

/** Bounds the pixels that a shadow around the box can reach. */
function outerShadowBounds({ frame }: Box, shadow: Shadow): Rect {
  const rect = offset(expand(frame.box, shadow.spread), shadow.offsetX, shadow.offsetY);
  return expand(mapRect(rect, frame.toCanvas), blurReach(shadowSigma(shadow.blur, frame)));
}

/** Draws a shadow around the box, not inside. */
function drawOuterShadow(target: PaintTarget, { frame, outline, isOpaqueBox }: Box, shadow: Shadow): void {
  const shape = outsetOutline(outline, frame.box, shadow.spread);
  if (!shape) return;
  const mask = blurredMask(
    moved(shape.outline, shape.rect, frame, shadow),
    shadowSigma(shadow.blur, frame),
    target.bounds,
  );
  if (!mask) return;
  // beneath an opaque box the shadow extends by a pixel, as in Chromium: else the background shows through the edge
  const hidden = isOpaqueBox ? insetOutline(outline, frame.box, 1 / imageScaleOf(frame)) : { outline, rect: frame.box };
  if (hidden) {
    const polygon = outlinePolygon(hidden.outline, hidden.rect, frame);
    const cut = intersect(roundOut(polygon.bounds()), mask.bounds);
    if (!isEmpty(cut)) subtractMask(mask, coverageMask(polygon, cut));
  }
  const blurred = () =>
    blurredBox(frame, shadow, { ...shape, isOutside: false }, hidden && { ...hidden, isOutside: true });
  target.drawPixels(mask.bounds, (surface) => surface.fillMask(mask, new SolidPaint(shadow.color)), { blurred });
}

/** Draws a shadow inside the box, from the inner edge of a border of these widths, clockwise from the top. */
export function drawInsetShadow(
  target: PaintTarget,
  { frame, outline }: Box,
  borderWidths: readonly [number, number, number, number],
  shadow: Shadow,
): void {
  const area = insetOutline(outline, frame.box, borderWidths);
  if (!area) return;
  const polygon = outlinePolygon(area.outline, area.rect, frame);
  const visible = intersect(roundOut(polygon.bounds()), target.bounds);
  if (isEmpty(visible)) return;
  const mask = coverageMask(polygon, visible);
  const hole = outsetOutline(area.outline, area.rect, -shadow.spread);
  if (hole) {
    const light = blurredMask(moved(hole.outline, hole.rect, frame, shadow), shadowSigma(shadow.blur, frame), visible);
    if (light) subtractMask(mask, light);
  }
  const blurred = () => blurredBox(frame, shadow, { ...hole, isOutside: true }, { ...area, isOutside: false });
  target.drawPixels(mask.bounds, (surface) => surface.fillMask(mask, new SolidPaint(shadow.color)), { blurred });
}

/** The inside of a box in the layer, or what is around it. */
type BoxSide = { readonly isOutside: boolean } & Partial<NonNullable<ReturnType<typeof insetOutline>>>;

/** A shadow as targets know it that blur by themselves. */
function blurredBox(frame: Frame, shadow: Shadow, content: BoxSide, clip: BoxSide | undefined): Blurred {
  const sideOf = ({ outline, rect, isOutside }: BoxSide): Side => ({
    shape: outline && rect && { path: outlinePath(outline, rect), map: frame.toCanvas },
    isOutside,
  });
  return {
    content: sideOf(content),
    ...shadowPlacement(shadow, frame),
    color: shadow.color,
    opacity: 1,
    clip: clip && sideOf(clip),
  };
}

/** The outline at the shadow's offset, which turns and flips with the layer. */
function moved(outline: Outline, rect: Rect, frame: Frame, { offsetX, offsetY }: Shadow): Polygon {
  return outlinePolygon(outline, offset(rect, offsetX, offsetY), frame);
}

/** The blurred coverage of `polygon` inside `clip`; undefined when none is visible. */
function blurredMask(polygon: Polygon, sigma: number, clip: Rect): Mask | undefined {
  const source = intersect(roundOut(polygon.bounds()), expand(clip, blurReach(sigma)));
  if (isEmpty(source)) return undefined;
  const mask = coverageMask(polygon, source, rowStep(sigma));
  return sigma > 0 ? blur(mask, sigma, clip) : mask;
}

// Paints the box of a layer: its content, on it the inset shadows, on top the border.
import type { Shadow } from '../../contract/layers/index.js';
import type { BackgroundStyle } from '../../geometry/background-tiles.js';
import { expand, mapRect, type Rect } from '../../geometry/rect.js';
import type { PaintTarget } from '../../paint/target.js';
import { type Background, fillsOf } from '../../raster/fill.js';
import { partOf } from '../optional.js';
import { fillOutline } from '../outline.js';
import { type BoxBorder, borderReach, borderWidths, type DrawContent, drawBorder, drawBordered } from './border.js';
import type { OutlinedBox } from './ring.js';
import { drawInsetShadow, isBoxShadow } from './shadow.js';

export interface BoxStyle extends OutlinedBox {
  readonly border?: BoxBorder | undefined;
  /** A border that the layer draws later, on top of more than this: inset shadows begin at its inner edge. */
  readonly laterBorder?: BoxBorder | undefined;
  /** All shadows of the layer; those inside the box are painted with it. */
  readonly shadow?: readonly Shadow[] | undefined;
}

/** Bounds the canvas pixels that paintBox reaches. */
export function boxBounds({ frame, border }: BoxStyle): Rect {
  return mapRect(expand(frame.box, borderReach(border)), frame.toCanvas);
}

/** Whether what paintBox paints over the content overlaps it. */
export function hasOverlay({ border, shadow = [] }: BoxStyle): boolean {
  return border !== undefined || shadow.some(isInset);
}

function isInset(shadow: Shadow): boolean {
  return isBoxShadow(shadow) && shadow.inset;
}

/** `opacity` is that of the border; the content's is up to `drawContent`. It is 1 where parts overlap. */
export function paintBox(
  target: PaintTarget,
  box: BoxStyle,
  opacity: number,
  drawContent: DrawContent | undefined,
): void {
  const { border, laterBorder = border, shadow = [] } = box;
  const widths = borderWidths(border, box.frame);
  const insetBy = borderWidths(laterBorder, box.frame);
  const inset = shadow.filter(isInset).reverse();
  const drawInside: DrawContent | undefined =
    inset.length === 0
      ? drawContent
      : (inner, clip) => {
          drawContent?.(inner, clip);
          for (const each of inset) drawInsetShadow(inner, box, insetBy, each);
        };
  if (!border || widths.every((width) => width === 0)) drawInside?.(target, box);
  else if (drawInside) drawBordered(target, box, border, opacity, drawInside);
  else drawBorder(target, box, border, opacity);
}

/**
 * Returns a background as the content of a box. As in browsers, each of several fills has a separate antialiased edge.
 * `style`: where the fills lie, if not in the whole box.
 */
export function filling(
  background: Background,
  box: OutlinedBox,
  opacity: number,
  style?: BackgroundStyle,
): DrawContent {
  const { frame, area = frame } = box;
  if (style) {
    const { fillBackgroundLayers } = partOf('backgroundLayers');
    return (target, clip) => fillBackgroundLayers(target, background, box, clip, style, opacity);
  }
  const fills = fillsOf(background);
  return (target, clip) => {
    for (const fill of fills) {
      if (clip) fillOutline(target, clip.frame, clip.outline, fill, opacity, area);
      else target.fillRects([target.bounds], { fill, area, opacity });
    }
  };
}

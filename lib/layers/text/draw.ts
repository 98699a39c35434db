// Draws the prepared spans of a text: the glyphs of masks and polygons in the span's colour, colour glyphs in their own.
import type { Fill, FillArea } from '../../raster/fill.js';
import type { Paint } from '../../raster/paint.js';
import type { Surface } from '../../raster/surface.js';
import { contrastTable } from '../../raster/text-gamma.js';
import { drawColorGlyphs, type TextPaint } from '../color-glyph/draw.js';
import { type Frame, scaleOf } from '../frame.js';
import { fillMasks } from './glyph-masks.js';
import { MAX_MASK_FONT_SIZE, type PaintableSpan } from './span-ink.js';

/** The canvas that text is painted on. */
export interface Target {
  readonly surface: Surface;
  readonly frame: Frame;
  readonly opacity: number;
  /** The paints of the spans that are drawn on several lines: each is made once. */
  readonly paints?: Map<PaintableSpan['style'], Paint>;
}

/** A paint for glyphs of this size. `area`: where a gradient lies. */
export function textPaint(
  { surface, frame, opacity }: Target,
  fill: Fill,
  size: number,
  area: FillArea = frame,
): Paint {
  const hasContrast = size * scaleOf(frame) <= MAX_MASK_FONT_SIZE;
  return surface.paintOf(fill, area, opacity, hasContrast ? contrastTable(fill) : undefined);
}

export function drawSpan(target: Target, span: PaintableSpan): void {
  const { masks, fills, style, size, area } = span;
  const { surface, paints } = target;
  const known = area ? undefined : paints?.get(style);
  const fill = known ?? textPaint(target, style.color, size, area);
  if (!area) paints?.set(style, fill);
  if (masks.length > 0) fillMasks(surface, masks, fill);
  for (const polygon of fills) surface.fillPolygon(polygon, fill);
  if (span.colored.length > 0) {
    const paintOn: TextPaint = (on, color, opacity) =>
      textPaint({ ...target, surface: on, opacity }, color, size, area);
    drawColorGlyphs(surface, span.colored, style.color, target.opacity, paintOn);
  }
}

// Draws the prepared spans of a text: the glyphs of masks and polygons in the span's colour, colour glyphs in their own.
import type { FillStyle, GlyphRun, PaintTarget } from '../../paint/target.js';
import type { Fill, FillArea } from '../../raster/fill.js';
import type { Paint } from '../../raster/paint.js';
import type { Surface } from '../../raster/surface.js';
import { contrastTable } from '../../raster/text-gamma.js';
import { drawColorGlyphs, type TextPaint } from '../color-glyph/draw.js';
import { type Frame, scaleOf } from '../frame.js';
import { fillMasks } from './glyph-masks.js';
import { MAX_MASK_FONT_SIZE, type PaintableSpan, spanBounds } from './span-ink.js';

/** What text is painted on. */
export interface TextTarget {
  readonly target: PaintTarget;
  readonly frame: Frame;
  readonly opacity: number;
  /** The paints of the spans that are drawn on several lines: each is made once. */
  readonly paints?: SpanPaints;
}

/** The paints of spans on a surface. */
export class SpanPaints {
  private surface: Surface | undefined;
  private readonly paints = new Map<PaintableSpan['style'], Paint>();

  /** The paint of `span`, which `make` makes for the first line that shows it. */
  find({ style, area }: PaintableSpan, surface: Surface, make: () => Paint): Paint {
    if (area) return make();
    if (this.surface !== surface) this.paints.clear();
    this.surface = surface;
    const known = this.paints.get(style);
    if (known) return known;
    const paint = make();
    this.paints.set(style, paint);
    return paint;
  }
}

/** The style of a fill for glyphs of this size. `area`: where a gradient lies. */
export function textStyle(
  { frame, opacity }: Pick<TextTarget, 'frame' | 'opacity'>,
  fill: Fill,
  size: number,
  area: FillArea = frame,
): FillStyle {
  const hasContrast = size * scaleOf(frame) <= MAX_MASK_FONT_SIZE;
  return { fill, area, opacity, contrast: hasContrast ? contrastTable(fill) : undefined };
}

export function drawSpan(on: TextTarget, span: PaintableSpan): void {
  const style = textStyle(on, span.style.color, span.size, span.area);
  const run: GlyphRun = {
    style,
    bounds: () => spanBounds(span),
    glyphs: span.glyphs,
    text: span.text,
    drawPixels: (surface) => drawSpanPixels(surface, on, span, style),
  };
  on.target.drawGlyphs(run);
}

function drawSpanPixels(surface: Surface, on: TextTarget, span: PaintableSpan, style: FillStyle): void {
  const { masks, fills, size, area } = span;
  const make = () => paintOn(surface, style);
  const fill = on.paints?.find(span, surface, make) ?? make();
  if (masks.length > 0) fillMasks(surface, masks, fill);
  for (const polygon of fills) surface.fillPolygon(polygon, fill);
  if (span.colored.length > 0) {
    const textPaint: TextPaint = (part, color, opacity) =>
      paintOn(part, textStyle({ frame: on.frame, opacity }, color, size, area));
    drawColorGlyphs(surface, span.colored, span.style.color, on.opacity, textPaint);
  }
}

function paintOn(surface: Surface, { fill, area, opacity, contrast }: FillStyle): Paint {
  return surface.paintOf(fill, area, opacity, contrast);
}

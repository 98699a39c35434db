// Draws placed colour glyphs: fills of one colour and of gradients, clips and composites.
import { compose, translation } from '../../geometry/affine.js';
import { intersect, isEmpty, type Rect, roundOut, unite } from '../../geometry/rect.js';
import { BLACK, type Color } from '../../raster/color.js';
import { compositePixels, isCompositeOperator } from '../../raster/composite-operator.js';
import { type Fill, fillColors, isGradient } from '../../raster/fill.js';
import { type ColorLine, createColorLinePaint } from '../../raster/gradient/color-line.js';
import { coverageMask, maskPixels } from '../../raster/mask.js';
import type { Paint } from '../../raster/paint.js';
import { Surface } from '../../raster/surface.js';
import type { GradientGlyphPaint } from '../../text/glyph-paint.js';
import { NO_BOUNDS } from '../drawable.js';
import type { PlacedColorGlyph, PlacedFill, PlacedPaint } from './place.js';

/** The paint of a text in a fill. */
export type TextPaint = (surface: Surface, fill: Fill, opacity: number) => Paint;

/** Draws the glyphs in their own colours and in `fill`, the text's; its alpha applies to them as a group. */
export function drawColorGlyphs(
  surface: Surface,
  glyphs: readonly PlacedColorGlyph[],
  fill: Fill,
  opacity: number,
  textPaint: TextPaint,
): void {
  // a gradient has no overall alpha
  const painter = new Painter(isGradient(fill) ? fill : { ...fill, a: 1 }, textPaint);
  const alpha = isGradient(fill) ? opacity : fill.a * opacity;
  if (alpha === 1) {
    for (const { paint } of glyphs) painter.draw(surface, paint);
    return;
  }
  const bounds = glyphs.reduce((all, { paint }) => unite(all, paint.bounds), NO_BOUNDS);
  const visible = intersect(roundOut(bounds), surface.bounds);
  if (isEmpty(visible)) return;
  const group = new Surface(visible);
  for (const { paint } of glyphs) painter.draw(group, paint);
  surface.drawSurface(group, alpha);
}

class Painter {
  /** The text's colour in gradients; of a gradient, its first colour. */
  private readonly color: Color;

  constructor(
    private readonly fill: Fill,
    private readonly textPaint: TextPaint,
  ) {
    this.color = fillColors(fill)[0] ?? BLACK;
  }

  draw(surface: Surface, node: PlacedPaint): void {
    const region = intersect(roundOut(node.bounds), surface.bounds);
    if (isEmpty(region)) return;
    switch (node.kind) {
      case 'fill':
        this.drawFill(surface, node);
        break;
      case 'layers':
        for (const part of node.parts) this.draw(surface, part);
        break;
      case 'clip': {
        const group = this.isolate(node.content, region);
        maskPixels(group.pixmap, coverageMask(node.polygon, region));
        surface.drawSurface(group);
        break;
      }
      case 'composite': {
        const { mode } = node;
        const group = this.isolate(node.backdrop, region);
        const source = this.isolate(node.source, region);
        if (isCompositeOperator(mode)) compositePixels(group.pixmap, source.pixmap, mode);
        else group.drawSurface(source, 1, mode);
        surface.drawSurface(group);
      }
    }
  }

  /** The part alone, inside `region`. */
  private isolate(node: PlacedPaint, region: Rect): Surface {
    const group = new Surface(region);
    this.draw(group, node);
    return group;
  }

  private drawFill(surface: Surface, { polygon, paint, toCanvas }: PlacedFill): void {
    const { left, top } = surface.bounds;
    const filling =
      paint.kind === 'solid'
        ? this.textPaint(surface, paint.color ?? this.fill, paint.alpha)
        : createColorLinePaint(paint.geometry, this.colorLine(paint), compose(toCanvas, translation(-left, -top)));
    if (!filling) return;
    if (polygon) surface.fillPolygon(polygon, filling);
    else surface.fillRect(surface.bounds, filling);
  }

  private colorLine({ stops, extend }: GradientGlyphPaint): ColorLine {
    return {
      extend,
      stops: stops.map(({ offset, color = this.color, alpha }) => ({
        offset,
        color: { ...color, a: color.a * alpha },
      })),
    };
  }
}

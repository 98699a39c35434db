// Colour glyphs (COLR) as shapes: the layers of most emoji are outlines in one colour each. Others are pictures.
import { type Affine, compose } from '../geometry/affine.js';
import type { GlyphRun, PaintTarget, RunGlyph } from '../paint/target.js';
import { BLACK, type Color } from '../raster/color.js';
import { fillColors, isGradient } from '../raster/fill.js';
import type { Face } from '../text/face.js';
import type { GlyphPaint } from '../text/glyph-paint.js';

/** An outline in a colour. */
interface Shape {
  readonly glyph: number;
  readonly map: Affine;
  readonly color: Color;
}

/** Paints the colour glyphs of a run. */
export function drawColorRun(target: PaintTarget, run: GlyphRun, glyphs: readonly RunGlyph[]): void {
  const { fill, area, opacity } = run.style;
  const ink = fillColors(fill)[0] ?? BLACK;
  // the alpha of the text's colour applies to the glyphs as a whole
  const color = { ...ink, a: 1 };
  const alpha = (isGradient(fill) ? 1 : ink.a) * opacity;
  const shapes: { readonly face: Face; readonly shape: Shape }[] = [];
  const isSimple = glyphs.every(({ face, id, toCanvas }) => {
    const own = shapesOf(face.colorPaint(id), toCanvas, color);
    for (const shape of own ?? []) shapes.push({ face, shape });
    return own !== undefined;
  });
  if (!isSimple) {
    target.drawPixels(run.bounds(), (surface) => run.drawPixels(surface));
    return;
  }
  const draw = (on: PaintTarget) => {
    for (const { face, shape } of shapes) {
      on.fillPath(face.outline(shape.glyph), shape.map, { fill: shape.color, area, opacity: 1 });
    }
  };
  if (alpha === 1) draw(target);
  else target.drawGroup({ bounds: target.bounds, opacity: alpha }, draw);
}

/** The shapes of a paint, from the bottom up; undefined if it needs more than outlines in one colour. */
function shapesOf(paint: GlyphPaint | undefined, map: Affine, ink: Color): Shape[] | undefined {
  switch (paint?.kind) {
    case 'layers': {
      const parts = paint.paints.map((part) => shapesOf(part, map, ink));
      return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
    }
    case 'transform':
      return shapesOf(paint.paint, compose(paint.map, map), ink);
    case 'glyph': {
      if (paint.paint.kind !== 'solid') return undefined;
      const { color = ink, alpha } = paint.paint;
      return [{ glyph: paint.glyph, map, color: { ...color, a: color.a * alpha } }];
    }
    default:
      return undefined;
  }
}

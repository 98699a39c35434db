// Text along a path, as SVG's <textPath>: each cluster is turned to the path's direction at its middle.
import type { TextLayer } from '../../contract/layers/index.js';
import type { PathData } from '../../geometry/path.js';
import { PathRuler } from '../../geometry/path-ruler.js';
import type { PlacedGlyph } from '../../layout/line.js';
import type { PositionedLine } from '../../layout/text-box.js';
import type { LinePlace } from './line-paint.js';
import { type InkStyle, type PaintableSpan, SpanInk } from './span-ink.js';

/** Returns the share of the path at which the start, middle or end of the text lies. */
function fractionOf(align: TextLayer['textAlign'], isRightToLeft: boolean): number {
  switch (align) {
    case 'center':
      return 0.5;
    case 'left':
      return 0;
    case 'right':
      return 1;
    default:
      return (align === 'end') === isRightToLeft ? 0 : 1;
  }
}

export interface PathText {
  readonly spans: readonly PaintableSpan[];
  /** Whether some of it lies beyond the path's ends, where it is not painted. */
  readonly isCut: boolean;
}

/**
 * Returns the ink of a line's spans along the path, whose coordinates begin at the layer's box. `styles` are the spans' styles.
 */
export function textAlongPath(
  [line]: readonly PositionedLine[],
  path: PathData,
  align: TextLayer['textAlign'],
  styles: readonly InkStyle[],
  { frame, budget }: Pick<LinePlace, 'frame' | 'budget'>,
): PathText {
  if (!line) return { spans: [], isCut: false };
  const ruler = new PathRuler(path);
  const start = (ruler.length - line.width) * fractionOf(align, line.isRightToLeft);
  const { left, top } = frame.box;
  const inks = new Map<number, SpanInk>();
  let isCut = false;
  for (const { span, font, glyphs, raise, x, width } of line.fragments) {
    const ink = inks.get(span) ?? new SpanInk(font, styles[span], frame, budget);
    inks.set(span, ink);
    for (let i = 0, next = 0; i < glyphs.length; i = next) {
      next = clusterEnd(glyphs, i);
      const middle = (glyphs[i].pen + (next < glyphs.length ? glyphs[next].pen : x + width)) / 2;
      const point = ruler.at(start + middle);
      if (!point) {
        isCut = true;
        continue;
      }
      const { ux, uy } = point;
      for (const glyph of glyphs.slice(i, next)) {
        const along = glyph.x - middle;
        const up = glyph.y + raise;
        const e = left + point.x + ux * along + uy * up;
        const f = top + point.y + uy * along - ux * up;
        ink.addOutline(glyph, { a: ux, b: uy, c: -uy, d: ux, e, f });
      }
    }
  }
  return { spans: Array.from(inks.values(), (ink) => ink.finish(line.wrapped)), isCut };
}

/** Returns the end of the cluster that begins at glyph `start`. */
function clusterEnd(glyphs: readonly PlacedGlyph[], start: number): number {
  let end = start + 1;
  while (end < glyphs.length && glyphs[end].cluster === glyphs[start].cluster) end++;
  return end;
}

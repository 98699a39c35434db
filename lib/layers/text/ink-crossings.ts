// Finds where the ink of a line's letters crosses an underline, which leaves room around them (CSS Text Decoration 4 section 2.9).
import { flatten } from '../../geometry/flatten.js';
import { Polygon } from '../../geometry/polygon.js';
import type { Fragment } from '../../layout/line.js';
import { clusterText } from '../../layout/line.js';
import { quantizeSize } from '../../layout/measure.js';
import type { PositionedLine } from '../../layout/text-box.js';
import { SYNTHETIC_OBLIQUE } from './span-ink.js';

/** Letters of East Asian scripts, which underlines go on beneath. */
const IDEOGRAPHIC = /[\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u;

/** The part of a line of text that a decoration goes along, in pixels of the layer. */
export interface Stretch {
  readonly left: number;
  readonly right: number;
}

/** Finds the glyphs' ink between `top` and `bottom`, in pixels below the baseline. `left`: the line's left end. */
export function inkCrossings(
  line: PositionedLine,
  fragments: readonly Fragment[],
  left: number,
  top: number,
  bottom: number,
): Stretch[] {
  const found: Stretch[] = [];
  for (const { font, glyphs } of fragments) {
    const size = quantizeSize(font.size);
    for (const { face, id, x, y, cluster } of glyphs) {
      if (face.colorPaint(id) || IDEOGRAPHIC.test(clusterText(line.wrapped, cluster))) continue;
      const scale = size / face.unitsPerEm;
      const skew = font.stack.italic && !face.isItalic ? SYNTHETIC_OBLIQUE * scale : 0;
      const polygon = new Polygon();
      flatten(face.outline(id), { a: scale, b: 0, c: skew, d: -scale, e: left + x, f: -y }, polygon);
      const range = rangeWithin(polygon, top, bottom);
      if (range) found.push(range);
    }
  }
  return found;
}

/** From the leftmost to the rightmost point of the outline between two heights. */
function rangeWithin(polygon: Polygon, top: number, bottom: number): Stretch | undefined {
  const { points, starts } = polygon;
  let left = Infinity;
  let right = -Infinity;
  for (let contour = 0; contour < starts.length; contour++) {
    const end = polygon.endOf(contour);
    let x0 = points[end - 2];
    let y0 = points[end - 1];
    for (let i = starts[contour]; i < end; i += 2) {
      const x1 = points[i];
      const y1 = points[i + 1];
      if (Math.max(y0, y1) > top && Math.min(y0, y1) < bottom) {
        const at = (y: number) => (y1 === y0 ? x1 : x0 + ((x1 - x0) * (y - y0)) / (y1 - y0));
        const from = Math.abs(y1 - y0) < 1e-9 ? x0 : at(Math.min(bottom, Math.max(top, y0)));
        const to = at(Math.min(bottom, Math.max(top, y1)));
        left = Math.min(left, from, to);
        right = Math.max(right, from, to);
      }
      x0 = x1;
      y0 = y1;
    }
  }
  return left < right ? { left, right } : undefined;
}

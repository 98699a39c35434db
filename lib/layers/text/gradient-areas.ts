// Computes the areas of gradients that run along spans instead of filling the layer's box (gradientBox "span"). As browsers
// paint the background of an inline box, the parts of a span on several lines are one strip: each line goes on where the one
// before ended.
import { extentsOf } from '../../layout/line-box.js';
import type { PositionedLine } from '../../layout/text-box.js';
import type { FillArea } from '../../raster/fill.js';
import { type AreaOf, type LinePlace, snapBaseline } from './line-paint.js';
import type { SpanStyle } from './spans.js';

/** The part of a run on one line, in pixels of the layer. */
interface Part {
  readonly line: PositionedLine;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

type GradientRun = NonNullable<SpanStyle['gradientRun']>;

/** Finds the areas. `styles` are the spans' styles. */
export function gradientAreas(
  lines: readonly PositionedLine[],
  styles: readonly Pick<SpanStyle, 'gradientRun'>[],
  place: LinePlace,
): AreaOf {
  if (styles.every(({ gradientRun }) => gradientRun === undefined)) return () => undefined;
  const areas = new Map<GradientRun, Map<PositionedLine, FillArea>>();
  for (const [run, parts] of partsByRun(lines, styles, place)) {
    const total = parts.reduce((sum, { left, right }) => sum + right - left, 0);
    const byLine = new Map<PositionedLine, FillArea>();
    let before = 0;
    for (const { line, left, right, top, bottom } of parts) {
      // the strip of a right-to-left text begins at its right end
      const start = left - (line.isRightToLeft ? total - before - (right - left) : before);
      byLine.set(line, { box: { left: start, top, right: start + total, bottom }, toCanvas: place.frame.toCanvas });
      before += right - left;
    }
    areas.set(run, byLine);
  }
  return (line, { span }) => {
    const { gradientRun } = styles[span];
    return gradientRun && areas.get(gradientRun)?.get(line);
  };
}

/** The parts of each run, from the first line to the last. Blanks that hang at the end of a line are in none. */
function partsByRun(
  lines: readonly PositionedLine[],
  styles: readonly Pick<SpanStyle, 'gradientRun'>[],
  place: LinePlace,
): Map<GradientRun, Part[]> {
  const runs = new Map<GradientRun, Part[]>();
  for (const line of lines) {
    for (const { span, font, x, width, raise, isHanging } of line.fragments) {
      const { gradientRun } = styles[span];
      if (!gradientRun || isHanging) continue;
      const { ascent, descent } = extentsOf(font);
      const baseline = snapBaseline(place, line.baseline - raise);
      const left = place.origin.left + line.x + x;
      const own = { line, left, right: left + width, top: baseline - ascent, bottom: baseline + descent };
      const parts = runs.get(gradientRun) ?? [];
      runs.set(gradientRun, parts);
      const last = parts.at(-1);
      if (last?.line !== line) parts.push(own);
      else {
        last.left = Math.min(last.left, own.left);
        last.right = Math.max(last.right, own.right);
        last.top = Math.min(last.top, own.top);
        last.bottom = Math.max(last.bottom, own.bottom);
      }
    }
  }
  return runs;
}

// Computes the areas of gradients that run along spans instead of filling the layer's box (gradientBox "span"). As browsers
// paint the background of an inline box, the parts of a span on several lines are one strip: each line goes on where the one
// before ended.
import type { PositionedLine } from '../../layout/text-box.js';
import type { FillArea } from '../../raster/fill.js';
import type { AreaOf, LinePlace } from './line-paint.js';
import { spanParts } from './span-parts.js';
import type { SpanStyle } from './spans.js';

/** Finds the areas. `styles` are the spans' styles. */
export function gradientAreas(
  lines: readonly PositionedLine[],
  styles: readonly Pick<SpanStyle, 'gradientRun'>[],
  place: LinePlace,
): AreaOf {
  if (styles.every(({ gradientRun }) => gradientRun === undefined)) return () => undefined;
  const areas = new Map<object, Map<PositionedLine, FillArea>>();
  for (const [run, parts] of spanParts(lines, (span) => styles[span].gradientRun, place)) {
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

// Scatter charts: a dot for each pair of numbers, one path for each series.
import { type Drawing, rounded } from './drawing.js';
import type { Plot } from './frame.js';
import { circle } from './lines.js';
import type { SeriesParts } from './parts.js';

/** Points from which dots are smaller, and those of the smallest. */
const [FEW_POINTS, MANY_POINTS] = [60, 2000];
const ALPHA = 0.75;

function radiusOf({ fontSize }: Drawing, points: number): number {
  const part = Math.min(1, Math.max(0, (points - FEW_POINTS) / (MANY_POINTS - FEW_POINTS)));
  return rounded(Math.max(3, fontSize * 0.36) * (1 - 0.55 * part));
}

export function drawDots(drawing: Drawing, plot: Plot, { chart, table, texts, colors }: SeriesParts): void {
  const radius = radiusOf(drawing, table.count);
  const [min, max] = plot.values.domain;
  table.series.forEach(({ values }, i) => {
    // dots at the same place are one
    const figures = new Set<string>();
    values.forEach((value, row) => {
      const x = plot.placeAt(row);
      if (value === null || x === undefined || value < min || value > max) return;
      if (x < plot.x - 1 || x > plot.x + plot.width + 1) return;
      figures.add(circle(x, plot.valueAt(value), radius));
      if (chart.labels !== true) return;
      const text = texts.value(value);
      const [width, height] = [drawing.widthOf(text), drawing.lineHeight];
      const y = plot.valueAt(value) - height / 2;
      const gap = radius + 3;
      const isWritten =
        drawing.tryLabel({ text, x: x + gap, y, width, height }) ||
        drawing.tryLabel({ text, x: x - gap - width, y, width, height, align: 'right' });
      if (!isWritten) drawing.warn('labels_omitted', 'labels', 'leave out values that there is no room for');
    });
    drawing.path(figures, { fill: { ...colors[i], a: colors[i].a * ALPHA } });
  });
}

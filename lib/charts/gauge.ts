// Progress bars and gauges: one value between two ends.
import type { Color } from '../raster/color.js';
import { ChartError, type Drawing, type LabelBox, LINE_HEIGHT } from './drawing.js';
import { roundedBox } from './legend.js';
import type { ChartParts } from './parts.js';
import { ring } from './round.js';

interface GaugeOptions extends ChartParts {
  readonly color: Color;
}

const TRACK_ALPHA = 0.14;
/** Half of a gauge's arc, and its thickness as a part of the radius. */
const [HALF_ARC, THICKNESS] = [(2 / 3) * Math.PI, 0.2];
/** How far an arc of that length reaches beneath its centre, as a part of the radius: −cos of its half. */
const BENEATH = 0.5;
/** The most that a value in a gauge or beside a bar is larger than other texts. */
const MAX_VALUE_SIZE = 6;
const MAX_BAR = 32;

interface Reading {
  /** From 0 to 1; undefined without a value. */
  readonly part: number | undefined;
  readonly text: string;
  readonly ends: readonly [string, string];
}

function readingOf({ chart, table, texts }: GaugeOptions): Reading {
  const { min, max } = chart;
  if (min >= max) throw new ChartError('min', `received ${min}, expected less than max, ${max}`);
  const value = chart.value ?? table.series.flatMap(({ values }) => values).find((each) => each !== null) ?? undefined;
  const hasFormat = chart.axes?.y?.format !== undefined;
  const textOf = (each: number) => (hasFormat || min !== 0 || max !== 1 ? texts.value(each) : texts.percent(each));
  return {
    part: value === undefined ? undefined : Math.max(0, Math.min(1, (value - min) / (max - min))),
    text: value === undefined || chart.labels === false ? '' : textOf(value),
    ends: [textOf(min), textOf(max)],
  };
}

export function drawProgress(drawing: Drawing, whole: LabelBox, options: GaugeOptions): void {
  const { part, text } = readingOf(options);
  const { fontSize } = drawing;
  const size = Math.max(Math.min(fontSize, whole.height / LINE_HEIGHT), Math.min(whole.height * 0.4, fontSize * 2));
  const width = text === '' ? 0 : Math.min(drawing.widthOf(text, { isBold: true, size }), whole.width / 2);
  const length = whole.width - (width === 0 ? 0 : width + size * 0.7);
  const thickness = Math.min(whole.height * 0.5, MAX_BAR);
  const top = whole.y + (whole.height - thickness) / 2;
  const radius = thickness / 2;
  drawing.path([roundedBox(whole.x, top, length, thickness, radius)], { fill: drawing.faded(TRACK_ALPHA) });
  if (part !== undefined && part > 0) {
    const filled = Math.max(Math.min(thickness, length), part * length);
    drawing.path([roundedBox(whole.x, top, filled, thickness, radius)], { fill: options.color });
  }
  const height = size * LINE_HEIGHT;
  const y = whole.y + (whole.height - height) / 2;
  const x = whole.x + whole.width - width;
  drawing.label({ text, x, y, width, height, size, isBold: true, align: 'right' });
}

export function drawGauge(drawing: Drawing, whole: LabelBox, options: GaugeOptions): void {
  const { part, text, ends } = readingOf(options);
  const { lineHeight } = drawing;
  const hasEnds = options.chart.labels !== false && whole.height > lineHeight * 4;
  const beneath = hasEnds ? lineHeight + 2 : 0;
  const radius = Math.max(1, Math.min(whole.width / 2, (whole.height - beneath) / (1 + BENEATH)) - 1);
  const height = radius * (1 + BENEATH) + beneath;
  const center = { x: whole.x + whole.width / 2, y: whole.y + (whole.height - height) / 2 + radius };
  const circle = { ...center, radius, hole: radius * (1 - THICKNESS) };
  const arc = (to: number) => ring(circle, { startAngle: -HALF_ARC, endAngle: -HALF_ARC + 2 * HALF_ARC * to }, 0);
  drawing.path([arc(1)], { fill: drawing.faded(TRACK_ALPHA) });
  if (part !== undefined && part > 0) drawing.path([arc(part)], { fill: options.color });
  if (text !== '') {
    const room = circle.hole * 1.6;
    const wide = drawing.widthOf(text, { isBold: true, size: 1000 }) / 1000;
    const size = Math.max(4, Math.min(room / wide, radius * 0.4, drawing.fontSize * MAX_VALUE_SIZE));
    const box = {
      x: center.x - room / 2,
      y: center.y - (size * LINE_HEIGHT) / 2,
      width: room,
      height: size * LINE_HEIGHT,
    };
    drawing.label({ text, ...box, size, isBold: true, align: 'center' });
  }
  if (!hasEnds) return;
  // the ends of the arc are this far from the middle: the sine of its half
  const offset = radius * (1 - THICKNESS / 2) * 0.866;
  ends.forEach((end, i) => {
    const width = Math.min(drawing.widthOf(end), offset);
    const x = center.x + (i === 0 ? -offset : offset) - width / 2;
    const label = { text: end, x: Math.max(whole.x, Math.min(x, whole.x + whole.width - width)), width };
    if (drawing.tryLabel({ ...label, y: center.y + radius * BENEATH + 2, height: lineHeight, align: 'center' })) return;
    drawing.warn('labels_omitted', 'labels', 'leave out an end that there is no room for');
  });
}

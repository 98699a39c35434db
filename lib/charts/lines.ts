// Lines and areas: a path for each series, broken at gaps.
import { area, curveLinear, curveMonotoneX, line } from 'd3-shape';
import type { Stacks } from './bars.js';
import { type Drawing, rounded } from './drawing.js';
import type { Plot } from './frame.js';
import type { SeriesParts } from './parts.js';
import type { Texts } from './texts.js';

/** A point of a line in pixels; null is a gap. `base`: the pixel beneath it to which an area reaches. */
interface Point {
  readonly x: number;
  readonly y: number;
  readonly base: number;
  readonly value: number;
}

export interface LineOptions extends SeriesParts {
  readonly stacks: Stacks;
}

/** Points from which a line is thinner. */
const MANY_POINTS = 300;
/** Alpha of areas that lie over each other, and of those on each other. */
const [OVERLAY_ALPHA, STACK_ALPHA] = [0.18, 0.9];
const DIGITS = 3;

export function lineWidth({ fontSize }: Drawing, points: number): number {
  return points > MANY_POINTS ? 1.5 : rounded(Math.max(1.5, Math.min(3, fontSize / 6)));
}

export function drawLines(drawing: Drawing, plot: Plot, options: LineOptions): void {
  const { chart, table, colors } = options;
  const { count, places, series } = table;
  const width = lineWidth(drawing, count);
  const order = orderOf(plot, count, places.kind === 'date' || places.kind === 'number');
  const lines = series.map((_, i) => pointsOf(plot, options, i, order));
  const curve = chart.smooth ? curveMonotoneX : curveLinear;
  if (chart.chart === 'area' || chart.chart === 'sparkline') {
    const isSolid = chart.chart === 'area' && chart.stacked;
    const shape = area<Point | null>()
      .defined((point) => point !== null)
      .x((point) => point!.x)
      .y0((point) => point!.base)
      .y1((point) => point!.y)
      .curve(curve)
      .digits(DIGITS);
    lines.forEach((points, i) => {
      const color = { ...colors[i], a: colors[i].a * (isSolid ? STACK_ALPHA : OVERLAY_ALPHA) };
      const data = shape(points);
      if (data) drawing.path(subpaths(data), { fill: color });
    });
    if (isSolid) return;
  }
  const shape = line<Point | null>()
    .defined((point) => point !== null)
    .x((point) => point!.x)
    .y((point) => point!.y)
    .curve(curve)
    .digits(DIGITS);
  lines.forEach((points, i) => {
    const data = shape(points);
    if (data) drawing.path(subpaths(data), { stroke: { color: colors[i], width, cap: 'round' } });
    const dots = chart.labels === true ? points.filter((point) => point !== null) : lonely(points);
    const last = points.findLast((point) => point !== null);
    if (chart.chart === 'sparkline' && last) dots.push(last);
    drawing.path(new Set(dots.map(({ x, y }) => circle(x, y, width * 1.4))), { fill: colors[i] });
  });
  if (chart.labels === true) writeValues(drawing, lines, options.texts);
}

/** d3 writes a path in one string, each part of which begins with M. */
const subpaths = (data: string): string[] => data.split(/(?=M)/);

/** The rows in the order of their places, without those that have none. */
function orderOf(plot: Plot, count: number, isSorted: boolean): number[] {
  const rows = Array.from({ length: count }, (_, row) => row).filter((row) => plot.placeAt(row) !== undefined);
  return isSorted ? rows.sort((a, b) => plot.placeAt(a)! - plot.placeAt(b)! || a - b) : rows;
}

function pointsOf(plot: Plot, { stacks }: LineOptions, series: number, order: readonly number[]): (Point | null)[] {
  const [min, max] = plot.values.domain;
  const pixel = (value: number) => rounded(plot.valueAt(Math.max(min, Math.min(max, value))));
  return order.map((row) => {
    const span = stacks[series][row];
    return (
      span && { x: rounded(plot.placeAt(row)!), y: pixel(span[1]), base: pixel(span[0]), value: span[1] - span[0] }
    );
  });
}

/** Points between gaps, of which a line draws nothing. */
const lonely = (points: readonly (Point | null)[]): Point[] =>
  points.filter((point, i): point is Point => point !== null && !points[i - 1] && !points[i + 1]);

/** The path data of a circle. */
export function circle(x: number, y: number, radius: number): string {
  const r = rounded(radius);
  return `M${rounded(x - radius)} ${rounded(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

function writeValues(drawing: Drawing, lines: readonly (readonly (Point | null)[])[], texts: Texts): void {
  const height = drawing.lineHeight;
  for (const point of lines.flat()) {
    if (!point) continue;
    const text = texts.value(point.value);
    const width = drawing.widthOf(text);
    const x = Math.max(0, Math.min(drawing.width - width, point.x - width / 2));
    const label = { text, x, width, height, align: 'center' as const };
    if (drawing.tryLabel({ ...label, y: point.y - height - 4 }) || drawing.tryLabel({ ...label, y: point.y + 4 }))
      continue;
    drawing.warn('labels_omitted', 'labels', 'leave out values that there is no room for');
  }
}

/** The places of names at the ends of lines; undefined where they don't fit. */
export interface EndNames {
  readonly width: number;
  write(plot: Plot): boolean;
}

/** Names in the colour of their lines, which stand for a legend. */
export function endNames(drawing: Drawing, { table, colors }: LineOptions): EndNames {
  const { lineHeight, fontSize } = drawing;
  const most = drawing.width * 0.25;
  const names = table.series.map(({ name }) => drawing.shortened(name, most, true));
  if (names.some((name, i) => name !== table.series[i].name)) {
    drawing.warn('labels_omitted', 'legend', 'has names that are shortened');
  }
  const width = Math.max(...names.map((name) => drawing.widthOf(name, { isBold: true })));
  const gap = fontSize * 0.6;
  return {
    width: width + gap,
    write(plot) {
      const ends = table.series.flatMap(({ values }, i) => {
        const row = values.findLastIndex((value) => value !== null);
        return row < 0 ? [] : [{ i, y: plot.valueAt(values[row]!) }];
      });
      ends.sort((a, b) => a.y - b.y || a.i - b.i);
      const tops = spread(
        ends.map(({ y }) => y - lineHeight / 2),
        lineHeight,
        [plot.y - lineHeight / 2, plot.y + plot.height - lineHeight / 2],
      );
      ends.forEach(({ i }, k) => {
        const label = { text: names[i], x: plot.x + plot.width + gap, y: tops[k], width, height: lineHeight };
        drawing.tryLabel({ ...label, color: drawing.legible(colors[i]), isBold: true });
      });
      return ends.length === table.series.length;
    },
  };
}

/** Moves ascending positions apart by `size`, within the bounds. */
function spread(tops: readonly number[], size: number, [least, most]: readonly [number, number]): number[] {
  const moved: number[] = [];
  for (const top of tops) moved.push(Math.max(top, least, moved.length > 0 ? moved[moved.length - 1] + size : least));
  for (let i = moved.length - 1, end = most; i >= 0; i--) {
    moved[i] = Math.min(moved[i], end);
    end = moved[i] - size;
  }
  return moved;
}

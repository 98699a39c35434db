// Bars and columns: one path for each series, with rounded ends and values beside them.
import { stack, stackOffsetDiverging } from 'd3-shape';
import { parseColor } from '../contract/css/parse-color.js';
import type { ChartFields } from '../contract/layers/expanded/chart.js';
import type { Color } from '../raster/color.js';
import { contrastTo } from '../raster/color-math.js';
import { type Drawing, type LabelBox, rounded } from './drawing.js';
import type { Plot } from './frame.js';
import type { SeriesParts } from './parts.js';
import type { DataTable } from './table.js';
import type { Texts } from './texts.js';

/** Bars whose values are written without being asked. */
const MAX_AUTO_LABELS = 12;
/** Part of a place that is free, and of a bar in a group. */
const [PADDING, INNER_PADDING] = [0.32, 0.1];
/** Pixels beneath which bars touch each other. */
const MIN_PADDED_STEP = 5;
const MAX_RADIUS = 3;

/** From and to along the values, for each series and entry; null is a gap. */
export type Stacks = readonly (readonly (readonly [from: number, to: number] | null)[])[];

/** The numbers of each series as spans from zero, or on each other. */
export function stacksOf({ series, count }: DataTable, isStacked: boolean): Stacks {
  if (!isStacked) return series.map(({ values }) => values.map((value) => (value === null ? null : [0, value])));
  const layout = stack<number, number>()
    .keys(series.map((_, i) => i))
    .value((row, key) => series[key].values[row] ?? 0)
    .offset(stackOffsetDiverging);
  const stacked = layout(Array.from({ length: count }, (_, row) => row));
  return series.map(({ values }, i) =>
    values.map((value, row) => {
      if (value === null) return null;
      const [from, to] = stacked[i][row];
      // spans of negative numbers are given from their far end
      return value < 0 ? [to, from] : [from, to];
    }),
  );
}

export function hasBarLabels({ labels }: ChartFields, { series, count }: DataTable): boolean {
  return labels === 'auto' ? series.length * count <= MAX_AUTO_LABELS : labels;
}

export function drawBars(drawing: Drawing, plot: Plot, { chart, table, texts, colors, stacks }: BarOptions): void {
  const { isSideways } = plot;
  const isStacked = chart.stacked;
  const groups = isStacked ? 1 : Math.max(1, table.series.length);
  const padding = plot.step < MIN_PADDED_STEP ? 0 : PADDING;
  const widest = Math.max(40, Math.min(drawing.width, drawing.height) * 0.22) * Math.sqrt(groups);
  const band = Math.min(plot.step * (1 - padding), widest);
  const width = band / groups;
  const bar = groups > 1 && width >= MIN_PADDED_STEP ? width * (1 - INNER_PADDING) : width;
  const lastAt = isStacked ? outermost(stacks) : undefined;
  const labels: { readonly box: LabelBox; readonly value: number; readonly color: Color; readonly isEnd: boolean }[] =
    [];
  table.series.forEach(({ values }, i) => {
    const figures: string[] = [];
    values.forEach((value, row) => {
      const span = stacks[i][row];
      const place = plot.placeAt(row);
      if (value === null || span === null || place === undefined) return;
      const start = place - band / 2 + (isStacked ? 0 : i * width + (width - bar) / 2);
      const [from, to] = span.map((each) => plot.valueAt(clamped(each, plot.values.domain)));
      const isEnd = lastAt === undefined || lastAt[row][value < 0 ? 1 : 0] === i;
      figures.push(barPath({ start, width: bar, from, to, isSideways, isRound: isEnd && isInside(span[1], plot) }));
      labels.push({ box: boxOf(start, bar, from, to, isSideways), value, color: colors[i], isEnd: !isStacked });
    });
    drawing.path(figures, { fill: colors[i] });
  });
  if (!hasBarLabels(chart, table)) return;
  // without being asked, values are written beside all bars or beside none
  const most = isSideways ? Infinity : Math.max(width, groups === 1 ? plot.step - LABEL_GAP : width);
  const isRoomy = labels.every(({ value }) => drawing.widthOf(texts.value(value)) <= most);
  if (chart.labels === 'auto' && !isStacked && !(isRoomy && (!isSideways || width >= drawing.lineHeight * 0.8))) return;
  for (const label of labels) writeValue(drawing, label, isSideways, texts);
}

/** Pixels between a bar and its value, and between values. */
const LABEL_GAP = 4;

interface BarOptions extends SeriesParts {
  readonly stacks: Stacks;
}

const clamped = (value: number, [min, max]: readonly [number, number]) => Math.max(min, Math.min(max, value));
const isInside = (value: number, { values: { domain } }: Plot) => value >= domain[0] && value <= domain[1];

/** The last series above zero and the last one beneath it, in each entry. */
function outermost(stacks: Stacks): readonly (readonly [number, number])[] {
  return (stacks[0] ?? []).map((_, row) => {
    const last: [number, number] = [-1, -1];
    stacks.forEach((spans, i) => {
      const span = spans[row];
      if (span && span[1] !== span[0]) last[span[1] < span[0] ? 1 : 0] = i;
    });
    return last;
  });
}

interface Bar {
  readonly start: number;
  readonly width: number;
  readonly from: number;
  readonly to: number;
  readonly isSideways: boolean;
  readonly isRound: boolean;
}

/** A bar from `from` to `to`, whose far corners are round. */
function barPath({ start, width, from, to, isSideways, isRound }: Bar): string {
  const [a, b] = [rounded(start), rounded(start + width)];
  const [near, far] = [rounded(from), rounded(to)];
  const radius = isRound ? rounded(Math.min(MAX_RADIUS, width / 3, Math.abs(far - near))) : 0;
  const point = (along: number, across: number) =>
    isSideways ? `${rounded(along)} ${rounded(across)}` : `${rounded(across)} ${rounded(along)}`;
  if (radius < 0.5) return `M${point(near, a)}L${point(far, a)}L${point(far, b)}L${point(near, b)}Z`;
  const back = far > near ? far - radius : far + radius;
  return (
    `M${point(near, a)}L${point(back, a)}Q${point(far, a)} ${point(far, a + radius)}` +
    `L${point(far, b - radius)}Q${point(far, b)} ${point(back, b)}L${point(near, b)}Z`
  );
}

function boxOf(start: number, width: number, from: number, to: number, isSideways: boolean): LabelBox {
  const [least, size] = [Math.min(from, to), Math.abs(to - from)];
  return isSideways ? { x: least, y: start, width: size, height: width } : { x: start, y: least, width, height: size };
}

/** Writes a value at the end of a bar, or in the middle of one that is stacked. */
function writeValue(
  drawing: Drawing,
  {
    box,
    value,
    color,
    isEnd,
  }: { readonly box: LabelBox; readonly value: number; readonly color: Color; readonly isEnd: boolean },
  isSideways: boolean,
  texts: Texts,
): void {
  const text = texts.value(value);
  const height = drawing.lineHeight;
  const width = drawing.widthOf(text);
  const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
  const gap = LABEL_GAP;
  let isWritten: boolean;
  if (!isEnd) {
    const fits = width + gap <= box.width && height <= box.height + 2;
    const label = { text, x: middleX - width / 2, y: middleY - height / 2, width, height, align: 'center' as const };
    isWritten = fits && drawing.tryLabel({ ...label, color: parseColor(contrastTo(color)) });
  } else if (isSideways) {
    const x = value < 0 ? box.x - gap - width : box.x + box.width + gap;
    isWritten = drawing.tryLabel({
      text,
      x,
      y: middleY - height / 2,
      width,
      height,
      align: value < 0 ? 'right' : 'left',
    });
  } else {
    const y = value < 0 ? box.y + box.height + 1 : box.y - height - 1;
    isWritten = drawing.tryLabel({ text, x: middleX - width / 2, y, width, height, align: 'center' });
  }
  if (!isWritten) drawing.warn('labels_omitted', 'labels', 'leave out values that there is no room for');
}

// Makes plain layers of charts: what payloads with charts load.
import type { ChartFields } from '../contract/layers/expanded/chart.js';
import type { LocaleFormatter } from '../locale/formatter.js';
import type { Color } from '../raster/color.js';
import { annotatedValues, drawAnnotations, roomForAnnotations } from './annotations.js';
import { drawBars, hasBarLabels, stacksOf } from './bars.js';
import { ChartError, type ChartWarning, Drawing, type LabelBox, type RawLayer } from './drawing.js';
import { drawFrame } from './frame.js';
import { drawGauge, drawProgress } from './gauge.js';
import { drawHeatmap } from './heatmap.js';
import { drawLegend } from './legend.js';
import { drawLines, endNames } from './lines.js';
import { colorAt, DEFAULT_PALETTE } from './palette.js';
import type { SeriesParts } from './parts.js';
import { drawRound } from './round.js';
import { extentOf, type ValueRange } from './scales.js';
import { drawDots } from './scatter.js';
import { type DataTable, readTable } from './table.js';
import { type FormatValue, Texts } from './texts.js';

/** What a chart gets from the payload around it. */
export interface ChartSurroundings {
  readonly width: number;
  readonly height: number;
  /** The colour of texts, unless the chart has one. */
  readonly color: Color;
  /** The colours of series, unless the chart has some; undefined for the default ones. */
  readonly palette: readonly Color[] | undefined;
  readonly formatter: () => LocaleFormatter;
  readonly format: FormatValue;
}

export interface DrawnChart {
  readonly layers: readonly RawLayer[];
  readonly warnings: readonly ChartWarning[];
}

/** Why data make no chart. */
export interface ChartFault {
  /** Path within the chart, such as `data[3]`. */
  readonly field: string;
  readonly message: string;
  readonly isLimit: boolean;
}

export type DrawChart = (chart: ChartFields, surroundings: ChartSurroundings) => DrawnChart | { fault: ChartFault };

/** Font sizes without being asked: a part of the height, from the least to the largest. */
const [FONT_PART, MIN_FONT, MAX_FONT] = [0.03, 10, 20];

/** Draws a chart in a box at 0, 0. */
export const drawChart: DrawChart = (chart, surroundings) => {
  const { width, height } = surroundings;
  const fontSize = chart.fontSize ?? Math.max(MIN_FONT, Math.min(MAX_FONT, Math.round(height * FONT_PART)));
  const drawing = new Drawing(width, height, fontSize, chart.fontFamily, chart.color ?? surroundings.color);
  try {
    if (width > 0 && height > 0) drawKind(drawing, chart, surroundings);
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    const { field, message, isLimit } = error;
    return { fault: { field, message, isLimit } };
  }
  return { layers: drawing.layers, warnings: drawing.warnings };
};

function drawKind(drawing: Drawing, chart: ChartFields, { palette, formatter, format }: ChartSurroundings): void {
  const texts = new Texts(formatter, format, chart.axes);
  const all = chart.palette ?? palette ?? DEFAULT_PALETTE;
  const whole: LabelBox = { x: 0, y: 0, width: drawing.width, height: drawing.height };
  const table = readTable(chart, drawing);
  const colors = table.series.map((_, i) => colorAt(all, i));
  switch (chart.chart) {
    case 'pie':
    case 'donut':
      drawRound(drawing, whole, { chart, table, texts, palette: all });
      break;
    case 'progress':
      drawProgress(drawing, whole, { chart, table, texts, color: all[0] });
      break;
    case 'gauge':
      drawGauge(drawing, whole, { chart, table, texts, color: all[0] });
      break;
    case 'heatmap':
      drawHeatmap(drawing, whole, { chart, table, texts, palette: all });
      break;
    default:
      drawSeries(drawing, whole, { chart: ofKind(chart, table), table, texts, colors });
      break;
  }
}

/** The chart with the axes that its kind has. */
function ofKind(chart: ChartFields, { xName, series }: DataTable): ChartFields {
  const { axes } = chart;
  if (chart.chart === 'sparkline') {
    return { ...chart, axes: { x: { visible: false, ...axes?.x }, y: { visible: false, ...axes?.y } } };
  }
  // dots say nothing without the names of both axes
  if (chart.chart !== 'scatter') return chart;
  const yName = series.length === 1 && series[0].name !== '' ? series[0].name : undefined;
  return { ...chart, axes: { x: { title: xName, ...axes?.x }, y: { title: yName, ...axes?.y } } };
}

/** Pixels that the dot at the end of a sparkline needs. */
const DOT_ROOM = 4;
/** Lines whose names stand at their ends. */
const MAX_END_NAMES = 8;

/** Draws a chart with two axes. */
function drawSeries(drawing: Drawing, whole: LabelBox, options: SeriesParts): void {
  const { chart, table, texts, colors } = options;
  const kind = chart.chart;
  const isSideways = kind === 'bar';
  const isBar = kind === 'bar' || kind === 'column';
  const isBanded = isBar || (kind === 'scatter' && table.places.kind === 'text');
  const isStacked = chart.stacked && (isBar || kind === 'area');
  const stacks = stacksOf(table, isStacked);
  const annotated = annotatedValues(chart);
  const hasLegend = chart.legend === 'auto' ? table.series.length > 1 && kind !== 'sparkline' : chart.legend !== 'none';
  const canName = chart.legend === 'auto' && kind === 'line' && table.series.length <= MAX_END_NAMES;
  const names = hasLegend && canName ? endNames(drawing, { ...options, stacks }) : undefined;
  const side = chart.legend === 'auto' || chart.legend === 'none' ? 'top' : chart.legend;
  const entries = table.series.map(({ name }, i) => ({ name, color: colors[i] }));
  const area = hasLegend && !names ? drawLegend(drawing, whole, entries, side) : whole;
  const hasLabels = isBar ? hasBarLabels(chart, table) && !isStacked : chart.labels === true;
  const annotationRoom = roomForAnnotations(drawing, chart, isSideways);
  const valueWidth = () =>
    Math.max(
      0,
      ...table.series.flatMap(({ values }) =>
        values.map((value) => (value === null ? 0 : drawing.widthOf(texts.value(value)))),
      ),
    );
  const plot = drawFrame(drawing, {
    chart,
    table,
    texts,
    extent: extentFor(table, stacks, annotated, isBar || kind === 'area'),
    isBanded,
    isSideways,
    area,
    room: {
      top:
        annotationRoom.top + (hasLabels && !isSideways ? drawing.lineHeight + 2 : kind === 'sparkline' ? DOT_ROOM : 0),
      right: Math.max(
        annotationRoom.right,
        names?.width ?? 0,
        hasLabels && isSideways ? valueWidth() + 6 : kind === 'sparkline' ? DOT_ROOM : 0,
      ),
    },
  });
  if (isBar) drawBars(drawing, plot, { ...options, stacks });
  else if (kind === 'scatter') drawDots(drawing, plot, options);
  else drawLines(drawing, plot, { ...options, stacks });
  names?.write(plot);
  drawAnnotations(drawing, plot, chart, hasLabels && !isSideways ? drawing.lineHeight + 2 : 0);
}

function extentFor(
  table: DataTable,
  stacks: ReturnType<typeof stacksOf>,
  annotated: readonly number[],
  hasZero: boolean,
): ValueRange | undefined {
  const values = hasZero
    ? stacks.flatMap((spans) => spans.flatMap((span) => span ?? []))
    : table.series.flatMap(({ values: own }) => own);
  const extent = extentOf(values);
  return extent && extentOf([...extent, ...annotated]);
}

// Chart layers. lib/charts makes groups of paths and texts of them, so that nothing after resolve knows of charts.
import * as z from 'zod';
import { color } from '../../css/fill.js';
import { lazily } from '../../json/lazily.js';
import { choice, flag, number, oneOrMore, record, text } from '../../schema/fields.js';
import { distance, MAX_DETAIL_SIZE, shared } from '../shared.js';

export const CHARTS = [
  'bar',
  'column',
  'line',
  'area',
  'pie',
  'donut',
  'scatter',
  'sparkline',
  'progress',
  'gauge',
  'heatmap',
] as const;
export type ChartKind = (typeof CHARTS)[number];

/** Maximum points of a chart: entries of its data times fields with numbers. */
export const MAX_POINTS = 10_000;
/** Numbers beyond it count as missing: their sums and differences would not be finite. */
export const MAX_VALUE = 1e150;
const MAX_SERIES = 100;
const MAX_ANNOTATIONS = 100;
const MAX_COLORS = 100;
const MAX_TICKS = 100;
const MAX_LABEL = 1000;

const value = () => number({ min: -MAX_VALUE, max: MAX_VALUE });
const EXPECTED_PLACE = 'a number, a date or the text of a category';

const field = () => text(MAX_LABEL);
const EXPECTED_FIELDS = `the name of a field, or an array of 1 to ${MAX_SERIES} names`;
const fieldNames = () => oneOrMore(field(), [1, MAX_SERIES], EXPECTED_FIELDS);

const axisFields = lazily(() => ({
  min: value().optional().describe('where the axis begins'),
  max: value().optional().describe('where the axis ends'),
  title: text(MAX_LABEL).optional(),
  ticks: number({ min: 0, max: MAX_TICKS, whole: true }).optional().describe('about how many; one for each 60 pixels'),
  format: text(MAX_LABEL).optional().describe('the texts: an expression that sees value'),
  grid: flag().optional().describe('lines across the chart; on the axis of values'),
  visible: flag().optional().describe('whether the axis has texts and a line'),
}));

const axisX = record(() => ({
  field: field().optional().describe('the field of the places; the x of a chart is this field if it is text'),
  ...axisFields(),
}));
const axisY = record(() => ({
  field: fieldNames().optional().describe('the fields of the values; the y of a chart is these if it is text'),
  ...axisFields(),
}));

const annotation = record(() => ({
  axis: choice(['x', 'y']).default('y').describe('the axis that has the value'),
  value: z.union([value(), text(MAX_LABEL)], { error: EXPECTED_PLACE }),
  label: text(MAX_LABEL).optional(),
  color: color.optional(),
}));

const EXPECTED_COLORS = `a CSS colour, or an array of 1 to ${MAX_COLORS} colours`;
const EXPECTED_LABELS = '"auto", true or false';

/** The fields of charts alone. */
export const chartFields = lazily(() => ({
  chart: choice(CHARTS).describe('the kind of chart'),
  data: z
    .union([z.array(z.unknown()), text()], { error: 'a list of objects or numbers, or an expression' })
    .optional()
    .describe(`a list of objects or of numbers, at most ${MAX_POINTS} points; an expression such as {{= sales }}`),
  stacked: flag().default(false).describe('whether series lie on each other, in bars, columns and areas'),
  smooth: flag().default(false).describe('whether lines are curved, without going beyond their points'),
  palette: oneOrMore(color, [1, MAX_COLORS], EXPECTED_COLORS)
    .optional()
    .describe('the colours of the series; the tokens chart-1 to chart-8, or eight that colour-blind eyes tell apart'),
  labels: z
    .union([z.literal('auto'), z.boolean()], { error: EXPECTED_LABELS })
    .default('auto')
    .describe('values beside marks; auto: in pie, donut, progress, gauge, and in up to 12 bars or columns'),
  legend: choice(['auto', 'none', 'top', 'right', 'bottom'])
    .default('auto')
    .describe('auto: with two series or more, and beside a pie or donut'),
  axes: record(() => ({ x: axisX.optional(), y: axisY.optional() }))
    .optional()
    .describe('of categories (x) and of values (y)'),
  annotations: z
    .array(annotation, { error: 'an array of annotations' })
    .max(MAX_ANNOTATIONS, { error: `an array of up to ${MAX_ANNOTATIONS} annotations` })
    .optional()
    .describe('lines at a value, each with a label'),
  color: color.optional().describe('of the texts; what can be read on the fill behind, else #334155'),
  fontFamily: text().default('Inter').describe('of the texts: a family, or a CSS list of families'),
  fontSize: number({ above: 0, max: MAX_DETAIL_SIZE })
    .optional()
    .describe('of the texts, in pixels; 3 % of the height, from 10 to 20'),
  min: value().default(0).describe('of progress and gauge'),
  max: value().default(1).describe('of progress and gauge'),
  value: value().optional().describe('of progress and gauge; the first number of the data'),
}));

/** What resolve reads of a chart; its other fields are those of the group that it becomes. */
export const ownChartFields = record(() => ({
  ...chartFields(),
  x: field().optional(),
  y: fieldNames().optional(),
}));

const EXPECTED_X = 'a number of pixels, or the name of a field of the data';
const EXPECTED_Y = `${EXPECTED_X}, or an array of names`;

export const chartLayer = record(() => ({
  type: z.literal('chart'),
  ...shared(),
  x: z
    .union([distance(), field()], { error: EXPECTED_X })
    .optional()
    .describe('left edge of the box, in pixels; or, as text, what axes.x.field is: the first field with text or dates'),
  y: z
    .union([distance(), fieldNames()], { error: EXPECTED_Y })
    .optional()
    .describe('top edge of the box, in pixels; or, as text, what axes.y.field is: all fields with numbers'),
  ...chartFields(),
}));

const isFieldName = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value);

/**
 * Separates the two meanings of x and y: numbers are the chart's place, and texts name fields. A chart that names fields and
 * has no place begins at 0.
 */
export function splitChart(raw: Readonly<Record<string, unknown>>): {
  readonly place: { readonly x?: unknown; readonly y?: unknown };
  readonly names: { readonly x?: unknown; readonly y?: unknown };
} {
  const { x, y } = raw;
  const [namesX, namesY] = [isFieldName(x), isFieldName(y)];
  return {
    place: { x: namesX ? 0 : x, y: namesY ? 0 : y },
    names: { ...(namesX && { x }), ...(namesY && { y }) },
  };
}

export type ChartFields = z.output<typeof ownChartFields>;
export type AxisFields = z.output<z.ZodObject<ReturnType<typeof axisFields>>>;

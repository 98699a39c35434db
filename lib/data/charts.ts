// Draws the charts of expanded layers, once it is known how large the groups around them are and what fills them.
import type { ChartSurroundings, DrawChart } from '../charts/index.js';
import { background } from '../contract/css/background.js';
import { EXPECTED_COLOR, parseColor } from '../contract/css/parse-color.js';
import { formatReceived } from '../contract/json/describe.js';
import { type ChartFields, chartFields, ownChartFields, splitChart } from '../contract/layers/chart.js';
import { parsePercentage } from '../contract/layers/layout/flex.js';
import { hasLayout } from '../contract/layers/nested-layers.js';
import { sides } from '../contract/layers/shared.js';
import { isObject } from '../contract/schema/fields.js';
import { parseWith, withoutNulls } from '../contract/schema/normalize.js';
import { completeFour } from '../geometry/corners.js';
import type { LocaleFormatter } from '../locale/formatter.js';
import type { Color } from '../raster/color.js';
import { contrastTo, mixColors } from '../raster/color-math.js';
import { type Background, fillColors, fillsOf } from '../raster/fill.js';
import { ExpressionError } from './error.js';
import { FAILED, type OriginalLayer, type Resolver, type Surroundings, SWITCH } from './resolver.js';
import type { Tokens } from './tokens.js';
import { asValue } from './value.js';

type Json = Readonly<Record<string, unknown>>;

export interface ChartOptions {
  readonly tokens: Tokens;
  readonly formatter: () => LocaleFormatter;
  readonly charts: () => DrawChart;
}

/** What is known of the group, or the canvas, around a layer. */
interface Parent {
  /** The fill behind the layer; undefined for none. */
  readonly fill: Color | undefined;
  /** Whether the fill is a group's. */
  readonly isGroup: boolean;
  readonly layout: 'row' | 'column' | undefined;
  /** Pixels of its content; undefined where layout decides. */
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** Texts on a canvas, or on a light one. */
const TEXT_COLOR = parseColor('#334155')!;
const WHITE_TEXT = '#ffffff';
/** Fills of less alpha are not seen as what is behind the chart. */
const MIN_ALPHA = 0.5;
const MAX_PALETTE = 8;
const SIDES = ['width', 'height'] as const;
const NULL_LEVELS = 4;

export class ChartExpansion {
  /** Charts without their layers, with the names that their formats see. */
  readonly #charts = new Map<object, Surroundings>();
  #palette: readonly Color[] | undefined;

  constructor(
    private readonly options: ChartOptions,
    private readonly resolver: Resolver,
    private readonly countLayer: (path: string) => void,
  ) {}

  /** Notes a chart whose fields have their values. */
  add(chart: object, around: Surroundings): void {
    this.#charts.set(chart, around);
  }

  /** The layers with groups in place of their charts. `behind`: the fill of the canvas. */
  drawAll(layers: readonly OriginalLayer[], behind: Background | undefined): OriginalLayer[] {
    if (this.#charts.size === 0) return [...layers];
    this.#palette = this.#tokenPalette();
    const fill = behind && colorOf(behind);
    const canvas: Parent = { fill, isGroup: false, layout: undefined, width: undefined, height: undefined };
    return layers.map((each) => this.#replaced(each, canvas));
  }

  #replaced(original: OriginalLayer, parent: Parent): OriginalLayer {
    const { layer, origin } = original;
    if (!isObject(layer)) return original;
    const around = this.#charts.get(layer);
    if (around) return { layer: this.#group(layer, origin.path, parent, around), origin };
    if (layer.type !== 'group' || !Array.isArray(layer.layers)) return original;
    const own = parentOf(layer, parent);
    const children = layer.layers.map((child: unknown, i) =>
      this.#replaced({ layer: child, origin: origin.layers?.[i] ?? { path: `${origin.path}.layers[${i}]` } }, own),
    );
    return { layer: { ...layer, layers: children.map((child) => child.layer) }, origin };
  }

  /** The group that a chart becomes. It has no layers if there is a fault. */
  #group(raw: Json, path: string, parent: Parent, around: Surroundings): Json {
    const { place } = splitChart(raw);
    const isPlaced = parent.layout !== undefined && raw.position !== 'absolute';
    const group: Record<string, unknown> = { ...raw, ...place, type: 'group', layers: [] };
    for (const name of Object.keys(chartFields())) delete group[name];
    for (const name of ['x', 'y'] as const) if (isPlaced && group[name] !== raw[name]) delete group[name];
    const [width, height] = SIDES.map((side) => sizeOf(raw[side], side, parent));
    Object.assign(group, { width, height });
    const fields = this.#fields(raw, path);
    const lacking = SIDES.filter((_, i) => [width, height][i] === undefined);
    for (const side of lacking) {
      const expected = 'pixels, or a part of a group whose size is in pixels: a chart is drawn before the layout';
      this.resolver.fault(`${path}.${side}`, `received ${formatReceived(raw[side])}, expected ${expected}`);
    }
    if (!fields || width === undefined || height === undefined) return group;
    const drawn = this.options.charts()(fields, { ...this.#surroundings(fields, path, parent, around), width, height });
    if ('fault' in drawn) {
      const { field, message, isLimit } = drawn.fault;
      this.resolver.fault(`${path}.${field}`, message, isLimit ? 'limit_exceeded' : 'invalid_value');
      return group;
    }
    for (const { code, field, message } of drawn.warnings) {
      this.resolver.warn({ code, path: `${path}.${field}`, message });
    }
    for (const _ of drawn.layers) this.countLayer(path);
    return { ...group, layers: drawn.layers };
  }

  /** The chart's own fields; undefined if one is wrong. */
  #fields({ data, ...raw }: Json, path: string): ChartFields | undefined {
    if (typeof data === 'string') {
      this.resolver.fault(
        `${path}.data`,
        `received ${formatReceived(data)}, expected a list of objects or numbers; expressions need ${SWITCH}`,
      );
      return undefined;
    }
    const { axes } = raw;
    const { x, y } = isObject(axes) ? axes : {};
    const own = {
      ...raw,
      x: isObject(x) ? x.field : undefined,
      y: isObject(y) ? y.field : undefined,
      ...splitChart(raw).names,
    };
    const { data: fields, details } = parseWith(ownChartFields, withoutNulls(own, NULL_LEVELS), own, path);
    for (const { path: at, message, code } of details) this.resolver.fault(at, message, code);
    return fields && { ...fields, data: data as ChartFields['data'] };
  }

  #surroundings(
    { axes }: ChartFields,
    path: string,
    parent: Parent,
    around: Surroundings,
  ): Omit<ChartSurroundings, 'width' | 'height'> {
    const holders = { x: { format: axes?.x?.format ?? '' }, y: { format: axes?.y?.format ?? '' } };
    return {
      color: textColor(parent),
      palette: this.#palette,
      formatter: this.options.formatter,
      format: (axis, value) => {
        const text = this.resolver.format(holders[axis], `${path}.axes.${axis}`, asValue(value), around);
        return text === FAILED ? '' : text;
      },
    };
  }

  /** The colours of the tokens chart-1 to chart-8; undefined if there are none. */
  #tokenPalette(): readonly Color[] | undefined {
    const colors: Color[] = [];
    for (let i = 1; i <= MAX_PALETTE; i++) {
      const name = `chart-${i}`;
      try {
        const value = this.options.tokens.resolve(name, 0);
        if (value === undefined) continue;
        const color = typeof value === 'string' ? parseColor(value) : undefined;
        if (color) colors.push(color);
        else this.resolver.fault(`tokens.${name}`, `received ${formatReceived(value)}, expected ${EXPECTED_COLOR}`);
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        this.resolver.fault(`tokens.${name}`, error.message);
      }
    }
    return colors.length > 0 ? colors : undefined;
  }
}

/** Texts that can be read on the group; on a canvas, those of charts on white unless it is dark. */
function textColor({ fill, isGroup }: Parent): Color {
  if (!fill) return TEXT_COLOR;
  const contrast = contrastTo(fill);
  return isGroup || contrast === WHITE_TEXT ? parseColor(contrast)! : TEXT_COLOR;
}

/** About the colour of a background: the mean of a gradient's colours, and the uppermost fill that hides what is beneath. */
function colorOf(fills: Background): Color | undefined {
  for (const fill of fillsOf(fills)) {
    const colors = fillColors(fill);
    const [first, ...others] = colors;
    if (!first || colors.some(({ a }) => a < MIN_ALPHA)) continue;
    return others.reduce((mean, color, i) => mixColors(mean, color, 1 / (i + 2)), first);
  }
  return undefined;
}

function parentOf(group: Json, parent: Parent): Parent {
  const parsed = group.backgroundColor === undefined ? undefined : background.safeParse(group.backgroundColor);
  const own = parsed?.success ? colorOf(parsed.data) : undefined;
  const padding = sides().safeParse(group.padding ?? 0);
  const isLaidOut = hasLayout(group);
  const [top, right, bottom, left] = completeFour(padding.success && isLaidOut ? padding.data : [0]);
  const [width, height] = SIDES.map((side) => sizeOf(group[side], side, parent));
  return {
    fill: own ?? parent.fill,
    isGroup: own !== undefined || parent.isGroup,
    layout: isLaidOut ? (group.layout as 'row' | 'column') : undefined,
    width: width === undefined ? undefined : Math.max(0, width - left - right),
    height: height === undefined ? undefined : Math.max(0, height - top - bottom),
  };
}

/** The pixels of a size; undefined if layout decides. */
function sizeOf(size: unknown, side: (typeof SIDES)[number], parent: Parent): number | undefined {
  if (typeof size === 'number') return size;
  const whole = parent[side];
  if (typeof size !== 'string' || whole === undefined || parent.layout === undefined) return undefined;
  const part = parsePercentage(size);
  if (part) return Math.max(0, (whole * part.percent) / 100 + (part.pixels ?? 0));
  const isAcross = parent.layout === (side === 'width' ? 'column' : 'row');
  return size === 'fill' && isAcross ? whole : undefined;
}

// Makes groups of paths and texts of charts.
import type { ChartSurroundings, DrawChart } from '../../charts/index.js';
import { EXPECTED_COLOR, parseColor } from '../../contract/css/parse-color.js';
import { formatReceived } from '../../contract/json/describe.js';
import { type ChartFields, chartFields, ownChartFields, splitChart } from '../../contract/layers/expanded/chart.js';
import { isObject } from '../../contract/schema/fields.js';
import { parseWith, withoutNulls } from '../../contract/schema/normalize.js';
import type { LocaleFormatter } from '../../locale/formatter.js';
import type { Color } from '../../raster/color.js';
import { ExpressionError } from '../error.js';
import { LATER_FIELD } from '../plan.js';
import { FAILED, type Resolver, type Surroundings, SWITCH } from '../resolver.js';
import type { Tokens } from '../tokens.js';
import { asValue } from '../value.js';
import { type Parent, SIDES, sizeOf, textColor } from './parent.js';

type Json = Readonly<Record<string, unknown>>;

export interface ChartOptions {
  readonly tokens: Tokens;
  readonly formatter: () => LocaleFormatter;
  readonly charts: () => DrawChart;
}

const MAX_PALETTE = 8;
const NULL_LEVELS = 4;

export class ChartExpansion {
  #palette: readonly Color[] | undefined;
  #hasPalette = false;

  constructor(
    private readonly options: ChartOptions,
    private readonly resolver: Resolver,
    private readonly countLayer: (path: string) => void,
  ) {}

  /** The group that a chart becomes. It has no layers if there is a fault. */
  groupOf(raw: Json, path: string, parent: Parent, around: Surroundings): Json {
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
    const holderOf = (format: string | undefined) => ({ [LATER_FIELD]: format ?? '' });
    const holders = { x: holderOf(axes?.x?.format), y: holderOf(axes?.y?.format) };
    return {
      color: textColor(parent),
      palette: this.#tokenPalette(),
      formatter: this.options.formatter,
      format: (axis, value) => {
        const at = `${path}.axes.${axis}.format`;
        if (!this.resolver.hasExpression(holders[axis][LATER_FIELD], at)) return '';
        const names = { name: 'value', value: asValue(value), outer: around.names };
        const text = this.resolver.laterText(holders[axis], at, { ...around, names });
        return text === FAILED ? '' : text;
      },
    };
  }

  /** The colours of the tokens chart-1 to chart-8; undefined if there are none. */
  #tokenPalette(): readonly Color[] | undefined {
    if (!this.#hasPalette) this.#palette = this.#readPalette();
    this.#hasPalette = true;
    return this.#palette;
  }

  #readPalette(): readonly Color[] | undefined {
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

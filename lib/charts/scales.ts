// The scales of axes, by d3-scale. It uses logarithms and powers to choose ticks only, which are whole multiples of a step;
// positions are linear and rounded when they are drawn.
import { extent } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { AxisFields } from '../contract/layers/expanded/chart.js';
import { type DateTicks, dateTicks } from './dates.js';
import { ChartError } from './drawing.js';

/** Pixels for one tick, and the most ticks without being asked. */
const [TICK_LENGTH, MAX_AUTO_TICKS] = [60, 20];

/** How many ticks too many or too few are as bad as an axis that is twice as long as the data: d3 takes steps of 1, 2 or 5. */
const SPARE_FAULT = 3;
/** An axis that does not begin and end at ticks is worse than any other. */
const UNEVEN_FAULT = 1000;

export type ValueRange = readonly [min: number, max: number];

export interface Scale {
  readonly domain: ValueRange;
  readonly ticks: readonly number[];
  /** 0 at the start of the domain, 1 at its end. */
  at(value: number): number;
}

export interface ScaleOptions {
  readonly axis: AxisFields | undefined;
  /** Path of the axis within the chart. */
  readonly field: string;
  /** Pixels. */
  readonly length: number;
  /** Maximum ticks that there is room for. */
  readonly room?: number;
  /** Whether the ends become round numbers. */
  readonly isNice?: boolean;
}

/** About how many ticks an axis of that length has. */
const countOf = ({ axis, length, room = Infinity }: ScaleOptions): number =>
  Math.max(0, Math.min(axis?.ticks ?? Math.max(2, Math.min(MAX_AUTO_TICKS, Math.round(length / TICK_LENGTH))), room));

/** The smallest and the largest number; undefined without any. */
export function extentOf(values: Iterable<number | null>): ValueRange | undefined {
  const [min, max] = extent(values, (value) => value);
  return min === undefined ? undefined : [min, max];
}

/** The scale of an axis with numbers. Throws ChartError where its ends exclude each other. */
export function numberScale(range: ValueRange | undefined, options: ScaleOptions): Scale {
  const { axis, field, isNice = true } = options;
  const count = countOf(options);
  let [min, max] = range ?? [0, 1];
  if (axis?.min !== undefined) min = axis.min;
  if (axis?.max !== undefined) max = axis.max;
  if (axis?.min !== undefined && axis.max !== undefined && min >= max) {
    throw new ChartError(`${field}.min`, `received ${min}, expected less than max, ${max}`);
  }
  // data on one side of the end that is set: the other end is beside it
  if (min > max) [min, max] = axis?.min !== undefined ? [min, min] : [max, max];
  if (max - min <= (Math.abs(max) + Math.abs(min)) * 1e-12) {
    const pad = Math.abs(max) / 2 || 1;
    [min, max] = [axis?.min ?? min - (min === 0 ? 0 : pad), axis?.max ?? max + pad];
  }
  const asked = Math.max(1, count);
  let best: { readonly domain: [number, number]; readonly ticks: number[]; readonly fault: number } | undefined;
  for (let n = asked; n >= 1; n--) {
    const scale = scaleLinear().domain([min, max]);
    if (isNice) scale.nice(n);
    const [niceMin, niceMax] = scale.domain();
    const domain: [number, number] = [axis?.min ?? niceMin, axis?.max ?? niceMax];
    const ticks = scale.domain(domain).ticks(n);
    const spare = (domain[1] - domain[0]) / (max - min) - 1;
    // d3 leaves a domain as it is where rounding it would take too many steps
    const isRound =
      !isNice ||
      ((axis?.min !== undefined || ticks[0] === niceMin) && (axis?.max !== undefined || ticks.at(-1) === niceMax));
    const fault = Math.abs(ticks.length - 1 - asked) + SPARE_FAULT * spare + (isRound ? 0 : UNEVEN_FAULT);
    if (!best || fault < best.fault) best = { domain, ticks, fault };
  }
  const { domain, ticks } = best!;
  const isEmpty = count === 0 || (range === undefined && axis?.min === undefined);
  const [start, end] = domain;
  return {
    domain,
    ticks: isEmpty ? [] : ticks.map((tick) => tick + 0),
    at: (value) => (value - start) / (end - start),
  };
}

/** The scale of an axis with dates, in milliseconds. */
export function dateScale(range: ValueRange | undefined, options: ScaleOptions): Scale & DateTicks {
  const count = countOf(options);
  let [min, max] = range ?? [0, 1];
  if (min === max) [min, max] = [min - HALF_DAY, max + HALF_DAY];
  const { ticks, unit } = dateTicks([min, max], count);
  const isEmpty = count === 0 || range === undefined;
  return { domain: [min, max], ticks: isEmpty ? [] : ticks, unit, at: (value) => (value - min) / (max - min) };
}

const HALF_DAY = 43_200_000;

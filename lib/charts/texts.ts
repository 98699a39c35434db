// The texts of numbers and dates, in the payload's locale unless an axis has a format.
import type { AxisFields } from '../contract/layers/expanded/chart.js';
import type { LocaleFormatter } from '../locale/formatter.js';
import type { DateFields } from '../locale/iso-date.js';
import { type DateTicks, fieldsOf, isoOf } from './dates.js';
import { cleanText, type DataPlaces, type DatePlace } from './table.js';

/** The text that an axis's format makes of a value. */
export type FormatValue = (axis: 'x' | 'y', value: string | number) => string;

/** Numbers of this size and more, and of that size and less, are written with an exponent. */
const [LARGE, SMALL] = [1e15, 1e-6];
/** Whole numbers in this range are probably years. */
const [FIRST_YEAR, LAST_YEAR] = [1500, 2200];
const THOUSAND = 1000;

export class Texts {
  constructor(
    private readonly formatter: () => LocaleFormatter,
    private readonly format: FormatValue,
    private readonly axes: { readonly x?: AxisFields | undefined; readonly y?: AxisFields | undefined } = {},
  ) {}

  /** A value beside a mark. */
  value(value: number): string {
    return this.axes.y?.format === undefined ? this.number(value) : cleanText(this.format('y', value));
  }

  percent(part: number): string {
    return this.formatter().percent(part);
  }

  number(value: number, decimals?: number): string {
    const size = Math.abs(value);
    if (size !== 0 && (size >= LARGE || size < SMALL)) return String(Number(value.toPrecision(6)));
    if (decimals === undefined && size < 0.01 && size !== 0) {
      const short = Number(value.toPrecision(2));
      return this.formatter().number(short, decimalsOf(Math.abs(short)));
    }
    return this.formatter().number(value, decimals);
  }

  /** The texts of the ticks of an axis with numbers, all with the same decimals. */
  ticks(axis: 'x' | 'y', ticks: readonly number[]): string[] {
    if (this.axes[axis]?.format !== undefined) return ticks.map((tick) => cleanText(this.format(axis, tick)));
    const step = (ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : Math.abs(ticks[0] ?? 1)) || 1;
    if (axis === 'x' && ticks.every(isYear)) return ticks.map(String);
    const most = Math.max(...ticks.map(Math.abs), 0);
    if (most >= 10 * THOUSAND && most < LARGE && ticks.every(isShort)) {
      const texts = ticks.map((tick) => this.formatter().compact(tick));
      if (new Set(texts).size === texts.length) return texts;
    }
    return ticks.map((tick) => this.number(tick, Math.min(20, decimalsOf(step))));
  }

  /** The texts of places in a row of bars, or of one place. */
  places(places: DataPlaces): string[] {
    const hasFormat = this.axes.x?.format !== undefined;
    if (places.kind === 'text') {
      return places.values.map((text) => (hasFormat ? cleanText(this.format('x', text)) : text));
    }
    if (places.kind === 'date') {
      const skeleton = hasFormat ? '' : skeletonOf(places.values);
      return places.values.map((date) => {
        if (date === null) return '';
        return hasFormat ? cleanText(this.format('x', date.text)) : this.date(date.fields, skeleton);
      });
    }
    const areYears = places.kind === 'number' && places.values.every((value) => value === null || isYear(value));
    return places.values.map((value) => {
      if (value === null) return '';
      if (hasFormat) return cleanText(this.format('x', value));
      return areYears ? String(value) : this.number(value);
    });
  }

  date(fields: DateFields, skeleton: string): string {
    return this.formatter().date(fields, skeleton) ?? '';
  }

  /** The texts of the ticks of an axis with dates. The year is named where it changes. */
  dates({ ticks, unit }: DateTicks): string[] {
    let year: number | undefined;
    return ticks.map((tick) => {
      const fields = fieldsOf(tick);
      if (this.axes.x?.format !== undefined) return cleanText(this.format('x', isoOf(tick)));
      const isNewYear = fields.year !== year;
      year = fields.year;
      return this.date(fields, unit === 'month' && isNewYear ? 'yMMM' : SKELETONS[unit]);
    });
  }
}

/** The skeletons of ticks by the unit that tells them apart. */
const SKELETONS = { year: 'y', month: 'MMM', day: 'MMMd', minute: 'jm', second: 'jms' } as const;

const isYear = (value: number): boolean => Number.isInteger(value) && value >= FIRST_YEAR && value <= LAST_YEAR;

/** Whether a short form such as 1.2K says the number exactly: one decimal at most, and two figures with it. */
function isShort(value: number): boolean {
  let size = Math.abs(value);
  if (size < THOUSAND) return Number.isInteger(size);
  while (size >= THOUSAND) size /= THOUSAND;
  return size < 10 ? Math.abs(size * 10 - Math.round(size * 10)) < 1e-9 : Math.abs(size - Math.round(size)) < 1e-9;
}

/** Decimals that a step needs. Without logarithms, which engines round differently. */
function decimalsOf(step: number): number {
  let decimals = 0;
  for (let scale = 1; decimals < 20 && !isWhole(step * scale); scale *= 10) decimals++;
  return decimals;
}

const isWhole = (value: number): boolean => value > 0.5 && Math.abs(value - Math.round(value)) < 1e-4;

/** The fields that tell dates apart. */
function skeletonOf(dates: readonly (DatePlace | null)[]): string {
  const fields = dates.flatMap((date) => date?.fields ?? []);
  if (fields.some(({ hasTime }) => hasTime)) {
    return new Set(fields.map(({ year, month, day }) => `${year}-${month}-${day}`)).size === 1 ? 'jm' : 'MMMdjm';
  }
  const isFirst = fields.every(({ day }) => day === 1);
  if (isFirst && fields.length > 1 && fields.every(({ month }) => month === 1)) return 'y';
  const isOneYear = new Set(fields.map(({ year }) => year)).size === 1;
  if (isFirst) return isOneYear ? 'MMM' : 'yMMM';
  return isOneYear ? 'MMMd' : 'yMMMd';
}

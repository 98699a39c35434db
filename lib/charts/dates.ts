// The ticks of an axis with dates: whole units of the calendar. Days are counted from 1 January 1970, milliseconds from its start.
import { type DateFields, dayNumber } from '../locale/iso-date.js';

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
/** Mean lengths, for choosing among units. */
const [MONTH, YEAR] = [30.436875 * DAY, 365.2425 * DAY];

/** A distance of ticks: milliseconds, or months. */
interface Interval {
  /** About how many milliseconds. */
  readonly length: number;
  readonly months?: number;
}

const FIXED: readonly Interval[] = [
  ...[1, 5, 15, 30].map((count) => count * SECOND),
  ...[1, 5, 15, 30].map((count) => count * MINUTE),
  ...[1, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7].map((count) => count * DAY),
].map((length) => ({ length }));
const CALENDAR: readonly Interval[] = [
  ...[1, 3, 6].map((months) => ({ length: months * MONTH, months })),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].map((years) => ({
    length: years * YEAR,
    months: 12 * years,
  })),
];
const INTERVALS = [...FIXED, ...CALENDAR];
/** Monday, 5 January 1970: weeks begin on Mondays. */
const FIRST_MONDAY = 4 * DAY;

export interface DateTicks {
  readonly ticks: readonly number[];
  /** The fields that the texts need, from the largest unit that differs. */
  readonly unit: 'year' | 'month' | 'day' | 'minute' | 'second';
}

/** About `count` ticks from `min` to `max`, in milliseconds. */
export function dateTicks([min, max]: readonly [number, number], count: number): DateTicks {
  const length = (max - min) / Math.max(1, count);
  // the first that is no shorter than asked for, or the one before it where that is nearer
  const found = INTERVALS.findIndex((interval) => interval.length >= length);
  const after = found < 0 ? INTERVALS.length - 1 : found;
  const before = INTERVALS[Math.max(0, after - 1)];
  const interval = length / before.length < INTERVALS[after].length / length ? before : INTERVALS[after];
  const unit =
    interval.length >= YEAR * 0.9
      ? 'year'
      : interval.months !== undefined
        ? 'month'
        : interval.length >= DAY
          ? 'day'
          : interval.length >= MINUTE
            ? 'minute'
            : 'second';
  return {
    ticks: interval.months === undefined ? steps(min, max, interval.length) : months(min, max, interval.months),
    unit,
  };
}

function steps(min: number, max: number, step: number): number[] {
  const start = step === 7 * DAY ? FIRST_MONDAY : 0;
  const ticks: number[] = [];
  for (let tick = Math.ceil((min - start) / step) * step + start; tick <= max; tick += step) ticks.push(tick);
  return ticks;
}

function months(min: number, max: number, step: number): number[] {
  const { year, month } = fieldsOf(min);
  const ticks: number[] = [];
  for (let count = Math.floor((12 * year + month - 1) / step) * step; ; count += step) {
    const tick = dayNumber({ year: Math.floor(count / 12), month: (count % 12) + 1, day: 1 }) * DAY;
    if (tick > max) return ticks;
    if (tick >= min) ticks.push(tick);
  }
}

/** The date at milliseconds since 1970. */
export function fieldsOf(clock: number): DateFields {
  const days = Math.floor(clock / DAY);
  const rest = clock - days * DAY;
  // the inverse of dayNumber: years begin in March, in eras of 400 years
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
    hour: Math.floor(rest / HOUR),
    minute: Math.floor((rest % HOUR) / MINUTE),
    second: Math.floor((rest % MINUTE) / SECOND),
    millisecond: rest % SECOND,
    offset: 0,
    hasTime: rest !== 0,
  };
}

/** The notation of ISO 8601, without a time at midnight. */
export function isoOf(clock: number): string {
  const { year, month, day, hour, minute, second, hasTime } = fieldsOf(clock);
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return hasTime ? `${date}T${two(hour)}:${two(minute)}:${two(second)}Z` : date;
}

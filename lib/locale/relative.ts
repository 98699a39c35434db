// The distance of a date from another in words: yesterday, in 3 weeks.
import { type DateFields, dayNumber, instantOf } from './iso-date.js';

/** A distance in a unit, negative in the past. `isNamed`: a word such as "yesterday" may stand for it. */
export interface Distance {
  readonly unit: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
  readonly count: number;
  readonly isNamed: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The distance in the largest unit of which one is full. Days are those of the calendar where one of the dates has no time or a
 * day lies between them.
 */
export function distanceOf(date: DateFields, from: DateFields): Distance {
  const days = dayNumber(date) - dayNumber(from);
  const time = instantOf(date) - instantOf(from);
  if (date.hasTime && from.hasTime && Math.abs(time) < DAY) {
    const [unit, length] =
      Math.abs(time) < MINUTE
        ? (['second', SECOND] as const)
        : Math.abs(time) < HOUR
          ? (['minute', MINUTE] as const)
          : (['hour', HOUR] as const);
    const count = Math.trunc(time / length);
    return { unit, count, isNamed: count === 0 };
  }
  if (Math.abs(days) < 7) return { unit: 'day', count: days, isNamed: true };
  const months = wholeMonths(date, from);
  if (months === 0) return { unit: 'week', count: Math.trunc(days / 7), isNamed: false };
  const isYears = Math.abs(months) >= 12;
  return { unit: isYears ? 'year' : 'month', count: Math.trunc(isYears ? months / 12 : months), isNamed: false };
}

/** Full months from one day to another. */
function wholeMonths(date: DateFields, from: DateFields): number {
  const months = (date.year - from.year) * 12 + date.month - from.month;
  if (months > 0 && date.day < from.day) return months - 1;
  return months < 0 && date.day > from.day ? months + 1 : months;
}

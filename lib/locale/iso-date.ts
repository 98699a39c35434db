// Dates in the notation of ISO 8601, and arithmetic of the Gregorian calendar.

/** A date with the time of a clock, in the offset that it carries. */
export interface DateFields {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** Minutes east of Greenwich. */
  readonly offset: number;
  /** Whether a time is named. */
  readonly hasTime: boolean;
}

const DATE =
  /^(\d{4})-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)?)?)?$/;

/** Reads `2026-03-09`, `2026-03`, `2026-03-09T18:30`, with seconds and an offset or without. Undefined for anything else. */
export function parseIsoDate(text: string): DateFields | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [year, month, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((each) => each && Number(each));
  const millisecond = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const offset = (match[8] === '-' ? -1 : 1) * (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0));
  const fields = { year, month, day, hour, minute, second, millisecond, offset, hasTime: match[4] !== undefined };
  return isValid(fields as DateFields) ? (fields as DateFields) : undefined;
}

function isValid({ year, month, day, hour, minute, second, offset }: DateFields): boolean {
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month);
  return isDay && hour < 24 && minute < 60 && second < 60 && Math.abs(offset) < 24 * 60;
}

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Days since 1 January 1970. */
export function dayNumber({ year, month, day }: Pick<DateFields, 'year' | 'month' | 'day'>): number {
  // years begin in March, so that the leap day is the last
  const shiftedYear = month > 2 ? year : year - 1;
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.floor(shiftedYear / 4) - Math.floor(shiftedYear / 100) + Math.floor(shiftedYear / 400);
  return 365 * shiftedYear + leapDays + ofYear - 719468;
}

/** 0 is Sunday. */
export const weekdayOf = (fields: DateFields): number => (((dayNumber(fields) + 4) % 7) + 7) % 7;

/** Milliseconds since 1970 in Greenwich. */
export function instantOf(fields: DateFields): number {
  const { hour, minute, second, millisecond, offset } = fields;
  return (((dayNumber(fields) * 24 + hour) * 60 + minute - offset) * 60 + second) * 1000 + millisecond;
}

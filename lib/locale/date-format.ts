// Writes a date by a pattern of CLDR, such as `EEEE, d. MMMM y`.
import type { DateFields } from './iso-date.js';
import { weekdayOf } from './iso-date.js';
import type { CalendarNames, LocaleData } from './locale-data.js';
import type { NumberFormat } from './number-format.js';

/** A run of a pattern's letters, or text. */
export type PatternPart =
  | { readonly letter: string; readonly length: number }
  | { readonly letter?: undefined; readonly text: string };

/** Splits a pattern into letters and text; text between quotes is no letters. */
export function patternParts(pattern: string): PatternPart[] {
  return [...pattern.matchAll(/'((?:[^']|'')*)'|(([A-Za-z])\3*)|[^A-Za-z']+/g)].map(([all, quoted, run, letter]) => {
    if (run !== undefined) return { letter, length: run.length };
    if (quoted === undefined) return { text: all };
    return { text: quoted === '' ? "'" : quoted.replace(/''/g, "'") };
  });
}

/** The widths of names, by the number of letters. */
const WIDTHS: Readonly<Record<number, string>> = { 4: 'wide', 5: 'narrow', 6: 'short' };

export function formatDate(fields: DateFields, pattern: string, data: LocaleData, numbers: NumberFormat): string {
  const parts = patternParts(pattern);
  const letters = new Set(parts.map(({ letter }) => letter));
  const isExact =
    (fields.minute === 0 || !letters.has('m')) &&
    (fields.second === 0 || !letters.has('s')) &&
    (fields.millisecond === 0 || !letters.has('S'));
  const texts = parts.map((part) =>
    part.letter === undefined ? part.text : fieldText(fields, part.letter, part.length, { data, numbers, isExact }),
  );
  return texts.join('');
}

interface FieldContext {
  readonly data: LocaleData;
  readonly numbers: NumberFormat;
  /** Whether no part of an hour would be written, so that noon is noon. */
  readonly isExact: boolean;
}

function fieldText(fields: DateFields, letter: string, length: number, context: FieldContext): string {
  const { data, numbers } = context;
  const { year, month, hour } = fields;
  const width = WIDTHS[length] ?? 'abbreviated';
  const quarter = Math.floor((month - 1) / 3);
  const number = (value: number) => numbers.digits(value, length);
  switch (letter) {
    case 'G':
      return data.eras[width][year > 0 ? 1 : 0];
    case 'y': {
      const ofEra = year > 0 ? year : 1 - year;
      return length === 2 ? number(ofEra % 100) : number(ofEra);
    }
    case 'Q':
    case 'q':
      return length < 3 ? number(quarter + 1) : nameOf(data.quarters, letter === 'q', width, quarter);
    case 'M':
    case 'L':
      return length < 3 ? number(month) : nameOf(data.months, letter === 'L', width, month - 1);
    case 'E':
    case 'c':
      return nameOf(data.days, letter === 'c', width, weekdayOf(fields));
    case 'd':
      return number(fields.day);
    case 'a':
    case 'b':
    case 'B':
      return periodText(fields, letter, width, context);
    case 'H':
      return number(hour);
    case 'k':
      return number(hour === 0 ? 24 : hour);
    case 'h':
      return number(hour % 12 === 0 ? 12 : hour % 12);
    case 'K':
      return number(hour % 12);
    case 'm':
      return number(fields.minute);
    case 's':
      return number(fields.second);
    case 'S':
      return numbers.localized(String(fields.millisecond).padStart(3, '0').slice(0, length).padEnd(length, '0'));
    case 'O':
      return zoneText(fields.offset, length, context);
    default:
      throw new Error(`a pattern has the letter ${letter}`);
  }
}

function nameOf({ format, alone = format }: CalendarNames, isAlone: boolean, width: string, index: number): string {
  return (isAlone ? alone : format)[width][index];
}

/** The name of the time of day: `a` has halves of a day, `b` noon and midnight as well, `B` parts such as the evening. */
function periodText({ hour }: DateFields, letter: string, width: string, { data, isExact }: FieldContext): string {
  const names = data.periods[width];
  const half = hour < 12 ? names.am : names.pm;
  if (letter === 'a') return half;
  const { periodRules } = data;
  const isNoon = isExact && hour === 12 && (letter === 'b' || periodRules.noon !== undefined);
  if (isNoon && names.noon !== undefined) return names.noon;
  // as in ICU, midnight is a part of the night
  if (letter === 'b') return (isExact && hour === 0 && names.midnight) || half;
  const part = Object.keys(periodRules).find((name) => {
    const [from, before] = periodRules[name];
    return from < before ? hour >= from && hour < before : from > before && (hour >= from || hour < before);
  });
  return names[part ?? ''] ?? half;
}

/** GMT, GMT+2 or, in the long form, GMT+02:00. */
function zoneText(offset: number, length: number, { data, numbers }: FieldContext): string {
  const [written, zero, hours] = data.zone;
  if (offset === 0) return zero;
  const [east, west] = hours.split(';');
  const distance = Math.abs(offset);
  const minutes = distance % 60;
  const isShort = length < 4;
  const text = (offset > 0 ? east : west).replace(/H+|.mm/g, (part) => {
    if (part[0] === 'H') return numbers.digits(Math.floor(distance / 60), isShort ? 1 : part.length);
    return isShort && minutes === 0 ? '' : part[0] + numbers.digits(minutes, 2);
  });
  return written.replace('{0}', () => text);
}

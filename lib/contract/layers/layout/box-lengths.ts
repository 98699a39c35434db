// The zod schema of lengths for four sides or corners: a number, an array of 1 to 4, or CSS text such as "8px 16px".
import * as z from 'zod';
import { number } from '../../schema/fields.js';
import { MAX_COORDINATE } from '../output-size.js';

const LENGTH = '[+-]?(?:(?:[0-9]*\\.)?[0-9]+[pP][xX]|0+(?:\\.0+)?)';
const SHORTHAND = new RegExp(`^\\s*${LENGTH}(?:\\s+${LENGTH}){0,3}\\s*$`);
const MARGIN = `(?:auto|${LENGTH})`;
const MARGINS = new RegExp(`^\\s*${MARGIN}(?:\\s+${MARGIN}){0,3}\\s*$`);

interface BoxLengths {
  readonly least: number;
  readonly of: 'sides' | 'corners';
}

/** The schema of one to four margins: as boxLengths, or `auto`. */
export function margins() {
  const expected = `a number from -${MAX_COORDINATE} to ${MAX_COORDINATE}, "auto", an array of 1 to 4 of them, or text such as "8px auto"`;
  const one = z.union([number({ min: -MAX_COORDINATE, max: MAX_COORDINATE }), z.literal('auto')], { error: expected });
  const list = z.array(one, expected).min(1, expected).max(4, expected);
  const shorthand = z
    .string(expected)
    .regex(MARGINS)
    .transform((text) => text.trim().split(/\s+/).map(marginOf))
    .refine((sides) => sides.every((side) => side === 'auto' || Math.abs(side) <= MAX_COORDINATE));
  return z
    .union([one, list, shorthand], { error: expected })
    .transform((value): readonly (number | 'auto')[] => (Array.isArray(value) ? value : [value]));
}

function marginOf(text: string): number | 'auto' {
  return text === 'auto' ? text : Number.parseFloat(text);
}

/** The schema of one to four lengths in pixels, at least `least`; the output is always a list. */
export function boxLengths({ least, of }: BoxLengths) {
  const range = `from ${least} to ${MAX_COORDINATE}`;
  const expected = `a number ${range}, an array of 1 to 4 such numbers, or text such as "8px 16px"`;
  const one = number({ min: least, max: MAX_COORDINATE });
  const list = z.array(one, expected).min(1, expected).max(4, expected);
  const isInRange = (text: string) => lengthsOf(text).every((length) => length >= least && length <= MAX_COORDINATE);
  const shorthand = z.string(expected).regex(SHORTHAND).refine(isInRange).transform(lengthsOf);
  const expectedText = (text: string) => {
    const lengths = `1 to 4 lengths in px ${range}, such as "8px 16px"`;
    const isElliptical = of === 'corners' && text.includes('/');
    return isElliptical ? `${lengths}; a corner has one radius, so "/" can't part it from a second` : lengths;
  };
  return z
    .union([one, list, shorthand], {
      error: ({ input }) => (typeof input === 'string' ? expectedText(input) : expected),
    })
    .transform((value): readonly number[] => (typeof value === 'number' ? [value] : value));
}

function lengthsOf(text: string): number[] {
  return text.trim().split(/\s+/).map(Number.parseFloat);
}

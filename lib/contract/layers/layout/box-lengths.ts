// The zod schema of lengths for four sides or corners: a number, an array of 1 to 4, or CSS text such as "8px 16px".
import * as z from 'zod';
import type { CornerLengths, RadiusLength } from '../../../geometry/corners.js';
import { number } from '../../schema/fields.js';
import { MAX_COORDINATE } from '../output-size.js';

const LENGTH = '[+-]?(?:(?:[0-9]*\\.)?[0-9]+[pP][xX]|0+(?:\\.0+)?)';
const SHORTHAND = new RegExp(`^\\s*${LENGTH}(?:\\s+${LENGTH}){0,3}\\s*$`);
const MARGIN = `(?:auto|${LENGTH})`;
const MARGINS = new RegExp(`^\\s*${MARGIN}(?:\\s+${MARGIN}){0,3}\\s*$`);

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
export function boxLengths({ least }: { readonly least: number }) {
  const range = `from ${least} to ${MAX_COORDINATE}`;
  const expected = `a number ${range}, an array of 1 to 4 such numbers, or text such as "8px 16px"`;
  const one = number({ min: least, max: MAX_COORDINATE });
  const list = z.array(one, expected).min(1, expected).max(4, expected);
  const fits = (text: string) => lengthsOf(text).every((length) => length >= least && length <= MAX_COORDINATE);
  const shorthand = z.string(expected).regex(SHORTHAND).refine(fits).transform(lengthsOf);
  return z
    .union([one, list, shorthand], {
      error: ({ input }) =>
        typeof input === 'string' ? `1 to 4 lengths in px ${range}, such as "8px 16px"` : expected,
    })
    .transform((value): readonly number[] => (typeof value === 'number' ? [value] : value));
}

function lengthsOf(text: string): number[] {
  return text.trim().split(/\s+/).map(Number.parseFloat);
}

/** A radius in pixels, or as text in percent of the box's width or height. */
const RADIUS = '[+-]?(?:(?:[0-9]*\\.)?[0-9]+(?:[pP][xX]|%)|0+(?:\\.0+)?)';
const RADII = `${RADIUS}(?:\\s+${RADIUS}){0,3}`;
const ELLIPTICAL = new RegExp(`^\\s*${RADII}(?:\\s*/\\s*${RADII})?\\s*$`);

const EXPECTED_RADII = '1 to 4 radii in px or percent, such as "8px 50%", and as many vertical ones after a "/"';

/** The schema of the radii of corners: as boxLengths, and as text also percentages, and vertical radii after a slash. */
export function boxRadii() {
  const expected = `a number from 0 to ${MAX_COORDINATE}, an array of 1 to 4 such numbers, or text such as "8px 16px"`;
  const one = number({ min: 0, max: MAX_COORDINATE });
  const list = z.array(one, expected).min(1, expected).max(4, expected);
  const text = z.string(expected).regex(ELLIPTICAL).transform(readRadii).refine(areInRange, { error: EXPECTED_RADII });
  return z
    .union([one, list, text], {
      error: ({ input }) => (typeof input === 'string' ? EXPECTED_RADII : expected),
    })
    .transform((value): CornerLengths => (typeof value === 'number' ? [value] : value));
}

/** The list alone, where all corners are circular and in pixels. */
function readRadii(text: string): CornerLengths {
  const [across, down] = text.split('/').map((axis) => axis.trim().split(/\s+/).map(readRadius));
  if (!down && across.every((radius) => typeof radius === 'number')) return across;
  return { across, down: down ?? across };
}

function readRadius(text: string): RadiusLength {
  const value = Number.parseFloat(text);
  return text.endsWith('%') ? { percent: value } : value;
}

/** Whether a length is one of boxes. */
function isInRange(length: number): boolean {
  return length >= 0 && length <= MAX_COORDINATE;
}

function areInRange(radii: CornerLengths): boolean {
  const all = 'across' in radii ? [...radii.across, ...radii.down] : radii;
  return all.every((radius) => isInRange(typeof radius === 'number' ? radius : radius.percent));
}

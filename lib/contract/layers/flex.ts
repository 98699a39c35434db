// The fields of layout: for a group that lays out its layers as a flexbox, and for the layers in it.
import * as z from 'zod';
import { lazily } from '../json/lazily.js';
import { choice, flag, number, oneOrMore } from '../schema/fields.js';
import { boxLengths } from './box-lengths.js';
import { MAX_COORDINATE } from './output-size.js';

export const MAX_PERCENT = 1000;
export const PERCENTAGE = /^(\d{1,4}(?:\.\d{1,10})?|\.\d{1,10})%$/;

export const EXPECTED_PERCENTAGE = 'a percentage such as "50%"';
export const EXPECTED_NUMBER = `a number from 0 to ${MAX_COORDINATE}`;
const EXPECTED_LENGTH = `${EXPECTED_NUMBER}, or ${EXPECTED_PERCENTAGE}`;

const length = () => number({ min: 0, max: MAX_COORDINATE });

/** The schema of a percentage of the group's content box. */
const percentage = (expected: string) =>
  z
    .string({ error: expected })
    .regex(PERCENTAGE, { error: expected })
    .refine((value) => Number.parseFloat(value) <= MAX_PERCENT, { error: `a percentage up to ${MAX_PERCENT}%` })
    .transform((value) => ({ percent: Number.parseFloat(value) }));

const EXPECTED_EXTENT = `${EXPECTED_NUMBER}, "auto", "fill" or ${EXPECTED_PERCENTAGE}`;

/** A width or height. Which kinds a layer takes depends on where it is (extents.ts). */
export const extent = () =>
  z.union([length(), z.enum(['auto', 'fill']), percentage(EXPECTED_EXTENT)], { error: EXPECTED_EXTENT });

const limit = () => z.union([length(), percentage(EXPECTED_LENGTH)], { error: EXPECTED_LENGTH }).optional();

const ALIGNMENTS = ['start', 'center', 'end', 'stretch', 'baseline'] as const;
const MAX_FACTOR = 1e6;
const factor = () => number({ min: 0, max: MAX_FACTOR }).optional();

/** Fields of the layers in a group with a layout. */
export const itemFields = lazily(() => ({
  position: choice(['absolute'])
    .optional()
    .describe('in a group with a layout: absolute places the layer at x and y, and it takes no room'),
  grow: factor().describe('in a group with a layout: the part of spare room that the layer takes; 0, or 1 with fill'),
  shrink: factor().describe('in a group with a layout: how much it gives way; 0 where its size is a number, else 1'),
  minWidth: limit().describe('pixels or a percentage; in a group with a layout no less than the longest word'),
  maxWidth: limit().describe('pixels or a percentage, of a width that layout decides'),
  minHeight: limit().describe('pixels or a percentage, of a height that layout decides'),
  maxHeight: limit().describe('pixels or a percentage, of a height that layout decides'),
  alignSelf: choice(ALIGNMENTS).optional().describe("in a group with a layout: instead of the group's alignItems"),
  margin: boxLengths({ least: -MAX_COORDINATE, of: 'sides' })
    .optional()
    .describe('pixels around the layer in a group with a layout: one, an array of 1 to 4, or text such as "8px 16px"'),
  keepTogether: flag()
    .optional()
    .describe('in a group with paginate: whether no page ends within the layer; else a tall column may be broken'),
  aspectRatio: number({ min: 0.001, max: 1000 })
    .optional()
    .describe('width divided by height, where layout decides one of them'),
}));

/** Fields of groups. */
export const containerFields = lazily(() => ({
  layout: choice(['none', 'row', 'column'])
    .default('none')
    .describe('row and column lay the layers out one after the other, as a CSS flexbox'),
  gap: oneOrMore(length(), [1, 2], `${EXPECTED_NUMBER}, or an array of 1 or 2 such numbers`)
    .prefault(0)
    .describe('pixels between the layers, with a layout: one, or [between lines, between columns] as in CSS'),
  alignItems: choice(ALIGNMENTS).default('start').describe('where the layers lie across the layout'),
  justifyContent: choice(['start', 'center', 'end', 'space-between', 'space-around', 'space-evenly'])
    .default('start')
    .describe('where the spare room along the layout goes'),
  wrapItems: flag().default(false).describe('whether layers that do not fit start another line, with a layout'),
}));

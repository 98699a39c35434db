// The fields of layout: for a group that lays out its layers as a flexbox or a grid, and for the layers in it.
import * as z from 'zod';
import { autoTracks, gridPlace, trackList } from '../../css/grid.js';
import { lazily } from '../../json/lazily.js';
import { choice, flag, number, oneOrMore } from '../../schema/fields.js';
import { MAX_COORDINATE } from '../output-size.js';
import { margins } from './box-lengths.js';

export const MAX_PERCENT = 1000;
const PERCENT = String.raw`(-?(?:\d{1,4}(?:\.\d{1,10})?|\.\d{1,10}))%`;
const PERCENTAGE = new RegExp(`^calc\\(${PERCENT} ([+-]) (\\d{1,7}(?:\\.\\d{1,10})?)px\\)$|^${PERCENT}$`);

/** A percentage of the group's content box, and pixels that are added to it. */
export interface PercentageLength {
  readonly percent: number;
  readonly pixels?: number | undefined;
}

/** Reads `50%` or `calc(50% - 8px)`. */
export function parsePercentage(text: string): PercentageLength | undefined {
  const match = PERCENTAGE.exec(text);
  if (!match) return undefined;
  const [, added, sign, pixels, plain] = match;
  if (plain !== undefined) return { percent: Number.parseFloat(plain) };
  return { percent: Number.parseFloat(added), pixels: Number.parseFloat(`${sign}${pixels}`) };
}

export const EXPECTED_PERCENTAGE = 'a percentage such as "50%" or "calc(50% - 8px)"';
export const EXPECTED_NUMBER = `a number from 0 to ${MAX_COORDINATE}`;
const EXPECTED_LENGTH = `${EXPECTED_NUMBER}, or ${EXPECTED_PERCENTAGE}`;

const length = () => number({ min: 0, max: MAX_COORDINATE });

/** The schema of a percentage of the group's content box. */
const percentage = (expected: string, least = 0) =>
  z
    .string({ error: expected })
    .regex(PERCENTAGE, { error: expected })
    .transform((value, context): PercentageLength => {
      const { percent, pixels } = parsePercentage(value)!;
      if (percent >= least && percent <= MAX_PERCENT) return pixels === undefined ? { percent } : { percent, pixels };
      context.addIssue({ code: 'custom', message: `a percentage from ${least}% to ${MAX_PERCENT}%` });
      return z.NEVER;
    });

const EXPECTED_EXTENT = `${EXPECTED_NUMBER}, "auto", "fill" or ${EXPECTED_PERCENTAGE}`;

/** A width or height. Which kinds a layer takes depends on where it is (extents.ts). */
export const extent = () =>
  z.union([length(), z.enum(['auto', 'fill']), percentage(EXPECTED_EXTENT)], { error: EXPECTED_EXTENT });

const limit = () => z.union([length(), percentage(EXPECTED_LENGTH)], { error: EXPECTED_LENGTH }).optional();

const EXPECTED_INSET = `a number from -${MAX_COORDINATE} to ${MAX_COORDINATE}, "auto" or ${EXPECTED_PERCENTAGE}`;
const inset = () =>
  z.union(
    [
      number({ min: -MAX_COORDINATE, max: MAX_COORDINATE }),
      z.literal('auto'),
      percentage(EXPECTED_INSET, -MAX_PERCENT),
    ],
    { error: EXPECTED_INSET },
  );

const INLINE_ALIGNMENTS = ['start', 'center', 'end', 'stretch'] as const;
const ALIGNMENTS = [...INLINE_ALIGNMENTS, 'baseline'] as const;
const DISTRIBUTIONS = ['stretch', 'start', 'center', 'end', 'space-between', 'space-around', 'space-evenly'] as const;
const MAX_FACTOR = 1e6;
const MAX_ORDER = 1e6;
const factor = () => number({ min: 0, max: MAX_FACTOR }).optional();

/** Fields of the layers in a group with a layout. */
export const itemFields = lazily(() => ({
  position: choice(['absolute'])
    .optional()
    .describe('in a group with a layout: absolute places the layer by x and y, or by inset, and it takes no room'),
  grow: factor().describe('in a group with a layout: the part of spare room that the layer takes; 0, or 1 with fill'),
  shrink: factor().describe('in a group with a layout: how much it gives way; 0 where its size is a number, else 1'),
  minWidth: limit().describe('pixels or a percentage; in a group with a layout no less than the longest word'),
  maxWidth: limit().describe('pixels or a percentage, of a width that layout decides'),
  minHeight: limit().describe('pixels or a percentage, of a height that layout decides'),
  maxHeight: limit().describe('pixels or a percentage, of a height that layout decides'),
  alignSelf: choice(ALIGNMENTS).optional().describe("in a group with a layout: instead of the group's alignItems"),
  justifySelf: choice(INLINE_ALIGNMENTS).optional().describe("in a grid: instead of the group's justifyItems"),
  gridColumn: gridPlace().describe(
    'in a grid or table: a line, "span 2", or both ends, such as "2 / span 3" or "1 / -1"',
  ),
  gridRow: gridPlace().describe('as gridColumn'),
  inset: oneOrMore(inset(), [1, 4], `${EXPECTED_INSET}, or an array of 1 to 4 of them`)
    .optional()
    .describe(
      'in a group with a layout: distances from its top, right, bottom and left edge, as CSS inset; without position absolute, how far the layer is moved',
    ),
  order: number({ min: -MAX_ORDER, max: MAX_ORDER, whole: true })
    .optional()
    .describe('in a group with a layout: layers are laid out by it, and painted as they follow each other; 0'),
  margin: margins()
    .optional()
    .describe(
      'pixels around the layer in a group with a layout: one, an array of 1 to 4, or text such as "8px auto"; auto takes the free space',
    ),
  keepTogether: flag()
    .optional()
    .describe('in a group with paginate: whether no page ends within the layer; else a tall column may be broken'),
  aspectRatio: number({ min: 0.001, max: 1000 })
    .optional()
    .describe('width divided by height, where layout decides one of them'),
}));

/** Fields of groups. */
export const containerFields = lazily(() => ({
  layout: choice(['none', 'row', 'column', 'block', 'grid', 'table'])
    .default('none')
    .describe(
      'row and column lay the layers out one after the other, as a CSS flexbox; block one below the other with collapsing margins, as CSS blocks; grid in columns and rows; table too, with columns as wide as their texts ask for',
    ),
  gap: oneOrMore(length(), [1, 2], `${EXPECTED_NUMBER}, or an array of 1 or 2 such numbers`)
    .prefault(0)
    .describe('pixels between the layers, with a layout: one, or [between rows, between columns] as in CSS'),
  alignItems: choice(ALIGNMENTS)
    .default('start')
    .describe('where the layers lie across the layout, or from top to bottom in their cells of a grid'),
  justifyContent: choice(DISTRIBUTIONS)
    .optional()
    .describe('where the spare room along the layout goes: start, or beside the columns of a grid: stretch'),
  alignContent: choice(DISTRIBUTIONS)
    .default('stretch')
    .describe('where the spare room across the lines goes, with wrapItems, or that beside the rows of a grid'),
  wrapItems: flag().default(false).describe('whether layers that do not fit start another line, with a layout'),
  gridTemplateColumns: trackList().describe(
    'the columns of a grid: pixels, or a CSS track list such as "120px repeat(2, 1fr)"; else one that fits its layers',
  ),
  gridTemplateRows: trackList().describe('the rows of a grid, as gridTemplateColumns; more are added as needed'),
  gridAutoColumns: autoTracks().describe('the sizes of columns beyond gridTemplateColumns, in turn; auto'),
  gridAutoRows: autoTracks().describe('the sizes of rows beyond gridTemplateRows, in turn; auto'),
  gridAutoFlow: choice(['row', 'column', 'dense', 'row dense', 'column dense'])
    .default('row')
    .describe('how a grid places layers without lines: row by row or column by column; dense fills gaps'),
  justifyItems: choice(INLINE_ALIGNMENTS)
    .default('start')
    .describe('where the layers lie from left to right in their cells of a grid'),
}));

// Text layers.
import * as z from 'zod';
import { choice, flag, number, record, text } from '../fields.js';
import { fill } from '../fill.js';
import { border, MAX_DETAIL_SIZE, radii, shared, sides, stroke } from './shared.js';

/** Maximum length of a layer's text, in characters. */
export const MAX_TEXT = 1_000_000;

const WEIGHTS = ['normal', 'bold', '100', '200', '300', '400', '500', '600', '700', '800', '900'] as const;

/** CSS weight 1–1000. The contract writes it as text; numbers and weights that are not multiples of 100 are also accepted. */
const weight = { error: '"normal", "bold", or a whole number from 1 to 1000 such as "400"' };
const fontWeight = z
  .union(
    [
      z.enum(WEIGHTS, weight),
      z.number(weight).int(weight).min(1, weight).max(1000, weight),
      z.string().regex(/^(?:[1-9]\d{0,2}|1000)$/, weight),
    ],
    weight,
  )
  .transform((given) => (given === 'normal' ? 400 : given === 'bold' ? 700 : Number(given)));

export const textLayer = record({
  type: z.literal('text'),
  ...shared,
  text: text(MAX_TEXT).describe('newlines break lines'),
  fontFamily: text().default('Inter').describe('name of a bundled family'),
  customFontUrl: text().optional().describe('URL of a TTF, OTF, WOFF or WOFF2 file used instead'),
  fontSize: number({ min: 0, max: MAX_DETAIL_SIZE }).default(16).describe('pixels'),
  minFontSize: number({ above: 0, max: MAX_DETAIL_SIZE }).default(8).describe('pixels: where autoFit stops shrinking'),
  fontWeight: fontWeight.prefault('normal').describe('a name, or a CSS weight from 1 to 1000, as a number or as text'),
  fontStyle: choice(['normal', 'italic']).default('normal'),
  color: fill.prefault('#000000'),
  textAlign: choice(['left', 'center', 'right']).default('left'),
  verticalAlign: choice(['top', 'middle', 'bottom']).default('top'),
  lineHeight: number({ min: 0, max: 1000 }).default(1.2).describe('a multiple of the font size'),
  letterSpacing: number({ min: -MAX_DETAIL_SIZE, max: MAX_DETAIL_SIZE })
    .default(0)
    .describe('pixels after every character'),
  maxLines: number({ min: 1, whole: true }).optional().describe('further lines are cut, and the last ends in …'),
  wrap: flag().default(true).describe('breaks lines at the width of the box'),
  autoFit: flag().default(false).describe('shrinks fontSize, down to minFontSize, until the text fits the box'),
  textTransform: choice(['none', 'uppercase', 'lowercase', 'capitalize']).default('none'),
  textDecoration: choice(['none', 'underline', 'line-through', 'underline line-through']).default('none'),
  stroke: stroke.optional().describe('an outline of the glyphs, beneath their fill'),
  backgroundColor: fill.optional().describe('a CSS colour or gradient, painted in the box behind the text'),
  border: border.optional().describe('a line inside the box, behind the text'),
  borderRadius: radii().prefault(0).describe('pixels: rounds the box; one radius, or an array of 1 to 4 as in CSS'),
  padding: sides()
    .prefault(0)
    .describe('pixels between the box and the area of the text: one length, or an array of 1 to 4 as in CSS'),
});

export type TextLayer = z.output<typeof textLayer>;

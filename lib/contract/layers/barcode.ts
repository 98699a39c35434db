// Barcode layers.
import * as z from 'zod';
import { fill } from '../css/fill.js';
import { choice, flag, number, record, text } from '../schema/fields.js';
import type { Placed } from './layout/extents.js';
import { MAX_DETAIL_SIZE, shared, verify } from './shared.js';

/** Every kind of barcode by its name on the wire. */
const SYMBOLOGIES = [
  'code128',
  'code39',
  'ean13',
  'ean8',
  'upca',
  'itf14',
  'gs1-128',
  'pdf417',
  'datamatrix',
  'aztec',
] as const;
export type Symbology = (typeof SYMBOLOGIES)[number];

function sharedFields() {
  // its margin is another
  const { margin: _margin, ...fields } = shared();
  return fields;
}

export const barcodeLayer = record(() => ({
  type: z.literal('barcode'),
  ...sharedFields(),
  symbology: choice(SYMBOLOGIES).describe('the kind of code'),
  data: text().describe('what the code says; a check digit is added where it is missing'),
  colorDark: fill.prefault('#000000').describe('of the bars or modules, and of the text'),
  colorLight: fill.prefault('#ffffff').describe('of the box'),
  margin: number({ min: 0, max: 1000, whole: true })
    .optional()
    .describe('modules of quiet zone, beside bars or around a matrix; what the standard asks for'),
  showText: flag().default(false).describe('writes the data beneath the code'),
  fontFamily: text().default('Inter').describe('of the text: a family, or a CSS list of families'),
  fontSize: number({ above: 0, max: MAX_DETAIL_SIZE })
    .optional()
    .describe('of the text, in pixels; an eighth of the height, at most 10 modules; shrinks to fit'),
  verify,
}));

export type BarcodeLayer = Placed<z.output<typeof barcodeLayer>>;

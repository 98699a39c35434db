// Schemas and type of the answer of `POST /v1/inspect`.
import * as z from 'zod';
import type { Inspection } from '../inspection.js';
import { detail } from './response.js';

const box = z.array(z.number()).length(4);

export const inspectedLine = z.object({
  text: z.string(),
  x: z.number(),
  y: z.number().describe('the top of the line box'),
  width: z.number().describe('without the blanks that hang at the end'),
  baseline: z.number().describe('the y of the baseline'),
});

export const inspectedLayer = z.object({
  path: z.string().describe('as in warnings: layers[0], layers[0].layers[2], hotspots.KEY, background'),
  id: z.string().optional().describe('the id that the layer was given'),
  type: z.enum(['text', 'image', 'qrcode', 'barcode', 'shape', 'group']),
  box: box.describe('x, y, width and height after layout, before rotation'),
  inkBox: box.describe('what the layer may paint, without its shadows; it may exceed the image'),
  visible: z.literal(false).optional().describe('only of layers that are hidden, or in a hidden group'),
  fontSize: z.number().optional().describe('of a text: in the payload’s pixels, after autoFit'),
  lines: z.array(inspectedLine).optional().describe('of a text: its lines, before rotation; none of a text on a path'),
  moreLines: z
    .number()
    .int()
    .optional()
    .describe('of a text: how many lines are left out; an answer has at most 10,000, with 1,000,000 characters'),
  fonts: z
    .array(z.string())
    .optional()
    .meta({ description: 'of a text: those that its glyphs are from', examples: [['Inter 700']] }),
  overflow: z.boolean().optional().describe('of a text: whether it exceeds its box, or its path'),
  natural: z.array(z.number()).length(2).optional().describe('of an image: width and height after EXIF orientation'),
  source: box.optional().describe('of an image: the part that is shown, in its own pixels'),
  bytes: z.number().int().optional().describe('of an image: size of the file'),
  format: z
    .string()
    .optional()
    .meta({ description: 'of an image: png, jpeg, webp, avif, gif or svg', examples: ['jpeg'] }),
});

const timings = z.object({
  check: z.number().describe('checking the payload, and filling a template'),
  load: z.number().describe('fetching and decoding images and fonts, and layouts of groups'),
  layout: z.number().describe('laying out texts and the other layers'),
});

export const inspectAnswer = z.object({
  success: z.literal(true),
  width: z.number().int().describe('pixels of the image'),
  height: z.number().int().describe('pixels of the image'),
  creditsCost: z.number().describe('credits that a render would cost; an inspection costs none'),
  warnings: z.array(detail).describe('those of a render, except about codes that can’t be read back from the image'),
  layers: z
    .array(inspectedLayer)
    .describe('in drawing order, groups before the layers in them; in pixels of the image'),
  timings: timings.describe('milliseconds'),
});

/** The answer of `POST /v1/inspect`. */
export interface InspectAnswer extends Inspection {
  readonly success: true;
  /** Credits that a render would cost. */
  readonly creditsCost: number;
}

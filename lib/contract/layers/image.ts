// Image layers.
import * as z from 'zod';
import { color } from '../color/parse.js';
import { choice, record, text } from '../fields.js';
import { border, radii, shared } from './shared.js';

export const imageLayer = record({
  type: z.literal('image'),
  ...shared,
  url: text().describe('http:, https: or data:; within the service also asset:ID, a stored image'),
  mask: choice(['none', 'circle', 'squircle', 'rounded']).default('none'),
  borderRadius: radii().prefault(16).describe('pixels, with mask rounded: one radius, or an array of 1 to 4 as in CSS'),
  fit: choice(['cover', 'contain', 'fill']).default('cover'),
  border: border.optional().describe('a line along the mask, inside the box'),
  fallbackColor: color
    .optional()
    .describe("a CSS colour, painted when the picture can't be had; without it the render fails"),
});

export type ImageLayer = z.output<typeof imageLayer>;

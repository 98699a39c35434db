// Shape layers.
import * as z from 'zod';
import { choice, record } from '../fields.js';
import { fill } from '../fill.js';
import { radii, shared, size } from './shared.js';

export const shapeLayer = record({
  type: z.literal('shape'),
  ...shared,
  shapeType: choice(['rectangle', 'rounded_rectangle', 'circle', 'pill', 'line']),
  fillColor: fill.optional().describe('a CSS colour or gradient; #000000, or none when there is a border'),
  /** Has no defaults here: the default fill and line thickness depend on which of these fields are set. */
  border: record({
    color: fill.optional().describe('a CSS colour or gradient; #000000, for a line its fillColor'),
    width: size().optional().describe('pixels; 1, for a line the shorter side of its box'),
  })
    .optional()
    .describe('a line along the shape, inside the box'),
  borderRadius: radii()
    .prefault(16)
    .describe('pixels, with shapeType rounded_rectangle: one radius, or an array of 1 to 4 as in CSS'),
});

export type ShapeLayer = z.output<typeof shapeLayer>;

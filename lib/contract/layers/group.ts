// Groups: layers whose coordinates start at the group's box, and which the group's effects treat as one.
import * as z from 'zod';
import { background } from '../css/background.js';
import { backgroundLayers } from '../css/background-layers.js';
import { flag, freeObject, record } from '../schema/fields.js';
import { containerFields } from './layout/flex.js';
import { border, borderSides, radii, role, shared, sides } from './shared.js';

/** Its layers are parsed one by one, like those of the canvas (parse.ts). */
export const groupLayer = record(() => ({
  type: z.literal('group'),
  ...shared(),
  role: role(),
  layers: z.array(freeObject(), { error: 'an array of layers' }),
  backgroundColor: background
    .optional()
    .describe('fills the box, beneath the layers: one fill, or an array of up to 8 of which the first is on top'),
  ...backgroundLayers(),
  border: border.optional().describe('a line inside the box, on top of the layers'),
  ...borderSides(),
  borderRadius: radii()
    .prefault(0)
    .describe(
      'pixels: rounds the background, the border and the clip; one radius, an array of 1 to 4, or text such as "8px 16px"',
    ),
  padding: sides()
    .prefault(0)
    .describe(
      'pixels inside the box: one, an array of 1 to 4, or text such as "8px 16px"; of no effect without a layout',
    ),
  ...containerFields(),
  paginate: flag()
    .default(false)
    .describe('in documents: whether its layers, a column of a height in numbers, continue on another page'),
  clip: flag().default(false).describe('whether the box and its radius cut off what the layers draw outside'),
}));

// Icon layers. `resolve` makes shapes of them (templates/icons/icons.ts): a scene has none.
import * as z from 'zod';
import { fill } from '../css/fill.js';
import { filledText, number, record } from '../schema/fields.js';
import type { Placed } from './layout/extents.js';
import { extent } from './layout/flex.js';
import { shared } from './shared.js';

/** The width and height of an icon in a layout that has none. */
export const ICON_SIZE = 24;
const MAX_NAME_LENGTH = 200;
/** Maximum thickness of lines, in 24ths of the side. */
const MAX_STROKE_WIDTH = 24;

const SIZE = 'pixels; in a group with a layout also "auto", the other side’s size, or 24';

export const iconLayer = record(() => ({
  type: z.literal('icon'),
  ...shared(),
  width: extent().prefault(ICON_SIZE).describe(SIZE),
  height: extent().prefault(ICON_SIZE).describe(SIZE),
  icon: filledText(MAX_NAME_LENGTH).describe('the name of a set and of an icon in it: "lucide:calendar"'),
  color: fill
    .prefault('#000000')
    .describe('a CSS colour or gradient, in place of what has no colour of its own in the icon; #000000'),
  strokeWidth: number({ min: 0, max: MAX_STROKE_WIDTH })
    .optional()
    .describe('of all lines, in 24ths of the side; the icon’s own without, which is 2 in lucide'),
}));

export type IconLayer = Placed<z.output<typeof iconLayer>>;

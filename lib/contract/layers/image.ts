// Image layers.
import * as z from 'zod';
import type { Position } from '../../geometry/length.js';
import { color } from '../css/fill.js';
import { EXPECTED_PICTURE_POSITION, readPosition } from '../css/position.js';
import { Scanner } from '../css/scanner.js';
import { choice, number, record, text } from '../schema/fields.js';
import type { Placed } from './layout/extents.js';
import { border, borderSides, distance, MAX_COORDINATE, radii, shared } from './shared.js';

/** A CSS position on the wire; `absolute` as on other layers. */
const position = z
  .string({ error: EXPECTED_PICTURE_POSITION })
  .transform((value, context): Position | 'smart' | 'absolute' => {
    const scanner = new Scanner(value);
    const keyword = scanner.keyword(['smart', 'absolute']);
    if (keyword) {
      if (scanner.isDone) return keyword;
    } else {
      const parsed = readPosition(scanner, true);
      if (parsed && scanner.isDone) return parsed;
    }
    context.addIssue({ code: 'custom', message: EXPECTED_PICTURE_POSITION });
    return z.NEVER;
  })
  .meta({ examples: ['top', '20% 80%', 'right 10px bottom 5px', 'smart'] });

const length = () => number({ above: 0, max: MAX_COORDINATE });
const tileSide = () => number({ min: 1, max: MAX_COORDINATE });

function sharedFields() {
  // its position is another
  const { position: _position, ...fields } = shared();
  return fields;
}

export const imageLayer = record(() => ({
  type: z.literal('image'),
  ...sharedFields(),
  url: text().describe('http:, https: or data:; within the service also asset:ID, a stored image'),
  mask: choice(['none', 'circle', 'squircle', 'rounded']).default('none'),
  borderRadius: radii()
    .prefault(16)
    .describe('pixels, with mask rounded: one radius, an array of 1 to 4, or text such as "8px 16px"'),
  fit: choice(['cover', 'contain', 'fill', 'none', 'scale-down']).default('cover').describe('as CSS object-fit'),
  position: position
    .optional()
    .describe(
      'a CSS position: which part of the picture shows, or where in the box it lies; center, for tiles left top; smart keeps the most interesting part; in a group with a layout absolute is as on other layers',
    ),
  crop: record(() => ({
    x: distance().describe('left edge of the part'),
    y: distance().describe('top edge of the part'),
    width: length(),
    height: length(),
  }))
    .optional()
    .describe('the part of the picture that is used as if it were the whole, in pixels of the upright picture'),
  repeat: choice(['none', 'tile']).default('none').describe('tile fills the box with copies of the picture'),
  tileWidth: tileSide().optional().describe("pixels, with repeat tile; from tileHeight, or the picture's own"),
  tileHeight: tileSide().optional().describe("pixels, with repeat tile; from tileWidth, or the picture's own"),
  border: border.optional().describe('a line along the mask, inside the box'),
  ...borderSides(),
  fallbackColor: color
    .optional()
    .describe("a CSS colour, painted when the picture can't be had; without it the render fails"),
}));

type Parsed = Placed<z.output<typeof imageLayer>>;
export type ImageLayer = Omit<Parsed, 'position'> & { readonly position?: Exclude<Parsed['position'], 'absolute'> };

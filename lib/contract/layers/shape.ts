// Shape layers.
import * as z from 'zod';
import { fill } from '../css/fill.js';
import { pathData } from '../css/path-data.js';
import { numbersHint } from '../messages/value-hints.js';
import { choice, expecting, number, record } from '../schema/fields.js';
import { lineStyle } from './borders.js';
import type { Placed } from './layout/extents.js';
import { borderSides, distance, radii, shared, size } from './shared.js';

/** Corners of a polygon, and tips of a star. */
const MAX_POLYGON_POINTS = 10_000;
const [MIN_STAR_POINTS, MAX_STAR_POINTS] = [3, 100];

const POLYGON_POINTS = `an array of 3 to ${MAX_POLYGON_POINTS} points [x, y]`;
const STAR_POINTS = `a whole number from ${MIN_STAR_POINTS} to ${MAX_STAR_POINTS}`;
const POINT = 'a point: an array of two numbers';
const VIEW_BOX = 'an array of four numbers [x, y, width, height], width and height above 0';

const points = z.union(
  [
    z
      .array(z.tuple([distance(), distance()], { error: POINT }), { error: POLYGON_POINTS })
      .min(3, { error: POLYGON_POINTS })
      .max(MAX_POLYGON_POINTS, { error: POLYGON_POINTS }),
    number({ min: MIN_STAR_POINTS, max: MAX_STAR_POINTS, whole: true }),
  ],
  { error: `${POLYGON_POINTS}, or ${STAR_POINTS}` },
);

const lineEnd = () => choice(['none', 'arrow', 'round']);
const viewBoxSize = () => number({ above: 0, max: 1e6 });

export const shapeLayer = record(() => ({
  type: z.literal('shape'),
  ...shared(),
  shapeType: choice(['rectangle', 'rounded_rectangle', 'circle', 'pill', 'line', 'polygon', 'star', 'path', 'arc']),
  fillColor: fill.optional().describe('a CSS colour or gradient; #000000, or none when there is a border'),
  /** Has no defaults here: the default fill and line thickness depend on which of these fields are set. */
  border: record(() => ({
    color: fill.optional().describe('a CSS colour or gradient; #000000, for a line its fillColor'),
    width: size().optional().describe('pixels; 1, for a line the shorter side of its box'),
    ...lineStyle(),
    join: choice(['miter', 'round', 'bevel'])
      .optional()
      .describe('the corners of polygons, stars, paths and arcs; miter'),
  }))
    .optional()
    .describe('a line along the shape: inside the box, or centred on the outline of a polygon, star, path or arc'),
  ...borderSides(),
  borderRadius: radii()
    .prefault(16)
    .describe('pixels, with shapeType rounded_rectangle: one radius, an array of 1 to 4, or text such as "8px 16px"'),
  points: points
    .optional()
    .describe("a polygon's corners [x, y], in pixels from the corner of the box; or the number of a star's tips"),
  innerRadius: number({ min: 0, max: 1 })
    .optional()
    .describe(
      'of the outer radius: of a star, 0.5; of an arc, 0, which makes it a pie; 1 makes it a line that only the border draws',
    ),
  d: pathData.optional().describe('the SVG path data of a path'),
  viewBox: z
    .tuple(
      [distance(), distance(), viewBoxSize(), viewBoxSize()],
      expecting(VIEW_BOX, (input) => numbersHint(input, [4, 4])),
    )
    .optional()
    .describe("the part of a path's plane that fits the box; without it d is in pixels from the corner of the box"),
  preserveAspectRatio: choice(['meet', 'slice', 'none'])
    .optional()
    .describe('how the viewBox fits the box: inside it (meet), over it and clipped (slice), or stretched; meet'),
  fillRule: choice(['nonzero', 'evenodd']).optional().describe('what is inside a path that crosses itself; nonzero'),
  startAngle: distance().optional().describe('of an arc, in degrees clockwise from the top; 0'),
  endAngle: distance().optional().describe('of an arc, in degrees clockwise from the top; 360'),
  startCap: lineEnd().optional().describe('the left or upper end of a line; none'),
  endCap: lineEnd().optional().describe('the other end of a line; none'),
})).superRefine((layer, context) => {
  const need = (field: 'points' | 'd', isGiven: boolean, expected: string) => {
    if (!isGiven) context.addIssue({ code: 'custom', path: [field], message: expected });
  };
  switch (layer.shapeType) {
    case 'polygon':
      return need('points', Array.isArray(layer.points), POLYGON_POINTS);
    case 'star':
      return need('points', typeof layer.points === 'number', STAR_POINTS);
    case 'path':
      return need('d', layer.d !== undefined, 'SVG path data');
  }
});

export type ShapeLayer = Placed<z.output<typeof shapeLayer>>;

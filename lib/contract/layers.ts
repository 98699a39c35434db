// Schemas of the four layer types. Parsing applies every default; the renderer's layer types are inferred from the output.
import * as z from 'zod';
import { color } from './color/parse.js';
import { choice, flag, number, record, text } from './fields.js';

/** Maximum coordinate and size, in pixels (SEMANTICS section 5: a layer beyond it is malformed). */
const MAX_COORDINATE = 1e6;
/** Maximum blur, stroke, spacing and font size, in pixels. */
const MAX_DETAIL_SIZE = 1e4;
/** Maximum length of a layer's text, in characters. */
export const MAX_TEXT = 1_000_000;

const distance = () => number({ min: -MAX_COORDINATE, max: MAX_COORDINATE });
const size = () => number({ min: 0, max: MAX_COORDINATE });

const shadow = record({
  color: color.prefault('rgba(0, 0, 0, 0.5)'),
  blur: number({ min: 0, max: MAX_DETAIL_SIZE })
    .default(0)
    .describe('pixels: twice the standard deviation of the blur'),
  offsetX: distance().default(0).describe('pixels to the right'),
  offsetY: distance().default(0).describe('pixels down'),
});

/** A border or stroke with defaults for its colour and width in pixels. */
const outline = (max: number) =>
  record({ color: color.prefault('#000000'), width: number({ min: 0, max }).default(1).describe('pixels') });

const shared = {
  id: text().optional().describe('your own identifier: named in errors and warnings'),
  name: text().optional().describe('a label, without effect'),
  x: distance().describe('left edge of the box, in pixels'),
  y: distance().describe('top edge of the box, in pixels'),
  width: size().describe('pixels'),
  height: size().describe('pixels'),
  opacity: number({ min: 0, max: 1 }).default(1).describe('of the whole layer, shadow included'),
  rotation: distance().default(0).describe('degrees, clockwise, about the centre of the box'),
  shadow: shadow.optional().describe('follows the painted shape of the layer'),
};

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
  color: color.prefault('#000000'),
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
  textDecoration: choice(['none', 'underline', 'line-through']).default('none'),
  stroke: outline(MAX_DETAIL_SIZE).optional().describe('an outline of the glyphs, beneath their fill'),
});

export const imageLayer = record({
  type: z.literal('image'),
  ...shared,
  url: text().describe('http:, https: or data:; within the service also asset:ID, a stored image'),
  mask: choice(['none', 'circle', 'squircle', 'rounded']).default('none'),
  borderRadius: size().default(16).describe('pixels, with mask rounded'),
  fit: choice(['cover', 'contain', 'fill']).default('cover'),
  border: outline(MAX_COORDINATE).optional().describe('a line along the mask, inside the box'),
  fallbackColor: color
    .optional()
    .describe("a CSS colour, painted when the picture can't be had; without it the render fails"),
});

export const qrcodeLayer = record({
  type: z.literal('qrcode'),
  ...shared,
  data: text().describe('what the code says, as UTF-8'),
  colorDark: color.prefault('#000000'),
  colorLight: color.prefault('#ffffff'),
  margin: number({ min: 0, max: 1000, whole: true }).default(4).describe('modules of quiet zone on each side'),
  errorCorrectionLevel: choice(['L', 'M', 'Q', 'H'])
    .default('M')
    .describe('about 7, 15, 25 or 30 per cent of the code may be lost'),
  borderRadius: size().default(0).describe('pixels: rounds the box'),
});

export const shapeLayer = record({
  type: z.literal('shape'),
  ...shared,
  shapeType: choice(['rectangle', 'rounded_rectangle', 'circle', 'pill', 'line']),
  fillColor: color.optional().describe('a CSS colour; #000000, or none when there is a border'),
  /** Has no defaults here: the default fill and line thickness depend on which of these fields are set. */
  border: record({
    color: color.optional().describe('a CSS colour; #000000, for a line its fillColor'),
    width: size().optional().describe('pixels; 1, for a line the shorter side of its box'),
  })
    .optional()
    .describe('a line along the shape, inside the box'),
  borderRadius: size().default(16).describe('pixels, with shapeType rounded_rectangle'),
});

/** Every layer type by its name on the wire. */
export const LAYER_SCHEMAS = { text: textLayer, image: imageLayer, qrcode: qrcodeLayer, shape: shapeLayer } as const;

export type Shadow = z.output<typeof shadow>;
export type TextLayer = z.output<typeof textLayer>;
export type ImageLayer = z.output<typeof imageLayer>;
export type QrcodeLayer = z.output<typeof qrcodeLayer>;
export type ShapeLayer = z.output<typeof shapeLayer>;
export type Layer = TextLayer | ImageLayer | QrcodeLayer | ShapeLayer;
export type LayerType = Layer['type'];

// The four layer types of the wire → layers with every default applied. The types that the painters read are inferred here.
import * as z from 'zod';
import { color } from './color.js';
import { choice, flag, number, record, text } from './fields.js';

/** Farthest coordinate and largest size, in pixels (SEMANTICS section 5: beyond it a layer is malformed). */
const FAR = 1e6;
/** Largest blur, stroke, spacing and font size, in pixels. */
const LARGE = 1e4;
/** Characters of one text layer. */
export const LONGEST_TEXT = 1_000_000;

const distance = () => number({ min: -FAR, max: FAR });
const size = () => number({ min: 0, max: FAR });

const shadow = record({
  color: color.prefault('rgba(0, 0, 0, 0.5)'),
  /** Pixels; the Gaussian's standard deviation is half of it. */
  blur: number({ min: 0, max: LARGE }).default(0),
  offsetX: distance().default(0),
  offsetY: distance().default(0),
});

/** A line of its own colour and width in pixels, both with defaults. */
const outline = (most: number) =>
  record({ color: color.prefault('#000000'), width: number({ min: 0, max: most }).default(1) });

const shared = {
  /** The caller's own identifier: named in faults, without effect on the picture. */
  id: text().optional(),
  name: text().optional(),
  /** The box's top left corner and its size, in canvas pixels before rotation. */
  x: distance(),
  y: distance(),
  width: size(),
  height: size(),
  opacity: number({ min: 0, max: 1 }).default(1),
  /** Degrees, clockwise, about the box's centre. */
  rotation: distance().default(0),
  shadow: shadow.optional(),
};

const WEIGHTS = ['normal', 'bold', '100', '200', '300', '400', '500', '600', '700', '800', '900'] as const;

/** CSS weight 1–1000. The contract writes it as text; numbers and the weights between the hundreds are taken too. */
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
  text: text(LONGEST_TEXT),
  fontFamily: text().default('Inter'),
  customFontUrl: text().optional(),
  /** Pixels. */
  fontSize: number({ min: 0, max: LARGE }).default(16),
  /** Pixels; where autoFit stops shrinking. */
  minFontSize: number({ above: 0, max: LARGE }).default(8),
  fontWeight: fontWeight.prefault('normal'),
  fontStyle: choice(['normal', 'italic']).default('normal'),
  color: color.prefault('#000000'),
  textAlign: choice(['left', 'center', 'right']).default('left'),
  verticalAlign: choice(['top', 'middle', 'bottom']).default('top'),
  /** A multiple of fontSize. */
  lineHeight: number({ min: 0, max: 1000 }).default(1.2),
  /** Pixels after every cluster. */
  letterSpacing: number({ min: -LARGE, max: LARGE }).default(0),
  maxLines: number({ min: 1, whole: true }).optional(),
  wrap: flag().default(true),
  autoFit: flag().default(false),
  textTransform: choice(['none', 'uppercase', 'lowercase', 'capitalize']).default('none'),
  textDecoration: choice(['none', 'underline', 'line-through']).default('none'),
  stroke: outline(LARGE).optional(),
});

export const imageLayer = record({
  type: z.literal('image'),
  ...shared,
  url: text(),
  mask: choice(['none', 'circle', 'squircle', 'rounded']).default('none'),
  /** Pixels; used with mask `rounded`. */
  borderRadius: size().default(16),
  fit: choice(['cover', 'contain', 'fill']).default('cover'),
  border: outline(FAR).optional(),
  /** Painted when the picture can't be had; without it the render fails. */
  fallbackColor: color.optional(),
});

export const qrcodeLayer = record({
  type: z.literal('qrcode'),
  ...shared,
  data: text(),
  colorDark: color.prefault('#000000'),
  colorLight: color.prefault('#ffffff'),
  /** Modules of quiet zone on each side. */
  margin: number({ min: 0, max: 1000, whole: true }).default(4),
  errorCorrectionLevel: choice(['L', 'M', 'Q', 'H']).default('M'),
  /** Pixels; rounds the box. */
  borderRadius: size().default(0),
});

export const shapeLayer = record({
  type: z.literal('shape'),
  ...shared,
  shapeType: choice(['rectangle', 'rounded_rectangle', 'circle', 'pill', 'line']),
  fillColor: color.optional(),
  /** Without defaults: what the fill and the line's thickness default to depends on what was given here. */
  border: record({ color: color.optional(), width: size().optional() }).optional(),
  /** Pixels; used with shapeType `rounded_rectangle`. */
  borderRadius: size().default(16),
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

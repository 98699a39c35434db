// QR code layers.
import * as z from 'zod';
import { fill } from '../css/fill.js';
import { choice, number, record, text } from '../schema/fields.js';
import type { Placed } from './layout/extents.js';
import { radii, shared, size, verify } from './shared.js';

const logo = record(() => ({
  url: text().describe('http:, https: or data:; within the service also asset:ID, a stored image'),
  size: number({ min: 0.1, max: 0.3 })
    .default(0.2)
    .describe('side of the picture, as a part of the code without its margin'),
  padding: size().default(0).describe('pixels around the picture'),
  borderRadius: radii()
    .prefault(0)
    .describe(
      'pixels: rounds the picture with its padding; one radius, an array of 1 to 4, or text such as "8px 16px"',
    ),
  backgroundColor: fill.optional().describe('behind the picture and its padding'),
}));

function sharedFields() {
  // its margin is another
  const { margin: _margin, ...fields } = shared();
  return fields;
}

export const qrcodeLayer = record(() => ({
  type: z.literal('qrcode'),
  ...sharedFields(),
  data: text().describe('what the code says, as UTF-8'),
  colorDark: fill.prefault('#000000'),
  colorLight: fill.prefault('#ffffff'),
  margin: number({ min: 0, max: 1000, whole: true }).default(4).describe('modules of quiet zone on each side'),
  errorCorrectionLevel: choice(['L', 'M', 'Q', 'H'])
    .default('M')
    .describe('about 7, 15, 25 or 30 per cent of the code may be lost'),
  borderRadius: radii()
    .prefault(0)
    .describe('pixels: rounds the box; one radius, an array of 1 to 4, or text such as "8px 16px"'),
  moduleShape: choice(['square', 'dot', 'rounded'])
    .default('square')
    .describe('of the modules; rounded ones join their neighbours'),
  eyeShape: choice(['square', 'rounded', 'circle']).default('square').describe('of the three finder patterns'),
  eyeColor: fill.optional().describe('of the finder patterns; colorDark'),
  logo: logo.optional().describe('a picture in the middle of the code, whose level must be Q or H'),
  verify,
}));

export type QrcodeLayer = Placed<z.output<typeof qrcodeLayer>>;

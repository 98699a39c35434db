// QR code layers.
import * as z from 'zod';
import { choice, number, record, text } from '../fields.js';
import { fill } from '../fill.js';
import { radii, shared } from './shared.js';

export const qrcodeLayer = record({
  type: z.literal('qrcode'),
  ...shared,
  data: text().describe('what the code says, as UTF-8'),
  colorDark: fill.prefault('#000000'),
  colorLight: fill.prefault('#ffffff'),
  margin: number({ min: 0, max: 1000, whole: true }).default(4).describe('modules of quiet zone on each side'),
  errorCorrectionLevel: choice(['L', 'M', 'Q', 'H'])
    .default('M')
    .describe('about 7, 15, 25 or 30 per cent of the code may be lost'),
  borderRadius: radii().prefault(0).describe('pixels: rounds the box; one radius, or an array of 1 to 4 as in CSS'),
});

export type QrcodeLayer = z.output<typeof qrcodeLayer>;

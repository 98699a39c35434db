// Schemas and types of `/v1/assets`: the pictures and fonts of a workspace.
import * as z from 'zod';
import { pageOf } from './response.js';

export const assetAnswer = z.object({
  id: z.string().describe('name it in url or customFontUrl as asset:ID'),
  kind: z.enum(['image', 'font']),
  mimeType: z.string().meta({ examples: ['image/png', 'font/ttf'] }),
  bytes: z.number().int().describe('size of the file'),
  width: z.number().int().optional().describe('pixels; images only'),
  height: z.number().int().optional().describe('pixels; images only'),
  family: z.string().optional().describe('what fontFamily may name; fonts only'),
  weight: z.number().optional().describe('100 to 900; fonts only'),
  style: z.enum(['normal', 'italic']).optional().describe('fonts only'),
  createdAt: z.string().meta({ format: 'date-time', description: 'when it was added' }),
});

export const assetPage = pageOf(assetAnswer);

export type AssetAnswer = z.output<typeof assetAnswer>;
export type AssetPage = z.output<typeof assetPage>;

// Schemas and types of `/v1/renders`: the render log.
import * as z from 'zod';
import { freeObject } from '../schema/fields.js';
import { pageOf } from './response.js';

export const renderEntry = z.object({
  id: z.string().describe('as in X-Service-Render-Id and renderId of the render’s answer'),
  time: z.string().meta({ format: 'date-time', description: 'when the render was answered' }),
  status: z.enum(['ok', 'failed']),
  code: z.string().optional().describe('of the error; failed entries only'),
  detail: z
    .object({ path: z.string(), message: z.string() })
    .optional()
    .describe('the first fault; failed entries only'),
  templateId: z.string().optional().describe('absent for a canvas'),
  templateVersion: z.number().int().optional().describe('the version that was drawn'),
  format: z.string().describe('of the picture'),
  width: z.number().describe('pixels; 0 if nothing was drawn'),
  height: z.number().describe('pixels; 0 if nothing was drawn'),
  durationMs: z.number().describe('render time on the server'),
  cpuMs: z
    .number()
    .int()
    .optional()
    .describe('milliseconds of processor time, also of a render that failed; absent if nothing was computed'),
  sizeBytes: z.number().describe('of the picture; 0 if nothing was drawn'),
  creditsCost: z.number().describe('0 for failed renders and for replays'),
  sha256: z.string().optional().describe('of the picture’s bytes, base64url, as in its ETag'),
  warnings: z.number().int().describe('how many there were'),
  keyId: z.string().describe('the API key of the request'),
  replayOf: z.string().optional().describe('the entry whose charge this replay used'),
  metadata: freeObject().optional().describe('as the request sent it'),
  variables: freeObject()
    .optional()
    .describe('as the request sent them, if the server keeps them (`LOG_VARIABLES`); never in a list'),
});

export const renderPage = pageOf(renderEntry);

export type RenderLogEntry = z.output<typeof renderEntry>;
export type RenderPage = z.output<typeof renderPage>;

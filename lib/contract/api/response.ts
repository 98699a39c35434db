// Schemas and types of the service's JSON answers: a rendered image, an error, the paywall, a page of a list.
import * as z from 'zod';
import { type DetailCode, FAULT_CODES, WARNING_CODES } from '../../detail-codes.js';
import type { ErrorCode } from '../../errors.js';
import { freeObject } from '../schema/fields.js';
import { ERRORS } from './errors.js';

const DETAIL_CODES = Object.keys({ ...FAULT_CODES, ...WARNING_CODES }) as DetailCode[];

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** An error or warning at a place in the payload. */
export const detail = z.object({
  code: z.enum(DETAIL_CODES).describe('for programs: stable, one of the table of codes in docs/warnings.md'),
  path: z.string().meta({ description: 'the place in the request', examples: ['layers[2].url'] }),
  layerId: z.string().optional().describe('the id that the layer was given'),
  message: z.string(),
  value: scalar.optional().describe('what was there, unless it is long, an object or a list'),
  expected: z
    .string()
    .optional()
    .meta({ description: 'what belongs there', examples: ['a number from 0 to 1'] }),
  suggestion: scalar.optional().describe('the nearest known name or value, if one is near'),
  column: z.string().optional().describe("the column of a batch's CSV that it is about"),
  more: z
    .number()
    .int()
    .optional()
    .describe('of the last detail when there are more than 20: how many faults it stands for'),
});

export const billing = z.object({
  creditsRemaining: z.number().describe('balance of the workspace after this render'),
  rendersRemaining: z.number().int().describe('how many renders that pays'),
  creditsCost: z.number(),
  watermarked: z.boolean(),
  isFreeTier: z.boolean(),
});

/** What a picture shows, in answers. */
export const alt = z
  .string()
  .describe(
    'what the picture shows, for those who don’t see it: its own alt, else at most 1,000 characters of its texts and its layers’ alt in drawing order; empty for decoration',
  );

export const renderResponse = z.object({
  success: z.literal(true),
  format: z.enum(['png', 'jpeg', 'webp', 'avif', 'svg', 'pdf']),
  width: z.number().int().describe('pixels'),
  height: z.number().int().describe('pixels'),
  alt,
  durationMs: z.number().describe('render time on the server'),
  sizeBytes: z.number().int().describe('of the encoded picture, before base64'),
  base64: z.string(),
  dataUrl: z.string().meta({ examples: ['data:image/png;base64,iVBORw0KGgo…'] }),
  billing,
  renderId: z.string().describe('id of the entry in the render log'),
  sha256: z.string().describe('of the file’s bytes, base64url'),
  pages: z.number().int().optional().describe('of a document'),
  metadata: freeObject().optional().describe('as it was sent'),
  warnings: z.array(detail).optional().describe('what is doubtful; absent when nothing is'),
});

const CODES = Object.keys(ERRORS) as ErrorCode[];

export const errorBody = z.object({
  success: z.literal(false),
  error: z.string().describe('for people; its wording may change'),
  code: z.enum(CODES).optional().describe('for programs; absent with status 400 of POST /v1/render'),
  details: z
    .array(detail)
    .optional()
    .describe(
      'the faults of the request: the first 20, those of different layers before several of one, and a count of the others',
    ),
  templates: z.array(z.string()).optional().describe('with asset_in_use: ids of the templates that name the asset'),
  requestId: z.string().optional().describe('with status 5xx, as in X-Request-Id'),
});

export const paywall = z.object({
  required: z.literal(true),
  reason: z.literal('CREDITS_EXHAUSTED'),
  balance: z.number(),
  rendersRemaining: z.number().int(),
  upgradeUrl: z.string().describe('the billing page of the dashboard, relative'),
  message: z.string(),
});

export const paywallBody = z.object({
  success: z.literal(false),
  error: z.string(),
  code: z.literal('credits_exhausted').optional().describe('absent from the answers of POST /v1/render'),
  paywall,
});

/** The answer of every list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item).describe('newest first'),
    nextCursor: z.string().nullable().describe('the cursor of the next page; null after the last'),
  });
}

export type Billing = z.output<typeof billing>;
export type RenderResponse = z.output<typeof renderResponse>;
export type ErrorBody = z.output<typeof errorBody>;
export type Paywall = z.output<typeof paywall>;
export type PaywallBody = z.output<typeof paywallBody>;

// What the service answers: the JSON form of a picture, the body of an error, the paywall. Types for those who write them.
import * as z from 'zod';
import { ERRORS, type ErrorCode } from '../errors.js';
import { freeObject } from './fields.js';

/** A place in the payload, and what is wrong or doubtful there. */
export const detail = z.object({
  path: z.string().meta({ examples: ['layers[2].url'] }),
  layerId: z.string().optional(),
  message: z.string(),
});

export const billing = z.object({
  /** The workspace's balance after this render. */
  creditsRemaining: z.number(),
  /** How many renders that balance still pays, rounded down. */
  rendersRemaining: z.number().int(),
  creditsCost: z.number(),
  watermarked: z.boolean(),
  isFreeTier: z.boolean(),
});

export const renderResponse = z.object({
  success: z.literal(true),
  format: z.enum(['png', 'jpeg', 'webp', 'avif']),
  /** Pixels. */
  width: z.number().int(),
  height: z.number().int(),
  durationMs: z.number(),
  /** Bytes of the encoded picture, before base64. */
  sizeBytes: z.number().int(),
  base64: z.string(),
  dataUrl: z.string().meta({ examples: ['data:image/png;base64,iVBORw0KGgo…'] }),
  billing,
  metadata: freeObject().optional(),
  /** Only when there are any. */
  warnings: z.array(detail).optional(),
});

/** The codes that the wire names; the contract answers the others without `code`. */
export const WIRE_CODES = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].wire);

export const errorBody = z.object({
  success: z.literal(false),
  error: z.string(),
  code: z.enum(WIRE_CODES).optional(),
  /** Every fault of the payload that is known. */
  details: z.array(detail).optional(),
  requestId: z.string().optional(),
});

export const paywall = z.object({
  required: z.literal(true),
  reason: z.literal('CREDITS_EXHAUSTED'),
  balance: z.number(),
  rendersRemaining: z.number().int(),
  /** The dashboard's billing page, relative. */
  upgradeUrl: z.string(),
  message: z.string(),
});

export const paywallBody = z.object({ success: z.literal(false), error: z.string(), paywall });

export type Billing = z.output<typeof billing>;
export type RenderResponse = z.output<typeof renderResponse>;
export type ErrorBody = z.output<typeof errorBody>;
export type Paywall = z.output<typeof paywall>;
export type PaywallBody = z.output<typeof paywallBody>;

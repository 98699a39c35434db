// Schemas and types of `/v1/brand`: the design of a workspace, which its templates and renders take. The service checks what is in
// tokens and themes as those of a payload.
import * as z from 'zod';
import { invalidRequest, issue } from '../messages/issues.js';
import { filledText, freeObject, isObject, record } from '../schema/fields.js';
import { parseWith } from '../schema/normalize.js';
import { themes, tokens } from '../template/data-schemas.js';

/** Largest brand as JSON, in bytes. */
export const MAX_BRAND_BYTES = 256 * 1024;
const MAX_FONTS = 50;
const MAX_FAMILY_LENGTH = 200;

const EXPECTED_FONTS = `an array of up to ${MAX_FONTS} names of font families`;

/** The body of `PUT /v1/brand`. */
export const brandRecord = record(() => ({
  tokens: tokens.default({}),
  themes: themes.default({}),
  fonts: z
    .array(filledText(MAX_FAMILY_LENGTH), { error: EXPECTED_FONTS })
    .max(MAX_FONTS, { error: EXPECTED_FONTS })
    .default([])
    .describe('names of the font families, the main one first'),
  logos: freeObject().default({}).describe('URLs of pictures by name: asset: and an id, or from the web'),
}));

/** The answer for a brand. */
export const brandAnswer = z.object({
  version: z.number().int().min(0).describe('1, 2, …; 0 for a workspace without a brand'),
  updatedAt: z
    .string()
    .nullable()
    .meta({ format: 'date-time', description: 'when this version was saved; null without a brand' }),
  tokens: freeObject().describe('colours, numbers and text styles by name'),
  themes: freeObject().describe('tokens by name of a theme'),
  fonts: z.array(z.string()).describe('names of the font families, the main one first'),
  logos: z.record(z.string(), z.string()).describe('URLs of pictures by name'),
});

/** What a workspace saves as its brand. */
export type BrandRecord = z.output<typeof brandRecord>;
export type BrandAnswer = z.output<typeof brandAnswer>;
/** The body of `PUT /v1/brand`; what is absent is empty. */
export type BrandInput = z.input<typeof brandRecord>;

/** A stored version of a brand; undefined if there is none. */
interface SavedBrand {
  readonly version: number;
  readonly createdAt: string;
  readonly record: unknown;
}

/** The answer for a brand. */
export function answerOf(brand: SavedBrand | undefined): BrandAnswer {
  const { version = 0, createdAt: updatedAt = null, record: saved = {} } = brand ?? {};
  const { tokens = {}, themes = {}, fonts = [], logos = {} } = saved as Partial<Omit<BrandAnswer, 'version'>>;
  return { version, updatedAt, tokens, themes, fonts, logos };
}

/** The brand in a body, without its unknown fields. Throws RenderError `invalid_request` with every fault of its shape. */
export function parseBrand(body: unknown): BrandRecord {
  const { data, details } = parseWith(brandRecord, body);
  if (data) return data;
  throw invalidRequest(isObject(body) ? details : [issue('', body, 'an object')]);
}

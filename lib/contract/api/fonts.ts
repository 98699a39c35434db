// Schema and types of `GET /v1/fonts`: the families that `fontFamily` may name.
import * as z from 'zod';

export const fontStyle = z.object({
  weight: z.number().describe('100 to 900; of a variable font, the weight that it has without settings'),
  style: z.enum(['normal', 'italic']),
  variable: z
    .literal(true)
    .optional()
    .describe('the file has axes, so that it serves other weights too; absent otherwise'),
});

export const fontCategory = z.enum(['sans-serif', 'serif', 'monospace', 'display', 'handwriting', 'symbol', 'other']);

export const font = z.object({
  family: z.string(),
  styles: z.array(fontStyle).describe('lightest first'),
  scripts: z
    .array(z.string())
    .describe('ISO 15924 codes of the scripts that it covers, the main one first')
    .meta({ examples: [['Latn', 'Cyrl', 'Grek']] }),
  category: fontCategory.describe('other: the file does not say'),
  sample: z.string().describe('a short text in the main script'),
  source: z.enum(['bundled', 'asset']).describe('bundled: every workspace has it; asset: added to this workspace'),
});

export const fontList = z.object({ items: z.array(font).describe('bundled families first') });

export type FontStyle = z.output<typeof fontStyle>;
export type FontCategory = z.output<typeof fontCategory>;
export type Font = z.output<typeof font>;
export type FontList = z.output<typeof fontList>;

// The zod schema of a mask: a gradient, or a picture. Its alpha says how much of the layer shows.
import * as z from 'zod';
import type { Gradient } from '../../raster/gradient/gradient.js';
import { choice, record, text } from '../schema/fields.js';
import { isGradientText, parseGradient } from './gradient.js';

const EXPECTED_GRADIENT = 'a CSS gradient such as linear-gradient(black, transparent)';

const gradient = z
  .string({ error: EXPECTED_GRADIENT })
  .transform((value, context): Gradient => {
    const parsed = isGradientText(value) ? parseGradient(value) : EXPECTED_GRADIENT;
    if (typeof parsed !== 'string') return parsed;
    context.addIssue({ code: 'custom', message: parsed });
    return z.NEVER;
  })
  .meta({ examples: ['linear-gradient(to right, black 60%, transparent)'] });

const picture = record(() => ({
  url: text().describe('http:, https: or data:; within the service also asset:ID, a stored image'),
  fit: choice(['cover', 'contain', 'fill']).default('cover'),
}));

export const maskImage = z.union([gradient, picture], {
  error: `${EXPECTED_GRADIENT}, or an object with the url of a picture`,
});

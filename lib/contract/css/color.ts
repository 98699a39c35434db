// The zod schema of a colour.
import * as z from 'zod';
import type { Color } from '../../raster/color.js';
import { colorHint, EXPECTED_COLOR, parseColor } from '../color/parse.js';

/** A colour string on the wire, a Color inside. */
export const color = z
  .string({ error: EXPECTED_COLOR })
  .transform((text, context): Color => {
    const parsed = parseColor(text);
    if (parsed) return parsed;
    context.addIssue({ code: 'custom', message: EXPECTED_COLOR, hint: colorHint(text) });
    return z.NEVER;
  })
  .meta({
    format: 'color',
    description: 'A CSS Color 4 colour in sRGB: hex, rgb(), rgba(), hsl(), hsla(), hwb(), a name, or transparent.',
  });

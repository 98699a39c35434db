// The zod schemas of colours and fills: a fill, which most colours of layers are, is a colour or a gradient.
import * as z from 'zod';
import type { Color } from '../../raster/color.js';
import type { Fill } from '../../raster/fill.js';
import { isGradientText, parseGradient } from './gradient.js';
import { colorHint, EXPECTED_COLOR, parseColor } from './parse-color.js';

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

const EXPECTED = `${EXPECTED_COLOR}, or a CSS gradient such as linear-gradient(90deg, #ff8800, teal 60%)`;

/** A colour or gradient string on the wire, a Fill inside. */
export const fill = z
  .string({ error: EXPECTED })
  .transform((text, context): Fill => {
    const isGradient = isGradientText(text);
    const parsed = isGradient ? parseGradient(text) : (parseColor(text) ?? EXPECTED);
    if (typeof parsed !== 'string') return parsed;
    context.addIssue({ code: 'custom', message: parsed, hint: isGradient ? undefined : colorHint(text) });
    return z.NEVER;
  })
  .meta({
    // editors show a swatch of it
    format: 'color',
    // the template editor offers gradients
    $comment: '<color> | <gradient>',
    description:
      'A CSS colour (hex, rgb(), rgba(), hsl(), hsla(), hwb(), a name, or transparent), or a CSS gradient: linear-gradient(), radial-gradient(), conic-gradient() or their repeating- forms.',
  });

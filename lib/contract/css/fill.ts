// The zod schema of a fill: what a layer's colours accept, a colour or a gradient.
import * as z from 'zod';
import type { Fill } from '../../raster/fill.js';
import { colorHint, EXPECTED_COLOR, parseColor } from '../color/parse.js';
import { isGradientText, parseGradient } from './gradient.js';

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

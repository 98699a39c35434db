// The lines of boxes: their styles, and which of them go together.
import * as z from 'zod';
import type { Detail } from '../../errors.js';
import { lazily } from '../json/lazily.js';
import { issue, joinPath } from '../messages/issues.js';
import { numbersHint } from '../messages/value-hints.js';
import { choice, expecting, number } from '../schema/fields.js';
import { bordersOf } from './border-fields.js';
import { MAX_COORDINATE } from './output-size.js';

/** Maximum lengths of a border's dash pattern. */
const MAX_DASH_LENGTHS = 32;
const EXPECTED_DASH = `an array of up to ${MAX_DASH_LENGTHS} lengths`;

/** The fields of a border that is not one solid line. */
export const lineStyle = lazily(() => ({
  style: choice(['solid', 'dashed', 'dotted', 'double'])
    .optional()
    .describe('that of CSS: dashes and dots are fitted to the length of the side; solid'),
  dash: z
    .array(
      number({ min: 0, max: MAX_COORDINATE }),
      expecting(EXPECTED_DASH, (input) => numbersHint(input, [2, MAX_DASH_LENGTHS])),
    )
    .max(MAX_DASH_LENGTHS, { error: EXPECTED_DASH })
    .optional()
    .describe('lengths of dashes and gaps in turn, in pixels; a solid line without'),
  dashOffset: number({ min: -MAX_COORDINATE, max: MAX_COORDINATE })
    .optional()
    .describe('pixels: where in the dash pattern the line begins; 0'),
  cap: choice(['butt', 'round', 'square']).optional().describe('the ends of dashes and open lines; butt'),
}));

/** The issues of lines that are dashed in two ways. `boxless`: why the layer has no box with sides, if it has none. */
export function borderIssues(
  layer: object,
  raw: Readonly<Record<string, unknown>>,
  path: string,
  boxless: string | undefined,
): Detail[] {
  return bordersOf(layer).flatMap(([name, { style = 'solid', dash }]) => {
    const at = joinPath(path, name);
    if (boxless !== undefined && name !== 'border') return [issue(at, raw[name], `nothing ${boxless}`)];
    if (style === 'solid') return [];
    if (boxless !== undefined) return [issue(joinPath(at, 'style'), style, `"solid" ${boxless}, or dash`)];
    return dash ? [issue(joinPath(at, 'dash'), dash, `nothing beside style "${style}"`)] : [];
  });
}

// The zod schema of SVG path data: text on the wire, a parsed path inside.
import * as z from 'zod';
import type { PathData } from '../../geometry/path.js';
import { isPathError, parsePathData } from '../../geometry/path-data.js';
import { text } from '../schema/fields.js';

/** Maximum length, in characters. */
const MAX_LENGTH = 500_000;

export const pathData = text(MAX_LENGTH)
  .transform((data, context): PathData => {
    const parsed = parsePathData(data);
    if (!isPathError(parsed)) return parsed;
    const found = data.slice(parsed.at, parsed.at + 10);
    const where = found === '' ? 'at the end' : `at character ${parsed.at + 1}, before ${JSON.stringify(found)}`;
    context.addIssue({ code: 'custom', message: `SVG path data, with ${parsed.expected} ${where}` });
    return z.NEVER;
  })
  .meta({ description: 'SVG path data: lines, curves and arcs of all commands.' });

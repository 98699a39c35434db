// The zod schema of a background: what backgroundColor accepts, one fill or several on top of each other.
import * as z from 'zod';
import { type Background, MAX_BACKGROUND_FILLS } from '../../raster/fill.js';
import type { FoundIssue } from '../messages/issues.js';
import { fill } from './fill.js';

const EXPECTED = `a CSS colour or gradient, or an array of 1 to ${MAX_BACKGROUND_FILLS} of them`;
const LIST = { error: EXPECTED };

/** A fill, or an array of fills of which the first is on top, as CSS background layers are. An array of one is that fill. */
export const background = z
  .union([fill, z.array(fill, LIST).min(1, LIST).max(MAX_BACKGROUND_FILLS, LIST)], {
    error(issue) {
      if (typeof issue.input !== 'string') return EXPECTED;
      // the union hides the fault that the schema of a single fill reports
      const fault = fill.safeParse(issue.input).error!.issues[0] as FoundIssue;
      issue.hint = fault.hint;
      return fault.message;
    },
  })
  .transform((value): Background => (Array.isArray(value) && value.length === 1 ? value[0] : value));

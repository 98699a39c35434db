// What vector documents need beside their layers: the field `document` of payloads and templates.
import type * as z from 'zod';
import { MAX_BLEED } from '../layers/output-size.js';
import { choice, flag, number, oneOrMore, record, text } from '../schema/fields.js';

/** Maximum length of a text about the document, in characters. */
const MAX_TEXT = 500;

const DATE =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?$/;

export const documentFields = record({
  rasterScale: number({ min: 0.5, max: 4 })
    .optional()
    .describe('pixels, per pixel of the image, of what only a picture can show; default 2'),
  text: choice(['outlines', 'live'])
    .optional()
    .describe('SVG: whether text is outlines, the same everywhere, or text that can be selected, in embedded fonts'),
  idPrefix: text()
    .regex(/^[A-Za-z][\w-]*$/, { error: 'a letter, then letters, digits, _ or -' })
    .max(64, { error: 'at most 64 characters' })
    .optional()
    .describe('SVG: begins every id, so that two files can be in one page; default: a hash of the payload'),
  bleed: number({ min: 0, max: MAX_BLEED })
    .optional()
    .describe('PDF: pixels around the canvas that layers are painted in, too; default 0'),
  cropMarks: flag().optional().describe('PDF: whether marks around the bleed say where to cut'),
  conformance: oneOrMore(
    choice(['pdf/a-2u', 'pdf/ua-1']),
    [1, 2],
    '"pdf/a-2u", "pdf/ua-1", or an array of both',
    () => undefined,
  )
    .optional()
    .describe('PDF: standards for archives and for accessibility that it is made to; what can’t conform is an error'),
  title: text(MAX_TEXT).optional().describe('default: the name of the template'),
  author: text(MAX_TEXT).optional(),
  subject: text(MAX_TEXT).optional(),
  keywords: text(MAX_TEXT).optional(),
  date: text()
    .regex(DATE, { error: 'a date of ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z' })
    .optional()
    .describe('PDF: when it was made; none by default, so that the same payload makes the same bytes'),
});

/** Fields of a document without their defaults: those of a request replace the template's one by one. */
export type DocumentFields = z.output<typeof documentFields>;

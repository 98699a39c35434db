// What vector documents need beside their layers: the field `document` of payloads and templates.
import type * as z from 'zod';
import { choice, number, record, text } from '../schema/fields.js';

/** Maximum length of a text about the document, in characters. */
const MAX_TEXT = 500;

export const documentFields = record({
  text: choice(['outlines', 'live'])
    .optional()
    .describe('SVG: glyphs as paths (the default), or text that can be selected'),
  rasterScale: number({ min: 0.5, max: 4 })
    .optional()
    .describe('pixels, per pixel of the image, of what only a picture can show; default 2'),
  idPrefix: text()
    .regex(/^[A-Za-z][\w-]*$/, { error: 'a letter, then letters, digits, _ or -' })
    .max(64, { error: 'at most 64 characters' })
    .optional()
    .describe('SVG: begins every id, so that two files can be in one page; default: a hash of the payload'),
  title: text(MAX_TEXT).optional().describe('default: the name of the template'),
});

/** Fields of a document without their defaults: those of a request replace the template's one by one. */
export type DocumentFields = z.output<typeof documentFields>;

// The fields of payloads and templates that lib/data reads. It checks what is in them.
import { isLanguageTag } from '../../locale/tag.js';
import { MAX_ALT_LENGTH } from '../layers/limits.js';
import { filledText, freeObject, text } from '../schema/fields.js';

/** What a locale has to be. */
export const EXPECTED_LOCALE = 'a language tag such as de-CH';

export const variables = freeObject().describe('declared variables by name: the name of a type, or an object with it');
export const components = freeObject().describe(
  'groups of layers by name, each with params, that component layers draw',
);
export const tokens = freeObject().describe('colours, numbers and text styles by name, for var(--name) and style');
export const themes = freeObject().describe('tokens by name of a theme, which replace others of the same names');
export const theme = filledText().describe('the name of one of the themes');
export const pictureAlt = text(MAX_ALT_LENGTH).describe(
  'what the picture shows, for those who don’t see it, in place of its texts; stored in the file; "" marks decoration',
);
export const locale = text()
  .refine(isLanguageTag, { error: EXPECTED_LOCALE })
  .describe('the language tag of the reader, for functions such as number and date, and the language of documents');

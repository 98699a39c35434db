// The fields of payloads and templates that lib/data reads. It checks what is in them.
import { filledText, freeObject } from '../schema/fields.js';

export const variables = freeObject().describe('declared variables by name: the name of a type, or an object with it');
export const components = freeObject().describe(
  'groups of layers by name, each with params, that component layers draw',
);
export const tokens = freeObject().describe('colours, numbers and text styles by name, for var(--name) and style');
export const themes = freeObject().describe('tokens by name of a theme, which replace others of the same names');
export const theme = filledText().describe('the name of one of the themes');

// The template's form, which the build inserts (scripts/form-schema.mjs).
import { type FormField, formFields } from './controls.js';

declare const TEMPLATE_FORM: string;

let fields: readonly FormField[] | undefined;

export function templateFields(): readonly FormField[] {
  fields ??= formFields(JSON.parse(TEMPLATE_FORM), 'template');
  return fields;
}

// The form of the template, as the build gives it (scripts/form-schema.mjs).
import { type FormField, formFields } from './controls.js';

declare const TEMPLATE_FORM: string;

let fields: readonly FormField[] | undefined;

export function templateFields(): readonly FormField[] {
  fields ??= formFields(JSON.parse(TEMPLATE_FORM), 'template');
  return fields;
}

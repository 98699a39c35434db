// The forms of layers and the font families that they offer, which the build inserts (scripts/form-schema.mjs).
import type { Schema } from '../../../json/schema.js';
import { type FormField, type FormName, formFields } from './controls.js';

declare const LAYER_FORMS: string;

export interface FontFamily {
  readonly family: string;
  /** CSS weights of the upright faces, ascending. */
  readonly weights: readonly number[];
  readonly italics: readonly number[];
  /** Whether it exists for characters that other families lack. */
  readonly isFallback?: boolean;
}

declare const FONT_FAMILIES: string;

/** The families bundled with the renderer. */
export const bundledFamilies: readonly FontFamily[] = JSON.parse(FONT_FAMILIES);

const schema: Schema = JSON.parse(LAYER_FORMS);

const forms = new Map<FormName, readonly FormField[]>();

/** The fields of a layer's form, created when it is first shown. */
export function fieldsOfLayer(name: FormName): readonly FormField[] {
  const fields = forms.get(name) ?? formFields(schema, name);
  forms.set(name, fields);
  return fields;
}

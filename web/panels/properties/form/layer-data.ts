// The forms of layers and the families of fonts that they offer, as the build gives them (scripts/form-schema.mjs).
import type { Schema } from '../../../json/schema.js';
import { type FormField, type FormName, formFields } from './controls.js';

declare const LAYER_FORMS: string;

export interface FontFamily {
  readonly family: string;
  /** CSS weights of the upright faces, ascending. */
  readonly weights: readonly number[];
  readonly italics: readonly number[];
  /** Whether it is there for characters that other families lack. */
  readonly isFallback?: boolean;
}

declare const FONT_FAMILIES: string;

/** The families that are bundled with the renderer. */
export const bundledFamilies: readonly FontFamily[] = JSON.parse(FONT_FAMILIES);

const schema: Schema = JSON.parse(LAYER_FORMS);

const forms = new Map<FormName, readonly FormField[]>();

/** The fields of a layer's form, made when it is first shown. */
export function fieldsOfLayer(name: FormName): readonly FormField[] {
  const fields = forms.get(name) ?? formFields(schema, name);
  forms.set(name, fields);
  return fields;
}

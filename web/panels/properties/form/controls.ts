// Derives the control of a field from the schemas of its value.
import { choicesOf, type Field, fieldsOf, type Schema, schemasAt } from '../../../json/schema.js';
import { inWords } from './words.js';

export interface NumberControl {
  readonly kind: 'number';
  readonly least?: number | undefined;
  readonly most?: number | undefined;
  /** A bound that the number must exceed. */
  readonly above?: number | undefined;
  readonly isWhole: boolean;
  /** Words that may replace the number: `auto`. */
  readonly words: readonly string[];
  /** Units that the number may have, which makes the value a text: `50%`. */
  readonly units: readonly string[];
}

export type Control =
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | NumberControl
  | { readonly kind: 'color'; readonly takesGradients: boolean }
  | { readonly kind: 'text'; readonly format?: string | undefined }
  /** An object, which is added and removed as a whole if it is optional. */
  | { readonly kind: 'group'; readonly fields: readonly FormField[] }
  | { readonly kind: 'list'; readonly item: Control; readonly least: number; readonly most: number }
  | { readonly kind: 'tuple'; readonly items: readonly Control[] }
  /** A single value, or a list of such values. */
  | { readonly kind: 'oneOrMore'; readonly item: Control; readonly most: number }
  | { readonly kind: 'oneOf'; readonly controls: readonly Control[] }
  /** An object with arbitrary keys. */
  | { readonly kind: 'map'; readonly item: Control }
  /** Any other value, edited as JSON. */
  | { readonly kind: 'json' };

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly control: Control;
  readonly isRequired: boolean;
  /** The default that applies without the field. */
  readonly standard?: unknown;
}

export const FORMS = ['text', 'image', 'qrcode', 'barcode', 'shape', 'table', 'group', 'template'] as const;
export type FormName = (typeof FORMS)[number];

export const isFormName = (name: unknown): name is FormName => FORMS.includes(name as FormName);

/** Returns the fields of a form in the schema that the build makes (scripts/form-schema.mjs). */
export function formFields(root: Schema, name: FormName): readonly FormField[] {
  const form = root.definitions?.[name];
  return form ? fieldsIn(root, [form]) : [];
}

const fieldsIn = (root: Schema, schemas: readonly Schema[]): FormField[] =>
  fieldsOf(root, schemas).map((field) => formField(root, field));

function formField(root: Schema, { name, schemas, isRequired }: Field): FormField {
  const standard = schemas.find((schema) => schema.default !== undefined)?.default;
  const hint = schemas.find(({ description }) => description !== undefined)?.description;
  return { name, label: inWords(name), hint, control: controlOf(root, schemas), isRequired, standard };
}

const expanded = (root: Schema, schema: Schema): Schema[] => schemasAt(root, schema, []);

const isNumeric = ({ type }: Schema): boolean => type === 'number' || type === 'integer';
const isText = (schema: Schema): boolean => schema.type === 'string' && choicesOf(schema).length === 0;
const isChoice = (schema: Schema): boolean => schema.type !== 'boolean' && choicesOf(schema).length > 0;

export function controlOf(root: Schema, schemas: readonly Schema[]): Control {
  const numbers = schemas.filter(isNumeric);
  const texts = schemas.filter(isText);
  const choices = schemas.filter(isChoice).flatMap((schema) => choicesOf(schema).map(String));
  const isScalar = numbers.length + texts.length + schemas.filter(isChoice).length === schemas.length;
  if (numbers.length > 0 && isScalar && texts.every(({ pattern }) => pattern !== undefined)) {
    return numberControl(numbers, texts, choices);
  }
  if (schemas.length > 1) return alternatives(root, schemas);
  const [schema] = schemas;
  if (!schema) return { kind: 'json' };
  if (schema.type === 'boolean') return { kind: 'switch' };
  if (choices.length > 0) return { kind: 'choice', choices };
  if (schema.type === 'string') return textControl(schema);
  if (schema.type === 'array') return listControl(root, schema);
  if (schema.properties) return { kind: 'group', fields: fieldsIn(root, [schema]) };
  if (typeof schema.additionalProperties === 'object') {
    return { kind: 'map', item: controlOf(root, expanded(root, schema.additionalProperties)) };
  }
  return { kind: 'json' };
}

function numberControl(numbers: readonly Schema[], texts: readonly Schema[], words: readonly string[]): NumberControl {
  const [{ type, minimum, maximum, exclusiveMinimum }] = numbers;
  const units = texts.flatMap(({ pattern = '' }) => /(%|px)\$$/.exec(pattern)?.[1] ?? []);
  return {
    kind: 'number',
    least: minimum,
    most: maximum,
    above: exclusiveMinimum,
    isWhole: type === 'integer',
    words,
    units,
  };
}

function textControl({ format }: Schema): Control {
  if (format === 'color' || format === 'fill') return { kind: 'color', takesGradients: format === 'fill' };
  return { kind: 'text', format };
}

function listControl(root: Schema, { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Schema): Control {
  if (!items) return { kind: 'json' };
  if ('length' in items) {
    return { kind: 'tuple', items: items.map((item) => controlOf(root, expanded(root, item))) };
  }
  return { kind: 'list', item: controlOf(root, expanded(root, items)), least: minItems, most: maxItems };
}

/** Whether the schema is text that abbreviates a list: `8px 16px`. */
const isShorthand = ({ type, pattern }: Schema): boolean => type === 'string' && pattern !== undefined;

function alternatives(root: Schema, schemas: readonly Schema[]): Control {
  const hasList = schemas.some(({ type }) => type === 'array');
  const controls = schemas
    .filter((schema) => !hasList || !isShorthand(schema))
    .map((schema) => controlOf(root, [schema]));
  const [one, list] = controls;
  if (controls.length === 2 && list?.kind === 'list' && JSON.stringify(list.item) === JSON.stringify(one)) {
    return { kind: 'oneOrMore', item: one!, most: list.most };
  }
  return { kind: 'oneOf', controls };
}

/** Whether a control can show a value. */
export function fits(control: Control, value: unknown): boolean {
  switch (control.kind) {
    case 'switch':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number' || (typeof value === 'string' && control.words.includes(value));
    case 'choice':
      return typeof value === 'string' && control.choices.includes(value);
    case 'color':
    case 'text':
      return typeof value === 'string';
    case 'list':
    case 'tuple':
      return Array.isArray(value);
    case 'group':
    case 'map':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'oneOrMore':
      return Array.isArray(value) || fits(control.item, value);
    case 'oneOf':
      return control.controls.some((each) => fits(each, value));
    case 'json':
      return true;
  }
}

/** Returns a value for a new field if nothing better is known: the required parts, as small as possible. */
export function initialValue(control: Control): unknown {
  switch (control.kind) {
    case 'switch':
      return true;
    case 'number':
      return Math.max(0, control.least ?? 0, control.above === undefined ? 0 : control.above + 1);
    case 'choice':
      return control.choices[0];
    case 'color':
      return '#000000';
    case 'text':
      return '';
    case 'list':
      return Array.from({ length: Math.min(control.least, 4) }, () => initialValue(control.item));
    case 'tuple':
      return control.items.map(initialValue);
    case 'group':
      return Object.fromEntries(
        control.fields.filter(({ isRequired }) => isRequired).map((field) => [field.name, initialValue(field.control)]),
      );
    case 'oneOrMore':
      return initialValue(control.item);
    case 'oneOf':
      return control.controls[0] && initialValue(control.controls[0]);
    case 'map':
    case 'json':
      return {};
  }
}

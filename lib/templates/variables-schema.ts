// The variables of a template as a JSON Schema: those it declares, its hotspots, and the names in its strings.
import { isObject } from '../contract/schema/fields.js';
import { recordUsesData } from '../contract/template/data-fields.js';
import { declarationOf } from '../contract/template/declaration.js';
import { listHotspots } from '../contract/template/record-strings.js';
import { checkData } from '../data/check.js';

type Json = Readonly<Record<string, unknown>>;

const SCALARS = ['string', 'number', 'boolean', 'null'];
/** Layers without a text, a URL or data, which objects alone fill. */
const WITHOUT_MAIN = ['shape', 'group'];

/** The schema of an object with the variables of a template's record, which is valid. */
export function variablesSchema(record: Json): Json {
  const declared = isObject(record.variables) ? record.variables : {};
  const properties = new Map<string, Json>();
  const required: string[] = [];
  for (const [name, raw] of Object.entries(declared)) {
    const declaration = declarationOf(raw);
    properties.set(name, schemaOf(declaration));
    if (isRequired(declaration)) required.push(name);
  }
  for (const { key, label, type } of listHotspots(record)) {
    if (!properties.has(key)) properties.set(key, { title: label, type: typesOf(type) });
  }
  if (recordUsesData(record)) {
    const { names } = checkData(record, { isTemplate: record.placeholders === true });
    for (const name of names) if (!properties.has(name)) properties.set(name, {});
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...(typeof record.name === 'string' && { title: record.name }),
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

const typesOf = (type: string) => (WITHOUT_MAIN.includes(type) ? ['object', 'null'] : [...SCALARS, 'object']);

const isRequired = (declaration: Json): boolean =>
  declaration.required === true && (declaration.default === undefined || declaration.default === null);

function schemaOf(declaration: Json): Json {
  const { label, description, default: standard, sample } = declaration;
  return {
    ...(typeof label === 'string' && { title: label }),
    ...(typeof description === 'string' && { description }),
    ...typeOf(declaration),
    ...(standard !== undefined && standard !== null && { default: standard }),
    ...(sample !== undefined && sample !== null && { examples: [sample] }),
  };
}

function typeOf(declaration: Json): Json {
  switch (declaration.type) {
    case 'number':
      return { type: 'number', ...bounds(declaration, 'minimum', 'maximum') };
    case 'boolean':
      return { type: 'boolean' };
    case 'enum':
      return { enum: declaration.values };
    case 'date':
      return { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] };
    case 'image':
      return { type: 'string', format: 'uri-reference' };
    case 'array': {
      const { of } = declaration;
      const items = of === undefined || of === null ? {} : { items: schemaOf(declarationOf(of)) };
      return { type: 'array', ...items, ...bounds(declaration, 'minItems', 'maxItems') };
    }
    case 'object':
      return objectOf(declaration);
    default:
      return { type: 'string', ...bounds(declaration, 'minLength', 'maxLength') };
  }
}

function objectOf({ fields }: Json): Json {
  const entries = Object.entries(isObject(fields) ? fields : {}).map(
    ([name, raw]) => [name, declarationOf(raw)] as const,
  );
  const required = entries.filter(([, field]) => isRequired(field)).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, schemaOf(field)])),
    ...(required.length > 0 && { required }),
  };
}

function bounds({ min, max }: Json, least: string, most: string): Json {
  return {
    ...(min !== undefined && min !== null && { [least]: min }),
    ...(max !== undefined && max !== null && { [most]: max }),
  };
}

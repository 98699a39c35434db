// Rewrites generated JSON Schemas so that one mistake gives one error, in ajv and in editors: alternatives are chosen by `if`
// before they are checked, what repeats is written once, and there are only formats of the standard.

type Json = Record<string, unknown>;

const isSchema = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same schema with `change` made in each schema in it, from the inside out. */
function mapSchemas(schema: Json, change: (schema: Json) => Json): Json {
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === 'properties' && isSchema(value)) {
      const fields = Object.entries(value).map(([name, field]) => [name, mapSchemas(field as Json, change)]);
      return [key, Object.fromEntries(fields)];
    }
    if (key === 'default' || key === 'const' || key === 'enum' || key === 'examples') return [key, value];
    if (Array.isArray(value)) return [key, value.map((each) => (isSchema(each) ? mapSchemas(each, change) : each))];
    return [key, isSchema(value) ? mapSchemas(value, change) : value];
  });
  return change(Object.fromEntries(entries));
}

/** Formats of JSON Schema; others are noted in `$comment`, where editors of ours read them. */
const FORMATS: readonly unknown[] = ['uri', 'date-time', 'email', 'regex'];

/** Drops the type of listed text: a value of another type would cause a second error. */
function withoutRepeatedType({ type, ...schema }: Json): Json {
  return schema.enum === undefined || type === undefined ? { ...(type !== undefined && { type }), ...schema } : schema;
}

function withStandardFormat({ format, ...schema }: Json): Json {
  if (format === undefined) return schema;
  return FORMATS.includes(format) ? { format, ...schema } : { $comment: `<${format}>`, ...schema };
}

/** The schema by which `then` is chosen for an object whose `field` is `value`, or which has the field. */
export function when(field: string, value?: string): Json {
  const condition = value === undefined ? {} : { const: value };
  return { type: 'object', properties: { [field]: condition }, required: [field] };
}

/** The schema that is `chosen` for values that match `condition`, and is the `other` for others. */
export function choose(condition: Json, chosen: Json | boolean, other?: Json): Json {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: condition, then: chosen, ...(other && { else: other }) };
}

/** Whether an alternative may be meant by a value: an object by its constant, text by what it lists, others by their type. */
function conditionOf({ type, enum: values, const: only, properties }: Json): Json | undefined {
  const constant = isSchema(properties) && isSchema(properties.type) ? properties.type.const : undefined;
  if (typeof constant === 'string') return when('type', constant);
  if (Array.isArray(values)) return { enum: values };
  if (only !== undefined) return { const: only };
  return type === undefined ? undefined : { type };
}

/** Alternatives as a chain of `if`; the last one is that of all other values, so that its error says what is expected. */
function chain(branches: readonly Json[], conditions: readonly (Json | undefined)[]): Json {
  const [first, ...others] = branches;
  const [condition, ...rest] = conditions;
  if (first === undefined || others.length === 0 || condition === undefined) return first ?? {};
  return choose(condition, first, chain(others, rest));
}

/** Numbers last, since text in place of a number is the common mistake; what text lists before what it matches. */
const RANKS = ['object', 'array', 'string', 'boolean', 'integer', 'number'];
function rank({ type, enum: values, if: condition }: Json): number {
  // alternatives within take what the others leave
  if (condition !== undefined) return Number.POSITIVE_INFINITY;
  return RANKS.indexOf(String(type)) * 2 + (values === undefined ? 1 : 0);
}

function withoutAlternatives(schema: Json): Json {
  const { anyOf, oneOf, ...rest } = schema;
  const branches = (anyOf ?? oneOf) as Json[] | undefined;
  if (!branches || branches.some(({ $ref }) => $ref !== undefined)) return schema;
  const ordered = [...branches].sort((a, b) => rank(a) - rank(b));
  return { ...rest, ...chain(ordered, ordered.map(conditionOf)) };
}

/** Characters of JSON. Shorter schemas are not worth a reference. */
const MIN_SHARED = 60;
/** The names of what several schemas share start with this: short, since there are more than a thousand references. */
export const SHARED = 's-';

/** The definitions, with references in place of schemas that occur several times. */
function shareRepeated(definitions: Readonly<Record<string, Json>>): Record<string, Json> {
  const counts = new Map<string, number>();
  const count = (schema: Json): Json => {
    const text = JSON.stringify(schema);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return schema;
  };
  for (const definition of Object.values(definitions)) mapSchemas(definition, count);
  const shared = new Map<string, { readonly name: string; readonly schema: Json }>();
  const refer = (schema: Json, original: Json): Json => {
    const text = JSON.stringify(original);
    if (text.length < MIN_SHARED || (counts.get(text) ?? 0) < 2) return schema;
    const { name } = shared.get(text) ?? { name: `${SHARED}${shared.size + 1}` };
    shared.set(text, { name, schema });
    return { $ref: `#/definitions/${name}` };
  };
  const replaced = (schema: Json, isWhole: boolean): Json => {
    const inner = Object.fromEntries(
      Object.entries(schema).map(([key, value]): [string, unknown] => {
        if (key === 'properties') {
          const fields = Object.entries(value as Json).map(([name, field]) => [name, replaced(field as Json, false)]);
          return [key, Object.fromEntries(fields)];
        }
        // the conditions and what is short stay readable where they are
        if (key === 'if' || !isSchema(value) || key === 'default') return [key, value];
        return [key, replaced(value, false)];
      }),
    );
    return isWhole ? inner : refer(inner, schema);
  };
  const result = Object.fromEntries(Object.entries(definitions).map(([name, each]) => [name, replaced(each, true)]));
  return { ...result, ...Object.fromEntries([...shared.values()].map(({ name, schema }) => [name, schema])) };
}

/** A list of layers by their `type`: the definition of each, and one error for a type that is none of them. */
export function byType(names: Readonly<Record<string, string>>): Json {
  const types = Object.keys(names);
  return {
    type: 'object',
    properties: { type: { enum: types } },
    required: ['type'],
    allOf: Object.entries(names).map(([type, name]) => choose(when('type', type), { $ref: `#/definitions/${name}` })),
  };
}

/** Fields of layers that are no expressions. */
const NAMES: readonly string[] = ['type', 'id', 'name', 'key', 'label', 'component', 'layers'];
const EXPRESSION = 'Expression';
const EXPRESSION_SCHEMA: Json = { type: 'string', pattern: '\\{\\{=|var\\(--' };
/** Fields of layers that data decides on (docs/data.md). */
const DATA_FIELDS: Json = {
  each: {
    description: 'a list: the layer is drawn for each of its entries',
    ...choose({ $ref: `#/definitions/${EXPRESSION}` }, true, {
      type: 'object',
      properties: {
        in: { type: 'string', description: 'an expression that gives the list' },
        as: { type: 'string', description: 'the name of an entry', default: 'item' },
        index: { type: 'string', description: 'the name of its index, from 0', default: 'i' },
        max: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
      },
      required: ['in'],
    }),
  },
  else: { type: 'array', items: { type: 'object' }, description: 'layers in place of an empty list' },
  when: { type: 'string', description: 'in a group with switch: whether this layer is its choice' },
  switch: { type: 'boolean', description: 'of a group: whether it draws the first layer whose when holds' },
  style: { type: 'string', description: 'the name of a token whose fields the layer has' },
};

/** The schema of an object whose fields may be expressions. */
function withExpressions(schema: Json): Json {
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === 'properties') {
      const fields = Object.entries(value as Json).map(([name, field]) => {
        const inner = withExpressions(name === 'spans' ? styledItems(field as Json) : (field as Json));
        return [name, NAMES.includes(name) ? field : orExpression(inner)];
      });
      return [key, Object.fromEntries(fields)];
    }
    if (key === 'if' || !isSchema(value)) return [key, value];
    const inner = withExpressions(value);
    return [key, key === 'items' && value.properties === undefined ? orExpression(inner) : inner];
  });
  return Object.fromEntries(entries);
}

/** The schema of spans, which may have a style. */
function styledItems({ items, ...list }: Json): Json {
  const { properties, ...item } = items as { readonly properties: Json };
  return { ...list, items: { ...item, properties: { ...properties, style: DATA_FIELDS.style } } };
}

function orExpression(schema: Json): Json {
  const { description, default: fallback, ...rest } = schema;
  const isOpen =
    Object.keys(rest).length <= 1 && !('enum' in rest) && (rest.type === undefined || rest.type === 'string');
  if (isOpen) return schema;
  const notes = {
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
  };
  return { ...notes, ...choose({ $ref: `#/definitions/${EXPRESSION}` }, true, rest) };
}

/** The schema of a layer that data may fill. Its style may have the fields that it requires. */
function dataLayer(layer: Json): Json {
  const { required, ...schema } = withExpressions(layer);
  const names = (required ?? []) as string[];
  const all = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])), required: names };
  const needs = choose(when('style'), true, all);
  return {
    ...schema,
    properties: { ...(schema.properties as Json), ...DATA_FIELDS },
    ...(names.length > 0 && needs),
  };
}

/** The schema of a size, in whose overrides expressions stand as in layers. What it has in common with them is written once. */
function withDynamicOverrides(size: Json): Json {
  const { layers, ...fields } = size.properties as { readonly layers: Json };
  const overrides = withExpressions(layers.additionalProperties as Json);
  return { ...size, properties: { ...fields, layers: { ...layers, additionalProperties: overrides } } };
}

/** The schema of a component's place: a group's, but for its layers. */
function componentLayer(group: Json): Json {
  const { layers: _, type: __, ...fields } = group.properties as Json;
  const properties = {
    type: { const: 'component' },
    component: { type: 'string' },
    props: { type: 'object' },
    ...fields,
  };
  return { ...group, properties, required: ['type', 'component'] };
}

/** The definitions rewritten as the header of this file says. `isLayer`: which of them are layers. */
export function editorDefinitions(
  definitions: Readonly<Record<string, Json>>,
  isLayer: (name: string) => boolean,
): Record<string, Json> {
  const all = { ...definitions, ComponentLayer: componentLayer(definitions.GroupLayer) };
  const rewritten = Object.entries(all).map(([name, definition]) => {
    const one = mapSchemas(definition, (schema) =>
      withoutAlternatives(withoutRepeatedType(withStandardFormat(schema))),
    );
    if (name === 'TemplateSize') return [name, withDynamicOverrides(one)];
    return [name, isLayer(name) && one.properties !== undefined && !('allOf' in one) ? dataLayer(one) : one];
  });
  return shareRepeated({ ...Object.fromEntries(rewritten), [EXPRESSION]: EXPRESSION_SCHEMA });
}

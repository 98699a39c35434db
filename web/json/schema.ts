// Reads the JSON Schema of payloads for completion and hints: which schemas apply to a value, and their descriptions.

export interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  /** The condition of an alternative: a value may match the schemas of both branches. */
  readonly if?: unknown;
  readonly then?: Schema | boolean;
  readonly else?: Schema | boolean;
  /** A format that JSON Schema lacks, such as `<color>`. */
  readonly $comment?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** A tuple has a list of schemas. */
  readonly items?: Schema | readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: boolean | Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** An object or array on the way from the root to a place: its scalar fields, and the key that leads on. */
export interface Step {
  readonly key: string | number;
  /** Fields of the object; scalar ones have their values. */
  readonly fields: ReadonlyMap<string, unknown>;
}

/** Finds the schemas of the value at the end of `steps`, with references and alternatives resolved. */
export function schemasAt(root: Schema, start: Schema, steps: readonly Step[]): Schema[] {
  let schemas = expand(root, [start]);
  for (const { key, fields } of steps) {
    const stepped = matching(root, schemas, fields, typeof key === 'string' ? key : undefined).flatMap((schema) =>
      typeof key === 'number' ? itemsOf(schema, key) : memberOf(schema, key),
    );
    schemas = expand(root, stepped);
  }
  return schemas;
}

function itemsOf({ items = [] }: Schema, index: number): Schema | readonly Schema[] {
  if ('length' in items) return items[index] ?? [];
  return items;
}

function memberOf({ properties = {}, additionalProperties }: Schema, key: string): Schema | [] {
  if (Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === 'object' ? additionalProperties : [];
}

function expand(root: Schema, schemas: readonly Schema[]): Schema[] {
  return schemas.flatMap((schema) => {
    if (schema.$ref !== undefined) {
      const named = root.definitions?.[schema.$ref.replace(/^#\/definitions\//, '')];
      // the description beside a reference is more specific than its target's
      return named
        ? expand(root, [named]).map((each) =>
            schema.description === undefined ? each : { ...each, description: schema.description },
          )
        : [];
    }
    const chosen = schema.if === undefined ? undefined : branchesOf(schema);
    // what an `if` adds to an object are the fields that it requires
    if (chosen && schema.properties) {
      const { if: _, then: __, else: ___, ...object } = schema;
      const required = expand(root, chosen).flatMap((each) => each.required ?? []);
      return [{ ...object, required: [...(schema.required ?? []), ...required] }];
    }
    const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? chosen;
    if (!branches) return [schema];
    const { description, default: standard } = schema;
    return expand(root, branches).map((each) => ({
      ...each,
      ...(description !== undefined && { description }),
      ...(standard !== undefined && { default: standard }),
    }));
  });
}

/** The branches of an `if` that say something of the value: `true` does not. */
const branchesOf = ({ then = true, else: other = true }: Schema): Schema[] =>
  [then, other].filter((each) => typeof each === 'object');

/**
 * Selects the schemas that an object with these fields may be meant to match: no constant differs (a layer's `type`), and they
 * know most of its fields. The field `edited`, whose value is being written, doesn't count.
 */
export function matching(
  root: Schema,
  schemas: readonly Schema[],
  fields: ReadonlyMap<string, unknown>,
  edited?: string,
): Schema[] {
  const open = schemas.filter(({ properties = {} }) =>
    [...fields].every(([key, value]) => {
      if (key === edited || value === undefined || !Object.hasOwn(properties, key)) return true;
      const constants = expand(root, [properties[key]]).flatMap((schema) =>
        schema.const === undefined ? [] : [schema.const],
      );
      return constants.length === 0 || constants.includes(value);
    }),
  );
  const known = ({ properties = {} }: Schema) =>
    [...fields.keys()].filter((key) => Object.hasOwn(properties, key)).length;
  const most = Math.max(0, ...open.map(known));
  return open.filter((schema) => known(schema) === most);
}

/** The values that a schema lists. */
export function choicesOf(schema: Schema): readonly unknown[] {
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum) return schema.enum;
  return schema.type === 'boolean' ? [true, false] : [];
}

export interface Field {
  readonly name: string;
  /** The alternatives. */
  readonly schemas: readonly Schema[];
  readonly isRequired: boolean;
}

/** Collects the fields of several schemas by name. A field is required if all schemas that have it require it. */
export function fieldsOf(root: Schema, schemas: readonly Schema[]): Field[] {
  const found = new Map<string, { schemas: Schema[]; isRequired: boolean }>();
  for (const { properties = {}, required = [] } of schemas) {
    for (const [name, schema] of Object.entries(properties)) {
      const field = found.get(name) ?? { schemas: [], isRequired: true };
      field.schemas.push(...expand(root, [schema]));
      field.isRequired &&= required.includes(name);
      found.set(name, field);
    }
  }
  return [...found].map(([name, field]) => ({ name, ...field }));
}

/** Describes a type: `number, 0 to 1`, `"png" | "jpeg"`, `object`. */
export function typeText(schemas: readonly Schema[]): string {
  return [...new Set(schemas.map(typeOf))].filter((text) => text !== '').join(' | ');
}

function typeOf(schema: Schema): string {
  const choices = choicesOf(schema);
  if (schema.type !== 'boolean' && choices.length > 0) return choices.map((each) => JSON.stringify(each)).join(' | ');
  const type = formatOf(schema) ?? [schema.type ?? []].flat().join(' | ');
  return [type, boundsOf(schema)].filter((part) => part !== '').join(', ');
}

/** Names the format: `color` for `<color> | <gradient>`. */
function formatOf({ format, $comment }: Schema): string | undefined {
  return format ?? /^<([\w-]+)>/.exec($comment ?? '')?.[1];
}

function boundsOf({ type, ...schema }: Schema): string {
  if (type === 'string') return schema.maxLength === undefined ? '' : `at most ${schema.maxLength} characters`;
  if (type !== 'number' && type !== 'integer') return '';
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const least = exclusiveMinimum === undefined ? minimum : `more than ${exclusiveMinimum}`;
  const most = exclusiveMaximum === undefined ? maximum : `less than ${exclusiveMaximum}`;
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  if (minimum !== undefined && most === undefined) return `at least ${minimum}`;
  if (maximum !== undefined && least === undefined) return `at most ${maximum}`;
  return [least, most].filter((part) => part !== undefined).join(', ');
}

export interface Hint {
  readonly name: string;
  readonly type: string;
  readonly standard?: string;
  readonly descriptions: readonly string[];
}

/** Describes a field in words, as its schemas say. */
export function hintOf(name: string, schemas: readonly Schema[]): Hint {
  const standard = schemas.find((schema) => schema.default !== undefined)?.default;
  return {
    name,
    type: typeText(schemas),
    ...(standard !== undefined && { standard: JSON.stringify(standard) }),
    descriptions: [...new Set(schemas.flatMap(({ description }) => description ?? []))],
  };
}

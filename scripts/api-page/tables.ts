// Renders the schemas of the OpenAPI document as HTML tables of fields. A nested object gets a separate table.

export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: SchemaFields;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly maxLength?: number;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
}

export type SchemaFields = Readonly<Record<string, Schema>>;

/** A parameter of the OpenAPI document; that of a header is a reference. */
export interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly example?: string;
}

/** The fields that are identical in all schemas. */
export function commonFields([first, ...others]: readonly Schema[]): SchemaFields {
  const shared = Object.entries(first.properties ?? {}).filter(([name, field]) =>
    others.every(({ properties }) => JSON.stringify(properties?.[name]) === JSON.stringify(field)),
  );
  return Object.fromEntries(shared);
}

/** Tables of a schema's fields and of its nested objects. `id`: the anchor of the table. */
export function fieldTables(id: string, schema: Schema, title = id): string {
  const fields = Object.entries(schema.properties ?? {});
  const rows = fields.map(([name, field]) => [
    `<code>${escapeHtml(name)}</code>`,
    typeOf(field, `${id}.${name}`),
    defaultOf(field, schema.required?.includes(name) ?? false),
    escapeHtml(field.description ?? ''),
  ]);
  const tables = fields.flatMap(([name, field]) => {
    const object = objectIn(field);
    return object ? [fieldTables(`${id}.${name}`, object, `${title}: ${name}`)] : [];
  });
  const head = `<h3 id="${escapeHtml(id)}">${escapeHtml(title)}</h3>`;
  return head + table(['Field', 'Type', 'Default', 'Meaning'], rows) + tables.join('');
}

/** The object that a field takes, alone, in a list, or in a list of lists. */
function objectIn(schema: Schema): Schema | undefined {
  if (schema.properties) return schema;
  const kinds = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])];
  return kinds.map(objectIn).find((object) => object !== undefined);
}

/** Renders a schema: its fields, or its alternatives. */
export function schemaTables(id: string, schema: Schema): string {
  if (schema.properties) return fieldTables(id, schema);
  return `<h3 id="${escapeHtml(id)}">${escapeHtml(id)}</h3><p>${typeOf(schema)}</p>`;
}

/** Renders a table. `rows` contains cells as HTML. On a narrow screen each cell is a line with its column's name. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (html: string, i: number) =>
    html === '' ? '<td></td>' : `<td data-column="${columns[i]}">${html}</td>`;
  const body = rows.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`);
  const head = columns.map((name) => `<th scope="col">${name}</th>`);
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

export function link(id: string, text: string): string {
  return `<a href="#${escapeHtml(id)}">${escapeHtml(text)}</a>`;
}

function defaultOf(field: Schema, isRequired: boolean): string {
  if (field.default !== undefined) return `<code>${escapeHtml(JSON.stringify(field.default))}</code>`;
  return isRequired ? 'required' : '';
}

/** Renders a type. `id` is the anchor of the table for the object that the schema is or names. */
export function typeOf(schema: Schema, id?: string): string {
  if (schema.$ref) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return link(name, name);
  }
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.enum) return schema.enum.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(', ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => typeOf(choice, id)).join(' or ');
  if (schema.items) return `array of ${typeOf(schema.items, id)}`;
  if (schema.properties && id !== undefined) return link(id, 'object');
  const type = schema.format ?? [schema.type ?? 'any'].flat().join(' or ');
  return escapeHtml([type, rangeOf(schema)].filter((part) => part !== '').join(', '));
}

/** A number with its thousands apart; one of many digits with an exponent. */
const count = (value: number) =>
  (Math.abs(value) < 1e15 ? value.toLocaleString('en-US') : String(value)).replace('-', '−');

/** The bounds of a number or a string, as text. */
function rangeOf({ minimum, maximum, exclusiveMinimum, maxLength }: Schema): string {
  if (maxLength !== undefined) return `up to ${count(maxLength)} characters`;
  if (exclusiveMinimum !== undefined) {
    const from = `more than ${count(exclusiveMinimum)}`;
    return maximum === undefined ? from : `${from}, up to ${count(maximum)}`;
  }
  if (minimum !== undefined && maximum !== undefined) return `${count(minimum)} to ${count(maximum)}`;
  if (minimum !== undefined) return `${count(minimum)} or more`;
  return maximum === undefined ? '' : `up to ${count(maximum)}`;
}

// A readable page of the API, made from the OpenAPI document: one static page without script, style or link from outside.
import { openapi } from '../contract/openapi.js';
import type { Answer } from './answer.js';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
}

interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1f2937}
table{border-collapse:collapse;width:100%;margin:.5rem 0 2rem}th,td{border:1px solid #d1d5db;padding:.3rem .6rem;text-align:left;vertical-align:top}
th{background:#f3f4f6}code{font-family:ui-monospace,monospace;font-size:.9em}h2{margin-top:2.5rem}`;

export function docsAnswer(): Answer {
  const body = new TextEncoder().encode(docsPage(openapi() as unknown as Document));
  return {
    status: 200,
    headers: new Map([
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"],
    ]),
    body,
    length: body.length,
  };
}

/** The page as HTML. */
export function docsPage({ info, paths, components }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationSection(path, method, operation)),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema));
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(info.title)} API</title><style>${STYLE}</style>
<h1>${escapeHtml(info.title)} API ${escapeHtml(info.version)}</h1><p>${escapeHtml(info.description ?? '')}</p>
<p>The same as <a href="/openapi.json">OpenAPI 3.1</a>.</p>${operations.join('')}${schemas.join('')}</html>`;
}

function operationSection(path: string, method: string, { summary, description, responses }: Operation): string {
  const rows = Object.entries(responses).map(
    ([status, { description: text }]) => `<tr><td>${escapeHtml(status)}</td><td>${escapeHtml(text ?? '')}</td></tr>`,
  );
  return `<h2><code>${escapeHtml(method.toUpperCase())} ${escapeHtml(path)}</code></h2><p>${escapeHtml(summary ?? '')}</p>
<p>${escapeHtml(description ?? '')}</p><table><tr><th>Status</th><th>Meaning</th></tr>${rows.join('')}</table>${headersTable(responses['200'])}`;
}

/** The headers of a picture's answer. */
function headersTable({ headers = {} }: Response = {}): string {
  const rows = Object.entries(headers).map(
    ([name, { description = '' }]) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(description)}</td></tr>`,
  );
  return rows.length === 0
    ? ''
    : `<table><tr><th>Header of a picture</th><th>Meaning</th></tr>${rows.join('')}</table>`;
}

function schemaSection(name: string, schema: Schema): string {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return '';
  const rows = fields.map(([field, value]) => {
    const required = schema.required?.includes(field) ? 'yes' : '';
    const fallback = value.default === undefined ? '' : `<code>${escapeHtml(JSON.stringify(value.default))}</code>`;
    return `<tr><td><code>${escapeHtml(field)}</code></td><td>${typeOf(value)}</td><td>${required}</td><td>${fallback}</td></tr>`;
  });
  return `<h2 id="${escapeHtml(name)}">${escapeHtml(name)}</h2><table><tr><th>Field</th><th>Type</th><th>Required</th><th>Default</th></tr>${rows.join('')}</table>`;
}

function typeOf(schema: Schema): string {
  if (schema.$ref) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`;
  }
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.enum) return schema.enum.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(', ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(' or ');
  if (schema.items) return `array of ${typeOf(schema.items)}`;
  const bounds = [schema.minimum, schema.maximum].map((bound) => (bound === undefined ? '' : String(bound)));
  const range = bounds.some((bound) => bound !== '') ? ` ${bounds[0]}–${bounds[1]}` : '';
  return escapeHtml(`${[schema.type ?? 'any'].flat().join(' or ')}${range}`);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

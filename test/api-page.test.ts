// docs/api.md: it has every operation with its parameters, answers, fields and examples. types.test.ts
// checks the types of the TypeScript.
// UPDATE=1 rewrites the examples, which come from scripts/api-page/snippets.ts, and still fails.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ERRORS } from '../lib/contract/api/errors.js';
import { OPERATIONS } from '../lib/contract/api/operations/index.js';
import { COMMON_ERRORS, errorsOf, KEY_ERRORS } from '../lib/contract/api/operations/operation.js';
import { openapi } from '../lib/contract/openapi.js';
import type { ErrorCode } from '../lib/errors.js';
import { LANGUAGES, SETUP, type Snippets, snippetsOf } from '../scripts/api-page/snippets.js';
import { ROOT } from './checkout.js';
import { rowsUnder } from './tables.js';

const PATH = join(ROOT, 'docs/api.md');
let page = readFileSync(PATH, 'utf8');
const FENCE = /^```(\w+)\n([\s\S]*?)^```$/gm;

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly schema: { readonly default?: unknown };
  readonly required?: boolean;
}
interface Document {
  readonly paths: Record<string, Record<string, { readonly parameters?: readonly Parameter[] }>>;
  readonly components: {
    readonly parameters: Record<string, Parameter>;
    readonly schemas: Record<string, { readonly properties: object }>;
  };
}
const document = openapi() as unknown as Document;

/** The part of the page under a heading of any level, as far as the next heading. */
function partUnder(heading: string): string {
  return page.split(/^(?=#+ )/m).find((part) => part.replace(/^#+ /, '').startsWith(`${heading}\n`)) ?? '';
}

function rewriteExamples(heading: string, snippets: Snippets): void {
  const part = partUnder(heading);
  const byFence = new Map<string, string>(LANGUAGES.map(({ id, fence }) => [fence, snippets[id]]));
  const rewritten = part.replace(FENCE, (_all, fence, text) => `\`\`\`${fence}\n${byFence.get(fence) ?? text}\`\`\``);
  page = page.replace(part, () => rewritten);
}

t.test('has the examples of every operation', async (t) => {
  const all: [string, Snippets][] = [
    ['Calling it', SETUP],
    ...OPERATIONS.map((operation): [string, Snippets] => [operation.summary, snippetsOf(operation)]),
  ];
  for (const [heading, snippets] of all) {
    const found = Array.from(partUnder(heading).matchAll(FENCE), ([, fence, text]) => [fence, text]);
    t.same(
      found,
      LANGUAGES.map(({ id, fence }) => [fence, snippets[id]]),
      heading,
    );
    if (process.env.UPDATE) rewriteExamples(heading, snippets);
  }
  if (process.env.UPDATE) writeFileSync(PATH, page);
});

for (const operation of OPERATIONS) {
  t.test(`has the parameters and answers of ${operation.id}`, async (t) => {
    const { method, path, scope, summary, answers } = operation;
    const part = partUnder(summary);
    t.match(part, `\n\`${method} ${path}\`, ${scope ? `scope \`${scope}\`` : 'any valid key'}. `);
    const { parameters = [] } = document.paths[path][method.toLowerCase()];
    const expected = parameters
      .map((each) => (each.$ref ? document.components.parameters[each.$ref.split('/').at(-1)!] : each))
      .map(({ name, schema, required }) => [
        name === 'metadata' ? '`metadata.NAME`' : `\`${name}\``,
        schema.default === undefined ? (required ? 'required' : 'none') : `\`${schema.default}\``,
      ]);
    const rows = rowsUnder(page, summary);
    t.same(
      rows.filter((cells) => cells.length === 5).map(([name, , , fallback]) => [name, fallback]),
      expected,
    );
    // the render's 400 and 402 have no code, except the 400 for its query and headers
    const isSent = (code: ErrorCode) => operation.id !== 'render' || ERRORS[code].wire || code === 'invalid_request';
    const codes = errorsOf(operation).filter(
      (code) => !COMMON_ERRORS.includes(code) && !KEY_ERRORS.includes(code) && isSent(code),
    );
    const listed = rows
      .filter(([status, ...cells]) => /^\d{3}$/.test(status) && cells.length === 1)
      .flatMap(([status, text]) => Array.from(text.matchAll(/`(\w+)`/g), ([, code]) => `${status} ${code}`))
      .filter((line) => line.replace(/^\d+ /, '') in ERRORS);
    t.same(listed.sort(), codes.map((code) => `${ERRORS[code].status} ${code}`).sort());
    for (const { status } of answers) t.match(part, `\n| ${status} | `);
  });
}

t.test('has every field of the objects', async (t) => {
  for (const name of [
    'Inspection',
    'InspectedLayer',
    'InspectedLine',
    'BatchPicture',
    'BatchFailure',
    'BatchSummary',
    'RenderEntry',
    'Template',
    'TemplateVersion',
    'TemplateVariable',
    'Asset',
    'Brand',
    'Workspace',
    'Error',
  ]) {
    const fields = Object.keys(document.components.schemas[name].properties);
    // the last part of this name: a section of operations may have the same
    const part = page.slice(page.indexOf('## Objects'));
    const rows = rowsUnder(part, name).map(([field]) => field.replaceAll('`', ''));
    t.same(rows, fields, name);
  }
});

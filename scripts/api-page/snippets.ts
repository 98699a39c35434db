// The examples of every operation in curl, TypeScript and Python, for GET /docs and docs/api.md. Their ids are placeholders.
import { TEMPLATE_ID } from '../../lib/contract/api/operations/examples.js';
import type { Operation, OperationBody } from '../../lib/contract/api/operations/operation.js';

/** Languages in the order of the documentation. `fence` is that of Markdown. */
export const LANGUAGES = [
  { id: 'curl', title: 'curl', fence: 'sh' },
  { id: 'typescript', title: 'TypeScript', fence: 'ts' },
  { id: 'python', title: 'Python', fence: 'python' },
] as const;

export type SnippetLanguage = (typeof LANGUAGES)[number]['id'];
export type Snippets = Readonly<Record<SnippetLanguage, string>>;

/** Code that comes once before the examples of a language. */
export const SETUP: Snippets = {
  curl: `export PLATEN_URL=http://127.0.0.1:8080
export PLATEN_KEY=svc_live_…
`,
  // a list of lines: a test reads the import lines of this file
  typescript: [
    "import { readFile, writeFile } from 'node:fs/promises';",
    "import { createClient, PlatenError } from 'platen/client';",
    '',
    "const { PLATEN_URL = '', PLATEN_KEY = '' } = process.env;",
    'const client = createClient({ baseUrl: PLATEN_URL, apiKey: PLATEN_KEY });',
    '',
  ].join('\n'),
  python: `import json
import os
import urllib.request


def call(method, path, body=None, headers={}):
    """Sends one request. Returns the parsed JSON, or the bytes of any other answer."""
    is_file = isinstance(body, bytes)
    request = urllib.request.Request(
        os.environ["PLATEN_URL"] + path,
        method=method,
        data=body if is_file or body is None else json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["PLATEN_KEY"],
            "Content-Type": "application/octet-stream" if is_file else "application/json",
            **headers,
        },
    )
    with urllib.request.urlopen(request) as response:
        answer = response.read()
        is_json = response.headers.get_content_type() == "application/json"
        return json.loads(answer) if is_json else answer
`,
};

/** Text in the examples that the reader replaces. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/templates\/\{id\}/, '/v1/templates/TEMPLATE_ID'],
  [/^\/v1\/renders\/\{id\}/, '/v1/renders/RENDER_ID'],
  [/^\/v1\/assets\/\{id\}/, '/v1/assets/ASSET_ID'],
  [/\{n\}/, '1'],
];

/** The file that the example of an upload sends. */
export const EXAMPLE_FILE = 'logo.png';
const IMAGE_FILE = 'hello.png';
const DOCUMENT_FILE = 'hello.svg';

/** The file that an answer becomes. */
function fileOf({ isPicture, isDocument }: Operation['answers'][number]): string | undefined {
  return isPicture ? IMAGE_FILE : isDocument ? DOCUMENT_FILE : undefined;
}

export function snippetsOf(operation: Operation): Snippets {
  return { curl: curlOf(operation), typescript: TYPESCRIPT[operation.id], python: pythonOf(operation) };
}

function targetOf({ path, exampleQuery }: Operation): string {
  const named = PLACEHOLDERS.reduce((text, [pattern, name]) => text.replace(pattern, name), path);
  return exampleQuery === undefined ? named : `${named}?${exampleQuery}`;
}

const MAX_LINE = 90;

/** JSON whose short values share lines, as people write it. */
export function formatJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
  if (indent.length + line.length <= MAX_LINE || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => formatJson(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${formatJson(item, inner)}`);
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1) ?? '';
    const joined = `${last}, ${part}`;
    if (lines.length === 0 || joined.includes('\n') || inner.length + joined.length > MAX_LINE) lines.push(part);
    else lines[lines.length - 1] = joined;
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.map((each) => inner + each).join(',\n')}\n${indent}${close}`;
}

/** The body of the example. */
function exampleOf({ example }: OperationBody): string {
  return formatJson(example).replaceAll(TEMPLATE_ID, 'TEMPLATE_ID');
}

function curlOf(operation: Operation): string {
  const { method, body, exampleHeaders = {}, answers } = operation;
  const verb = method === 'GET' || (method === 'POST' && body) ? '' : ` -X ${method}`;
  const isFile = body?.mediaType === 'application/octet-stream';
  const output = fileOf(answers[0]);
  const type = isFile ? 'application/octet-stream' : 'application/json';
  const headers = [...Object.entries(exampleHeaders), ...(body ? [['Content-Type', type]] : [])];
  const lines = [
    `curl --fail-with-body${verb} "$PLATEN_URL${targetOf(operation)}"`,
    '-H "Authorization: Bearer $PLATEN_KEY"',
    ...headers.map(([name, value]) => `-H '${name}: ${value}'`),
    ...(isFile ? [`--data-binary @${EXAMPLE_FILE}`] : body ? [`-d '${exampleOf(body)}'`] : []),
    ...(output ? [`-o ${output}`] : []),
  ];
  return `${lines.join(' \\\n  ')}\n`;
}

function pythonOf(operation: Operation): string {
  const { method, body, exampleHeaders, answers } = operation;
  const isFile = body?.mediaType === 'application/octet-stream';
  const read = isFile ? `with open("${EXAMPLE_FILE}", "rb") as file:\n    content = file.read()\n` : '';
  const content = isFile ? 'content' : body ? exampleOf(body) : undefined;
  const pairs = Object.entries(exampleHeaders ?? {}).map(([name, value]) => `"${name}": ${pythonText(value)}`);
  const args = [
    `"${method}"`,
    `"${targetOf(operation)}"`,
    ...(content === undefined ? [] : [content]),
    ...(pairs.length > 0 ? [`headers={${pairs.join(', ')}}`] : []),
  ];
  const called = `call(${args.join(', ')})`;
  if (answers[0].streams) return `for line in ${called}.splitlines():\n    print(json.loads(line))\n`;
  const output = fileOf(answers[0]);
  if (output) return `image = ${called}\nwith open("${output}", "wb") as file:\n    file.write(image)\n`;
  return answers[0].schema === undefined ? `${called}\n` : `${read}print(${called})\n`;
}

function pythonText(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

/** Examples by operation; the test that runs them checks them against the client's types. */
const TYPESCRIPT: Readonly<Record<string, string>> = {
  render: `const { bytes } = await client.render(
  {
    canvas: { width: 600, height: 315, backgroundColor: '#14213d' },
    layers: [
      { type: 'text', text: 'Hello', x: 40, y: 40, width: 520, height: 235, fontSize: 64, color: '#ffffff' },
    ],
  },
  { idempotencyKey: 'order-42' },
);
await writeFile('${IMAGE_FILE}', bytes);
`,
  renderDocument: `const { bytes } = await client.renderDocument(
  {
    canvas: { width: 600, height: 315, backgroundColor: '#14213d' },
    layers: [
      { type: 'text', text: 'Hello', x: 40, y: 40, width: 520, height: 235, fontSize: 64, color: '#ffffff' },
    ],
    format: 'svg',
  },
  { idempotencyKey: 'order-43' },
);
await writeFile('${DOCUMENT_FILE}', bytes);
`,
  inspect: `const { layers } = await client.inspect({
  canvas: { width: 600, height: 315, backgroundColor: '#14213d' },
  layers: [
    { type: 'text', text: 'Hello', x: 40, y: 40, width: 520, height: 235, fontSize: 64, color: '#ffffff' },
  ],
});
for (const { path, inkBox, lines = [], overflow } of layers) console.log(path, inkBox, lines.length, overflow);
`,
  renderBatch: `const rows = [
  { name: 'ada', variables: { title: 'Hello Ada' } },
  { name: 'grace', variables: { title: 'Hello Grace' } },
];
const options = { idempotencyKey: 'greetings-7' };
for await (const row of client.batch({ templateId: 'TEMPLATE_ID', rows }, options)) {
  console.log(row.name, row.success ? row.sizeBytes : row.error);
  if (row.success) await writeFile(\`\${row.name}.png\`, row.bytes);
}
`,
  listRenders: `for await (const { id, format, sizeBytes } of client.renders.list({ status: 'ok', limit: 10 })) {
  console.log(id, format, sizeBytes);
}
`,
  getRender: `console.log(await client.renders.get('RENDER_ID'));
`,
  listTemplates: `for await (const { id, name, version } of client.templates.list({ limit: 10 })) {
  console.log(id, name, version);
}
`,
  createTemplate: `const template = await client.templates.create({
  name: 'Event card',
  width: 1200,
  height: 630,
  background: { color: '#0f172a' },
  hotspots: [
    {
      key: 'title',
      label: 'Title',
      type: 'text',
      x: 60,
      y: 80,
      width: 1080,
      height: 200,
      text: 'A title',
      fontSize: 72,
      color: '#ffffff',
    },
  ],
});
console.log(template.id);
`,
  getTemplate: `const { version, record } = await client.templates.get('TEMPLATE_ID');
console.log(version, record);
`,
  getTemplateSchema: `const { properties } = await client.templates.schema('TEMPLATE_ID');
console.log(properties);
`,
  replaceTemplate: `const { version } = await client.templates.replace(
  'TEMPLATE_ID',
  { name: 'Event card', width: 1200, height: 630, background: { color: '#0f172a' }, hotspots: [] },
  { ifMatch: 1 },
);
console.log(version);
`,
  deleteTemplate: `await client.templates.delete('TEMPLATE_ID');
`,
  listTemplateVersions: `for await (const { version, createdAt } of client.templates.versions('TEMPLATE_ID')) {
  console.log(version, createdAt);
}
`,
  getTemplateVersion: `const { record } = await client.templates.version('TEMPLATE_ID', 1);
console.log(record);
`,
  restoreTemplateVersion: `const { version } = await client.templates.restore('TEMPLATE_ID', 1);
console.log(version);
`,
  publishTemplateVersion: `const { publishedVersion } = await client.templates.publish('TEMPLATE_ID', 1);
console.log(publishedVersion);
`,
  addAsset: `const { id } = await client.assets.add(await readFile('${EXAMPLE_FILE}'));
console.log(\`asset:\${id}\`);
`,
  listAssets: `for await (const { id, kind, bytes } of client.assets.list()) {
  console.log(id, kind, bytes);
}
`,
  getAsset: `console.log(await client.assets.get('ASSET_ID'));
`,
  deleteAsset: `await client.assets.delete('ASSET_ID');
`,
  getBrand: `const { tokens, fonts } = await client.brand.get();
console.log(tokens, fonts);
`,
  replaceBrand: `const { version: latest, updatedAt: _, ...brand } = await client.brand.get();
const tokens = { ...brand.tokens, brand: '#7c3aed' };
const saved = await client.brand.replace({ ...brand, tokens }, { ifMatch: latest });
console.log(saved.version);
`,
  listFonts: `const { items } = await client.fonts();
console.log(items.map(({ family, scripts }) => \`\${family}: \${scripts}\`));
`,
  getWorkspace: `const { balance, rendersRemaining } = await client.workspace();
console.log(balance, rendersRemaining);
`,
};

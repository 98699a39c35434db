// The package's types accept sound payloads, and name the mistakes in others; the TypeScript of the documents compiles.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import ts from 'typescript';
import { OPERATIONS } from '../lib/contract/api/operations/index.js';
import { SETUP, snippetsOf } from '../scripts/api-page/snippets.js';
import { ROOT } from './checkout.js';
import { snippets } from './tables.js';

const folder = t.testdir({});

/** The sources of all programs, by name: checked together, they share the checks of the package. */
const sources = new Map<string, string>();
let program: ts.Program | undefined;

const pathOf = (name: string) => join(folder, `${name}.ts`);

/** The errors in a program; of unused names too, if it may not have any. */
function compile(name: string, isStrict = false): string[] {
  if (program === undefined) {
    for (const [each, source] of sources) writeFileSync(pathOf(each), source);
    const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
    const paths = { platen: [join(ROOT, 'lib/index.ts')], 'platen/client': [join(ROOT, 'lib/client/index.ts')] };
    const typeRoots = [join(ROOT, 'node_modules/@types')];
    const roots = [...sources.keys()].map(pathOf);
    program = ts.createProgram(roots, { ...options, typeRoots, paths });
  }
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(pathOf(name)))
    .filter(({ reportsUnnecessary }) => isStrict || !reportsUnnecessary)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

sources.set(
  'sound',
  `
import {
  type BarcodeLayer, createRenderer, type Hotspot, type ImageLayer, type Layer, listFonts, parsePayload, type Payload, type QrcodeLayer, RenderError,
  type RenderResult, render, type ShapeLayer, type Template, type TextLayer, validate, type Variables,
} from 'platen';

const box = { x: 0, y: 0, width: 10, height: 10 };
// defaults may be left out
const text: TextLayer = { type: 'text', text: 'a', ...box };
const image: ImageLayer = { type: 'image', url: 'a.png', ...box, border: {} };
const code: QrcodeLayer = { type: 'qrcode', data: 'a', ...box };
const bars: BarcodeLayer = { type: 'barcode', symbology: 'ean13', data: '590123412345', ...box };
const shape: ShapeLayer = { type: 'shape', shapeType: 'pill', ...box, fillColor: 'red' };
const layers: Layer[] = [text, image, code, bars, shape];
const card: Payload = { $schema: './schema.json', canvas: { width: 1, height: 1 }, layers, format: 'jpg', metadata: { a: null, b: [1] } };
const fixed = {
  canvas: { width: 1, height: 1 },
  layers: [{ type: 'text', text: 'a', x: 0, y: 0, width: 1, height: 1, fontWeight: 650, shadow: { blur: 2 } }],
} as const satisfies Payload;
const hotspot: Hotspot = { key: 'title', label: 'Title', type: 'text', ...box };
const template: Template = { name: 'a', width: 1, height: 1, hotspots: [hotspot] };
const inPlace: Template = { name: 'a', width: 1, height: 1, layers: [shape, { key: 'photo', type: 'image', ...box }] };
const variables: Variables = { title: 'a', a: 1, b: true, c: null, d: { text: 'x', fontSize: 12 }, e: { url: 'a' } };

const results: Promise<RenderResult>[] = [
  render(card), render(fixed, { format: 'webp' }), render(template, { variables }), render(inPlace),
  createRenderer().render(JSON.parse('{}')), render(parsePayload(JSON.parse('{}') as unknown)),
];
const { valid, details, warnings } = validate({});
const paths: string[] = [...details, ...warnings].map(({ path }) => path);
const families: string[] = listFonts().map(({ family }) => family);
const isRender: boolean = new Error() instanceof RenderError || valid;
// @ts-expect-error a misspelt field
render({ canvas: { widht: 1, height: 1 }, layers: [] });
// @ts-expect-error a misspelt field of a layer
createRenderer().inspect({ canvas: { width: 1, height: 1 }, layers: [{ ...text, fontsize: 1 }] });
// @ts-expect-error a value of unknown type
render({} as unknown);
// @ts-expect-error the library has no such code
new RenderError('overloaded', 'a');
`,
);

const canvas = 'canvas: { width: 1, height: 1 }';
const box = 'x: 0, y: 0, width: 1, height: 1';
const wrong = [
  ['Payload', `{ ${canvas} }`, /layers/],
  ['Payload', `{ ${canvas}, layers: [{ type: 'text', text: 'a', fontsize: 1, ${box} }] }`, /'fontsize' does not exist/],
  ['Payload', `{ ${canvas}, layers: [{ type: 'txt', text: 'a', ${box} }] }`, /"txt"/],
  ['Payload', `{ ${canvas}, layers: [], format: 'gif' }`, /"gif"/],
  ['TextLayer', `{ type: 'text', text: 'a', x: 0, y: 0, width: 1 }`, /'height' is missing/],
  ['ImageLayer', `{ type: 'image', url: 'a', fit: 'crop', ${box} }`, /"crop"/],
  ['ShapeLayer', `{ type: 'shape', shapeType: 'pill', border: { with: 1 }, ${box} }`, /'with' does not exist/],
  ['QrcodeLayer', `{ type: 'qrcode', data: 1, ${box} }`, /'number' is not assignable to type 'string'/],
  ['BarcodeLayer', `{ type: 'barcode', symbology: 'qr', data: '1', ${box} }`, /"qr"/],
  ['Template', `{ name: 'a', width: 1, hotspots: [] }`, /'height' is missing/],
  ['Hotspot', `{ type: 'text', label: 'a', ${box} }`, /'key' is missing/],
  ['Variables', `{ title: { txt: 'a' } }`, /'txt' does not exist/],
] as const;
sources.set(
  'wrong',
  wrong.map(([type, value], i) => `export const v${i}: import('platen').${type} = ${value};`).join('\n'),
);

sources.set(
  'client',
  `
import { type Client, createClient, type RenderedImage, type RenderedJson, type TemplateSummary } from 'platen/client';

const client: Client = createClient({ baseUrl: new URL('http://a.example'), apiKey: 'a', timeoutMs: 1 });
const canvas = { width: 1, height: 1 } as const;
const image: Promise<RenderedImage> = client.render({ canvas, layers: [], metadata: { order: 42 } });
const json: Promise<RenderedJson> = client.render({ templateId: 'a', templateVersion: 2 }, { responseType: 'json' });
const templates: AsyncIterable<TemplateSummary> = client.templates.list({ limit: 1 });
const values = client.render({ templateId: 'a', variables: { title: 'a', photo: { url: 'a' }, price: null } });
// @ts-expect-error a picture has no base64
image.then(({ base64 }) => base64);
// @ts-expect-error height is missing
client.render({ canvas: { width: 1 }, layers: [] });
// @ts-expect-error a misspelt field
client.render({ templateID: 'a' });
// @ts-expect-error no layer type
client.render({ canvas, layers: [{ type: 'txt', x: 0, y: 0, width: 1, height: 1 }] });
// @ts-expect-error the version is a number
client.templates.replace('a', { name: 'a', width: 1, height: 1 }, { ifMatch: '1' });
// @ts-expect-error no status
client.renders.list({ status: 'lost' });
`,
);

const typescript = snippets().filter(({ language }) => language === 'ts');
for (const { name, code } of typescript) sources.set(name, code);

const page = readFileSync(join(ROOT, 'docs/api.md'), 'utf8');
const [, client] = /^#+ The client\n[\s\S]*?^```ts\n([\s\S]*?)^```$/m.exec(page) ?? [];
const examples = [...OPERATIONS.map((operation) => snippetsOf(operation).typescript), client];
for (const [i, code] of examples.entries()) sources.set(`example-${i}`, SETUP.typescript + code);

t.test('the client has the types of the schemas', async (t) => {
  t.same(compile('client'), []);
});

t.test('sound programs compile', async (t) => {
  t.same(compile('sound'), []);
});

t.test('mistakes are named', async (t) => {
  const said = compile('wrong');
  t.equal(said.length, wrong.length, said.join('\n'));
  for (const [i, [type, value, message]] of wrong.entries()) t.match(said[i], message, `${type} = ${value}`);
});

t.test('the TypeScript of the documents compiles', async (t) => {
  t.ok(typescript.length >= 6, `${typescript.length} snippets`);
  for (const { name, place } of typescript) t.same(compile(name, true), [], place);
  for (const [i, code] of examples.entries()) t.same(compile(`example-${i}`), [], code);
});

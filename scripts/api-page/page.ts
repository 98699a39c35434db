// Generates the API's page from the OpenAPI document: one static page without external resources. Its script sends the forms.
import { ERRORS } from '../../lib/contract/api/errors.js';
import { linkedImage } from '../../lib/contract/api/operations/images.js';
import { OPERATIONS } from '../../lib/contract/api/operations/index.js';
import type { Operation as ApiOperation } from '../../lib/contract/api/operations/operation.js';
import { ANSWER_HEADERS } from '../../lib/contract/api/operations/operation.js';
import { EXAMPLE_ENVIRONMENT, EXAMPLES, type Example, TEMPLATE_EXAMPLE } from './examples.js';
import { setupDetails, tryForm } from './form.js';
import { operationSection } from './operations.js';
import { SCRIPT } from './script.js';
import { STYLE } from './style.js';
import {
  commonFields,
  escapeHtml,
  fieldTables,
  type Parameter,
  type Schema,
  type SchemaFields,
  schemaTables,
  table,
} from './tables.js';

interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Described {
  readonly description: string;
}

interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, Described>>;
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly html: string;
}

/** The page as HTML. `guide`: the address of the guide, relative to the page's. */
export function docsPage(document: Document, { guide = 'docs/guide/' } = {}): string {
  const { info, paths } = document;
  const render = paths['/v1/render'];
  const probes = Object.entries(paths).filter(([path]) => !path.startsWith('/v1/'));
  const sections: readonly Section[] = [
    { id: 'authentication', title: 'Authentication', html: authentication(document) },
    { id: 'examples', title: 'Examples', html: examples() },
    { id: 'request', title: 'POST /v1/render', html: request(render.post, document) },
    { id: 'layers', title: 'Layers', html: layers(document) },
    { id: 'answer', title: 'Answer', html: answer(render.post, document) },
    ...TAGS.map((tag) => operations(tag, document)),
    { id: 'errors', title: 'Errors', html: errors(document) },
    { id: 'probes', title: 'Probes', html: probes.map(probe).join('') },
  ];
  const links = sections.map(({ id, title }) => `<a href="#${id}">${escapeHtml(title)}</a>`);
  const parts = sections.map(
    ({ id, title, html }) => `<section id="${id}"><h2>${escapeHtml(title)}</h2>${html}</section>`,
  );
  const title = `${escapeHtml(info.title)} API`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head><body>
<header><h1>${title} ${escapeHtml(info.version)}</h1>${paragraph(info.description)}
<p>For programs: <a href="openapi.json">OpenAPI 3.1</a>. For everything else, with a search and a playground: <a href="${guide}">the guide</a>.</p><nav>${links.join('')}</nav></header>
<div id="keys" hidden><label for="key">API key</label><input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="svc_live_…">
<span>for the forms below; it stays in this page until you close it. Renders take credits.</span></div>
<main>${parts.join('')}</main><script>${SCRIPT}</script></body></html>`;
}

function authentication({ components }: Document): string {
  return `<p>Every call of <code>POST /v1/render</code> carries an API key:</p>
${code('Authorization: Bearer svc_live_…')}
${paragraph(components.securitySchemes.apiKey.description)}
<p>The operator of the server makes keys with <code>platen keys create</code>, and revokes them with <code>platen keys revoke</code>.
Keep a key on a server: whoever has it spends the credits of its workspace.</p>`;
}

function examples(): string {
  return `<p>Each example renders a canvas with one layer to <code>hello.png</code>. They read the address of the server and the key from the environment:</p>
${code(EXAMPLE_ENVIRONMENT)}${EXAMPLES.map(example).join('')}
<h3>A saved template</h3><p>A <code>templateId</code> request answers JSON unless <code>responseType</code> is <code>binary</code>:</p>${code(TEMPLATE_EXAMPLE)}
<h3>Other operations</h3>${setupDetails()}`;
}

function example({ language, file, command, code: text }: Example, index: number): string {
  const run =
    file && command ? `<p>Save as <code>${escapeHtml(file)}</code>, run <code>${escapeHtml(command)}</code>.</p>` : '';
  return `<details${index === 0 ? ' open' : ''}><summary>${escapeHtml(language)}</summary>${run}${code(text)}</details>`;
}

function request({ summary, description = '', parameters = [] }: Operation, { components }: Document): string {
  const { CanvasRequest, TemplateRequest } = components.schemas;
  const form = OPERATIONS.filter(({ id }) => id === 'render').map((operation) => tryForm(operation, parameters));
  return `${paragraph(`${summary}. ${description}`)}<p>The body is JSON of one of two shapes. Unknown fields are ignored. With <code>?dryRun=true</code> the request is <a href="#inspect">POST /v1/inspect</a>, which draws nothing and costs nothing.</p>
${form.join('')}${fieldTables('CanvasRequest', CanvasRequest)}${fieldTables('TemplateRequest', TemplateRequest)}`;
}

/** The fields that all layer types share, then those of each type. */
function layers({ components }: Document): string {
  const {
    TextLayer,
    ImageLayer,
    QrcodeLayer,
    BarcodeLayer,
    ShapeLayer,
    IconLayer,
    ChartLayer,
    TableLayer,
    GroupLayer,
  } = components.schemas;
  const plain = { TextLayer, ImageLayer, QrcodeLayer, BarcodeLayer, ShapeLayer, IconLayer, GroupLayer };
  const shared = commonFields(Object.values(plain));
  // the x and y of a chart also name fields of its data
  const isShared = (name: string, field: Schema) => JSON.stringify(shared[name]) === JSON.stringify(field);
  const types = { ...plain, ChartLayer, TableLayer };
  const without = (schema: Schema): Schema => {
    const own = Object.entries(schema.properties ?? {}).filter(([name, field]) => !isShared(name, field));
    return { ...schema, properties: Object.fromEntries(own) };
  };
  const everyLayer: Schema = { properties: shared, required: TextLayer.required ?? [] };
  const parts = Object.entries(types).map(([name, schema]) => fieldTables(name, without(schema)));
  return `<p>Layers are drawn in their order, later ones on top. Lengths are pixels of the canvas, fractions allowed.</p>
${fieldTables('Layer', everyLayer, 'Every layer')}${parts.join('')}`;
}

function answer({ responses }: Operation, { components }: Document): string {
  const { description } = responses['200'];
  const headers = OPERATIONS.find(({ id }) => id === 'render')?.answers[0].headers ?? [];
  const rows = headers.map((name) => {
    const { description: text, schema } = ANSWER_HEADERS[name] as unknown as Described & { readonly schema: Schema };
    return [`<code>${escapeHtml(name)}</code>`, escapeHtml(String(schema.type)), escapeHtml(text)];
  });
  const { RenderResponse, Detail } = components.schemas;
  return `${paragraph(description)}<h3>Headers of the bytes</h3>${table(['Header', 'Type', 'Meaning'], rows)}
${fieldTables('RenderResponse', RenderResponse)}${fieldTables('Detail', Detail)}`;
}

/** The operations besides the render, by tag, with the schemas of their bodies and answers. */
const TAGS = [
  'Documents',
  'Inspection',
  'Batches',
  'Render log',
  'Templates',
  'Assets',
  'Brand',
  'Fonts',
  'Workspace',
] as const;
const TAG_SCHEMAS: Readonly<Record<(typeof TAGS)[number], readonly string[]>> = {
  Documents: ['DocumentCanvasRequest', 'DocumentTemplateRequest', 'DocumentPagesRequest'],
  Inspection: ['Inspection', 'InspectedLayer', 'InspectedLine'],
  Batches: ['BatchRows', 'BatchItems', 'BatchLine', 'BatchPicture', 'BatchFailure', 'BatchSummary'],
  'Render log': ['RenderPage', 'RenderEntry'],
  Templates: [
    'TemplateRecord',
    'TemplateSize',
    'TemplateSample',
    'Template',
    'TemplateSummary',
    'TemplatePage',
    'TemplateVersion',
    'TemplateVersionSummary',
    'TemplateVersionPage',
    'TemplateVariable',
    'VariablesSchema',
    'VersionBody',
  ],
  Assets: ['Asset', 'AssetPage'],
  Brand: ['BrandRecord', 'Brand'],
  Fonts: ['FontList', 'Font', 'FontStyle'],
  Workspace: ['Workspace'],
};

function operations(tag: (typeof TAGS)[number], { paths, components: { schemas } }: Document): Section {
  const parts = [...OPERATIONS, linkedImage]
    .filter((operation) => operation.tag === tag)
    .map((operation: ApiOperation) => {
      const { parameters = [] } = paths[operation.path][operation.method.toLowerCase()];
      return operationSection(operation, parameters);
    });
  const tables = TAG_SCHEMAS[tag].map((name) => schemaTables(name, schemas[name]));
  const hotspot = tag === 'Templates' ? hotspotTable(schemas) : '';
  return { id: tag.toLowerCase().replace(' ', '-'), title: tag, html: [...parts, ...tables, hotspot].join('') };
}

/** A hotspot is a layer with two more fields. */
function hotspotTable({ TextHotspot }: SchemaFields): string {
  const { key, label } = TextHotspot.properties ?? {};
  const own: Schema = { properties: { key, label }, required: TextHotspot.required ?? [] };
  return `${fieldTables('Hotspot', own)}<p>A hotspot has the fields of its layer too; text, url and data may be absent, because a variable fills them.</p>
<h3 id="InPlaceHotspot">InPlaceHotspot</h3><p>A layer in <code>layers</code> that has a <code>key</code>: a hotspot that is drawn in its place. Its <code>label</code> may be absent.</p>
<h3 id="TemplateLayer">TemplateLayer</h3><p>A layer, or a hotspot in its place. The <code>layers</code> of groups may have keys too.</p>`;
}

function errors({ components }: Document): string {
  const rows = Object.entries(ERRORS).map(([name, { status, wire, when }]) => [
    String(status),
    wire ? `<code>${escapeHtml(name)}</code>` : 'none',
    escapeHtml(when),
  ]);
  const schemas: SchemaFields = components.schemas;
  return `<p>Rely on <code>code</code>, not on the text of <code>error</code>. Nothing but an answer of 200 is charged.</p>
${table(['Status', 'code', 'When'], rows)}${fieldTables('Error', schemas.Error)}${fieldTables('PaywallError', schemas.PaywallError)}`;
}

function probe([path, methods]: [string, Readonly<Record<string, Operation>>]): string {
  const { get } = methods;
  const rows = Object.entries(get.responses).map(([status, { description }]) => [status, escapeHtml(description)]);
  return `<h3><code>GET ${escapeHtml(path)}</code></h3>${paragraph(`${get.summary}. It needs no key.`)}${table(['Status', 'Meaning'], rows)}`;
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}

function code(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
}

// `POST /v1/documents` on the app core: a render in all but its formats and its errors, which all have codes.
import { createHash } from 'node:crypto';
import t from 'tap';
import type { BatchPicture } from '../../../lib/contract/api/batch.js';
import { type PagesPayload, renderDocument } from '../../../lib/index.js';
import { Admission } from '../../../lib/service/admission/index.js';
import { MemoryBudget } from '../../../lib/service/admission/memory-budget.js';
import { createEngine } from '../../../lib/service/render/engine.js';
import { createLocalPool } from '../../../lib/workers/in-process.js';
import { readable } from '../../pdf/document.js';
import { batch } from '../batch/reply.js';
import { saveTemplate } from '../stores.js';
import { createWorld, type WorldOptions } from '../world.js';

/** An engine that renders in this process. */
const engine: WorldOptions['engine'] = (settings) =>
  createEngine({
    pool: createLocalPool(),
    admission: new Admission({ concurrency: 1, queue: 9, memoryBytes: 2 ** 30 }),
    settings,
    allowAddress: () => false,
    memoryBudget: new MemoryBudget(2 ** 30),
    resolve: async () => [],
  });

const path = '/v1/documents';
const CARD = {
  canvas: { width: 60, height: 30 },
  layers: [{ type: 'shape', shapeType: 'circle', x: 1, y: 2, width: 20, height: 20, fillColor: 'red' }],
  format: 'svg',
};

t.test('answers the bytes of an SVG, with the headers of a render and a policy, for one charge', async (t) => {
  const world = await createWorld(t, { engine });
  const { key } = await world.caller({ credits: 5 });
  const { status, headers, bytes } = await world.ask({ path, key, body: CARD });
  t.equal(status, 200);
  t.match(Buffer.from(bytes).toString(), /^<svg [^>]*width="60" height="30"/);
  t.match(Object.fromEntries(headers), {
    'content-type': 'image/svg+xml',
    'x-service-pages': '1',
    'x-canvas-width': '60',
    'content-security-policy': /^sandbox; default-src 'none'/,
    'x-service-credits-remaining': '4',
  });
});

t.test('answers JSON when asked, with the number of pages', async (t) => {
  const world = await createWorld(t, { engine });
  const { key } = await world.caller({ credits: 5 });
  const { json } = await world.ask({ path, key, body: { ...CARD, responseType: 'json' } });
  t.match(json, { success: true, format: 'svg', pages: 1, dataUrl: /^data:image\/svg\+xml;base64,/ });
});

t.test('the fields of a request replace those of the template one by one', async (t) => {
  const world = await createWorld(t, { engine });
  const { key, workspaceId } = await world.caller({ credits: 5 });
  const record = { name: 'Card', width: 60, height: 30, hotspots: [], document: { title: 'Saved', idPrefix: 'a-' } };
  const templateId = await saveTemplate(world.store, workspaceId, record);
  const ask = async (document?: object) => {
    const { bytes } = await world.ask({
      path,
      key,
      body: { templateId, format: 'svg', ...(document && { document }) },
    });
    return Buffer.from(bytes).toString();
  };
  t.match(await ask(), '<title>Saved</title>');
  t.match(await ask({ title: 'Asked' }), '<title>Asked</title>');
});

t.test('every error has a code; formats of the other operation name it', async (t) => {
  const world = await createWorld(t, { engine });
  const { key } = await world.caller({ credits: 5 });
  const wrong = await world.ask({ path, key, body: { ...CARD, format: 'png' } });
  t.match(wrong, { status: 400, json: { code: 'invalid_request', error: /POST \/v1\/render/ } });
  const other = await world.ask({ path: '/v1/render', key, body: CARD });
  t.match(other, { status: 400, json: { error: /POST \/v1\/documents/ } });
  t.notOk('code' in other.json);
  const bad = await world.ask({ path, key, body: { ...CARD, document: { rasterScale: 9 } } });
  t.match(bad, { status: 400, json: { code: 'invalid_request', details: [{ path: 'document.rasterScale' }] } });
  const { key: poor } = await world.caller({ credits: 0 });
  t.match(await world.ask({ path, key: poor, body: CARD }), { status: 402 });
});

t.test('with dryRun it is inspected, and costs nothing', async (t) => {
  const world = await createWorld(t, { engine });
  const { key } = await world.caller({ credits: 0 });
  const { status, json } = await world.ask({ path, query: 'dryRun=true', key, body: CARD });
  t.equal(status, 200);
  t.match(json, { success: true, width: 60, layers: [{ path: 'layers[0]' }] });
});

t.test('a column that continues costs a render for each page, or nothing without enough credits', async (t) => {
  const world = await createWorld(t, { engine });
  const { key } = await world.caller({ credits: 5 });
  const line = { type: 'shape', shapeType: 'rectangle', width: 20, height: 10, fillColor: 'red' };
  const body = (count: number) => ({
    canvas: { width: 60, height: 30 },
    layers: [
      {
        type: 'group',
        layout: 'column',
        paginate: true,
        x: 0,
        y: 0,
        width: 60,
        height: 30,
        layers: Array.from({ length: count }, () => line),
      },
    ],
  });
  const three = await world.ask({ path, key, body: body(8) });
  t.equal(three.status, 200);
  t.match(Object.fromEntries(three.headers), { 'x-service-pages': '3', 'x-service-credits-remaining': '2' });
  const dear = await world.ask({ path, key, body: body(9 + 1) });
  t.equal(dear.status, 402, 'four pages, and credits for two');
  const dry = await world.ask({ path, query: 'dryRun=true', key, body: body(10) });
  t.match(dry.json, { creditsCost: 4, pages: [{ width: 60, height: 30 }, {}, {}, {}] });
  const picture = await world.ask({ path: '/v1/render', key, body: body(10) });
  t.equal(
    picture.headers.get('x-service-credits-remaining'),
    '1',
    'a picture is one render, and the document cost nothing',
  );
});

/** A page of the colour, as one rectangle. */
const page = (color: string, fields: object = {}) => ({
  canvas: { width: 60, height: 30 },
  layers: [{ type: 'shape', shapeType: 'rectangle', x: 0, y: 0, width: 60, height: 30, fillColor: color, ...fields }],
});

t.test('pages become one PDF, which costs a render for each', async (t) => {
  const world = await createWorld(t, { engine });
  const { key } = await world.caller({ credits: 5 });
  const body = { pages: [page('red'), page('green'), page('blue')], document: { title: 'Three' } };
  const { status, headers, bytes } = await world.ask({ path, key, body });
  t.equal(status, 200);
  t.match(Object.fromEntries(headers), {
    'content-type': 'application/pdf',
    'x-service-pages': '3',
    'x-canvas-width': '60',
    'x-service-credits-remaining': '2',
    etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
  });
  const whole = await new Response(renderDocument(body as PagesPayload)).arrayBuffer();
  t.ok(Buffer.from(whole).equals(bytes), 'the bytes are those of the library');
});

t.test('pages answer JSON when asked, with the bytes twice', async (t) => {
  const world = await createWorld(t, { engine });
  const { key } = await world.caller({ credits: 5 });
  const { json } = await world.ask({ path, key, body: { pages: [page('red'), page('red')], responseType: 'json' } });
  t.match(json, { success: true, format: 'pdf', pages: 2, width: 60, billing: { creditsCost: 2 } });
  t.equal(json.dataUrl, `data:application/pdf;base64,${json.base64}`);
  t.equal(Buffer.from(String(json.base64), 'base64').length, json.sizeBytes);
});

t.test('a document of one payload that flows keeps what its saved template says of it', async (t) => {
  const world = await createWorld(t, { engine });
  const { key, workspaceId } = await world.caller({ credits: 9 });
  const line = { type: 'shape', shapeType: 'rectangle', width: 50, height: 10, fillColor: 'blue' };
  const flow = { type: 'group', layout: 'column', paginate: true, x: 0, y: 0, width: 60, height: 30 };
  const layers = [{ ...flow, layers: Array.from({ length: 5 }, () => line) }];
  const record = { name: 'List', width: 60, height: 30, layers, document: { title: 'Kept' } };
  const templateId = await saveTemplate(world.store, workspaceId, record);
  const { status, bytes } = await world.ask({ path, key, body: { templateId, format: 'pdf' } });
  t.equal(status, 200);
  t.match(readable(Buffer.from(bytes)), '/Title(Kept)');
  const code = { type: 'qrcode', x: 0, y: 0, width: 25, height: 25, data: 'https://example.com' };
  const bound = { ...record, layers: [...layers, code], document: { conformance: 'pdf/ua-1' } };
  const withoutAlt = await saveTemplate(world.store, workspaceId, bound);
  const refused = await world.ask({ path, key, body: { templateId: withoutAlt, format: 'pdf' } });
  t.match(refused, { status: 500, json: { details: [{ path: 'layers[1].alt' }] } });
});

t.test('pages name saved templates, and numbers of pages that flow are counted', async (t) => {
  const world = await createWorld(t, { engine });
  const { key, workspaceId } = await world.caller({ credits: 9 });
  const line = { type: 'shape', shapeType: 'rectangle', width: 20, height: 10, fillColor: 'red' };
  const flow = { type: 'group', layout: 'column', paginate: true, x: 0, y: 0, width: 60, height: 30 };
  const layers = [{ ...flow, layers: Array.from({ length: 7 }, () => line) }];
  const record = { name: 'List', width: 60, height: 30, hotspots: [], layers };
  const templateId = await saveTemplate(world.store, workspaceId, record);
  const body = { pages: [page('red'), { templateId }] };
  const dry = await world.ask({ path, query: 'dryRun=true', key, body });
  t.match(dry.json, { creditsCost: 4, layers: [{ path: 'pages[0].layers[0]' }] });
  t.equal((dry.json.pages as unknown[]).length, 4);
  const { headers } = await world.ask({ path, key, body });
  t.match(Object.fromEntries(headers), { 'x-service-pages': '4', 'x-service-credits-remaining': '5' });
  const dear = { pages: [page('red'), { templateId }, { templateId }] };
  t.match(await world.ask({ path, key, body: dear }), { status: 402 }, 'seven pages, and credits for five');
});

t.test('what is wrong with pages is named by its page, and costs nothing', async (t) => {
  const world = await createWorld(t, { engine });
  const { key } = await world.caller({ credits: 5 });
  const ask = (body: object) => world.ask({ path, key, body });
  const shape = await ask({ pages: [page('red'), { canvas: { width: 0, height: 3 }, layers: [] }, {}] });
  t.match(shape, {
    status: 400,
    json: { code: 'invalid_request', details: [{ path: 'pages[1].canvas.width' }, { path: 'pages[2]' }] },
  });
  const layer = await ask({ pages: [page('red'), page('bluu')] });
  t.match(layer, { status: 500, json: { code: 'render_failed', details: [{ path: 'pages[1].layers[0].fillColor' }] } });
  const unknown = await ask({ pages: [{ templateId: 'tpl_none' }] });
  t.match(unknown, { status: 404, json: { code: 'template_not_found', details: [{ path: 'pages[0]' }] } });
  t.match(await ask({ pages: [page('red')], format: 'svg' }), { status: 400, json: { details: [{ path: 'format' }] } });
  t.match(await ask({ pages: [] }), { status: 400, json: { details: [{ path: 'pages' }] } });
  t.match(await ask({ pages: [page('red')], ...CARD }), { status: 400 });
  const late = await ask({ pages: [page('red'), page('blue', { href: '#nowhere', format: 'png' })] });
  t.equal(late.headers.get('x-service-credits-remaining'), '3', 'only the last one was charged');
  t.equal(late.headers.get('x-service-warnings'), '2');
});

t.test('a document that is too large is an error that costs nothing', async (t) => {
  const world = await createWorld(t, { engine, settings: { DOCUMENT_MAX_BYTES: '900' } });
  const caller = await world.caller({ credits: 5 });
  const { key } = caller;
  const { status, json } = await world.ask({ path, key, body: { pages: [page('red'), page('blue')] } });
  t.match({ status, json }, { status: 500, json: { code: 'render_failed', error: /larger than 900 bytes/ } });
  t.equal(await world.balance(caller), 5);
});

t.test('an idempotent repeat is not charged again', async (t) => {
  const world = await createWorld(t, { engine });
  const { key } = await world.caller({ credits: 5 });
  const body = { pages: [page('red'), page('blue')] };
  const ask = () => world.ask({ path, key, body, idempotencyKeys: ['order-1'] });
  const first = await ask();
  const second = await ask();
  t.match(Object.fromEntries(second.headers), {
    'idempotency-replayed': 'true',
    'x-service-credits-remaining': '3',
    etag: first.headers.get('etag'),
  });
});

t.test('the rows of a batch become documents, which cost a render for each page', async (t) => {
  const world = await createWorld(t, { engine });
  const caller = await world.caller({ credits: 5, scopes: ['batch:write'] });
  const line = { type: 'shape', shapeType: 'rectangle', width: 20, height: 10, fillColor: 'red' };
  const flow = { type: 'group', layout: 'column', paginate: true, x: 0, y: 0, width: 60, height: 30 };
  const lines = (count: number) => ({
    canvas: { width: 60, height: 30 },
    layers: [{ ...flow, layers: Array.from({ length: count }, () => line) }],
  });
  const body = { output: 'document', items: [lines(4), { ...page('red'), format: 'svg' }, lines(9), page('blue')] };
  const { rows, summary } = await batch(world, caller, body);
  t.match(rows, [
    { success: true, format: 'pdf', pages: 2 },
    { success: true, format: 'svg', pages: 1 },
    { success: false, code: 'CREDITS_EXHAUSTED', error: /cost of a render \(3\)/ },
    { success: true, format: 'pdf', pages: 1 },
  ]);
  t.match(Buffer.from(String((rows[0] as BatchPicture).base64), 'base64').toString('latin1'), /^%PDF-/);
  t.match(summary, { succeeded: 3, failed: 1, creditsRemaining: 1 });
});

t.test('a batch refuses a format of the other output', async (t) => {
  const world = await createWorld(t, { engine });
  const { key } = await world.caller({ scopes: ['batch:write'] });
  const ask = (body: object) => world.ask({ path: '/v1/batches', key, body });
  const rows = [{ variables: {} }];
  t.match(await ask({ templateId: 'tpl_1', rows, format: 'pdf' }), {
    status: 400,
    json: { details: [{ path: 'format', message: /svg and pdf need "output": "document"/ }] },
  });
  t.match(await ask({ templateId: 'tpl_1', rows, output: 'document', format: 'png' }), {
    status: 400,
    json: { details: [{ path: 'format', message: /svg or pdf/ }] },
  });
  t.match(await ask({ items: [{ ...page('red'), format: 'png' }], output: 'document' }), {
    status: 400,
    json: { details: [{ path: 'items[0].format' }] },
  });
});

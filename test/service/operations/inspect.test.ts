// `POST /v1/inspect` and `POST /v1/render?dryRun=true` on the app core: a render up to painting, without a charge.
import t from 'tap';
import { inspectAnswer } from '../../../lib/contract/api/inspection.js';
import { RenderError, ServiceError } from '../../../lib/errors.js';
import { Admission } from '../../../lib/service/admission/index.js';
import { MemoryBudget } from '../../../lib/service/admission/memory-budget.js';
import { createEngine } from '../../../lib/service/render/engine.js';
import { createLocalPool } from '../../../lib/workers/in-process.js';
import { createRenderer } from '../../any-payload.js';
import { saveTemplate } from '../stores.js';
import { type Ask, createWorld, FLAT, type World, type WorldOptions } from '../world.js';

/** Both spellings. */
const FORMS: readonly Ask[] = [{ path: '/v1/inspect' }, { path: '/v1/render', query: 'dryRun=true' }];
const nameOf = ({ path, query = '' }: Ask) => `${path}?${query}`;

/** An engine that renders in this process. */
const realEngine: WorldOptions['engine'] = (settings) =>
  createEngine({
    pool: createLocalPool(),
    admission: new Admission({ concurrency: 1, queue: 9, memoryBytes: 2 ** 30 }),
    settings,
    allowAddress: () => false,
    memoryBudget: new MemoryBudget(2 ** 30),
    resolve: async () => [],
  });

const CARD = {
  canvas: { width: 400, height: 200, scale: 2 },
  layers: [
    { type: 'text', text: 'Hello', id: 'title', x: 10, y: 20, width: 200, height: 60, fontSize: 40, rotation: 10 },
    {
      type: 'group',
      x: 10,
      y: 100,
      width: 80,
      height: 80,
      layers: [{ type: 'shape', shapeType: 'circle', x: 1, y: 2, width: 3, height: 4 }],
    },
  ],
};

for (const form of FORMS) {
  t.test(`${nameOf(form)} answers the layers of the library’s inspection`, async (t) => {
    const world = await createWorld(t, { engine: realEngine, settings: { RENDER_CREDIT_COST: '2.5' } });
    const { key } = await world.caller({ credits: 0 });
    const { status, json, headers } = await world.ask({ ...form, key, body: { ...CARD, colour: 'red' } });
    t.equal(status, 200);
    t.equal(headers.get('x-ratelimit-remaining'), '999');
    const { timings, warnings, ...rest } = await createRenderer().inspect({ ...CARD, colour: 'red' });
    t.same(json, { success: true, creditsCost: 2.5, ...rest, warnings, timings: json.timings });
    t.match(warnings, [{ path: 'colour' }]);
    t.same(Object.keys(timings), ['check', 'load', 'layout']);
    t.ok(inspectAnswer.strict().safeParse(json).success);
  });
}

t.test('a request, its template and its layers say what the picture shows, cached or not', async (t) => {
  const world = await createWorld(t, { engine: realEngine });
  const { key, workspaceId } = await world.caller({ credits: 50 });
  const altOf = async (body: object) => {
    const { json: inspected } = await world.ask({ path: '/v1/inspect', key, body });
    for (const round of ['drawn', 'cached']) {
      const { json } = await world.ask({ key, body: { ...body, responseType: 'json' } });
      t.equal(json.alt, inspected.alt, round);
    }
    return inspected.alt;
  };
  t.equal(await altOf(CARD), 'Hello');
  t.equal(await altOf({ ...CARD, alt: 'A greeting' }), 'A greeting');
  const record = { name: 'T', width: 9, height: 9, placeholders: true, alt: 'About {{title}}', layers: [] };
  const templateId = await saveTemplate(world.store, workspaceId, record);
  t.equal(await altOf({ templateId, variables: { title: 'tides' } }), 'About tides');
  t.equal(await altOf({ templateId, variables: { title: 'tides' }, alt: 'Mine' }), 'Mine');
  const { bytes, headers } = await world.ask({
    key,
    body: { templateId, variables: { title: 'tides' }, responseType: 'binary' },
  });
  t.ok(bytes.includes('About tides'), 'in the file');
  t.equal(headers.get('x-service-alt'), 'About%20tides');
  const { status, json } = await world.ask({ key, body: { ...CARD, alt: 7 } });
  t.match({ status, json }, { status: 400, json: { details: [{ path: 'alt' }] } });
});

t.test('findings=true answers measured faults with tried fixes, of canvases and saved templates', async (t) => {
  const world = await createWorld(t, { engine: realEngine });
  const { key, workspaceId } = await world.caller({ credits: 0 });
  const pale = { type: 'text', text: 'Tonight', x: 20, y: 20, width: 360, height: 60, fontSize: 40, color: '#bbbbbb' };
  const body = { canvas: { width: 400, height: 200, backgroundColor: '#ffffff' }, layers: [pale] };
  const ask = (query: string, of: object) => world.ask({ path: '/v1/inspect', query, key, body: of });
  t.notOk('findings' in (await ask('', body)).json);
  const { status, json } = await ask('findings=true', body);
  t.equal(status, 200);
  t.match(json.findings, [
    { code: 'low_contrast', path: 'layers[0]', fix: [{ op: 'replace', path: '/layers/0/color' }] },
  ]);
  t.ok(inspectAnswer.strict().safeParse(json).success);
  t.same((await ask('findings=true&ignore=low_contrast,widow', body)).json.findings, []);
  t.match(await ask('findings=true&ignore=low_contrasts', body), { status: 400 });
  t.match(await ask('findings=true&safeArea=myspace', body), { status: 400 });
  const record = {
    name: 'Card',
    width: 400,
    height: 200,
    background: { color: '#ffffff' },
    hotspots: [{ ...pale, key: 'title', label: 'Title' }],
  };
  const templateId = await saveTemplate(world.store, workspaceId, record);
  t.match((await ask('findings=true', { templateId })).json.findings, [
    { code: 'low_contrast', path: 'hotspots.title', fix: [{ path: '/hotspots/0/color' }] },
  ]);
});

t.test('the balance is neither needed nor touched, and the log gets no entry', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ credits: 0, scopes: ['render:write', 'render:read'] });
  for (const form of FORMS) {
    t.equal((await world.ask({ ...form, key: caller.key })).status, 200, nameOf(form));
    world.engine.before = () => {
      throw new RenderError('asset_failed', 'gone', {
        details: [{ code: 'asset_failed', path: 'layers[0].url', message: 'gone' }],
      });
    };
    t.match(await world.ask({ ...form, key: caller.key }), { status: 502, json: { code: 'asset_failed' } });
    world.engine.before = () => {};
  }
  t.equal(await world.balance(caller), 0);
  const log = await world.ask({ method: 'GET', path: '/v1/renders', key: caller.key });
  t.same(log.json.items, []);
});

t.test('the checks come in the order of a render, and every 400 has a code', async (t) => {
  const world = await createWorld(t, { settings: { API_KEY_RATE_LIMIT_PER_MIN: '4', MAX_BODY_BYTES: '2000' } });
  for (const form of FORMS) {
    const ask = (more: Ask) => world.ask({ ...form, body: 'no JSON', ...more });
    t.match(await ask({}), { status: 401, json: { code: 'missing_api_key' } });
    t.match(await ask({ key: 'svc_live_x' }), { status: 401, json: { code: 'invalid_api_key' } });
    const other = await world.caller({ scopes: ['render:read', 'templates:write', 'batch:write'] });
    t.match(await ask({ key: other.key }), { status: 403, json: { code: 'insufficient_scope' } });
    const { key } = await world.caller({ credits: 0 });
    t.match(await ask({ key, body: ' '.repeat(2001) }), { status: 413, json: { code: 'payload_too_large' } });
    t.match(await ask({ key }), { status: 400, json: { code: 'invalid_json' } });
    const shapeless = await ask({ key, body: { canvas: { width: 0, height: 1 }, layers: 1 } });
    t.match(shapeless, { status: 400, json: { code: 'invalid_request' } });
    t.match(shapeless.json.details, [{ path: 'canvas.width' }, { path: 'layers' }]);
    const unknown = await ask({ key, body: { templateId: 'tpl_none' } });
    t.match(unknown, { status: 404, json: { code: 'template_not_found' } });
    t.match(await ask({ key }), { status: 429, json: { code: 'rate_limited' } });
    t.equal(world.engine.asked.length, 0);
  }
});

t.test('renders and inspections share one window of the rate limit', async (t) => {
  const world = await createWorld(t, { settings: { API_KEY_RATE_LIMIT_PER_MIN: '3' } });
  const { key } = await world.caller();
  const paths: Ask[] = [...FORMS, { path: '/v1/render' }];
  for (const form of paths) t.equal((await world.ask({ ...form, key })).status, 200, nameOf(form));
  for (const form of paths) t.equal((await world.ask({ ...form, key })).status, 429, nameOf(form));
});

t.test('a template is inspected with its variables, size and version', async (t) => {
  const world = await createWorld(t, { engine: realEngine });
  const caller = await world.caller();
  const title = { key: 'title', label: 'Title', type: 'text', x: 5, y: 6, width: 80, height: 20, text: 'A' };
  const sizes = { small: { width: 50, height: 40, layers: { title: { x: 3 } } } };
  const record = {
    name: 'T',
    width: 100,
    height: 50,
    sizes,
    hotspots: [title],
    layers: [{ type: 'shape', shapeType: 'circle', x: 0, y: 0, width: 9, height: 9 }],
  };
  const templateId = await saveTemplate(world.store, caller.workspaceId, record);
  const ask = (body: object) => world.ask({ path: '/v1/inspect', key: caller.key, body: { templateId, ...body } });
  const { json } = await ask({ variables: { title: 'Hi' }, size: 'small' });
  t.match(json, {
    width: 50,
    height: 40,
    layers: [
      { path: 'layers[0]', type: 'shape' },
      { path: 'hotspots.title', box: [3, 6, 80, 20], lines: [{ text: 'Hi' }] },
    ],
  });
  t.match(await ask({ size: 'x' }), { status: 400, json: { code: 'invalid_request', details: [{ path: 'size' }] } });
  t.match(await ask({ templateVersion: 9 }), { status: 404, json: { code: 'template_not_found' } });
  const stranger = await world.caller();
  t.match(await world.ask({ path: '/v1/inspect', key: stranger.key, body: { templateId } }), { status: 404 });
});

t.test('Idempotency-Key is ignored, whatever it is', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ credits: 1 });
  for (const form of FORMS) {
    for (const idempotencyKeys of [['k'], ['k', 'l'], ['\u0007'.repeat(300)]]) {
      const { status, headers } = await world.ask({ ...form, key: caller.key, idempotencyKeys });
      t.equal(status, 200);
      t.notOk(headers.has('idempotency-replayed'));
    }
  }
  // the key is free, for a request with another body too
  const body = { ...FLAT, format: 'webp' };
  const rendered = await world.ask({ key: caller.key, idempotencyKeys: ['k'], body });
  t.equal(rendered.status, 200);
  t.equal(await world.balance(caller), 0);
});

t.test('a dryRun that is neither true nor false is refused, so that nobody is charged by mistake', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ credits: 1 });
  for (const query of ['dryRun=1', 'dryRun=', 'dryRun=TRUE', 'dryRun=true&dryRun=true', 'dryrun=true']) {
    const { status, json } = await world.ask({ key: caller.key, query });
    t.match({ status, code: json.code }, { status: 400, code: 'invalid_request' }, query);
    t.match(json.details, [{ path: /^dryrun$/i }]);
  }
  t.equal(await world.balance(caller), 1);
  t.equal(world.engine.asked.length, 0);
  const unread = await world.ask({ key: caller.key, query: 'dryRun=1', body: '{' });
  t.match([unread.status, unread.json.error], [400, /JSON/], 'the body is read first');
  // others are ignored, as before
  const rendered = await world.ask({ key: caller.key, query: 'dryRun=false&utm=x' });
  t.equal(rendered.headers.get('content-type'), 'image/png');
  t.equal(await world.balance(caller), 0);
  const badBody = await world.ask({ key: caller.key, query: 'dryRun=false', body: 'no JSON' });
  t.equal(badBody.status, 400);
  t.notOk('code' in badBody.json);
});

t.test('the route of a dry run is that of an inspection, and nothing is reported as a rendered image', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  for (const form of FORMS) {
    const { outcome } = await world.ask({ ...form, key });
    t.equal(outcome.route, '/v1/inspect');
    t.notOk('format' in outcome);
  }
});

t.test('a server that closes refuses, and a client that left gets no answer of 200', async (t) => {
  const closing: World = await createWorld(t, { phase: () => 'closing' });
  const world = await createWorld(t);
  for (const form of FORMS) {
    const refused = await closing.ask({ ...form, key: (await closing.caller()).key });
    t.match(refused, { status: 503, json: { code: 'overloaded' } });
    const gone = new AbortController();
    world.engine.before = () => gone.abort(new ServiceError('internal_error', 'the client went away'));
    t.equal((await world.ask({ ...form, key: (await world.caller()).key, signal: gone.signal })).status, 500);
  }
});

t.test('the plan changes no layer', async (t) => {
  const world = await createWorld(t, { engine: realEngine });
  const [free, paid] = await Promise.all(
    (['free', 'paid'] as const).map(async (plan) => {
      const { key } = await world.caller({ plan });
      return (await world.ask({ path: '/v1/inspect', key, body: CARD })).json;
    }),
  );
  t.same({ ...free, timings: 0 }, { ...paid, timings: 0 });
});

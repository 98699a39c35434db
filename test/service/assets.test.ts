// `/v1/assets`, and renders that name a workspace's pictures and fonts: through the service, with files that are drawn.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ServiceError } from '../../lib/errors.js';
import { Admission } from '../../lib/service/admission/index.js';
import { MemoryBudget } from '../../lib/service/admission/memory-budget.js';
import { createEngine } from '../../lib/service/render/engine.js';
import { createWorkspaceAssets } from '../../lib/service/render/workspace-assets.js';
import { createLocalPool } from '../../lib/workers/in-process.js';
import { createPool, type RenderPool } from '../../lib/workers/pool.js';
import { ROOT } from '../checkout.js';
import { fixture } from '../codecs/pictures.js';
import { brandFont } from '../fonts/brand-font.js';
import { type Caller, createWorld, type World, type WorldOptions } from './world.js';

const PICTURE = fixture('quadrants-420.jpg');
const OTHER = fixture('quadrants-gray.jpg');
const SCOPES = ['render:write', 'templates:read', 'templates:write'] as const;
const BOX = { x: 0, y: 0, width: 48, height: 32 };
const canvas = { width: 48, height: 32 };

/** A service that checks files and draws, in this process unless a pool is given. */
async function open(t: Test, { pool = createLocalPool(), ...options }: WorldOptions & { pool?: RenderPool } = {}) {
  const memoryBudget = new MemoryBudget(2 ** 30);
  return createWorld(t, {
    ...options,
    engine: (settings, store) =>
      createEngine({
        pool,
        admission: new Admission({ concurrency: 1, queue: 9, memoryBytes: 2 ** 30 }),
        settings,
        allowAddress: () => false,
        memoryBudget,
        resolve: async () => [],
        workspaceAssets: createWorkspaceAssets({ store, memoryBudget, userFamilies: ['House'] }),
      }),
  });
}

const callerOf = (world: World) => world.caller({ scopes: SCOPES });

async function add(world: World, { key }: Caller, body: Uint8Array): Promise<string> {
  const { status, json } = await world.ask({ path: '/v1/assets', key, body });
  if (status > 201) throw new Error(JSON.stringify(json));
  return String(json.id);
}

const list = async (world: World, { key }: Caller) =>
  (await world.ask({ method: 'GET', path: '/v1/assets', key })).json.items as { id: string }[];

const image = (url: string, more: object = {}) => ({ canvas, layers: [{ type: 'image', url, ...BOX, ...more }] });
const text = (more: object) => ({
  canvas,
  layers: [{ type: 'text', text: 'Brand', ...BOX, fontSize: 16, ...more }],
  responseType: 'json',
});
const dataUrl = (bytes: Uint8Array) => `data:;base64,${Buffer.from(bytes).toString('base64')}`;

t.test('adds, lists, reads and deletes pictures and fonts', async (t) => {
  const world = await open(t);
  const caller = await callerOf(world);
  const ask = (method: string, path: string, body?: Uint8Array) => world.ask({ method, path, key: caller.key, body });
  const added = await ask('POST', '/v1/assets', PICTURE);
  t.equal(added.status, 201);
  const { id } = added.json;
  const expected = { id, kind: 'image', mimeType: 'image/jpeg', bytes: PICTURE.length, width: 48, height: 32 };
  t.same(added.json, { ...expected, createdAt: added.json.createdAt });
  t.match(id, /^asset_/);
  t.equal(added.headers.get('location'), `/v1/assets/${id}`);

  const again = await ask('POST', '/v1/assets', PICTURE);
  t.same([again.status, again.json], [200, added.json], 'the same bytes are the same asset');
  t.notOk(again.headers.has('location'));

  const font = await ask('POST', '/v1/assets', brandFont());
  t.match(font.json, { kind: 'font', mimeType: 'font/ttf', family: 'Brand', weight: 700, style: 'normal' });
  t.same((await ask('GET', `/v1/assets/${id}`)).json, added.json);
  const first = await world.ask({ method: 'GET', path: '/v1/assets', key: caller.key, query: 'limit=1' });
  t.same(first.json.items, [font.json], 'newest first');
  const query = `limit=1&cursor=${first.json.nextCursor}`;
  const second = await world.ask({ method: 'GET', path: '/v1/assets', key: caller.key, query });
  t.same(second.json, { items: [added.json], nextCursor: null });

  t.equal((await ask('DELETE', `/v1/assets/${id}`)).status, 204);
  for (const method of ['GET', 'DELETE']) {
    t.match(await ask(method, `/v1/assets/${id}`), { status: 404, json: { code: 'asset_not_found' } });
  }
  t.same(await list(world, caller), [font.json]);
});

t.test('checks key, scope, size, file and quota in this order, and stores nothing that it rejects', async (t) => {
  const world = await open(t, { settings: { ASSET_MAX_BYTES: '2000000', ASSET_QUOTA_MB: '1' } });
  const caller = await callerOf(world);
  const post = (body: Uint8Array, key?: string) => world.ask({ path: '/v1/assets', ...(key && { key }), body });
  const large = Buffer.alloc(2_000_001);
  t.match(await post(large), { status: 401 });
  const reader = await world.caller({ scopes: ['render:write', 'templates:read'] });
  t.match(await post(large, reader.key), { status: 403, json: { code: 'insufficient_scope' } });
  t.match(await post(large, caller.key), { status: 413, json: { code: 'payload_too_large' } });
  const noFile = await post(Buffer.from('hello there'), caller.key);
  t.match(noFile, { status: 400, json: { code: 'invalid_request', error: /^received plain text, expected a PNG/ } });
  t.match(noFile.json.details, [{ path: '', message: /plain text/ }]);
  t.match(await post(Buffer.alloc(0), caller.key), { status: 400, json: { error: /^received an empty file/ } });
  const heavy = Buffer.concat([PICTURE, Buffer.alloc(2 ** 20)]);
  t.match(await post(heavy, caller.key), { status: 413, json: { code: 'asset_quota' } });
  t.same(await list(world, caller), []);
  const writer = await world.caller({ scopes: ['templates:write'] });
  t.match(await world.ask({ method: 'GET', path: '/v1/assets', key: writer.key }), { status: 403 });
  t.match(await world.ask({ method: 'DELETE', path: '/v1/assets/x', key: reader.key }), { status: 403 });
  const badQuery = { method: 'DELETE', path: '/v1/assets/x', key: caller.key, query: 'force=maybe' };
  t.match(await world.ask(badQuery), { status: 400, json: { details: [{ path: 'force' }] } });
});

t.test('a file that kills its process, or takes too long, is not stored', async (t) => {
  const entry = new URL('./scripted.mjs', import.meta.url);
  const pool = createPool({ workers: 1, spares: 0, entry, report: () => {} });
  t.teardown(() => pool.close());
  for (const [script, settings, expected] of [
    [
      'kill',
      {},
      { status: 500, json: { code: 'render_failed', error: 'the render process ended on this file (SIGKILL)' } },
    ],
    ['hang', { RENDER_TIMEOUT_MS: '1000' }, { status: 504, json: { code: 'render_timeout' } }],
  ] as const) {
    const world = await open(t, { pool, settings });
    const caller = await callerOf(world);
    t.match(await world.ask({ path: '/v1/assets', key: caller.key, body: Buffer.from(script) }), expected);
    t.same(await list(world, caller), []);
  }
});

t.test('url and customFontUrl take an asset, which draws as the file itself does', async (t) => {
  const world = await open(t);
  const caller = await callerOf(world);
  const { key } = caller;
  const [picture, font] = [await add(world, caller, PICTURE), await add(world, caller, brandFont())];
  const bytesOf = async (body: object) => {
    const { status, json } = await world.ask({ key, body: { responseType: 'json', ...body } });
    t.same([status, json.warnings], [200, undefined], JSON.stringify(json).slice(0, 200));
    return json.base64;
  };
  t.equal(await bytesOf(image(`asset:${picture}`)), await bytesOf(image(dataUrl(PICTURE))));
  const own = await bytesOf(text({ customFontUrl: `asset:${font}` }));
  t.equal(own, await bytesOf(text({ customFontUrl: dataUrl(brandFont()) })));
  t.not(own, await bytesOf(text({})));
  const drawn = await world.ask({ key, body: image(`asset:${font}`) });
  t.match(drawn.json, { code: 'render_failed', details: [{ path: 'layers[0].url', message: /TrueType font/ }] });
});

t.test('a render is repeated from the cache only with the same asset', async (t) => {
  let draws = 0;
  const pool = createLocalPool();
  const counting: RenderPool = {
    ...pool,
    run: (...values) => {
      draws++;
      return pool.run(...values);
    },
  };
  const world = await open(t, { pool: counting });
  const caller = await callerOf(world);
  const [one, two] = [await add(world, caller, PICTURE), await add(world, caller, OTHER)];
  const render = (id: string) => world.ask({ key: caller.key, body: image(`asset:${id}`) });
  const [first, again, other] = [await render(one), await render(one), await render(two)];
  t.same(first.bytes, again.bytes);
  t.notSame(first.bytes, other.bytes);
  t.equal(draws, 2);
});

t.test('an asset of another workspace is unknown', async (t) => {
  const world = await open(t);
  const [owner, other] = [await callerOf(world), await callerOf(world)];
  const id = await add(world, owner, PICTURE);
  const unknown = id.replace(/.{4}$/, '0000');
  for (const method of ['GET', 'DELETE']) {
    const [theirs, none] = [id, unknown].map((each) =>
      world.ask({ method, path: `/v1/assets/${each}`, key: other.key }),
    );
    t.same((await theirs).bytes, (await none).bytes);
    t.equal((await theirs).status, 404);
  }
  const reply = await world.ask({ key: other.key, body: image(`asset:${id}`) });
  const message = `the workspace has no asset ${id}`;
  t.match(reply, { status: 502, json: { code: 'asset_failed', details: [{ path: 'layers[0].url', message }] } });
  const covered = await world.ask({ key: other.key, body: image(`asset:${id}`, { fallbackColor: '#ff0000' }) });
  t.equal(covered.status, 200);
  t.equal(covered.headers.get('x-service-warnings'), '1');
  t.same((await world.ask({ key: owner.key, body: image(`asset:${id}`) })).status, 200, 'its owner still has it');
  // the same bytes in both workspaces are two assets
  t.not(await add(world, other, PICTURE), id);
});

t.test('an asset: URL has an id, and nothing else', async (t) => {
  const world = await open(t);
  const { key } = await callerOf(world);
  const urls = ['asset:', 'asset:__proto__', 'asset:asset_../../key', 'asset:asset_a/b', 'ASSET:asset_0', 'asset://a'];
  for (const url of urls) {
    const reply = await world.ask({ key, body: image(url) });
    t.match(reply, { status: 500, json: { details: [{ path: 'layers[0].url', message: /id of an asset/ }] } }, url);
    const record = { name: 'T', ...canvas, background: { url } };
    const saved = await world.ask({ path: '/v1/templates', key, body: record });
    t.match(saved, { status: 400, json: { details: [{ path: 'background.url', message: /id of an asset/ }] } }, url);
  }
  for (const id of ['__proto__', 'constructor', '..%2F..%2Fkeys', '%00', 'x'.repeat(9999)]) {
    for (const method of ['GET', 'DELETE']) {
      const { status, json } = await world.ask({ method, path: `/v1/assets/${id}`, key });
      t.same([status, json.code], [404, 'asset_not_found'], id.slice(0, 20));
    }
  }
});

t.test('an asset that templates name is deleted by force alone', async (t) => {
  const world = await open(t);
  const caller = await callerOf(world);
  const [back, main, font] = [
    await add(world, caller, PICTURE),
    await add(world, caller, OTHER),
    await add(world, caller, brandFont()),
  ];
  const record = {
    name: 'Card',
    ...canvas,
    background: { url: `asset:${back}` },
    layers: [{ type: 'text', text: 'A', ...BOX, customFontUrl: `asset:${font}` }],
    hotspots: [{ key: 'logo', label: 'Logo', type: 'image', url: `asset:${main}`, ...BOX }],
  };
  const { status, json } = await world.ask({ path: '/v1/templates', key: caller.key, body: record });
  t.equal(status, 201, JSON.stringify(json));
  const template = json.id;
  const render = () => world.ask({ key: caller.key, body: { templateId: template } });
  t.equal((await render()).status, 200);
  for (const id of [back, main, font]) {
    const refused = await world.ask({ method: 'DELETE', path: `/v1/assets/${id}`, key: caller.key });
    t.match(refused, { status: 409, json: { code: 'asset_in_use', templates: [template] } });
  }
  const forced = { method: 'DELETE', path: `/v1/assets/${back}`, key: caller.key, query: 'force=true' };
  t.equal((await world.ask(forced)).status, 204);
  t.match((await render()).json, { code: 'asset_failed', details: [{ path: 'background.url' }] });
  const free = await world.ask({ method: 'DELETE', path: `/v1/templates/${template}`, key: caller.key });
  t.equal(free.status, 204);
  t.equal((await world.ask({ method: 'DELETE', path: `/v1/assets/${main}`, key: caller.key })).status, 204);
});

t.test('fontFamily names the fonts of the workspace, by weight, and of no other', async (t) => {
  const world = await open(t);
  const [owner, other] = [await callerOf(world), await callerOf(world)];
  const [bold, regular] = [brandFont(700), brandFont(400)];
  await add(world, owner, bold);
  const regularId = await add(world, owner, regular);
  const render = async ({ key }: Caller, more: object) => {
    const { json } = await world.ask({ key, body: text(more) });
    return { picture: json.base64, warnings: json.warnings };
  };
  const drawn = async (font: Buffer) => (await render(other, { customFontUrl: dataUrl(font) })).picture;
  const unknown = [{ path: 'layers[0].fontFamily', message: /^unknown font family "brand "/ }];
  const [asBold, asRegular] = [await drawn(bold), await drawn(regular)];
  t.not(asBold, asRegular);
  t.match(await render(other, { fontFamily: 'brand ', fontWeight: 800 }), { warnings: unknown });
  t.same(await render(owner, { fontFamily: 'brand ', fontWeight: 800 }), { picture: asBold, warnings: undefined });
  t.same(await render(owner, { fontFamily: 'Brand', fontWeight: 400 }), { picture: asRegular, warnings: undefined });
  t.match(await render(other, { fontFamily: 'brand ', fontWeight: 800 }), { warnings: unknown }, 'nothing is left');
  const listed = { text: 'BrЖ', fontWeight: 800 };
  t.same(
    await render(owner, { ...listed, fontFamily: 'Nope, "brand", serif' }),
    await render(other, { ...listed, customFontUrl: dataUrl(bold), fontFamily: 'serif, Lora' }),
    'a family of a list',
  );
  t.same((await render(owner, { ...listed, fontFamily: 'Lobster, Brand' })).warnings, undefined);
  const inter = await render(owner, { fontFamily: 'Inter' });
  t.same(inter, await render(other, { fontFamily: 'Inter' }));

  await world.ask({ method: 'DELETE', path: `/v1/assets/${regularId}`, key: owner.key });
  t.same(await render(owner, { fontFamily: 'Brand', fontWeight: 400 }), { picture: asBold, warnings: undefined });
});

t.test('fonts of the workspace serve spans and markup, each by its own weight', async (t) => {
  const world = await open(t);
  const [owner, other] = [await callerOf(world), await callerOf(world)];
  const [bold, regular] = [brandFont(700), brandFont(400)];
  for (const font of [bold, regular]) await add(world, owner, font);
  const draw = async ({ key }: Caller, more: object) => {
    const { json } = await world.ask({ key, body: text({ text: undefined, ...more }) });
    return { picture: json.base64, warnings: json.warnings };
  };
  const [boldUrl, regularUrl] = [dataUrl(bold), dataUrl(regular)];
  const byUrl = await draw(other, {
    customFontUrl: regularUrl,
    spans: [{ text: 'Br' }, { text: 'Br', customFontUrl: boldUrl }],
  });
  t.notOk(byUrl.warnings);
  const byName = [
    { fontFamily: 'Brand', spans: [{ text: 'Br' }, { text: 'Br', fontWeight: 'bold' }] },
    {
      spans: [
        { text: 'Br', fontFamily: 'Brand' },
        { text: 'Br', fontFamily: 'Brand', fontWeight: 700 },
      ],
    },
    { fontFamily: 'Brand', markup: true, text: 'Br**Br**' },
    { fontFamily: 'Brand', markup: true, text: 'Br==Br==', markupStyles: { mark: { fontWeight: 900 } } },
  ];
  for (const fields of byName) {
    const { picture, warnings } = await draw(owner, fields);
    t.notOk(warnings, JSON.stringify(warnings));
    if ('fontFamily' in fields) t.equal(picture, byUrl.picture, JSON.stringify(fields));
    t.match(await draw(other, fields), { warnings: [{ message: /^unknown font family "Brand"/ }] });
  }
});

t.test('an uploaded font never replaces a bundled family, nor one of the operator', async (t) => {
  const world = await open(t);
  const caller = await callerOf(world);
  await add(world, caller, readFileSync(join(ROOT, 'fonts/inter/inter-700.ttf')));
  const plain = await callerOf(world);
  for (const fontFamily of ['Inter', 'House']) {
    const [own, others] = [caller, plain].map(({ key }) => world.ask({ key, body: text({ fontFamily }) }));
    t.equal((await own).json.base64, (await others).json.base64, fontFamily);
  }
});

t.test('a store that fails is no fault of the picture', async (t) => {
  const down = () => Promise.reject(new ServiceError('storage_unavailable', 'storage is unavailable'));
  for (const storeVerbs of [{ findAsset: down }, { readAsset: down }]) {
    const world = await open(t, { storeVerbs });
    const caller = await callerOf(world);
    const id = await add(world, caller, PICTURE);
    const reply = await world.ask({ key: caller.key, body: image(`asset:${id}`, { fallbackColor: 'red' }) });
    t.match(reply, { status: 503, json: { code: 'storage_unavailable' } });
  }
  const world = await open(t, { storeVerbs: { addAsset: down, listFontAssets: down } });
  const { key } = await callerOf(world);
  t.match(await world.ask({ path: '/v1/assets', key, body: PICTURE }), { status: 503 });
  t.match(await world.ask({ key, body: text({ fontFamily: 'Brand' }) }), { status: 503 });
  t.equal((await world.ask({ key, body: text({}) })).status, 200, 'bundled families need no store');
});

t.test('an asset that is deleted between its lookup and its reading is unknown', async (t) => {
  const world = await open(t, { storeVerbs: { readAsset: async () => undefined } });
  const caller = await callerOf(world);
  const id = await add(world, caller, PICTURE);
  await add(world, caller, brandFont());
  t.match(await world.ask({ key: caller.key, body: image(`asset:${id}`) }), { status: 502 });
  const { status, json } = await world.ask({ key: caller.key, body: text({ fontFamily: 'Brand' }) });
  t.equal(status, 200);
  t.match(json.warnings, [{ path: 'layers[0].fontFamily', message: /^unknown font family "Brand"/ }]);
});

t.test('a file is stored only while its client is there, and the server open', async (t) => {
  const gone = new AbortController();
  const pool = createLocalPool();
  const leaving: RenderPool = {
    ...pool,
    inspectAsset: async (...values) => {
      const found = await pool.inspectAsset(...values);
      gone.abort(new Error('the client is gone'));
      return found;
    },
  };
  const world = await open(t, { pool: leaving });
  const caller = await callerOf(world);
  await world.ask({ path: '/v1/assets', key: caller.key, body: PICTURE, signal: gone.signal });
  t.same(await list(world, caller), []);
  const closing = await open(t, { phase: () => 'closing' });
  const { key } = await callerOf(closing);
  t.match(await closing.ask({ path: '/v1/assets', key, body: PICTURE }), { status: 503, json: { code: 'overloaded' } });
});

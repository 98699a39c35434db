// `asset?url=` and `verify` over a real socket: what previews load, and renders that are not charged.
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createRenderer } from '../any-payload.js';
import { fixture } from '../codecs/pictures.js';
import { brandFont } from '../fonts/brand-font.js';
import { saveTemplate } from '../service/stores.js';
import { type SocketBrowser, startDashboard } from './socket.js';
import { type Browser, createDashboardWorld } from './world.js';

const PICTURE = fixture('quadrants-420.jpg');
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><script>alert(1)</script></svg>';
const FILES: Readonly<Record<string, Uint8Array | string>> = {
  '/a.jpg': PICTURE,
  '/a.svg': SVG,
  '/a.ttf': brandFont(),
  '/page': '<!doctype html><script>alert(1)</script>',
  '/data': '{"secret":1}',
  '/script': 'alert(1)',
  '/empty': '',
};

/** A site with these files, all of which it calls HTML. */
async function openSite(t: Test): Promise<string> {
  const site = createServer(({ url = '' }, response) => {
    if (url === '/away') response.writeHead(302, { Location: 'http://169.254.169.254/latest/' }).end();
    else if (url in FILES) response.setHeader('Content-Type', 'text/html').end(FILES[url]);
    else response.writeHead(404).end('nothing here');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  t.teardown(() => site.close());
  return `127.0.0.1:${(site.address() as AddressInfo).port}`;
}

const assetOf = (browser: SocketBrowser, workspace: string, url: string) =>
  browser.ask({ path: `asset?${new URLSearchParams({ workspace, url })}` });

t.test('pictures and fonts come as bytes that no browser runs; anything else does not come', async (t) => {
  const host = await openSite(t);
  const server = await startDashboard(t, { ASSET_ALLOW_HOSTS: host });
  const { id } = await server.store.createWorkspace({ name: 'W', plan: 'paid', credits: 0 });
  const viewer = await server.signedIn('viewer', [id]);
  for (const path of ['/a.jpg', '/a.svg', '/a.ttf']) {
    const { status, headers, bytes } = await assetOf(viewer, id, `http://${host}${path}`);
    t.equal(status, 200, path);
    t.same(bytes, Buffer.from(FILES[path]));
    t.equal(headers.get('content-type'), 'application/octet-stream');
    t.equal(headers.get('x-content-type-options'), 'nosniff');
    t.match(headers.get('content-security-policy'), /default-src 'none'.*frame-ancestors 'none'.*sandbox/);
    t.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
    t.equal(headers.get('content-disposition'), 'attachment');
    t.equal(headers.get('cache-control'), 'no-store');
  }
  const url = encodeURIComponent(`http://${host}/a.jpg`);
  t.same((await viewer.ask({ path: `asset?url=${url}` })).bytes, Buffer.from(PICTURE), 'the web needs no workspace');
  for (const path of ['/page', '/data', '/script', '/empty']) {
    const { status, json, bytes } = await assetOf(viewer, id, `http://${host}${path}`);
    t.match({ status, json }, { status: 415, json: { code: 'unsupported_media_type' } }, path);
    t.notMatch(bytes.toString(), /alert|secret/, 'nothing of the file is in the answer');
  }
  for (const path of ['/missing', '/away']) {
    const { status, json } = await assetOf(viewer, id, `http://${host}${path}`);
    t.match({ status, json }, { status: 502, json: { code: 'asset_failed' } }, path);
  }
  t.notMatch(JSON.stringify(server.log), /a\.jpg|latest/, 'the log has no URL');
});

t.test('the fonts of FONTS_DIR are listed and read', async (t) => {
  const FONTS_DIR = t.testdir({});
  await writeFile(join(FONTS_DIR, 'brand.ttf'), brandFont());
  const server = await startDashboard(t, { FONTS_DIR });
  const viewer = await server.signedIn('viewer', []);
  const { json } = await viewer.ask({ path: 'fonts' });
  t.same(json, { items: [{ family: 'Brand', weight: 700, style: 'normal', isVariable: false }] });
  const { status, headers, bytes } = await viewer.ask({ path: 'fonts/0' });
  t.match([status, headers.get('content-type')], [200, 'application/octet-stream']);
  t.same([...bytes.subarray(0, 4)], [0, 1, 0, 0], 'TrueType');
  for (const n of ['1', '-1', 'x', '0.0', '1e9', '9999999']) {
    t.match(await viewer.ask({ path: `fonts/${n}` }), { status: 404, json: { code: 'not_found' } }, n);
  }
});

t.test('URLs that a render would not fetch are not fetched', async (t) => {
  const host = await openSite(t);
  const server = await startDashboard(t);
  const { id } = await server.store.createWorkspace({ name: 'W', plan: 'paid', credits: 0 });
  const other = await server.store.createWorkspace({ name: 'Other', plan: 'paid', credits: 0 });
  const viewer = await server.signedIn('viewer', [id]);
  const blocked = await assetOf(viewer, id, `http://${host}/a.jpg`);
  t.match(blocked, { status: 502, json: { code: 'asset_failed' } }, 'a private address');
  for (const url of [
    'data:image/png;base64,AA',
    'file:///etc/passwd',
    '/etc/passwd',
    'http://u:p@example.com/',
    'x:y',
  ]) {
    const { status, json } = await assetOf(viewer, id, url);
    t.match({ status, json }, { status: 400, json: { code: 'invalid_request', details: [{ path: 'url' }] } }, url);
  }
  t.match(await viewer.ask({ path: 'asset?url=asset:asset_1' }), { status: 400, json: { details: [{ path: 'url' }] } });
  for (const query of ['', `workspace=${id}`, `workspace=${id}&url=`, `workspace=${id}&url=a&url=b`]) {
    t.equal((await viewer.ask({ path: `asset?${query}` })).status, 400, query);
  }
  const { asset } = await server.store.addAsset(
    { workspaceId: other.id, kind: 'image', mimeType: 'image/jpeg', sha256: sha256(PICTURE), width: 48, height: 32 },
    PICTURE,
    1e9,
  );
  t.match(await assetOf(viewer, id, `asset:${asset.id}`), { status: 502, json: { code: 'asset_failed' } });
  t.match(await assetOf(viewer, other.id, `asset:${asset.id}`), { status: 404 });
  const owner = await server.signedIn('owner');
  t.same((await assetOf(owner, other.id, `asset:${asset.id}`)).bytes, Buffer.from(PICTURE));
});

const sha256 = (bytes: Uint8Array | Uint8ClampedArray) => createHash('sha256').update(bytes).digest('hex');
const CANVAS = {
  canvas: { width: 80, height: 40, backgroundColor: '#abcdef80' },
  layers: [{ type: 'text', text: 'Hi', x: 0, y: 0, width: 80, height: 40, fontSize: 20 }],
};
const RECORD = {
  name: 'Card',
  width: 80,
  height: 40,
  background: { color: '#abcdef80' },
  hotspots: [
    { key: 'title', label: 'Title', type: 'text', text: 'A', x: 0, y: 0, width: 80, height: 40, fontSize: 20 },
  ],
};

t.test('a verified render has the pixels of the library, costs nothing and is in no log', async (t) => {
  const server = await startDashboard(t);
  const { workspaceId } = await server.caller({ credits: 0 });
  const free = await server.store.createWorkspace({ name: 'Free', plan: 'free', credits: 0 });
  const editor = await server.signedIn('editor');
  const verify = async (body: object) => (await editor.ask({ method: 'POST', path: 'verify', body })).json;
  const { data } = await createRenderer().renderToPixels(CANVAS);
  const canvas = await verify({ workspaceId, payload: { ...CANVAS, format: 'webp' } });
  t.match(canvas, { pixelsSha256: sha256(data), format: 'webp', mimeType: 'image/webp', width: 80, height: 40 });
  t.equal(Buffer.from(canvas.base64, 'base64').length, canvas.sizeBytes);
  t.same(Object.keys(canvas.timings).sort(), ['check', 'encode', 'layout', 'load', 'paint', 'queue']);
  const record = await verify({ workspaceId, payload: RECORD, variables: { title: 'Hi' } });
  t.equal(record.pixelsSha256, sha256(data), 'a template that is not saved');
  t.not((await verify({ workspaceId: free.id, payload: CANVAS })).pixelsSha256, sha256(data), 'the watermark is drawn');
  const templateId = await saveTemplate(server.store, workspaceId, RECORD);
  const sized = { ...RECORD, sizes: { story: { width: 20, height: 40 } } };
  t.match(await verify({ workspaceId, payload: sized, size: 'story' }), { width: 20, height: 40 });
  t.match(await verify({ workspaceId, payload: sized, size: 'x' }), {
    code: 'invalid_request',
    details: [{ path: 'size' }],
  });
  const saved = await verify({ workspaceId, payload: { templateId, variables: { title: 'Hi' } } });
  t.equal(saved.pixelsSha256, sha256(data), 'a saved template');
  const warned = await verify({ workspaceId, payload: { ...CANVAS, colour: 1 }, variables: { title: 'Hi' } });
  t.match(warned.warnings, [{ path: 'variables' }, { path: 'colour' }]);
  t.same((await server.store.listRenders(workspaceId, {}, { limit: 9 })).items, []);
  t.equal((await server.store.balance(workspaceId)).balance, 0);
});

t.test('faults are named by their path in the payload', async (t) => {
  const server = await startDashboard(t);
  const { workspaceId } = await server.caller();
  const { workspaceId: otherId } = await server.caller();
  const otherTemplate = await saveTemplate(server.store, otherId, RECORD);
  const editor = await server.signedIn('editor', [workspaceId]);
  const verify = (body: unknown) => editor.ask({ method: 'POST', path: 'verify', body });
  const layer = { type: 'text', x: 0, y: 0, width: 'wide', height: 9 };
  for (const [body, status, code, path] of [
    [{ workspaceId, payload: { ...CANVAS, canvas: { width: 0, height: 1 } } }, 400, 'invalid_request', 'canvas.width'],
    [{ workspaceId, payload: { ...CANVAS, layers: [layer] } }, 500, 'render_failed', 'layers[0].width'],
    [{ workspaceId, payload: { ...RECORD, width: 1e9 } }, 400, 'invalid_request', 'width'],
    [{ workspaceId, payload: [] }, 400, 'invalid_request', 'payload'],
    [{ workspaceId }, 400, 'invalid_request', 'payload'],
    [{ payload: CANVAS }, 400, 'invalid_request', 'workspaceId'],
    [{ workspaceId, payload: { templateId: otherTemplate } }, 404, 'template_not_found', undefined],
    [{ workspaceId: otherId, payload: CANVAS }, 404, 'workspace_not_found', undefined],
  ] as const) {
    const { status: answered, json } = await verify(body);
    t.match({ status: answered, code: json.code }, { status, code }, JSON.stringify(body));
    t.equal(json.details?.[0].path, path);
  }
});

t.test('an operator may verify ten times a minute', async (t) => {
  let time = 0;
  const world = await createDashboardWorld(t, { clock: () => time });
  const { id: workspaceId } = await world.store.createWorkspace({ name: 'W', plan: 'paid', credits: 0 });
  const editors = [await world.operator('editor'), await world.operator('editor')];
  const verify = (browser: Browser) =>
    browser.ask({ method: 'POST', path: 'verify', body: { workspaceId, payload: CANVAS } });
  const statuses = [];
  for (let i = 0; i < 10; i++) statuses.push((await verify(editors[0])).status);
  t.same(statuses, Array(10).fill(200));
  time = 20_000;
  const refused = await verify(editors[0]);
  t.match(refused, { status: 429, json: { code: 'rate_limited' } });
  t.equal(refused.headers.get('retry-after'), '40');
  t.equal((await verify(editors[1])).status, 200, 'another operator has a limit of its own');
  time = 60_000;
  t.equal((await verify(editors[0])).status, 200, 'and after a minute there is room again');
});

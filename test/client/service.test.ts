// The client with the server: what is charged once, versions, conflicts, the render log, and a page of another origin.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import t, { type Test } from 'tap';
import { createClient } from '../../lib/client/index.js';
import { readHeader } from '../../lib/codecs/header.js';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { ROOT } from '../checkout.js';
import { CHROMIUM, startChromium } from '../chromium.js';
import { eventually } from '../eventually.js';
import { startWhole } from '../service/whole.js';

async function start(t: Test) {
  const whole = await startWhole(t, {});
  const { id: workspaceId } = await whole.store.createWorkspace({ name: 'Acme', plan: 'paid', credits: 100 });
  const apiKey = createRawKey();
  const scopes = ['render:write', 'render:read', 'templates:read', 'templates:write'] as const;
  await whole.store.createKey({ workspaceId, name: 'k', scopes, hash: hashKey(apiKey) });
  return { whole, apiKey, client: createClient({ baseUrl: whole.url, apiKey }) };
}

const hotspot = { key: 'title', label: 'Title', type: 'text', x: 0, y: 0, width: 60, height: 30, text: 'a' } as const;
const record = { name: 'Card', width: 60, height: 30, hotspots: [hotspot] };
const canvas = { canvas: { width: 40, height: 20, backgroundColor: 'teal' }, alt: 'A täl card', layers: [] };

t.test('renders, and replays a render without a charge', async (t) => {
  const { client } = await start(t);
  const first = await client.render(canvas, { idempotencyKey: 'order 42' });
  t.match(readHeader(first.bytes), { format: 'png', width: 40, height: 20 });
  t.match(first, {
    mimeType: 'image/png',
    format: 'png',
    width: 40,
    height: 20,
    alt: 'A täl card',
    creditsRemaining: 99,
    replayed: false,
  });
  t.match(first.sha256, /^[\w-]{43}$/);
  const again = await client.render(canvas, { idempotencyKey: 'order 42' });
  t.match(again, { replayed: true, sha256: first.sha256 });
  t.same(Buffer.compare(again.bytes, first.bytes), 0);
  t.match(await client.workspace(), { name: 'Acme', plan: 'paid', balance: 99, rendersRemaining: 99, creditsCost: 1 });
  const other = { ...canvas, format: 'webp' } as const;
  await t.rejects(client.render(other, { idempotencyKey: 'order 42' }), {
    name: 'PlatenError',
    code: 'idempotency_mismatch',
  });
  const json = await client.render(canvas, { responseType: 'json' });
  t.match(json, {
    success: true,
    alt: 'A täl card',
    billing: { creditsRemaining: 98 },
    replayed: false,
    sha256: first.sha256,
  });
});

t.test('a lost answer is fetched again without a second charge', async (t) => {
  const { whole, apiKey } = await start(t);
  let calls = 0;
  const lossy = createClient({
    baseUrl: whole.url,
    apiKey,
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      await answer.clone().arrayBuffer();
      if (++calls === 1) throw new TypeError('fetch failed');
      return answer;
    },
  });
  t.match(await lossy.render(canvas), { replayed: true, width: 40, creditsRemaining: 99 });
  t.equal(calls, 2);
});

t.test('saves, replaces, publishes, restores and deletes templates', async (t) => {
  const { client } = await start(t);
  const draft = await client.templates.create(record, { publish: false });
  t.match(draft, {
    version: 1,
    publishedVersion: null,
    name: 'Card',
    hotspots: [{ key: 'title', type: 'text' }],
    record,
  });
  await t.rejects(client.render({ templateId: draft.id }), { name: 'PlatenError', code: 'template_not_found' });
  t.match(await client.templates.publish(draft.id, 1), { publishedVersion: 1 });
  t.match(await client.render({ templateId: draft.id, variables: { title: 'b' } }), { width: 60, height: 30 });
  const wide = { ...record, width: 90 };
  t.match(await client.templates.replace(draft.id, wide, { ifMatch: 1 }), { version: 2, publishedVersion: 2 });
  await t.rejects(client.templates.replace(draft.id, record, { ifMatch: 1 }), {
    name: 'PlatenError',
    status: 412,
    code: 'version_conflict',
  });
  t.match(await client.render({ templateId: draft.id, templateVersion: 1 }), { width: 60 });
  t.match(await client.render({ templateId: draft.id }), { width: 90 });
  t.match(await client.templates.restore(draft.id, 1), { version: 3, publishedVersion: 3, width: 60 });
  t.match(await client.templates.version(draft.id, 2), { version: 2, width: 90, record: { width: 90 } });
  const versions: number[] = [];
  for await (const { version } of client.templates.versions(draft.id, { limit: 1 })) versions.push(version);
  t.same(versions, [3, 2, 1]);
  t.equal(await client.templates.get(draft.id, { ifNoneMatch: 3 }), undefined);
  t.match(await client.templates.get(draft.id, { ifNoneMatch: 2 }), { version: 3 });
  await client.templates.delete(draft.id);
  await t.rejects(client.templates.get(draft.id), { name: 'PlatenError', status: 404, code: 'template_not_found' });
  const details = [{ path: 'width', message: /expected a whole number from 1 to 8192/ }];
  const error = await client.templates.create({ ...record, width: 0 }).catch((thrown: unknown) => thrown);
  t.match(error, { name: 'PlatenError', status: 400, code: 'invalid_request', details });
});

t.test('lists every template once, over many pages', async (t) => {
  const { client } = await start(t);
  const made: string[] = [];
  for (let i = 0; i < 5; i++) made.unshift((await client.templates.create({ ...record, name: `T${i}` })).id);
  const listed: string[] = [];
  for await (const { id } of client.templates.list({ limit: 2 })) listed.push(id);
  t.same(listed, made);
});

t.test('finds renders by their metadata and their status', async (t) => {
  const { client } = await start(t);
  const { renderId } = await client.render({ ...canvas, metadata: { order: 42 } });
  await client.render({ ...canvas, metadata: { order: 43 } });
  await t.rejects(client.render({ templateId: 'none' }), { name: 'PlatenError', code: 'template_not_found' });
  const idsOf = async (list: AsyncIterable<{ id: string }>) => {
    const ids: string[] = [];
    for await (const { id } of list) ids.push(id);
    return ids;
  };
  // the log is written in the background
  await eventually(async () => (await idsOf(client.renders.list())).length === 3);
  t.same(await idsOf(client.renders.list({ metadata: { order: 42 } })), [renderId]);
  t.equal((await idsOf(client.renders.list({ status: 'failed' }))).length, 1);
  t.same(await idsOf(client.renders.list({ to: new Date(0) })), []);
  t.match(await client.renders.get(renderId ?? ''), { id: renderId, status: 'ok', width: 40, metadata: { order: 42 } });
});

t.test(
  'works in a page of another origin',
  { skip: CHROMIUM === undefined && 'there is no browser here' },
  async (t) => {
    const { whole, apiKey } = await start(t);
    const { outputFiles } = await build({
      entryPoints: [`${ROOT}/lib/client/index.ts`],
      bundle: true,
      format: 'iife',
      globalName: 'platen',
      write: false,
      logLevel: 'silent',
    });
    const site = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end(`<!doctype html><title>A page</title><script>${outputFiles[0].text}</script>`);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    t.teardown(() => {
      site.closeAllConnections();
      site.close();
    });
    const open = await startChromium(t);
    const page = await open(`http://localhost:${(site.address() as AddressInfo).port}/`);
    const result = await page.evaluate(`(async () => {
    const client = platen.createClient(${JSON.stringify({ baseUrl: whole.url, apiKey })});
    const first = await client.render(${JSON.stringify(canvas)}, { idempotencyKey: 'a' });
    const { replayed, renderId, sha256 } = await client.render(${JSON.stringify(canvas)}, { idempotencyKey: 'a' });
    const picture = await createImageBitmap(new Blob([first.bytes], { type: first.mimeType }));
    const template = await client.templates.create(${JSON.stringify(record)});
    const replaced = await client.templates.replace(template.id, ${JSON.stringify(record)}, { ifMatch: 1 });
    const unchanged = await client.templates.get(template.id, { ifNoneMatch: 2 });
    await client.templates.delete(template.id);
    const failure = await client.templates.get(template.id).catch((error) => [error.name, error.code, error.status]);
    return { size: [picture.width, picture.height], replayed, sha256: sha256 === first.sha256, hasId: !!renderId,
      version: replaced.version, unchanged: unchanged === undefined, failure };
  })()`);
    t.same(result, {
      size: [40, 20],
      replayed: true,
      sha256: true,
      hasId: true,
      version: 2,
      unchanged: true,
      failure: ['PlatenError', 'template_not_found', 404],
    });
  },
);

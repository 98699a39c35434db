// /healthz and /readyz: when each answers 200, and that frequent probes do not load the store.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { ServiceError } from '../../lib/errors.js';
import { createHealth } from '../../lib/service/health.js';
import type { Phase } from '../../lib/service/request.js';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import { failing } from '../store/embedded/failing-files.js';
import { createWorld } from './world.js';

/** After this time the result of a probe is not reused, in milliseconds. */
const PROBE_AGE_MS = 1100;

const away = (): Promise<void> => Promise.reject(new ServiceError('storage_unavailable', 'the database is away'));
const get = (path: string) => ({ method: 'GET', path });

t.test('is ready while a render process and the store answer and the server is not shutting down', async (t) => {
  let phase: Phase = 'serving';
  let write = async () => {};
  let isUp = true;
  const { alive, ready } = createHealth({
    store: { assertWritable: () => write() },
    engine: { isReady: async () => isUp },
    phase: () => phase,
    freshMs: 0,
  });
  const said = async (ask: typeof ready) => {
    // what was found out about the store is forgotten within one turn of the timers
    await new Promise((resolve) => setTimeout(resolve, 10));
    const { status, body } = await ask();
    return `${status} ${JSON.parse(Buffer.from(body as Uint8Array).toString()).status}`;
  };
  t.equal(await said(ready), '200 ok');
  write = away;
  t.equal(await said(ready), '503 storage_unavailable');
  t.equal(await said(alive), '200 ok', 'a restart would not bring the store back');
  write = async () => {};
  t.equal(await said(ready), '200 ok', 'it is back');
  isUp = false;
  t.equal(await said(ready), '503 starting');
  t.equal(await said(alive), '503 starting');
  isUp = true;
  phase = 'draining';
  t.equal(await said(ready), '503 draining');
  t.equal(await said(alive), '200 ok', 'it must not be killed for going down');
  phase = 'closing';
  t.equal(await said(ready), '503 closing');
  t.equal(await said(alive), '503 closing');
});

t.test('is not ready when the store does not answer', async (t) => {
  const engine = { isReady: async () => true };
  let probes = 0;
  const assertWritable = () => {
    probes++;
    return new Promise<void>(() => {});
  };
  const { ready } = createHealth({ store: { assertWritable }, engine, freshMs: 0, timeoutMs: 10 });
  for (let n = 0; n < 3; n++) t.equal((await ready()).status, 503);
  t.equal(probes, 1, 'a probe that hangs is the only one');
});

t.test('reuses the result of a store probe for repeated requests', async (t) => {
  let probes = 0;
  const store = {
    assertWritable: async () => {
      probes++;
    },
  };
  const { ready } = createHealth({ store, engine: { isReady: async () => true }, freshMs: 60_000 });
  for (let i = 0; i < 20; i++) await Promise.all([ready(), ready()]);
  t.equal(probes, 1);
});

// before: on a full disk /readyz answered 200 while every render was 503
for (const code of ['ENOSPC', 'EROFS', 'EDQUOT', 'EIO']) {
  t.test(`is not ready while ${code} makes charges fail, and ready as soon as they succeed`, async (t) => {
    const disk = failing(code);
    const folder = mkdtempSync(join(tmpdir(), 'platen-health-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const store = await openEmbeddedStore(folder, { files: disk.files, warn: () => undefined });
    t.teardown(() => store.close());
    const world = await createWorld(t, { storeVerbs: store });
    const { id } = await store.createWorkspace({ name: 'w', plan: 'paid', credits: 3 });
    const key = createRawKey();
    await store.createKey({ workspaceId: id, name: 'k', scopes: ['render:write'], hash: hashKey(key) });
    t.match(await world.ask(get('/readyz')), { status: 200 });
    disk.fail(() => true);
    await sleep(PROBE_AGE_MS);
    t.match(await world.ask({ key }), { status: 503, json: { code: 'storage_unavailable' } });
    t.match(await world.ask(get('/readyz')), { status: 503, json: { status: 'storage_unavailable' } });
    disk.fail(() => false);
    await sleep(PROBE_AGE_MS);
    t.match(await world.ask(get('/readyz')), { status: 200 });
    t.equal((await world.ask({ key })).status, 200);
    t.strictSame(await store.balance(id), { workspaceId: id, balance: 2 });
  });
}

t.test('answers through the service without a key, with the common headers', async (t) => {
  const world = await createWorld(t);
  t.match(await world.ask(get('/readyz')), { status: 200, json: { status: 'ok' } });
  t.match(await world.ask({ method: 'HEAD', path: '/readyz' }), { status: 200 });
  t.equal((await world.ask({ method: 'POST', path: '/readyz' })).status, 405);
  const lost = await createWorld(t, { storeVerbs: { assertWritable: away } });
  t.match(await lost.ask(get('/readyz')), { status: 503, json: { status: 'storage_unavailable' } });
  const draining = await createWorld(t, { phase: () => 'draining' });
  t.match(await draining.ask(get('/readyz')), { status: 503, json: { status: 'draining' } });
  const { key } = await draining.caller();
  t.equal((await draining.ask({ key })).status, 200, 'renders are still made');
});

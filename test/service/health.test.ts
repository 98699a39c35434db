// /healthz and /readyz: when each answers 200, and that frequent probes do not load the store.
import t from 'tap';
import { RenderError } from '../../lib/errors.js';
import { createHealth } from '../../lib/service/health.js';
import type { Phase } from '../../lib/service/request.js';
import { createWorld } from './world.js';

const away = () => Promise.reject(new RenderError('storage_unavailable', 'the database is away'));
const get = (path: string) => ({ method: 'GET', path });

t.test('is ready while a render process and the store answer and the server is not shutting down', async (t) => {
  let phase: Phase = 'serving';
  let find: () => Promise<undefined> = async () => undefined;
  let isUp = true;
  const { alive, ready } = createHealth({
    store: { findKey: () => find() },
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
  find = away;
  t.equal(await said(ready), '503 storage_unavailable');
  t.equal(await said(alive), '200 ok', 'a restart would not bring the store back');
  find = async () => undefined;
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
  const { ready } = createHealth({ store: { findKey: () => new Promise(() => {}) }, engine });
  t.equal((await ready()).status, 503);
});

t.test('reuses the result of a store probe for repeated requests', async (t) => {
  let looks = 0;
  const store = {
    findKey: async () => {
      looks++;
      return undefined;
    },
  };
  const { ready } = createHealth({ store, engine: { isReady: async () => true }, freshMs: 60_000 });
  for (let i = 0; i < 20; i++) await Promise.all([ready(), ready()]);
  t.equal(looks, 1);
});

t.test('answers through the service without a key, with the common headers', async (t) => {
  const world = await createWorld(t);
  t.match(await world.ask(get('/readyz')), { status: 200, json: { status: 'ok' } });
  t.match(await world.ask({ method: 'HEAD', path: '/readyz' }), { status: 200 });
  t.equal((await world.ask({ method: 'POST', path: '/readyz' })).status, 405);
  const lost = await createWorld(t, { storeVerbs: { findKey: away } });
  t.match(await lost.ask(get('/readyz')), { status: 503, json: { status: 'storage_unavailable' } });
  const draining = await createWorld(t, { phase: () => 'draining' });
  t.match(await draining.ask(get('/readyz')), { status: 503, json: { status: 'draining' } });
  const { key } = await draining.caller();
  t.equal((await draining.ask({ key })).status, 200, 'renders are still made');
});

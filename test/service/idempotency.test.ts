// `Idempotency-Key` of POST /v1/render: the first charged request settles a key, and repeats render again for free.
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { codedError, RenderError, ServiceError } from '../../lib/errors.js';
import type { Phase } from '../../lib/service/request.js';
import { loggedRenders, saveTemplate } from './stores.js';
import { type Ask, type Caller, createWorld, FLAT, type World } from './world.js';

const renderWith = (world: World, caller: Caller, idempotencyKey: string, request: Ask = {}) =>
  world.ask({ key: caller.key, idempotencyKeys: [idempotencyKey], ...request });

t.test('a repeat renders again, costs nothing and says so', async (t) => {
  const world = await createWorld(t, { settings: { RENDER_CREDIT_COST: '3' } });
  const caller = await world.caller({ credits: 5 });
  const metadata = { order: 'A-1' };
  const body = { ...FLAT, responseType: 'json', metadata };
  const first = await renderWith(world, caller, 'order-1', { body });
  t.equal(first.status, 200);
  t.notOk(first.headers.has('idempotency-replayed'));
  t.match(first.json.billing, { creditsRemaining: 2, rendersRemaining: 0, creditsCost: 3 });
  const repeat = await renderWith(world, caller, 'order-1', { body });
  t.equal(repeat.status, 200, 'although the balance is below the cost');
  t.equal(repeat.headers.get('idempotency-replayed'), 'true');
  t.match(repeat.json.billing, { creditsRemaining: 2, rendersRemaining: 0, creditsCost: 0 });
  t.equal(repeat.json.base64, first.json.base64);
  t.equal(repeat.json.sha256, first.json.sha256);
  t.not(repeat.json.renderId, first.json.renderId);
  t.equal(repeat.headers.get('x-ratelimit-remaining'), '998', 'it counts');
  t.equal(await world.balance(caller), 2);
  t.equal(world.engine.asked.length, 2);
  t.match(await loggedRenders(world.store, caller.workspaceId), [
    { id: repeat.json.renderId, status: 'ok', creditsCost: 0, replayOf: first.json.renderId, metadata },
    { id: first.json.renderId, status: 'ok', creditsCost: 3, sha256: first.json.sha256, metadata },
  ]);
});

t.test(
  'compares the canonical body: neither order of keys nor blanks nor the spelling of numbers matter',
  async (t) => {
    const world = await createWorld(t);
    const caller = await world.caller();
    await renderWith(world, caller, 'k', { body: '{"canvas":{"width":4,"height":3},"layers":[],"quality":80}' });
    const same = '{ "quality": 8e1, "layers": [ ], "canvas": { "height": 3.0, "width": 4 } }';
    t.equal((await renderWith(world, caller, 'k', { body: same })).headers.get('idempotency-replayed'), 'true');
    for (const body of [
      { ...FLAT, quality: 81 },
      { ...FLAT, quality: 80, metadata: {} },
    ]) {
      const other = await renderWith(world, caller, 'k', { body });
      t.match(other, { status: 422, json: { success: false, code: 'idempotency_mismatch' } });
    }
    t.equal(await world.balance(caller), 999);
    const [mismatch] = await loggedRenders(world.store, caller.workspaceId);
    t.match(mismatch, { status: 'failed', code: 'idempotency_mismatch', creditsCost: 0, metadata: {} });
  },
);

t.test('each API key has its own', async (t) => {
  const world = await createWorld(t);
  const one = await world.caller();
  const two = await world.caller({ workspaceId: one.workspaceId });
  for (const caller of [one, two]) {
    t.notOk((await renderWith(world, caller, 'k')).headers.has('idempotency-replayed'));
    t.equal((await renderWith(world, caller, 'k')).headers.get('idempotency-replayed'), 'true');
  }
  t.equal(await world.balance(one), 998);
});

t.test('rejects a malformed key after the shape check, with its code', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ credits: 0 });
  const malformed: string[][] = [[''], ['x'.repeat(256)], ['caf\u00e9'], ['a\tb'], ['a\u007f'], ['a', 'b'], ['a', 'a']];
  for (const idempotencyKeys of malformed) {
    const reply = await world.ask({ key: caller.key, idempotencyKeys });
    t.match(reply, { status: 400, json: { success: false, code: 'invalid_request' } }, JSON.stringify(idempotencyKeys));
    t.match(reply.json.details, [{ path: 'Idempotency-Key', message: String }]);
    t.equal((reply.json.details as unknown[]).length, 1);
  }
  const shape = await world.ask({ key: caller.key, idempotencyKeys: [''], body: {} });
  t.equal(shape.status, 400);
  t.notOk('code' in shape.json, 'the shape comes first');
  const wellFormed = ['x', ' !"#~', 'x'.repeat(255), 'a,b'];
  const rich = await world.caller();
  for (const key of wellFormed) t.equal((await renderWith(world, rich, key)).status, 200, key);
});

t.test('a request that is not charged does not settle its key', async (t) => {
  const world = await createWorld(t);
  const poor = await world.caller({ credits: 0 });
  t.equal((await renderWith(world, poor, 'k')).status, 402);
  await world.store.grant(poor.workspaceId, 1);
  t.equal(
    (await renderWith(world, poor, 'k', { body: { ...FLAT, quality: 50 } })).status,
    200,
    'even with another body',
  );
  const caller = await world.caller({ credits: 1 });
  t.equal((await renderWith(world, caller, 'k', { body: { templateId: 'none' } })).status, 404);
  for (const code of ['render_failed', 'asset_failed', 'overloaded', 'render_timeout', 'internal_error'] as const) {
    world.engine.before = () => {
      throw codedError(code, 'no');
    };
    t.equal((await renderWith(world, caller, 'k')).json.code, code);
  }
  world.engine.before = () => {};
  const made = await renderWith(world, caller, 'k');
  t.equal(made.status, 200);
  t.notOk(made.headers.has('idempotency-replayed'));
  t.equal(await world.balance(caller), 0);
});

t.test('while the first request runs, every repeat gets 409, whatever its body', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller();
  let finish = () => {};
  world.engine.before = () =>
    new Promise((resolve) => {
      finish = resolve;
    });
  const first = renderWith(world, caller, 'k');
  while (world.engine.asked.length === 0) await turn();
  for (const body of [FLAT, { ...FLAT, quality: 1 }]) {
    const repeat = await renderWith(world, caller, 'k', { body });
    t.match(repeat, { status: 409, json: { success: false, code: 'idempotency_in_progress' } });
    t.match(repeat.headers.get('retry-after'), /^[12]$/);
  }
  t.equal(world.engine.asked.length, 1);
  finish();
  t.equal((await first).status, 200);
  world.engine.before = () => {};
  t.equal((await renderWith(world, caller, 'k')).headers.get('idempotency-replayed'), 'true');
  t.equal(await world.balance(caller), 999);
  t.same(
    (await loggedRenders(world.store, caller.workspaceId)).map(({ status }) => status),
    ['ok', 'ok'],
    'the 409s are not in the log',
  );
});

t.test('50 concurrent requests with one key: one is charged', async (t) => {
  const world = await createWorld(t);
  world.engine.before = () => turn();
  const caller = await world.caller({ credits: 50 });
  const replies = await Promise.all(Array.from({ length: 50 }, () => renderWith(world, caller, 'k')));
  const made = replies.filter(({ status }) => status === 200);
  const charged = made.filter(({ headers }) => !headers.has('idempotency-replayed'));
  t.equal(charged.length, 1);
  t.equal(replies.filter(({ status }) => status === 409).length, 50 - made.length);
  t.equal(await world.balance(caller), 49);
  t.equal((await renderWith(world, caller, 'k')).headers.get('idempotency-replayed'), 'true');
});

t.test(
  'a client that left before the charge finds its key free; after the charge it gets its image for nothing',
  async (t) => {
    const world = await createWorld(t);
    const caller = await world.caller({ credits: 1 });
    const gone = new AbortController();
    world.engine.before = () => gone.abort(new ServiceError('internal_error', 'the client disconnected'));
    t.equal((await renderWith(world, caller, 'k', { signal: gone.signal })).status, 500);
    t.equal(await world.balance(caller), 1);
    t.same(await loggedRenders(world.store, caller.workspaceId), []);
    world.engine.before = () => {};
    // its answer is lost
    t.equal((await renderWith(world, caller, 'k')).status, 200);
    t.equal(await world.balance(caller), 0);
    t.equal((await renderWith(world, caller, 'k')).headers.get('idempotency-replayed'), 'true');
  },
);

t.test('a charge that fails leaves the key free', async (t) => {
  let isAway = true;
  const world = await createWorld(t, {
    wrapStore: (store) => ({
      settle: async (hold, settlement) => {
        if (!isAway) return await store.settle(hold, settlement);
        await store.release(hold);
        if (settlement) await store.releaseIdempotencyLease(settlement.lease);
        throw new ServiceError('storage_unavailable', 'storage is unavailable');
      },
    }),
  });
  const caller = await world.caller({ credits: 1 });
  t.equal((await renderWith(world, caller, 'k')).status, 503);
  isAway = false;
  const made = await renderWith(world, caller, 'k');
  t.equal(made.status, 200);
  t.notOk(made.headers.has('idempotency-replayed'));
});

t.test('a closing server frees the key of a request that it rejects', async (t) => {
  let phase: Phase = 'closing';
  const world = await createWorld(t, { phase: () => phase });
  const caller = await world.caller({ credits: 1 });
  t.equal((await renderWith(world, caller, 'k')).status, 503);
  phase = 'serving';
  t.equal((await renderWith(world, caller, 'k')).status, 200);
  phase = 'closing';
  t.equal((await renderWith(world, caller, 'k')).status, 503, 'a replay is a render too');
});

t.test('a repeat renders the template version that was charged', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller();
  const { workspaceId } = caller;
  const record = (name: string) => ({ name, width: 2, height: 2, hotspots: [] });
  const templateId = await saveTemplate(world.store, workspaceId, record('one'));
  const body = { templateId };
  await renderWith(world, caller, 'k', { body });
  const draft = { record: record('two'), hotspots: [], assetIds: [] };
  await world.store.replaceTemplate({ id: templateId }, draft, { publish: true });
  t.equal((await renderWith(world, caller, 'k', { body })).headers.get('idempotency-replayed'), 'true');
  await renderWith(world, caller, 'k2', { body });
  t.same(
    world.engine.asked.map(({ record }) => (record as { name: string }).name),
    ['one', 'one', 'two'],
  );
  t.match(await loggedRenders(world.store, workspaceId), [
    { templateId, templateVersion: 2 },
    { templateId, templateVersion: 1, replayOf: String },
    { templateId, templateVersion: 1 },
  ]);
  await world.store.deleteTemplate({ id: templateId });
  t.match(await renderWith(world, caller, 'k', { body }), { status: 404, json: { code: 'template_not_found' } });
});

t.test('a replay that fails is not charged, and can be repeated', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller();
  await renderWith(world, caller, 'k');
  world.engine.before = () => {
    throw new RenderError('asset_failed', 'gone', {
      details: [{ code: 'asset_failed', path: 'layers[0].url', message: 'gone' }],
    });
  };
  const failed = await renderWith(world, caller, 'k');
  t.equal(failed.status, 502);
  t.notOk(failed.headers.has('idempotency-replayed'));
  world.engine.before = () => {};
  t.equal((await renderWith(world, caller, 'k')).headers.get('idempotency-replayed'), 'true');
  t.equal(await world.balance(caller), 999);
});

t.test('a render without the header is charged each time', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller();
  for (const keys of [undefined, undefined, []]) {
    t.equal((await world.ask({ key: caller.key, ...(keys && { idempotencyKeys: keys }) })).status, 200);
  }
  t.equal(await world.balance(caller), 997);
});

// Credits and failures (docs/service.md#how-a-request-is-handled): only a 200 is charged, whatever goes wrong and whenever it
// does.
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import type { DetailCode } from '../../lib/detail-codes.js';
import { CodedError, codedError, type Detail, type ErrorCode, RenderError, ServiceError } from '../../lib/errors.js';
import { loggedRenders, saveTemplate } from './stores.js';
import { createWorld, FLAT } from './world.js';

t.test('50 concurrent renders on a balance of 10: ten succeed, forty get 402, the balance is 0', async (t) => {
  const world = await createWorld(t);
  world.engine.before = () => turn();
  const caller = await world.caller({ credits: 10 });
  const replies = await Promise.all(Array.from({ length: 50 }, () => world.ask(caller)));
  const made = replies.filter(({ status }) => status === 200);
  t.equal(made.length, 10);
  t.equal(replies.filter(({ status }) => status === 402).length, 40);
  t.equal(await world.balance(caller), 0);
  t.equal(world.engine.asked.length, 10);
  const left = made.map(({ headers }) => Number(headers.get('x-service-credits-remaining'))).sort((a, b) => a - b);
  t.same(left, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'each says what it left');
});

t.test('answers 402 with the paywall when credits are exhausted', async (t) => {
  const world = await createWorld(t, { settings: { RENDER_CREDIT_COST: '3', UPGRADE_URL: '/buy' } });
  const caller = await world.caller({ credits: 2 });
  const { status, json, headers } = await world.ask(caller);
  t.equal(status, 402);
  const paywall = { required: true, reason: 'CREDITS_EXHAUSTED', balance: 2, rendersRemaining: 0, upgradeUrl: '/buy' };
  const { message } = json.paywall as { message: string };
  t.strictSame(json, { success: false, error: json.error, paywall: { ...paywall, message } });
  t.match(message, /2/);
  t.equal(headers.get('x-ratelimit-remaining'), '999', 'it counts');
  await world.store.grant(caller.workspaceId, 1);
  t.equal((await world.ask(caller)).status, 200, 'a balance of just the cost is enough');
});

t.test('charges fractions of a credit exactly', async (t) => {
  const world = await createWorld(t, { settings: { RENDER_CREDIT_COST: '0.1' } });
  const { key, workspaceId } = await world.caller({ credits: 0 });
  await world.store.grant(workspaceId, 1);
  const left: unknown[] = [];
  for (let i = 0; i < 10; i++) {
    const { json } = await world.ask({ key, body: { ...FLAT, responseType: 'json' } });
    const { creditsRemaining, rendersRemaining } = json.billing as Record<string, number>;
    left.push([creditsRemaining, rendersRemaining]);
  }
  const tenths = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
  t.same(
    left,
    tenths.map((n) => [n / 10, n]),
  );
  t.match(await world.ask({ key }), { status: 402, json: { paywall: { balance: 0, rendersRemaining: 0 } } });
});

t.test('charges no engine failure, and answers each with its status, code and details', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ credits: 1 });
  const details = [{ code: 'asset_failed' as const, path: 'layers[0].url', layerId: 'a', message: 'gone' }];
  const whole = (code: DetailCode): Detail[] => [{ code, path: '', message: 'it failed' }];
  const rows: [code: ErrorCode, status: number, unknown?: readonly Detail[]][] = [
    ['render_failed', 500, whole('render_failed')],
    ['asset_failed', 502, whole('asset_failed')],
    ['overloaded', 503],
    ['render_timeout', 504, whole('render_timeout')],
    ['internal_error', 500],
  ];
  for (const [code, status, unknown] of rows) {
    for (const given of [[], details]) {
      world.engine.before = () => {
        throw codedError(code, 'it failed', { details: given, cause: new Error('svc_live_secret') });
      };
      const reply = await world.ask(caller);
      t.equal(reply.status, status);
      const requestId = reply.headers.get('x-request-id');
      const known = given.length > 0 ? given : unknown;
      const withDetails = known && { details: known };
      t.strictSame(reply.json, { success: false, error: 'it failed', code, ...withDetails, requestId });
      t.equal(await world.balance(caller), 1);
    }
  }
  world.engine.before = () => {};
  t.equal((await world.ask(caller)).status, 200, 'the one credit was there all the time');
});

// fault: 81
t.test(
  'answers an unexpected error with 500 internal_error: the log gets the cause, the client the request id',
  async (t) => {
    const world = await createWorld(t);
    const caller = await world.caller({ credits: 1 });
    for (const thrown of [new TypeError('secret at /etc/x'), 'a string', undefined]) {
      world.engine.before = () => {
        throw thrown;
      };
      const { status, json, bytes, outcome } = await world.ask(caller);
      t.equal(status, 500);
      t.equal(json.code, 'internal_error');
      t.notMatch(bytes.toString(), /secret/);
      t.ok(outcome.cause === thrown || outcome.cause instanceof CodedError);
      t.equal(outcome.keyId, caller.keyId);
    }
    t.equal(await world.balance(caller), 1);
  },
);

// fault: 89
t.test('holds credits before the render and releases them when it fails', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ credits: 1 });
  let fail = (_: Error) => {};
  world.engine.before = () =>
    new Promise((_resolve, reject) => {
      fail = reject;
    });
  const first = world.ask(caller);
  while (world.engine.asked.length === 0) await turn();
  const meanwhile = await world.ask(caller);
  t.match(
    meanwhile,
    { status: 402, json: { paywall: { balance: 0, rendersRemaining: 0 } } },
    'the credit is spoken for',
  );
  fail(new RenderError('render_failed', 'no'));
  t.equal((await first).status, 500);
  world.engine.before = () => {};
  t.equal((await world.ask(caller)).status, 200);
  t.equal(await world.balance(caller), 0);
});

// fault: 89
t.test('does not charge a client that disconnected before its image was ready', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ credits: 1 });
  const gone = new AbortController();
  world.engine.before = () => gone.abort(new ServiceError('internal_error', 'the client went away'));
  t.equal((await world.ask({ ...caller, signal: gone.signal })).status, 500);
  t.equal(await world.balance(caller), 1);
  t.same(await loggedRenders(world.store, caller.workspaceId), []);
  world.engine.before = () => {};
  t.equal((await world.ask(caller)).status, 200);
});

t.test('answers 503 storage_unavailable when any store method fails, without a charge', async (t) => {
  const away = () => Promise.reject(new ServiceError('storage_unavailable', 'storage is unavailable'));
  for (const verb of ['findKey', 'countRequest', 'findTemplate', 'hold', 'settle'] as const) {
    const world = await createWorld(t, { storeVerbs: { [verb]: away } });
    const caller = await world.caller({ credits: 1 });
    const body = verb === 'findTemplate' ? { templateId: 'x' } : FLAT;
    const reply = await world.ask({ ...caller, body });
    t.match(reply, { status: 503, json: { success: false, code: 'storage_unavailable' } }, verb);
    t.equal(reply.headers.get('retry-after'), '1');
    t.equal(await world.balance(caller), 1);
    t.same(await loggedRenders(world.store, caller.workspaceId), []);
  }
});

t.test('charges once, before the answer, and writes the render log', async (t) => {
  const world = await createWorld(t, { settings: { RENDER_CREDIT_COST: '2' } });
  const caller = await world.caller({ credits: 9 });
  const metadata = { order: 'A-1' };
  const templateId = await saveTemplate(world.store, caller.workspaceId, { name: 'T', width: 1, height: 1 });
  await world.ask({ ...caller, body: { ...FLAT, format: 'jpg', metadata } });
  t.equal(await world.balance(caller), 7);
  await world.ask({ ...caller, body: { templateId } });
  t.equal(await world.balance(caller), 5);
  const [second, first] = await loggedRenders(world.store, caller.workspaceId);
  const { workspaceId, keyId } = caller;
  t.match(first, { workspaceId, keyId, format: 'jpeg', width: 4, height: 3, sizeBytes: 4, creditsCost: 2, metadata });
  t.match(first.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  t.notOk('templateId' in first);
  t.match(second, { templateId, creditsCost: 2 });
  t.notOk('metadata' in second);
});

t.test('a closing server rejects renders with Retry-After and without a charge', async (t) => {
  const world = await createWorld(t, { phase: () => 'closing' });
  const caller = await world.caller({ credits: 1 });
  t.match(await world.ask(caller), { status: 503, json: { code: 'overloaded' } });
  t.equal(world.engine.asked.length, 0);
  t.equal(await world.balance(caller), 1);
});

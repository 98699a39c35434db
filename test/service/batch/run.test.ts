// A batch runs: order, charges, repeats, failures, and its end.
import t from 'tap';
import { RenderError, ServiceError } from '../../../lib/errors.js';
import type { Phase } from '../../../lib/service/request.js';
import { loggedRenders } from '../stores.js';
import { createWorld, FLAT } from '../world.js';
import { batch, SCOPES } from './reply.js';

const items = (count: number, more: (i: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, i) => ({ ...FLAT, name: `n${i}`, ...more(i) }));

t.test('answers in the order of the rows, however long each takes', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES });
  let running = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  world.engine.before = async () => {
    most = Math.max(most, ++running);
    // two run at once: the later one ends first
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 2) for (const each of waiting.splice(0).reverse()) each();
    });
    running--;
  };
  world.engine.result = { alt: 'A card' };
  const { rows, summary } = await batch(world, caller, { items: items(10) });
  t.match(rows[0], { alt: 'A card' });
  t.same(
    rows.map(({ index }) => index),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  t.equal(most, world.engine.batchConcurrency);
  t.equal(summary?.succeeded, 10);
});

t.test('a row that fails does not stop the others, and costs nothing', async (t) => {
  const world = await createWorld(t, { settings: { RENDER_CREDIT_COST: '2' } });
  const caller = await world.caller({ scopes: SCOPES, credits: 9 });
  const details = [{ code: 'asset_failed' as const, path: 'layers[0].url', message: 'was refused' }];
  world.engine.before = () => {
    if (world.engine.asked.length === 2) throw new RenderError('asset_failed', 'no picture', { details });
    if (world.engine.asked.length === 3) throw new Error('bug');
  };
  const { rows, summary } = await batch(world, caller, { items: [...items(3), { templateId: 'tpl_0' }, FLAT] });
  t.match(rows, [
    { index: 0, success: true },
    { index: 1, success: false, error: 'no picture', code: 'asset_failed', details, renderId: String },
    { index: 2, success: false, code: 'internal_error' },
    { index: 3, success: false, code: 'template_not_found' },
    { index: 4, success: true },
  ]);
  t.same(summary, { done: true, succeeded: 2, failed: 3, creditsRemaining: 5 });
  t.equal(await world.balance(caller), 5);
  const log = await loggedRenders(world.store, caller.workspaceId);
  t.match(
    log.map(({ id, status, code, creditsCost }) => [id, status, code, creditsCost]).reverse(),
    [
      [rows[0].renderId, 'ok', undefined, 2],
      [rows[1].renderId, 'failed', 'asset_failed', 0],
      [rows[2].renderId, 'failed', 'internal_error', 0],
      [rows[3].renderId, 'failed', 'template_not_found', 0],
      [rows[4].renderId, 'ok', undefined, 2],
    ],
    'each is in the render log',
  );
});

t.test('when the credits run out the rest fails, without being rendered', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES, credits: 3 });
  const { status, rows, summary } = await batch(world, caller, { items: items(40) });
  t.equal(status, 200);
  t.ok(rows.slice(0, 3).every(({ success }) => success));
  t.equal(rows.length, 40);
  for (const row of rows.slice(3)) t.match(row, { success: false, code: 'CREDITS_EXHAUSTED', error: /balance of 0/ });
  t.same(summary, { done: true, succeeded: 3, failed: 37, creditsRemaining: 0 });
  t.ok(world.engine.asked.length < 10, `${world.engine.asked.length} renders`);
  t.equal(await world.balance(caller), 0);
});

t.test('sent again, it charges no row twice, and tries those that failed', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES, credits: 5 });
  const send = (more: object = {}) => batch(world, caller, { items: items(4), ...more }, { idempotencyKey: 'k' });
  world.engine.before = () => {
    if (world.engine.asked.length === 2) throw new RenderError('render_failed', 'bad');
  };
  const first = await send();
  t.match(first.summary, { succeeded: 3, failed: 1, creditsRemaining: 2 });
  const second = await send();
  t.match(second.summary, { succeeded: 4, failed: 0, creditsRemaining: 1 });
  t.same(
    second.rows.map((row) => 'replayed' in row),
    [true, false, true, true],
  );
  const third = await send();
  t.match(third.summary, { succeeded: 4, creditsRemaining: 1 });
  t.equal(await world.balance(caller), 1);
  const [last] = await loggedRenders(world.store, caller.workspaceId);
  t.match(last, { creditsCost: 0, replayOf: first.rows[3].renderId });

  const other = await send({ items: items(4, (i) => (i === 2 ? { quality: 3 } : {})) });
  t.match(other, {
    status: 422,
    json: { code: 'idempotency_mismatch', error: /^row 3 was charged with another body/ },
  });
  const appended = await send({ items: items(5) });
  t.match(appended.summary, { succeeded: 5, failed: 0, creditsRemaining: 0 }, 'rows may be appended');
  t.same(
    appended.rows.map((row) => 'replayed' in row),
    [true, true, true, true, false],
  );
  t.match((await send({ items: items(2) })).summary, { succeeded: 2, failed: 0 }, 'or left out');
  const whole = await send({ items: items(4, () => ({ quality: 3 })) });
  t.match(whole, { status: 422, json: { code: 'idempotency_mismatch' } });
  const single = await world.caller({ workspaceId: caller.workspaceId });
  const render = await world.ask({ key: single.key, idempotencyKeys: ['k'], body: FLAT });
  t.notOk(render.headers.has('idempotency-replayed'), 'a single render has keys of its own');
});

t.test('without credits, rows that were paid for come again', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES, credits: 2 });
  world.engine.before = () => {
    if (world.engine.asked.length === 1) throw new RenderError('render_failed', 'bad');
  };
  const send = () => batch(world, caller, { items: items(4) }, { idempotencyKey: 'k' });
  t.match((await send()).summary, { succeeded: 2, failed: 2, creditsRemaining: 0 });
  const again = await send();
  t.match(again.rows, [
    { code: 'CREDITS_EXHAUSTED' },
    { success: true, replayed: true },
    { success: true, replayed: true },
    { code: 'CREDITS_EXHAUSTED' },
  ]);
  t.equal((await batch(world, caller, { items: items(4) }, { idempotencyKey: 'other' })).status, 402);
});

t.test('refuses a repeat that differs in a row which was charged, before a row is sent', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES, credits: 9 });
  const send = (more: (i: number) => object) =>
    batch(world, caller, { items: items(4, more) }, { idempotencyKey: 'k' });
  world.engine.before = () => {
    if (world.engine.asked.length === 1) throw new RenderError('render_failed', 'bad');
  };
  t.match((await send(() => ({}))).summary, { succeeded: 3, failed: 1 });
  world.engine.asked.length = 0;
  const refused = await send((i) => (i === 3 ? { quality: 3 } : {}));
  t.match(refused, { status: 422, json: { code: 'idempotency_mismatch' }, rows: [] });
  t.same(world.engine.asked, []);
  world.engine.before = () => {};
  const mended = await send((i) => (i === 0 ? { quality: 3 } : {}));
  t.match(mended.summary, { succeeded: 4, failed: 0, creditsRemaining: 5 }, 'a row that failed may be changed');
});

t.test('fails the rows that are not drawn yet when its key is revoked', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES, credits: 20 });
  let revoking: Promise<unknown> | undefined;
  world.engine.before = async () => {
    revoking ??= world.store.revokeKey(caller.keyId);
    await revoking;
  };
  const { rows, summary } = await batch(world, caller, { items: items(12) });
  const drawn = world.engine.asked.length;
  t.ok(drawn > 0 && drawn <= world.engine.batchConcurrency, `${drawn} were begun`);
  t.match(summary, { succeeded: drawn, failed: 12 - drawn, creditsRemaining: 20 - drawn });
  for (const row of rows.slice(drawn)) t.match(row, { success: false, code: 'revoked_api_key' });
});

t.test('waits for an earlier batch with its key, whose client has left', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES, credits: 9 });
  const key = { keyId: caller.keyId, value: 'batch\n1\nk' };
  const claim = await world.store.claimIdempotencyKey(key, '0'.repeat(64));
  if (!('lease' in claim)) throw new Error('the key is free');
  world.engine.before = () => {
    // the first row renders while the second one waits
    void world.store.releaseIdempotencyLease(claim.lease);
  };
  const { summary } = await batch(world, caller, { items: items(3) }, { idempotencyKey: 'k' });
  t.match(summary, { succeeded: 3, creditsRemaining: 6 });
});

t.test('makes at most 32 pictures ahead of its reader, and charges those that it sends', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES });
  const outcome = await world.service({
    method: 'POST',
    path: '/v1/batches',
    authorization: `Bearer ${caller.key}`,
    body: async () => Buffer.from(JSON.stringify({ items: items(100) })),
    signal: new AbortController().signal,
  });
  const chunks = (outcome.answer.body as AsyncIterable<string>)[Symbol.asyncIterator]();
  t.equal(world.engine.asked.length, 0, 'nothing before it is read');
  await chunks.next();
  const rest = () => new Promise<void>((resolve) => setImmediate(resolve));
  for (let turn = 0; turn < 500; turn++) await rest();
  t.equal(world.engine.asked.length, 32);
  t.equal(await world.balance(caller), 999, 'one is being sent');
  await chunks.return?.();
  t.equal(world.engine.asked.length, 32, 'a reader that leaves ends it');
  t.equal(await world.balance(caller), 999);
});

t.test('does not render ahead while 32 MiB wait', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES });
  world.engine.result = { bytes: new Uint8Array(17 * 2 ** 20) };
  const outcome = await world.service({
    method: 'POST',
    path: '/v1/batches',
    authorization: `Bearer ${caller.key}`,
    body: async () => Buffer.from(JSON.stringify({ items: items(20) })),
    signal: new AbortController().signal,
  });
  const chunks = (outcome.answer.body as AsyncIterable<string>)[Symbol.asyncIterator]();
  await chunks.next();
  for (let turn = 0; turn < 500; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  t.ok(world.engine.asked.length <= 3, `${world.engine.asked.length} pictures of 17 MiB`);
  await chunks.return?.();
});

t.test('ends when its client leaves, and releases what it held', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES, credits: 10 });
  const leaving = new AbortController();
  let reached = () => {};
  const third = new Promise<void>((resolve) => {
    reached = resolve;
  });
  world.engine.before = ({ signal }) => {
    if (world.engine.asked.length < 3) return;
    reached();
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const send = (signal?: AbortSignal) =>
    batch(world, caller, { items: items(6) }, { idempotencyKey: 'k', ...(signal && { signal }) });
  const cut = send(leaving.signal);
  await third;
  leaving.abort(new ServiceError('internal_error', 'the client disconnected'));
  await t.rejects(cut, { message: 'the client disconnected' });
  const asked = world.engine.asked.length;
  world.engine.before = () => {};
  const again = await send();
  t.match(again.summary, { succeeded: 6, failed: 0, creditsRemaining: 4 });
  t.equal(world.engine.asked.length, asked + 6);
  const log = await loggedRenders(world.store, caller.workspaceId);
  t.ok(
    log.every(({ status }) => status === 'ok'),
    'a row that was cut off has not failed',
  );
});

t.test('a row waits while the server has too much to do', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES });
  world.engine.before = () => {
    if (world.engine.asked.length <= 2) throw new ServiceError('overloaded', 'too much is being sent');
  };
  t.match((await batch(world, caller, { items: items(4) })).summary, { succeeded: 4, failed: 0 });
});

t.test('the rows that are left fail when the server stops', async (t) => {
  let phase: Phase = 'serving';
  const world = await createWorld(t, { phase: () => phase });
  const caller = await world.caller({ scopes: SCOPES });
  world.engine.before = () => {
    if (world.engine.asked.length === 3) phase = 'closing';
  };
  const { rows, summary } = await batch(world, caller, { items: items(8) });
  t.match(rows[0], { success: true });
  t.match(rows.at(-1), { success: false, code: 'overloaded', error: 'the server is shutting down' });
  t.equal(summary!.succeeded + summary!.failed, 8);
  t.ok(summary!.failed >= 4, `${summary!.failed} failed`);
});

t.test('eight batches run at once', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES });
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  world.engine.before = () => gate;
  const running = Array.from({ length: 8 }, () => batch(world, caller, { items: items(1) }));
  while (world.engine.asked.length < 8) await new Promise<void>((resolve) => setImmediate(resolve));
  t.match(await batch(world, caller, { items: items(1) }), { status: 503, json: { code: 'overloaded' } });
  go();
  for (const { summary } of await Promise.all(running)) t.equal(summary?.succeeded, 1);
  t.equal((await batch(world, caller, { items: items(1) })).status, 200);
  t.equal((await batch(world, caller, {})).status, 400);
  for (let i = 0; i < 9; i++) t.equal((await batch(world, caller, {})).status, 400, 'a refused one leaves its place');
});

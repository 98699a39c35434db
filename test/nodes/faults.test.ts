// Nodes and the database are killed, disconnected, frozen and restarted under load: granted − balance equals the charges,
// every 200 is charged once, no balance is negative, and the service recovers without help.
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { eventually } from '../eventually.js';
import { dice, LONG, pick, roll, rounds, SEED } from '../exhaustive.js';
import { skipped } from '../store/postgres/server.js';
import { type Caller, type Load, startFleet } from './fleet.js';
import { startOrigin } from './origin.js';

const skip = { skip: skipped };
const random = dice(SEED);
const GRANTED = 1_000_000;
/** RENDER_TIMEOUT_MS, long enough for a busy machine. A hold expires one minute later. */
const RENDER_MS = 30_000;

const origin = await startOrigin();
const fleet = skipped
  ? undefined!
  : await startFleet({ ASSET_ALLOW_HOSTS: origin.host, RENDER_TIMEOUT_MS: String(RENDER_MS) });
t.teardown(async () => {
  await fleet?.stop();
  origin.close();
});

/** Compares the database with the responses. `mayBeLost`: renders whose response was lost may have been charged. */
async function checkSums(t: Test, { tallies }: Load, mayBeLost: boolean): Promise<void> {
  for (const [caller, tally] of tallies) {
    // The undoing of a charge that was reported as failed may still be waiting.
    if (!mayBeLost) {
      await eventually(
        async () => (await fleet.ledger(caller)).charges <= tally.made,
        'charges without a 200 are undone',
      );
    }
    const { balance, charged, charges } = await fleet.ledger(caller);
    t.equal(caller.granted - balance, charged, `granted − balance = charged: ${tally}`);
    t.equal(charged, charges, 'each charge is one credit');
    if (mayBeLost) {
      t.ok(charges >= tally.made && charges <= tally.made + tally.lost, `${charges} charged: ${tally}`);
      t.equal(new Set(tally.remaining).size, tally.made, 'no two responses report the same balance');
    } else {
      t.equal(charges, tally.made, `one charge per 200: ${tally}`);
    }
    t.ok(balance >= 0 && tally.remaining.every((left) => left >= 0), 'no balance is negative');
  }
}

/** Asserts that every response is one of `names` (status and error code). */
function checkAnswers(t: Test, { tallies }: Load, names: readonly string[]): void {
  for (const tally of tallies.values()) {
    for (const name of tally.answers.keys()) if (!names.includes(name)) t.fail(`an answer ${name}: ${tally}`);
    t.comment(`refused within ${Math.round(tally.slowestRefusal)} ms`);
  }
}

/** Number of clients; each sends one request after the other. */
const CLIENTS = LONG ? 8 : 4;
const callers = async (): Promise<Caller[]> => [await fleet.caller(GRANTED), await fleet.caller(GRANTED)];
const UNAVAILABLE = '503 storage_unavailable';

// fault: 88
t.test('allows exactly ten of 100 concurrent renders on a balance of ten', skip, async (t) => {
  for (const _ of rounds(1)) {
    const caller = await fleet.caller(10);
    const all = Array.from({ length: 100 }, (_, turn) => fleet.post(fleet.nodes[turn % 3], caller));
    const replies = await Promise.all(all);
    t.equal(replies.filter(({ status }) => status === 200).length, 10);
    t.equal(replies.filter(({ status }) => status === 402).length, 90);
    t.strictSame(await fleet.ledger(caller), { balance: 0, charged: 10, charges: 10, holds: 0 });
  }
});

t.test('charges every 200 once when nodes are killed and restarted', skip, async (t) => {
  const load = fleet.load(await callers(), CLIENTS);
  let kills = 0;
  for (const _ of rounds(1)) {
    await load.goesOn();
    await sleep(roll(random, LONG ? 1000 : 100));
    const node = pick(random, fleet.nodes);
    await node.end('SIGKILL');
    kills++;
    await load.goesOn(5);
    await node.start();
  }
  await load.goesOn();
  await load.end();
  await checkSums(t, load, true);
  // A restarted node accepts requests before its render process is ready; they wait.
  checkAnswers(t, load, ['200']);
  t.comment(`nodes: ${kills} kills; ${[...load.tallies.values()].join('; ')}`);
});

t.test('the holds of a killed node expire', skip, async (t) => {
  const [first, second] = fleet.nodes;
  const caller = await fleet.caller(1);
  const lost = fleet.post(first, caller, origin.card()).catch(() => 'lost');
  await origin.waiting();
  await first.end('SIGKILL');
  t.equal(await lost, 'lost');
  t.equal((await fleet.post(second, caller)).status, 402, 'the hold has not expired');
  await fleet.expireHolds();
  t.equal((await fleet.post(second, caller)).status, 200);
  t.strictSame(await fleet.ledger(caller), { balance: 0, charged: 1, charges: 1, holds: 0 });
  await first.start();
});

t.test('a node that is frozen until its hold expires charges nothing and answers with an error', skip, async (t) => {
  const [first, second] = fleet.nodes;
  for (const credits of [1, 5]) {
    const caller = await fleet.caller(credits);
    const late = fleet.post(first, caller, origin.card());
    await origin.waiting();
    first.freeze(true);
    if (LONG) await sleep(RENDER_MS + 61_000);
    else await fleet.expireHolds();
    t.equal((await fleet.post(second, caller)).status, 200, 'the credit is available again');
    origin.answer();
    first.freeze(false);
    // In the long form the render's own timeout has passed too.
    const { status, code } = await late;
    if (LONG) t.ok(status >= 500, `${status} ${code}`);
    else t.strictSame([status, code], [503, 'storage_unavailable']);
    t.strictSame(await fleet.ledger(caller), { balance: credits - 1, charged: 1, charges: 1, holds: 0 });
  }
});

t.test('charges every 200 once when nodes are frozen at random times under load', skip, async (t) => {
  const load = fleet.load(await callers(), CLIENTS);
  for (const _ of rounds(2)) {
    await load.goesOn(10);
    const node = pick(random, fleet.nodes);
    node.freeze(true);
    await sleep(roll(random, LONG ? 8000 : 300));
    // The holds of the renders in progress expire meanwhile.
    await fleet.expireHolds();
    node.freeze(false);
  }
  await load.goesOn(10);
  await load.end();
  checkAnswers(t, load, ['200', UNAVAILABLE, '504 render_timeout']);
  await checkSums(t, load, false);
  t.comment(`frozen: ${[...load.tallies.values()].join('; ')}`);
});

// fault: 92
t.test('charges every 200 once when all database sessions are terminated repeatedly', skip, async (t) => {
  const load = fleet.load(await callers(), CLIENTS);
  let ended = 0;
  for (const _ of rounds(3)) {
    await load.goesOn(5);
    await sleep(roll(random, 100));
    const rows = await fleet.cluster.ask(
      fleet.database,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'platen'",
    );
    ended += rows.length;
  }
  await load.goesOn();
  await load.end();
  checkAnswers(t, load, ['200', UNAVAILABLE]);
  await checkSums(t, load, false);
  t.comment(`sessions: ${ended} ended; ${[...load.tallies.values()].join('; ')}`);
});

t.test('nodes answer 503 while the database is down, and recover when it is back', skip, async (t) => {
  const load = fleet.load(await callers(), CLIENTS);
  for (const _ of rounds(1)) {
    await load.goesOn();
    await sleep(roll(random, 100));
    await fleet.cluster.stop(pick(random, ['SIGKILL', 'SIGQUIT'] as const));
    const caller = [...load.tallies.keys()][0];
    for (const node of fleet.nodes) {
      const { status, code, headers } = await fleet.post(node, caller);
      t.strictSame([status, code, headers.get('retry-after')], [503, 'storage_unavailable', '1']);
      t.equal((await fleet.get(node, '/healthz')).status, 200, 'the node itself is healthy');
    }
    await eventually(async () => (await fleet.get(fleet.nodes[0], '/readyz')).status === 503, '/readyz is 503');
    await sleep(roll(random, LONG ? 5000 : 100));
    await fleet.cluster.start();
    await Promise.all(fleet.nodes.map(fleet.ready));
    await load.goesOn();
  }
  await load.end();
  checkAnswers(t, load, ['200', UNAVAILABLE]);
  await checkSums(t, load, false);
  t.comment(`database: ${[...load.tallies.values()].join('; ')}`);
});

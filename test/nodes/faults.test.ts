// Nodes and the database are killed, cut off, frozen and started again under load: granted − balance is what was charged,
// every 200 that a client saw is charged once, nothing is negative, and all goes on by itself.
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
/** What a render takes at most here, on a busy machine too: a hold lives for a minute more. */
const RENDER_MS = 30_000;

const origin = await startOrigin();
const fleet = skipped
  ? undefined!
  : await startFleet({ ASSET_ALLOW_HOSTS: origin.host, RENDER_TIMEOUT_MS: String(RENDER_MS) });
t.teardown(async () => {
  await fleet?.stop();
  origin.close();
});

/** Holds the database to what clients were told; `mayBeLost`: a render whose answer was lost may have been charged. */
async function checkSums(t: Test, { tallies }: Load, mayBeLost: boolean): Promise<void> {
  for (const [caller, tally] of tallies) {
    // A charge whose request was told that there is none may wait to be taken back.
    if (!mayBeLost) {
      await eventually(
        async () => (await fleet.ledger(caller)).charges <= tally.made,
        'charges without a 200 are undone',
      );
    }
    const { balance, charged, charges } = await fleet.ledger(caller);
    t.equal(caller.granted - balance, charged, `granted − balance = charged: ${tally}`);
    t.equal(charged, charges, 'each at its price');
    if (mayBeLost) {
      t.ok(charges >= tally.made && charges <= tally.made + tally.lost, `${charges} charged: ${tally}`);
      t.equal(new Set(tally.remaining).size, tally.made, 'no two answers left the same balance');
    } else {
      t.equal(charges, tally.made, `charged is what was answered: ${tally}`);
    }
    t.ok(balance >= 0 && tally.remaining.every((left) => left >= 0), 'nothing is negative');
  }
}

/** Every answer of every tally is one of `names`. */
function checkAnswers(t: Test, { tallies }: Load, names: readonly string[]): void {
  for (const tally of tallies.values()) {
    for (const name of tally.answers.keys()) if (!names.includes(name)) t.fail(`an answer ${name}: ${tally}`);
    t.comment(`refused within ${Math.round(tally.slowestRefusal)} ms`);
  }
}

/** Clients that ask one request after the other. */
const CLIENTS = LONG ? 8 : 4;
const callers = async (): Promise<Caller[]> => [await fleet.caller(GRANTED), await fleet.caller(GRANTED)];
const AWAY = '503 storage_unavailable';

// fault: 88
t.test('100 renders at once on a balance of 10: ten are made', skip, async (t) => {
  for (const _ of rounds(1)) {
    const caller = await fleet.caller(10);
    const all = Array.from({ length: 100 }, (_, turn) => fleet.post(fleet.nodes[turn % 3], caller));
    const replies = await Promise.all(all);
    t.equal(replies.filter(({ status }) => status === 200).length, 10);
    t.equal(replies.filter(({ status }) => status === 402).length, 90);
    t.strictSame(await fleet.ledger(caller), { balance: 0, charged: 10, charges: 10, holds: 0 });
  }
});

t.test('nodes are killed and started again', skip, async (t) => {
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
  // A node that has just come up has no render process yet, but takes requests; they wait.
  checkAnswers(t, load, ['200']);
  t.comment(`nodes: ${kills} kills; ${[...load.tallies.values()].join('; ')}`);
});

t.test('what a dead node had set aside is free again when its time is over', skip, async (t) => {
  const [first, second] = fleet.nodes;
  const caller = await fleet.caller(1);
  const lost = fleet.post(first, caller, origin.card()).catch(() => 'lost');
  await origin.waiting();
  await first.end('SIGKILL');
  t.equal(await lost, 'lost');
  t.equal((await fleet.post(second, caller)).status, 402, 'nobody knows yet');
  await fleet.expireHolds();
  t.equal((await fleet.post(second, caller)).status, 200);
  t.strictSame(await fleet.ledger(caller), { balance: 0, charged: 1, charges: 1, holds: 0 });
  await first.start();
});

t.test('a node that stood still for longer than its hold lived charges nothing, and says so', skip, async (t) => {
  const [first, second] = fleet.nodes;
  for (const credits of [1, 5]) {
    const caller = await fleet.caller(credits);
    const late = fleet.post(first, caller, origin.card());
    await origin.waiting();
    first.freeze(true);
    if (LONG) await sleep(RENDER_MS + 61_000);
    else await fleet.expireHolds();
    t.equal((await fleet.post(second, caller)).status, 200, 'its credit is another’s');
    origin.answer();
    first.freeze(false);
    // In the long form its own time limit is over too.
    const { status, code } = await late;
    if (LONG) t.ok(status >= 500, `${status} ${code}`);
    else t.strictSame([status, code], [503, 'storage_unavailable']);
    t.strictSame(await fleet.ledger(caller), { balance: credits - 1, charged: 1, charges: 1, holds: 0 });
  }
});

t.test('nodes stand still under load, in the middle of whatever they do', skip, async (t) => {
  const load = fleet.load(await callers(), CLIENTS);
  for (const _ of rounds(2)) {
    await load.goesOn(10);
    const node = pick(random, fleet.nodes);
    node.freeze(true);
    await sleep(roll(random, LONG ? 8000 : 300));
    // Renders that were under way come back to find that they hold nothing.
    await fleet.expireHolds();
    node.freeze(false);
  }
  await load.goesOn(10);
  await load.end();
  checkAnswers(t, load, ['200', AWAY, '504 render_timeout']);
  await checkSums(t, load, false);
  t.comment(`frozen: ${[...load.tallies.values()].join('; ')}`);
});

// fault: 92
t.test('every session of the database is ended, again and again', skip, async (t) => {
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
  checkAnswers(t, load, ['200', AWAY]);
  await checkSums(t, load, false);
  t.comment(`sessions: ${ended} ended; ${[...load.tallies.values()].join('; ')}`);
});

t.test('the database is killed and comes back', skip, async (t) => {
  const load = fleet.load(await callers(), CLIENTS);
  for (const _ of rounds(1)) {
    await load.goesOn();
    await sleep(roll(random, 100));
    await fleet.cluster.stop(pick(random, ['SIGKILL', 'SIGQUIT'] as const));
    const caller = [...load.tallies.keys()][0];
    for (const node of fleet.nodes) {
      const { status, code, headers } = await fleet.post(node, caller);
      t.strictSame([status, code, headers.get('retry-after')], [503, 'storage_unavailable', '1']);
      t.equal((await fleet.get(node, '/healthz')).status, 200, 'the node itself is well');
    }
    await eventually(async () => (await fleet.get(fleet.nodes[0], '/readyz')).status === 503, '/readyz says so');
    await sleep(roll(random, LONG ? 5000 : 100));
    await fleet.cluster.start();
    await Promise.all(fleet.nodes.map(fleet.ready));
    await load.goesOn();
  }
  await load.end();
  checkAnswers(t, load, ['200', AWAY]);
  await checkSums(t, load, false);
  t.comment(`database: ${[...load.tallies.values()].join('; ')}`);
});

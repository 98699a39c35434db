// Clients that send each request again, with its Idempotency-Key, until they see a 200: every request is charged once, on
// whichever nodes its attempts arrive, and whatever is cut or killed meanwhile.
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { eventually } from '../eventually.js';
import { dice, LONG, pick, roll, rounds, SEED } from '../exhaustive.js';
import { startProxy } from '../store/postgres/proxy.js';
import { skipped } from '../store/postgres/server.js';
import { ask, type Reply } from './client.js';
import { startCuttingProxy } from './cutting-proxy.js';
import { type Caller, startFleet, WORKERS } from './fleet.js';
import { startNode } from './node.js';

const skip = { skip: skipped };
const random = dice(SEED);
const CLIENTS = LONG ? 8 : 4;
/** Share of the connections that are cut. */
const SHARE = 0.2;

const fleet = skipped ? undefined! : await startFleet(WORKERS);
t.teardown(async () => await fleet?.stop());

/** A connection for each request: a cut one then affects one request only. */
const agent = new Agent({ keepAlive: false });
t.teardown(() => agent.destroy());

interface Tally {
  /** Requests that were answered with 200 in the end, and those whose answer was a replay. */
  made: number;
  replayed: number;
  /** Attempts that ended without an answer, and those with another answer than 200, by status and code. */
  lost: number;
  readonly refused: Map<string, number>;
}

const newTally = (): Tally => ({ made: 0, replayed: 0, lost: 0, refused: new Map() });

/** Sends a request to one of `urls` at a time until it is answered with 200. */
async function insist(urls: () => readonly string[], { key }: Caller, tally: Tally): Promise<Reply> {
  const idempotencyKey = randomUUID();
  const body = { canvas: { width: 1 + roll(random, 60), height: 8, backgroundColor: '#336699' }, layers: [] };
  for (;;) {
    const reply = await ask(agent, pick(random, urls()), { key, body, idempotencyKey }).catch(() => undefined);
    if (reply?.status === 200) {
      tally.made++;
      if (reply.headers.get('idempotency-replayed') === 'true') tally.replayed++;
      return reply;
    }
    if (reply) {
      const name = `${reply.status} ${reply.code}`;
      tally.refused.set(name, (tally.refused.get(name) ?? 0) + 1);
    } else tally.lost++;
    await sleep(20);
  }
}

const inWords = ({ made, replayed, lost, refused }: Tally) =>
  `${made} requests, ${replayed} answered by a replay, ${lost} answers lost, ${JSON.stringify(Object.fromEntries(refused))}`;

// fault: 92
t.test('charges each request once when a fifth of the connections is cut and nodes are killed', skip, async (t) => {
  const proxies = await Promise.all(fleet.nodes.map((node) => startCuttingProxy(() => node.url, SHARE, random)));
  t.teardown(() => {
    for (const proxy of proxies) proxy.close();
  });
  const urls = () => proxies.map(({ url }) => url);
  const [keyed, keyless] = [await fleet.caller(1_000_000), await fleet.caller(1_000_000)];
  const tally = newTally();
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) await insist(urls, keyed, tally);
  });
  // Without keys, on connections that nobody cuts.
  const load = fleet.load([keyless], 2);
  for (const _ of rounds(1)) {
    const before = tally.made;
    await eventually(() => tally.made > before + 15, 'requests succeed');
    const node = pick(random, fleet.nodes);
    await node.end('SIGKILL');
    // The leases of a killed node expire after a minute and a half; here at once.
    await fleet.expireHolds();
    await node.start();
    await fleet.ready(node);
  }
  const before = tally.made;
  await eventually(() => tally.made > before + 60 && tally.replayed > 0, 'lost answers are repeated');
  isOver = true;
  await Promise.all(clients);
  await load.end();
  const counted = proxies.map((proxy) => proxy.counted());
  const cut = counted.reduce((sum, each) => sum + each.cut, 0);
  t.ok(cut > 0 && tally.lost >= cut / 2, `${cut} connections were cut: ${inWords(tally)}`);
  for (const name of tally.refused.keys()) {
    t.match(name, /^(409 idempotency_in_progress|503 (storage_unavailable|overloaded))$/);
  }
  // The last attempts may still be running, and the undoing of a charge may be waiting.
  await eventually(async () => (await fleet.ledger(keyed)).charges === tally.made, 'one charge for each request');
  const { balance, charged } = await fleet.ledger(keyed);
  t.equal(keyed.granted - balance, tally.made, 'granted − balance');
  t.equal(charged, tally.made);
  t.equal(await fleet.settledKeys(keyed), tally.made, 'each charge has its key');
  const others = load.tallies.get(keyless)!;
  const { charges } = await fleet.ledger(keyless);
  t.ok(charges >= others.made && charges <= others.made + others.lost, `without keys: ${charges} of ${others}`);
  t.equal(await fleet.settledKeys(keyless), 0);
  t.comment(
    `idempotency: ${inWords(tally)}; ${cut} of ${counted.reduce((sum, { connections }) => sum + connections, 0)} connections cut`,
  );
});

// fault: 92
t.test('a node that is killed between the charge and its answer has charged for the repeat', skip, async (t) => {
  const proxy = await startProxy(fleet.cluster.folder);
  const settings = { STORE_URL: fleet.cluster.url(fleet.database, proxy.folder), ...WORKERS };
  const doomed = await startNode(fleet.checkout, settings);
  t.teardown(async () => {
    await doomed.end('SIGKILL');
    await proxy.close();
  });
  await fleet.ready(doomed);
  const caller = await fleet.caller(5);
  const request = { key: caller.key, idempotencyKey: randomUUID() };
  proxy.cut('settle_hold_and_key', 'silent');
  const lost = ask(agent, doomed.url, request).catch(() => 'lost');
  await eventually(async () => (await fleet.ledger(caller)).charges === 1, 'the charge is committed');
  await doomed.end('SIGKILL');
  t.equal(await lost, 'lost');
  const replies = [];
  for (const node of fleet.nodes) replies.push(await ask(agent, node.url, request));
  for (const { status, headers } of replies) {
    t.strictSame([status, headers.get('idempotency-replayed')], [200, 'true']);
    t.equal(headers.get('x-service-credits-remaining'), '4');
  }
  t.equal(new Set(replies.map(({ bytes }) => bytes.toString('base64'))).size, 1, 'the same image');
  t.strictSame(await fleet.ledger(caller), { balance: 4, charged: 1, charges: 1, holds: 0 });
  const other = await ask(agent, fleet.nodes[0].url, {
    ...request,
    body: { canvas: { width: 1, height: 1 }, layers: [] },
  });
  t.strictSame([other.status, other.code], [422, 'idempotency_mismatch']);
});

t.test('of concurrent requests with one key, one is charged', skip, async (t) => {
  for (const _ of rounds(1)) {
    const caller = await fleet.caller(10);
    const idempotencyKey = randomUUID();
    const all = Array.from({ length: 30 }, (_, n) =>
      ask(agent, fleet.nodes[n % 3].url, { key: caller.key, idempotencyKey }),
    );
    const replies = await Promise.all(all);
    const first = replies.filter(({ status, headers }) => status === 200 && !headers.has('idempotency-replayed'));
    t.equal(first.length, 1);
    for (const { status, code, headers } of replies) {
      if (status === 200) continue;
      t.strictSame([status, code], [409, 'idempotency_in_progress']);
      t.ok(Number(headers.get('retry-after')) >= 1);
    }
    t.strictSame(await fleet.ledger(caller), { balance: 9, charged: 1, charges: 1, holds: 0 });
  }
});

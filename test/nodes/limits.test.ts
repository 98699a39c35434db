// Limits and balances are shared by three nodes: it does not matter which node gets a request, and the effect of an admin
// command is visible on every node immediately.
import t from 'tap';
import { LONG, rounds } from '../exhaustive.js';
import { skipped } from '../store/postgres/server.js';
import type { Reply } from './client.js';
import { startFleet, WORKERS } from './fleet.js';

const skip = { skip: skipped };
const CLIENTS = 50;
const LIMIT = 60;
const WINDOW_MS = 60_000;

const fleet = skipped ? undefined! : await startFleet({ ...WORKERS, API_KEY_RATE_LIMIT_PER_MIN: String(LIMIT) });
t.teardown(() => fleet?.stop());

// fault: 30
t.test('allows 60 requests in any 60 seconds to 50 clients of one key on three nodes', skip, async (t) => {
  const caller = await fleet.caller(1_000_000);
  const counted: Reply[] = [];
  let refused = 0;
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let turn = client; !isOver; turn++) {
      const reply = await fleet.post(fleet.nodes[turn % 3], caller);
      if (reply.status !== 429) counted.push(reply);
      else refused++;
    }
  });
  const began = performance.now();
  for (const _ of rounds(1)) {
    const wanted = refused + 100;
    while (refused < wanted) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  isOver = true;
  await Promise.all(clients);
  const lasted = performance.now() - began;
  // On a slow machine the queue of a node that has just started may overflow.
  t.ok(
    counted.every(({ status }) => status === 200 || status === 503),
    'counted requests are rendered, or rejected due to overload',
  );
  if (!LONG && lasted < WINDOW_MS) t.equal(counted.length, LIMIT, `all of the first window, ${refused} refused`);
  // A request is counted between sending and response, so 61 requests wholly within 60 seconds would be an error.
  const bySent = [...counted].sort((a, b) => a.sent - b.sent);
  let most = 0;
  for (const { sent } of bySent) {
    most = Math.max(most, counted.filter((other) => other.sent >= sent && other.seen < sent + WINDOW_MS).length);
  }
  t.ok(most <= LIMIT, `at most ${most} in 60 seconds`);
  t.ok(counted.length >= LIMIT * Math.floor(lasted / (WINDOW_MS + 5000)), 'the limit is used up');
  t.comment(`limit: ${Math.round(lasted / 1000)} s, ${counted.length} counted, ${refused} refused, at most ${most}`);
  t.equal((await fleet.ledger(caller)).charges, counted.filter(({ status }) => status === 200).length);
});

// fault: 21
t.test('every node rejects a revoked key from the next request on', skip, async (t) => {
  for (const _ of rounds(1)) {
    const caller = await fleet.caller(100);
    for (const node of fleet.nodes) t.equal((await fleet.post(node, caller)).status, 200);
    const flood = Array.from({ length: 20 }, (_, turn) => fleet.post(fleet.nodes[turn % 3], caller));
    await fleet.admin('keys', 'revoke', caller.keyId);
    const after = await Promise.all(fleet.nodes.map((node) => fleet.post(node, caller)));
    for (const { status, code } of after) t.strictSame([status, code], [401, 'revoked_api_key']);
    const made = (await Promise.all(flood)).filter(({ status }) => status === 200).length;
    t.equal((await fleet.ledger(caller)).charges, 3 + made, 'requests authenticated before complete');
  }
});

t.test('a grant is visible on every node immediately', skip, async (t) => {
  const caller = await fleet.caller(0);
  const [first, second, third] = fleet.nodes;
  t.equal((await fleet.post(first, caller)).status, 402);
  await fleet.admin('credits', 'grant', '--workspace', caller.workspaceId, '--amount', '1');
  t.equal((await fleet.post(second, caller)).headers.get('x-service-credits-remaining'), '0');
  t.equal((await fleet.post(third, caller)).status, 402);
});

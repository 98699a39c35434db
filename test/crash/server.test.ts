// The server is killed by SIGKILL under load and restarted repeatedly: every 200 was charged once, besides at most the
// requests in flight; it restarts without help, and its files are valid. A request that is repeated with its idempotency key
// until it is answered was charged once.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import { openAdminStore } from '../../lib/store/open.js';
import { makeCheckout, ownEnvironment } from '../checkout.js';
import { dice, roll, rounds } from '../exhaustive.js';

/** Number of clients; each sends one request after the other. */
const CLIENTS = 8;
const GRANTED = 10_000_000;

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
}

async function start(t: Test, checkout: string, data: string): Promise<Server> {
  const environment = {
    ...ownEnvironment(checkout),
    RENDER_WORKERS: '1',
    API_KEY_RATE_LIMIT_PER_MIN: '1000000',
    DATA_DIR: data,
    PORT: '0',
  };
  const words = [join(checkout, 'dist/bin/render.js'), 'serve'];
  const child = spawn(process.execPath, words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  let errors = '';
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  let output = '';
  for await (const chunk of child.stdout!) {
    output += chunk;
    const url = /^listening on (\S+)$/m.exec(output)?.[1];
    if (url !== undefined) return { child, url };
  }
  throw new Error(`the server did not start: ${errors}`);
}

interface Tally {
  answered: number;
}

/** Sends requests until the server is gone, some for cached cards and some for new ones. */
async function load(url: string, key: string, random: () => number, tally: Tally): Promise<void> {
  for (;;) {
    const canvas = { width: 8 + roll(random, 40), height: 8, backgroundColor: '#3366cc' };
    try {
      const response = await fetch(`${url}/v1/render`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}` },
        body: JSON.stringify({ canvas, layers: [], metadata: { note: 'x'.repeat(roll(random, 500)) } }),
      });
      // Once the status is seen the charge must exist, whether or not the image arrives.
      if (response.status === 200) tally.answered++;
      await response.arrayBuffer();
    } catch {
      return;
    }
  }
}

// fault: 83
t.test('charges every 200 once when the server is killed under load', async (t) => {
  const checkout = t.testdir();
  makeCheckout(checkout);
  const data = join(checkout, 'crashed');
  const first = await openEmbeddedStore(data);
  const { id } = await first.createWorkspace({ name: 'w', plan: 'paid', credits: GRANTED });
  const key = createRawKey();
  await first.createKey({ workspaceId: id, name: 'k', scopes: ['render:write'], hash: hashKey(key) });
  await first.close();
  let balance = GRANTED;
  let kills = 0;
  let answered = 0;
  for (const seed of rounds(3)) {
    const random = dice(seed);
    const { child, url } = await start(t, checkout, data);
    const tally: Tally = { answered: 0 };
    const clients = Array.from({ length: CLIENTS }, () => load(url, key, random, tally));
    // Wait for the first response, so that the server is killed while it works.
    while (tally.answered === 0 && child.exitCode === null) await sleep(5);
    await sleep(roll(random, 300));
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await Promise.all([ended, ...clients]);
    const admin = await openAdminStore(data);
    const after = (await admin.balance(id)).balance;
    const charged = balance - after;
    if (charged < tally.answered || charged > tally.answered + CLIENTS)
      t.fail(`seed ${seed}: ${tally.answered} answered, ${charged} charged`);
    const renders = (await admin.listRenders(id, {}, { limit: 1_000_000 })).items;
    const logged = renders.filter(({ creditsCost }) => creditsCost > 0).length;
    t.ok(logged <= GRANTED - after, 'no more log entries of images than charges');
    await admin.close();
    balance = after;
    answered += tally.answered;
    kills++;
  }
  t.ok(answered > 0);
  for (const name of readdirSync(data)) {
    if (/\.json(\.bak)?$/.test(name)) t.doesNotThrow(() => JSON.parse(readFileSync(join(data, name), 'utf8')), name);
  }
  t.comment(`server: ${kills} kills; ${answered} answered, ${GRANTED - balance} charged`);
});

interface RetryTally {
  /** Number of keys of each client that were answered with 200. */
  readonly next: number[];
  replayed: number;
}

/** Sends one request for each key of a client, and repeats it until it is answered, also after restarts. */
async function retry(url: string, key: string, client: number, tally: RetryTally, most: number): Promise<void> {
  while (tally.next[client] < most) {
    const number = tally.next[client];
    const canvas = { width: 8 + client, height: 8 + (number % 40), backgroundColor: '#3366cc' };
    try {
      const response = await fetch(`${url}/v1/render`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Idempotency-Key': `${client}-${number}` },
        body: JSON.stringify({ canvas, layers: [] }),
      });
      if (response.headers.get('Idempotency-Replayed') === 'true') tally.replayed++;
      await response.arrayBuffer();
      if (response.status === 200) tally.next[client]++;
    } catch {
      return;
    }
  }
}

// fault: 83, 91
t.test('charges a request once that is repeated with its key until it is answered', async (t) => {
  const checkout = t.testdir();
  makeCheckout(checkout);
  const data = join(checkout, 'repeated');
  const first = await openEmbeddedStore(data);
  const { id } = await first.createWorkspace({ name: 'w', plan: 'paid', credits: GRANTED });
  const key = createRawKey();
  await first.createKey({ workspaceId: id, name: 'k', scopes: ['render:write'], hash: hashKey(key) });
  await first.close();
  const tally: RetryTally = { next: Array.from({ length: CLIENTS }, () => 0), replayed: 0 };
  const answered = () => tally.next.reduce((sum, count) => sum + count, 0);
  const run = async (url: string, most: readonly number[]) => {
    await Promise.all(most.map((each, client) => retry(url, key, client, tally, each)));
  };
  const balance = async () => {
    const admin = await openAdminStore(data);
    const found = (await admin.balance(id)).balance;
    await admin.close();
    return found;
  };
  for (const seed of rounds(3)) {
    const random = dice(seed);
    const { child, url } = await start(t, checkout, data);
    const before = answered();
    const ended = once(child, 'exit');
    const clients = run(url, Array(CLIENTS).fill(Number.POSITIVE_INFINITY));
    while (answered() === before && child.exitCode === null) await sleep(5);
    await sleep(roll(random, 300));
    child.kill('SIGKILL');
    await Promise.all([ended, clients]);
    const charged = GRANTED - (await balance());
    if (charged < answered() || charged > answered() + CLIENTS)
      t.fail(`seed ${seed}: ${answered()} answered, ${charged} charged`);
  }
  // The requests that were in flight at the last kill.
  const { child, url } = await start(t, checkout, data);
  await run(
    url,
    tally.next.map((count) => count + 1),
  );
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  t.equal(GRANTED - (await balance()), answered(), 'one charge for each key');
  t.comment(`keys: ${answered()} answered, ${tally.replayed} of them after a charge without an answer`);
});

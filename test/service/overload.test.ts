// Overload: ten times the capacity, with large renders among them, killed render processes and SIGTERM. `npm run soak` runs
// it for longer.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { EXTRA_SLOTS } from '../../lib/service/admission/index.js';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import { makeCheckout } from '../checkout.js';
import { eventually } from '../eventually.js';
import { startWhole } from './whole.js';

const checkout = t.testdir();
makeCheckout(checkout);
const isLinux = process.platform === 'linux';

const card = (number: number) => ({
  canvas: { width: 300, height: 150, backgroundColor: '#0f172a' },
  layers: [
    { type: 'text', x: 10, y: 10, width: 280, height: 100, text: `Card ${number}`, fontSize: 40, color: '#fff' },
  ],
});
const giant = (number: number) => ({ canvas: { width: 5000, height: 5000 }, layers: [], quality: number });

/** The processes that another started and that run. */
function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

// fault: 73, 75
t.test('under ten times the capacity and large renders, answers or rejects each and then recovers', async (t) => {
  const whole = await startWhole(t, { RENDER_WORKERS: '1', RENDER_QUEUE: '20' }, checkout);
  const { key, workspaceId } = await whole.caller();
  t.equal((await whole.post(key, card(-1))).status, 200);
  const bodies = Array.from({ length: 200 }, (_, i) => (i % 100 === 50 ? giant(1 + i / 50) : card(i)));
  const answers = await Promise.all(bodies.map((body) => whole.post(key, body)));
  const statuses = answers.map(({ status }) => status);
  t.same([...new Set(statuses)].sort(), [200, 503]);
  for (const answer of answers.filter(({ status }) => status === 503)) {
    t.equal(answer.headers.get('retry-after'), '1');
    t.match(await answer.json(), { code: 'overloaded' });
  }
  await Promise.all(answers.filter(({ status }) => status === 200).map((answer) => answer.arrayBuffer()));
  const made = statuses.filter((status) => status === 200).length;
  t.equal((await whole.post(key, card(1000))).status, 200, 'and at once there is room again');
  t.equal((await whole.store.balance(workspaceId)).balance, 1000 - made - 2);
});

// fault: 76, 79
t.test(
  'SIGTERM under load, after render processes were killed: charges exactly the answered renders and exits',
  { skip: !isLinux },
  async (t) => {
    const folder = t.testdir();
    const before = await openEmbeddedStore(folder);
    const { id: workspaceId } = await before.createWorkspace({ name: 'Test', plan: 'paid', credits: 1000 });
    const key = createRawKey();
    await before.createKey({ workspaceId, name: 'test', scopes: ['render:write'], hash: hashKey(key) });
    await before.close();
    let answered = 0;
    for (const signals of [1, 2]) {
      const program = join(checkout, 'dist/bin/render.js');
      const settings = { RENDER_WORKERS: '1', RENDER_CACHE_MB: '0', API_KEY_RATE_LIMIT_PER_MIN: '100000' };
      const server = spawn(process.execPath, [program, 'serve', '--port', '0', '--data', folder], {
        env: { PATH: process.env.PATH, ...settings },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      t.teardown(() => server.kill('SIGKILL'));
      const [line] = await once(server.stdout.setEncoding('utf8'), 'data');
      const url = /http\S+/.exec(line)?.[0];
      const exited = once(server, 'exit');
      const post = async (body: object) => {
        const headers = { Authorization: `Bearer ${key}` };
        const answer = await fetch(`${url}/v1/render`, { method: 'POST', headers, body: JSON.stringify(body) });
        await answer.arrayBuffer();
        return answer.status;
      };
      t.equal(await post(card(0)), 200);
      await eventually(() => childrenOf(server.pid as number).length === 1 + EXTRA_SLOTS);
      const pids = childrenOf(server.pid as number);
      const first = Array.from({ length: 10 }, (_, i) => post(card(i)).catch(() => 0));
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      const early = await Promise.all(first);
      t.ok(
        early.every((status) => [200, 500, 503].includes(status)),
        `${early}`,
      );
      await eventually(() => childrenOf(server.pid as number).length === 1 + EXTRA_SLOTS);
      t.equal(await post(card(1)), 200, 'killed processes are replaced');
      const late = Array.from({ length: 10 }, (_, i) => post(card(i)).catch(() => 0));
      for (let i = 0; i < signals; i++) {
        server.kill('SIGTERM');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const [code] = await exited;
      const last = await Promise.all(late);
      if (signals === 1) t.equal(code, 0);
      else t.ok(code === 1 || code === 0, `the second does not wait: ${code}`);
      t.ok(
        last.every((status) => [200, 503, 0].includes(status)),
        `${last}`,
      );
      const after = await openEmbeddedStore(folder);
      const { balance } = await after.balance(workspaceId);
      const { items } = await after.listRenders(workspaceId, {}, { limit: 10_000 });
      const charged = items.filter(({ creditsCost }) => creditsCost > 0).length;
      await after.close();
      answered += [...early, ...last].filter((status) => status === 200).length + 2;
      t.ok(1000 - balance >= answered, 'every answer is charged');
      // the second signal may cut off an answer that is charged already
      if (signals === 1) t.same([1000 - balance, charged], [answered, answered], 'and nothing else');
    }
  },
);

// A rolling restart under load: both nodes behind a load balancer are replaced, one after the other, and no request fails.
import t from 'tap';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { eventually } from '../eventually.js';
import { startBalancer } from './balancer.js';
import { startWhole, type Whole } from './whole.js';

const CLIENTS = 6;
const CREDITS = 1_000_000;
const CARD = {
  canvas: { width: 40, height: 30, backgroundColor: '#336699' },
  layers: [{ type: 'shape', shapeType: 'circle', x: 5, y: 5, width: 20, height: 20 }],
};

t.test(
  'two nodes are replaced while clients keep asking: every answer is a picture, and each is charged',
  async (t) => {
    const balancer = await startBalancer(t);
    const key = createRawKey();
    const nodes: { node: Whole; workspaceId: string }[] = [];
    const start = async (): Promise<Whole> => {
      // long enough for several questions of the balancer, on a busy machine too
      const node = await startWhole(t, { SHUTDOWN_DELAY_MS: '2500', RENDER_CACHE_MB: '0' });
      const { id: workspaceId } = await node.store.createWorkspace({ name: 'Test', plan: 'paid', credits: CREDITS });
      await node.store.createKey({ workspaceId, name: 'test', scopes: ['render:write'], hash: hashKey(key) });
      nodes.push({ node, workspaceId });
      balancer.add(node.url);
      await eventually(() => balancer.ready().includes(node.url));
      return node;
    };
    const old = [await start(), await start()];

    const statuses = new Map<string, number>();
    const count = (status: string) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        const init = { method: 'POST', headers: { Authorization: `Bearer ${key}` }, body: JSON.stringify(CARD) };
        await fetch(`${balancer.url}/v1/render`, init).then(
          async (answer) => {
            const { length } = Buffer.from(await answer.arrayBuffer());
            count(answer.status === 200 && length < 50 ? 'an empty picture' : String(answer.status));
          },
          (error) => count(String(error)),
        );
      }
    });

    for (const node of old) {
      await start();
      const stopping = node.stop(10_000);
      t.equal((await fetch(`${node.url}/readyz`)).status, 503, 'the node says that it goes');
      t.equal((await fetch(`${node.url}/healthz`)).status, 200, 'and is well');
      await stopping;
      balancer.remove(node.url);
      await t.rejects(fetch(`${node.url}/healthz`), 'it is gone');
    }
    isOver = true;
    await Promise.all(clients);

    t.same([...statuses.keys()], ['200'], `${[...statuses]}`);
    const charged = await Promise.all(
      nodes.map(async ({ node, workspaceId }) => CREDITS - (await node.store.balance(workspaceId)).balance),
    );
    t.equal(
      charged.reduce((sum, credits) => sum + credits, 0),
      statuses.get('200'),
      'every picture is charged once',
    );
    t.ok(
      charged.every((credits) => credits > 0),
      `all four had a part in it: ${charged}`,
    );
  },
);

t.test('a draining node closes its connections with their answers', async (t) => {
  const node = await startWhole(t, { SHUTDOWN_DELAY_MS: '2500' });
  const { key } = await node.caller();
  const before = await node.post(key, CARD);
  t.equal(before.headers.get('connection'), 'keep-alive');
  const stopping = node.stop(10_000);
  const after = await node.post(key, CARD);
  t.equal(after.status, 200);
  t.equal(after.headers.get('connection'), 'close');
  await stopping;
});

// Three nodes behind a load balancer are restarted by SIGTERM one after the other under load: no request fails, and each
// render is charged once.
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { eventually } from '../eventually.js';
import { rounds } from '../exhaustive.js';
import { startBalancer } from '../service/balancer.js';
import { skipped } from '../store/postgres/server.js';
import { ask, connections, Tally } from './client.js';
import { startFleet, WORKERS } from './fleet.js';

const CLIENTS = 4;

t.test('no request fails during a rolling restart of all nodes', { skip: skipped }, async (t) => {
  // Long enough for several health checks of the balancer, on a busy machine too.
  const fleet = await startFleet({ ...WORKERS, SHUTDOWN_DELAY_MS: '2500' });
  const agent = connections();
  const balancer = await startBalancer(t);
  t.teardown(async () => {
    agent.destroy();
    await fleet.stop();
  });
  const enters = async (url: string) => {
    balancer.add(url);
    await eventually(() => balancer.ready().includes(url), 'the node gets requests');
  };
  for (const { url } of fleet.nodes) await enters(url);
  const caller = await fleet.caller(1_000_000);
  const tally = new Tally();
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      await tally.count(ask(agent, balancer.url, { key: caller.key }));
      // Leaves processor time for the node that starts.
      await sleep(30);
    }
  });
  let restarts = 0;
  for (const _ of rounds(1)) {
    for (const node of fleet.nodes) {
      const { url } = node;
      t.equal(await node.end('SIGTERM'), 0, 'exits with 0');
      balancer.remove(url);
      await node.start();
      await enters(node.url);
      restarts++;
    }
  }
  const wanted = tally.made + 20;
  await eventually(() => tally.made >= wanted, 'renders succeed');
  isOver = true;
  await Promise.all(clients);
  t.strictSame([...tally.answers.keys()], ['200'], `${tally}`);
  t.equal(tally.lost + tally.refused, 0);
  const { charges } = await fleet.ledger(caller);
  t.equal(charges, tally.made);
  t.comment(`rolling: ${restarts} restarts; ${tally}`);
});

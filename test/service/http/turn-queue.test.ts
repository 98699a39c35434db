// One request starts in each turn of the event loop, so that new connections are accepted under load on kept ones.
import { Agent, request } from 'node:http';
import t from 'tap';
import { jsonAnswer } from '../../../lib/service/http/answer.js';
import { TurnQueue } from '../../../lib/service/http/server.js';
import { listen } from '../socket.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

t.test('starts the first request at once and the others in order, one per turn', async (t) => {
  const turns = new TurnQueue();
  const begun: number[] = [];
  for (let i = 0; i < 5; i++) turns.next().then(() => begun.push(i));
  await Promise.resolve();
  t.same(begun, [0]);
  for (let i = 1; i < 5; i++) {
    await turn();
    await turn();
    t.ok(begun.length >= Math.min(5, i + 1) && begun.length <= 2 * i + 1, `${begun}`);
  }
  await turn();
  await turn();
  t.same(begun, [0, 1, 2, 3, 4]);
  await turns.next();
  t.pass('and after a rest at once again');
});

// fault: 75
t.test('serves 40 new connections while 50 clients send requests without a pause', async (t) => {
  let answered = 0;
  const server = await listen(t, async () => {
    // as long as a request takes
    for (const end = performance.now() + 1; performance.now() < end; );
    answered++;
    return { requestId: '', answer: jsonAnswer(200, {}) };
  });
  const { port } = server;
  const ask = (agent: Agent | false) =>
    new Promise<void>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, agent }, (response) => response.resume().on('end', resolve));
      sent.on('error', reject).end();
    });
  const kept = new Agent({ keepAlive: true, maxSockets: 50 });
  t.teardown(() => kept.destroy());
  let isOpen = true;
  const clients = Array.from({ length: 50 }, async () => {
    while (isOpen) await ask(kept);
  });
  while (answered < 200) await turn();
  const before = answered;
  await Promise.all(Array.from({ length: 40 }, () => ask(false)));
  const meanwhile = answered - before;
  isOpen = false;
  await Promise.all(clients);
  // a connection for each 50 answers would be 2,000
  t.ok(meanwhile < 600, `${meanwhile} answers meanwhile`);
});

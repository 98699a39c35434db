// Opens connections that send nothing or half of their headers, beside clients that render. Reports whether the renders
// become slower, and whether the server closes the connections.
import { connect } from 'node:net';
import { createClient } from './client.mjs';
import { mebibytes, quantile, random } from './figures.mjs';
import { card } from './payloads.mjs';
import { measureServer } from './server.mjs';

export async function idle({ server, count, seconds, seed }) {
  const next = random(seed);
  const { send, close } = createClient(server);
  const { hostname, port } = new URL(server.url);
  const measure = async (milliseconds) => {
    const times = [];
    const until = performance.now() + milliseconds;
    while (performance.now() < until) times.push((await send(card(next))).ms);
    return { renders: times.length, p50: Math.round(quantile(times, 0.5)), p99: Math.round(quantile(times, 0.99)) };
  };
  await measure(2000);
  const alone = await measure(4000);
  const before = measureServer(server.pid);
  let open = 0;
  const startedAt = performance.now();
  let lastClosed = 0;
  for (let i = 0; i < count; i++) {
    const socket = connect(Number(port), hostname, () => {
      open++;
      if (next() < 0.5) socket.write('POST /v1/render HTTP/1.1\r\nHost: so');
    });
    socket
      .on('error', () => {})
      .on('close', () => {
        open--;
        lastClosed = performance.now() - startedAt;
      });
    socket.resume();
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const opened = open;
  const beside = await measure(Math.max(5000, seconds * 1000 - 1000));
  const after = measureServer(server.pid);
  close();
  return {
    opened,
    stillOpen: open,
    lastClosedAfterMs: Math.round(lastClosed),
    aloneMs: alone,
    besideMs: beside,
    parentMiB: [mebibytes(before.parent), mebibytes(after.parent)],
    descriptors: [before.descriptors, after.descriptors],
  };
}

// Clients that reset their connections while they send, wait or receive. Reports whether the server's memory, child
// processes, descriptors and credits are unchanged.
import { connect } from 'node:net';
import { createClient } from './client.mjs';
import { mebibytes, random } from './figures.mjs';
import { card, control, mixed } from './payloads.mjs';
import { CREDITS, measureServer } from './server.mjs';

const AT_ONCE = 16;

export async function resets({ server, host, count, seed }) {
  const next = random(seed);
  const { hostname, port } = new URL(server.url);
  const { send, close } = createClient(server);
  for (let i = 0; i < 100; i++) await send(next() < 0.5 ? card(next) : mixed(next, host));
  const warm = CREDITS - (await server.balance());
  const before = measureServer(server.pid);
  let started = 0;
  const one = () =>
    new Promise((resolve) => {
      const body = JSON.stringify({ ...mixed(next, host), padding: 'x'.repeat(Math.floor(next() * 200_000)) });
      const head = `POST /v1/render HTTP/1.1\r\nHost: soak\r\nAuthorization: Bearer ${server.key}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
      const all = head + body;
      const socket = connect(Number(port), hostname);
      // a third each: during the request, during the render, at the first byte of the answer
      const when = Math.floor(next() * 3);
      socket.on('error', () => {}).on('close', resolve);
      socket.write(when === 0 ? all.slice(0, Math.floor(next() * all.length)) : all);
      if (when === 2) socket.once('data', () => socket.resetAndDestroy());
      setTimeout(() => socket.resetAndDestroy(), when === 2 ? 3000 : next() * 80);
    });
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (; started < count; ) {
        started++;
        await one();
      }
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 7000));
  const { status, ms } = await send(control(0));
  close();
  await new Promise((resolve) => setTimeout(resolve, 6000));
  const after = measureServer(server.pid);
  return {
    resets: count,
    charged: CREDITS - (await server.balance()) - warm - 1,
    logged: (await server.renders()) - warm - 1,
    control: { status, ms: Math.round(ms) },
    parentMiB: [mebibytes(before.parent), mebibytes(after.parent)],
    totalMiB: [mebibytes(before.total), mebibytes(after.total)],
    descriptors: [before.descriptors, after.descriptors],
    children: [before.pids.length, after.pids.length],
  };
}

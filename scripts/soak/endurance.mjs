// Sends many mixed renders to one server, some invalid, some cancelled. Reports whether memory, descriptors and child
// processes stay constant, the control image keeps its bytes, and every charge belongs to an answered image.
import { createHash } from 'node:crypto';
import { createClient } from './client.mjs';
import { countValues, mebibytes, random, slope } from './figures.mjs';
import { control, invalid, mixed } from './payloads.mjs';
import { CREDITS, measureServer } from './server.mjs';

const CLIENTS = 8;
const CONTROL_EVERY = 100;
/** Share of the renders after which memory should be stable. */
const WARM_UP = 0.25;

/** `onSecond(pids)`, if given, is called every second with the ids of the render processes. */
export async function endurance({ server, host, renders, seconds, seed, onSecond }) {
  const next = random(seed);
  const { send, close } = createClient(server);
  const statuses = [];
  const controls = new Set();
  const samples = [];
  let sent = 0;
  let done = 0;
  let charged = 0;
  let cancelled = 0;
  const children = new Set();
  const until = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1000;
  const startedAt = performance.now();
  const second = setInterval(() => {
    const now = measureServer(server.pid);
    for (const pid of now.pids) children.add(pid);
    samples.push({ done, ...now });
    onSecond?.(now.pids);
  }, 1000);

  async function client() {
    while (sent < renders && performance.now() < until) {
      const number = sent++;
      const kind =
        number % CONTROL_EVERY === 0 ? 'control' : next() < 0.05 ? 'invalid' : next() < 0.03 ? 'cancelled' : 'mixed';
      const body = kind === 'control' ? control(number) : kind === 'invalid' ? invalid(next, host) : mixed(next, host);
      const cancellation = kind === 'cancelled' ? { disconnectAfter: next() * 60 } : {};
      const { status, bytes } = await send(body, { keep: kind === 'control', ...cancellation });
      if (kind === 'control' && status === 200) controls.add(createHash('sha256').update(bytes).digest('hex'));
      if (status === 200) charged++;
      if (kind === 'cancelled') cancelled++;
      statuses.push(`${kind} ${status}`);
      done++;
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  clearInterval(second);
  close();
  await new Promise((resolve) => setTimeout(resolve, 7000));
  const last = measureServer(server.pid);
  const balance = await server.balance();
  const settled = samples.filter((sample) => sample.done >= WARM_UP * done);
  const perThousand = (figure) => slope(settled.map((sample) => [sample.done / 1000, figure(sample)]));
  const range = (figure) => [Math.min(...settled.map(figure)), Math.max(...settled.map(figure))];
  return {
    requests: done,
    seconds: Math.round(elapsedSeconds),
    statuses: countValues(statuses),
    controlImages: controls.size,
    charges: { credits: CREDITS - balance, answered200: charged, cancelled },
    slopesPerThousand: {
      parentMiB: mebibytes(perThousand(({ parent }) => parent)),
      totalMiB: mebibytes(perThousand(({ total }) => total)),
      descriptors: Math.round(perThousand(({ descriptors }) => descriptors) * 100) / 100,
      children: Math.round(perThousand(({ pids }) => pids.length) * 100) / 100,
    },
    ranges: {
      parentMiB: range(({ parent }) => mebibytes(parent)),
      totalMiB: range(({ total }) => mebibytes(total)),
      descriptors: range(({ descriptors }) => descriptors),
      children: range(({ pids }) => pids.length),
    },
    atTheEnd: {
      parentMiB: mebibytes(last.parent),
      totalMiB: mebibytes(last.total),
      descriptors: last.descriptors,
      children: last.pids.length,
    },
    childrenStarted: children.size,
  };
}

// Many mixed renders through one server, some broken, some left in the middle: whether its memory, descriptors and
// children stay as they are, the control picture keeps its bytes, and every charge is a picture that was answered.
import { createHash } from 'node:crypto';
import { createClient } from './client.mjs';
import { mebibytes, random, slope, tally } from './figures.mjs';
import { any, broken, control } from './payloads.mjs';
import { CREDITS, look } from './server.mjs';

const CLIENTS = 8;
const CONTROL_EVERY = 100;
/** The part of the renders that memory is given to settle in. */
const WARM_UP = 0.25;

/** `hurt(pid)` is called once a second, when it is given. */
export async function endurance({ server, host, renders, seconds, seed, hurt }) {
  const next = random(seed);
  const { send, close } = createClient(server);
  const statuses = [];
  const controls = new Set();
  const samples = [];
  let asked = 0;
  let done = 0;
  let charged = 0;
  let left = 0;
  const children = new Set();
  const until = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1000;
  const began = performance.now();
  const second = setInterval(() => {
    const now = look(server.pid);
    for (const pid of now.pids) children.add(pid);
    samples.push({ done, ...now });
    hurt?.(now.pids);
  }, 1000);

  async function client() {
    while (asked < renders && performance.now() < until) {
      const number = asked++;
      const kind = number % CONTROL_EVERY === 0 ? 'control' : next() < 0.05 ? 'broken' : next() < 0.03 ? 'left' : 'any';
      const body = kind === 'control' ? control(number) : kind === 'broken' ? broken(next, host) : any(next, host);
      const leaving = kind === 'left' ? { leaveAfter: next() * 60 } : {};
      const { status, bytes } = await send(body, { keep: kind === 'control', ...leaving });
      if (kind === 'control' && status === 200) controls.add(createHash('sha256').update(bytes).digest('hex'));
      if (status === 200) charged++;
      if (kind === 'left') left++;
      statuses.push(`${kind} ${status}`);
      done++;
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const took = (performance.now() - began) / 1000;
  clearInterval(second);
  close();
  await new Promise((resolve) => setTimeout(resolve, 7000));
  const last = look(server.pid);
  const balance = await server.balance();
  const settled = samples.filter((sample) => sample.done >= WARM_UP * done);
  const perThousand = (figure) => slope(settled.map((sample) => [sample.done / 1000, figure(sample)]));
  const range = (figure) => [Math.min(...settled.map(figure)), Math.max(...settled.map(figure))];
  return {
    requests: done,
    seconds: Math.round(took),
    statuses: tally(statuses),
    controlPictures: controls.size,
    charges: { taken: CREDITS - balance, answered200: charged, leftInTheMiddle: left },
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
    childrenInAll: children.size,
  };
}

// Ten times as many requests as the server can draw, whether it answers or not, one in a hundred a giant: what is
// accepted, how fast the rest is refused, what memory it takes, and how soon it is well again.
import { createClient } from './client.mjs';
import { mebibytes, quantile, random, tally } from './figures.mjs';
import { any, card, giant } from './payloads.mjs';
import { look } from './server.mjs';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function overload({ server, host, seconds, seed, factor = 10 }) {
  const next = random(seed);
  const { send, close } = createClient(server);
  const latencies = (answers) => ({
    p50: Math.round(
      quantile(
        answers.map(({ ms }) => ms),
        0.5,
      ),
    ),
    p99: Math.round(
      quantile(
        answers.map(({ ms }) => ms),
        0.99,
      ),
    ),
  });
  const mixed = () => (next() < 0.5 ? card(next) : any(next, host));

  // what one client after another gets, then as many as there are processes
  const alone = [];
  for (let i = 0; i < 40; i++) alone.push(await send(mixed()));
  const until = performance.now() + 5000;
  let drawn = 0;
  const worker = async () => {
    while (performance.now() < until) if ((await send(mixed())).status === 200) drawn++;
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  const capacity = drawn / 5;
  const before = look(server.pid);

  server.served.length = 0;
  const answers = [];
  const open = new Set();
  let peak = before;
  const watch = setInterval(() => {
    const now = look(server.pid);
    if (now.total > peak.total) peak = now;
  }, 100);
  const ask = (body, kind) => {
    const asked = send(body).then((answer) => {
      answers.push({ ...answer, kind });
      open.delete(asked);
    });
    open.add(asked);
  };
  const clientBefore = process.cpuUsage();
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < seconds * 1000) {
    const due = ((performance.now() - began) / 1000) * capacity * factor;
    for (; count < due; count++) next() < 0.01 ? ask(giant(next), 'giant') : ask(mixed(), 'mixed');
    await sleep(5);
  }
  const loadEnded = performance.now();
  const worked = { server: look(server.pid).cpu, client: process.cpuUsage(clientBefore) };
  await Promise.all(open);
  const drainedAfter = performance.now() - loadEnded;
  const usual = quantile(
    alone.map(({ ms }) => ms),
    0.99,
  );
  let well;
  for (let streak = 0; streak < 5; ) {
    const { status, ms } = await send(card(next));
    streak = status === 200 && ms <= 3 * usual ? streak + 1 : 0;
    well = performance.now() - loadEnded;
    if (well > 60_000) break;
  }
  clearInterval(watch);
  close();
  await sleep(2000);
  const after = look(server.pid);
  const served = (status) => server.served.filter((answer) => answer.status === status);
  const of = (kind, status) => answers.filter((answer) => answer.kind === kind && answer.status === status);
  const share = (ms) => Math.round(ms / seconds / 10) / 100;
  return {
    capacityPerSecond: Math.round(capacity),
    offeredPerSecond: Math.round(count / seconds),
    seconds,
    statuses: tally(answers.map(({ kind, status }) => `${kind} ${status}`)),
    unloadedMs: latencies(alone),
    acceptedMs: latencies(of('mixed', 200)),
    giantsMs: latencies(of('giant', 200)),
    refusedMs: latencies(of('mixed', 503)),
    byTheServersClockMs: { accepted: latencies(served(200)), refused: latencies(served(503)) },
    processorShare: {
      client: share((worked.client.user + worked.client.system) / 1000),
      parent: share(worked.server.parent - before.cpu.parent),
      children: share(worked.server.children - before.cpu.children),
    },
    residentMiB: {
      before: mebibytes(before.total),
      peak: mebibytes(peak.total),
      peakParent: mebibytes(peak.parent),
      peakChildren: peak.children.map(mebibytes),
      after: mebibytes(after.total),
    },
    drainedAfterMs: Math.round(drainedAfter),
    wellAfterMs: Math.round(well),
    children: [before.pids.length, after.pids.length],
    descriptors: [before.descriptors, after.descriptors],
  };
}

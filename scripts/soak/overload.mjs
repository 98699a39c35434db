// Sends ten times the server's capacity in an open loop; one request in a hundred is very large. Reports how much is
// accepted, how fast the rest is rejected, the memory used, and how soon the server recovers.
import { createClient } from './client.mjs';
import { countValues, mebibytes, quantile, random } from './figures.mjs';
import { card, giant, mixed } from './payloads.mjs';
import { measureServer } from './server.mjs';

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
  const typical = () => (next() < 0.5 ? card(next) : mixed(next, host));

  // latency of a single client, then the throughput of several
  const alone = [];
  for (let i = 0; i < 40; i++) alone.push(await send(typical()));
  const until = performance.now() + 5000;
  let rendered = 0;
  const worker = async () => {
    while (performance.now() < until) if ((await send(typical())).status === 200) rendered++;
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  const capacity = rendered / 5;
  const before = measureServer(server.pid);

  server.served.length = 0;
  const answers = [];
  const open = new Set();
  let peak = before;
  const watch = setInterval(() => {
    const now = measureServer(server.pid);
    if (now.total > peak.total) peak = now;
  }, 100);
  const start = (body, kind) => {
    const pending = send(body).then((answer) => {
      answers.push({ ...answer, kind });
      open.delete(pending);
    });
    open.add(pending);
  };
  const clientBefore = process.cpuUsage();
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < seconds * 1000) {
    const due = ((performance.now() - startedAt) / 1000) * capacity * factor;
    for (; count < due; count++) next() < 0.01 ? start(giant(next), 'giant') : start(typical(), 'typical');
    await sleep(5);
  }
  const loadEnded = performance.now();
  const cpu = { server: measureServer(server.pid).cpu, client: process.cpuUsage(clientBefore) };
  await Promise.all(open);
  const drainedAfter = performance.now() - loadEnded;
  const normal = quantile(
    alone.map(({ ms }) => ms),
    0.99,
  );
  let recoveredAfter;
  for (let streak = 0; streak < 5; ) {
    const { status, ms } = await send(card(next));
    streak = status === 200 && ms <= 3 * normal ? streak + 1 : 0;
    recoveredAfter = performance.now() - loadEnded;
    if (recoveredAfter > 60_000) break;
  }
  clearInterval(watch);
  close();
  await sleep(2000);
  const after = measureServer(server.pid);
  const served = (status) => server.served.filter((answer) => answer.status === status);
  const of = (kind, status) => answers.filter((answer) => answer.kind === kind && answer.status === status);
  const share = (ms) => Math.round(ms / seconds / 10) / 100;
  return {
    capacityPerSecond: Math.round(capacity),
    offeredPerSecond: Math.round(count / seconds),
    seconds,
    statuses: countValues(answers.map(({ kind, status }) => `${kind} ${status}`)),
    unloadedMs: latencies(alone),
    acceptedMs: latencies(of('typical', 200)),
    giantsMs: latencies(of('giant', 200)),
    rejectedMs: latencies(of('typical', 503)),
    serverClockMs: { accepted: latencies(served(200)), rejected: latencies(served(503)) },
    processorShare: {
      client: share((cpu.client.user + cpu.client.system) / 1000),
      parent: share(cpu.server.parent - before.cpu.parent),
      children: share(cpu.server.children - before.cpu.children),
    },
    residentMiB: {
      before: mebibytes(before.total),
      peak: mebibytes(peak.total),
      peakParent: mebibytes(peak.parent),
      peakChildren: peak.children.map(mebibytes),
      after: mebibytes(after.total),
    },
    drainedAfterMs: Math.round(drainedAfter),
    recoveredAfterMs: Math.round(recoveredAfter),
    children: [before.pids.length, after.pids.length],
    descriptors: [before.descriptors, after.descriptors],
  };
}

// Renders at a steady rate, in pairs of periods: one alone, one beside sign-ins that fail. Reports how much later the images
// come then, and whether a session that is open notices anything.
import { createClient } from './client.mjs';
import { createDashboardClient } from './dashboard.mjs';
import { countValues, quantile, random } from './figures.mjs';
import { card } from './payloads.mjs';
import { measureServer } from './server.mjs';

const FAILURES_PER_SECOND = 20;
const RENDERS_PER_SECOND = 8;
const PERIOD_MS = 5000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts `work` at a steady rate, whether or not earlier calls have ended. Resolves with all results. */
async function atRate(perSecond, ms, work) {
  const startedAt = performance.now();
  const running = [];
  for (let count = 0; count < (ms / 1000) * perSecond; count++) {
    await sleep(startedAt + (count * 1000) / perSecond - performance.now());
    running.push(work(count));
  }
  return await Promise.all(running);
}

export async function signIns({ server, seconds, seed }) {
  const next = random(seed);
  const client = createClient(server);
  const dashboard = await createDashboardClient(server, 'operator');
  for (let i = 0; i < 20; i++) await client.send(card(next));
  const periods = { alone: [], beside: [] };
  const sessions = [];
  const failures = [];

  async function period(kind) {
    const cpuBefore = measureServer(server.pid).cpu;
    const attack =
      kind === 'beside'
        ? atRate(FAILURES_PER_SECOND, PERIOD_MS, async (count) => {
            // every other one for a name that exists
            const { status } = await dashboard.signIn(count % 2 ? 'operator' : `nobody ${next()}`, `wrong ${next()}`);
            failures.push(status);
          })
        : undefined;
    const reads = atRate(2, PERIOD_MS, async () => {
      const startedAt = performance.now();
      const { status } = await dashboard.send('GET', 'session', { cookie: dashboard.cookie });
      sessions.push({ kind, status, ms: performance.now() - startedAt });
    });
    const renders = await atRate(RENDERS_PER_SECOND, PERIOD_MS, () => client.send(card(next)));
    const cpu = measureServer(server.pid).cpu;
    periods[kind].push({ renders, cpu: cpu.parent - cpuBefore.parent + cpu.children - cpuBefore.children });
    await Promise.all([attack, reads]);
    // sign-ins that wait for their turn belong to the period that is over
    await sleep(1000);
  }

  const pairs = Math.max(1, Math.round((seconds * 1000) / (2 * PERIOD_MS)));
  for (let pair = 0; pair < pairs; pair++) {
    for (const kind of pair % 2 ? ['beside', 'alone'] : ['alone', 'beside']) await period(kind);
  }
  client.close();
  dashboard.close();

  const rounded = (value) => Math.round(value * 10) / 10;
  const times = (kind) => periods[kind].flatMap(({ renders }) => renders.map(({ ms }) => ms));
  const report = (kind) => ({
    renders: times(kind).length,
    statuses: countValues(periods[kind].flatMap(({ renders }) => renders.map(({ status }) => status))),
    p50: rounded(quantile(times(kind), 0.5)),
    p90: rounded(quantile(times(kind), 0.9)),
    p99: rounded(quantile(times(kind), 0.99)),
    cpuMsPerSecond: Math.round(
      quantile(
        periods[kind].map(({ cpu }) => cpu / (PERIOD_MS / 1000)),
        0.5,
      ),
    ),
  });
  const [alone, beside] = [report('alone'), report('beside')];
  const medianRatio = quantile(
    periods.alone.map((one, pair) => {
      const p90 = ({ renders }) =>
        quantile(
          renders.map(({ ms }) => ms),
          0.9,
        );
      return p90(periods.beside[pair]) / p90(one);
    }),
    0.5,
  );
  return {
    pairs,
    alone,
    beside: { ...beside, signIns: countValues(failures) },
    p99Ratio: Math.round((beside.p99 / alone.p99) * 1000) / 1000,
    medianP90Ratio: Math.round(medianRatio * 1000) / 1000,
    openSession: {
      statuses: countValues(sessions.map(({ status }) => status)),
      p99Alone: rounded(
        quantile(
          sessions.filter(({ kind }) => kind === 'alone').map(({ ms }) => ms),
          0.99,
        ),
      ),
      p99Beside: rounded(
        quantile(
          sessions.filter(({ kind }) => kind === 'beside').map(({ ms }) => ms),
          0.99,
        ),
      ),
    },
  };
}

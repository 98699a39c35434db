// A case is RENDERS_EACH requests to one server, which lives as long as the process of the run: mixed payloads, some invalid,
// and control images. Memory is measured after each case.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ROOT } from '../checkout.js';
import type { Cases } from './long-run.js';
import { growthOf, mebibytes, type Sample } from './memory.js';
import { RENDERS_EACH } from './runs.js';
import { seedOf } from './seed-of.js';

const { startServer, measureServer } = await import('../../scripts/soak/server.mjs' as string);
const { createClient } = await import('../../scripts/soak/client.mjs' as string);
const { startOrigin } = await import('../../scripts/soak/origin.mjs' as string);
const { random } = await import('../../scripts/soak/figures.mjs' as string);
const payloads = await import('../../scripts/soak/payloads.mjs' as string);

const CLIENTS = 3;
const CONTROL_EVERY = 50;
const INVALID_SHARE = 0.05;
/** Small caches fill early, so that memory settles in the first quarter. */
const SETTINGS = { RENDER_WORKERS: '1', RENDER_MEMORY_MB: '512', RENDER_CACHE_MB: '16', LOG_LEVEL: 'warn' };

export async function openRenders(seed: number): Promise<Cases> {
  const origin = await startOrigin();
  const server = await startServer(join(ROOT, 'dist'), { ...SETTINGS, ASSET_ALLOW_HOSTS: origin.host });
  const client = createClient(server);
  const samples: Sample[] = [];
  let controlHash: string | undefined;
  let answered = 0;
  const started = await server.balance();

  /** Sends one request and returns its status; failures are added to the list. */
  async function send(index: number, number: number, failures: string[]): Promise<number> {
    const next = random(seedOf(seed, index * RENDERS_EACH + number));
    const isControl = number % CONTROL_EVERY === 0;
    const isInvalid = !isControl && next() < INVALID_SHARE;
    const kind = isControl ? 'control' : isInvalid ? 'invalid' : 'mixed';
    const body = isControl
      ? payloads.control(index * RENDERS_EACH + number)
      : (isInvalid ? payloads.invalid : payloads.mixed)(next, origin.host);
    const { status, bytes } = await client.send(body, { keep: isControl });
    // 500 is the answer to a corrupt file, and 502 to one that can't be fetched
    const isExpected = isControl ? status === 200 : typeof status === 'number' && status <= (isInvalid ? 502 : 499);
    if (!isExpected && !(kind === 'mixed' && status === 502)) failures.push(`${kind} ${number}: ${status}`);
    if (isControl && status === 200) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      controlHash ??= hash;
      if (hash !== controlHash) failures.push(`control ${number}: other bytes`);
    }
    return status;
  }

  return {
    async run(index) {
      const failures: string[] = [];
      let next = 0;
      let drawn = 0;
      const work = async () => {
        while (next < RENDERS_EACH) if ((await send(index, next++, failures)) === 200) drawn++;
      };
      await Promise.all(Array.from({ length: CLIENTS }, work));
      answered += drawn;
      const { parent, total } = measureServer(server.pid);
      samples.push({ server: parent, processes: total - parent });
      return { failures, totals: { 'answers 200': drawn, 'answers rejected': RENDERS_EACH - drawn } };
    },
    remark() {
      const { server: own, processes } = samples[samples.length - 1];
      return `server ${mebibytes(own)}, render processes ${mebibytes(processes)}`;
    },
    async close() {
      client.close();
      const failures = growthOf(samples);
      const charged = started - (await server.balance());
      // An interrupted case has answers that are not counted.
      if (charged < answered) failures.push(`${charged} credits charged for ${answered} answers`);
      const outcome = await server.stop();
      if (outcome !== 0) failures.push(`the server ended with ${outcome}: ${server.errors.slice(-3).join('; ')}`);
      origin.close();
      return failures;
    },
  };
}

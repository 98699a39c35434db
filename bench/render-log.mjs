// Measures pages of the embedded store's render log at its bound, 8 files of 16 MiB: `npm run build && node
// bench/render-log.mjs`. One workspace has almost all entries; another one has ten.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RenderLog } from '../dist/modules/lib/store/embedded/render-log/log.js';

const FILES = 8;
const FILE_BYTES = 16 * 2 ** 20;
const RUNS = 9;

let count = 0;
const ids = [];

function line() {
  const i = count++;
  const id = randomUUID();
  if (i % 10_000 === 0) ids.push(id);
  const isFailed = i % 5000 === 7;
  return JSON.stringify({
    id,
    time: new Date(Date.UTC(2026, 0, 1) + i * 100).toISOString(),
    workspaceId: i % 50_000 === 3 ? 'ws_sparse0000000000000000' : 'ws_96e1b3daac5668424ee1afee',
    keyId: 'key_5d1f0c9b7a3e48d26c80b1f4',
    templateId: 'tpl_0d5c1c6f7d3b4a5e9f8a7b6c',
    format: 'png',
    width: 1200,
    height: 630,
    durationMs: 20 + (i % 50),
    sizeBytes: isFailed ? 0 : 80_000 + (i % 999),
    creditsCost: isFailed ? 0 : 1,
    ...(isFailed && { code: 'invalid_request', detail: { path: 'layers[2].url', message: 'no such file' } }),
    status: isFailed ? 'failed' : 'ok',
    warnings: 0,
    templateVersion: 3,
    sha256: 'r2vVEHrV4zVpTB4hTtwR6hHjW4D5yZQ3h5gHhV2Zq3c',
    metadata: { order: `order ${i}`, shop: `shop ${i % 1000}` },
  });
}

async function measure(what, work) {
  const times = [];
  const cpuTimes = [];
  let result;
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    const cpuStart = process.cpuUsage();
    result = await work();
    times.push(performance.now() - start);
    const { user, system } = process.cpuUsage(cpuStart);
    cpuTimes.push((user + system) / 1000);
  }
  const median = (values) => values.sort((a, b) => a - b)[RUNS >> 1].toFixed(1);
  console.log(`${what}: ${median(times)} ms, ${median(cpuTimes)} ms of CPU time; ${result}`);
}

const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
try {
  for (let number = 1; number <= FILES; number++) {
    const lines = [];
    for (let bytes = 0; bytes < FILE_BYTES; bytes += lines.at(-1).length + 1) lines.push(line());
    await writeFile(join(folder, `renders-${String(number).padStart(6, '0')}.jsonl`), `${lines.join('\n')}\n`);
  }
  console.log(`${count} entries in ${FILES} files of 16 MiB`);
  const log = await RenderLog.open(folder, { warn: console.warn });
  const dense = 'ws_96e1b3daac5668424ee1afee';
  const page = async (workspace, filter, limit = 50) => {
    const { items, nextCursor } = await log.list(workspace, filter, { limit });
    return `${items.length} entries${nextCursor === null ? '' : ', and a cursor'}`;
  };
  await measure('50 entries', () => page(dense, {}));
  await measure('200 entries', () => page(dense, {}, 200));
  await measure('a workspace with ten entries', () => page('ws_sparse0000000000000000', {}));
  await measure('a workspace without entries', () => page('ws_none', {}));
  await measure('status=failed', () => page(dense, { status: 'failed' }));
  await measure('metadata of one entry', () => page(dense, { metadata: { order: 'order 77' } }));
  await measure('metadata of few entries', () => page(dense, { metadata: { shop: 'shop 77' } }));
  await measure('metadata that no entry has, in every line', () => page(dense, { metadata: { shop: 'shop' } }));
  await measure('a time long ago', () => page(dense, { to: '2026-01-01T00:01:00.000Z' }));
  await measure('a key that no entry has', () => page(dense, { keyId: 'key_none' }));
  await measure('one entry by its id, the oldest', async () => (await log.find(dense, ids[0]))?.id);
  await measure('one entry by its id, of none', async () => (await log.find(dense, randomUUID()))?.id);
} finally {
  await rm(folder, { recursive: true });
}

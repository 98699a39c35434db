// Measures the idempotency records of the embedded store: `npm run build && node bench/idempotency.mjs [RECORDS]`.
// Writes RECORDS (default 1,000,000) evenly over 24 hours, then opens, looks up and prunes them.
import { createHash } from 'node:crypto';
import { promises } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IdempotencyLog } from '../dist/modules/lib/store/embedded/idempotency/log.js';
import { encodeRecord } from '../dist/modules/lib/store/embedded/idempotency/record.js';

const count = Number(process.argv[2] ?? 1_000_000);
const BATCH = 1000;
const DAY_MS = 24 * 3_600_000;
const START = Date.UTC(2026, 0, 1);

const digest = (i) => createHash('sha256').update(`key ${i}`).digest();
const fingerprint = createHash('sha256').update('body').digest('hex');

let now = START;
let header;
const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
const open = () =>
  IdempotencyLog.open(header, { files: promises, folder, now: () => new Date(now), warn: console.warn });
const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** Runs `work` and prints how long it took, and the longest time in which the event loop did not turn. */
async function measure(what, work) {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 1);
    last = performance.now();
  }, 1);
  const start = performance.now();
  const result = await work();
  const elapsed = performance.now() - start;
  await new Promise((resolve) => setTimeout(resolve, 5));
  clearInterval(timer);
  console.log(`${what}: ${elapsed.toFixed(0)} ms, longest pause ${longest.toFixed(0)} ms`);
  return result;
}

async function add(log, from, to) {
  for (let first = from; first < to; first += BATCH) {
    now = Math.max(now, START + (DAY_MS * first) / count);
    const records = Array.from({ length: Math.min(BATCH, to - first) }, (_, i) =>
      encodeRecord({
        digest: digest(first + i),
        fingerprint,
        renderId: '6f1c0e5a-2d0b-4a57-9c36-0f7d1b8e4a21',
        creditsCost: 1,
        time: now,
      }),
    );
    const prepared = await log.prepare(records);
    header = prepared.segments;
    prepared.commit();
  }
}

try {
  const writer = await open();
  await measure(`add ${count} records in batches of ${BATCH}`, () => add(writer, 0, count));
  await writer.close();
  const log = await measure('open', open);
  const { records, indexBytes } = log.size;
  console.log(
    `index: ${mebibytes(indexBytes)}, ${(indexBytes / records).toFixed(1)} bytes for each of ${records} records`,
  );
  console.log(`header: ${JSON.stringify(header).length} bytes`);
  const settled = Array.from({ length: 10_000 }, (_, i) => digest(Math.floor((i * count) / 10_000)));
  await measure('find 10,000 settled keys, one by one', async () => {
    for (const each of settled) if (!(await log.find(each))) throw new Error('a key is not found');
  });
  const unknown = Array.from({ length: 10_000 }, (_, i) => digest(-i - 1));
  await measure('look up 10,000 other keys', async () => {
    for (const each of unknown) if (await log.find(each)) throw new Error('a key is found');
  });
  for (const hour of [1, 2, 24, 25]) {
    now = START + DAY_MS + hour * 3_600_000;
    await measure(`prune after ${hour} more hours`, () => add(log, -hour, 1 - hour));
    console.log(`${log.size.records} records are left`);
  }
  await log.close();
} finally {
  await rm(folder, { recursive: true });
}

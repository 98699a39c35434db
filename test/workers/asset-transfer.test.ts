// Assets on their way to a worker process: each is sent once, both sides hold the same bounded set, and a new process starts
// without any.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import t from 'tap';
import { AssetFile } from '../../lib/assets/asset-file.js';
import type { FetchedAsset } from '../../lib/assets/loader.js';
import { RenderError } from '../../lib/errors.js';
import { resolve } from '../../lib/templates/resolve.js';
import { AssetCache, AssetLedger } from '../../lib/workers/asset-transfer.js';
import type { Job } from '../../lib/workers/job.js';
import { createPool } from '../../lib/workers/pool.js';
import { createCaches, runJob } from '../../lib/workers/run-job.js';
import { makeCheckout } from '../checkout.js';
import { fixture } from '../codecs/pictures.js';

const box = { x: 0, y: 0, width: 40, height: 20 };

async function assetOf(bytes: Uint8Array): Promise<FetchedAsset> {
  const file = new AssetFile(bytes);
  return { file, digest: await file.digest() };
}

/** A job with an image layer for each URL. */
function jobOf(assets: ReadonlyMap<string, FetchedAsset>, urls: readonly string[] = [...assets.keys()]): Job {
  const layers = urls.map((url) => ({ type: 'image', url, ...box }));
  const payload = { canvas: { width: 40, height: 20 }, layers };
  return { scene: resolve(payload, { maxLayers: 999, checkUrl: () => {} }), assets, maxPixels: 2 ** 20 };
}

const urlsOf = ({ scene }: Pick<Job, 'scene'>) =>
  scene.layers.map((layer) => (layer.type === 'image' ? layer.url : undefined));

t.test('sends an asset once, by whatever URL, and never its data: URL', async (t) => {
  const [ledger, store] = [new AssetLedger(), new AssetCache()];
  const picture = await assetOf(randomBytes(5000));
  const url = `data:;base64,${'A'.repeat(9000)}`;
  const first = ledger.pack(
    jobOf(
      new Map([
        ['a.png', picture],
        [url, picture],
      ]),
    ),
  );
  t.equal(first.added.size, 1);
  const other = await assetOf(randomBytes(7));
  const second = ledger.pack(
    jobOf(
      new Map([
        [url, picture],
        ['b.png', other],
      ]),
    ),
  );
  t.same([...second.added.values()], ['file' in other && other.file.bytes]);
  t.notMatch(JSON.stringify([first.scene, second.scene]), /AAAA/);
  for (const message of [first, second]) {
    const job = store.unpack(structuredClone(message));
    for (const key of urlsOf(job)) t.ok(job.assets.has(String(key)));
  }
});

t.test('keeps apart URLs that are alike', async (t) => {
  const [one, two] = [await assetOf(randomBytes(9)), await assetOf(randomBytes(9))];
  const failed = { code: 'asset_failed', message: 'answered 404' } as const;
  const urls = ['asset:1', 'asset:0', 'data:,asset:0'];
  const job = jobOf(new Map([one, two, failed].map((asset, i) => [urls[i], asset])));
  const arrived = new AssetCache().unpack(structuredClone(new AssetLedger().pack(job)));
  const found = urlsOf(arrived).map((key) => arrived.assets.get(String(key)));
  t.same(
    found.map((asset) => asset && ('file' in asset ? asset.file.bytes : asset)),
    ['file' in one && one.file.bytes, 'file' in two && two.file.bytes, failed],
  );
});

t.test('both sides hold the same assets, up to the limit, and every job has its own', async (t) => {
  const maxBytes = 10_000;
  const sizes = [1, 100, 3000, 4000, 9000, maxBytes, 2 * maxBytes];
  // the contents don't matter here, and the digest is what the sides agree by
  const pool = sizes.map((size, i): FetchedAsset => ({ file: new AssetFile(new Uint8Array(size)), digest: `${i}` }));
  const jobs = fc.array(fc.uniqueArray(fc.nat(pool.length - 1), { maxLength: 4 }), { maxLength: 12 });
  fc.assert(
    fc.property(jobs, (sequence) => {
      const [ledger, store] = [new AssetLedger(maxBytes), new AssetCache()];
      const held = new Map<string, number>();
      for (const indexes of sequence) {
        const message = ledger.pack(jobOf(new Map(indexes.map((i) => [`${i}.png`, pool[i]]))));
        for (const [digest, bytes] of message.added) {
          if (held.has(digest)) return false;
          held.set(digest, bytes.length);
        }
        for (const digest of message.dropped) held.delete(digest);
        const job = store.unpack(message);
        const arrived = urlsOf(job).map((key) => job.assets.get(String(key)));
        const isWhole = arrived.every((asset, n) => {
          const expected = pool[indexes[n]];
          return (
            asset && 'file' in asset && 'file' in expected && asset.file.bytes.length === expected.file.bytes.length
          );
        });
        const bytes = [...held.values()].reduce((sum, size) => sum + size, 0);
        if (!isWhole || bytes > maxBytes || store.bytes !== bytes) return false;
      }
      return true;
    }),
  );
  t.end();
});

t.test('a process that replaces a killed one gets the assets again, and draws the same', async (t) => {
  const folder = t.testdir();
  makeCheckout(folder);
  const entry = pathToFileURL(join(folder, 'dist/lib/worker.js'));
  const lines: string[] = [];
  const pool = createPool({ workers: 1, spares: 0, entry, report: (line) => lines.push(line) });
  t.teardown(() => pool.close());
  const jpeg = await assetOf(fixture('quadrants-420.jpg'));
  const webp = await assetOf(fixture('quadrants-translucent.webp'));
  const job = jobOf(
    new Map([
      ['a', jpeg],
      ['b', webp],
    ]),
  );
  const { bytes: expected } = await runJob(job, createCaches());
  const { signal } = new AbortController();
  const draw = async () => Buffer.from((await pool.run(job, signal)).bytes).equals(expected);
  t.ok(await draw());
  t.ok(await draw(), 'from what the process holds');
  const [pid] = pool.stats().pids;
  process.kill(pid, 'SIGKILL');
  // a job that meets the end of the process fails, and any later one is drawn
  const drawn = await draw().catch((error: unknown) => error);
  t.ok(drawn === true || drawn instanceof RenderError);
  t.ok(await draw());
  t.not(pool.stats().pids[0], pid);
  t.same(lines, []);
});

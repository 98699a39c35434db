// Measures the embedded store with many template versions: node bench/template-versions.mjs [templates] [versions]
// Run `npm run build` first. 2,000 templates with 20 versions on 2 cores: a table of 15 MiB, opened in 1.1 s; saving a version
// takes 0.2 s, and a charge beside it 20 ms.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '../dist/modules/lib/store/embedded/store.js';

const [templates = 2000, versions = 20] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'platen-bench-'));
const table = join(folder, 'templates.json');
const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** A card with eight layers, three of them hotspots: 3 kB of JSON. */
function draft(name) {
  const layer = (n) => ({
    type: 'text',
    left: 10 * n,
    top: 20 * n,
    width: 500,
    height: 90,
    fontSize: 40,
    text: 'x'.repeat(250),
  });
  const hotspots = ['title', 'author', 'price'].map((key) => ({
    type: 'text',
    key,
    label: `The ${key}`,
    left: 0,
    top: 0,
  }));
  const layers = Array.from({ length: 8 }, (_, n) => layer(n));
  const record = { name, width: 1200, height: 630, background: { type: 'solid', color: '#ffffff' }, layers, hotspots };
  return { record, hotspots: hotspots.map(({ key, label, type }) => ({ key, label, type })), assetIds: [] };
}

/** Writes the table and its records without syncs, which take most of the time; returns the ids of the templates. */
function seed(folder, workspaceId) {
  const createdAt = new Date().toISOString();
  const rows = Array.from({ length: templates }, (_, n) => {
    const list = Array.from({ length: versions }, (_, at) => {
      const { record, ...described } = draft(`template ${n} ${at}`);
      const text = JSON.stringify(record);
      const sha256 = createHash('sha256').update(text).digest('hex');
      mkdirSync(join(folder, 'records', sha256.slice(0, 2)), { recursive: true });
      writeFileSync(join(folder, 'records', sha256.slice(0, 2), `${sha256}.json`), text);
      const { name, width, height } = record;
      return { version: at + 1, sha256, bytes: text.length, name, width, height, ...described, createdAt };
    });
    const publishedVersion = versions;
    return {
      id: `tpl_${n}`,
      workspaceId,
      ordinal: n + 1,
      createdAt,
      updatedAt: createdAt,
      publishedVersion,
      versions: list,
    };
  });
  writeFileSync(table, JSON.stringify({ table: 'templates', version: 2, rows }));
  return rows.map((row) => row.id);
}

async function timed(work) {
  const startedAt = performance.now();
  const result = await work();
  return [performance.now() - startedAt, result];
}

async function median(count, work) {
  const times = [];
  for (let n = 0; n < count; n++) times.push((await timed(() => work(n)))[0]);
  return times.sort((a, b) => a - b)[count >> 1];
}

const memory = () => {
  global.gc?.();
  return process.memoryUsage().rss;
};

try {
  const seeding = await openEmbeddedStore(folder);
  const { id } = await seeding.createWorkspace({ name: 'w', plan: 'paid', credits: 1e6 });
  await seeding.close();
  const ids = seed(folder, id);
  const store = await openEmbeddedStore(folder);
  const charge = async () => store.settle((await store.hold(id, 1)).hold);
  console.log(`${templates} templates with ${versions} versions: table ${mebibytes(statSync(table).size)}`);
  console.log(
    `save a version: ${(await median(15, (n) => store.replaceTemplate({ id: ids[n] }, draft(`again ${n}`), { publish: true }))).toFixed(1)} ms`,
  );
  console.log(`charge: ${(await median(15, charge)).toFixed(1)} ms`);
  console.log(`list 50 templates: ${(await median(15, () => store.listTemplates(id, { limit: 50 }))).toFixed(2)} ms`);
  console.log(
    `read a record from its file: ${(await median(15, (n) => store.findTemplate(id, ids[n], 1))).toFixed(2)} ms`,
  );
  await store.close();
  const before = memory();
  const [openMs, again] = await timed(() => openEmbeddedStore(folder));
  console.log(`open: ${openMs.toFixed(0)} ms; memory after it: ${mebibytes(memory())}, before: ${mebibytes(before)}`);
  await again.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

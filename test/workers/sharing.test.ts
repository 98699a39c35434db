// Whom a render process draws for: with `workspace`, one that has read files of a workspace draws for no other.
import t, { type Test } from 'tap';
import { AssetFile } from '../../lib/assets/asset-file.js';
import { createPool, type PoolOptions } from '../../lib/workers/pool.js';
import { eventually } from '../eventually.js';
import { job } from './job.js';

const entry = new URL('./hostile.mjs', import.meta.url);
const file = new Map([
  ['https://example.com/a.png', { file: new AssetFile(new Uint8Array([0x89, 0x50, 0x4e, 0x47])) }],
]);

async function open(t: Test, sharing: PoolOptions['sharing']) {
  const pool = createPool({ workers: 1, spares: 0, entry, sharing, report: (line) => t.comment(line) });
  t.teardown(() => pool.close());
  await pool.ready();
  /** Renders for the workspace, with its own file or with bundled ones alone; returns the process that did. */
  const render = async (owner: string, hasFile: boolean) => {
    const assets = hasFile ? file : new Map();
    const { bytes } = await pool.run({ ...job('pid'), assets }, new AbortController().signal, { owner });
    return new TextDecoder().decode(bytes.subarray(8));
  };
  return { pool, render };
}

t.test('a process that has read a file of one workspace draws for no other', async (t) => {
  const { render } = await open(t, 'workspace');
  const seen = new Map<string, string>();
  for (let round = 0; round < 4; round++) {
    for (const owner of ['a', 'b', 'c']) {
      for (const hasFile of [true, false]) {
        const process = await render(owner, hasFile);
        t.equal(seen.get(process) ?? owner, owner, `round ${round}: ${owner}`);
        seen.set(process, owner);
      }
    }
  }
});

t.test('a process that has read bundled files alone draws for everyone', async (t) => {
  const { pool, render } = await open(t, 'workspace');
  const first = await render('a', false);
  for (const owner of ['b', 'c', 'a']) t.equal(await render(owner, false), first);
  t.equal(pool.stats().restarts, 0);
  t.equal(await render('b', true), first, 'it is still fresh');
  t.not(await render('c', false), first, 'and is no more');
});

t.test('a fresh process is started ahead of the next workspace', async (t) => {
  const { pool, render } = await open(t, 'workspace');
  const [before] = pool.stats().pids;
  t.equal(await render('a', true), String(before));
  await eventually(() => pool.stats().idle === 2);
  const ahead = pool.stats().pids.filter((pid) => pid !== before);
  t.equal(ahead.length, 1);
  t.equal(await render('b', true), String(ahead[0]), 'it takes the job at once');
});

t.test('with all, one process draws for everyone', async (t) => {
  const { pool, render } = await open(t, 'all');
  const processes = [];
  for (const owner of ['a', 'b', 'a']) processes.push(await render(owner, true));
  t.equal(new Set(processes).size, 1);
  t.equal(pool.stats().restarts, 0);
});

// Measures RENDER_PROCESS_SHARING: `npm run build && node bench/sharing.mjs [ROUNDS]`. 50 workspaces take turns with cards,
// each workspace with a different photograph, two at a time, on a server with two render processes: with `all` and with
// `workspace`, in turns. It prints p50 and p99 of a card.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRawKey, hashKey } from '../dist/modules/lib/store/api-keys.js';
import { openEmbeddedStore } from '../dist/modules/lib/store/embedded/store.js';

const ROUNDS = Number(process.argv[2] ?? 4);
const WORKSPACES = 50;
const CONNECTIONS = 2;
const COMMAND = fileURLToPath(new URL('../dist/bin/render.js', import.meta.url));
const PICTURES = fileURLToPath(new URL('../examples/pictures/', import.meta.url));

const photograph = readdirSync(PICTURES).find((name) => /\.jpe?g$/.test(name));
const bytes = readFileSync(join(PICTURES, photograph)).toString('base64');
const card = (text) => ({
  canvas: { width: 1200, height: 630 },
  layers: [
    { type: 'image', x: 0, y: 0, width: 1200, height: 630, url: `data:image/jpeg;base64,${bytes}` },
    { type: 'text', x: 60, y: 60, width: 1000, height: 300, text, fontSize: 80, color: '#ffffff' },
  ],
});

const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
const store = await openEmbeddedStore(folder);
const keys = [];
for (let i = 0; i < WORKSPACES; i++) {
  const { id: workspaceId } = await store.createWorkspace({ name: `w${i}`, plan: 'paid', credits: 1_000_000 });
  const key = createRawKey();
  await store.createKey({ workspaceId, name: 'k', scopes: ['render:write'], hash: hashKey(key) });
  keys.push(key);
}
await store.close();

async function measure(sharing) {
  const settings = { DATA_DIR: folder, RENDER_WORKERS: '2', RENDER_CACHE_MB: '0', LOG_LEVEL: 'error' };
  const limits = { API_KEY_RATE_LIMIT_PER_MIN: '1000000', RENDER_PROCESS_SHARING: sharing };
  const server = spawn(process.execPath, [COMMAND, 'serve', '--port', '0'], {
    env: { ...process.env, ...settings, ...limits },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const url = await new Promise((resolve) =>
    server.stdout.setEncoding('utf8').on('data', (text) => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (found) resolve(found);
    }),
  );
  const times = [];
  let next = 0;
  const send = async () => {
    while (next < ROUNDS * WORKSPACES) {
      const turn = next++;
      const started = performance.now();
      const answer = await fetch(`${url}/v1/render`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${keys[turn % WORKSPACES]}` },
        body: JSON.stringify(card(`Card ${turn}`)),
      });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`received ${answer.status}, expected 200`);
      times.push(performance.now() - started);
    }
  };
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, send));
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
  return times;
}

const times = { all: [], workspace: [] };
for (const sharing of ['all', 'workspace', 'all', 'workspace']) times[sharing].push(...(await measure(sharing)));
const quantile = (values, part) => values.sort((a, b) => a - b)[Math.floor(values.length * part)].toFixed(0);
for (const [sharing, values] of Object.entries(times)) {
  console.log(
    `${sharing}: p50 ${quantile(values, 0.5)} ms, p99 ${quantile(values, 0.99)} ms of ${values.length} cards`,
  );
}
await rm(folder, { recursive: true, force: true });

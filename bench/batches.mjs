// Measures a batch: `npm run build && node bench/batches.mjs [ROWS]`. It starts a server, and prints how much memory its
// processes take beyond their idle size while a batch of ROWS (default 1,000) is drawn, and how long single renders take alone
// and beside it. The rows are one template with different texts; each single render is a different payload.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '../dist/lib/client.js';

const rows = Number(process.argv[2] ?? 1000);
const SCRIPT = fileURLToPath(import.meta.url);
const run = promisify(execFile);

if (process.argv.length > 3) {
  const [baseUrl, apiKey, templateId] = process.argv.slice(3);
  await takeIn(createClient({ baseUrl, apiKey }), templateId);
  process.exit();
}

const SINGLES = 300;
const COMMAND = fileURLToPath(new URL('../dist/bin/render.js', import.meta.url));
const STARTER = new URL('../data/templates/og-card.json', import.meta.url);

const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
const env = { ...process.env, DATA_DIR: folder, API_KEY_RATE_LIMIT_PER_MIN: '1000000', LOG_LEVEL: 'error' };
const render = (...words) => execFileSync(process.execPath, [COMMAND, ...words], { env, encoding: 'utf8' });
const idIn = (text, pattern) => pattern.exec(text)[0];

const workspace = idIn(
  render('workspaces', 'create', '--name', 'bench', '--plan', 'paid', '--credits', '1000000'),
  /ws_\w+/,
);
const scopes = 'render:write,batch:write';
const apiKey = idIn(
  render('keys', 'create', '--workspace', workspace, '--name', 'k', '--scopes', scopes),
  /svc_live_\w{40,}/,
);
const templateId = idIn(render('templates', 'import', fileURLToPath(STARTER), '--workspace', workspace), /tpl_\w+/);

const server = spawn(process.execPath, [COMMAND, 'serve', '--port', '0'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const baseUrl = await new Promise((resolve) =>
    server.stdout.setEncoding('utf8').on('data', (text) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (url) resolve(url);
    }),
  );
  const client = createClient({ baseUrl, apiKey });

  const single = async (text) => {
    const layer = { type: 'text', text, x: 20, y: 20, width: 560, height: 275, fontSize: 60, color: '#ffffff' };
    const started = performance.now();
    await client.render({ canvas: { width: 600, height: 315, backgroundColor: '#14213d' }, layers: [layer] });
    return performance.now() - started;
  };
  const singles = async (name, isRunning) => {
    const times = [];
    for (let n = 0; n < SINGLES && isRunning(); n++) times.push(await single(`${name} ${n}`));
    times.sort((a, b) => a - b);
    const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
    console.log(
      `single renders ${name}: p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, ${times.length} of them`,
    );
    return at(0.99);
  };

  await singles('to warm up', () => true);
  const alone = await singles('alone', () => true);
  const idle = memoryOf(server.pid);
  let most = idle;
  const timer = setInterval(() => (most = Math.max(most, memoryOf(server.pid))), 50);

  let isDone = false;
  const started = performance.now();
  // in a separate process: taking in the pictures would delay the clock of the single renders
  const batch = run(process.execPath, [SCRIPT, String(rows), baseUrl, apiKey, templateId]).finally(() => {
    isDone = true;
  });
  const beside = await singles('beside the batch', () => !isDone);
  const succeeded = (await batch).stdout.trim();
  clearInterval(timer);
  const seconds = (performance.now() - started) / 1000;
  console.log(`${succeeded} of ${rows} rows in ${seconds.toFixed(1)} s`);
  console.log(`p99 beside the batch is ${(beside / alone).toFixed(2)} × alone`);
  console.log(`memory: ${megabytes(idle)} idle, ${megabytes(most - idle)} more at most`);
} finally {
  server.kill();
  await new Promise((resolve) => server.on('exit', resolve));
  await rm(folder, { recursive: true });
}

/** Has the batch drawn, and prints how many of its rows succeeded. */
async function takeIn(client, templateId) {
  const given = Array.from({ length: rows }, (_, n) => ({ variables: { title: `Row ${n}: a title of its own` } }));
  let succeeded = 0;
  for await (const row of client.batch({ templateId, rows: given })) if (row.success) succeeded++;
  console.log(succeeded);
}

function megabytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}

/** Bytes in memory of a process and of all that it started (Linux). */
function memoryOf(pid) {
  const parents = new Map();
  const sizes = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      parents.set(Number(name), Number(/^PPid:\s*(\d+)/m.exec(status)[1]));
      sizes.set(Number(name), 1024 * Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0));
    } catch {
      // it ended meanwhile
    }
  }
  const isOurs = (each) => each === pid || (parents.has(each) && isOurs(parents.get(each)));
  return [...sizes].reduce((sum, [each, size]) => (isOurs(each) ? sum + size : sum), 0);
}

// A render process that was taken over: what it sends ends it and not its parent, and behind walls it reaches nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import type { Canvas } from '../../lib/contract/layers/canvas.js';
import { createPool, type PoolOptions } from '../../lib/workers/pool.js';
import { createLauncher } from '../../lib/workers/sandbox/launch.js';
import { selectSandbox } from '../../lib/workers/sandbox/select.js';
import type { LocalWalls } from '../../lib/workers/sandbox/walls.js';
import { eventually } from '../eventually.js';
import { job } from './job.js';

const entry = new URL('./hostile.mjs', import.meta.url);

function open(t: Test, options: Partial<PoolOptions> = {}) {
  const lines: string[] = [];
  const pool = createPool({ workers: 1, spares: 0, entry, report: (line) => lines.push(line), ...options });
  t.teardown(() => pool.close());
  const run = async (script: string, canvas: Partial<Canvas> = {}) => {
    const { bytes, ...rest } = await pool.run(job(script, canvas), new AbortController().signal);
    return { text: new TextDecoder().decode(bytes.subarray(8)), ...rest };
  };
  return { pool, lines, run };
}

const MESSAGES = [
  ...[
    'null',
    'stage',
    'stage-name',
    'stage-long',
    'stage-limit',
    'no-time',
    'time-back',
    'text',
    'list',
    'number',
    'not-json',
    'kind',
    'no-result',
    'null-result',
    'no-failure',
    'code',
    'details',
  ],
  ...['extra-field', 'infinite', 'warnings', 'proto', 'svg', 'html', 'jpeg', 'empty', 'long-head', 'long-body'],
  'size-of-own',
  ...['no-head', 'ready-again', 'noise'],
];

t.test('a message that no worker sends fails its job and ends its process alone', async (t) => {
  const { pool, lines, run } = open(t);
  const before = process.memoryUsage.rss();
  for (const message of MESSAGES) {
    const expected = { code: 'render_failed', message: 'the render process sent an invalid answer' };
    await t.rejects(run(`send ${message}`), expected, message);
    t.match(lines.join('\n'), /its message is invalid/);
    t.match(await run('draw'), { text: 'drawn', format: 'png', width: 2, height: 2 }, `after ${message}`);
  }
  t.equal(pool.stats().restarts, MESSAGES.length);
  t.ok(process.memoryUsage.rss() - before < 2 ** 28, 'a length allocates nothing');
  t.equal((await run('send twice')).text, 'one');
  t.equal((await run('draw')).text, 'drawn', 'an answer without a job reaches no other job');
  await eventually(() => pool.stats().restarts === MESSAGES.length + 1);
});

t.test('a process may make a picture smaller along an automatic side alone, and never larger', async (t) => {
  const { run } = open(t);
  const canvas = { autoHeight: true };
  t.match(await run('send size-low', canvas), { text: 'sized', width: 2, height: 1 });
  for (const message of ['size-none', 'size-zero', 'size-part', 'size-tall', 'size-narrow']) {
    const expected = { code: 'render_failed', message: 'the render process sent an invalid answer' };
    await t.rejects(run(`send ${message}`, canvas), expected, message);
  }
});

const kind = process.getuid?.() === 0 ? 'root' : 'user';

/** Why this system has no namespaces; false if it has. */
async function lackOfNamespaces(): Promise<string | false> {
  const { walls, first, reasons } = await selectSandbox('auto', { entry }, { report: () => {} });
  first?.kill();
  await first?.ended;
  return walls.includes('namespaces') ? false : reasons.join('; ');
}

const skip = await lackOfNamespaces();

async function listen(server: Server, address: string | number): Promise<void> {
  await new Promise<void>((resolve) => server.listen(address, resolve));
}

for (const permissions of [false, true]) {
  const walls: LocalWalls = { namespaces: kind, permissions };
  t.test(`behind namespaces${permissions ? ' and permissions' : ''} it reaches nothing`, { skip }, async (t) => {
    // a short path: the address of a socket has at most 107 bytes
    const folder = mkdtempSync(join(tmpdir(), 'platen-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const secret = join(folder, 'data.json');
    writeFileSync(secret, 'the data');
    const admin = createServer();
    const port = createServer();
    t.teardown(() => void [admin.close(), port.close()]);
    await listen(admin, join(folder, 'control.sock'));
    await listen(port, 0);
    const { port: number } = port.address() as { port: number };
    const { pool, run } = open(t, { launch: await createLauncher({ entry }, walls) });
    for (const attempt of [
      `read ${secret}`,
      `read /proc/${process.pid}/environ`,
      'read /etc/passwd',
      `list ${folder}`,
      `list ${dirname(fileURLToPath(entry))}/../../lib`,
      `write ${secret}`,
      'write /mine',
      `write ${fileURLToPath(entry)}`,
      `socket ${join(folder, 'control.sock')}`,
      `tcp ${number}`,
      'start /bin/sh',
      'start /usr/bin/id',
      `signal ${process.pid}`,
      `signal ${process.ppid}`,
    ]) {
      t.match((await run(attempt)).text, /^refused: E/, attempt);
    }
    // the permission model hides the folder itself
    t.match((await run('list /.old')).text, permissions ? /^refused/ : /^$/, 'the old root is gone');
    t.equal((await run('draw')).text, 'drawn');
    const [pid] = pool.stats().pids;
    t.not(pid, 1, 'its id is that which its parent sees');
    if (permissions) return;
    const { text } = await run('status');
    for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb']) t.match(text, `Cap${set}:\t0000000000000000`);
    t.match(text, /NoNewPrivs:\t1/);
  });
}

t.test('with permissions alone it reads nothing and starts nothing', async (t) => {
  const secret = join(t.testdir({ data: 'the data' }), 'data');
  const { run } = open(t, { launch: await createLauncher({ entry }, { permissions: true }) });
  for (const attempt of [`read ${secret}`, `write ${secret}`, 'start /bin/sh']) {
    t.match((await run(attempt)).text, /^refused: ERR_ACCESS_DENIED/, attempt);
  }
});

t.test('off has no walls, and require refuses to start without namespaces', async (t) => {
  const off = await selectSandbox('off', { entry }, { report: () => {} });
  t.same(off.walls, []);
  off.first?.kill();
  const nowhere = pathToFileURL(join(t.testdir({ 'bad.mjs': 'process.exit(3)' }), 'bad.mjs'));
  await t.rejects(selectSandbox('require', { entry: nowhere }, { report: () => {} }), {
    name: 'SandboxError',
    message: /^RENDER_SANDBOX=require: /,
  });
});

const nobody = 65_534;

t.test(
  'all of it holds for a server that is not root',
  { skip: kind === 'user' && 'it is not root here' },
  async (t) => {
    const home = mkdtempSync(join(tmpdir(), 'platen-'));
    t.teardown(() => rmSync(home, { recursive: true, force: true }));
    chownSync(home, nobody, nobody);
    const child = spawn(process.execPath, [...process.execArgv, process.argv[1]], {
      cwd: home,
      env: { PATH: process.env.PATH, TMPDIR: home, TAP: '1' },
      uid: nobody,
      gid: nobody,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    const [code] = await once(child, 'close');
    t.equal(code, 0, output);
    t.match(output, /^ *ok \d+ - behind namespaces it reaches nothing/m);
  },
);

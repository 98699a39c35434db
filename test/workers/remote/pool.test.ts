// A separate pool: its processes render as the server's own do, end with their connections, and both sides may restart.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createPool } from '../../../lib/workers/pool.js';
import { remoteLauncher } from '../../../lib/workers/remote/connect.js';
import { encodeMessage, encodeOpening } from '../../../lib/workers/remote/messages.js';
import { type PoolServerOptions, servePool } from '../../../lib/workers/remote/serve.js';
import { plainLauncher } from '../../../lib/workers/sandbox/launch.js';
import { eventually } from '../../eventually.js';
import { job } from '../job.js';

const entry = new URL('../hostile.mjs', import.meta.url);

function socketPath(t: Test): string {
  // a short path: the address of a socket has at most 107 bytes
  const folder = mkdtempSync(join(tmpdir(), 'platen-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'pool.sock');
}

async function openUnit(t: Test, path: string, options: Partial<PoolServerOptions> = {}) {
  const lines: string[] = [];
  const launch = plainLauncher({ entry });
  const unit = await servePool({ path, launch, maxProcesses: 8, report: (line) => lines.push(line), ...options });
  t.teardown(() => unit.close());
  return { unit, lines };
}

function openPool(t: Test, path: string, workers = 1) {
  const lines: string[] = [];
  const report = (line: string) => void lines.push(line);
  const pool = createPool({ workers, spares: 0, report, launch: remoteLauncher({ path, report }) });
  t.teardown(() => pool.close());
  const run = async (script: string) => {
    const { bytes } = await pool.run(job(script), new AbortController().signal);
    return new TextDecoder().decode(bytes.subarray(8));
  };
  return { pool, lines, run };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

t.test('renders in the pool, says what its process has used, and ends it with the connection', async (t) => {
  const path = socketPath(t);
  const { unit } = await openUnit(t, path);
  const { pool, run } = openPool(t, path);
  t.equal(statSync(path).mode & 0o777, 0o660, 'only its user and its group may connect');
  t.equal(await run('draw'), 'drawn');
  t.equal(unit.processes, 1);
  const [{ pid, usage }] = pool.stats().processes;
  t.ok(isAlive(pid), 'the id is that of the process');
  t.same(pool.stats().pids, [pid]);
  if (process.platform === 'linux') t.ok(usage && usage.residentBytes > 10e6 && usage.cpuMs > 0);
  await run('burn 1000');
  const [{ usage: later }] = pool.stats().processes;
  t.ok(
    later && usage && later.cpuMs - usage.cpuMs >= 200 && later.cpuMs >= 900,
    `${later?.cpuMs} ms after ${usage?.cpuMs}`,
  );
  await pool.close();
  await eventually(() => unit.processes === 0);
  await eventually(() => !isAlive(pid));
});

t.test('a process that is too busy to read ends with its connection too', async (t) => {
  const path = socketPath(t);
  const { unit } = await openUnit(t, path);
  const { pool } = openPool(t, path);
  await pool.ready();
  const aborting = new AbortController();
  const busy = pool.run(job('burn 600000'), aborting.signal);
  await eventually(() => (pool.stats().processes[0]?.usage?.cpuMs ?? 0) > 300);
  const [{ pid }] = pool.stats().processes;
  t.ok(isAlive(pid));
  const closed = pool.close();
  await t.rejects(busy, { code: 'overloaded' });
  await closed;
  await eventually(() => unit.processes === 0 && !isAlive(pid));
});

t.test('a server waits for its pool, and goes on after the pool has restarted', async (t) => {
  const path = socketPath(t);
  const { lines, run } = openPool(t, path);
  const first = run('draw');
  await eventually(() => lines.length > 0);
  t.match(lines, [new RegExp(`^the render pool at ${path} is out of reach: .*ENOENT`)]);
  const { unit } = await openUnit(t, path);
  t.equal(await first, 'drawn', 'the job has waited');
  t.match(lines[1], /is reached again$/);
  await unit.close();
  await eventually(() => lines.length > 2);
  await openUnit(t, path);
  t.equal(await run('draw'), 'drawn');
  t.equal(lines.filter((line) => /out of reach/.test(line)).length, 2, 'each outage is reported once');
});

t.test('a process that is killed in the pool fails its job with the reason', async (t) => {
  const path = socketPath(t);
  await openUnit(t, path);
  const { pool, run } = openPool(t, path);
  await run('draw');
  const [{ pid }] = pool.stats().processes;
  const busy = run('burn 600000');
  await eventually(() => (pool.stats().processes[0]?.usage?.cpuMs ?? 0) > 300);
  process.kill(pid, 'SIGKILL');
  await t.rejects(busy, { code: 'render_failed', message: 'the render process ended on this payload (SIGKILL)' });
  t.equal(await run('draw'), 'drawn');
});

/** Sends what no server sends, and returns the answer. */
function raw(path: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(path, () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

t.test('starts nothing for what no server says, and no more processes than it may', async (t) => {
  const path = socketPath(t);
  const { unit } = await openUnit(t, path, { maxProcesses: 2 });
  for (const opening of ['{}\n', 'null\n', 'x\n', '{"version":2,"isNice":true}\n', '{"version":1,"isNice":1}\n']) {
    t.match(await raw(path, opening), /"the pool runs another version of the program"/, opening);
  }
  t.equal(await raw(path, 'x'.repeat(2000)), '', 'a line without an end');
  t.equal(unit.processes, 0);
  const { pool } = openPool(t, path, 2);
  await pool.run(job('draw'), new AbortController().signal);
  await eventually(() => unit.processes === 2);
  t.match(await raw(path, encodeOpening({ isNice: true })), /"the pool has no room for another process"/);
  t.equal(unit.processes, 2);
});

t.test('replaces the socket of a pool that has ended, and nothing else', async (t) => {
  const path = socketPath(t);
  writeFileSync(path, 'a file');
  await t.rejects(openUnit(t, path), { message: 'there is a file that is no socket' });
  rmSync(path);
  await openUnit(t, path);
  await t.rejects(openUnit(t, path), { message: 'another pool listens there' });
  await t.rejects(openUnit(t, `/tmp/${'x'.repeat(100)}`), { message: /at most 103 bytes/ });
});

const frame = (head: string | Buffer, body = '') => {
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32LE(head.length, 0);
  prefix.writeUInt32LE(body.length, 4);
  return Buffer.concat([prefix, Buffer.from(head), Buffer.from(body)]);
};

const FORGERIES: Readonly<Record<string, Buffer>> = {
  'no JSON': frame('{'),
  null: frame('null'),
  'another kind': frame('{"kind":"constructor"}'),
  'another field': frame('{"kind":"output","path":"/"}'),
  'no number': frame('{"kind":"usage","pid":"1","cpuMs":0,"residentBytes":0}'),
  'a negative number': frame('{"kind":"usage","pid":1,"cpuMs":-1,"residentBytes":0}'),
  'an infinite number': frame('{"kind":"usage","pid":1,"cpuMs":1e999,"residentBytes":0}'),
  'a reason in its own words': frame('{"kind":"ended","reason":"<script>"}'),
  'a long head': frame(' '.repeat(257)),
  'a long body': Buffer.from([2, 0, 0, 0, 0, 0, 0, 0x80, 0x7b, 0x7d]),
};

t.test('a pool that was taken over fails its own processes alone', async (t) => {
  const path = socketPath(t);
  let forged: Buffer = Buffer.alloc(0);
  const sockets = new Set<Socket>();
  const impostor = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => socket.write(forged));
  });
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    impostor.close();
  });
  await new Promise<void>((resolve) => impostor.listen(path, resolve));
  for (const [name, bytes] of Object.entries(FORGERIES)) {
    forged = bytes;
    const lines: string[] = [];
    const report = (line: string) => void lines.push(line);
    const pool = createPool({
      workers: 1,
      spares: 0,
      isLazy: true,
      maxFailedStarts: 1,
      report,
      launch: remoteLauncher({ path, report }),
    });
    await t.rejects(
      pool.run(job('draw'), new AbortController().signal),
      { code: 'render_failed', message: /: an invalid message of the pool$/ },
      name,
    );
    t.match(lines, [/sent what no pool sends/], name);
    await pool.close();
  }
  // what the process itself would say is checked as before
  forged = frame(encodeMessage({ kind: 'output' }), frame('{"kind":"begun"}').toString('latin1'));
  const { lines } = openPool(t, path);
  await eventually(() => lines.some((line) => /its message is invalid/.test(line)));
});

// The built server with a built separate pool, as two programs and, where the tests run as root, as two users.
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { makeCheckout } from '../checkout.js';
import { eventually } from '../eventually.js';
import { makeData, post, startProgram } from './program.js';

const isRoot = process.getuid?.() === 0;
const POOL_USER = 65_532;
const GROUP = 65_531;

const folder = mkdtempSync(join(tmpdir(), 'platen-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
makeCheckout(folder);
chmodSync(folder, 0o755);

const card = (text: string) => ({
  canvas: { width: 300, height: 100 },
  layers: [{ type: 'text', x: 10, y: 10, width: 280, height: 80, text, fontSize: 30 }],
});

t.test('RENDER_SANDBOX=require starts with a pool, which may restart, and ends its processes', async (t) => {
  const sockets = mkdtempSync(join(tmpdir(), 'platen-'));
  t.teardown(() => rmSync(sockets, { recursive: true, force: true }));
  const path = join(sockets, 'pool.sock');
  if (isRoot) {
    chownSync(sockets, POOL_USER, GROUP);
    chmodSync(sockets, 0o750);
  }
  const user = isRoot ? { uid: POOL_USER, gid: GROUP } : {};
  const startPool = () => startProgram(t, folder, ['pool', '--listen', path], user);
  const data = join(folder, 'data');
  const key = await makeData(data);
  const environment = { RENDER_POOL: path, RENDER_SANDBOX: 'require', RENDER_WORKERS: '1', RENDER_CACHE_MB: '0' };
  // the server comes first: it waits for its pool
  const server = await startProgram(t, folder, ['serve', '--port', '0', '--data', data], { environment });
  const url = server.address ?? '';
  t.match(url, /^http/, server.errors());
  t.equal((await fetch(`${url}/readyz`)).status, 503);
  await eventually(() => /is out of reach/.test(server.errors()));
  const pool = await startPool();
  t.equal(pool.address, path, pool.errors());
  await eventually(async () => (await fetch(`${url}/readyz`)).status === 200);
  t.match(await (await fetch(`${url}/readyz`)).json(), { status: 'ok', walls: ['pool'] });
  const first = await post(url, key, card('pool'));
  t.equal(first.status, 200, server.errors());
  const bytes = Buffer.from(await first.arrayBuffer());
  pool.kill('SIGTERM');
  t.equal(await pool.ended, 0);
  const again = await startPool();
  await eventually(async () => (await fetch(`${url}/readyz`)).status === 200);
  const second = await post(url, key, card('pool'));
  t.equal(second.status, 200);
  t.ok(Buffer.from(await second.arrayBuffer()).equals(bytes), 'the same picture');
  server.kill('SIGTERM');
  t.equal(await server.ended, 0, server.errors());
  again.kill('SIGINT');
  t.equal(await again.ended, 0, again.errors());
});

t.test('another group may not connect', { skip: !isRoot && 'only root can become other users' }, async (t) => {
  const sockets = mkdtempSync(join(tmpdir(), 'platen-'));
  t.teardown(() => rmSync(sockets, { recursive: true, force: true }));
  chownSync(sockets, POOL_USER, GROUP);
  // the folder itself lets everyone pass
  chmodSync(sockets, 0o755);
  const path = join(sockets, 'pool.sock');
  const pool = await startProgram(t, folder, ['pool', '--listen', path], { uid: POOL_USER, gid: GROUP });
  t.equal(pool.address, path, pool.errors());
  const environment = { RENDER_POOL: path };
  for (const [gid, reached] of [
    [65_530, false],
    [GROUP, true],
  ] as const) {
    const own = mkdtempSync(join(tmpdir(), 'platen-'));
    t.teardown(() => rmSync(own, { recursive: true, force: true }));
    chownSync(own, 65_530, gid);
    const words = ['serve', '--port', '0', '--data', join(own, 'data')];
    const server = await startProgram(t, folder, words, { environment, uid: 65_530, gid });
    t.ok(server.address, server.errors());
    if (reached) await eventually(async () => (await fetch(`${server.address}/readyz`)).status === 200);
    else await eventually(() => /is out of reach: connect EACCES/.test(server.errors()));
    server.kill('SIGKILL');
    await server.ended;
  }
});

t.test('says in one line what is wrong with its options', async (t) => {
  for (const [words, expected] of [
    [[], /^error: --listen: expected the path of a socket/],
    [
      ['--listen', join(folder, 'package.json')],
      /^error: --listen: can't listen at .*: there is a file that is no socket/,
    ],
    [
      ['--listen', '/x', '--processes', '0'],
      /^error: --processes: received "0", expected a whole number from 1 to 4096/,
    ],
  ] as const) {
    const pool = await startProgram(t, folder, ['pool', ...words]);
    t.equal(await pool.ended, 2);
    t.match(pool.errors().split('\n').at(-2), expected);
  }
  const environment = { RENDER_POOL: '/x', RENDER_WORKERS: '0' };
  const server = await startProgram(t, folder, ['serve', '--data', join(folder, 'none')], { environment });
  t.equal(await server.ended, 2);
  t.match(server.errors(), /^error: RENDER_POOL: RENDER_WORKERS is 0/m);
});

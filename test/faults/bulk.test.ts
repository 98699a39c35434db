// Huge payloads, and more connections than file descriptors: the server rejects them in time, charges nothing without an image,
// and works normally afterwards.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { eventually } from '../eventually.js';
import { start } from './started.js';

const canvas = { width: 24, height: 16 };
const box = { x: 0, y: 0, width: 24, height: 16 };
const fullCanvas = { x: 0, y: 0, width: 8192, height: 8192 };
const MEBIBYTE = 2 ** 20;

/** Resident memory of a process in bytes. */
const residentOf = (pid: number) =>
  1024 * Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

// fault: 4, 64, 70
t.test('handles a million keys, long strings, deep nesting and many layers', async (t) => {
  const keysOf = (length: number) => Array.from({ length }, (_, i) => `"${i}":0`).join();
  const [fewKeys, manyKeys] = [keysOf(90_000), keysOf(700_000)];
  const shadow = { color: 'red', blur: 5000, offsetX: 9, offsetY: 9 };
  const heavy = { type: 'shape', shapeType: 'circle', ...fullCanvas, opacity: 0.5, rotation: 33, shadow };
  const rows: [string, unknown, readonly number[]][] = [
    ['keys of the body', `{"canvas":{"width":9,"height":9},"layers":[],${fewKeys}}`, [200]],
    ['keys of metadata', `{"canvas":{"width":9,"height":9},"layers":[],"metadata":{${fewKeys}}}`, [400]],
    ['keys of a layer', `{"canvas":{"width":9,"height":9},"layers":[{"type":"text",${fewKeys}}]}`, [500]],
    ['variables', `{"templateId":"none","variables":{${fewKeys}}}`, [404]],
    ['too many keys', `{"templateId":"none","variables":{${manyKeys}}}`, [400]],
    ['three million lists', `{"templateId":"none","variables":{"a":[${'[],'.repeat(3e6)}0]}}`, [400]],
    ['nine million levels', '['.repeat(9e6), [400]],
    ['too many bytes', `{"metadata":{${manyKeys},${manyKeys}}}`, [413]],
    ['a string of 50 MB', { canvas, layers: [], metadata: { a: 'x'.repeat(50 * MEBIBYTE) } }, [413]],
    ['a string of 9 MB', { canvas, layers: [], id: 'x'.repeat(9 * MEBIBYTE) }, [200]],
    ['100,000 layers', { canvas, layers: Array.from({ length: 100_000 }, () => ({ type: 'text' })) }, [400]],
    [
      '500 invalid layers',
      { canvas, layers: Array.from({ length: 500 }, () => ({ type: 'text', opacity: 'x' })) },
      [500],
    ],
    ['a text of a million characters with autoFit', { canvas, layers: [fitted('a b '.repeat(250_000))] }, [200, 504]],
    [
      'a million line breaks with maxLines 1e9',
      { canvas, layers: [{ ...fitted('\n'.repeat(1e6)), maxLines: 1e9 }] },
      [200, 500, 504],
    ],
    ['a text one character too long', { canvas, layers: [fitted('a'.repeat(1e6 + 1))] }, [500]],
    [
      '500 layers of 8192 × 8192',
      { canvas: { width: 8192, height: 8192 }, layers: Array(500).fill(heavy) },
      [503, 504],
    ],
  ];
  // Only rows that may time out get a short timeout; their control render is repeated until the machine has time for it.
  for (const mayTimeOut of [false, true]) {
    const timeout = mayTimeOut ? '2000' : '600000';
    const server = await start(t, { settings: { RENDER_TIMEOUT_MS: timeout, RENDER_MEMORY_MB: '700' } });
    let control = '';
    await eventually(async () => {
      control = await server.control();
      return control.startsWith('200 ');
    });
    const before = residentOf(server.child.pid as number);
    for (const [name, body, allowed] of rows.filter((row) => row[2].includes(504) === mayTimeOut)) {
      const { status, text } = await server.post(body);
      t.ok(allowed.includes(status), `${name}: ${status} ${status === 200 ? '' : text.slice(0, 200)}`);
      t.ok(text.length < 2 * MEBIBYTE, `${name}: a response of ${text.length} bytes`);
      let after = '';
      await eventually(async () => {
        after = await server.control();
        return !after.startsWith('504 ');
      });
      t.equal(after, control, `${name}: the control after it`);
    }
    const growth = (residentOf(server.child.pid as number) - before) / MEBIBYTE;
    t.ok(growth < 400, `the server grew by ${growth.toFixed(0)} MiB`);
    const { charged, answered } = await server.end();
    t.equal(charged, answered);
  }
});

function fitted(text: string) {
  return { type: 'text', ...box, text, autoFit: true, fontSize: 1000, minFontSize: 1 };
}

// fault: 80
t.test('survives more connections than file descriptors', { skip: process.platform !== 'linux' }, async (t) => {
  const server = await start(t, { descriptors: 160 });
  const control = await server.control();
  const port = Number(new URL(server.url).port);
  const sockets = Array.from({ length: 500 }, (): Socket => connect({ port, host: '127.0.0.1' }).on('error', () => {}));
  await Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))),
  );
  for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  // Some connections may be rejected, but they must not block responses to the others or to later clients.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  for (const socket of sockets) socket.destroy();
  t.equal(server.child.exitCode, null);
  t.equal(await server.control(), control);
  const { charged, answered, exitCode } = await server.end();
  t.equal(charged, answered);
  t.equal(exitCode, 0);
});

// Payloads of great bulk and little sense, and more connections than the server may have descriptors: refused or cut off in
// time, nothing charged without a picture, and afterwards all is as before.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { eventually } from '../eventually.js';
import { start } from './started.js';

const canvas = { width: 24, height: 16 };
const box = { x: 0, y: 0, width: 24, height: 16 };
const whole = { x: 0, y: 0, width: 8192, height: 8192 };
const MEBIBYTE = 2 ** 20;

/** Resident memory of a process, in bytes. */
const residentOf = (pid: number) =>
  1024 * Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

// fault: 4, 64, 70
t.test('a million keys, one long string, layers without number, layers without end', async (t) => {
  const keysOf = (length: number) => Array.from({ length }, (_, i) => `"${i}":0`).join();
  const [some, keys] = [keysOf(90_000), keysOf(700_000)];
  const shadow = { color: 'red', blur: 5000, offsetX: 9, offsetY: 9 };
  const heavy = { type: 'shape', shapeType: 'circle', ...whole, opacity: 0.5, rotation: 33, shadow };
  const rows: [string, unknown, readonly number[]][] = [
    ['keys of the body', `{"canvas":{"width":9,"height":9},"layers":[],${some}}`, [200]],
    ['keys of metadata', `{"canvas":{"width":9,"height":9},"layers":[],"metadata":{${some}}}`, [400]],
    ['keys of a layer', `{"canvas":{"width":9,"height":9},"layers":[{"type":"text",${some}}]}`, [500]],
    ['variables', `{"templateId":"none","variables":{${some}}}`, [404]],
    ['more keys than there may be', `{"templateId":"none","variables":{${keys}}}`, [400]],
    ['lists without number', `{"templateId":"none","variables":{"a":[${'[],'.repeat(3e6)}0]}}`, [400]],
    ['levels without end', '['.repeat(9e6), [400]],
    ['more bytes than there may be', `{"metadata":{${keys},${keys}}}`, [413]],
    ['a string of 50 MB', { canvas, layers: [], metadata: { a: 'x'.repeat(50 * MEBIBYTE) } }, [413]],
    ['a string of 9 MB', { canvas, layers: [], id: 'x'.repeat(9 * MEBIBYTE) }, [200]],
    ['100,000 layers', { canvas, layers: Array.from({ length: 100_000 }, () => ({ type: 'text' })) }, [400]],
    ['500 bad layers', { canvas, layers: Array.from({ length: 500 }, () => ({ type: 'text', opacity: 'x' })) }, [500]],
    ['a text of a million characters, to be fitted', { canvas, layers: [fitted('a b '.repeat(250_000))] }, [200, 504]],
    [
      'a million line ends, a thousand million lines',
      { canvas, layers: [{ ...fitted('\n'.repeat(1e6)), maxLines: 1e9 }] },
      [200, 500, 504],
    ],
    ['one character too many', { canvas, layers: [fitted('a'.repeat(1e6 + 1))] }, [500]],
    [
      '500 layers of 8192 × 8192',
      { canvas: { width: 8192, height: 8192 }, layers: Array(500).fill(heavy) },
      [503, 504],
    ],
  ];
  // Only what may be late gets little time; the control after it is asked for until the machine has time for it.
  for (const mayBeLate of [false, true]) {
    const timeout = mayBeLate ? '2000' : '600000';
    const server = await start(t, { settings: { RENDER_TIMEOUT_MS: timeout, RENDER_MEMORY_MB: '700' } });
    let control = '';
    await eventually(async () => {
      control = await server.control();
      return control.startsWith('200 ');
    });
    const before = residentOf(server.child.pid as number);
    for (const [name, body, allowed] of rows.filter((row) => row[2].includes(504) === mayBeLate)) {
      const { status, text } = await server.post(body);
      t.ok(allowed.includes(status), `${name}: ${status} ${status === 200 ? '' : text.slice(0, 200)}`);
      t.ok(text.length < 2 * MEBIBYTE, `${name}: an answer of ${text.length} bytes`);
      let after = '';
      await eventually(async () => {
        after = await server.control();
        return !after.startsWith('504 ');
      });
      t.equal(after, control, `${name}: the control after it`);
    }
    const grown = (residentOf(server.child.pid as number) - before) / MEBIBYTE;
    t.ok(grown < 400, `the server grew by ${grown.toFixed(0)} MiB`);
    const { charged, answered } = await server.end();
    t.equal(charged, answered);
  }
});

function fitted(text: string) {
  return { type: 'text', ...box, text, autoFit: true, fontSize: 1000, minFontSize: 1 };
}

// fault: 80
t.test(
  'more connections than there are descriptors: the server outlives them',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const server = await start(t, { descriptors: 160 });
    const control = await server.control();
    const port = Number(new URL(server.url).port);
    const sockets = Array.from(
      { length: 500 },
      (): Socket => connect({ port, host: '127.0.0.1' }).on('error', () => {}),
    );
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))),
    );
    for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    // whichever of them are refused, none of them may keep the others, or who comes after, from an answer
    await new Promise((resolve) => setTimeout(resolve, 1000));
    for (const socket of sockets) socket.destroy();
    t.equal(server.child.exitCode, null);
    t.equal(await server.control(), control);
    const { charged, answered, exitCode } = await server.end();
    t.equal(charged, answered);
    t.equal(exitCode, 0);
  },
);

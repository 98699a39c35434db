// A termination signal ends any command with the exit code that shells expect, and leaves no files behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { makeCheckout } from '../checkout.js';

const checkout = t.testdir();
makeCheckout(checkout);

function start(directory: string, ...argv: string[]): ChildProcess {
  return spawn(process.execPath, argv, { cwd: directory, stdio: 'pipe' });
}

const onRequest: (() => void)[] = [];
// Never responds, so that clients wait.
const hangingServer = createServer(() => onRequest.shift()?.());
await new Promise<void>((resolve) => hangingServer.listen(0, '127.0.0.1', resolve));
t.teardown(() => {
  hangingServer.closeAllConnections();
  hangingServer.close();
});
const url = `http://127.0.0.1:${(hangingServer.address() as AddressInfo).port}/a.png`;

const canvas = { width: 4, height: 4 };
const box = { x: 0, y: 0, width: 4000, height: 4000 };
const waiting = { canvas, layers: [{ type: 'image', ...box, url }] };
const discs = Array.from({ length: 100 }, (_, rotation) => ({
  type: 'shape',
  shapeType: 'circle',
  ...box,
  rotation,
  opacity: 0.5,
  shadow: { blur: 200 },
}));
const hotspots = [{ key: 'a', label: 'A', type: 'image', ...box, url }];

const nextRequest = () => new Promise<void>((resolve) => onRequest.push(resolve));
const printed = (stream: NodeJS.ReadableStream | null, pattern: RegExp) =>
  new Promise<void>((resolve) => {
    let text = '';
    stream?.on('data', (chunk) => {
      text += chunk;
      if (pattern.test(text)) resolve();
    });
  });
const shortDelay = () => new Promise((resolve) => setTimeout(resolve, 1500));

t.test('ends any command with the signal’s exit code and no partial file', async (t) => {
  const directory = t.testdir({
    'waiting.json': JSON.stringify(waiting),
    'painting.json': JSON.stringify({ canvas: { width: 4000, height: 4000 }, layers: discs }),
    'sound.json': JSON.stringify({ canvas, layers: [] }),
    'template.json': JSON.stringify({ name: 'T', ...canvas, hotspots }),
    'rows.csv': `a\n${url}?1\n${url}?2\n`,
    out: {},
  });
  const rows: [string, (child: ChildProcess) => Promise<unknown>][] = [
    ['waiting.json -o out/a.png', nextRequest],
    ['painting.json -o out/a.png', shortDelay],
    ['sound.json -o out/watched.png --watch', ({ stderr }) => printed(stderr, /watching/)],
    ['batch template.json rows.csv -o out/{#}.png --jobs 2', nextRequest],
    ['validate -', shortDelay],
    ['templates import - --workspace w --data .', shortDelay],
  ];
  for (const [i, [words, ready]] of rows.entries()) {
    const name = (['SIGTERM', 'SIGINT', 'SIGHUP'] as const)[i % 3];
    await t.test(`${name}: ${words}`, async (t) => {
      onRequest.length = 0;
      const program = join(checkout, 'dist/bin/render.js');
      const child = start(directory, program, ...words.split(' '));
      t.teardown(() => child.kill('SIGKILL'));
      const ended = once(child, 'close');
      await Promise.race([ready(child), ended]);
      child.kill(name);
      const [code, signal] = await ended;
      t.equal(code ?? 128 + constants.signals[signal as NodeJS.Signals], 128 + constants.signals[name]);
    });
  }
  t.same(readdirSync(join(directory, 'out')), ['watched.png'], 'no temporary file and no partial image');
});

t.test('a signal during a file write takes effect after the write', async (t) => {
  const directory = t.testdir({});
  const module = pathToFileURL(join(checkout, 'dist/modules/lib/cli/signals.js')).href;
  const script = `
    import { writeFileSync } from 'node:fs';
    import { deferSignals } from ${JSON.stringify(module)};
    await deferSignals(() => {
      process.kill(process.pid, 'SIGTERM');
      writeFileSync('whole', '');
    });
    writeFileSync('beyond', '');
  `;
  const child = start(directory, '--input-type=module', '-e', script);
  t.strictSame(await once(child, 'close'), [null, 'SIGTERM']);
  t.same(readdirSync(directory), ['whole']);
});

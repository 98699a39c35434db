// The log stream drops lines when the stream fails, and the server keeps running.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import t from 'tap';
import { openLogStream } from '../../lib/cli/log-stream.js';
import { makeCheckout } from '../checkout.js';

t.test('counts lines that the stream rejects, and reports them once it accepts data again', async (t) => {
  let full = true;
  const taken: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    // Like Node's standard streams, which stay usable after a failure.
    autoDestroy: false,
    write: (text: string, _encoding, done) => {
      if (full) return done(new Error('ENOSPC: no space left on device, write'));
      taken.push(text);
      done();
    },
  });
  stream.on('error', () => {
    Object.assign((stream as unknown as { _writableState: object })._writableState, {
      errored: null,
      errorEmitted: false,
    });
  });
  const log = openLogStream(stream);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  for (const line of ['a\n', 'b\n', 'c\n']) {
    log.write(line);
    await settled();
  }
  full = false;
  log.write('d\n');
  await settled();
  log.write('e\n');
  await settled();
  t.strictSame(taken, ['warning: 3 log lines were dropped: ENOSPC: no space left on device, write\n', 'd\n', 'e\n']);
});

t.test('bounds the bytes that are buffered for a reader that does not read', async (t) => {
  const taken: string[] = [];
  let done: (() => void) | undefined;
  const stream = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, taker) => {
      taken.push(text);
      done = taker;
    },
  });
  const log = openLogStream(stream, 10);
  for (let line = 0; line < 100; line++) log.write('12345\n');
  t.ok(stream.writableLength <= 16, `${stream.writableLength} bytes are buffered`);
  const readAll = async () => {
    while (done) {
      const read = done;
      done = undefined;
      read();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await readAll();
  log.write('again\n');
  await readAll();
  t.match(taken.join(''), /warning: \d+ log lines were dropped: the reader is too slow\nagain\n/);
});

// fault: 81
t.test('the server keeps serving when its log has no reader or no disk space', async (t) => {
  const checkout = t.testdir();
  makeCheckout(checkout);
  const serve = (words: readonly string[]) => {
    const program = [process.execPath, join(checkout, 'dist/bin/render.js'), 'serve', '--port', '0'];
    const [command, ...rest] = [...words, ...program, '--data', join(checkout, `data-${words.length}`)];
    const child = spawn(command, rest, { env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
    t.teardown(() => child.kill('SIGKILL'));
    return child;
  };
  const ask = async (child: ChildProcess, beforehand: () => void) => {
    let output = '';
    child.stdout?.setEncoding('utf8');
    while (!output.includes('\n')) output += (await once(child.stdout!, 'data'))[0];
    beforehand();
    const [, url] = /listening on (\S+)/.exec(output)!;
    for (let times = 0; times < 5; times++) {
      const answer = await fetch(`${url}/v1/render`, { method: 'POST' });
      t.equal(answer.status, 401);
      await answer.arrayBuffer();
    }
    child.kill('SIGTERM');
    t.strictSame(await once(child, 'exit'), [0, null]);
  };
  const unread = serve([]);
  await ask(unread, () => unread.stderr?.destroy());
  if (existsSync('/dev/full')) await ask(serve(['sh', '-c', 'exec "$@" 2>/dev/full', 'sh']), () => undefined);
});

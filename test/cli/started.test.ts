// `platen serve` in unusual surroundings: log rotation signals, a deleted working directory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { makeCheckout } from '../checkout.js';

const checkout = t.testdir();
makeCheckout(checkout);

async function serve(name: string, wrapper: readonly string[] = []) {
  const program = [process.execPath, join(checkout, 'dist/bin/render.js'), 'serve', '--port', '0'];
  const [command, ...rest] = [...wrapper, ...program, '--data', join(checkout, name)];
  const child = spawn(command, rest, { env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  const printed = { errors: '', url: '' };
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed.errors += text;
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    printed.url = /listening on (\S+)/.exec(output)?.[1] ?? '';
  });
  const ended = once(child, 'exit');
  while (printed.url === '' && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
  if (printed.url === '') throw new Error(printed.errors);
  const health = async () => {
    for (;;) {
      const answer = await fetch(`${printed.url}/healthz`, { headers: { Connection: 'close' } });
      const { status } = (await answer.json()) as { status: string };
      if (status !== 'starting') return answer.status;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await health();
  return { child, printed, ended, health };
}

t.test('ignores log rotation signals (no debugger, no exit); SIGHUP shuts the server down', async (t) => {
  const { child, printed, ended, health } = await serve('signals');
  child.kill('SIGUSR1');
  child.kill('SIGUSR2');
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.equal(await health(), 200);
  t.notMatch(printed.errors, /ebugger/);
  child.kill('SIGHUP');
  t.strictSame(await ended, [0, null]);
});

t.test('runs in a working directory that has been deleted', async (t) => {
  const gone = join(checkout, 'gone');
  mkdirSync(gone);
  const script = 'cd "$0" && rmdir "$0" && exec "$@"';
  const { child, printed, ended, health } = await serve('data', ['sh', '-c', script, gone]);
  t.throws(() => rmdirSync(gone), { code: 'ENOENT' });
  t.equal(await health(), 200, printed.errors);
  t.notMatch(printed.errors, /uv_cwd/);
  child.kill('SIGTERM');
  t.strictSame(await ended, [0, null]);
});

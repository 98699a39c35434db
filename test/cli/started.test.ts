// `render serve` as whoever starts it leaves it: signals that are not meant for it, a folder that is gone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { makeCheckout } from '../checkout.js';

const checkout = t.testdir();
makeCheckout(checkout);

async function serve(name: string, words: readonly string[] = []) {
  const program = [process.execPath, join(checkout, 'dist/bin/render.js'), 'serve', '--port', '0'];
  const [command, ...rest] = [...words, ...program, '--data', join(checkout, name)];
  const child = spawn(command, rest, { env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  const said = { errors: '', url: '' };
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said.errors += text;
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    said.url = /listening on (\S+)/.exec(output)?.[1] ?? '';
  });
  const ended = once(child, 'exit');
  while (said.url === '' && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
  if (said.url === '') throw new Error(said.errors);
  const health = async () => {
    for (;;) {
      const answer = await fetch(`${said.url}/healthz`, { headers: { Connection: 'close' } });
      const { status } = (await answer.json()) as { status: string };
      if (status !== 'starting') return answer.status;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await health();
  return { child, said, ended, health };
}

t.test('a log rotation’s signals open no debugger and end nothing; a closed terminal ends it in order', async (t) => {
  const { child, said, ended, health } = await serve('signals');
  child.kill('SIGUSR1');
  child.kill('SIGUSR2');
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.equal(await health(), 200);
  t.notMatch(said.errors, /ebugger/);
  child.kill('SIGHUP');
  t.strictSame(await ended, [0, null]);
});

t.test('a server needs no folder to be started from', async (t) => {
  const gone = join(checkout, 'gone');
  mkdirSync(gone);
  // tap's own loader, which the environment would bring along, does need one
  const script = 'unset NODE_OPTIONS; cd "$0" && rmdir "$0" && exec "$@"';
  const { child, said, ended, health } = await serve('data', ['sh', '-c', script, gone]);
  t.throws(() => rmdirSync(gone), { code: 'ENOENT' });
  t.equal(await health(), 200, said.errors);
  t.notMatch(said.errors, /uv_cwd/);
  child.kill('SIGTERM');
  t.strictSame(await ended, [0, null]);
});

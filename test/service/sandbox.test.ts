// The built server's sandbox: what the system calls of a real render open, and what RENDER_SANDBOX=require does without namespaces.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { makeCheckout, ROOT } from '../checkout.js';
import { eventually } from '../eventually.js';
import { makeData, post, startProgram } from './program.js';

const folder = mkdtempSync(join(tmpdir(), 'platen-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
makeCheckout(folder);
chmodSync(folder, 0o755);

const dataUrl = (type: string, path: string) =>
  `data:${type};base64,${readFileSync(join(ROOT, path)).toString('base64')}`;

/** Decoders, scripts and emoji that load files. */
const PAYLOAD = {
  canvas: { width: 400, height: 300 },
  format: 'avif',
  layers: [
    {
      type: 'image',
      x: 0,
      y: 0,
      width: 50,
      height: 50,
      url: dataUrl('image/avif', 'test/codecs/fixtures/quadrants-10bit.avif'),
    },
    {
      type: 'image',
      x: 50,
      y: 0,
      width: 50,
      height: 50,
      url: dataUrl('image/webp', 'test/codecs/fixtures/quadrants-translucent.webp'),
    },
    {
      type: 'image',
      x: 100,
      y: 0,
      width: 50,
      height: 50,
      url: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">g</text></svg>',
    },
    { type: 'text', x: 0, y: 60, width: 400, height: 200, text: 'Latin 日本語 ไทย العربية 🎉', fontSize: 30 },
  ],
};

/** The processes that run the renderer, below the process `pid`. */
function renderersOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return children.flatMap((child) => {
    const below = renderersOf(child);
    const isRenderer = readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('dist/lib/worker.js');
    return below.length > 0 ? below : isRenderer ? [child] : [];
  });
}

/** Whether a process is past its start: it runs Node, and for half a second it only waits. */
async function isIdle(pid: number): Promise<boolean> {
  const stat = () => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return { isWaiting: fields[0] === 'S', processorTime: `${fields[11]} ${fields[12]}` };
  };
  try {
    // While its walls are built, a process has programs whose files can't be seen from here.
    if (realpathSync(`/proc/${pid}/exe`) !== realpathSync(process.execPath)) return false;
    const { processorTime } = stat();
    for (let round = 0; round < 10; round++) {
      await setTimeout(50);
      const now = stat();
      if (!now.isWaiting || now.processorTime !== processorTime) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** Why system calls can't be traced here; false if they can. */
function lackOfTracing(): string | false {
  if (process.platform !== 'linux') return 'only Linux has strace';
  const { error, status, stderr } = spawnSync('strace', ['-o', '/dev/null', 'true'], { encoding: 'utf8' });
  return error ? 'there is no strace' : status !== 0 && stderr.trim();
}

const packages = realpathSync(join(ROOT, 'node_modules'));
const home = realpathSync(folder);
/** Files that a render process may open, whatever its sandbox. */
const ALLOWED = [
  ...['package.json', 'dist/', 'fonts/'].map((name) => `${home}/${name}`),
  // Node looks for the memory limit of its control group
  ...[
    `${packages}/`,
    `${home}/node_modules/`,
    '/sys/fs/cgroup/',
    '/proc/self/',
    '/proc/meminfo',
    '/dev/null',
    '/dev/urandom',
    process.execPath,
  ],
];

for (const mode of ['off', 'auto']) {
  t.test(
    `with RENDER_SANDBOX=${mode}, a render opens its own files, connects nowhere and starts nothing`,
    {
      skip: lackOfTracing(),
    },
    async (t) => {
      const data = join(folder, `data-${mode}`);
      const key = await makeData(data);
      const environment = { RENDER_SANDBOX: mode, RENDER_WORKERS: '1', RENDER_CACHE_MB: '0' };
      const server = await startProgram(t, folder, ['serve', '--port', '0', '--data', data], { environment });
      const url = server.address ?? '';
      await eventually(async () => (await fetch(`${url}/readyz`)).status === 200);
      let renderers: number[] = [];
      // A process that still starts opens the files of Node, and the programs before it are executed.
      await eventually(async () => {
        renderers = renderersOf(server.pid);
        return renderers.length === 3 && (await Promise.all(renderers.map(isIdle))).every(Boolean);
      });
      const trace = join(data, 'trace');
      const calls = 'trace=open,openat,openat2,connect,execve,execveat';
      const tracer = spawn(
        'strace',
        ['-f', '-e', calls, '-o', trace, ...renderers.flatMap((pid) => ['-p', String(pid)])],
        {
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      );
      t.teardown(() => tracer.kill('SIGKILL'));
      const traced = once(tracer, 'exit');
      let attached = '';
      tracer.stderr.setEncoding('utf8').on('data', (text) => {
        attached += text;
      });
      await eventually(() => (attached.match(/attached/g)?.length ?? 0) >= 3);
      for (const format of ['avif', 'png', 'webp', 'jpeg']) {
        if (tracer.exitCode !== null) throw new Error(`the traced processes ended: ${attached} ${server.errors()}`);
        const answer = await post(url, key, { ...PAYLOAD, format });
        const body = Buffer.from(await answer.arrayBuffer());
        t.equal(answer.status, 200, `${format}: ${answer.status === 200 ? body.length : body}`);
      }
      tracer.kill('SIGINT');
      await traced;
      const lines = readFileSync(trace, 'utf8').split('\n');
      t.same(
        lines.filter((line) => /\b(connect|execve|execveat)\(/.test(line)),
        [],
      );
      const opened = lines.flatMap((line) => {
        const [, path, result] = /\bopen(?:at2?)?\((?:AT_FDCWD, )?"([^"]*)".*= (-?\d+)/.exec(line) ?? [];
        return path === undefined ? [] : [{ path, isOpen: Number(result) >= 0 }];
      });
      t.ok(
        opened.some(({ path, isOpen }) => isOpen && path.includes('/fonts/')),
        'the trace has the fonts of the render',
      );
      t.ok(
        opened.some(({ path, isOpen }) => isOpen && path.endsWith('.wasm')),
        'and a decoder',
      );
      const outside = opened.filter(({ path }) => !ALLOWED.some((allowed) => path.startsWith(allowed)));
      t.same(outside, []);
      server.kill('SIGTERM');
      await server.ended;
    },
  );
}

// A bind mount hides the program that makes namespaces, so the test itself needs them.
const hide = 'mount --bind /dev/null "$(readlink -f "$(command -v unshare)")" && exec "$@"';
const withoutUnshare = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', hide, 'sh'];
const [command, ...words] = [...withoutUnshare, 'true'];
const { status, stderr, error } = spawnSync(command, words, { encoding: 'utf8' });
const skip = status !== 0 && `there are no namespaces: ${error?.message ?? stderr.trim()}`;

t.test(
  'without namespaces RENDER_SANDBOX=require refuses to start in one line, and auto starts',
  { skip },
  async (t) => {
    for (const words of [
      ['serve', '--port', '0', '--data', join(folder, 'data')],
      ['pool', '--listen', join(folder, 'pool.sock')],
    ]) {
      const required = { environment: { RENDER_SANDBOX: 'require' }, wrapper: withoutUnshare };
      const refused = await startProgram(t, folder, words, required);
      t.equal(refused.address, undefined);
      t.equal(await refused.ended, 2);
      t.match(refused.errors(), /^error: RENDER_SANDBOX=require: render processes can't have namespaces here .*\n$/);
      const server = await startProgram(t, folder, words, { wrapper: withoutUnshare });
      t.ok(server.address, server.errors());
      t.match(server.errors(), /"walls":\["permissions"\]/);
      server.kill('SIGTERM');
      t.equal(await server.ended, 0, server.errors());
    }
  },
);

// Renders in worker processes as the library offers them: the same results as in the caller's process, time limits that end a
// render that does not yield, crashes that fail one render, and an end that leaves no process.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { createAssets } from '../../lib/assets/loader.js';
import { resolve } from '../../lib/templates/resolve.js';
import { createSceneRenderer } from '../../lib/workers/scene-renderer.js';
import { createRenderer, render } from '../any-payload.js';
import { makeCheckout, ownEnvironment } from '../checkout.js';
import { eventually } from '../eventually.js';
import { warningsDuring } from './process-warnings.js';

const box = { x: 0, y: 0, width: 40, height: 20 };
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="8"/></svg>';
const payload = {
  canvas: { width: 40, height: 20, backgroundColor: '#fff' },
  layers: [
    { type: 'image', id: 'dot', url: 'dot.svg', ...box },
    { type: 'image', url: `data:image/svg+xml,${svg}`, ...box, x: 20 },
    { type: 'text', text: 'Hi', fontSize: 12, ...box },
  ],
};
const NEVER = 600_000;

/** A renderer over a worker that does what the text of its scene says. */
function scripted(t: Test, workers = 1) {
  const folder = t.testdir({
    'worker.mjs': `
      import { writeFileSync } from 'node:fs';
      import { onMessage, picture, send } from '${new URL('./channel.mjs', import.meta.url)}';
      const scripts = {
        hang: (file) => { writeFileSync(file, ''); for (;;); },
        wait: (file) => { writeFileSync(file, ''); },
        die: () => process.exit(7),
        pid: () => {
          send({ kind: 'result', result: { warnings: [] }, memory: 1, ms: 1, cpuMs: 1 }, picture(process.pid + ''));
        },
      };
      onMessage(({ scene }) => {
        send({ kind: 'begun' });
        const [name, file] = scene.layers[0].text.split(' ');
        scripts[name](file);
      });
      send({ kind: 'ready' });`,
  });
  const lines: string[] = [];
  const entry = pathToFileURL(join(folder, 'worker.mjs'));
  const renderer = createSceneRenderer({ workers, entry, report: (line) => lines.push(line) });
  t.teardown(() => renderer.close());
  const run = async (script: string, timeoutMs = NEVER, signal?: AbortSignal) => {
    const layers = [{ type: 'text', text: script, ...box }];
    const assets = createAssets({ timeoutMs: NEVER, maxBytes: 1, maxPixels: 1 });
    const scene = resolve({ canvas: { width: 1, height: 1 }, layers }, { maxLayers: 1, checkUrl: assets.source });
    const { bytes } = await renderer.render(scene, { assets, timeoutMs, signal, maxPixels: 1 });
    return Number(new TextDecoder().decode(bytes.subarray(8)));
  };
  return { run, renderer, file: (name: string) => join(folder, name) };
}

t.test('gives the bytes, warnings and errors of a render in the caller’s process', async (t) => {
  const baseDirectory = t.testdir({ 'dot.svg': svg });
  const renderer = createRenderer({ workers: 2, baseDirectory, timeoutMs: NEVER });
  t.teardown(() => renderer.close());
  const bad = { ...payload, layers: [{ ...payload.layers[0], url: 'none.svg' }] };
  const doubtful = { ...payload, layers: [{ ...payload.layers[2], fontFamily: 'Nowhere' }] };
  const template = { name: 'T', width: 40, height: 20, hotspots: [{ key: 'a', label: 'A', ...payload.layers[2] }] };
  const cases: [unknown, Parameters<typeof renderer.render>[1]][] = [
    [payload, {}],
    [payload, { format: 'webp', quality: 30 }],
    [{ ...payload, canvas: { ...payload.canvas, height: 900, autoHeight: true, padding: 3 } }, {}],
    [template, { variables: { a: 'Yes', b: 1 } }],
    [doubtful, {}],
    [doubtful, { strict: true }],
    [bad, {}],
    [{ ...payload, layers: [{ type: 'nothing' }] }, {}],
  ];
  const outcome = (made: ReturnType<typeof render>) =>
    made.then(
      ({ durationMs: _, bytes, ...rest }) => ({ ...rest, bytes: Buffer.from(bytes).toString('hex') }),
      ({ code, message, details }) => ({ code, message, details }),
    );
  const [here, there] = await Promise.all([
    Promise.all(
      cases.map(([value, options]) => outcome(render(value, { ...options, baseDirectory, timeoutMs: NEVER }))),
    ),
    Promise.all(cases.map(([value, options]) => outcome(renderer.render(value, options)))),
  ]);
  t.same(there, here);
  t.same(
    here.map((each) => ('code' in each ? each.code : each.format)),
    ['png', 'webp', 'png', 'png', 'png', 'render_failed', 'asset_failed', 'render_failed'],
  );
  const { bytes } = await renderer.render(payload);
  t.equal(bytes.buffer.byteLength, bytes.length, 'the bytes are a buffer of their own');
});

t.test('a render that exceeds its time limit is killed, and the next one runs in a new process', async (t) => {
  const { run, file } = scripted(t);
  const before = await run('pid');
  await t.rejects(run(`hang ${file('a')}`, 50), { code: 'render_timeout', message: /longer than 50 ms/ });
  t.not(await run('pid'), before);
});

t.test('the wait for a free process does not count towards the time limit', async (t) => {
  const { run, file } = scripted(t);
  // On a busy machine a render may be late by itself; a longer limit helps then. If the wait counted, none would.
  for (let limit = 50; !existsSync(file('second')) && limit < 60_000; limit *= 2) {
    const stop = new AbortController();
    const begun = file(`first${limit}`);
    const first = run(`wait ${begun}`, NEVER, stop.signal);
    await eventually(() => existsSync(begun));
    const second = run(`wait ${file('second')}`, limit);
    await new Promise((resolve) => setTimeout(resolve, 2 * limit));
    stop.abort(new Error('enough'));
    await t.rejects(first, /enough/);
    await t.rejects(second, { code: 'render_timeout' });
  }
  t.ok(existsSync(file('second')), 'it ran before it was late');
});

t.test('one signal serves many renders at once', async (t) => {
  const warnings = warningsDuring(t);
  const { run } = scripted(t);
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 20 }, () => run('pid', NEVER, signal)));
  t.same(warnings, [], 'their listeners are no leak');
});

t.test('a crash fails its own render', async (t) => {
  const { run, file } = scripted(t, 2);
  const stop = new AbortController();
  const other = run(`wait ${file('a')}`, NEVER, stop.signal);
  await eventually(() => existsSync(file('a')));
  await t.rejects(run('die'), {
    code: 'render_failed',
    message: 'the render process ended on this payload (exit code 7)',
  });
  t.ok((await run('pid')) > 0);
  stop.abort(new Error('enough'));
  await t.rejects(other, /enough/, 'the render beside it went on');
});

t.test('close lets renders finish, leaves no process, and refuses later renders', async (t) => {
  const { run, renderer } = scripted(t);
  const pid = await run('pid');
  const last = run('pid');
  const closed = renderer.close();
  t.equal(renderer.close(), closed);
  t.equal(await last, pid);
  await closed;
  t.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  await t.rejects(run('pid'), { code: 'render_failed', message: 'the renderer is closed' });
});

t.test('processes that can’t start fail the renders that wait for them', async (t) => {
  const renderer = createSceneRenderer({ workers: 2, entry: join(t.testdir(), 'none.mjs'), report: () => {} });
  t.teardown(() => renderer.close());
  const assets = createAssets({ timeoutMs: NEVER, maxBytes: 1, maxPixels: 1 });
  const scene = resolve({ canvas: { width: 1, height: 1 }, layers: [] }, { maxLayers: 1, checkUrl: assets.source });
  const options = { assets, timeoutMs: NEVER, maxPixels: 1 };
  const failure = { code: 'render_failed', message: /^no render process could be started: exit code 1/ };
  await Promise.all([1, 2, 3].map(() => t.rejects(renderer.render(scene, options), failure)));
});

t.test('the option workers', async (t) => {
  for (const workers of [-1, 1.5, Number.NaN, '2' as unknown as number]) {
    const expected = {
      code: 'invalid_request',
      message: `workers: received ${typeof workers === 'string' ? `"${workers}"` : workers}, expected a whole number from 0 to 1024`,
    };
    t.throws(() => createRenderer({ workers }), expected);
  }
  const renderer = createRenderer({ workers: 0, timeoutMs: NEVER });
  t.match(await renderer.render({ ...payload, layers: [] }), { width: 40 });
  await renderer.close();
});

t.test('a program that renders in processes ends by itself', async (t) => {
  const folder = t.testdir();
  makeCheckout(folder);
  const program = `
    import { createRenderer } from './dist/lib/index.js';
    const renderer = createRenderer({ workers: 2, timeoutMs: ${NEVER} });
    const { bytes } = await renderer.render(${JSON.stringify({ ...payload, layers: [] })});
    console.log(bytes.length);
    if (process.argv[1] === 'close') await renderer[Symbol.asyncDispose]();`;
  const options = { cwd: folder, env: ownEnvironment(folder) };
  for (const last of ['close', 'leave open']) {
    const words = ['--input-type=module', '-e', program, last];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, words, options);
    t.match(stdout, /^\d+\n$/, last);
    t.equal(stderr, '');
  }
  t.match(
    readFileSync(join(folder, 'package.json'), 'utf8'),
    /"dist\/lib"/,
    'the package has the module of the workers',
  );
});

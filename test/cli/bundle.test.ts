// The bundled command (scripts/bundle.mjs) behaves like the modules: the same images, output and exit codes, with a V8
// code cache, without one, and with a corrupt one.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import type * as mainModule from '../../lib/cli/main.js';
import { resolve } from '../../lib/templates/resolve.js';
import type { Job } from '../../lib/workers/job.js';
import { createPool } from '../../lib/workers/pool.js';
import { makeCheckout, ownEnvironment, ROOT } from '../checkout.js';
import { createTestContext } from './context.js';

const folder = t.testdir({});
const bin = join(folder, 'dist/bin');
const env = ownEnvironment(folder);
makeCheckout(folder);

interface Run {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a file of dist/bin. Output is decoded as Latin-1, which preserves every byte. */
function run(file: string, argv: readonly string[], flags: readonly string[] = []): Promise<Run> {
  return new Promise((resolve) => {
    const all = [...flags, join(bin, file), ...argv];
    const options = { env, cwd: folder, encoding: 'latin1', maxBuffer: 2 ** 26 } as const;
    execFile(process.execPath, all, options, (error, output, errors) => {
      resolve({ code: error ? Number(error.code) : 0, output, errors });
    });
  });
}

/** Runs the modules' command line in this process, which loads them once for all commands. */
async function runModules(argv: readonly string[]): Promise<Run> {
  const { main }: typeof mainModule = await import(pathToFileURL(join(folder, 'dist/lib/cli/main.js')).href);
  const { context, output, errors } = createTestContext({ directory: folder, environment: {} });
  const code = await main([...argv], { ...context, environment: env });
  return { code, output: output().toString('latin1'), errors: Buffer.from(errors()).toString('latin1') };
}

/** Text in a WOFF2 font, shapes and a QR code. */
const drawing = ['examples/ticket.json'];

/** An SVG and a PNG on a small canvas, which every codec encodes quickly. */
const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';
const svg = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="8"/></svg>')}`;
const box = { x: 2, y: 2, width: 12, height: 12 };
const layers = [dot, svg].map((url) => ({ type: 'image', url, ...box }));
writeFileSync(join(folder, 'small.json'), JSON.stringify({ canvas: { width: 16, height: 16 }, layers }));

/** Text, which loads HarfBuzz. */
const plain = ['plain.json'];
const text = { type: 'text', text: 'Plain', fontSize: 9, x: 0, y: 0, width: 40, height: 12 };
writeFileSync(join(folder, 'plain.json'), JSON.stringify({ canvas: { width: 40, height: 12 }, layers: [text] }));

const caches = () => readdirSync(bin).filter((name) => name.endsWith('.cache'));

t.test('the build writes the script and a code cache that V8 accepts', async (t) => {
  t.ok(existsSync(join(bin, 'program.cjs')));
  t.same(caches(), [`program.${process.version}-${process.arch}.cache`]);
  const looked = `
    const { readFileSync } = require('node:fs');
    const [source, cachedData] = process.argv.slice(1).map((path) => readFileSync(path));
    const { cachedDataRejected } = new (require('node:vm').Script)(source.toString('latin1'), { cachedData });
    process.exit(cachedDataRejected ? 1 : 0);`;
  const paths = [join(bin, 'program.cjs'), join(bin, caches()[0])];
  t.doesNotThrow(() => execFileSync(process.execPath, ['-e', looked, ...paths], { env }), 'V8 accepts the cache');
});

t.test('script and modules render the same images', async (t) => {
  const commands = [drawing, ...['png', 'jpeg', 'webp', 'avif'].map((format) => ['small.json', '--format', format])];
  for (const words of commands) {
    const [script, modules] = await Promise.all([run('render.js', words), runModules(words)]);
    t.equal(modules.code, 0, modules.errors);
    t.ok(script.output.length > 50);
    t.ok(script.output === modules.output, words.join(' '));
  }
});

t.test('script and modules print the same output and return the same exit codes', async (t) => {
  const template = 'data/templates/event-card.json';
  const commands = [
    ...[['--version'], ['--help'], ['fonts', '--json'], ['--nonsense'], ['none.json'], ['keys', 'list']],
    ...[
      ['validate', template],
      ['templates', 'lint', template],
      ['templates', 'diff', template, template],
    ],
  ];
  for (const words of commands) {
    const [script, modules] = await Promise.all([run('render.js', words), runModules(words)]);
    t.same(script, modules, words.join(' '));
    t.notMatch(script.errors, 'internal error', words.join(' '));
  }
});

t.test('a batch can start its render processes', async (t) => {
  const template = JSON.parse(readFileSync(join(ROOT, 'data/templates/event-card.json'), 'utf8'));
  writeFileSync(join(folder, 'template.json'), JSON.stringify(template));
  writeFileSync(join(folder, 'rows.jsonl'), '{}\n');
  const { code, errors } = await run('render.js', ['batch', 'template.json', 'rows.jsonl', '-o', 'row-{#}.png']);
  t.equal(code, 0, errors);
  t.ok(existsSync(join(folder, 'row-1.png')));
});

t.test('the program works as the server’s render process and renders the same image as the modules', async (t) => {
  const canvas = { width: 300, height: 80, backgroundColor: 'rgb(9 9 90)' };
  const text = { type: 'text', x: 9, y: 9, width: 280, height: 60, text: 'Drawn twice', fontSize: 40, color: '#fff' };
  const scene = resolve({ canvas, layers: [text] }, { maxLayers: 9, checkUrl: () => {} });
  const job: Job = { scene, assets: new Map(), watermark: undefined, maxPixels: 1 };
  const images = [];
  for (const [entry, ...words] of [
    [join(folder, 'dist/lib/workers/child.js')],
    [join(bin, 'render.js'), 'render-worker'],
    [join(bin, 'program.js'), 'render-worker'],
  ]) {
    const lines: string[] = [];
    const pool = createPool({ workers: 1, entry, argv: words, report: (line) => lines.push(line) });
    images.push(Buffer.from((await pool.run(job, new AbortController().signal)).bytes));
    pool.close();
    t.same(lines, [], `${entry} ${words}`);
  }
  t.ok(images[1].equals(images[0]));
  t.ok(images[2].equals(images[0]));
  const { code, errors } = await run('render.js', ['render-worker']);
  t.equal(code, 1, 'without an IPC channel the argument is a file name');
  t.match(errors, /render-worker/);
});

t.test('runs without a code cache, with a corrupt one, and with one that V8 rejects', async (t) => {
  const expected = (await run('program.js', plain)).output;
  const [cache] = caches().map((name) => join(bin, name));
  t.ok((await run('render.js', plain, ['--no-opt'])).output === expected, 'V8 flags that invalidate the cache');
  const code = readFileSync(cache);
  writeFileSync(cache, code.subarray(0, code.length >> 1));
  t.ok((await run('render.js', plain)).output === expected, 'truncated cache');
  writeFileSync(cache, '');
  t.ok((await run('render.js', plain)).output === expected, 'empty cache');
  rmSync(cache);
  t.ok((await run('render.js', plain)).output === expected, 'no cache');
  rmSync(join(bin, 'program.cjs'));
  t.ok((await run('render.js', plain)).output === expected, 'no script');
});

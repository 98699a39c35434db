// The command as one script (scripts/bundle.mjs) is the command as modules: the same pictures, words and exit codes, with
// V8's code for it, without, and with code that is broken.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { resolve } from '../../lib/templates/resolve.js';
import type { Job } from '../../lib/workers/job.js';
import { createPool } from '../../lib/workers/pool.js';
import { makeCheckout, ownEnvironment, ROOT } from '../checkout.js';

const folder = t.testdir({});
const bin = join(folder, 'dist/bin');
const env = ownEnvironment(folder);
makeCheckout(folder);
execFileSync(process.execPath, [join(ROOT, 'scripts/bundle.mjs'), join(folder, 'dist')], { env });

interface Run {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a file of dist/bin with `words`; its output as Latin-1, which keeps every byte. */
function run(file: string, words: readonly string[], flags: readonly string[] = []): Promise<Run> {
  return new Promise((resolve) => {
    const all = [...flags, join(bin, file), ...words];
    const options = { env, cwd: folder, encoding: 'latin1', maxBuffer: 2 ** 26 } as const;
    execFile(process.execPath, all, options, (error, output, errors) => {
      resolve({ code: error ? Number(error.code) : 0, output, errors });
    });
  });
}

/** Text in a packed font, shapes and a code. */
const drawing = ['examples/ticket.json'];

/** An SVG and a PNG in a small picture, which every codec reads and writes soon. */
const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';
const svg = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="8"/></svg>')}`;
const box = { x: 2, y: 2, width: 12, height: 12 };
const layers = [dot, svg].map((url) => ({ type: 'image', url, ...box }));
writeFileSync(join(folder, 'small.json'), JSON.stringify({ canvas: { width: 16, height: 16 }, layers }));

const SCRIPT = ['program.cjs', 'program.licences.txt', 'harfbuzz.wasm'];
const caches = () => readdirSync(bin).filter((name) => name.endsWith('.cache'));

t.test('what the build leaves', async (t) => {
  for (const name of SCRIPT) t.ok(existsSync(join(bin, name)), name);
  t.same(caches(), [`program.${process.version}-${process.arch}.cache`]);
  t.match(readFileSync(join(bin, 'program.licences.txt'), 'utf8'), /^harfbuzzjs [\d.]+, MIT\n\n.*\S/m);
  const looked = `
    const { readFileSync } = require('node:fs');
    const [source, cachedData] = process.argv.slice(1).map((path) => readFileSync(path));
    const { cachedDataRejected } = new (require('node:vm').Script)(source.toString('latin1'), { cachedData });
    process.exit(cachedDataRejected ? 1 : 0);`;
  const paths = [join(bin, 'program.cjs'), join(bin, caches()[0])];
  t.doesNotThrow(() => execFileSync(process.execPath, ['-e', looked, ...paths], { env }), 'V8 takes its code back');
});

t.test('the same pictures', async (t) => {
  const commands = [drawing, ...['png', 'jpeg', 'webp', 'avif'].map((format) => ['small.json', '--format', format])];
  for (const words of commands) {
    const [script, modules] = await Promise.all([run('render.js', words), run('program.js', words)]);
    t.equal(modules.code, 0, modules.errors);
    t.ok(script.output.length > 50);
    t.ok(script.output === modules.output, words.join(' '));
  }
});

t.test('the same words and exit codes', async (t) => {
  const commands = [['--version'], ['--help'], ['fonts', '--json'], ['--nonsense'], ['none.json'], ['keys', 'list']];
  for (const words of commands) {
    const [script, modules] = await Promise.all([run('render.js', words), run('program.js', words)]);
    t.same(script, modules, words.join(' '));
  }
});

t.test('a batch finds its render processes', async (t) => {
  const template = JSON.parse(readFileSync(join(ROOT, 'data/templates/event-card.json'), 'utf8'));
  writeFileSync(join(folder, 'template.json'), JSON.stringify(template));
  writeFileSync(join(folder, 'rows.jsonl'), '{}\n');
  const { code, errors } = await run('render.js', ['batch', 'template.json', 'rows.jsonl', '-o', 'row-{#}.png']);
  t.equal(code, 0, errors);
  t.ok(existsSync(join(folder, 'row-1.png')));
});

t.test('the server’s render processes are the program itself, and draw what the modules draw', async (t) => {
  const canvas = { width: 300, height: 80, backgroundColor: 'rgb(9 9 90)' };
  const text = { type: 'text', x: 9, y: 9, width: 280, height: 60, text: 'Drawn twice', fontSize: 40, color: '#fff' };
  const scene = resolve({ canvas, layers: [text] }, { maxLayers: 9, checkUrl: () => {} });
  const job: Job = { scene, assets: new Map(), watermark: undefined, maxBytes: 1, maxPixels: 1 };
  const pictures = [];
  for (const [entry, ...words] of [
    [join(folder, 'dist/lib/workers/child.js')],
    [join(bin, 'render.js'), 'serve-renders'],
    [join(bin, 'program.js'), 'serve-renders'],
  ]) {
    const lines: string[] = [];
    const pool = createPool({ workers: 1, entry, argv: words, report: (line) => lines.push(line) });
    pictures.push(Buffer.from((await pool.run(job, new AbortController().signal)).bytes));
    pool.close();
    t.same(lines, [], `${entry} ${words}`);
  }
  t.ok(pictures[1].equals(pictures[0]));
  t.ok(pictures[2].equals(pictures[0]));
  const { code, errors } = await run('render.js', ['serve-renders']);
  t.equal(code, 1, 'who has no parent to talk to names a file');
  t.match(errors, /serve-renders/);
});

t.test('without its code, with broken code, and by another V8', async (t) => {
  const expected = (await run('program.js', drawing)).output;
  const [cache] = caches().map((name) => join(bin, name));
  t.ok((await run('render.js', drawing, ['--no-opt'])).output === expected, 'flags that the code is not for');
  const code = readFileSync(cache);
  writeFileSync(cache, code.subarray(0, code.length >> 1));
  t.ok((await run('render.js', drawing)).output === expected, 'half of the code');
  writeFileSync(cache, '');
  t.ok((await run('render.js', drawing)).output === expected, 'an empty file');
  rmSync(cache);
  t.ok((await run('render.js', drawing)).output === expected, 'no code');
  rmSync(join(bin, 'program.cjs'));
  t.ok((await run('render.js', drawing)).output === expected, 'no script');
});

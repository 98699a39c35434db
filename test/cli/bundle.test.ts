// The command as it is bundled (scripts/bundle.mjs) behaves like the modules: the same images, output and exit codes.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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
const env = ownEnvironment(folder);
makeCheckout(folder);

interface Run {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs the bundled command. Output is decoded as Latin-1, which preserves every byte. */
function run(argv: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    const all = [join(folder, 'dist/bin/render.js'), ...argv];
    const options = { env, cwd: folder, encoding: 'latin1', maxBuffer: 2 ** 26 } as const;
    execFile(process.execPath, all, options, (error, output, errors) => {
      resolve({ code: error ? Number(error.code) : 0, output, errors });
    });
  });
}

/** Runs the modules' command line in this process, which loads them once for all commands. */
async function runModules(argv: readonly string[]): Promise<Run> {
  const { main }: typeof mainModule = await import(pathToFileURL(join(folder, 'dist/modules/lib/cli/main.js')).href);
  const { context, output, errors } = createTestContext({ directory: folder, environment: {} });
  const code = await main([...argv], { ...context, environment: env });
  return { code, output: output().toString('latin1'), errors: Buffer.from(errors()).toString('latin1') };
}

/** An SVG and a PNG on a small canvas, which every codec encodes quickly. */
const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';
const svg = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="8"/></svg>')}`;
const box = { x: 2, y: 2, width: 12, height: 12 };
const layers = [dot, svg].map((url) => ({ type: 'image', url, ...box }));
writeFileSync(join(folder, 'small.json'), JSON.stringify({ canvas: { width: 16, height: 16 }, layers }));
const hyphenated = { type: 'text', text: 'Donaudampfschifffahrt', hyphens: 'auto', language: 'de', fontSize: 9 };
writeFileSync(
  join(folder, 'hyphens.json'),
  JSON.stringify({ canvas: { width: 40, height: 60 }, layers: [{ ...hyphenated, x: 0, y: 0, width: 40, height: 60 }] }),
);

t.test('the command and the modules render the same images', async (t) => {
  const formats = ['png', 'jpeg', 'webp', 'avif'].map((format) => ['small.json', '--format', format]);
  for (const words of [['examples/ticket.json'], ['hyphens.json'], ...formats]) {
    const [bundled, modules] = await Promise.all([run(words), runModules(words)]);
    t.equal(modules.code, 0, modules.errors);
    t.ok(bundled.output.length > 50, bundled.errors);
    t.ok(bundled.output === modules.output, words.join(' '));
  }
});

t.test('the command and the modules print the same output and return the same exit codes', async (t) => {
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
    const [bundled, modules] = await Promise.all([run(words), runModules(words)]);
    t.same(bundled, modules, words.join(' '));
    t.notMatch(bundled.errors, 'internal error', words.join(' '));
  }
});

t.test('a batch can start its render processes', async (t) => {
  const template = JSON.parse(readFileSync(join(ROOT, 'data/templates/event-card.json'), 'utf8'));
  writeFileSync(join(folder, 'template.json'), JSON.stringify(template));
  writeFileSync(join(folder, 'rows.jsonl'), '{}\n');
  const { code, errors } = await run(['batch', 'template.json', 'rows.jsonl', '-o', 'row-{#}.png']);
  t.equal(code, 0, errors);
  t.ok(existsSync(join(folder, 'row-1.png')));
});

t.test('a bundled worker process renders the same image as one of modules', async (t) => {
  const canvas = { width: 300, height: 80, backgroundColor: 'rgb(9 9 90)' };
  const text = { type: 'text', x: 9, y: 9, width: 280, height: 60, text: 'Drawn twice', fontSize: 40, color: '#fff' };
  const scene = resolve({ canvas, layers: [text] }, { maxLayers: 9, checkUrl: () => {} });
  const job: Job = { scene, assets: new Map(), watermark: undefined, maxPixels: 1 };
  const images = [];
  for (const entry of ['dist/modules/lib/workers/child.js', 'dist/lib/worker.js']) {
    const lines: string[] = [];
    const pool = createPool({ workers: 1, entry: join(folder, entry), report: (line) => lines.push(line) });
    images.push(Buffer.from((await pool.run(job, new AbortController().signal)).bytes));
    pool.close();
    t.same(lines, [], entry);
  }
  t.ok(images[1].equals(images[0]));
});

t.test('a render of text and shapes loads one file beside those of the command', (t) => {
  const { outputs } = JSON.parse(readFileSync(join(folder, 'dist/lib.metafile.json'), 'utf8'));
  interface Output {
    readonly bytes: number;
    readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
  }
  const loaded = (name: string, found = new Set<string>()): Set<string> => {
    found.add(name);
    for (const { path, kind, external } of (outputs[name] as Output).imports) {
      if (kind === 'import-statement' && !external && !found.has(path)) loaded(path, found);
    }
    return found;
  };
  const names = Object.keys(outputs);
  const index = names.find((name) => name.endsWith('dist/lib/index.js')) ?? '';
  const sizes = [...loaded(index)].map((name) => (outputs[name] as Output).bytes);
  const largest = Math.max(...sizes);
  const rest = sizes.reduce((sum, bytes) => sum + bytes, 0) - largest;
  t.ok(rest < 0.05 * largest, `one chunk has ${largest} bytes, the others together ${rest}`);
  t.end();
});

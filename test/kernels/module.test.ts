// lib/kernels/module.ts is up to date with assembly/, data/wasm/harfbuzz.wasm with its package, and data/wasm/translated with the
// WebAssembly that it is made of. The normal form compares hashes and exports, the exhaustive one makes all of them again.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ROOT } from '../checkout.js';
import { FORM } from '../exhaustive.js';

const run = (script: string, flag: string) =>
  spawnSync(process.execPath, [join(ROOT, 'scripts', script), flag], { encoding: 'utf8' });

t.test('lib/kernels/module.ts is the output of `npm run kernels`', (t) => {
  const { status, stderr } = run('kernels.mjs', FORM === 'normal' ? '--check-hash' : '--check');
  t.equal(status, 0, `run npm run kernels ${stderr}`);
  t.end();
});

t.test('data/wasm/harfbuzz.wasm exports what lib/text/harfbuzz calls', (t) => {
  const exportsOf = (path: string) =>
    WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(join(ROOT, path)))).map(({ name }) => name);
  const folder = join(ROOT, 'lib/text/harfbuzz');
  const source = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const words = new Set(source.join(' ').match(/\w+/g));
  const called = exportsOf('node_modules/harfbuzzjs/dist/harfbuzz.wasm').filter((name) => words.has(name));
  t.same(exportsOf('data/wasm/harfbuzz.wasm').sort(), called.sort(), 'run npm run kernels');
  t.end();
});

t.test(
  'data/wasm/harfbuzz.wasm is the output of `npm run kernels`',
  { skip: FORM === 'normal' && 'exhaustive' },
  (t) => {
    const { status, stderr } = run('harfbuzz.mjs', '--check');
    t.equal(status, 0, `run npm run kernels ${stderr}`);
    t.end();
  },
);

t.test('data/wasm/translated is the output of `npm run kernels`', (t) => {
  const { status, stderr } = run('translate-wasm.mjs', FORM === 'normal' ? '--check-hash' : '--check');
  t.equal(status, 0, `run npm run kernels ${stderr}`);
  t.end();
});

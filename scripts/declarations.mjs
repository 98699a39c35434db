// Copies the declarations of the public types, and those that they import, from dist/modules into dist/types.
//   node scripts/declarations.mjs
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const MODULES = join(DIST, 'modules/lib');
const DECLARED = [
  'index',
  'client/index',
  'browser',
  'web-worker/client',
  'wasm-module',
  'jsx/entry',
  'jsx/runtime',
  'og/node',
  'og/browser',
];

rmSync(join(DIST, 'types'), { recursive: true, force: true });
const seen = new Set(DECLARED.map((name) => join(MODULES, `${name}.d.ts`)));
for (const path of seen) {
  if (!existsSync(path)) continue;
  const text = readFileSync(path, 'utf8');
  const target = join(DIST, 'types', relative(MODULES, path));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  for (const [, name] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.js['"]/g)) {
    seen.add(join(dirname(path), `${name}.d.ts`));
  }
}

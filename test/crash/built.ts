// Modules of the store → JavaScript in a folder, as they are now: a child process that Node runs by itself starts in a
// tenth of the time that the test runner's loader takes.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../checkout.js';
import { transpile } from '../loader/transpile.mjs';

/** Builds `entry` (`lib/store/open.ts`) and all that it imports, and writes `script` beside them as `child.js`. */
export function buildChild(folder: string, entry: string, script: string): void {
  const built = new Set<string>();
  const build = (path: string) => {
    if (built.has(path)) return;
    built.add(path);
    const code = transpile(readFileSync(path, 'utf8'));
    const target = join(folder, relative(ROOT, path).replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
    for (const [, specifier] of code.matchAll(/(?:from\s*|import\s*\(?\s*)['"](\.[^'"]+)\.js['"]/g)) {
      build(join(dirname(path), `${specifier}.ts`));
    }
  };
  build(join(ROOT, entry));
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'child.js'), script);
}

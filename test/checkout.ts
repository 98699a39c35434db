// Creates a built checkout in a temporary folder, like a clone after `npm ci`. Transpiles file by file without type checks,
// which takes a second and is always up to date with the sources.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transpile } from './loader/transpile.mjs';

/** The root of the checkout that the tests run in. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Creates the checkout in `folder`, which must exist and be empty. */
export function makeCheckout(folder: string): void {
  for (const name of ['README.md', 'examples', 'data/templates', 'scripts/npx', 'scripts/pack.mjs'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'fonts'), join(folder, 'fonts'));
  linkPackages(folder);
  for (const room of ['bin', 'lib']) {
    for (const path of readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })) {
      if (!/\.c?ts$/.test(path) || path.endsWith('.d.ts')) continue;
      const target = join(folder, 'dist', room, path.replace(/ts$/, 'js'));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, transpile(readFileSync(join(ROOT, room, path), 'utf8')));
    }
  }
}

/** Links the installed packages, and scripts/npx as npm does. */
function linkPackages(folder: string): void {
  const packages = join(folder, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name.startsWith('.') || name === 'checkout-command') continue;
    symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  }
  symlinkSync('../scripts/npx', join(packages, 'checkout-command'));
  const commands = join(packages, '.bin');
  cpSync(join(ROOT, 'node_modules/.bin'), commands, { recursive: true, verbatimSymlinks: true });
  rmSync(join(commands, 'render'), { force: true });
  symlinkSync('../checkout-command/render.js', join(commands, 'render'));
}

/** The environment without the test runner's variables, and with npm's cache under `folder`. */
export function ownEnvironment(folder: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|TAP|NODE_OPTIONS|INIT_CWD)/i.test(name));
  return { ...Object.fromEntries(inherited), npm_config_cache: join(folder, '.npm') };
}

// Creates a built checkout in a temporary folder, like a clone after `npm ci`. The build is made once and copied as long as
// the sources stay the same: transpiled file by file without type checks, and bundled as scripts/build.mjs does.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder, transpile } from './loader/transpile.mjs';

/** The root of the checkout that the tests run in. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Creates the checkout in `folder`, which must exist and be empty. */
export function makeCheckout(folder: string): void {
  for (const name of ['README.md', 'examples', 'data/templates', 'scripts/npx', 'scripts/pack.mjs'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  linkPackages(folder);
  cpSync(build(), folder, { recursive: true, verbatimSymlinks: true });
}

/** Builds older than this are deleted when there is a new one. */
const MAX_AGE_MS = 86_400_000;

/** The folder of the build, with what it needs in order to run: package.json and the fonts. */
function build(): string {
  const sources = new Map<string, string>();
  for (const room of ['bin', 'lib']) {
    for (const path of readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })) {
      if (/\.c?ts$/.test(path) && !path.endsWith('.d.ts'))
        sources.set(join(room, path), readFileSync(join(ROOT, room, path), 'utf8'));
    }
  }
  const hash = createHash('sha256');
  const scripts = ['bundle', 'package-urls', 'wasm-files'].map((name) => `scripts/${name}.mjs`);
  for (const name of ['package.json', 'package-lock.json', ...scripts]) hash.update(readFileSync(join(ROOT, name)));
  for (const [path, text] of sources) hash.update(`\0${path}\0${text}`);
  const builds = join(cacheFolder(), 'builds');
  const made = join(builds, hash.digest('hex').slice(0, 16));
  if (existsSync(made)) return made;

  mkdirSync(builds, { recursive: true });
  for (const name of readdirSync(builds)) {
    const { mtimeMs } = statSync(join(builds, name), { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
    if (mtimeMs < Date.now() - MAX_AGE_MS) rmSync(join(builds, name), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(builds, 'new-'));
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'fonts'), join(folder, 'fonts'));
  mkdirSync(join(folder, 'dist'));
  symlinkSync(join(ROOT, 'dist/wasm'), join(folder, 'dist/wasm'));
  for (const [path, text] of sources) {
    const target = join(folder, 'dist/modules', path.replace(/ts$/, 'js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, transpile(text));
  }
  execFileSync(process.execPath, [join(ROOT, 'scripts/bundle.mjs'), join(folder, 'dist')], {
    env: ownEnvironment(folder),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    renameSync(folder, made);
  } catch (error) {
    // Another test file was faster.
    rmSync(folder, { recursive: true });
    if (!existsSync(made)) throw error;
  }
  return made;
}

/** Links the installed packages, and scripts/npx as npm does, also as `platen`: documents call the command so. */
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
  for (const name of ['platen', 'render']) {
    rmSync(join(commands, name), { force: true });
    symlinkSync('../checkout-command/render.js', join(commands, name));
  }
}

/** The environment without the test runner's variables, and with npm's cache under `folder`. */
export function ownEnvironment(folder: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|TAP|NODE_OPTIONS|INIT_CWD)/i.test(name));
  return { ...Object.fromEntries(inherited), npm_config_cache: join(folder, '.npm') };
}

// Builds dist/: compiles each module with tsc into dist/modules, which the package does not contain, writes schema.json, bundles
// the library with its command, the library for browsers and the dashboard's pages, writes the documentation site, and lists the
// packages in all of it (sbom.mjs).
//   node scripts/build.mjs [--if-changed]   --if-changed skips the build if dist/ matches the sources
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAMP = join(ROOT, 'dist/sources.sha256');
const INPUTS = [
  'lib',
  'bin',
  'data/templates',
  'web',
  'docs',
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'bench/README.md',
  'examples',
  'scripts',
  'fonts',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Hashes everything that the build reads. npm runs `prepare` on every install and pack, mostly with unchanged sources. */
function hashInputs() {
  const hash = createHash('sha256');
  const add = (path) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else hash.update(`${relative(ROOT, path)}\n`).update(readFileSync(path));
  };
  for (const name of INPUTS) add(join(ROOT, name));
  return `${hash.digest('hex')}\n`;
}

const inputs = hashInputs();
const isBuilt =
  ['dist/bin/render.js', 'schema.json'].every((name) => existsSync(join(ROOT, name))) && existsSync(STAMP);
if (process.argv[2] !== '--if-changed' || !isBuilt || readFileSync(STAMP, 'utf8') !== inputs) {
  const run = (...args) => execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  rmSync(STAMP, { force: true });
  try {
    run(createRequire(import.meta.url).resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json');
    // the pages' JSON editor contains it
    const { payloadJsonSchema } = await import('../dist/modules/lib/contract/json-schema.js');
    writeFileSync(join(ROOT, 'schema.json'), `${JSON.stringify(payloadJsonSchema())}\n`);
    run('scripts/bundle.mjs');
    run('scripts/browser.mjs');
    run('scripts/web.mjs');
    run('scripts/docs.mjs');
    run('scripts/sbom.mjs');
  } catch (error) {
    // The compiler and the scripts have printed their own errors.
    if (error.status === undefined) console.error(error);
    process.exit(1);
  }
  writeFileSync(STAMP, inputs);
}

// Builds dist/ and schema.json, in parts, each from its own sources.
//   node scripts/build.mjs [PART…]                builds all parts, or these and those that they need
//   node scripts/build.mjs --if-changed [PART…]   those whose sources have changed, and those that are missing
//   node scripts/build.mjs --if-missing [PART…]   those that are missing
//   node scripts/build.mjs --prepare              what `npm ci` in a checkout builds: the command, so that the first picture
//                                                 takes seconds; others that are there stay up to date. Whoever installs
//                                                 the checkout elsewhere, as a folder or from git, gets all parts.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { argv, env } from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAMPS = join(ROOT, 'dist/stamps');
const PAGES = ['docs', 'README.md', 'CHANGELOG.md', 'bench/README.md', 'examples'];
const ENGINE = ['lib', 'fonts', 'scripts', 'package-lock.json'];
const TYPESCRIPT = ['tsconfig.json', 'tsconfig.build.json'];

/**
 * What each part is made of and by, in the order in which they are built. `output` is a file that the part is useless without.
 * @type {Record<string, { inputs: readonly string[], output: string, scripts: readonly string[], needs?: readonly string[] }>}
 */
const PARTS = {
  command: {
    inputs: [...ENGINE, 'bin', 'data/wasm/harfbuzz.wasm', 'data/wasm/translated'],
    output: 'dist/bin/render.js',
    scripts: ['scripts/wasm.mjs', 'scripts/bundle.mjs', 'scripts/api-page.mjs'],
  },
  schema: { inputs: ENGINE, output: 'schema.json', scripts: ['scripts/schema.mjs'] },
  /** Compiled module by module, for tools, which the package does not contain, and the declarations, which it does. */
  modules: {
    inputs: [...ENGINE, ...TYPESCRIPT, 'bin'],
    output: 'dist/types/index.d.ts',
    scripts: ['typescript', 'scripts/declarations.mjs'],
  },
  browser: { inputs: ENGINE, output: 'dist/browser/index.js', scripts: ['scripts/browser.mjs'] },
  dashboard: {
    inputs: [...ENGINE, ...TYPESCRIPT, 'web', 'data/templates'],
    output: 'dist/dashboard/manifest.json',
    scripts: ['scripts/web.mjs'],
    needs: ['schema'],
  },
  guide: {
    inputs: [...ENGINE, ...TYPESCRIPT, ...PAGES, 'web', 'data/templates'],
    output: 'dist/docs/index.html.br',
    scripts: ['scripts/docs.mjs'],
    needs: ['command', 'browser'],
  },
  /** The bill of materials, which needs esbuild's lists of what it bundled. */
  sbom: {
    inputs: [...ENGINE, ...TYPESCRIPT, 'bin', 'web', 'test/package-lock.json'],
    output: 'dist/sbom.cdx.json',
    scripts: ['scripts/sbom.mjs'],
    needs: ['command', 'browser', 'dashboard'],
  },
};

/** Hashes of files, by their paths: parts share most of their sources. */
const hashes = new Map();

/** The hash of everything that a part is made of. */
function hashInputs(name) {
  const hash = createHash('sha256');
  const add = (path) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) for (const entry of readdirSync(path).sort()) add(join(path, entry));
    else {
      const known = hashes.get(path) ?? createHash('sha256').update(readFileSync(path)).digest('hex');
      hashes.set(path, known);
      hash.update(`${relative(ROOT, path)} ${known}\n`);
    }
  };
  for (const input of PARTS[name].inputs) add(join(ROOT, input));
  return `${hash.digest('hex')}\n`;
}

const stampOf = (name) => join(STAMPS, name);
const isBuilt = (name) => existsSync(stampOf(name)) && existsSync(join(ROOT, PARTS[name].output));
const isCurrent = (name) => isBuilt(name) && readFileSync(stampOf(name), 'utf8') === hashInputs(name);

/** Whether npm runs this to install the packages of this checkout, not the checkout as a package of another folder. */
function isOwnInstall() {
  const { npm_config_local_prefix: prefix } = env;
  return prefix !== undefined && existsSync(prefix) && realpathSync(prefix) === realpathSync(ROOT);
}

/** The parts with those that they need, in the order of the table. */
function withNeeds(names) {
  const all = new Set(names);
  for (const name of all) for (const need of PARTS[name].needs ?? []) all.add(need);
  return Object.keys(PARTS).filter((name) => all.has(name));
}

function build(name) {
  const inputs = hashInputs(name);
  rmSync(stampOf(name), { force: true });
  for (const script of PARTS[name].scripts) {
    const words =
      script === 'typescript'
        ? [createRequire(import.meta.url).resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json']
        : [script];
    execFileSync(process.execPath, words, { cwd: ROOT, stdio: 'inherit' });
  }
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(stampOf(name), inputs);
}

const [mode, names] = argv[2]?.startsWith('--') ? [argv[2], argv.slice(3)] : ['', argv.slice(2)];
const unknown = names.find((name) => !Object.hasOwn(PARTS, name));
if (!['', '--if-changed', '--if-missing', '--prepare'].includes(mode) || unknown !== undefined) {
  console.error(`error: received ${unknown ?? mode}, expected one of ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
const isDue = {
  '': () => true,
  '--if-changed': (name) => !isCurrent(name),
  '--if-missing': (name) => !isBuilt(name),
  '--prepare': (name) => (name === 'command' || isBuilt(name) || !isOwnInstall()) && !isCurrent(name),
}[mode];
try {
  for (const name of withNeeds(names.length > 0 ? names : Object.keys(PARTS))) if (isDue(name)) build(name);
} catch (error) {
  // The compiler and the scripts have printed their own errors.
  if (error.status === undefined) console.error(error);
  process.exit(1);
}

// Bundles TypeScript programs, and the test files of one group (selection.mjs), with the project's modules that they import
// into one module. Loading hundreds of modules one by one took half of the processor time of most test files.
//   node test/loader/bundle.mjs   bundles all test files, and the program, which tests start
// The bundle of a group runs those of its test files that start.mjs names, one after the other: what one has loaded and
// compiled is there for the next. A bundle is valid as long as its inputs have the same times and sizes. A program without one loads its modules one by one.
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { groupFiles, testFiles } from './selection.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The folder beside the packages of the tests, where Node finds both these and those of the root. */
const FOLDER = join(ROOT, 'test/node_modules/.cache/platen-test/bundles');
/** Programs that tests start with this loader: the command, and the worker processes of the modules under test. */
const PROGRAMS = ['bin/render.ts', 'lib/workers/child.ts'];
const INPUTS = '\n// inputs: ';

/** @param {string} path */
const bundleOf = (path) => `${join(FOLDER, relative(ROOT, path))}.js`;
/** The names of groups by the names of their files, as JSON. */
const GROUPS = join(FOLDER, 'groups.json');
/** @returns {Record<string, string>} */
const readGroups = () => (existsSync(GROUPS) ? JSON.parse(readFileSync(GROUPS, 'utf8')) : {});

/** @param {string} name of a file, relative to the root */
function stampOf(name) {
  const stats = statSync(join(ROOT, name), { throwIfNoEntry: false });
  return `${stats?.mtimeMs} ${stats?.size}`;
}

/**
 * The path of a program's bundle; undefined unless there is a valid one.
 * @param {string} path
 */
export function findBundle(path) {
  const group = path.endsWith('.test.ts') ? readGroups()[relative(ROOT, path)] : undefined;
  return findBundleOf(group === undefined ? path : join(ROOT, group));
}

function findBundleOf(path) {
  const bundle = bundleOf(path);
  let text;
  try {
    text = readFileSync(bundle, 'latin1');
  } catch {
    return undefined;
  }
  const inputs = Object.entries(JSON.parse(text.slice(text.lastIndexOf(INPUTS) + INPUTS.length)));
  return inputs.every(([name, stamp]) => stampOf(name) === stamp) ? bundle : undefined;
}

/**
 * Makes programs import bundles of the packages of ES modules, some of which have a hundred of them. Packages in CommonJS
 * load fast.
 */
const packages = (found) => ({
  name: 'packages',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, kind, resolveDir }) => {
      if (pluginData === found || kind === 'entry-point') return undefined;
      if (isBuiltin(path)) return { path, external: true };
      const module = await resolve(path, { kind, resolveDir, pluginData: found });
      if (module.errors.length > 0 || !isEsModule(module.path)) return { path, external: true };
      const name = path.replaceAll('/', '-').replace(/\.m?js$/, '');
      found.set(name, module.path);
      return { path: pathToFileURL(packageBundleOf(name)).href, external: true };
    });
  },
});

/** The test runner leaves its own modules out of stacks by their folder. */
const packageBundleOf = (name) => join(FOLDER, 'packages', name === 'tap' ? 'node_modules/@tapjs' : '', `${name}.mjs`);

/** Leaves modules in CommonJS out of the bundles of the packages. */
const commonjs = {
  name: 'commonjs',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./ }, async ({ path, pluginData, kind, resolveDir }) => {
      if (pluginData === commonjs || kind === 'entry-point') return undefined;
      if (isBuiltin(path)) return { path, external: true };
      const module = await resolve(path, { kind, resolveDir, pluginData: commonjs });
      if (module.errors.length > 0) return { path, external: true };
      return isEsModule(module.path) ? module : { path: pathToFileURL(module.path).href, external: true };
    });
  },
};

/** @param {string} path of a file in a package */
function isEsModule(path) {
  if (!path.endsWith('.js')) return path.endsWith('.mjs');
  let folder = dirname(path);
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).type === 'module';
}

/** A bundled module still finds the files beside its source. */
const moduleUrls = {
  name: 'module-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.m?[jt]s$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      // a variable, because some packages assign to it
      const url = `var moduleUrl = ${JSON.stringify(pathToFileURL(path).href)}; `;
      const contents = url + text.replace(/^#!/, '//').replaceAll('import.meta.url', 'moduleUrl');
      return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' };
    });
  },
};

/**
 * The modules of groups: each imports its files when it is their turn. The runner's test that a file imports is one within
 * that of the process.
 */
const groups = (files, found) => ({
  name: 'groups',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.slice('group:'.length), namespace: 'group' }));
    onLoad({ filter: /./, namespace: 'group' }, ({ path }) => {
      const imports = files.get(path).map((file) => `[${JSON.stringify(file)}, () => import('./${file}')]`);
      return { contents: `import { run } from 'tap';\nawait run([${imports.join(', ')}]);`, resolveDir: ROOT };
    });
    onResolve({ filter: /^tap$/ }, async ({ pluginData, resolveDir, kind }) => {
      if (pluginData === found) return undefined;
      const { path } = await resolve('tap', {
        kind,
        resolveDir: resolveDir.includes('/test') ? resolveDir : join(ROOT, 'test'),
        pluginData: found,
      });
      found.set('tap', path);
      return { path: 'tap', namespace: 'runner' };
    });
    onLoad({ filter: /./, namespace: 'runner' }, () => ({ contents: RUNNER, resolveDir: ROOT }));
  },
});

/** What test files import as the runner. */
const RUNNER = `
import root from ${JSON.stringify(pathToFileURL(packageBundleOf('tap')).href)};
import { relative } from 'node:path';
let current = root;
export default new Proxy(root, {
  get: (_, name) => (typeof current[name] === 'function' ? current[name].bind(current) : current[name]),
});
export async function run(files) {
  const named = (globalThis.namedTestFiles ?? [process.argv[1]]).map((path) => relative(${JSON.stringify(ROOT)}, path));
  for (const [name, load] of files.filter(([name]) => named.includes(name))) {
    await root.test(name, async (t) => {
      current = t;
      await load();
    });
  }
}`;

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  conditions: [],
  platform: 'node',
  format: 'esm',
  target: 'node20',
  write: false,
  logLevel: 'error',
};

/**
 * @param {readonly string[]} programs
 * @param {ReadonlyMap<string, readonly string[]>} files of groups
 */
async function makeBundles(programs, files) {
  const { build } = await import('esbuild');
  const started = Date.now();
  const found = new Map();
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    entryPoints: [
      ...programs.map((name) => ({ in: join(ROOT, name), out: name })),
      ...[...files.keys()].map((name) => ({ in: `group:${name}`, out: name })),
    ],
    // tests may import any module, most of which expect that the host is set
    inject: [join(ROOT, 'lib/node-host.ts')],
    outdir: FOLDER,
    sourcemap: 'external',
    sourcesContent: false,
    metafile: true,
    plugins: [groups(files, found), packages(found), moduleUrls],
  });
  const runner = found.get('tap');
  found.delete('tap');
  const others = await build({
    ...OPTIONS,
    entryPoints: Object.fromEntries(found),
    outdir: dirname(packageBundleOf('')),
    outExtension: { '.js': '.mjs' },
    splitting: true,
    plugins: [commonjs, moduleUrls],
  });
  for (const { path, contents } of others.outputFiles) write(path, contents);
  if (runner !== undefined) write(packageBundleOf('tap'), await makeRunner(runner));
  const own = [relative(ROOT, fileURLToPath(import.meta.url)), 'package-lock.json', 'test/package-lock.json'];
  // The maps come first: whoever reads a bundle finds its map.
  for (const { path, text } of outputFiles.sort((a, b) => b.path.endsWith('.map') - a.path.endsWith('.map'))) {
    if (path.endsWith('.map')) write(path, text);
    else {
      const sources = Object.keys(metafile.outputs[relative(ROOT, path)].inputs);
      const inputs = [...own, ...sources.filter((name) => !/^(group|runner):/.test(name))];
      write(path, `${text}//# sourceMappingURL=${basename(path)}.map${INPUTS}${stampsOf(inputs, started)}`);
    }
  }
}

/** The test runner that test files import, with its packages in CommonJS, which are many. */
async function makeRunner(path) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: [path],
    banner: {
      js: `import { createRequire as requireFor } from 'node:module';\nconst require = requireFor(import.meta.url);`,
    },
    plugins: [moduleUrls],
  });
  return outputFiles[0].contents;
}

/**
 * @param {readonly string[]} names
 * @param {number} started when the bundle was begun: what changed since then makes it invalid
 */
function stampsOf(names, started) {
  const isOld = (name) => statSync(join(ROOT, name)).mtimeMs < started;
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, isOld(name) ? stampOf(name) : ''])));
}

/** Writes at once, because test files run in parallel. */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const files = groupFiles(testFiles());
  const groupOf = Object.fromEntries([...files].flatMap(([group, paths]) => paths.map((path) => [path, group])));
  const before = Object.entries(readGroups());
  const isStale = (name) => findBundleOf(join(ROOT, name)) === undefined;
  const hasChanged = (group, paths) =>
    `${before.filter(([, name]) => name === group).map(([path]) => path)}` !== `${paths}`;
  const stale = new Map([...files].filter(([group, paths]) => isStale(group) || hasChanged(group, paths)));
  const programs = PROGRAMS.filter(isStale);
  // A module that can't be bundled fails its own tests only; esbuild's binary may be missing (npm's --omit=optional).
  const warn = ({ message }) => console.warn(`tests start slower: ${message}`);
  if (stale.size + programs.length > 0) await makeBundles(programs, stale).catch(warn);
  if (existsSync(FOLDER)) write(GROUPS, JSON.stringify(groupOf));
}

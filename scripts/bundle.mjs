// Bundles the library, the command and the worker process into dist/lib and dist/bin, split: what a render of text and shapes
// needs is one file, and everything else loads when it is used. Writes the declarations of the public types into dist/types, and
// the hyphenation patterns into dist/hyphenation.
//   node scripts/bundle.mjs [dist]
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import { build } from 'esbuild';
import { barcodeEncoder } from './barcode-encoder.mjs';
import { packageUrls } from './package-urls.mjs';
import { WASM_FILES } from './wasm-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const { HYPHENATION_PATTERNS } = await importModule('contract/layers/hyphenation-languages.js');

/**
 * Packages that are imported when the program runs. zod is not among them, although it is a dependency: its hundred modules
 * take 70 ms of processor time to load, two thirds of what a whole render of a text card takes.
 */
const IMPORTED = ['@jsquash/avif', '@jsquash/webp', 'jpeg-js', 'lowdb', 'opentype.js', 'qrcode-generator'];
/** What packages look for, and don't find here. */
const ABSENT = ['pg-native', 'cloudflare:sockets'];

/** The entry points, by their files in dist. */
const ENTRIES = {
  'lib/index': 'lib/index.ts',
  'lib/worker': 'lib/workers/child.ts',
  'bin/render': 'bin/render.ts',
};
/** What the file for renders of text and shapes contains, with everything that it imports. */
const CORE = ['lib/index.ts', 'lib/workers/run-job.ts', 'lib/codecs/png/encode.ts', 'lib/cli/commands/render.ts'];
/** What the command loads before it knows what it is asked to do. */
const WITHOUT_CORE = ['bin/program.ts', 'lib/cli/main.ts'];

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // V8 reads text of one byte per character faster
  charset: 'ascii',
  minify: true,
  legalComments: 'none',
  external: [...IMPORTED, ...IMPORTED.map((name) => `${name}/*`), ...ABSENT],
};

const CORE_MODULE = 'platen-core';
/**
 * Makes all modules of the core one chunk. esbuild makes a chunk of the modules that the same entry points reach, and every
 * dynamic import is an entry point: each of them imports the core first, so that all of them reach all of it.
 */
const oneCore = {
  name: 'one-core',
  setup({ onResolve, onLoad, resolve }) {
    const core = { path: CORE_MODULE, namespace: 'core', sideEffects: true };
    onResolve({ filter: new RegExp(`^${CORE_MODULE}$`) }, () => core);
    onLoad({ filter: /./, namespace: 'core' }, () => ({
      contents: CORE.map((name) => `import './${name}';`).join('\n'),
      resolveDir: ROOT,
    }));
    // package.json says that these modules have no effects, and an import without names would be left out
    onResolve({ filter: /./, namespace: 'core' }, ({ path }) => ({ path: join(ROOT, path), sideEffects: true }));
    onResolve({ filter: /^\.|^\// }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === oneCore || !['dynamic-import', 'entry-point'].includes(kind)) return undefined;
      const found = await resolve(path, { kind, resolveDir, pluginData: oneCore });
      const name = relative(ROOT, found.path);
      if (found.external || !name.startsWith('lib') || WITHOUT_CORE.includes(name)) return undefined;
      return { path: found.path, namespace: 'with-core' };
    });
    onResolve({ filter: /^\//, namespace: 'with-core' }, ({ path }) => ({ path, sideEffects: true }));
    onLoad({ filter: /./, namespace: 'with-core' }, ({ path }) => ({
      contents: `import '${CORE_MODULE}';\nexport * from ${JSON.stringify(path)};`,
      resolveDir: dirname(path),
    }));
  },
};

/** Packages in CommonJS call `require` for modules of Node. */
const REQUIRE = `import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);`;

for (const name of ['lib', 'bin', 'types', 'hyphenation']) rmSync(join(DIST, name), { recursive: true, force: true });
const { metafile } = await build({
  ...OPTIONS,
  entryPoints: Object.fromEntries(Object.entries(ENTRIES).map(([output, input]) => [output, `./${input}`])),
  outdir: DIST,
  chunkNames: 'lib/[name]-[hash]',
  splitting: true,
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  banner: { js: REQUIRE },
  plugins: [
    oneCore,
    barcodeEncoder,
    packageUrls({
      wasm: [...Object.keys(WASM_FILES), 'kernels'],
      hyphenation: HYPHENATION_PATTERNS,
      worker: 'worker.js',
    }),
  ],
});
// the client runs in browsers as well
const client = await build({
  ...OPTIONS,
  platform: 'neutral',
  target: 'es2022',
  entryPoints: { 'lib/client': 'lib/client/index.ts' },
  outdir: DIST,
  metafile: true,
});
copyFileSync(join(DIST, 'modules/lib/require.cjs'), join(DIST, 'lib/require.cjs'));
// npx links a checkout's command once and never sets its mode again.
chmodSync(join(DIST, 'bin/render.js'), 0o755);
// for the list of licences and the tests; not part of the package
const inputs = { ...metafile.inputs, ...client.metafile.inputs };
writeFileSync(join(DIST, 'lib.metafile.json'), JSON.stringify({ inputs, outputs: metafile.outputs }));

const require = createRequire(import.meta.url);
mkdirSync(join(DIST, 'hyphenation'));
for (const name of HYPHENATION_PATTERNS) {
  const json = JSON.stringify(require(`hyphen/patterns/${name}.js`));
  writeFileSync(join(DIST, 'hyphenation', `${name}.json.z`), deflateSync(json, { level: 9 }));
}

const DECLARED = ['index', 'client/index', 'browser', 'web-worker/client', 'wasm-module'];
copyDeclarations(DECLARED.map((name) => join(DIST, 'modules/lib', `${name}.d.ts`)));

/** Copies declarations, and those that they import, from dist/modules/lib to dist/types. */
function copyDeclarations(/** @type {readonly string[]} */ paths) {
  const seen = new Set(paths);
  for (const path of seen) {
    if (!existsSync(path)) continue;
    const text = readFileSync(path, 'utf8');
    const target = join(DIST, 'types', relative(join(DIST, 'modules/lib'), path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    for (const [, name] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.js['"]/g)) {
      seen.add(join(dirname(path), `${name}.d.ts`));
    }
  }
}

/** A module of lib, as compiled. */
async function importModule(/** @type {string} */ name) {
  return await import(pathToFileURL(join(DIST, 'modules/lib', name)).href);
}

// Bundles the library, the command and the worker process into dist/lib and dist/bin, split: what a render of text and shapes
// needs is one file, and everything else loads when it is used. Writes the hyphenation patterns into dist/hyphenation.bin.
//   node scripts/bundle.mjs [dist]
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { build } from 'esbuild';
import { archive } from './archive.mjs';
import { barcodeEncoder } from './barcode-encoder.mjs';
import { importSource } from './import-source.mjs';
import { nodeModules } from './node-modules.mjs';
import { packageUrls } from './package-urls.mjs';
import { WASM_FILES } from './wasm-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const { HYPHENATION_PATTERNS } = await importSource(`export * from './lib/contract/layers/hyphenation-languages.ts';`);

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
  'lib/jsx': 'lib/jsx/entry.ts',
  'lib/jsx-runtime': 'lib/jsx/runtime.ts',
  'lib/og': 'lib/og/node.ts',
  'lib/worker': 'lib/workers/child.ts',
  'bin/render': 'bin/render.ts',
};
/** What the file for renders of text and shapes contains, with everything that it imports. */
const CORE = ['lib/index.ts', 'lib/workers/run-job.ts', 'lib/codecs/png/encode.ts', 'lib/cli/commands/render.ts'];
/** What the file for the service and the commands contains beside it. */
const SERVER = ['lib/cli/commands/serve.ts', 'lib/cli/admin/index.ts', 'lib/cli/batch/index.ts'];
/** Modules that load the file for the service, too. */
const IN_SERVER = /^lib\/(?:cli\/(?!commands\/(?:render|watch|inspect|validate|fonts))|service|store|dashboard)/;
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
  // names stay, so that stacks can be read; to shorten them would save 3 % of the time of an import
  minifyWhitespace: true,
  minifySyntax: true,
  // Node prints the line that throws an error that nothing catches
  lineLimit: 160,
  legalComments: 'none',
  external: [...IMPORTED, ...IMPORTED.map((name) => `${name}/*`), ...ABSENT],
};

/**
 * Makes all modules of CORE one chunk, and those of SERVER another. esbuild makes a chunk of the modules that the same entry points reach, and every
 * dynamic import is an entry point: each of them imports these modules first, so that all of them reach all of it.
 */
const groups = {
  name: 'groups',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^platen-(?:core|server)$/ }, ({ path }) => ({ path, namespace: 'group', sideEffects: true }));
    onLoad({ filter: /./, namespace: 'group' }, ({ path }) => ({
      contents: (path === 'platen-core' ? CORE : SERVER).map((name) => `import './${name}';`).join('\n'),
      resolveDir: ROOT,
    }));
    // package.json says that these modules have no effects, and an import without names would be left out
    onResolve({ filter: /./, namespace: 'group' }, ({ path }) => ({ path: join(ROOT, path), sideEffects: true }));
    onResolve({ filter: /^\.|^\// }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === groups || !['dynamic-import', 'entry-point'].includes(kind)) return undefined;
      const found = await resolve(path, { kind, resolveDir, pluginData: groups });
      const name = relative(ROOT, found.path);
      if (found.external || !name.startsWith('lib') || WITHOUT_CORE.includes(name)) return undefined;
      return { path: found.path, namespace: IN_SERVER.test(name) ? 'in-server' : 'in-core' };
    });
    for (const namespace of ['in-core', 'in-server']) {
      const imports = namespace === 'in-core' ? ['platen-core'] : ['platen-core', 'platen-server'];
      onResolve({ filter: /^\//, namespace }, ({ path }) => ({ path, sideEffects: true }));
      onLoad({ filter: /./, namespace }, ({ path }) => ({
        contents: `${imports.map((name) => `import '${name}';`).join('\n')}\nexport * from ${JSON.stringify(path)};`,
        resolveDir: dirname(path),
      }));
    }
  },
};

/** Packages in CommonJS call `require` for modules of Node. */
const REQUIRE = `import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);`;

for (const name of ['lib', 'bin']) rmSync(join(DIST, name), { recursive: true, force: true });
const { metafile } = await build({
  ...OPTIONS,
  entryPoints: Object.fromEntries(Object.entries(ENTRIES).map(([output, input]) => [output, `./${input}`])),
  outdir: DIST,
  chunkNames: 'lib/[name]-[hash]',
  splitting: true,
  metafile: true,
  banner: { js: REQUIRE },
  plugins: [
    nodeModules,
    groups,
    barcodeEncoder,
    packageUrls({
      wasm: [...Object.keys(WASM_FILES), 'kernels'],
      hyphenation: true,
      worker: 'worker.js',
    }),
  ],
});
// the client runs in browsers as well, and in programs of CommonJS
const CLIENT = {
  ...OPTIONS,
  platform: 'neutral',
  target: 'es2022',
  entryPoints: { 'lib/client': 'lib/client/index.ts' },
  outdir: DIST,
};
const client = await build({ ...CLIENT, metafile: true });
await build({ ...CLIENT, format: 'cjs', outExtension: { '.js': '.cjs' } });
await build({
  ...OPTIONS,
  bundle: false,
  external: undefined,
  format: 'cjs',
  entryPoints: { 'lib/require': 'lib/require.cts' },
  outExtension: { '.js': '.cjs' },
  outdir: DIST,
});
// npx links a checkout's command once and never sets its mode again.
chmodSync(join(DIST, 'bin/render.js'), 0o755);
// for the list of licences and the tests; not part of the package
const inputs = { ...metafile.inputs, ...client.metafile.inputs };
writeFileSync(join(DIST, 'lib.metafile.json'), JSON.stringify({ inputs, outputs: metafile.outputs }));

writeFileSync(join(DIST, 'hyphenation.bin'), hyphenationFile());

/** An archive of the sets of patterns, each deflated. */
function hyphenationFile() {
  const require = createRequire(import.meta.url);
  return archive(
    HYPHENATION_PATTERNS.map((name) => [
      name,
      deflateSync(JSON.stringify(require(`hyphen/patterns/${name}.js`)), { level: 9 }),
    ]),
  );
}

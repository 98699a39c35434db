// Bundles the library for browsers and edge runtimes into dist/browser, split so that codecs load when a payload needs them,
// and once in one file. They find the WebAssembly files beside it, in dist/wasm.
//   node scripts/browser.mjs [dist]
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENGINE_BUNDLE } from './engine-bundle.mjs';
import { markLateImports, packageUrls } from './package-urls.mjs';
import { WASM_FILES } from './wasm-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const OUT = join(DIST, 'browser');

rmSync(OUT, { recursive: true, force: true });
// Node's library works without esbuild's binary, which may be missing (npm's --omit=optional, or an unsupported system).
const { build } = await import('esbuild').catch(({ message }) => {
  console.warn(`the library is not bundled for browsers: ${message}`);
  process.exit(0);
});

const NAMESPACE = 'with-library';

/**
 * Makes what is loaded later import the library first, which is there by then. esbuild makes a chunk of the modules that the same
 * entry points reach, and every such import is one: without this, each takes a part of the library out into a small file, 40
 * files in all, which are 9 KiB larger when compressed. The import itself is left out of the output, as the library has no
 * effects, and esbuild warns of it; it counts all the same.
 */
const wholeLibrary = {
  name: 'whole-library',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^\./ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === wholeLibrary) return undefined;
      const found = await resolve(path, { kind, resolveDir, pluginData: wholeLibrary });
      if (found.external || !relative(ROOT, found.path).startsWith('lib')) return undefined;
      return { path: found.path, namespace: NAMESPACE };
    });
    onResolve({ filter: /^\//, namespace: NAMESPACE }, ({ path }) => ({ path, sideEffects: true }));
    onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
      contents: `import ${JSON.stringify(join(ROOT, 'lib/browser.ts'))};\nexport * from ${JSON.stringify(path)};`,
      resolveDir: dirname(path),
    }));
  },
};

const OPTIONS = {
  ...ENGINE_BUNDLE,
  plugins: [...ENGINE_BUNDLE.plugins, packageUrls({ wasm: [...Object.keys(WASM_FILES), 'kernels'] })],
};
const { metafile } = await build({
  ...OPTIONS,
  plugins: [wholeLibrary, ...OPTIONS.plugins],
  outdir: OUT,
  entryPoints: { index: 'lib/browser.ts', client: 'lib/web-worker/client.ts', worker: 'lib/web-worker/worker.ts' },
  chunkNames: '[name]-[hash]',
  splitting: true,
  metafile: true,
  logOverride: { 'ignored-bare-import': 'silent' },
});
// service workers can't import later
await build({ ...OPTIONS, outdir: OUT, entryPoints: { 'service-worker': 'lib/browser.ts' } });
markLateImports(OUT);
for (const output of Object.values(metafile.outputs)) {
  output.entryPoint = output.entryPoint?.replace(`${NAMESPACE}:${ROOT}`, '');
  for (const input of Object.keys(output.inputs)) if (input.startsWith(NAMESPACE)) delete output.inputs[input];
}
for (const input of Object.keys(metafile.inputs)) if (input.startsWith(NAMESPACE)) delete metafile.inputs[input];
// for the tests of what the bundle holds and the list of licences; not part of the package
writeFileSync(join(DIST, 'browser.metafile.json'), JSON.stringify(metafile));

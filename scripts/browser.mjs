// Bundles the library for browsers and edge runtimes into dist/browser, split so that codecs load when a payload needs them,
// and once in one file. They find the WebAssembly files beside it, in dist/wasm.
//   node scripts/browser.mjs [dist]
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

const OPTIONS = {
  ...ENGINE_BUNDLE,
  plugins: [...ENGINE_BUNDLE.plugins, packageUrls({ wasm: [...Object.keys(WASM_FILES), 'kernels'] })],
};
const { metafile } = await build({
  ...OPTIONS,
  outdir: OUT,
  entryPoints: {
    index: 'lib/browser.ts',
    client: 'lib/web-worker/client.ts',
    worker: 'lib/web-worker/worker.ts',
    jsx: 'lib/jsx/entry.ts',
    og: 'lib/og/browser.ts',
  },
  chunkNames: '[name]-[hash]',
  splitting: true,
  metafile: true,
});
// service workers can't import later
await build({ ...OPTIONS, outdir: OUT, entryPoints: { 'service-worker': 'lib/browser.ts' } });
markLateImports(OUT);
// for the tests of what the bundle holds and the list of licences; not part of the package
writeFileSync(join(DIST, 'browser.metafile.json'), JSON.stringify(metafile));

// Bundles the library for browsers and edge runtimes into dist/browser, split so that codecs load when a payload needs them,
// and once in one file, and writes the WebAssembly files beside it, into dist/wasm.
//   node scripts/browser.mjs [dist]
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import binaryen from 'binaryen';
import { ENGINE_BUNDLE } from './engine-bundle.mjs';
import { packageUrls } from './package-urls.mjs';
import { prepareWasm, WASM_FILES } from './wasm-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const OUT = join(DIST, 'browser');
const WASM = join(DIST, 'wasm');

rmSync(OUT, { recursive: true, force: true });
rmSync(WASM, { recursive: true, force: true });
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
  entryPoints: { index: 'lib/browser.ts', client: 'lib/web-worker/client.ts', worker: 'lib/web-worker/worker.ts' },
  chunkNames: '[name]-[hash]',
  splitting: true,
  metafile: true,
});
// service workers can't import later
await build({ ...OPTIONS, outdir: OUT, entryPoints: { 'service-worker': 'lib/browser.ts' } });
// for the tests of what the bundle holds and the list of licences; not part of the package
writeFileSync(join(DIST, 'browser.metafile.json'), JSON.stringify(metafile));

const { MODULE } = await import(pathToFileURL(join(DIST, 'modules/lib/kernels/module.js')).href);
mkdirSync(WASM, { recursive: true });
writeFileSync(join(WASM, 'kernels.wasm'), Buffer.from(MODULE, 'base64'));
for (const [name, file] of Object.entries(WASM_FILES)) {
  const bytes = prepareWasm(readFileSync(createRequire(import.meta.url).resolve(file.specifier)), file);
  writeFileSync(join(WASM, `${name}.wasm`), name === 'harfbuzz' ? withoutUnused(bytes) : bytes);
}

/**
 * HarfBuzz without the functions that lib/text/harfbuzz does not call: 7 % less, compressed.
 * @param {Uint8Array} bytes
 */
function withoutUnused(bytes) {
  const folder = join(ROOT, 'lib/text/harfbuzz');
  const source = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const used = new Set(source.join(' ').match(/\w+/g));
  const module = binaryen.readBinary(bytes);
  // every supported engine must read the result
  const { Features } = binaryen;
  module.setFeatures(
    Features.BulkMemory |
      Features.BulkMemoryOpt |
      Features.CallIndirectOverlong |
      Features.MutableGlobals |
      Features.NontrappingFPToInt |
      Features.ReferenceTypes |
      Features.SignExt,
  );
  for (const { name } of WebAssembly.Module.exports(new WebAssembly.Module(bytes))) {
    if (!used.has(name)) module.removeExport(name);
  }
  module.runPasses(['remove-unused-module-elements']);
  binaryen.setOptimizeLevel(2);
  binaryen.setShrinkLevel(2);
  module.optimize();
  const smaller = module.emitBinary();
  if (!module.validate() || !WebAssembly.validate(smaller)) throw new Error('the smaller HarfBuzz is not valid');
  return smaller;
}

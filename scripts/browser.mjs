// Bundles the library for browsers and edge runtimes into dist/browser, split so that codecs load when a payload needs them,
// and once in one file, and writes the WebAssembly files beside it, into dist/wasm.
//   node scripts/browser.mjs [dist]
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import binaryen from 'binaryen';
import { licencesOf } from './licences.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const OUT = join(DIST, 'browser');
const WASM = join(DIST, 'wasm');

rmSync(OUT, { recursive: true, force: true });
rmSync(WASM, { recursive: true, force: true });
// If esbuild's binary is missing (npm's --omit=optional, or an unsupported system), Node's library works all the same.
const { build } = await import('esbuild').catch(({ message }) => {
  console.warn(`the library is not bundled for browsers: ${message}`);
  process.exit(0);
});

/**
 * What packages do that is of no use here: look for their WebAssembly files, which bundlers then look for too, compile
 * functions from text, which content security policies forbid, and start threads.
 */
const REPLACEMENTS = [
  {
    // each codec has one of its own name
    path: /@jsquash\/\w+\/codec\/\w+\/(\w+)\.js$/,
    edits: ([, name]) => [
      [`new URL("${name}.wasm",import.meta.url).href`, '""'],
      ['if(import.meta.url===undefined){import.meta.url="https://localhost"}', ''],
      ['var _scriptDir = import.meta.url;', 'var _scriptDir = "";'],
    ],
  },
  {
    path: /@resvg\/resvg-wasm\/index\.mjs$/,
    edits: () => [],
  },
  {
    path: /brotli-dec-wasm\/pkg\/brotli_dec_wasm\.js$/,
    edits: () => [['new URL("brotli_dec_wasm_bg.wasm",import.meta.url)', '""']],
  },
  {
    // lib/contract/zod-jitless.ts turns it off; without it, no policy checker finds it either
    path: /zod\/v4\/core\/(?:doc|compile|util)\.js$/,
    edits: () => [['const F = Function;', 'const F = undefined;']],
  },
];

/** Every supported browser has SIMD, and threads are never used. */
const FEATURES = 'export const simd = async () => true;\nexport const threads = async () => false;\n';

const packages = {
  name: 'packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^wasm-feature-detect$/ }, () => ({ path: 'wasm-feature-detect', namespace: 'features' }));
    onLoad({ filter: /./, namespace: 'features' }, () => ({ contents: FEATURES }));
    // the encoders that detection would choose elsewhere
    onResolve({ filter: /\/(?:webp_enc|avif_enc_mt)\.js$/ }, () => ({ path: 'none', namespace: 'none' }));
    onLoad({ filter: /./, namespace: 'none' }, () => ({ contents: 'export default undefined;' }));
    onLoad({ filter: /node_modules.*\.m?js$/ }, ({ path }) => {
      const name = relative(ROOT, path).split(sep).join('/');
      const found = REPLACEMENTS.find((replacement) => replacement.path.test(name));
      if (!found) return undefined;
      let contents = readFileSync(path, 'utf8');
      for (const [from, to] of found.edits(found.path.exec(name))) {
        if (contents.split(from).length !== 2) throw new Error(`${name}: expected exactly one ${from}`);
        contents = contents.replace(from, () => to);
      }
      return { contents, loader: 'js' };
    });
  },
};

/** What renders need of it: a quarter of its bytes, compressed. */
const manifest = JSON.parse(readFileSync(join(ROOT, 'fonts/manifest.json'), 'utf8'));
for (const face of manifest.faces) for (const field of ['bytes', 'sha256', 'source']) delete face[field];

const common = {
  absWorkingDir: ROOT,
  outdir: OUT,
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  charset: 'utf8',
  minify: true,
  legalComments: 'none',
  define: {
    FONT_MANIFEST: JSON.stringify(JSON.stringify(manifest)),
    // packages ask whether they run in Node, and would use it
    process: 'undefined',
    Buffer: 'undefined',
  },
  plugins: [packages],
};
const { metafile } = await build({
  ...common,
  entryPoints: { index: 'lib/browser.ts', client: 'lib/web-worker/client.ts', worker: 'lib/web-worker/worker.ts' },
  chunkNames: '[name]-[hash]',
  splitting: true,
  metafile: true,
});
// service workers can't import later
await build({ ...common, entryPoints: { 'service-worker': 'lib/browser.ts' } });
writeFileSync(join(OUT, 'licences.txt'), licencesOf(Object.keys(metafile.inputs)));
// for the test of what the bundle holds; not part of the package
writeFileSync(join(DIST, 'browser.metafile.json'), JSON.stringify(metafile));

const importBuilt = (path) => import(pathToFileURL(join(DIST, 'lib', path)).href);
const { WASM_FILES, prepareWasm } = await importBuilt('wasm-files.js');
const { MODULE } = await importBuilt('kernels/module.js');
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

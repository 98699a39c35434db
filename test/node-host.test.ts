// The host on Node: every WebAssembly module compiles and belongs to what its name says, and fonts are found by their paths.
import t from 'tap';
import { host, type WasmName } from '../lib/host.js';
import { hasWebAssembly, useKernels } from '../lib/kernels/kernels.js';
import { withModule } from '../lib/kernels/wasm-module.js';

const NAMES: readonly WasmName[] = [
  'kernels',
  'harfbuzz',
  'harfbuzz-subset',
  'jpeg-decoder',
  'webp-decoder',
  'webp-encoder',
  'avif-decoder',
  'avif-encoder',
  'resvg',
  'barcode-reader',
  'woff2-encoder',
];

t.test('compiles each WebAssembly module once', async (t) => {
  for (const name of NAMES) {
    const module = await host().loadWasm(name);
    t.ok(module instanceof WebAssembly.Module, name);
    t.equal(await host().loadWasm(name), module, `${name} again`);
  }
  const exported = WebAssembly.Module.exports(await host().loadWasm('kernels')).map(({ name }) => name);
  t.ok(exported.includes('glyphCoverage'));
  t.ok(WebAssembly.Module.exports(await host().loadWasm('harfbuzz')).some(({ name }) => name === 'hb_shape'));
});

t.test(
  'loads the translation of each module but those of AVIF, the subsetter, the encoder of WOFF2 and what has a plain twin',
  async (t) => {
    for (const name of NAMES) {
      if (/kernels|avif|subset|woff2/.test(name))
        await t.rejects(host().loadTranslation(name), { code: 'ERR_PLATEN_FILES_MISSING' });
      else t.type(await host().loadTranslation(name), 'function', name);
    }
  },
);

t.test('a loader finds a stand-in for WebAssembly while it runs, and no longer', async (t) => {
  const usual = WebAssembly;
  useKernels(() => {
    throw new RangeError('out of memory');
  });
  t.equal(await hasWebAssembly(), false);
  const seen: unknown[] = [];
  const start = (module: WebAssembly.Module) => {
    seen.push(module instanceof WebAssembly.Module, WebAssembly === usual, typeof Response);
    throw new Error('a loader that fails');
  };
  await t.rejects(withModule('webp-decoder', start), { message: 'a loader that fails' });
  t.same(seen, [true, false, 'undefined']);
  t.equal(WebAssembly, usual);
  t.type(Response, 'function');
});

t.test('reads a font file by its path, and rejects one that is missing', async (t) => {
  const text = new TextDecoder().decode(await host().readFontFile('manifest.json'));
  t.equal(host().readManifest(), text);
  await t.rejects(host().readFontFile('none/none.ttf'), { code: 'ENOENT' });
});

t.test('digests by SHA-256', async (t) => {
  const abc = new TextEncoder().encode('abc');
  t.equal(await host().digest(abc), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

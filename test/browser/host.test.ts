// The host of browsers, without one: what it says of fonts and modules that can't be loaded, and that it tries again.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { setBrowserHost } from '../../lib/browser/host.js';
import { host } from '../../lib/host.js';

const setSources = setBrowserHost({
  manifest: '{}',
  packageUrls: async () => ({
    fontUrl: (path) => new URL(`https://site.example/platen/fonts/${path}`),
    wasmUrl: (name) => new URL(`https://site.example/platen/dist/wasm/${name}.wasm`),
    translationUrl: (name) => new URL(`https://site.example/platen/dist/wasm/${name}.js.gz`),
  }),
});

t.test('a second URL is refused, unless nothing could be loaded from the first', async (t) => {
  setSources({ fontsUrl: 'https://one.example/', fetch: async () => new Response('none', { status: 404 }) });
  setSources({ fontsUrl: 'https://one.example' });
  t.throws(() => setSources({ fontsUrl: 'https://two.example/' }), {
    code: 'invalid_request',
    message: /^fontsUrl: received https:\/\/two\.example\/, but .* use https:\/\/one\.example\/$/,
  });
  await t.rejects(host().readFontFile('a.woff2'), { code: 'asset_failed', message: /answered 404/ });
  setSources({ fontsUrl: 'https://site.example/platen/fonts/' });
});

t.test('digests alike with and without WebCrypto', async (t) => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * 31 + (i >> 8)) & 255);
  const parts = [0, 55, 56, 64, 1000].map((length) => bytes.subarray(0, length));
  const expected = parts.map((part) => createHash('sha256').update(part).digest('hex'));
  t.same(await Promise.all(parts.map((part) => host().digest(part))), expected);
  const crypto = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!;
  t.teardown(() => Object.defineProperty(globalThis, 'crypto', crypto));
  Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true });
  t.same(await Promise.all(parts.map((part) => host().digest(part))), expected);
});

t.test("images don't come by the fetch of another renderer", async (t) => {
  const asked: string[] = [];
  setSources({
    fetch: async (url) => {
      asked.push(url);
      return new Response('ok');
    },
  });
  const image = new URL('data:text/plain,image');
  const { bytes } = await host().fetchAsset(image, { timeoutMs: 30_000, maxBytes: 100 });
  t.same([new TextDecoder().decode(bytes), asked], ['image', []]);
});

t.test('names a font or module that can not be loaded, and tries again', async (t) => {
  const page = new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
  const broken = new Response(
    new ReadableStream({ pull: (controller) => controller.error(new TypeError('network error')) }),
  );
  const text = new Response('not a module', { headers: { 'content-type': 'application/wasm' } });
  const answers = [
    page,
    broken,
    new Response('ok'),
    page.clone(),
    text,
    new Response(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)),
  ];
  setSources({ fetch: async () => answers.shift() as Response });
  const font = 'https://site.example/platen/fonts/a.woff2';
  const fontHint = "fontsUrl must be the URL of the package's folder fonts";
  const read = () => host().readFontFile('a.woff2');
  await t.rejects(read(), {
    code: 'asset_failed',
    message: `${font} can't be loaded (the server answered with an HTML page): ${fontHint}`,
  });
  await t.rejects(read(), {
    code: 'asset_failed',
    message: `${font} can't be loaded (it can't be reached, or its server does not allow it): ${fontHint}`,
  });
  t.same(await read(), new TextEncoder().encode('ok'));

  const module = 'https://site.example/platen/dist/wasm/harfbuzz.wasm';
  const moduleHint = "wasmUrl must be the URL of the package's folder dist/wasm";
  const load = () => host().loadWasm('harfbuzz');
  await t.rejects(load(), {
    code: 'render_failed',
    message: `${module} can't be loaded (the server answered with an HTML page): ${moduleHint}`,
  });
  await t.rejects(load(), {
    code: 'render_failed',
    message: `${module} can't be loaded (it is no WebAssembly): ${moduleHint}`,
  });
  t.type(await load(), WebAssembly.Module);
});

t.test('runs a translation, packed or unpacked by the server, and says why it can not', async (t) => {
  const scripts: Promise<string>[] = [];
  let href = '';
  t.intercept(URL, 'createObjectURL', {
    value: (blob: Blob) => {
      scripts.push(blob.text());
      return href;
    },
  });
  const script = "(()=>()=>'instance')();";
  const answers = [new Response(gzipSync(script)), new Response(script), new Response('none', { status: 404 })];
  const asked: string[] = [];
  setSources({
    fetch: async (url) => {
      asked.push(url);
      return answers.shift() ?? new Response(script);
    },
  });
  href = `data:text/javascript,export default ${script}`;
  const load = async (name: 'harfbuzz' | 'resvg') => (await host().loadTranslation(name))({});
  t.equal(await load('harfbuzz'), 'instance');
  t.equal(await load('harfbuzz'), 'instance');
  t.equal(await load('resvg'), 'instance');
  t.same(
    asked,
    ['harfbuzz', 'resvg'].map((name) => `https://site.example/platen/dist/wasm/${name}.js.gz`),
  );
  t.same(await Promise.all(scripts), Array(2).fill(`export default ${script}`));

  await t.rejects(host().loadTranslation('webp-decoder'), {
    code: 'render_failed',
    message: /webp-decoder\.js\.gz can't be loaded \(the server answered 404\): wasmUrl must be the URL /,
  });
  // what a policy forbids can't be imported either
  href = 'file:///none/script.js';
  await t.rejects(host().loadTranslation('webp-decoder'), {
    code: 'render_failed',
    message: /^webp-decoder\.js\.gz, for browsers without WebAssembly, can't run: .* lacks script-src blob:$/,
  });
});

t.test('takes a URL of a bundler that is relative to the page', async (t) => {
  t.intercept(globalThis, 'location', { value: { href: 'https://site.example/app/' } });
  // as Turbopack writes it: not every field is that of a URL
  const relative = (href: string) => ({ href, toString: () => href }) as URL;
  const urls = {
    fontUrl: (path: string) => relative(`/static/${path}`),
    wasmUrl: () => undefined,
    translationUrl: () => undefined,
  };
  const set = setBrowserHost({ manifest: '{}', packageUrls: async () => urls });
  const asked: string[] = [];
  set({
    fetch: async (url) => {
      asked.push(url);
      return new Response('ok');
    },
  });
  t.same(await host().readFontFile('a.woff2'), new TextEncoder().encode('ok'));
  t.same(asked, ['https://site.example/static/a.woff2']);
});

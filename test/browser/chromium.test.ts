// The bundle for browsers, in Chromium under a strict content security policy: the same pixels and files as in Node.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadManifest } from '../../lib/fonts/bundled.js';
import { listFonts, validate } from '../../lib/index.js';
import { createRenderer } from '../any-payload.js';
import { CHROMIUM, startChromium } from '../chromium.js';
import { ROOT, serveSite } from './site.js';

const FOLDER = join(ROOT, 'examples');
const SCRIPT = `
import * as platen from '/dist/browser/index.js';
const hex = async (bytes) => {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};
window.platen = platen;
window.hex = hex;
window.renderer = platen.createRenderer();
window.pixels = async (payload) => {
  const { data, width, height, warnings } = await renderer.renderToPixels(payload);
  return { sha256: await hex(data), width, height, warnings };
};
window.file = async (payload, options) => {
  const { bytes, mimeType } = await renderer.render(payload, options);
  return { sha256: await hex(bytes), mimeType };
};
`;

const sha256 = (bytes: Uint8Array | Uint8ClampedArray) => createHash('sha256').update(bytes).digest('hex');

const fixtureUrl = (name: string) =>
  `data:;base64,${readFileSync(join(ROOT, 'test/codecs/fixtures', name)).toString('base64')}`;

/** A WOFF2 file. */
const brand = loadManifest().faces.find(({ format, family }) => format === 'woff2' && family === 'Lato')!;

/** The examples with their pictures in the payload. */
const examples = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8').replace(/"((?:pictures|fonts)\/[^"]+)"/g, (_, path) => {
      return JSON.stringify(`data:;base64,${readFileSync(join(FOLDER, path)).toString('base64')}`);
    });
    return { name, payload: JSON.parse(text) };
  });

t.test('renders in Chromium', { skip: CHROMIUM ? false : 'there is no Chromium' }, async (t) => {
  const site = await serveSite(t, SCRIPT);
  const open = await startChromium(t);
  const page = await open(site.origin);
  const renderer = createRenderer();
  const call = <Value>(name: string, ...values: unknown[]) =>
    page.evaluate<Value>(`${name}(${values.map((value) => JSON.stringify(value)).join(', ')})`);
  while (!(await page.evaluate<boolean>('window.file !== undefined')))
    await new Promise((resolve) => setTimeout(resolve, 20));

  await t.test('the pixels of all examples are those of Node', async (t) => {
    for (const { name, payload } of examples) {
      const { data, width, height, warnings } = await renderer.renderToPixels(payload);
      t.same(await call('pixels', payload), { sha256: sha256(data), width, height, warnings }, name);
    }
  });
  await t.test('SVG and PDF of all examples are the files of Node', async (t) => {
    for (const format of ['svg', 'pdf'] as const) {
      site.requested();
      for (const { name, payload } of examples) {
        const { bytes, mimeType } = await renderer.render(payload, { format });
        t.same(await call('file', payload, { format }), { sha256: sha256(bytes), mimeType }, `${name}, ${format}`);
      }
      const hasSubsetter = site.requested().includes('/dist/wasm/harfbuzz-subset.wasm');
      t.equal(hasSubsetter, format === 'pdf', 'fonts are subset for PDF alone');
    }
  });
  await t.test('lines break by the same dictionaries, each requested when a text needs it', async (t) => {
    site.requested();
    for (const [script, families] of [
      ['lao', 'Lao'],
      ['khmer', 'Khmer'],
      ['burmese', 'Myanmar'],
      ['thai', 'Thai'],
    ]) {
      const lines = readFileSync(join(ROOT, `test/text/line-breaks/${script}.txt`), 'utf8');
      const text = lines.replaceAll('|', '').replaceAll('\n', ' ').slice(0, 600);
      const box = { x: 0, y: 0, width: 300, height: 600 };
      const layer = { type: 'text', ...box, text, fontSize: 14, fontFamily: `Noto Sans ${families}` };
      const payload = { canvas: { width: 300, height: 600 }, layers: [layer] };
      const { data, width, height, warnings } = await renderer.renderToPixels(payload);
      t.same(await call('pixels', payload), { sha256: sha256(data), width, height, warnings }, script);
      const dictionaries = site.requested().filter((path) => path.includes('dictionaries'));
      // the examples have Thai text
      t.same(dictionaries, script === 'thai' ? [] : [`/fonts/dictionaries/${script}.bin`]);
    }
  });

  await t.test('codes are read back as on Node', async (t) => {
    const code = { type: 'qrcode', data: 'https://example.com/4711', x: 10, y: 10, width: 180, height: 180 };
    const card = (more: object) => ({
      canvas: { width: 200, height: 200, backgroundColor: '#ffffff' },
      layers: [{ ...code, verify: 'warn', ...more }],
    });
    for (const payload of [card({}), card({ colorDark: '#dddddd' })]) {
      const { data, width, height, warnings } = await renderer.renderToPixels(payload);
      t.same(await call('pixels', payload), { sha256: sha256(data), width, height, warnings });
    }
  });

  site.requested();
  const box = { x: 0, y: 0, width: 60, height: 40 };
  const canvas = { width: 60, height: 40, backgroundColor: '#fffbe6' };
  const chunksOf = (paths: readonly string[]) =>
    paths.filter((path) => path.endsWith('.wasm') || path.startsWith('/fonts/')).map((path) => path.split('/').pop());

  await t.test('a payload requests only what it needs', async (t) => {
    const other = await open(site.origin);
    while (!(await other.evaluate<boolean>('window.file !== undefined')))
      await new Promise((wait) => setTimeout(wait, 20));
    site.requested();
    const layers = [
      { type: 'qrcode', data: 'platen', ...box },
      { type: 'shape', shapeType: 'circle', fill: 'red', ...box },
      { type: 'image', url: fixtureUrl('quadrants-420.jpg'), ...box },
      { type: 'image', url: fixtureUrl('quadrants-interlaced.gif'), ...box },
    ];
    await other.evaluate(`file(${JSON.stringify({ canvas, layers })}, { format: 'jpeg' })`);
    t.same(chunksOf(site.requested()), ['kernels.wasm']);
    await other.evaluate(`file(${JSON.stringify({ canvas, layers: [{ type: 'text', text: 'Hi', ...box }] })})`);
    const loaded = chunksOf(site.requested());
    t.ok(loaded.includes('harfbuzz.wasm'));
    t.notOk(loaded.some((name) => /resvg|avif|webp|jpeg/.test(name ?? '')));
    t.notOk(loaded.includes('coverage.txt'), 'a face that has all characters needs no others');
    const verified = { type: 'qrcode', data: 'platen', verify: 'warn', ...box };
    await other.evaluate(`file(${JSON.stringify({ canvas, layers: [verified] })})`);
    t.same(chunksOf(site.requested()), ['barcode-reader.wasm'], 'a module of its own reads codes back');
  });

  await t.test('decodes and encodes every format as Node does', async (t) => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><circle r="30" fill="teal"/><text y="30">Aé</text></svg>';
    const urls = {
      svg: `data:image/svg+xml,${encodeURIComponent(svg)}`,
      'webp, lossless': fixtureUrl('quadrants-lossless.webp'),
      'webp, animated': fixtureUrl('quadrants-animated.webp'),
      avif: fixtureUrl('quadrants-turned.avif'),
      'jpeg, progressive': fixtureUrl('quadrants-progressive.jpg'),
      'jpeg, CMYK': fixtureUrl('quadrants-cmyk.jpg'),
      gif: fixtureUrl('quadrants-interlaced.gif'),
    };
    for (const [name, url] of Object.entries(urls)) {
      const payload = { canvas, layers: [{ type: 'image', url, ...box }] };
      const { data, width, height, warnings } = await renderer.renderToPixels(payload);
      t.same(await call('pixels', payload), { sha256: sha256(data), width, height, warnings }, name);
    }
    const photo = { canvas, layers: [{ type: 'image', url: fixtureUrl('noise-420.jpg'), ...box }] };
    for (const format of ['png', 'jpeg', 'webp', 'avif'] as const) {
      const { bytes, mimeType } = await renderer.render(photo, { format });
      t.same(await call('file', photo, { format }), { sha256: sha256(bytes), mimeType }, format);
    }
  });

  await t.test('fetches pictures within the limits, and says what is wrong', async (t) => {
    const imageAt = (path: string) => ({ canvas, layers: [{ type: 'image', url: `${site.origin}${path}`, ...box }] });
    const failure = (payload: unknown, options = {}) =>
      page.evaluate<string>(
        `platen.render(${JSON.stringify(payload)}, ${JSON.stringify(options)}).then(() => 'rendered', (error) => error.code + ' ' + error.message)`,
      );
    t.equal(await failure(imageAt('/test/codecs/fixtures/inks-420.png')), 'rendered');
    t.match(
      await failure(imageAt('/none.png?secret')),
      /^asset_failed layers\[0\]\.url: http:\S+\/none\.png answered 404$/,
    );
    const large = imageAt('/test/codecs/fixtures/inks-420.png');
    t.match(await failure(large, { assetMaxBytes: 100 }), /inks-420\.png is larger than 100 bytes$/);
    const elsewhere = { canvas, layers: [{ type: 'image', url: 'http://127.0.0.2:1/a.png', ...box }] };
    t.match(await failure(elsewhere), /a\.png could not be fetched: it can't be reached, or .*\(CORS\)$/);
    t.match(
      await failure({ canvas, layers: [{ type: 'image', url: 'a.png', ...box }] }),
      /expected an http:, https: or data: URL/,
    );
    const payload = { canvas, layers: [] };
    t.match(
      await failure(payload, { baseDirectory: '/' }),
      /^invalid_request baseDirectory: there are no local files here/,
    );
    t.match(await failure(payload, { workers: 1 }), /^invalid_request workers: /);
    t.match(
      await failure(payload, { fontsUrl: '/elsewhere' }),
      /^invalid_request fontsUrl: received http:\S+\/elsewhere\/, but/,
    );
    t.match(
      await failure(payload, { wasm: { resvg: 1 } }),
      /^invalid_request wasm\.resvg: received 1, expected a WebAssembly\.Module/,
    );
    t.match(await failure(payload, { wasm: { svg: null } }), /^invalid_request wasm\.svg: expected one of kernels, /);
    // the browser reports each as an error of the network or the policy
    page.problems.length = 0;
  });

  await t.test('takes compiled modules, and the folders of fonts and modules', async (t) => {
    const other = await open(site.origin);
    while (!(await other.evaluate<boolean>('window.file !== undefined')))
      await new Promise((wait) => setTimeout(wait, 20));
    site.requested();
    const payload = JSON.stringify({ canvas, layers: [{ type: 'text', text: 'Hi', ...box }] });
    const outcome = (options: string) =>
      other.evaluate<string>(
        `platen.render(${payload}, ${options}).then(() => 'rendered', (error) => error.code + ' ' + error.message)`,
      );
    const missing = await outcome(`{ fontsUrl: '/none', wasmUrl: '/none/' }`);
    t.match(missing, /^render_failed .*\/none\/\w+\.wasm can't be loaded \(the server answered 404\): wasmUrl must be/);
    const compiled =
      "await Promise.all(['kernels', 'harfbuzz'].map(async (name) => [name, await WebAssembly.compileStreaming(fetch('/dist/wasm/' + name + '.wasm'))]))";
    await other.evaluate(`(async () => { window.modules = Object.fromEntries(${compiled}); })()`);
    t.match(
      await outcome('{ wasm: modules }'),
      /^asset_failed layers\[0\]\.fontFamily: \S+\/none\/inter\/\S+ can't be loaded .*fontsUrl must be/,
    );
    site.requested();
    t.equal(await outcome(`{ fontsUrl: '/fonts', wasmUrl: '/dist/wasm' }`), 'rendered', 'corrected');
    t.notOk(site.requested().some((path) => path.endsWith('kernels.wasm') || path.endsWith('harfbuzz.wasm')));
    other.problems.length = 0;
  });

  await t.test('lists fonts and checks payloads at once, and takes fonts as bytes', async (t) => {
    t.same(await page.evaluate('platen.listFonts()'), listFonts());
    const bad = { canvas, layers: [{ type: 'text', text: 1, fontFamily: 'Intre', ...box }] };
    t.same(await page.evaluate(`platen.validate(${JSON.stringify(bad)})`), JSON.parse(JSON.stringify(validate(bad))));
    const fonts = [{ family: 'Brand', data: new Uint8Array(readFileSync(join(ROOT, 'fonts', brand.file))) }];
    const payload = { canvas, layers: [{ type: 'text', text: 'Brand', fontFamily: 'Brand', ...box }] };
    const { data } = await createRenderer({ fonts }).renderToPixels(payload);
    const inPage = await page.evaluate<string>(`(async () => {
      const data = new Uint8Array(await (await fetch('/fonts/${brand.file}')).arrayBuffer());
      const renderer = platen.createRenderer({ fonts: [{ family: 'Brand', data }] });
      return hex((await renderer.renderToPixels(${JSON.stringify(payload)})).data);
    })()`);
    t.equal(inPage, sha256(data));
  });

  t.same(page.problems, [], 'nothing violates the policy');
});

// The check of files that are to be stored as assets, in this process and in a render process.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { inspectAsset } from '../../lib/assets/inspect.js';
import { createLocalPool } from '../../lib/workers/in-process.js';
import { inspectInProcess } from '../../lib/workers/inspect-asset.js';
import { createPool } from '../../lib/workers/pool.js';
import { makeCheckout, ROOT } from '../checkout.js';
import { fixture } from '../codecs/pictures.js';
import { brandFont } from '../fonts/brand-font.js';

const MAX_PIXELS = 2 ** 20;
const forever = new AbortController().signal;
const text = (content: string) => new TextEncoder().encode(content);
const font = (path: string) => readFileSync(join(ROOT, 'fonts', path));

const checkout = t.testdir();
makeCheckout(checkout);
const entry = pathToFileURL(join(checkout, 'dist/lib/worker.js'));
const scripted = new URL('../service/scripted.mjs', import.meta.url);

t.test('describes images of every format by their displayed size', async (t) => {
  const cases = [
    ['quadrants-420.jpg', 'image/jpeg', 48, 32],
    ['inks-420-plain.png', 'image/png', 53, 43],
    ['quadrants-lossless.webp', 'image/webp', 48, 32],
    ['quadrants-turned.avif', 'image/avif', 32, 48],
    ['quadrants-interlaced.gif', 'image/gif', 48, 32],
  ] as const;
  for (const [name, mimeType, width, height] of cases) {
    t.same(await inspectAsset(fixture(name), MAX_PIXELS), { kind: 'image', mimeType, width, height }, name);
  }
  const svg = text('<svg xmlns="http://www.w3.org/2000/svg" width="20.4" height="10"><text>Hi</text></svg>');
  t.same(await inspectAsset(svg, MAX_PIXELS), { kind: 'image', mimeType: 'image/svg+xml', width: 20, height: 10 });
});

t.test('describes fonts by their names', async (t) => {
  const sample = 'The quick brown fox jumps over the lazy dog';
  const typeface = { scripts: ['Latn', 'Cyrl', 'Grek'], category: 'other', sample, isVariable: false };
  const brand = { kind: 'font', mimeType: 'font/ttf', family: 'Brand', weight: 700, style: 'normal', typeface };
  t.same(await inspectAsset(brandFont(), MAX_PIXELS), brand);
  const woff2 = await inspectAsset(font('noto-sans-jp/noto-sans-jp-400.woff2'), MAX_PIXELS);
  t.match(woff2, { kind: 'font', mimeType: 'font/woff2', family: /^Noto Sans JP/, weight: 400, style: 'normal' });
});

t.test("a family's name is one line of at most 100 characters", async (t) => {
  const bytes = brandFont();
  const names = ['Brand', '\0\x1b\ra\n'].map((name) => Buffer.from(name, 'utf16le').swap16());
  for (let at = bytes.indexOf(names[0]); at >= 0; at = bytes.indexOf(names[0])) names[1].copy(bytes, at);
  t.match(await inspectAsset(bytes, MAX_PIXELS), { family: 'a' });
});

t.test('rejects other files, and files that a render rejects, with what is wrong', async (t) => {
  const cases: [string, Uint8Array, RegExp][] = [
    ['nothing', new Uint8Array(0), /^received an empty file, expected a PNG, .* or WOFF2 font$/],
    ['a page', text('<!doctype html><title>x</title>'), /^received an HTML page, expected a PNG/],
    ['a PDF', text('%PDF-1.7 and more'), /^received a PDF, expected a PNG/],
    ['half a picture', fixture('quadrants-420.jpg').subarray(0, 200), /JPEG/],
    ['half a font', brandFont().subarray(0, 5000), /^received a malformed font file: /],
    ['a font without characters', text('OTTO'.padEnd(64, '\0')), /^received a malformed font file: /],
    ['an SVG that is none', text('<svg xmlns="http://www.w3.org/2000/svg"><'), /SVG/],
  ];
  for (const [name, bytes, message] of cases) {
    await t.rejects(inspectAsset(bytes, MAX_PIXELS), { name: 'RenderError', code: 'invalid_request', message }, name);
  }
  const large = { code: 'invalid_request', message: /the JPEG is 48 × 32 pixels, more than the 1000 pixels/ };
  await t.rejects(inspectAsset(fixture('quadrants-420.jpg'), 1000), large);
});

t.test('a pool, with or without processes, and a process of its own give the same answers', async (t) => {
  const pool = createPool({ workers: 1, spares: 0, entry, report: () => {} });
  t.teardown(() => pool.close());
  const ways = [
    (file: Uint8Array) => pool.inspectAsset({ file, maxPixels: MAX_PIXELS }, forever),
    (file: Uint8Array) => createLocalPool().inspectAsset({ file, maxPixels: MAX_PIXELS }, forever),
    (file: Uint8Array) => inspectInProcess(file, { entry, maxPixels: MAX_PIXELS, timeoutMs: 600_000 }),
  ];
  for (const inspect of ways) {
    t.match(await inspect(fixture('quadrants-420.jpg')), { kind: 'image', width: 48, height: 32 });
    t.match(await inspect(brandFont()), { kind: 'font', family: 'Brand' });
    const error = { name: 'RenderError', code: 'invalid_request', message: /^received plain text, expected a PNG/ };
    await t.rejects(inspect(text('hello there')), error);
  }
  t.equal(pool.stats().restarts, 0, 'a rejected file costs no process');
});

t.test('a file that ends its process, or never ends, is an error that says so', async (t) => {
  const options = { entry: scripted, maxPixels: MAX_PIXELS, timeoutMs: 600_000 };
  const killed = { code: 'render_failed', message: 'the render process ended on this file (SIGKILL)' };
  await t.rejects(inspectInProcess(text('kill'), options), killed);
  await t.rejects(inspectInProcess(text('hang'), { ...options, timeoutMs: 100 }), { code: 'render_timeout' });
  const missing = { ...options, entry: join(t.testdirName, 'none.js') };
  await t.rejects(inspectInProcess(text('pid'), missing), { code: 'render_failed', message: /could be started/ });
  const reason = new Error('gone');
  await t.rejects(inspectInProcess(text('pid'), { ...options, signal: AbortSignal.abort(reason) }), reason);
});

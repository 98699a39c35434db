// Hosts without WebAssembly, because they forbid executable memory (node --jitless), draw the same pixels, or say in one line
// what needs WebAssembly.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PNG } from 'pngjs';
import t, { type Test } from 'tap';
import { makeCheckout, ownEnvironment, ROOT } from './checkout.js';

const folder = t.testdir({});
makeCheckout(folder);

/** In older versions the second flag prevents V8's warning that the first one implies it; newer ones don't have it. */
const JITLESS = Number.parseInt(process.versions.node, 10) < 24 ? ['--jitless', '--no-expose-wasm'] : ['--jitless'];

interface Run {
  readonly code: number;
  readonly output: Buffer;
  readonly errors: string;
}

/** Runs the command with these flags of Node. */
function render(flags: readonly string[], argv: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    const all = [...flags, join(folder, 'dist/bin/render.js'), ...argv];
    const options = { env: ownEnvironment(folder), cwd: folder, encoding: 'buffer', maxBuffer: 2 ** 28 } as const;
    execFile(process.execPath, all, options, (error, output, errors) => {
      resolve({ code: error ? Number(error.code) : 0, output, errors: errors.toString() });
    });
  });
}

function write(name: string, layers: readonly unknown[]): string {
  writeFileSync(join(folder, name), JSON.stringify({ canvas: { width: 120, height: 80 }, layers }));
  return name;
}

const box = { x: 4, y: 4, width: 60, height: 40 };
const dataUrl = (path: string, type: string) =>
  `data:image/${type};base64,${readFileSync(join(ROOT, path)).toString('base64')}`;
const fixture = (name: string, type: string) => dataUrl(`test/codecs/fixtures/${name}`, type);

async function isSame(t: Test, argv: readonly string[]): Promise<void> {
  const [plain, usual] = await Promise.all([render(JITLESS, argv), render([], argv)]);
  t.equal(plain.code, 0, plain.errors);
  t.equal(plain.errors, usual.errors, `${argv}: the same warnings`);
  t.ok(plain.output.length > 100);
  t.ok(plain.output.equals(usual.output), `${argv}: the same file`);
}

t.test('draws shapes, QR codes and PNG and GIF images with the same pixels', async (t) => {
  const shape = { type: 'shape', shapeType: 'rounded_rectangle', borderRadius: 9, fillColor: 'tomato', rotation: 9 };
  const images = [fixture('quadrants-interlaced.gif', 'gif'), dataUrl('test/golden/assets/scene.png', 'png')];
  await isSame(t, [
    write('drawn.json', [
      { ...shape, ...box, shadow: { offsetX: 2, offsetY: 2, blur: 4, color: '#000' } },
      { type: 'qrcode', data: 'jitless', ...box, x: 60, width: 58, height: 58 },
      ...images.map((url, i) => ({ type: 'image', url, ...box, x: 40 * i, rotation: 5 * i })),
    ]),
  ]);
});

t.test('decodes and encodes JPEG with the same pixels', async (t) => {
  // baseline with each subsampling, CMYK, and what mozjpeg decodes elsewhere: progressive, RGB
  const names = ['noise-420', 'noise-422', 'noise-444', 'noise-gray', 'quadrants-restart', 'inks-420'];
  const images = [...names, 'quadrants-progressive', 'quadrants-rgb'].map((name) => fixture(`${name}.jpg`, 'jpeg'));
  const photographs = write(
    'photographs.json',
    images.map((url, i) => ({ type: 'image', url, x: (i % 4) * 30, y: i < 4 ? 0 : 40, width: 28, height: 38 })),
  );
  await isSame(t, [photographs]);
  for (const quality of ['60', '97']) await isSame(t, [photographs, '--format', 'jpeg', '--quality', quality]);
});

t.test('shows the rows of a truncated JPEG that arrived', async (t) => {
  const bytes = readFileSync(join(ROOT, 'test/codecs/fixtures/noise-444.jpg'));
  const url = `data:image/jpeg;base64,${bytes.subarray(0, bytes.length / 2).toString('base64')}`;
  await isSame(t, [write('truncated.json', [{ type: 'image', url, ...box }])]);
});

t.test('names the layers and the output format that need WebAssembly', async (t) => {
  const urls = [
    dataUrl('test/golden/assets/scene.png', 'png'),
    fixture('quadrants-lossless.webp', 'webp'),
    fixture('quadrants-10bit.avif', 'avif'),
    dataUrl('test/golden/assets/badge.svg', 'svg+xml'),
  ];
  const images = write(
    'images.json',
    urls.map((url) => ({ type: 'image', url, ...box })),
  );
  const { code, errors } = await render(JITLESS, [images, '-o', 'none.png']);
  t.equal(code, 1);
  t.same(errors.trimEnd().split('\n'), [
    'error: layers[1].url: decoding WebP needs WebAssembly, which this process lacks',
    'error: layers[2].url: decoding AVIF needs WebAssembly, which this process lacks',
    'error: layers[3].url: decoding SVG needs WebAssembly, which this process lacks',
  ]);
  const empty = write('empty.json', []);
  for (const [format, name] of [
    ['webp', 'WebP'],
    ['avif', 'AVIF'],
  ]) {
    const encoded = await render(JITLESS, [empty, '--format', format]);
    t.equal(encoded.code, 1);
    t.equal(encoded.errors, `error: format: encoding ${name} needs WebAssembly, which this process lacks\n`);
  }
});

t.test('a fallback colour stands in for an image that needs WebAssembly', async (t) => {
  const url = fixture('quadrants-lossless.webp', 'webp');
  const { code, errors } = await render(JITLESS, [
    write('fallback.json', [{ type: 'image', url, ...box, fallbackColor: 'red' }]),
  ]);
  t.equal(code, 0);
  t.match(errors, /^warning: layers\[0\]\.url: fallbackColor is shown instead: .* needs WebAssembly/);
});

/** The largest and the mean difference of a channel of two PNG files of the same size. */
function difference(one: Buffer, other: Buffer): { largest: number; mean: number } {
  const [a, b] = [PNG.sync.read(one).data, PNG.sync.read(other).data];
  let [largest, sum] = [0, 0];
  a.forEach((value, i) => {
    largest = Math.max(largest, Math.abs(value - b[i]));
    sum += Math.abs(value - b[i]);
  });
  return { largest, mean: sum / a.length };
}

t.test(
  'encodes and decodes JPEG: the same file and pixels, but for the rounding of progressive photographs',
  async (t) => {
    const baseline = ['noise-420.jpg', 'quadrants-restart.jpg', 'quadrants-cmyk.jpg'];
    const images = baseline.map((name, i) => ({ type: 'image', url: fixture(name, 'jpeg'), ...box, x: 40 * i }));
    const payload = write('baseline.json', images);
    await isSame(t, [payload]);
    await isSame(t, [payload, '--format', 'jpeg']);
    const noise = write('noise.json', [{ type: 'image', url: fixture('noise-progressive.jpg', 'jpeg'), ...box }]);
    const [plain, usual] = await Promise.all([render(JITLESS, [noise]), render([], [noise])]);
    t.equal(plain.code, 0, plain.errors);
    const { largest, mean } = difference(plain.output, usual.output);
    t.ok(largest <= 4, `differs by at most ${largest} of 255`);
    t.ok(mean < 0.2, `differs by ${mean} of 255 on average`);
  },
);

t.test('draws text in WOFF2 fonts with the same pixels; names scripts that need WebAssembly', async (t) => {
  const text = { type: 'text', ...box, width: 110, fontSize: 16 };
  const families = ['Lato', 'Pacifico', 'JetBrains Mono'];
  await isSame(t, [
    write(
      'text.json',
      families.map((fontFamily, i) => ({ ...text, y: 25 * i, fontFamily, text: 'AVA fi Ελλ ע' })),
    ),
  ]);
  // The spaces and digits are set in another face than the letters, and need no shaping.
  await isSame(t, [write('arabic.json', [{ ...text, text: 'السلام 1 عليكم' }])]);
  const { code, errors } = await render(JITLESS, [write('hindi.json', [{ ...text, text: 'क्षत्रिय' }])]);
  t.equal(code, 0, errors);
  t.match(errors, /^warning: layers\[0\]\.text: Devanagari text needs WebAssembly, which this process lacks: /m);
});

t.test('WOFF2 fonts need WebAssembly where there is no zlib either, as in browsers', async (t) => {
  const at = (path: string) => JSON.stringify(pathToFileURL(join(folder, path)).href);
  const script = `
    import { readFileSync } from 'node:fs';
    await import(${at('dist/modules/lib/node-host.js')});
    const { host, setHost } = await import(${at('dist/modules/lib/host.js')});
    const { zlib, ...others } = host();
    setHost(others);
    const { unpackFont } = await import(${at('dist/modules/lib/fonts/container.js')});
    const font = readFileSync(new URL('lato/lato-400.woff2', ${at('fonts/')}));
    await unpackFont(font).catch(({ code, message }) => console.log(code, message));`;
  const output = execFileSync(process.execPath, [...JITLESS, '--input-type=module', '-e', script], {
    env: ownEnvironment(folder),
    encoding: 'utf8',
  });
  t.equal(output, 'render_failed unpacking a WOFF2 font needs WebAssembly, which this process lacks\n');
});

t.test('platen doctor tells what follows', async (t) => {
  const { code, output } = await render(JITLESS, ['doctor']);
  t.equal(code, 0);
  const line = output
    .toString()
    .split('\n')
    .find((text) => text.includes('WebAssembly'));
  t.match(line, /^limited +WebAssembly +none: WebP, AVIF and SVG fail, .*; start Node without --jitless to have it$/);
  t.notMatch(output.toString(), /^failed/m);
});

const SHAPES = [{ type: 'shape', shapeType: 'circle', ...box, fillColor: 'teal' }];

t.test('batches and the service render in processes without WebAssembly too', async (t) => {
  const shapes = write('shapes.json', SHAPES);
  const expected = (await render([], [shapes])).output;
  writeFileSync(join(folder, 'rows.jsonl'), '{}\n{}\n');
  const template = { name: 'T', width: 120, height: 80, layers: SHAPES, hotspots: [] };
  writeFileSync(join(folder, 'template.json'), JSON.stringify(template));
  const batch = await render(JITLESS, ['batch', 'template.json', 'rows.jsonl', '-o', 'row-{#}.png']);
  t.equal(batch.code, 0, batch.errors);
  t.ok(readFileSync(join(folder, 'row-2.png')).equals(expected), 'the row');

  const init = await render(JITLESS, ['init', '--data', 'data']);
  const [key] = /svc_live_\w+/.exec(init.output.toString()) ?? [];
  t.type(key, 'string', init.errors);
  // Not as an argument, as on hosts where only the environment can be set.
  const env = { ...ownEnvironment(folder), NODE_OPTIONS: '--jitless', RENDER_WORKERS: '1' };
  const argv = [join(folder, 'dist/bin/render.js'), 'serve', '--port', '0', '--data', 'data'];
  const server = spawn(process.execPath, argv, { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => server.kill('SIGKILL'));
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    server.stdout.on('data', (text) => {
      output += text;
      const found = /listening on (\S+)/.exec(output);
      if (found) resolve(found[1]);
    });
    let log = '';
    server.stderr.on('data', (text) => {
      log += text;
    });
    server.on('exit', () => reject(new Error(log)));
  });
  const post = async (payload: object) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/v1/render`, { method: 'POST', headers, body: JSON.stringify(payload) });
    return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
  };
  const payload = { canvas: { width: 120, height: 80 }, layers: SHAPES, responseType: 'binary' };
  const drawn = await post(payload);
  t.equal(drawn.status, 200, drawn.body.toString());
  const refused = await post({ ...payload, format: 'avif' });
  t.equal(refused.status, 500);
  const { error } = JSON.parse(refused.body.toString());
  t.equal(error, 'format: encoding AVIF needs WebAssembly, which this process lacks');
});

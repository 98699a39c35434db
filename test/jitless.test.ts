// Hosts without WebAssembly, because they forbid executable memory (node --jitless), make the same files, or say in one line
// that AVIF needs WebAssembly.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
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
  const urls = [dataUrl('test/golden/assets/scene.png', 'png'), fixture('quadrants-10bit.avif', 'avif')];
  const images = write(
    'images.json',
    urls.map((url) => ({ type: 'image', url, ...box })),
  );
  const { code, errors } = await render(JITLESS, [images, '-o', 'none.png']);
  t.equal(code, 1);
  t.equal(errors, 'error: layers[1].url: decoding AVIF needs WebAssembly, which this process lacks\n');
  const encoded = await render(JITLESS, [write('empty.json', []), '--format', 'avif']);
  t.equal(encoded.code, 1);
  t.equal(encoded.errors, 'error: format: encoding AVIF needs WebAssembly, which this process lacks\n');
});

t.test('draws SVG and WebP images with the same pixels', async (t) => {
  // more than resvg's first memory holds
  const circles = Array.from({ length: 40 }, (_, i) => `<circle cx="${9 * i}" cy="50" r="20" opacity=".3"/>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900"><g filter="url(#b)"><filter id="b">
    <feGaussianBlur stdDeviation="3"/></filter>${circles.join('')}<text x="9" y="99" font-size="40">Text</text></g></svg>`;
  const urls = [
    dataUrl('test/golden/assets/badge.svg', 'svg+xml'),
    `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
    fixture('quadrants-lossless.webp', 'webp'),
  ];
  await isSame(t, [
    write(
      'decoded.json',
      urls.map((url, i) => ({ type: 'image', url, ...box, x: 40 * i })),
    ),
  ]);
});

t.test('reads codes back from the picture', async (t) => {
  const area = { x: 20, y: 20, width: 160, height: 160 };
  const code = { type: 'qrcode', data: 'https://example.com/t/4711', ...area, verify: 'error' };
  const canvas = { width: 200, height: 200, backgroundColor: 'white' };
  writeFileSync(join(folder, 'readable.json'), JSON.stringify({ canvas, layers: [code] }));
  await isSame(t, ['readable.json']);
  const cover = { type: 'shape', shapeType: 'rectangle', ...area, width: 90, fillColor: 'white' };
  writeFileSync(join(folder, 'covered.json'), JSON.stringify({ canvas, layers: [code, cover] }));
  const { code: exitCode, errors } = await render(JITLESS, ['covered.json', '-o', 'none.png']);
  t.equal(exitCode, 1);
  t.match(errors, /^error: layers\[0\]\.data: /);
});

t.test('encodes WebP: few colours, many, transparent', async (t) => {
  const photograph = { type: 'image', url: dataUrl('test/golden/assets/scene.png', 'png'), ...box };
  const shape = { type: 'shape', shapeType: 'circle', ...box, fillColor: 'teal' };
  await isSame(t, [write('few.json', [shape]), '--format', 'webp']);
  await isSame(t, [write('many.json', [photograph]), '--format', 'webp']);
  await isSame(t, [write('many.json', [photograph]), '--format', 'webp', '--quality', '40']);
});

t.test('a fallback colour stands in for an image that needs WebAssembly', async (t) => {
  const url = fixture('quadrants-10bit.avif', 'avif');
  const { code, errors } = await render(JITLESS, [
    write('fallback.json', [{ type: 'image', url, ...box, fallbackColor: 'red' }]),
  ]);
  t.equal(code, 0);
  t.match(errors, /^warning: layers\[0\]\.url: fallbackColor is shown instead: .* needs WebAssembly/);
});

t.test('encodes and decodes JPEG: the same file and pixels', async (t) => {
  const names = ['noise-420.jpg', 'quadrants-restart.jpg', 'quadrants-cmyk.jpg', 'noise-progressive.jpg'];
  const images = names.map((name, i) => ({ type: 'image', url: fixture(name, 'jpeg'), ...box, x: 30 * i }));
  const payload = write('baseline.json', images);
  await isSame(t, [payload]);
  await isSame(t, [payload, '--format', 'jpeg']);
});

t.test('draws text in WOFF2 fonts and in every kind of script with the same pixels', async (t) => {
  const text = { type: 'text', ...box, width: 110, height: 20, fontSize: 13 };
  const families = ['Lato', 'Pacifico', 'JetBrains Mono'];
  await isSame(t, [
    write(
      'text.json',
      families.map((fontFamily, i) => ({ ...text, y: 25 * i, fontFamily, text: 'AVA fi Ελλ ע' })),
    ),
  ]);
  const lines = ['السلام 1 عليكم', 'क्षत्रिय ភាសាខ្មែរ', 'မြန်မာ น้ำทั้ง', '👩‍👩‍👧 한국어'];
  await isSame(t, [
    write(
      'scripts.json',
      lines.map((line, i) => ({ ...text, y: 20 * i, text: line })),
    ),
  ]);
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
  t.match(line, /^limited +WebAssembly +none: AVIF fails, .*; start Node without --jitless to have it$/);
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

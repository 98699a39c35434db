// The pages of examples/browser in Chromium, under the policy that docs/browser.md names, and the edge function on Node.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { PNG } from 'pngjs';
import t, { type Test } from 'tap';
import { readHeader } from '../../lib/codecs/header.js';
import { render, renderToPixels } from '../any-payload.js';
import { ROOT } from '../checkout.js';
import { CHROMIUM, startChromium } from '../chromium.js';

const { handle } = await import(`${ROOT}examples/browser/serve.mjs`);
const run = promisify(execFile);
const skip = CHROMIUM === undefined && 'there is no browser here';

async function serve(t: Test): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}/`;
}

/** The card that each of the examples draws. */
const card = (text: string) => ({
  canvas: { width: 600, height: 315, backgroundColor: '#14213d' },
  layers: [{ type: 'text', text, x: 40, y: 40, width: 520, height: 235, fontSize: 64, autoFit: true, color: 'white' }],
});
const digest = (bytes: Uint8Array | Uint8ClampedArray) => createHash('sha256').update(bytes).digest('hex');
const digestOnNode = async (text: string) => digest((await renderToPixels(card(text))).data);

t.test('the page draws the card with Node’s pixels, and again while the title is typed', { skip }, async (t) => {
  const page = await (await startChromium(t))(await serve(t));
  const isDrawn = (expected: string) =>
    page.evaluate<string>(`(async () => {
      const { width, height } = document.getElementById('card');
      for (let i = 0; ; i++) {
        const { data } = document.getElementById('card').getContext('2d').getImageData(0, 0, width, height);
        const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
        const found = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
        if (found === ${JSON.stringify(expected)} || i === 2000) return found;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })()`);
  const first = await digestOnNode('Hello from JSON');
  t.equal(await isDrawn(first), first);
  await page.evaluate(`for (const text of ['Y', 'Yo', 'Yo!', 'A longer title, as it is typed — żółć, Ελλάδα']) {
    const title = document.getElementById('title');
    title.value = text;
    title.dispatchEvent(new Event('input'));
  }`);
  const last = await digestOnNode('A longer title, as it is typed — żółć, Ελλάδα');
  t.equal(await isDrawn(last), last);
  t.same(page.problems, [], 'the policy is enough');
});

t.test(
  'a worker takes compiled modules and the bytes of pictures, and loads codecs under the policy',
  { skip },
  async (t) => {
    const origin = await serve(t);
    const page = await (await startChromium(t))(origin);
    const picture = new PNG({ width: 3, height: 2 });
    for (let i = 0; i < picture.data.length; i++) picture.data[i] = i % 4 === 3 ? 255 : i * 9;
    const logo = PNG.sync.write(picture);
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><circle cx="4" cy="4" r="3" fill="red"/></svg>';
    const payload = {
      canvas: { width: 120, height: 60, backgroundColor: 'white' },
      layers: [
        { type: 'image', url: 'memory:logo.png', x: 0, y: 0, width: 60, height: 60 },
        { type: 'image', url: `data:image/svg+xml,${encodeURIComponent(svg)}`, x: 60, y: 0, width: 30, height: 30 },
        {
          type: 'text',
          text: 'Ab — नमस्ते',
          x: 60,
          y: 30,
          width: 60,
          height: 30,
          fontSize: 9,
          rotation: 5,
          shadow: { blur: 3 },
        },
      ],
    };
    const results = await page.evaluate<Record<string, unknown>>(`(async () => {
    const { createWorkerRenderer } = await import('/platen/dist/browser/client.js');
    const module = async (name) => WebAssembly.compile(await (await fetch('/platen/dist/wasm/' + name + '.wasm')).arrayBuffer());
    const wasm = { kernels: await module('kernels'), harfbuzz: await module('harfbuzz') };
    const renderer = createWorkerRenderer({ fontsUrl: 'platen/fonts/', wasmUrl: 'platen/dist/wasm/', wasm });
    const logo = Uint8Array.from(atob('${logo.toString('base64')}'), (character) => character.charCodeAt(0));
    const images = { 'logo.png': logo };
    const payload = ${JSON.stringify(payload)};
    const files = [];
    for (const format of ['png', 'jpeg', 'webp', 'avif']) {
      const { bytes, mimeType } = await renderer.render(payload, { format, images });
      files.push([mimeType, btoa(String.fromCharCode(...bytes))]);
    }
    const documents = [];
    for (const format of ['svg', 'pdf']) {
      const { bytes, mimeType, width } = await renderer.render(payload, { format, images });
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
      documents.push([mimeType, width, Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')]);
    }
    const { data, warnings } = await renderer.renderToPixels(payload, { images, transfer: [logo.buffer] });
    const failure = await renderer.render({ canvas: { width: 5, height: 5 }, layers: [{ type: 'text' }] }).catch((error) => error);
    await renderer.close();
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
    return { files, documents, failure: [failure.name, failure.code, failure.details], moved: logo.length, warnings,
      pixels: Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('') };
  })()`);
    const { data, warnings } = await renderToPixels(payload, { images: { 'logo.png': logo } });
    const documents = [];
    for (const format of ['svg', 'pdf'] as const) {
      const { bytes, mimeType, width } = await render(payload, { format, images: { 'logo.png': logo } });
      documents.push([mimeType, width, digest(bytes)]);
    }
    t.match(results, {
      documents,
      failure: ['RenderError', 'render_failed', [{ path: 'layers[0].x' }]],
      moved: 0,
      warnings,
      pixels: digest(data),
    });
    for (const [mimeType, base64] of results.files as [string, string][]) {
      const { format, width } = readHeader(Buffer.from(base64, 'base64'));
      t.same([`image/${format}`, width], [mimeType, 120]);
    }
    t.same(page.problems, [], 'the policy is enough');
  },
);

t.test('the service worker answers with the card', { skip }, async (t) => {
  const origin = await serve(t);
  const page = await (await startChromium(t))(`${origin}service-worker.html`);
  const [status, type, base64] = await page.evaluate<[number, string, string]>(`(async () => {
    const image = document.getElementById('card');
    for (let i = 0; i < 2000 && !(image.complete && image.naturalWidth > 0); i++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const response = await fetch('card.png?title=From+a+worker');
    const bytes = new Uint8Array(await response.arrayBuffer());
    return [response.status, response.headers.get('content-type'), btoa(String.fromCharCode(...bytes))];
  })()`);
  t.same([status, type], [200, 'image/png']);
  t.equal(digest(PNG.sync.read(Buffer.from(base64, 'base64')).data), await digestOnNode('From a worker'));
  t.same(page.problems, [], 'the policy is enough');
});

t.test('the edge function answers a Request with the card', async (t) => {
  const origin = await serve(t);
  // as an edge platform does, the loader compiles .wasm files that are imported
  const hooks = `data:text/javascript,${encodeURIComponent(`
    export async function load(url, context, next) {
      if (!url.endsWith('.wasm')) return next(url, context);
      const file = 'new URL(' + JSON.stringify(url) + ')';
      const source = 'import { readFileSync } from "node:fs"; export default new WebAssembly.Module(readFileSync(' + file + '));';
      return { format: 'module', shortCircuit: true, source };
    }`)}`;
  const program = `
    import { register } from 'node:module';
    register(${JSON.stringify(hooks)});
    const { default: edge } = await import(${JSON.stringify(`${ROOT}examples/browser/edge.js`)});
    const env = { FONTS_URL: '${origin}platen/fonts/' };
    const response = await edge.fetch(new Request('https://example.com/?title=From+the+edge'), env);
    const bytes = Buffer.from(await response.arrayBuffer()).toString('base64');
    console.log(JSON.stringify([response.status, response.headers.get('content-type'), bytes]));`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', program]);
  t.equal(stderr, '');
  const [status, type, base64] = JSON.parse(stdout);
  t.same([status, type], [200, 'image/png']);
  t.equal(digest(PNG.sync.read(Buffer.from(base64, 'base64')).data), await digestOnNode('From the edge'));
});

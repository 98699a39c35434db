// The pages of examples/browser in Chromium, under the policy that docs/browser.md names, and the edge function on Node.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { PNG } from 'pngjs';
import t, { type Test } from 'tap';
import { renderToPixels } from '../../lib/index.js';
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
      const source = 'import { readFileSync } from "node:fs"; export default new WebAssembly.Module(readFileSync(new URL(import.meta.url)));';
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

// CORS in a real browser: a page of another origin gets the image and can read every exposed header.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { startWhole } from './whole.js';

const browser = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

/** Code that runs in the page. */
async function inThePage(api: string, key: string) {
  const ask = async (authorization: string, body: object) => {
    const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
    const answer = await fetch(`${api}/v1/render`, { method: 'POST', headers, body: JSON.stringify(body) });
    const picture = answer.ok ? await createImageBitmap(await answer.blob()) : undefined;
    const size = picture && [picture.width, picture.height];
    const readable: [string, string][] = [];
    answer.headers.forEach((value, name) => {
      readable.push([name, value]);
    });
    return { status: answer.status, size, headers: Object.fromEntries(readable) };
  };
  const flat = { canvas: { width: 30, height: 20, backgroundColor: 'teal' }, layers: [], metadata: { a: 'ž' } };
  return [await ask(`Bearer ${key}`, flat), await ask(`Bearer ${key}`, flat), await ask('Bearer none', flat)];
}

// fault: 16
t.test(
  'a page of another origin reads the image and the exposed headers',
  { skip: browser === undefined && 'there is no browser here' },
  async (t) => {
    const whole = await startWhole(t, { API_KEY_RATE_LIMIT_PER_MIN: '1' });
    const { key } = await whole.caller();
    const script = `(${inThePage})(${JSON.stringify(whole.url)}, ${JSON.stringify(key)}).catch(String)`;
    // The page says itself that it is done: from outside, a script that waits looks like one that has ended.
    let said!: { resolve: (text: string) => void; reject: (error: Error) => void };
    const done = new Promise<string>((resolve, reject) => {
      said = { resolve, reject };
    });
    const page = createServer(async (request, response) => {
      if (request.method === 'POST') said.resolve(await text(request));
      response
        .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
        .end(
          `<script type="module">await fetch('/', { method: 'POST', body: JSON.stringify(await ${script}) })</script>`,
        );
    });
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const address = `http://localhost:${(page.address() as AddressInfo).port}/`;
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0'];
    const profile = await mkdtemp(join(tmpdir(), 'platen-browser-'));
    const child = spawn(browser!, [...flags, `--user-data-dir=${profile}`, address], {
      stdio: 'ignore',
      detached: true,
    });
    const ended = once(child, 'exit').then(() => said.reject(new Error('the browser ended before the page had')));
    t.teardown(async () => {
      if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
      await ended;
      // The browser's own processes may write there for a moment longer.
      await rm(profile, { recursive: true, force: true, maxRetries: 20 });
      page.closeAllConnections();
      page.close();
    });
    const [made, limited, refused] = JSON.parse(await done);
    const rate = { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': /^\d+$/ };
    t.match(made, {
      status: 200,
      size: [30, 20],
      headers: {
        'content-type': 'image/png',
        'x-request-id': /^[0-9a-f-]{36}$/,
        'x-render-duration-ms': /^\d+$/,
        'x-canvas-width': '30',
        'x-canvas-height': '20',
        'x-service-watermark': 'false',
        'x-service-credits-remaining': '999',
        'x-service-renders-remaining': '999',
        'x-service-metadata': encodeURIComponent('{"a":"ž"}'),
        ...rate,
      },
    });
    t.match(limited, { status: 429, headers: { 'retry-after': /^\d+$/, 'x-request-id': /./, ...rate } });
    t.match(refused, { status: 401, headers: { 'x-request-id': /./ } });
  },
);

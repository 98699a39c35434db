// A page of another origin, in a real browser: it gets the picture, and may read every header that is meant for it.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import t from 'tap';
import { startWhole } from './whole.js';

const browser = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

/** What runs in the page: its result stands in the document when it is done. */
async function inThePage(api: string, key: string): Promise<void> {
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
  const results = [await ask(`Bearer ${key}`, flat), await ask(`Bearer ${key}`, flat), await ask('Bearer none', flat)];
  document.body.textContent = JSON.stringify(results);
}

t.test('fetch from another origin', { skip: browser === undefined && 'there is no browser here' }, async (t) => {
  const whole = await startWhole(t, { API_KEY_RATE_LIMIT_PER_MIN: '1' });
  const { key } = await whole.caller();
  const script = `(${inThePage})(${JSON.stringify(whole.url)}, ${JSON.stringify(key)}).catch((e) => document.body.textContent = e)`;
  const page = createServer((_request, response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      .end(`<body>waiting<script type="module">await ${script}</script>`),
  );
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    page.closeAllConnections();
    page.close();
  });
  const address = `http://localhost:${(page.address() as AddressInfo).port}/`;
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${t.testdir()}`];
  const { stdout } = await promisify(execFile)(
    browser!,
    [...flags, '--virtual-time-budget=30000', '--dump-dom', address],
    {
      timeout: 60_000,
    },
  );
  const text = /<body>([\s\S]*?)<\/body>/.exec(stdout)?.[1].replaceAll('&amp;', '&') ?? stdout;
  const [made, limited, refused] = JSON.parse(text);
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
});

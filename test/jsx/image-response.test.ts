// ImageResponse has the signature and the headers of @vercel/og.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { render } from '../../lib/index.js';
import { fromJsx } from '../../lib/jsx/index.js';
import { Fragment, jsx, jsxs } from '../../lib/jsx/runtime.js';
import { ImageResponse } from '../../lib/og/node.js';

const card = jsxs('div', {
  style: { width: '100%', height: '100%', backgroundColor: 'white', fontSize: 40 },
  children: [jsx('div', { children: 'Hello' }), jsx(Fragment, { children: jsx('div', { children: 'there' }) })],
});

t.test('is a Response with a PNG of the element', async (t) => {
  const response = new ImageResponse(card, { width: 300, height: 150, status: 201, headers: { 'x-card': '1' } });
  t.ok(response instanceof Response);
  t.equal(response.status, 201);
  t.same(
    ['content-type', 'cache-control', 'x-card'].map((name) => response.headers.get(name)),
    ['image/png', 'public, immutable, no-transform, max-age=31536000', '1'],
  );
  const { payload } = await fromJsx(card, { width: 300, height: 150, defaults: 'satori' });
  const { bytes } = await render(payload);
  t.same(Buffer.from(await response.arrayBuffer()), Buffer.from(bytes));
});

t.test('takes fonts, formats, and headers of the caller', async (t) => {
  const data = readFileSync(new URL('../../fonts/lobster/lobster-400.woff2', import.meta.url));
  const fonts = [{ name: 'Mine', data, weight: 400, style: 'normal' as const }];
  const options = { width: 200, height: 80, format: 'webp' as const, headers: { 'Cache-Control': 'no-store' } };
  const own = new ImageResponse(card, { ...options, fonts });
  t.equal(own.headers.get('cache-control'), 'no-store');
  t.equal(own.headers.get('content-type'), 'image/webp');
  const plain = new ImageResponse(card, options);
  t.not(Buffer.from(await own.arrayBuffer()).equals(Buffer.from(await plain.arrayBuffer())), true);
});

t.test('an error of the render breaks the body off', async (t) => {
  await t.rejects(
    new ImageResponse({
      type: class Old {
        render() {}
      },
      props: {},
    }).arrayBuffer(),
    {
      message: /class components/,
    },
  );
});

// Requests leave no traces: no request data in the log or metrics, no state of unknown keys, no files outside the served paths.
// Also: jumps of the wall clock have no effect, and responses carry safe headers.
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import t from 'tap';
import { createRawKey } from '../../lib/store/api-keys.js';
import { scrape } from '../service/metrics/scrape.js';
import { startWhole } from '../service/whole.js';
import { createWorld, FLAT } from '../service/world.js';

// fault: 98, 99
t.test('keeps request data out of the log and the metrics, and logs one line per event', async (t) => {
  const whole = await startWhole(t, { METRICS_PORT: '0', LOG_LEVEL: 'debug' });
  const { key } = await whole.caller();
  const marker = 'm4rk';
  const lineBreaking = `${marker}\r\n{"level":60}\n\x1b[31m\u2028\u2029\0`;
  const box = { x: 0, y: 0, width: 4, height: 4 };
  const bodies = [
    { ...FLAT, metadata: { [lineBreaking]: lineBreaking, key } },
    {
      ...FLAT,
      layers: [
        { type: 'text', ...box, id: lineBreaking, name: lineBreaking, text: lineBreaking, fontFamily: lineBreaking },
      ],
    },
    { ...FLAT, layers: [{ type: lineBreaking, ...box }] },
    { ...FLAT, layers: [{ type: 'image', ...box, url: `http://10.0.0.1/${marker}?token=${key}` }] },
    { ...FLAT, layers: [{ type: 'image', ...box, url: `http://${marker}:${marker}@10.0.0.1/` }] },
    { templateId: lineBreaking, variables: { [lineBreaking]: lineBreaking } },
    { canvas: { width: lineBreaking, height: 4 }, layers: [] },
  ];
  for (const body of bodies) await whole.post(key, body);
  await whole.post(`${marker}${key}`, FLAT);
  // fetch validates headers, so these are sent through a socket.
  const port = Number(new URL(whole.url).port);
  for (const header of [
    `User-Agent: ${marker}\x1b[31m`,
    `X-Request-Id: ${marker}`,
    `Referer: ${marker}\u00e9`,
    `Cookie: ${key}`,
  ]) {
    await new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' }).on('close', resolve).resume();
      socket.write(
        Buffer.from(`GET /healthz HTTP/1.1\r\nHost: ${marker}\r\n${header}\r\nConnection: close\r\n\r\n`, 'latin1'),
      );
    });
  }
  const { text } = await scrape(`${whole.metricsUrl}/metrics`);
  await whole.stop();
  t.equal(whole.log.length, bodies.length + 5, 'one event per request');
  const log = JSON.stringify(whole.log);
  for (const [name, where] of [
    ['the log', log],
    ['the metrics', text],
  ] as const) {
    t.notOk(where.includes(marker), name);
    t.notMatch(where, /svc_live_[0-9a-f]/, name);
  }
});

// fault: 29
t.test('only looks up unknown API keys in the store', async (t) => {
  let lookups = 0;
  const world = await createWorld(t, {
    storeVerbs: {
      findKey: async () => {
        lookups++;
        return undefined;
      },
      countRequest: async () => {
        throw new Error('an unknown key was counted');
      },
    },
  });
  for (let i = 0; i < 2000; i++) {
    const { code } = await world.service({
      method: 'POST',
      path: '/v1/render',
      authorization: `Bearer ${createRawKey()}`,
      body: async () => Buffer.from('{}'),
      signal: new AbortController().signal,
    });
    if (code !== 'invalid_api_key') t.fail(String(code));
  }
  t.equal(lookups, 2000);
});

// fault: 104
t.test('returns 404 for path traversal in every spelling', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  const traversals = [
    '../',
    '..%2f',
    '%2e%2e/',
    '%2e%2e%2f',
    '..%5c',
    '..\\',
    '%252e%252e%252f',
    '..%c0%af',
    '....//',
    '%00/',
  ];
  for (const start of ['/', '/docs/', '/dashboard/', '/v1/', '/static/', '/v1/render/']) {
    for (const traversal of traversals) {
      for (const end of ['etc/passwd', 'data/keys.json', 'package.json', 'healthz']) {
        const path = `${start}${traversal}${traversal}${end}`;
        const { status, json } = await world.ask({ method: 'GET', path, key });
        if (status !== 404 || json.code !== 'not_found') t.fail(`${path}: ${status}`);
      }
    }
  }
  t.same(world.engine.asked, []);
});

// fault: 28
t.test('ignores jumps of the wall clock in rate limits', async (t) => {
  const real = Date.now;
  t.teardown(() => {
    Date.now = real;
  });
  const whole = await startWhole(t, { API_KEY_RATE_LIMIT_PER_MIN: '4' });
  const { key } = await whole.caller();
  const statuses: number[] = [];
  for (const hours of [0, 1, -1, 24, -24, 0]) {
    Date.now = () => real() + hours * 3_600_000;
    const response = await whole.post(key, FLAT);
    statuses.push(response.status);
    const reset = Number(response.headers.get('x-ratelimit-reset'));
    t.ok(reset > 0 && reset <= 60, `${reset} seconds`);
  }
  t.same(statuses, [200, 200, 200, 200, 429, 429]);
});

// fault: 100
t.test('sends content types and headers that prevent script execution', async (t) => {
  const whole = await startWhole(t, {});
  const { key } = await whole.caller();
  const docs = await fetch(`${whole.url}/docs`);
  const policy = docs.headers.get('content-security-policy') ?? '';
  t.match(policy, /^default-src 'none';.*frame-ancestors 'none'/);
  t.notMatch(policy, /script-src[^;]*unsafe/);
  // the page's own script is the only one, and the policy names its hash
  const page = await docs.text();
  const scripts = Array.from(page.matchAll(/<script>([\s\S]*?)<\/script>/g), ([, text]) => text);
  t.same(
    [policy.match(/script-src ([^;]*)/)?.[1]],
    scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`),
  );
  t.notMatch(page.replace(/<script>[\s\S]*?<\/script>/, ''), /<script|\son\w+=|javascript:/i);
  const script = '<script>alert(1)</script>';
  const source = `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><script>alert(1)</script></svg>`;
  const url = `data:image/svg+xml,${encodeURIComponent(source)}`;
  const layers = [{ type: 'image', id: script, x: 0, y: 0, width: 4, height: 4, url }];
  const responses = [
    docs,
    await fetch(`${whole.url}/${script}`),
    await fetch(`${whole.url}/openapi.json`),
    await whole.post(key, { ...FLAT, layers, metadata: { a: script } }),
    await whole.post(key, { ...FLAT, layers, metadata: { a: script }, responseType: 'json' }),
    await whole.post(key, { ...FLAT, layers: [{ ...layers[0], type: script }] }),
  ];
  const types = [
    'text/html; charset=utf-8',
    ...Array(2).fill('application/json'),
    'image/png',
    ...Array(2).fill('application/json'),
  ];
  for (const [i, { headers }] of responses.entries()) {
    t.equal(headers.get('content-type')?.replace(/^(application\/json);.*/, '$1'), types[i]);
    t.equal(headers.get('x-content-type-options'), 'nosniff');
  }
});

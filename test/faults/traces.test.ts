// What requests leave behind: nothing of theirs in the log but what is meant to be there, no memory of keys that are none, no
// file for a path; and a wall clock that jumps is not heeded.
import { connect } from 'node:net';
import t from 'tap';
import { createRawKey } from '../../lib/store/api-keys.js';
import { scrape } from '../service/metrics/scrape.js';
import { startWhole } from '../service/whole.js';
import { createWorld, FLAT } from '../service/world.js';

// fault: 98, 99
t.test('nothing that a request brings is in the log or among the figures, and a line is one event', async (t) => {
  const whole = await startWhole(t, { METRICS_PORT: '0', LOG_LEVEL: 'debug' });
  const { key } = await whole.caller();
  const mark = 'm4rk';
  const breaking = `${mark}\r\n{"level":60}\n\x1b[31m\u2028\u2029\0`;
  const box = { x: 0, y: 0, width: 4, height: 4 };
  const bodies = [
    { ...FLAT, metadata: { [breaking]: breaking, key } },
    { ...FLAT, layers: [{ type: 'text', ...box, id: breaking, name: breaking, text: breaking, fontFamily: breaking }] },
    { ...FLAT, layers: [{ type: breaking, ...box }] },
    { ...FLAT, layers: [{ type: 'image', ...box, url: `http://10.0.0.1/${mark}?token=${key}` }] },
    { ...FLAT, layers: [{ type: 'image', ...box, url: `http://${mark}:${mark}@10.0.0.1/` }] },
    { templateId: breaking, variables: { [breaking]: breaking } },
    { canvas: { width: breaking, height: 4 }, layers: [] },
  ];
  for (const body of bodies) await whole.post(key, body);
  await whole.post(`${mark}${key}`, FLAT);
  // fetch has rules of its own for headers: these go as they are
  const port = Number(new URL(whole.url).port);
  for (const header of [
    `User-Agent: ${mark}\x1b[31m`,
    `X-Request-Id: ${mark}`,
    `Referer: ${mark}\u00e9`,
    `Cookie: ${key}`,
  ]) {
    await new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' }).on('close', resolve).resume();
      socket.write(
        Buffer.from(`GET /healthz HTTP/1.1\r\nHost: ${mark}\r\n${header}\r\nConnection: close\r\n\r\n`, 'latin1'),
      );
    });
  }
  const { text } = await scrape(`${whole.metricsUrl}/metrics`);
  await whole.stop();
  t.equal(whole.log.length, bodies.length + 5, 'an event each');
  const log = JSON.stringify(whole.log);
  for (const [name, where] of [
    ['the log', log],
    ['the figures', text],
  ] as const) {
    t.notOk(where.includes(mark), name);
    t.notMatch(where, /svc_live_[0-9a-f]/, name);
  }
});

// fault: 29
t.test('keys that were never issued leave nothing: no verb but the look-up is asked', async (t) => {
  let looked = 0;
  const world = await createWorld(t, {
    storeVerbs: {
      findKey: async () => {
        looked++;
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
  t.equal(looked, 2000);
});

// fault: 104
t.test('paths that climb, in every spelling, are nowhere', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  const climbs = [
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
    for (const climb of climbs) {
      for (const end of ['etc/passwd', 'data/keys.json', 'package.json', 'healthz']) {
        const path = `${start}${climb}${climb}${end}`;
        const { status, json } = await world.ask({ method: 'GET', path, key });
        if (status !== 404 || json.code !== 'not_found') t.fail(`${path}: ${status}`);
      }
    }
  }
  t.same(world.engine.asked, []);
});

// fault: 28
t.test('the wall clock jumps: no window opens early, and none stays shut', async (t) => {
  const real = Date.now;
  t.teardown(() => {
    Date.now = real;
  });
  const whole = await startWhole(t, { API_KEY_RATE_LIMIT_PER_MIN: '4' });
  const { key } = await whole.caller();
  const statuses: number[] = [];
  for (const hours of [0, 1, -1, 24, -24, 0]) {
    Date.now = () => real() + hours * 3_600_000;
    const answer = await whole.post(key, FLAT);
    statuses.push(answer.status);
    const reset = Number(answer.headers.get('x-ratelimit-reset'));
    t.ok(reset > 0 && reset <= 60, `${reset} seconds`);
  }
  t.same(statuses, [200, 200, 200, 200, 429, 429]);
});

// fault: 100
t.test('pages and pictures: what they are is said, and nothing in them runs', async (t) => {
  const whole = await startWhole(t, {});
  const { key } = await whole.caller();
  const docs = await fetch(`${whole.url}/docs`);
  t.match(docs.headers.get('content-security-policy'), /^default-src 'none';.*frame-ancestors 'none'/);
  t.notMatch(await docs.text(), /<script|\son\w+=|javascript:/i);
  const script = '<script>alert(1)</script>';
  const source = `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><script>alert(1)</script></svg>`;
  const url = `data:image/svg+xml,${encodeURIComponent(source)}`;
  const layers = [{ type: 'image', id: script, x: 0, y: 0, width: 4, height: 4, url }];
  const answers = [
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
  for (const [i, { headers }] of answers.entries()) {
    t.equal(headers.get('content-type')?.replace(/^(application\/json);.*/, '$1'), types[i]);
    t.equal(headers.get('x-content-type-options'), 'nosniff');
  }
});

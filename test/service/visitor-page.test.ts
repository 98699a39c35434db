// People who open `/` or an unknown path in a browser see a page; programs get the JSON 404.
import { createHash } from 'node:crypto';
import t from 'tap';
import { createWorld } from './world.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const NOT_FOUND = '{"success":false,"error":"there is nothing at this path","code":"not_found"}';

// before: `/` and unknown paths answered JSON to people
t.test('people get a page that points to the docs and the dashboard', async (t) => {
  const world = await createWorld(t);
  const ask = (path: string, accept: string | undefined, method = 'GET') =>
    world.ask({ method, path, ...(accept !== undefined && { given: { accept } }) });
  for (const [path, status] of [
    ['/', 200],
    ['/nothing', 404],
    ['/v1/<script>alert(1)</script>', 404],
  ] as const) {
    const page = await ask(path, BROWSER);
    t.equal(page.status, status, path);
    t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    const text = page.bytes.toString();
    t.match(text, /href="\/docs"[\s\S]*href="\/dashboard\/"/);
    t.notMatch(text, /<script/);
    t.match(text, /prefers-color-scheme:dark/);
    const style = /<style>([\s\S]*)<\/style>/.exec(text)![1];
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = page.headers.get('content-security-policy')!;
    t.ok(policy.startsWith("default-src 'none'; "));
    t.ok(policy.includes(`style-src 'sha256-${hash}'`));
    t.ok(policy.includes("frame-ancestors 'none'"));
    t.equal(page.headers.get('x-content-type-options'), 'nosniff');
    t.equal(page.headers.get('referrer-policy'), 'no-referrer');
    t.equal(page.headers.get('cache-control'), 'no-store');
    t.equal((await ask(path, BROWSER, 'HEAD')).status, status);
    for (const accept of [
      undefined,
      '*/*',
      'application/json',
      'text/html;q=0',
      'text/html;q=0.0, */*',
      'text/htmlx',
    ]) {
      const reply = await ask(path, accept);
      t.equal(reply.status, 404, `${path} ${accept}`);
      t.equal(reply.bytes.toString(), NOT_FOUND);
      t.notOk(reply.headers.has('content-security-policy'));
    }
    t.equal((await ask(path, BROWSER, 'POST')).bytes.toString(), NOT_FOUND, 'only those who read');
  }
  t.equal((await ask('/v1/render', BROWSER)).status, 405, 'other answers are as they were');
  t.equal((await ask('/v1/workspace', BROWSER)).headers.get('content-type'), 'application/json; charset=utf-8');
});

t.test('without a dashboard the page does not point to it', async (t) => {
  const world = await createWorld(t, { settings: { DASHBOARD: 'off' } });
  const page = await world.ask({ method: 'GET', path: '/', given: { accept: BROWSER } });
  t.notMatch(page.bytes.toString(), /dashboard/);
});

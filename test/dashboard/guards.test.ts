// Only these requests reach the dashboard: to its own address, from its own pages, by operators who may.
import t from 'tap';
import { PAGES } from '../../lib/dashboard/static/pages.js';
import { createDashboardWorld } from './world.js';

const OPERATOR_BODY = { name: 'Eve', role: 'owner', workspaces: null };

t.test('without an operator, and with DASHBOARD=off, there is nothing', async (t) => {
  const { stranger, link } = await createDashboardWorld(t);
  const off = await createDashboardWorld(t, { settings: { DASHBOARD: 'off' } });
  await off.link();
  const paths = ['/dashboard', '/dashboard/', '/dashboard/login', '/dashboard/api/session', '/dashboard/files/x.js'];
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      t.match(await stranger().ask({ method, path }), { status: 404, json: { code: 'not_found' } });
      t.match(await off.stranger().ask({ method, path }), { status: 404, json: { code: 'not_found' } });
    }
  }
  t.equal((await stranger().ask({ path: '/dashboard', authority: 'other.example' })).status, 404, 'to any host');
  await link();
  t.match(await stranger().ask({ path: 'session' }), { status: 401 }, 'the first operator opens it');
});

t.test('asks the store about operators at most once a second, and not at all when it is off', async (t) => {
  const { store, link, stranger } = await createDashboardWorld(t);
  await link();
  let asked = 0;
  const has = store.hasOperators;
  Object.assign(store, {
    hasOperators() {
      asked++;
      return has();
    },
  });
  for (let i = 0; i < 20; i++) await stranger().ask({ path: 'session' });
  t.ok(asked < 20, `${asked} questions`);
});

// fault: 105
t.test('answers for its own host names only', async (t) => {
  const { link, stranger } = await createDashboardWorld(t);
  await link();
  const proxied = await createDashboardWorld(t, { settings: { DASHBOARD_ORIGIN: 'https://images.example' } });
  await proxied.link();
  const named = await createDashboardWorld(t, { settings: { HOST: '192.168.1.5', PORT: '80' } });
  await named.link();
  const loopback = ['127.0.0.1:8080', 'localhost', 'LOCALHOST:9000', '[::1]:8080', '127.9.9.9', '127.0.0.1:1'];
  const foreign = [
    'attacker.example',
    'attacker.example:8080',
    'localhost.attacker.example',
    '127.0.0.1.attacker.example',
    'attacker.example@localhost',
    'localhost/@attacker.example',
    'localhost:80@attacker.example',
    'localhost, attacker.example',
    'localhost#attacker.example',
    'localhost.',
    '',
    null,
    '192.168.1.5:8080',
    '0.0.0.0:8080',
    '[::]:8080',
    '128.0.0.1',
    '[::ffff:1.2.3.4]',
  ];
  const paths = [
    '/dashboard/',
    '/dashboard/login',
    '/dashboard/api/session',
    '/dashboard/nothing',
    '/dashboard/wasm/x',
  ];
  const statusOf = async (world: typeof proxied, authority: string | null) =>
    (await world.stranger().ask({ path: 'session', authority })).status;
  for (const authority of loopback) {
    t.equal(await statusOf({ stranger } as typeof proxied, authority), 401, authority);
    t.equal(await statusOf(proxied, authority), 401, `${authority} behind a proxy`);
  }
  for (const authority of foreign) {
    for (const path of paths) {
      const reply = await stranger().ask({ path, authority });
      t.match(reply, { status: 421, json: { code: 'misdirected' } }, `${authority} ${path}`);
      t.notMatch(reply.text, 'attacker', 'repeats nothing of the host');
    }
  }
  t.equal(await statusOf(proxied, 'images.example'), 401);
  t.equal(await statusOf(proxied, 'IMAGES.example:443'), 401);
  for (const other of ['images.example:80', 'images.example:8443', 'www.images.example']) {
    t.equal(await statusOf(proxied, other), 421, other);
  }
  t.equal(await statusOf(named, '192.168.1.5'), 401);
  t.equal(await statusOf(named, '192.168.1.6'), 421);
});

// fault: 97
t.test('takes requests of its own pages only', async (t) => {
  const { operator, store } = await createDashboardWorld(t);
  const { ask } = await operator('owner');
  const before = (await store.listOperators()).length;
  const changes = [
    { method: 'POST', path: 'operators', body: OPERATOR_BODY },
    { method: 'POST', path: 'session', body: { name: 'Eve', password: 'x' } },
    { method: 'POST', path: 'session/link', body: { token: 'x' } },
    { method: 'POST', path: 'session/password', body: { token: 'x', password: 'y' } },
    { method: 'DELETE', path: 'session' },
    { method: 'DELETE', path: 'operators/x' },
  ];
  const own = 'http://127.0.0.1:8080';
  const forged: Record<string, string | null>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': null, origin: 'http://attacker.example' },
    { 'sec-fetch-site': null, origin: 'http://127.0.0.1:8081' },
    { 'sec-fetch-site': null, origin: 'https://127.0.0.1:8080' },
    { 'sec-fetch-site': null, origin: 'null' },
    { 'sec-fetch-site': null, origin: '' },
    { 'sec-fetch-site': null, origin: null },
    { 'x-platen-csrf': null },
    { 'x-platen-csrf': '' },
    { 'x-platen-csrf': '0' },
    { 'sec-fetch-site': null, origin: own, 'x-platen-csrf': null },
    // a form of another site
    {
      'sec-fetch-site': null,
      origin: 'null',
      'x-platen-csrf': null,
      'content-type': 'application/x-www-form-urlencoded',
    },
    { 'x-platen-csrf': null, 'content-type': 'text/plain', 'x-http-method-override': 'POST' },
  ];
  for (const headers of forged) {
    for (const request of changes) {
      const reply = await ask({ ...request, headers });
      t.match(reply, { status: 403, json: { code: 'cross_site' } }, `${request.path} ${JSON.stringify(headers)}`);
    }
  }
  t.equal((await store.listOperators()).length, before, 'nothing was changed');
  t.equal((await ask({ path: 'session' })).status, 200, 'nobody was signed out');

  // reads
  for (const site of ['cross-site', 'same-site', 'none']) {
    t.equal((await ask({ path: 'session', headers: { 'sec-fetch-site': site } })).status, 403, `GET, ${site}`);
  }
  const without = { 'sec-fetch-site': null, 'x-platen-csrf': null };
  t.equal((await ask({ path: 'session', headers: { ...without, origin: 'http://attacker.example' } })).status, 403);
  t.equal((await ask({ path: 'session', headers: { ...without, origin: own } })).status, 200);
  t.equal((await ask({ path: 'session', headers: without })).status, 200, 'browsers send neither without TLS');

  // pages are public, so that links in a mail work
  const page = await ask({ path: '/dashboard/login', headers: { 'sec-fetch-site': 'cross-site' } });
  t.not(page.status, 403);

  const body = { ...OPERATOR_BODY, name: 'Bob' };
  const headers = { 'sec-fetch-site': null, origin: own };
  t.equal((await ask({ method: 'POST', path: 'operators', body, headers })).status, 201, 'the own origin');
});

t.test('behind a proxy, the own origin is DASHBOARD_ORIGIN', async (t) => {
  const { operator } = await createDashboardWorld(t, { settings: { DASHBOARD_ORIGIN: 'https://images.example' } });
  const { ask, cookie = '' } = await operator('owner');
  const secret = cookie.split('=')[1];
  const from = (origin: string, authority: string, names = `__Host-platen=${secret}`) =>
    ask({
      method: 'POST',
      path: 'operators',
      authority,
      body: { ...OPERATOR_BODY, name: `${origin} ${authority}` },
      headers: { 'sec-fetch-site': null, origin, cookie: names },
    });
  t.equal((await from('https://images.example', 'images.example')).status, 201);
  t.equal((await from('https://images.example', 'localhost:8080')).status, 201, 'a proxy that sends its own Host');
  t.equal((await from('http://images.example', 'images.example')).status, 403);
  t.equal((await from('https://attacker.example', 'images.example')).status, 403);
  t.equal((await from('https://images.example', 'images.example', cookie)).status, 401, 'the prefix is needed');
});

t.test('an origin is compared in the form that browsers send', async (t) => {
  const rows = [
    ['192.168.1.5', '80', '192.168.1.5', 'http://192.168.1.5'],
    ['Images.Example', '8080', 'images.example:8080', 'http://images.example:8080'],
    ['fd00::0001', '80', '[fd00::1]', 'http://[fd00::1]'],
  ];
  for (const [HOST, PORT, authority, origin] of rows) {
    const { operator } = await createDashboardWorld(t, { settings: { HOST, PORT } });
    const { ask } = await operator('owner');
    const headers = { 'sec-fetch-site': null, origin };
    const request = { method: 'POST', path: 'operators', authority, body: OPERATOR_BODY, headers };
    t.equal((await ask(request)).status, 201, HOST);
  }
  const zoned = await createDashboardWorld(t, { settings: { HOST: 'fe80::1%eth0' } });
  const { ask } = await zoned.operator('owner');
  t.equal((await ask({ path: 'session', authority: 'localhost:8080' })).status, 200);
  t.equal(
    (await ask({ path: 'session', authority: '[fe80::1]:8080' })).status,
    421,
    'an address with a zone has no origin',
  );
});

t.test('takes bodies of JSON only, of a bounded size', async (t) => {
  const { operator } = await createDashboardWorld(t);
  const { ask } = await operator('owner');
  const send = (body: unknown, headers: Record<string, string | null> = {}) =>
    ask({ method: 'POST', path: 'operators', body, headers });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', null]) {
    t.equal((await send(OPERATOR_BODY, { 'content-type': type })).status, 415, String(type));
  }
  t.equal((await send(OPERATOR_BODY, { 'content-type': 'application/json; charset=utf-8' })).status, 201);
  for (const body of ['', '{', 'null', '[]', '"x"', '7']) t.equal((await send(body)).status, 400, body);
  t.equal((await send({ ...OPERATOR_BODY, padding: 'x'.repeat(70_000) })).status, 413);
  t.equal((await send('['.repeat(10_000))).status, 400);
});

t.test('knows no other methods, and no other paths', async (t) => {
  const { operator } = await createDashboardWorld(t);
  const { ask } = await operator('owner');
  for (const method of ['OPTIONS', 'PATCH', 'TRACE', 'CONNECT', 'PROPFIND', 'post']) {
    for (const path of ['/dashboard/', '/dashboard/login', 'session', 'operators']) {
      t.match(await ask({ method, path }), { status: 405, json: { code: 'method_not_allowed' } }, `${method} ${path}`);
    }
  }
  for (const method of ['POST', 'PUT', 'DELETE']) t.equal((await ask({ method, path: '/dashboard/' })).status, 405);
  t.equal((await ask({ method: 'PUT', path: 'session' })).headers.get('allow'), 'GET, HEAD, POST, DELETE');
  for (const path of [
    '/dashboard/x',
    '/dashboard/api',
    '/dashboard/api/',
    '/dashboard/api/session/',
    '/dashboard//',
    '/dashboard/%6cogin',
  ]) {
    t.match(await ask({ path }), { status: 404, json: { code: 'not_found' } }, path);
  }
  t.match(await ask({ path: '/dashboard' }), { status: 308 });
  t.equal((await ask({ path: '/dashboard' })).headers.get('location'), '/dashboard/');
  t.equal((await ask({ method: 'HEAD', path: 'session' })).status, 200);
});

t.test('every page is the same public document', async (t) => {
  const { link, stranger } = await createDashboardWorld(t);
  await link();
  const answers = new Set<string>();
  for (const path of PAGES) {
    const reply = await stranger().ask({ path: `/dashboard/${path.replace('{id}', 'tpl_1')}`, query: 'workspace=<x>' });
    t.ok(reply.status === 200 || reply.json.code === 'no_pages', path);
    answers.add(reply.status === 200 ? reply.text : 'no pages');
  }
  t.equal(answers.size, 1);
});

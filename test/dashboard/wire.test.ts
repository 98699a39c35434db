// The dashboard of a whole server, on the wire: which host a request names, headers that are sent twice, and where secrets are.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createSignInLink } from '../../lib/dashboard/sign-in/secrets.js';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import { startWhole, type Whole } from '../service/whole.js';
import { PASSWORD } from './world.js';

/** Sends the lines of a request's head, and resolves with all that the server answers. */
function sendRaw(t: Test, { url }: Whole, lines: readonly string[], body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    t.teardown(() => socket.destroy());
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(heard));
    socket.on('error', reject);
    socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
  });
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

async function signIn(whole: Whole, name = 'Ada') {
  const { id } = await whole.store.createOperator({ name, role: 'owner', workspaces: null });
  const link = await createSignInLink(whole.store, id, whole.url);
  const token = link.split('#')[1];
  const headers = { 'Content-Type': 'application/json', 'X-Platen-Csrf': '1', Origin: whole.url };
  const send = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
    fetch(`${whole.url}/dashboard/api/${path}`, {
      method,
      headers: { ...headers, ...more },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const answer = await send('POST', 'session/password', { token, password: PASSWORD });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return {
    id,
    token,
    cookie,
    send: (method: string, path: string, body?: unknown) => send(method, path, body, { Cookie: cookie }),
  };
}

// fault: 105
t.test('the host of a whole URL counts as much as that of the header', async (t) => {
  const whole = await startWhole(t, {});
  await signIn(whole);
  const { host } = new URL(whole.url);
  const ask = async (...lines: string[]) => statusOf(await sendRaw(t, whole, lines));
  const path = '/dashboard/api/session';
  t.equal(await ask(`GET ${path} HTTP/1.1`, `Host: ${host}`), 401);
  t.equal(await ask(`GET http://${host}${path} HTTP/1.1`, `Host: ${host}`), 401);
  const foreign: string[][] = [
    [`GET ${path} HTTP/1.1`, 'Host: attacker.example'],
    [`GET http://attacker.example${path} HTTP/1.1`, `Host: ${host}`],
    [`GET http://${host}${path} HTTP/1.1`, 'Host: attacker.example'],
    [`GET http://attacker.example${path} HTTP/1.1`, 'Host: attacker.example'],
    [`GET http://localhost@attacker.example${path} HTTP/1.1`, `Host: ${host}`],
    [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Host: attacker.example'],
    [`GET ${path} HTTP/1.1`, 'Host: attacker.example', `Host: ${host}`],
    [`GET ${path} HTTP/1.1`, `Host: ${host}, attacker.example`],
    [`GET ${path} HTTP/1.1`, 'Host:'],
    [`GET ${path} HTTP/1.0`],
    [`GET ${path} HTTP/1.1`, 'Host: attacker.example', `X-Forwarded-Host: ${host}`, `Forwarded: host=${host}`],
  ];
  for (const lines of foreign) {
    const status = await ask(...lines);
    // Node itself rejects some of them
    t.ok(status === 421 || status === 400, `${lines.join(' | ')}: ${status}`);
  }
  t.equal(await ask('GET /healthz HTTP/1.1', 'Host: attacker.example'), 200, 'the API takes any host');
});

// fault: 108
t.test('a header that is sent twice does not count', async (t) => {
  const whole = await startWhole(t, {});
  const { cookie } = await signIn(whole);
  const { host, origin } = new URL(whole.url);
  const ask = async (method: string, ...headers: string[]) =>
    statusOf(await sendRaw(t, whole, [`${method} /dashboard/api/session HTTP/1.1`, `Host: ${host}`, ...headers]));
  const good = [`Origin: ${origin}`, 'X-Platen-Csrf: 1'];
  t.equal(await ask('GET', `Cookie: ${cookie}`), 200);
  t.equal(await ask('GET', `Cookie: ${cookie}`, `Cookie: ${cookie}`), 401);
  t.equal(await ask('GET', `Cookie: a=b`, `Cookie: ${cookie}`), 401);
  t.equal(await ask('GET', `Cookie: ${cookie}; ${cookie}`), 401);
  t.equal(await ask('GET', `Cookie: platen=${'x'.repeat(14_000)}`), 401);
  t.equal(await ask('GET', `Cookie: platen=${'x'.repeat(17_000)}`), 431);
  t.equal(await ask('DELETE', ...good, `Origin: ${origin}`), 403);
  t.equal(await ask('DELETE', ...good, 'X-Platen-Csrf: 1'), 403);
  t.equal(await ask('DELETE', 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site', 'X-Platen-Csrf: 1'), 403);
  t.equal(await ask('DELETE', ...good), 204);
});

t.test('no method but the listed ones does anything', async (t) => {
  const whole = await startWhole(t, {});
  const { cookie } = await signIn(whole);
  const { host } = new URL(whole.url);
  const answers = (method: string, path: string) =>
    sendRaw(t, whole, [`${method} ${path} HTTP/1.1`, `Host: ${host}`, `Cookie: ${cookie}`]);
  for (const method of ['OPTIONS', 'TRACE', 'PATCH', 'PROPFIND', 'PURGE']) {
    for (const path of ['/dashboard/', '/dashboard/api/session', '/dashboard/api/operators']) {
      const answer = await answers(method, path);
      t.equal(statusOf(answer), 405, `${method} ${path}`);
      t.match(answer, /^Allow: GET, HEAD/m);
      t.notMatch(answer, /access-control-/i);
      t.notMatch(answer, cookie, 'TRACE sends nothing back');
    }
  }
  const head = await answers('HEAD', '/dashboard/api/session');
  t.equal(statusOf(head), 200);
  t.match(head, /\r\n\r\n$/, 'HEAD has no body');
});

// fault: 107
t.test('no cache keeps an answer for somebody else', async (t) => {
  const whole = await startWhole(t, {});
  const { cookie } = await signIn(whole);
  const { host } = new URL(whole.url);
  const ask = async (path: string, ...headers: string[]) => {
    const answer = await sendRaw(t, whole, [`GET ${path} HTTP/1.1`, `Host: ${host}`, ...headers]);
    return answer.replace(/^(?:Date|X-Request-Id): .*\r\n/gim, '');
  };
  // what a cache might take for a file that everyone may have
  for (const path of [
    'session/x.css',
    'session;x.css',
    'session%2fx.js',
    'session.css',
    'session%00.css',
    'session/',
  ]) {
    const answer = await ask(`/dashboard/api/${path}`, `Cookie: ${cookie}`);
    t.equal(statusOf(answer), 404, path);
    t.match(answer, /^Cache-Control: no-store\r$/im);
  }
  t.match(await ask('/dashboard/api/session?x.css', `Cookie: ${cookie}`), /^Cache-Control: no-store\r$/im);
  // nothing that a cache leaves out of its key changes a page
  const headers = [
    'X-Forwarded-Host: attacker.example',
    'X-Forwarded-Proto: http',
    'X-Forwarded-Prefix: /evil',
    'X-Original-URL: /dashboard/api/session',
    'X-Rewrite-URL: /dashboard/api/session',
    'X-HTTP-Method-Override: DELETE',
    'Origin: http://attacker.example',
    'Referer: http://attacker.example/',
    'User-Agent: <script>alert(1)</script>',
    'Accept-Language: xx"><script>',
    `Cookie: ${cookie}`,
  ];
  const plain = await ask('/dashboard/login');
  for (const header of headers) t.equal(await ask('/dashboard/login', header), plain, header);
  const withQuery = await ask('/dashboard/login?utm=<script>alert(1)</script>');
  t.equal(withQuery, plain, 'nor does the query');
});

/** All files of a folder, as Latin-1. */
function contentOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return names
    .filter((name) => statSync(name).isFile())
    .map((name) => readFileSync(name, 'latin1'))
    .join('\n');
}

// fault: 98, 99, 101
t.test('raw keys, passwords, tokens and cookies are in one answer at most, in no log and not in storage', async (t) => {
  const folder = t.testdir({});
  const store = await openEmbeddedStore(folder);
  const whole = await startWhole(t, { LOG_LEVEL: 'debug' }, undefined, store);
  const { token, cookie, send } = await signIn(whole, 'Ada\u001b[31m\u2028');
  const secret = cookie.split('=')[1];
  const bodies: string[] = [];
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await send(method, path, body);
    const text = await answer.text();
    const headers: string[] = [];
    answer.headers.forEach((value, header) => {
      headers.push(`${header}: ${value}`);
    });
    bodies.push(`${headers.join('\n')}\n${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const { id } = await ask('POST', 'workspaces', { name: 'W', plan: 'paid' });
  const path = `workspaces/${id}/keys`;
  const made = await ask('POST', path, { name: 'Shop "><script>\u2029', scopes: ['render:write'] });
  t.match(made.key, /^svc_live_[0-9a-f]{64}$/);
  const other = await ask('POST', 'operators', { name: 'Bob', role: 'editor', workspaces: [id] });
  const otherToken = other.link.split('#')[1];
  for (const name of ['Ada\u001b[31m\u2028', 'nobody', PASSWORD, made.key]) {
    await ask('POST', 'session', { name, password: `${PASSWORD}?` });
  }
  // people paste secrets where they don't belong
  await fetch(`${whole.url}/dashboard/${made.key}?key=${made.key}&token=${token}`);
  await ask('POST', 'session/password', { token: [token], password: [PASSWORD] });
  await ask('POST', 'session/password', { token, password: 'short-secret' });
  const reads = [
    'session',
    'workspaces',
    path,
    'operators',
    'audit',
    `workspaces/${id}/audit`,
    `workspaces/${id}/credits`,
  ];
  for (const read of reads) await ask('GET', read);
  await ask('DELETE', `${path}/${made.id}`);
  await ask('DELETE', 'session');
  await whole.stop();
  await store.close();

  const log = whole.log.map((line) => JSON.stringify(line)).join('\n');
  const stored = contentOf(folder);
  t.match(stored, made.id, 'the folder has what was made');
  t.match(log, id, 'and the log who asked for it');
  const secrets: Record<string, [secret: string, answers: number]> = {
    'the raw key': [made.key, 1],
    'its secret part': [made.key.slice(17), 1],
    'a sign-in token': [token, 0],
    'the token of another link': [otherToken, 1],
    'the cookie of the session': [secret, 0],
    'the password': [PASSWORD, 0],
    'a password that was too short': ['short-secret', 0],
  };
  for (const [name, [text, answers]] of Object.entries(secrets)) {
    t.notMatch(log, text, `${name} is not in the log`);
    t.notMatch(stored, text, `${name} is not in storage`);
    t.equal(bodies.filter((body) => body.includes(text)).length, answers, `${name} is in ${answers} answers`);
  }
  t.notMatch(log, /\\u001b|\u2028/, 'the log has no text of operators');
});

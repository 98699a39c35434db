// Signing in and out, by password and by link.
import t from 'tap';
import { createKnownBrowsers } from '../../lib/dashboard/sign-in/known-browsers.js';
import { createSecret, hashSecret } from '../../lib/dashboard/sign-in/secrets.js';
import { ServiceError } from '../../lib/errors.js';
import type { ApiRequest } from '../../lib/service/request.js';
import { createDashboardWorld, PASSWORD } from './world.js';

t.test('a link sets the password once, and signs in', async (t) => {
  const { link, stranger, store } = await createDashboardWorld(t);
  const { who, token } = await link('owner', 'Ada');
  const browser = stranger();
  t.match(await browser.ask({ method: 'POST', path: 'session/link', body: { token } }), {
    status: 200,
    json: { name: 'Ada' },
  });
  const short = await browser.ask({
    method: 'POST',
    path: 'session/password',
    body: { token, password: 'elevenchars' },
  });
  t.match(short, { status: 400, json: { code: 'invalid_request', details: [{ path: 'password' }] } });
  t.notMatch(short.text, 'elevenchars', 'no message quotes a password');

  const set = await browser.ask({ method: 'POST', path: 'session/password', body: { token, password: PASSWORD } });
  t.match(set, { status: 200, json: { operator: { id: who.id, name: 'Ada', role: 'owner' }, version: '1.2.3' } });
  t.match(set.outcome.answer.cookies, [
    /^platen=[\w-]{43}; Max-Age=604800; HttpOnly; SameSite=Strict; Path=\/$/,
    /^platen-browser=[\w-]{43}; Max-Age=34560000; HttpOnly; SameSite=Strict; Path=\/$/,
  ]);
  t.equal((await browser.ask({ path: 'session' })).status, 200);

  for (const path of ['session/link', 'session/password']) {
    const again = await stranger().ask({ method: 'POST', path, body: { token, password: PASSWORD } });
    t.match(again, { status: 410, json: { code: 'link_invalid' } }, 'the link is used up');
  }
  const { passwordHash = '' } = (await store.findOperator('Ada')) ?? {};
  t.match(passwordHash, /^scrypt-15-8-3\$[\w-]{22}\$[\w-]{43}$/);
});

t.test('a password signs in; sign-out ends the session on the server', async (t) => {
  const { link, stranger, store } = await createDashboardWorld(t);
  const { token } = await link('owner', 'Ada');
  const first = stranger();
  await first.ask({ method: 'POST', path: 'session/password', body: { token, password: PASSWORD } });
  const { cookie } = first;

  const browser = stranger();
  t.match(await browser.ask({ path: 'session' }), { status: 401, json: { code: 'signed_out' } });
  const wrong = await browser.ask({ method: 'POST', path: 'session', body: { name: 'Ada', password: `${PASSWORD}!` } });
  t.match(wrong, { status: 401, json: { code: 'wrong_password' } });
  t.equal(wrong.outcome.answer.cookies, undefined);
  t.equal(
    (await browser.ask({ method: 'POST', path: 'session', body: { name: 'Ada', password: PASSWORD } })).status,
    200,
  );
  t.not(browser.cookie, cookie, 'a session of its own');
  t.equal((await browser.ask({ path: 'session' })).status, 200);

  const kept = browser.cookie;
  t.equal((await browser.ask({ method: 'DELETE', path: 'session' })).status, 204);
  t.equal(browser.cookie, undefined);
  t.equal((await stranger(kept).ask({ path: 'session' })).status, 401, 'the cookie is of no more use');
  t.equal((await first.ask({ path: 'session' })).status, 200, 'other sessions go on');

  const actions = (await store.listAudit({}, { limit: 50 })).items.map(({ action, actor }) => [action, actor.name]);
  t.same(actions.reverse(), [
    ['operator.password', 'Ada'],
    ['session.fail', 'Ada'],
    ['session.create', 'Ada'],
    ['session.end', 'Ada'],
  ]);
});

t.test('people sign in beside a flood of wrong passwords, in browsers that have signed in before', async (t) => {
  const { link, stranger } = await createDashboardWorld(t);
  const { token } = await link('owner', 'Ada');
  const browser = stranger();
  await browser.ask({ method: 'POST', path: 'session/password', body: { token, password: PASSWORD } });
  await browser.ask({ method: 'DELETE', path: 'session' });
  t.equal(browser.cookie, undefined, 'signed out');
  t.equal((await browser.ask({ path: 'session' })).status, 401, 'what the browser keeps is no session');

  const attack = (name: string) =>
    stranger().ask({ method: 'POST', path: 'session', body: { name, password: 'wrong' } });
  const flood = Promise.all(Array.from({ length: 12 }, (_, i) => attack(i % 2 === 0 ? 'Ada' : `name ${i}`)));
  const body = { name: 'Ada', password: PASSWORD };
  t.equal((await stranger().ask({ method: 'POST', path: 'session', body })).status, 503, 'a new browser waits');
  t.equal((await browser.ask({ method: 'POST', path: 'session', body })).status, 200);
  t.ok((await flood).every(({ status }) => [401, 429, 503].includes(status)));
});

t.test('a new password ends what browsers keep; it is of no use for other names', async (t) => {
  const { link, stranger, store } = await createDashboardWorld(t);
  const { who, token } = await link('owner', 'Ada');
  const browser = stranger();
  const set = await browser.ask({ method: 'POST', path: 'session/password', body: { token, password: PASSWORD } });
  const kept = (set.outcome.answer.cookies ?? []).map((cookie) => cookie.split(';', 1)[0])[1] ?? '';
  const request = { header: (name: string) => (name === 'cookie' ? kept : undefined) } as ApiRequest;
  const { isKnown } = createKnownBrowsers(false);
  const hashOf = async (name: string) => (await store.findOperator(name))?.passwordHash;
  t.equal(isKnown(request, await hashOf('Ada')), true);
  t.equal(isKnown(request, undefined), false);
  const other = await link('owner', 'Bob');
  await stranger().ask({ method: 'POST', path: 'session/password', body: { token: other.token, password: PASSWORD } });
  t.equal(isKnown(request, await hashOf('Bob')), false);
  const secret = createSecret();
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  await store.createSignInToken(who.id, { hash: hashSecret(secret)!, expiresAt });
  await stranger().ask({ method: 'POST', path: 'session/password', body: { token: secret, password: PASSWORD } });
  t.equal(isKnown(request, await hashOf('Ada')), false, 'the same password again has another salt');
});

t.test('a wrong password counts, even if the audit log can’t be written', async (t) => {
  const { link, stranger, store } = await createDashboardWorld(t);
  const { token } = await link('owner', 'Ada');
  await stranger().ask({ method: 'POST', path: 'session/password', body: { token, password: PASSWORD } });
  const { appendAudit } = store;
  store.appendAudit = async () => {
    throw new ServiceError('storage_unavailable', 'storage is unavailable: the audit log can’t be written');
  };
  const guess = () =>
    stranger().ask({ method: 'POST', path: 'session', body: { name: 'Ada', password: `${PASSWORD}!` } });
  for (let i = 0; i < 3; i++) t.match(await guess(), { status: 503, json: { code: 'storage_unavailable' } });
  t.match(await guess(), { status: 429, json: { code: 'too_many_attempts' } });
  store.appendAudit = appendAudit;
});

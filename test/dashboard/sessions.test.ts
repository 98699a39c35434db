// Sessions: how their cookies are read, when they end, and what each role may do.
import t from 'tap';
import { createSecret, hashSecret } from '../../lib/dashboard/sign-in/secrets.js';
import { createDashboardWorld, PASSWORD } from './world.js';

// fault: 101
t.test('a session that somebody planted is not the one that a sign-in starts', async (t) => {
  const { link, stranger, store } = await createDashboardWorld(t);
  const attacker = await link('viewer', 'Mallory');
  const planted = createSecret();
  await store.createSession(attacker.who.id, {
    hash: hashSecret(planted) ?? '',
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
  });
  const { token } = await link('owner', 'Ada');
  for (const secret of [planted, createSecret(), 'x'.repeat(43)]) {
    const browser = stranger(`platen=${secret}`);
    const path = secret === planted ? 'session/password' : 'session';
    const body = secret === planted ? { token, password: PASSWORD } : { name: 'Ada', password: PASSWORD };
    t.equal((await browser.ask({ method: 'POST', path, body })).status, 200);
    t.not(browser.cookie, `platen=${secret}`, 'the session has a new name');
    t.equal((await stranger(`platen=${secret}`).ask({ path: 'session' })).status, 401, 'the planted one has ended');
  }
});

// fault: 108
t.test('reads one cookie of its name, and no other', async (t) => {
  const { operator, stranger } = await createDashboardWorld(t);
  const { cookie = '' } = await operator('owner');
  const secret = cookie.split('=')[1];
  const status = async (header: string) => (await stranger(header).ask({ path: 'session' })).status;
  for (const good of [cookie, `a=b; ${cookie}`, `${cookie}; a=b`, `platenx=1;${cookie}`, `a=platen=x; ${cookie} `]) {
    t.equal(await status(good), 200, good);
  }
  const bad = [
    '',
    `${cookie}; ${cookie}`,
    `platen=x; ${cookie}`,
    `${cookie}; platen=`,
    `PLATEN=${secret}`,
    `__Host-platen=${secret}`,
    `platen="${secret}"`,
    `platen=${secret}x`,
    `platen=${secret.slice(1)}`,
    `platen=${hashSecret(secret)}`,
    `platen=%70${secret.slice(1)}`,
    `platen=${'x'.repeat(15_000)}`,
    `${'a=b; '.repeat(3000)}platen`,
    'platen',
    '=platen',
    `platen=${secret.slice(0, 42)}\u0000`,
  ];
  for (const header of bad) t.equal(await status(header), 401, header.slice(0, 60));
});

// fault: 108
t.test('a session ends with its time, its operator, its link', async (t) => {
  const { operator, link, store, stranger } = await createDashboardWorld(t);
  const owner = await operator('owner');
  const { who, ask } = await operator('editor');
  t.equal((await ask({ path: 'session' })).status, 200);
  t.equal((await owner.ask({ method: 'DELETE', path: `operators/${who.id}` })).status, 204);
  t.equal((await ask({ path: 'session' })).status, 401, 'of a removed operator, at once');

  const other = await link('editor', 'Bob');
  const expired = createSecret();
  const expiresAt = new Date(Date.now() - 1).toISOString();
  await store.createSession(other.who.id, { hash: hashSecret(expired) ?? '', expiresAt });
  t.equal((await stranger(`platen=${expired}`).ask({ path: 'session' })).status, 401, 'after its last day');

  const browser = stranger();
  await browser.ask({ method: 'POST', path: 'session/password', body: { token: other.token, password: PASSWORD } });
  const { json } = await owner.ask({ method: 'POST', path: `operators/${other.who.id}/link` });
  const token = json.link.split('#')[1];
  t.equal((await browser.ask({ path: 'session' })).status, 200, 'a new link alone changes nothing');
  const second = stranger();
  t.equal(
    (await second.ask({ method: 'POST', path: 'session/password', body: { token, password: PASSWORD } })).status,
    200,
  );
  t.equal((await browser.ask({ path: 'session' })).status, 401, 'a new password ends all sessions');
});

t.test('an operator sees its own workspaces', async (t) => {
  const { operator, store } = await createDashboardWorld(t);
  const one = await store.createWorkspace({ name: 'One', plan: 'free', credits: 0 });
  const two = await store.createWorkspace({ name: 'Two', plan: 'paid', credits: 0 });
  const namesFor = async (role: 'owner' | 'editor' | 'viewer', workspaces: string[] | null) => {
    const { ask } = await operator(role, workspaces);
    return (await ask({ path: 'session' })).json.workspaces.map(({ name }: { name: string }) => name);
  };
  t.same(await namesFor('owner', null), ['Two', 'One']);
  t.same(await namesFor('editor', [one.id]), ['One']);
  t.same(await namesFor('viewer', [two.id]), ['Two']);
  t.same(await namesFor('viewer', null), ['Two', 'One']);
  t.same(await namesFor('editor', []), []);
});

// The admin API of workspaces, keys, credits and the audit log: who may do what, and what is remembered of it.
import t from 'tap';
import { daysLeft } from '../../lib/dashboard/api/credits.js';
import { hashKey } from '../../lib/store/api-keys.js';
import { MAX_LINK_KEYS } from '../../lib/store/types.js';
import { createDashboardWorld } from './world.js';

const KEY = { name: 'Shop', scopes: ['render:write'] };

t.test('operators see their own workspaces alone', async (t) => {
  const world = await createDashboardWorld(t);
  const one = await world.store.createWorkspace({ name: 'One', plan: 'free', credits: 5 });
  const two = await world.store.createWorkspace({ name: 'Two', plan: 'paid', credits: 0 });
  const owner = await world.operator('owner');
  const viewer = await world.operator('viewer', [one.id]);
  const summary = ({ id, name, plan }: typeof one) => ({ id, name, plan });
  t.strictSame((await owner.ask({ path: 'workspaces' })).json, { items: [summary(two), summary(one)] });
  t.strictSame((await viewer.ask({ path: 'workspaces' })).json, { items: [summary(one)] });
  const paths = ['keys', 'links', 'credits', 'usage', 'renders', 'templates', 'assets', 'audit'];
  for (const path of paths) {
    t.equal((await viewer.ask({ path: `workspaces/${one.id}/${path}` })).status, 200, path);
    const hidden = await viewer.ask({ path: `workspaces/${two.id}/${path}` });
    const unknown = await viewer.ask({ path: `workspaces/ws_unknown/${path}` });
    t.equal(hidden.status, 404, path);
    t.equal(hidden.text, unknown.text, `${path}: the same as for an unknown one`);
    t.equal((await world.stranger().ask({ path: `workspaces/${one.id}/${path}` })).status, 401, path);
  }
});

t.test('owners create workspaces', async (t) => {
  const { operator, store } = await createDashboardWorld(t);
  const owner = await operator('owner');
  const created = await owner.ask({ method: 'POST', path: 'workspaces', body: { name: ' New ', plan: 'free' } });
  t.equal(created.status, 201);
  t.match(await store.findWorkspace(created.json.id), { name: 'New', plan: 'free', balance: 0 });
  const malformed = await owner.ask({ method: 'POST', path: 'workspaces', body: { name: ' ', plan: 'gold' } });
  t.equal(malformed.status, 400);
  t.match(malformed.json, { code: 'invalid_request', details: [{ path: 'name' }, { path: 'plan' }] });
  const editor = await operator('editor');
  const refused = await editor.ask({ method: 'POST', path: 'workspaces', body: { name: 'x', plan: 'free' } });
  t.match([refused.status, refused.json.code], [403, 'forbidden']);
  t.equal((await store.listWorkspaces()).length, 1);
});

t.test('a new key is in one answer, as text in no other and in no entry of the audit log', async (t) => {
  const { operator, store } = await createDashboardWorld(t);
  const { id } = await store.createWorkspace({ name: 'Shop', plan: 'paid', credits: 5 });
  const editor = await operator('editor', [id]);
  const path = `workspaces/${id}/keys`;
  const created = await editor.ask({
    method: 'POST',
    path,
    body: { ...KEY, scopes: ['render:write', 'render:write'] },
  });
  t.equal(created.status, 201);
  const { key, ...rest } = created.json;
  t.match(key, /^svc_live_[0-9a-f]{64}$/);
  t.match(await store.findKey(hashKey(key)), { key: { id: rest.id, workspaceId: id } });
  t.match(rest, { ...KEY, state: 'active', requests: 0, refused: 0, cpuMs: 0 });
  const listed = await editor.ask({ path });
  t.strictSame(listed.json, { items: [rest] });
  const audit = await editor.ask({ path: `workspaces/${id}/audit` });
  t.match(audit.json.items, [
    { actor: { kind: 'operator', name: editor.who.name }, action: 'key.create', workspaceId: id, subject: rest.id },
  ]);
  const secret = key.slice('svc_live_'.length + 8);
  for (const { text } of [listed, audit]) t.notMatch(text, secret);
});

t.test('what is wrong with a key is said by its field', async (t) => {
  const { operator, store } = await createDashboardWorld(t);
  const { id } = await store.createWorkspace({ name: 'Shop', plan: 'paid', credits: 5 });
  const owner = await operator('owner');
  const post = (body: unknown) => owner.ask({ method: 'POST', path: `workspaces/${id}/keys`, body });
  for (const [body, path] of [
    [{ ...KEY, name: '' }, 'name'],
    [{ ...KEY, name: 'x'.repeat(101) }, 'name'],
    [{ ...KEY, name: 'a\nb' }, 'name'],
    [{ ...KEY, scopes: [] }, 'scopes'],
    [{ ...KEY, scopes: ['render:writ'] }, 'scopes[0]'],
    [{ ...KEY, scopes: 'render:write' }, 'scopes'],
    [[], ''],
  ] as const) {
    const { status, json } = await post(body);
    t.equal(status, 400, JSON.stringify(body));
    t.match(json, { code: 'invalid_request', details: [{ path }] });
  }
  t.same(await store.listKeys(id), []);
});

t.test('a key is revoked once, by its own workspace', async (t) => {
  const { operator, store } = await createDashboardWorld(t);
  const { id } = await store.createWorkspace({ name: 'Shop', plan: 'paid', credits: 5 });
  const other = await store.createWorkspace({ name: 'Other', plan: 'paid', credits: 5 });
  const owner = await operator('owner');
  const viewer = await operator('viewer');
  const { json: key } = await owner.ask({ method: 'POST', path: `workspaces/${id}/keys`, body: KEY });
  const revoke = (browser: typeof owner, workspaceId: string, keyId: string) =>
    browser.ask({ method: 'DELETE', path: `workspaces/${workspaceId}/keys/${keyId}` });
  t.equal((await revoke(viewer, id, key.id)).status, 403);
  t.match(await revoke(owner, other.id, key.id), { status: 404, json: { code: 'key_not_found' } });
  t.match(await revoke(owner, id, 'key_unknown'), { status: 404, json: { code: 'key_not_found' } });
  t.equal((await store.findKey(hashKey(key.key)))?.key.state, 'active');
  for (const _ of [1, 2]) t.match(await revoke(owner, id, key.id), { status: 200, json: { state: 'revoked' } });
  const { json } = await owner.ask({ path: 'audit' });
  t.same(
    json.items.map(({ action }: { action: string }) => action),
    ['key.revoke', 'key.create'],
  );
});

t.test('owners grant credits', async (t) => {
  const { operator, store } = await createDashboardWorld(t, { settings: { RENDER_CREDIT_COST: '2' } });
  const { id } = await store.createWorkspace({ name: 'Shop', plan: 'paid', credits: 5 });
  const owner = await operator('owner');
  const path = `workspaces/${id}/credits`;
  const grant = (body: unknown) => owner.ask({ method: 'POST', path, body });
  t.strictSame((await grant({ amount: 10 })).json, { balance: 15 });
  t.match((await owner.ask({ path })).json, { plan: 'paid', balance: 15, creditsCost: 2, rendersRemaining: 7 });
  for (const amount of [0, -1, 1.5, '5', null, undefined, 4e9, 1e300]) {
    const { status, json } = await grant({ amount });
    t.equal(status, 400, String(amount));
    t.match(json, { code: 'invalid_request', details: [{ path: 'amount' }] });
  }
  t.equal((await (await operator('editor')).ask({ method: 'POST', path, body: { amount: 1 } })).status, 403);
  t.equal((await store.balance(id)).balance, 15);
  const { json } = await owner.ask({ path: 'audit' });
  t.match(json.items, [{ action: 'credits.grant', details: { amount: 10, balance: 15 } }]);
  t.equal(json.items.length, 1, 'refused grants are not in it');
});

t.test('the days that credits last go by the days since the first charge', async (t) => {
  const usage = (...credits: number[]) => credits.map((each) => ({ credits: each }));
  t.equal(daysLeft(100, usage(0, 0, 0)), null);
  t.equal(daysLeft(100, usage()), null);
  t.equal(daysLeft(100, usage(0, 0, 10)), 10, 'the first day of use');
  t.equal(daysLeft(100, usage(0, 10, 0)), 20, 'a day without renders counts');
  t.equal(daysLeft(100, usage(3, 3, 1)), 42);
  t.equal(daysLeft(0, usage(1)), 0);
});

t.test('the whole audit log is for owners', async (t) => {
  const { operator } = await createDashboardWorld(t);
  const owner = await operator('owner');
  t.equal((await (await operator('editor')).ask({ path: 'audit' })).status, 403);
  const created = await owner.ask({
    method: 'POST',
    path: 'operators',
    body: { name: 'New', role: 'viewer', workspaces: [] },
  });
  const { id } = created.json;
  await owner.ask({ method: 'POST', path: `operators/${id}/link` });
  await owner.ask({ method: 'DELETE', path: `operators/${id}` });
  const { json, text } = await owner.ask({ path: 'audit' });
  t.same(
    json.items.map(({ action, subject }: { action: string; subject: string }) => [action, subject]),
    [
      ['operator.remove', id],
      ['operator.link', id],
      ['operator.create', id],
    ],
  );
  t.notMatch(text, /link#/);
  t.match(await owner.ask({ path: 'audit', query: 'cursor=%00' }), { status: 400 });
});

t.test('a new link key is in one answer; revoking it twice is one entry of the audit log', async (t) => {
  const { operator, store } = await createDashboardWorld(t);
  const { id } = await store.createWorkspace({ name: 'Shop', plan: 'paid', credits: 5 });
  const other = await store.createWorkspace({ name: 'Other', plan: 'paid', credits: 5 });
  const editor = await operator('editor', [id]);
  const path = `workspaces/${id}/links`;
  const created = await editor.ask({ method: 'POST', path, body: { name: ' Blog ' } });
  t.equal(created.status, 201);
  const { privateKey, ...rest } = created.json;
  t.match(privateKey, /^lnk_live_[\w-]{43}$/);
  t.match(rest, { id: /^link_/, name: 'Blog', state: 'active', requests: 0, refused: 0, cpuMs: 0 });
  const listed = await editor.ask({ path });
  t.strictSame(listed.json, { items: [rest] });
  const foreign = await store.createLinkKey({
    workspaceId: other.id,
    name: 'l',
    publicKey: Buffer.alloc(32, 1).toString('base64url'),
  });
  const revoke = (key: string) => editor.ask({ method: 'DELETE', path: `${path}/${key}` });
  for (const unknown of [foreign.id, 'link_none']) {
    t.match(await revoke(unknown), { status: 404, json: { code: 'key_not_found' } });
  }
  for (let n = 0; n < 2; n++) t.match(await revoke(rest.id), { status: 200, json: { id: rest.id, state: 'revoked' } });
  const audit = await editor.ask({ path: `workspaces/${id}/audit` });
  t.match(audit.json.items, [
    { action: 'link.revoke', subject: rest.id },
    { actor: { kind: 'operator', name: editor.who.name }, action: 'link.create', workspaceId: id, subject: rest.id },
  ]);
  t.equal(audit.json.items.length, 2);
  for (const { text } of [listed, audit]) t.notMatch(text, privateKey.slice(9));
  const malformed = await editor.ask({ method: 'POST', path, body: { name: '' } });
  t.match(malformed, { status: 400, json: { details: [{ path: 'name' }] } });
  const publicKey = Buffer.alloc(32, 1).toString('base64url');
  for (let n = 0; n < MAX_LINK_KEYS; n++) await store.createLinkKey({ workspaceId: id, name: 'l', publicKey });
  const oneMore = await editor.ask({ method: 'POST', path, body: { name: 'l' } });
  t.match(oneMore, { status: 409, json: { success: false, code: 'link_key_limit', error: /revoke one first$/ } });
  t.equal((await editor.ask({ path: `workspaces/${id}/audit` })).json.items.length, 2, 'it is in no log');
});

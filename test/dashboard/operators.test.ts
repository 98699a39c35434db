// `operators`: owners add and remove those who may use the dashboard.
import t from 'tap';
import { createDashboardWorld, PASSWORD } from './world.js';

t.test('an owner adds an operator, whose link signs in', async (t) => {
  const { operator, store, stranger } = await createDashboardWorld(t);
  const { ask } = await operator('owner');
  const { id } = await store.createWorkspace({ name: 'One', plan: 'free', credits: 0 });
  const body = { name: ' Bob ', role: 'editor', workspaces: [id] };
  const added = await ask({ method: 'POST', path: 'operators', body });
  t.match(added, { status: 201, json: { name: 'Bob', role: 'editor', workspaces: [id], hasPassword: false } });
  const [origin, token] = added.json.link.split('/dashboard/link#');
  t.equal(origin, 'http://127.0.0.1:8080');
  const bob = stranger();
  t.match(await bob.ask({ method: 'POST', path: 'session/password', body: { token, password: PASSWORD } }), {
    status: 200,
    json: { operator: { name: 'Bob', role: 'editor' }, workspaces: [{ id, name: 'One', plan: 'free' }] },
  });
  const { json } = await ask({ path: 'operators' });
  t.equal(json.items[0].hasPassword, true);
  t.notMatch(JSON.stringify(json), /scrypt|link#/, 'a list has no secrets');
  t.match(await ask({ method: 'POST', path: 'operators', body }), { status: 409, json: { code: 'duplicate_name' } });
});

t.test('rejects fields that are wrong, each by its path', async (t) => {
  const { operator } = await createDashboardWorld(t);
  const { ask } = await operator('owner');
  const rows: [object, string][] = [
    [{ name: '', role: 'owner', workspaces: null }, 'name'],
    [{ name: '  ', role: 'owner', workspaces: null }, 'name'],
    [{ name: 'a\nb', role: 'owner', workspaces: null }, 'name'],
    [{ name: 'a\u202eb', role: 'owner', workspaces: null }, 'name'],
    [{ name: 'a\ud800', role: 'owner', workspaces: null }, 'name'],
    [{ name: 'x'.repeat(101), role: 'owner', workspaces: null }, 'name'],
    [{ name: 7, role: 'owner', workspaces: null }, 'name'],
    [{ name: 'Bob', role: 'admin', workspaces: null }, 'role'],
    [{ name: 'Bob', role: 'editor' }, 'workspaces'],
    [{ name: 'Bob', role: 'editor', workspaces: ['ws_unknown'] }, 'workspaces[0]'],
    [{ name: 'Bob', role: 'editor', workspaces: [7] }, 'workspaces[0]'],
  ];
  for (const [body, path] of rows) {
    const reply = await ask({ method: 'POST', path: 'operators', body });
    t.match(reply, { status: 400, json: { code: 'invalid_request', details: [{ path }] } }, JSON.stringify(body));
  }
});

t.test('removes operators, but not the last owner', async (t) => {
  const { operator } = await createDashboardWorld(t);
  const { ask, who } = await operator('owner');
  const other = await operator('viewer');
  t.match(await ask({ method: 'DELETE', path: `operators/${who.id}` }), { status: 409, json: { code: 'last_owner' } });
  t.equal((await ask({ method: 'DELETE', path: `operators/${other.who.id}` })).status, 204);
  for (const id of [other.who.id, 'op_unknown', '__proto__']) {
    for (const [method, path] of [
      ['DELETE', `operators/${id}`],
      ['POST', `operators/${id}/link`],
    ]) {
      t.match(await ask({ method, path }), { status: 404, json: { code: 'operator_not_found' } }, `${method} ${path}`);
    }
  }
});

t.test('is for owners only', async (t) => {
  const { operator, stranger, store } = await createDashboardWorld(t);
  await operator('owner');
  const before = JSON.stringify(await store.listOperators());
  const requests = [
    { path: 'operators' },
    { method: 'POST', path: 'operators', body: { name: 'Eve', role: 'owner', workspaces: null } },
    { method: 'DELETE', path: 'operators/x' },
    { method: 'POST', path: 'operators/x/link' },
  ];
  for (const role of ['editor', 'viewer'] as const) {
    const { ask, who } = await operator(role);
    for (const request of requests) {
      t.match(await ask(request), { status: 403, json: { code: 'forbidden' } }, `${role} ${request.path}`);
    }
    await store.removeOperator(who.id);
  }
  for (const request of requests) t.equal((await stranger().ask(request)).status, 401);
  t.equal(JSON.stringify(await store.listOperators()), before);
});

// Who may use which route of the admin API: every route, by every role, in its own workspace and in another one.
import t from 'tap';
import { adminRoutes } from '../../lib/dashboard/index.js';
import { createKnownBrowsers } from '../../lib/dashboard/sign-in/known-browsers.js';
import type { Role } from '../../lib/store/operator-store.js';
import { type Browser, createDashboardWorld, type DashboardWorld } from './world.js';

/** The least role of each route. A change here is a change of what people may do. */
const LEAST_ROLES: Readonly<Record<string, Role | 'anyone'>> = {
  'GET session': 'viewer',
  'POST session': 'anyone',
  'DELETE session': 'anyone',
  'POST session/link': 'anyone',
  'POST session/password': 'anyone',
  'GET operators': 'owner',
  'POST operators': 'owner',
  'DELETE operators/{operator}': 'owner',
  'POST operators/{operator}/link': 'owner',
  'GET workspaces': 'viewer',
  'POST workspaces': 'owner',
  'GET workspaces/{workspace}/keys': 'viewer',
  'POST workspaces/{workspace}/keys': 'editor',
  'DELETE workspaces/{workspace}/keys/{key}': 'editor',
  'GET workspaces/{workspace}/links': 'viewer',
  'POST workspaces/{workspace}/links': 'editor',
  'DELETE workspaces/{workspace}/links/{link}': 'editor',
  'GET workspaces/{workspace}/credits': 'viewer',
  'POST workspaces/{workspace}/credits': 'owner',
  'GET workspaces/{workspace}/usage': 'viewer',
  'GET workspaces/{workspace}/renders': 'viewer',
  'GET workspaces/{workspace}/renders/{id}': 'viewer',
  'GET workspaces/{workspace}/templates': 'viewer',
  'POST workspaces/{workspace}/templates': 'editor',
  'GET workspaces/{workspace}/templates/{id}': 'viewer',
  'PUT workspaces/{workspace}/templates/{id}': 'editor',
  'DELETE workspaces/{workspace}/templates/{id}': 'editor',
  'GET workspaces/{workspace}/templates/{id}/versions': 'viewer',
  'GET workspaces/{workspace}/templates/{id}/versions/{n}': 'viewer',
  'POST workspaces/{workspace}/templates/{id}/restore': 'editor',
  'POST workspaces/{workspace}/templates/{id}/publish': 'editor',
  'GET workspaces/{workspace}/assets': 'viewer',
  'POST workspaces/{workspace}/assets': 'editor',
  'GET workspaces/{workspace}/assets/{id}': 'viewer',
  'DELETE workspaces/{workspace}/assets/{id}': 'editor',
  'GET workspaces/{workspace}/audit': 'viewer',
  'GET audit': 'owner',
  'GET asset': 'viewer',
  'GET fonts': 'viewer',
  'GET fonts/{n}': 'viewer',
  'POST verify': 'editor',
};

const RANKS = ['viewer', 'editor', 'owner'];

interface Listed {
  readonly method: string;
  readonly pattern: string;
  readonly least: Role | 'anyone';
}

function listRoutes({ parts }: DashboardWorld): Listed[] {
  const session = {
    sessions: { find: async () => undefined, start: async () => '', end: async () => '' },
    browsers: createKnownBrowsers(false),
  };
  return Object.entries(adminRoutes(parts, session)).flatMap(([pattern, methods]) =>
    Object.entries(methods).map(([method, route]) => ({
      method,
      pattern,
      least: route.access === 'anyone' ? route.access : route.role,
    })),
  );
}

/** The path of a route in a workspace, with ids that nothing has. */
const pathIn = (pattern: string, workspaceId: string) =>
  pattern.replace('{workspace}', workspaceId).replace(/\{\w+\}/g, 'unknown');

const state = async ({ store }: DashboardWorld) =>
  JSON.stringify([await store.listOperators(), await store.listWorkspaces()]);

t.test('each route has the role that it should have', async (t) => {
  const routes = listRoutes(await createDashboardWorld(t));
  t.same(Object.fromEntries(routes.map(({ method, pattern, least }) => [`${method} ${pattern}`, least])), LEAST_ROLES);
});

t.test('a request without a session, or with a lower role, gets no further', async (t) => {
  const world = await createDashboardWorld(t);
  const { id } = await world.store.createWorkspace({ name: 'One', plan: 'paid', credits: 0 });
  const browsers: Record<Role, Browser> = {
    viewer: await world.operator('viewer', [id]),
    editor: await world.operator('editor', [id]),
    owner: await world.operator('owner'),
  };
  const before = await state(world);
  for (const { method, pattern, least } of listRoutes(world)) {
    const path = pathIn(pattern, id);
    const forged = await browsers.owner.ask({ method, path, headers: { 'sec-fetch-site': 'cross-site' } });
    t.match(forged, { status: 403, json: { code: 'cross_site' } }, `${method} ${pattern} of another site`);
    if (least === 'anyone') continue;
    const unknown = await world.stranger(`platen=${'x'.repeat(43)}`).ask({ method, path });
    t.match(unknown, { status: 401, json: { code: 'signed_out' } }, `${method} ${pattern} without a session`);
    for (const role of ['viewer', 'editor', 'owner'] as const) {
      const { status, json } = await browsers[role].ask({ method, path });
      const isRefused = status === 403 && json.code === 'forbidden';
      t.equal(isRefused, RANKS.indexOf(role) < RANKS.indexOf(least), `${method} ${pattern} as ${role}: ${status}`);
      t.not(status, 401);
    }
  }
  t.equal(await state(world), before, 'nothing was changed');
});

// fault: 101
t.test('another workspace is answered, to the byte, like one that does not exist', async (t) => {
  const world = await createDashboardWorld(t);
  const own = await world.store.createWorkspace({ name: 'Own', plan: 'paid', credits: 0 });
  const foreign = await world.store.createWorkspace({ name: 'Foreign', plan: 'paid', credits: 0 });
  const browsers = [
    await world.operator('viewer', [own.id]),
    await world.operator('editor', [own.id]),
    await world.operator('editor', []),
  ];
  await world.operator('owner');
  const before = await state(world);
  const inWorkspace = listRoutes(world).filter(({ pattern }) => pattern.includes('{workspace}'));
  t.ok(inWorkspace.length > 20);
  const body = { name: 'x', scopes: ['render:write'], amount: 1, version: 1 };
  for (const { method, pattern } of inWorkspace) {
    for (const { ask } of browsers) {
      const send = (workspaceId: string) =>
        ask({ method, path: pathIn(pattern, workspaceId), ...(method !== 'GET' && { body }) });
      const [there, nowhere] = [await send(foreign.id), await send('ws_000000000000000000000000')];
      t.ok(there.status === 404 || there.status === 403, `${method} ${pattern}: ${there.status}`);
      t.equal(there.text, nowhere.text, `${method} ${pattern}`);
      t.equal(there.status, nowhere.status);
      t.same([...there.headers.keys()], [...nowhere.headers.keys()]);
      t.equal(there.outcome.workspaceId, undefined, 'nor does the log connect the operator with it');
    }
  }
  for (const { ask } of browsers.slice(0, 2)) {
    const query = (id: string) => `workspace=${id}&url=${encodeURIComponent('https://example.com/x.png')}`;
    const there = await ask({ path: 'asset', query: query(foreign.id) });
    t.match(there, { status: 404, json: { code: 'workspace_not_found' } });
    t.equal(there.text, (await ask({ path: 'asset', query: query('ws_unknown') })).text);
  }
  const verify = (workspaceId: string) =>
    browsers[1].ask({ method: 'POST', path: 'verify', body: { workspaceId, payload: { canvas: {}, layers: [] } } });
  t.match(await verify(foreign.id), { status: 404, json: { code: 'workspace_not_found' } });
  t.equal((await verify(foreign.id)).text, (await verify('ws_unknown')).text);
  t.equal(await state(world), before, 'nothing was changed');
});

t.test('a role and a workspace that were taken away are gone on the next request', async (t) => {
  const world = await createDashboardWorld(t);
  const owner = await world.operator('owner');
  const { id } = await world.store.createWorkspace({ name: 'One', plan: 'paid', credits: 0 });
  const editor = await world.operator('editor', [id]);
  const path = `workspaces/${id}/keys`;
  t.equal((await editor.ask({ path })).status, 200);
  await world.store.deleteWorkspace(id);
  t.match(await editor.ask({ path }), { status: 404, json: { code: 'workspace_not_found' } });
  t.match(await owner.ask({ path }), { status: 404, json: { code: 'workspace_not_found' } });
  t.same((await editor.ask({ path: 'session' })).json.workspaces, []);
  await world.store.removeOperator(editor.who.id);
  t.equal((await editor.ask({ path: 'session' })).status, 401);
});

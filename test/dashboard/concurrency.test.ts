// Several people at once: the same template, a key that is revoked while it renders, a workspace that is deleted under an
// open session.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { fixture } from '../codecs/pictures.js';
import { eventually } from '../eventually.js';
import { saveTemplate } from '../service/stores.js';
import { startDashboard } from './socket.js';
import { type Browser, createDashboardWorld, type Reply } from './world.js';

const RECORD = {
  name: 'Card',
  width: 8,
  height: 8,
  hotspots: [{ key: 'title', label: 'Title', type: 'text', text: 'A', x: 0, y: 0, width: 8, height: 8 }],
};

const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).sort();

t.test('of two operators who save the same version of a template, one is told', async (t) => {
  const { operator, store } = await createDashboardWorld(t);
  const { id } = await store.createWorkspace({ name: 'W', plan: 'paid', credits: 0 });
  const [ada, bob] = [await operator('editor', [id]), await operator('owner')];
  const path = `workspaces/${id}/templates/${await saveTemplate(store, id, RECORD)}`;
  const save = (browser: Browser, name: string, version?: number) =>
    browser.ask({
      method: 'PUT',
      path,
      query: 'publish=false',
      body: { ...RECORD, name },
      ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
    });
  const both = await Promise.all([save(ada, 'Ada', 1), save(bob, 'Bob', 1)]);
  t.same(statuses(both), [200, 412]);
  const [first, second] = both[0].status === 200 ? both : [both[1], both[0]];
  t.equal(first.json.version, 2);
  t.equal(second.json.code, 'version_conflict');
  const read = await ada.ask({ path });
  t.match(read.json, { version: 2, publishedVersion: 1, name: first.json.name }, 'nothing was overwritten');
  t.equal(read.headers.get('etag'), '"2.1"');
  t.match(await save(bob, 'Bob', 2), { status: 200, json: { version: 3 } }, 'who has read the other one may save');
  const names = (await bob.ask({ path: 'audit', query: 'action=template.update' })).json.items;
  t.equal(names.length, 2, 'the audit log has no change that was refused');

  t.same(statuses(await Promise.all([save(ada, 'Ada'), save(bob, 'Bob')])), [200, 200], 'without If-Match both count');
  const versions = (await ada.ask({ path: `${path}/versions` })).json.items;
  t.same(
    versions.map(({ version }: { version: number }) => version),
    [5, 4, 3, 2, 1],
  );
});

t.test('of publishing, restoring and deleting at once, each sees a whole template or none', async (t) => {
  const { operator, store } = await createDashboardWorld(t);
  const { id } = await store.createWorkspace({ name: 'W', plan: 'paid', credits: 0 });
  const owner = await operator('owner');
  for (let round = 0; round < 5; round++) {
    const template = await saveTemplate(store, id, RECORD);
    const path = `workspaces/${id}/templates/${template}`;
    const replies = await Promise.all([
      owner.ask({ method: 'POST', path: `${path}/restore`, body: { version: 1 } }),
      owner.ask({ method: 'DELETE', path }),
      owner.ask({ method: 'POST', path: `${path}/publish`, body: { version: 1 } }),
      owner.ask({ path }),
    ]);
    for (const { status, json } of replies) {
      t.ok([200, 204, 404].includes(status), String(status));
      if (status === 404) t.equal(json.code, 'template_not_found');
    }
    t.equal((await owner.ask({ path })).status, 404);
  }
});

t.test('grants at once add up', async (t) => {
  const { operator, store } = await createDashboardWorld(t);
  const { id } = await store.createWorkspace({ name: 'W', plan: 'paid', credits: 1 });
  const owners = [await operator('owner'), await operator('owner')];
  const path = `workspaces/${id}/credits`;
  const amounts = Array.from({ length: 20 }, (_, index) => index + 1);
  await Promise.all(amounts.map((amount) => owners[amount % 2].ask({ method: 'POST', path, body: { amount } })));
  const { json } = await owners[0].ask({ path });
  t.equal(json.balance, 211);
  t.equal(
    json.items.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0),
    211,
  );
  t.equal((await owners[0].ask({ path: 'audit', query: 'action=credits.grant' })).json.items.length, 20);
});

t.test('a workspace that is deleted under an open session is like one that never was', async (t) => {
  const { operator, store } = await createDashboardWorld(t);
  const { id } = await store.createWorkspace({ name: 'Gone', plan: 'paid', credits: 7 });
  const kept = await store.createWorkspace({ name: 'Kept', plan: 'paid', credits: 7 });
  const [owner, editor] = [await operator('owner'), await operator('editor', [id, kept.id])];
  const at = (path: string) => `workspaces/${id}/${path}`;
  const key = await editor.ask({ method: 'POST', path: at('keys'), body: { name: 'Key', scopes: ['render:write'] } });
  await store.deleteWorkspace(id);
  for (const browser of [owner, editor]) {
    for (const path of ['keys', 'credits', 'usage', 'renders', 'templates', 'assets', 'audit']) {
      t.match(await browser.ask({ path: at(path) }), { status: 404, json: { code: 'workspace_not_found' } }, path);
    }
    const session = await browser.ask({ path: 'session' });
    t.match(session, { status: 200, json: { workspaces: [{ id: kept.id }] } }, 'the session goes on');
    t.equal(session.json.workspaces.length, 1);
  }
  const gone = { status: 404, json: { code: 'workspace_not_found' } };
  t.match(await editor.ask({ method: 'DELETE', path: at(`keys/${key.json.id}`) }), gone);
  const canvas = { canvas: { width: 1, height: 1 }, layers: [] };
  t.match(await editor.ask({ method: 'POST', path: 'verify', body: { workspaceId: id, payload: canvas } }), gone);
  t.match(
    (await owner.ask({ path: 'audit' })).json.items,
    [{ action: 'key.create' }],
    'the audit log keeps its entries',
  );
});

t.test('a workspace that is deleted in the middle of a request makes no unexpected error', async (t) => {
  const { operator, store } = await createDashboardWorld(t);
  const owner = await operator('owner');
  const requests = (id: string) => [
    { path: 'keys' },
    { method: 'POST', path: 'keys', body: { name: 'Key', scopes: ['render:write'] } },
    { path: 'credits' },
    { method: 'POST', path: 'credits', body: { amount: 1 } },
    { path: 'usage' },
    { path: 'renders' },
    { path: 'templates' },
    { method: 'POST', path: 'templates', body: RECORD },
    { path: 'assets' },
    { path: 'audit' },
    { path: '../../verify', method: 'POST', body: { workspaceId: id, payload: RECORD } },
  ];
  for (let round = 0; round < 3; round++) {
    const { id } = await store.createWorkspace({ name: 'Gone', plan: 'paid', credits: 7 });
    const asked = requests(id).map(({ path, ...rest }) => {
      const whole = path.startsWith('../../') ? path.slice(6) : `workspaces/${id}/${path}`;
      return owner.ask({ ...rest, path: whole });
    });
    const [, ...replies] = await Promise.all([store.deleteWorkspace(id), ...asked]);
    for (const { status, json, outcome } of replies) {
      t.ok([200, 201, 404].includes(status), `${outcome.route}: ${status} ${JSON.stringify(json)}`);
    }
  }
});

t.test('a key that is revoked while it renders finishes that render, and starts no other', async (t) => {
  const waiting: ServerResponse[] = [];
  const site = createServer((_request, response) => void waiting.push(response));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  t.teardown(() => site.close());
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  const server = await startDashboard(t, { ASSET_ALLOW_HOSTS: host });
  const { id } = await server.store.createWorkspace({ name: 'W', plan: 'paid', credits: 2 });
  const editor = await server.signedIn('editor', [id]);
  const at = (path: string) => `workspaces/${id}/${path}`;
  const body = { name: 'Key', scopes: ['render:write'] };
  const { json: key } = await editor.ask({ method: 'POST', path: at('keys'), body });
  const picture = { type: 'image', url: `http://${host}/a.jpg`, x: 0, y: 0, width: 8, height: 8 };
  const payload = { canvas: { width: 8, height: 8 }, layers: [picture] };
  const running = server.post(key.key, payload);
  await eventually(() => waiting.length === 1);
  t.match(await editor.ask({ method: 'DELETE', path: at(`keys/${key.id}`) }), { json: { state: 'revoked' } });
  t.equal((await server.post(key.key, payload)).status, 401);
  waiting[0].end(fixture('quadrants-420.jpg'));
  t.equal((await running).status, 200);
  t.equal((await editor.ask({ path: at('credits') })).json.balance, 1, 'it was charged once');
  const entries = async () => (await editor.ask({ path: at('renders') })).json.items;
  await eventually(async () => (await entries()).length === 1);
  t.match(await entries(), [{ status: 'ok', keyId: key.id }]);
});

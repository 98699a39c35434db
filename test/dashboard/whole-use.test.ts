// A person's first use of the dashboard, over a real socket: link → password → key → render → log → template → credits → audit.
import t from 'tap';
import { eventually } from '../eventually.js';
import { startDashboard } from './socket.js';

const PASSWORD = 'correct horse battery';
const METADATA = { order: 42, customer: 'Ada' };
const CARD = {
  name: 'Card',
  width: 120,
  height: 60,
  background: { color: '#ffffff' },
  hotspots: [
    { key: 'title', label: 'Title', type: 'text', text: 'Hello', x: 4, y: 4, width: 112, height: 52, fontSize: 20 },
  ],
};

t.test('from the sign-in link to a published template', async (t) => {
  const server = await startDashboard(t);
  const { id: workspace } = await server.store.createWorkspace({ name: 'Shop', plan: 'free', credits: 3 });
  const token = await server.link('Ada', 'owner');
  const browser = server.browser();
  const get = (path: string) => browser.ask({ path });
  const post = (path: string, body: unknown) => browser.ask({ method: 'POST', path, body });

  t.match(await get('session'), { status: 401, json: { code: 'signed_out' } });
  t.match(await post('session/link', { token }), { status: 200, json: { name: 'Ada' } });
  const signedIn = await post('session/password', { token, password: PASSWORD });
  t.match(signedIn, {
    status: 200,
    json: { operator: { name: 'Ada', role: 'owner' }, workspaces: [{ id: workspace }] },
  });
  t.match(await post('session/password', { token, password: PASSWORD }), { status: 410 }, 'the link works once');
  t.equal((await get('session')).status, 200);

  const at = (path: string) => `workspaces/${workspace}/${path}`;
  const { json: key } = await post(at('keys'), { name: 'Shop', scopes: ['render:write', 'render:read'] });
  const render = async (body: unknown) => {
    const answer = await server.post(key.key, body);
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const canvas = { width: 40, height: 20, backgroundColor: '#336699' };
  const first = await render({ canvas, layers: [], metadata: METADATA });
  t.equal(first.status, 200);

  const entries = async (query = '') => (await get(at(`renders${query}`))).json.items;
  await eventually(async () => (await entries()).length === 1);
  const [entry] = await entries('?metadata.order=42&status=ok');
  t.match(entry, {
    status: 'ok',
    format: 'png',
    width: 40,
    height: 20,
    keyId: key.id,
    metadata: METADATA,
    creditsCost: 1,
  });
  t.equal(entry.id, first.headers.get('x-service-render-id'));
  t.strictSame((await get(at(`renders/${entry.id}`))).json, entry);
  t.same(await entries('?metadata.order=43'), []);

  const made = await browser.ask({ method: 'POST', path: at('templates?publish=false'), body: CARD });
  t.match(made, { status: 201, json: { version: 1, publishedVersion: null } });
  const { id: templateId } = made.json;
  t.equal(made.headers.get('location'), `/dashboard/api/${at(`templates/${templateId}`)}`);
  t.match(await get(made.headers.get('location')!.slice('/dashboard/api/'.length)), { json: { record: CARD } });
  const body = { templateId, variables: { title: 'Hi' }, responseType: 'binary' };
  t.equal((await render(body)).status, 404, 'a draft is not rendered');
  t.match(await post(at(`templates/${templateId}/publish`), { version: 1 }), {
    status: 200,
    json: { publishedVersion: 1 },
  });
  const second = await render(body);
  t.equal(second.status, 200);

  const verified = await post('verify', { workspaceId: workspace, payload: body });
  t.equal(verified.status, 200);
  t.same(Buffer.from(verified.json.base64, 'base64'), second.bytes, 'the service drew the same, with the watermark');
  const unsaved = await post('verify', { workspaceId: workspace, payload: CARD, variables: { title: 'Hi' } });
  t.equal(unsaved.json.pixelsSha256, verified.json.pixelsSha256);

  const credits = await get(at('credits'));
  t.match(credits.json, { plan: 'free', balance: 1, creditsCost: 1, rendersRemaining: 1 });
  t.equal(
    credits.json.items.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0),
    1,
    'the lines add up to the balance: the verified renders cost nothing',
  );
  t.match(await post(at('credits'), { amount: 10 }), { status: 200, json: { balance: 11 } });
  const total = async (field: string) => {
    const { days } = (await get(at('usage?days=7'))).json;
    t.equal(days.length, 7);
    return days.reduce((sum: number, day: Record<string, number>) => sum + day[field], 0);
  };
  await eventually(async () => (await total('failures')) === 1);
  t.same([await total('renders'), await total('credits')], [2, 2]);
  t.match((await get(at('usage?days=7'))).json, { balance: 11, daysLeft: Number });

  const listed = (await get(at('keys'))).json.items;
  t.match(listed, [{ id: key.id, requests: 3, refused: 0, prefix: key.key.slice(0, 17) }]);
  t.ok(listed[0].cpuMs > 0);
  t.ok((await total('cpuMs')) > listed[0].cpuMs, 'the verified renders took processor time of the workspace');
  t.match(await browser.ask({ method: 'DELETE', path: at(`keys/${key.id}`) }), { json: { state: 'revoked' } });
  t.equal((await render(body)).status, 401);

  const audit = (await get('audit')).json.items;
  t.same(
    audit.map(({ action }: { action: string }) => action),
    ['key.revoke', 'credits.grant', 'template.publish', 'template.create', 'key.create', 'operator.password'],
  );
  t.ok(audit.every(({ actor }: { actor: object }) => JSON.stringify(actor) === '{"kind":"operator","name":"Ada"}'));
  t.match((await get(at('audit?action=key.create'))).json.items, [{ subject: key.id, workspaceId: workspace }]);

  t.equal((await browser.ask({ method: 'DELETE', path: 'session' })).status, 204);
  t.equal((await get('audit')).status, 401);
  const log = JSON.stringify(server.log);
  for (const secret of [key.key, token, PASSWORD]) t.notOk(log.includes(secret), 'the log has no secret');
});

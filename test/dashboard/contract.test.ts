// Every route of the admin API over a real socket: who may call it, what it answers, and that no other site can.
import t, { type Test } from 'tap';
import { adminRoutes } from '../../lib/dashboard/index.js';
import type { DashboardOptions } from '../../lib/dashboard/route.js';
import { createKnownBrowsers } from '../../lib/dashboard/sign-in/known-browsers.js';
import type { Sessions } from '../../lib/dashboard/sign-in/sessions.js';
import { readSettings } from '../../lib/settings.js';
import { fixture } from '../codecs/pictures.js';
import { type SocketAsk, type SocketReply, startDashboard } from './socket.js';

/** The routes as the server has them; nothing of them runs here. */
const ROUTES = adminRoutes({ settings: readSettings({}), port: () => 0 } as unknown as DashboardOptions, {
  sessions: {} as Sessions,
  browsers: createKnownBrowsers(false),
});

const RECORD = {
  name: 'Card',
  width: 8,
  height: 8,
  hotspots: [{ key: 'title', label: 'Title', type: 'text', text: 'A', x: 0, y: 0, width: 8, height: 8 }],
};

/** The objects that earlier steps made. */
interface Made {
  readonly workspace: string;
  readonly token: string;
  key?: string;
  link?: string;
  template?: string;
  asset?: string;
  render?: string;
  operator?: string;
}

interface Step {
  /** Method and pattern. */
  readonly route: string;
  readonly query?: (made: Made) => string;
  readonly body?: unknown;
  readonly status: number;
  /** Fields of the answer's body, which has these and no others. */
  readonly fields?: readonly string[];
  readonly after?: (made: Made, reply: SocketReply) => void;
}

const PAGE = ['items', 'nextCursor'];
const TEMPLATE = [
  'id',
  'name',
  'version',
  'publishedVersion',
  'createdAt',
  'updatedAt',
  'width',
  'height',
  'hotspots',
  'record',
];
const KEY = ['id', 'name', 'prefix', 'scopes', 'state', 'createdAt', 'requests', 'refused', 'cpuMs'];
const ASSET = ['id', 'kind', 'mimeType', 'bytes', 'createdAt', 'width', 'height'];
const LINK = ['id', 'name', 'state', 'createdAt', 'requests', 'refused', 'cpuMs'];
const OPERATOR = ['id', 'name', 'role', 'workspaces', 'hasPassword', 'createdAt'];
const W = 'workspaces/{workspace}';

/** A call of each route, in an order in which each finds what it needs. An owner makes them. */
const STEPS: readonly Step[] = [
  { route: 'GET session', status: 200 },
  { route: 'POST session', body: { name: 'Nobody', password: 'wrong password' }, status: 401 },
  { route: 'POST session/link', body: { token: 'wrong' }, status: 410 },
  { route: 'POST session/password', body: { token: 'wrong', password: 'correct horse battery' }, status: 410 },
  { route: 'GET workspaces', status: 200, fields: ['items'] },
  {
    route: 'POST workspaces',
    body: { name: 'Other', plan: 'paid' },
    status: 201,
    fields: ['id', 'name', 'plan'],
  },
  {
    route: `POST ${W}/keys`,
    body: { name: 'Key', scopes: ['render:read'] },
    status: 201,
    fields: [...KEY, 'key'],
    after: (made, { json }) => {
      made.key = json.id;
    },
  },
  { route: `GET ${W}/keys`, status: 200, fields: ['items'] },
  { route: `DELETE ${W}/keys/{key}`, status: 200, fields: KEY },
  {
    route: `POST ${W}/links`,
    body: { name: 'Link' },
    status: 201,
    fields: [...LINK, 'privateKey'],
    after: (made, { json }) => {
      made.link = json.id;
    },
  },
  { route: `GET ${W}/links`, status: 200, fields: ['items'] },
  { route: `DELETE ${W}/links/{link}`, status: 200, fields: [...LINK, 'revokedAt'] },
  { route: `POST ${W}/credits`, body: { amount: 3 }, status: 200, fields: ['balance'] },
  {
    route: `GET ${W}/credits`,
    status: 200,
    fields: ['plan', 'balance', 'creditsCost', 'rendersRemaining', ...PAGE],
  },
  { route: `GET ${W}/usage`, status: 200, fields: ['days', 'balance', 'daysLeft'] },
  {
    route: `GET ${W}/renders`,
    status: 200,
    fields: PAGE,
    after: (made, { json }) => {
      made.render = json.items[0].id;
    },
  },
  { route: `GET ${W}/renders/{id}`, status: 200 },
  {
    route: `POST ${W}/templates`,
    body: RECORD,
    status: 201,
    fields: TEMPLATE,
    after: (made, { json }) => {
      made.template = json.id;
    },
  },
  { route: `GET ${W}/templates`, status: 200, fields: PAGE },
  { route: `GET ${W}/templates/{id}`, status: 200, fields: TEMPLATE },
  { route: `PUT ${W}/templates/{id}`, query: () => 'publish=false', body: RECORD, status: 200, fields: TEMPLATE },
  { route: `GET ${W}/templates/{id}/versions`, status: 200, fields: PAGE },
  {
    route: `GET ${W}/templates/{id}/versions/{n}`,
    status: 200,
    fields: ['version', 'createdAt', 'name', 'width', 'height', 'hotspots', 'record'],
  },
  { route: `POST ${W}/templates/{id}/restore`, body: { version: 1 }, status: 200, fields: TEMPLATE },
  { route: `POST ${W}/templates/{id}/publish`, body: { version: 2 }, status: 200, fields: TEMPLATE },
  { route: `DELETE ${W}/templates/{id}`, status: 204 },
  {
    route: `POST ${W}/assets`,
    body: fixture('quadrants-420.jpg'),
    status: 201,
    fields: ASSET,
    after: (made, { json }) => {
      made.asset = json.id;
    },
  },
  { route: `GET ${W}/assets`, status: 200, fields: PAGE },
  { route: `GET ${W}/assets/{id}`, status: 200, fields: ASSET },
  {
    route: 'GET asset',
    query: ({ workspace, asset }) => `workspace=${workspace}&url=${encodeURIComponent(`asset:${asset}`)}`,
    status: 200,
  },
  { route: `DELETE ${W}/assets/{id}`, status: 204 },
  { route: 'GET fonts', status: 200, fields: ['items'] },
  // without FONTS_DIR there is none; test/dashboard/preview.test.ts reads some
  { route: 'GET fonts/{n}', status: 404 },
  { route: `GET ${W}/audit`, status: 200, fields: PAGE },
  { route: 'GET audit', status: 200, fields: PAGE },
  {
    route: 'POST verify',
    body: { payload: { canvas: { width: 4, height: 4 }, layers: [] } },
    status: 200,
    fields: [
      'pixelsSha256',
      'format',
      'mimeType',
      'width',
      'height',
      'sizeBytes',
      'durationMs',
      'timings',
      'warnings',
      'base64',
    ],
  },
  {
    route: 'POST operators',
    body: { name: 'New', role: 'viewer', workspaces: [] },
    status: 201,
    fields: [...OPERATOR, 'link'],
    after: (made, { json }) => {
      made.operator = json.id;
    },
  },
  { route: 'GET operators', status: 200, fields: ['items'] },
  { route: 'POST operators/{operator}/link', status: 200, fields: ['link'] },
  { route: 'DELETE operators/{operator}', status: 204 },
  { route: 'DELETE session', status: 204 },
];

/** The request of a step. */
function askOf({ route, query, body }: Step, made: Made): SocketAsk {
  const [method, pattern] = route.split(' ');
  const id = { templates: made.template, assets: made.asset, renders: made.render }[pattern.split('/')[2] ?? ''];
  const values: Record<string, string | undefined> = { ...made, id, n: '1' };
  const path = pattern.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '0');
  const isVerify = pattern === 'verify';
  return {
    method,
    path: query ? `${path}?${query(made)}` : path,
    ...(body !== undefined && { body: isVerify ? { ...(body as object), workspaceId: made.workspace } : body }),
  };
}

const routeOf = ({ route }: Step) => {
  const [method, pattern] = route.split(' ');
  const found = ROUTES[pattern]?.[method as 'GET'];
  if (!found) throw new Error(`there is no route ${route}`);
  return found;
};

/** Checks the rules for every answer. */
function checkHeaders(t: Test, { headers, status }: SocketReply, name: string): void {
  t.equal(headers.get('cache-control'), 'no-store', `${name}: ${status} is not kept`);
  t.equal(headers.get('x-content-type-options'), 'nosniff', name);
  t.match(headers.get('content-security-policy'), /default-src 'none'.*sandbox/, name);
  headers.forEach((_value, header) => void t.notMatch(header, /^access-control-/, name));
}

t.test('every route has a step, and every step a route', async (t) => {
  const routes = Object.entries(ROUTES).flatMap(([pattern, methods]) =>
    Object.keys(methods).map((method) => `${method} ${pattern}`),
  );
  t.same(STEPS.map(({ route }) => route).sort(), routes.sort());
});

t.test('each route answers an operator of its role', async (t) => {
  const server = await startDashboard(t);
  const { workspaceId, key } = await server.caller({ plan: 'free' });
  const rendered = await server.post(key, { canvas: { width: 4, height: 4 }, layers: [] });
  t.equal(rendered.status, 200);
  const owner = await server.signedIn('owner');
  const stranger = server.browser();
  const others = { viewer: await server.signedIn('viewer'), editor: await server.signedIn('editor') };
  const elsewhere = await server.signedIn('editor', []);
  const made: Made = { workspace: workspaceId, token: '' };
  const failed = (reply: SocketReply, status: number, code: string, name: string) => {
    t.match(reply, { status, json: { success: false, code } }, name);
    checkHeaders(t, reply, name);
  };
  for (const step of STEPS) {
    const { route: name, status, fields, after } = step;
    const ask = askOf(step, made);
    const route = routeOf(step);
    const foreign = await owner.ask({ ...ask, headers: { 'sec-fetch-site': 'cross-site' } });
    failed(foreign, 403, 'cross_site', `${name}: from another site`);
    if (ask.method !== 'GET') {
      failed(
        await owner.ask({ ...ask, headers: { 'x-platen-csrf': null } }),
        403,
        'cross_site',
        `${name}: without the header`,
      );
    }
    if (route.access !== 'anyone') {
      failed(await stranger.ask(ask), 401, 'signed_out', `${name}: without a session`);
      if (route.role === 'owner') failed(await others.editor.ask(ask), 403, 'forbidden', `${name}: as an editor`);
      if (route.role !== 'viewer') failed(await others.viewer.ask(ask), 403, 'forbidden', `${name}: as a viewer`);
      const namesWorkspace = route.access === 'workspace' || ['GET asset', 'POST verify'].includes(name);
      if (namesWorkspace && route.role !== 'owner') {
        failed(await elsewhere.ask(ask), 404, 'workspace_not_found', `${name}: of another workspace`);
      }
    }
    if (step.body !== undefined && !(step.body instanceof Uint8Array)) {
      const form = await owner.ask({ ...ask, headers: { 'content-type': 'text/plain' } });
      failed(form, 415, 'unsupported_media_type', `${name}: as a form would send it`);
    }
    const reply = await owner.ask(ask);
    t.equal(reply.status, status, `${name}: ${reply.status === status ? '' : reply.bytes.toString()}`);
    checkHeaders(t, reply, name);
    if (fields) t.same(Object.keys(reply.json).sort(), [...fields].sort(), `${name}: its fields`);
    after?.(made, reply);
  }
  t.equal((await owner.ask({ path: 'session' })).status, 401, 'the session has ended');
  t.equal((await server.store.balance(workspaceId)).balance, 1002, 'one render was charged, and three credits granted');
});

t.test('there is nothing else, and no preflight is answered', async (t) => {
  const server = await startDashboard(t);
  const owner = await server.signedIn('owner');
  t.match(await owner.ask({ path: 'nothing' }), { status: 404, json: { code: 'not_found' } });
  t.match(await owner.ask({ path: 'workspaces/%00/keys' }), { status: 404, json: { code: 'workspace_not_found' } });
  t.match(await owner.ask({ path: 'workspaces/..%2f..%2fsession/keys' }), { status: 404 });
  for (const method of ['OPTIONS', 'PATCH']) {
    const reply = await owner.ask({ method, path: 'workspaces' });
    t.equal(reply.status, 405, method);
    t.equal(reply.headers.get('allow'), 'GET, HEAD, POST');
    checkHeaders(t, reply, method);
  }
});

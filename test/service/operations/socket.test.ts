// The operations over a real socket: headers, empty answers on kept connections, large bodies, and replays after a lost answer.
import t from 'tap';
import { ServiceError } from '../../../lib/errors.js';
import type { Scope } from '../../../lib/store/types.js';
import { listen, raw } from '../socket.js';
import { startWhole } from '../whole.js';
import { createWorld } from '../world.js';

const SCOPES: readonly Scope[] = ['render:write', 'render:read', 'templates:read', 'templates:write'];
const RECORD = { name: 'Card', width: 4, height: 3, hotspots: [] };
const FLAT = { canvas: { width: 4, height: 3 }, layers: [] };

t.test('a template’s life', async (t) => {
  const whole = await startWhole(t, {});
  const { key } = await whole.caller({ scopes: SCOPES });
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${whole.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const created = await call('POST', '/v1/templates?publish=false', RECORD);
  t.equal(created.status, 201);
  const path = created.headers.get('location') ?? '';
  t.equal((await created.json()).publishedVersion, null);
  const conflict = await call('PUT', path, RECORD, { 'If-Match': '"2"' });
  t.equal(conflict.status, 412);
  t.equal((await conflict.json()).code, 'version_conflict');
  const replaced = await call('PUT', path, { ...RECORD, name: 'Two' }, { 'If-Match': '"1"' });
  t.match(await replaced.json(), { version: 2, publishedVersion: 2, record: { name: 'Two' } });
  const head = await call('HEAD', path);
  t.equal(head.status, 200);
  t.equal(head.headers.get('etag'), '"2.2"');
  t.ok(Number(head.headers.get('content-length')) > 100);
  t.equal(await head.text(), '');
  const fresh = await call('GET', path, undefined, { 'If-None-Match': '"2.2"' });
  t.equal(fresh.status, 304);
  t.notOk(fresh.headers.has('content-length'), 'a 304 has the length of the 200, or none');
  const rendered = await whole.post(key, { templateId: path.split('/').at(-1), responseType: 'binary' });
  t.match(rendered.headers.get('etag'), /^"[\w-]{43}"$/);
  const listed = await (await call('GET', '/v1/renders?status=ok&limit=5')).json();
  t.match(listed.items, [{ id: rendered.headers.get('x-service-render-id'), templateVersion: 2 }]);
  const deleted = await call('DELETE', path);
  t.equal(deleted.status, 204);
  t.notOk(deleted.headers.has('content-length'));
  t.equal((await call('GET', path)).status, 404);
  await whole.stop();
  t.ok(whole.log.length > 8);
  for (const { route, path: logged } of whole.log) {
    t.match(route, /^\/v1\/(render|renders|templates|templates\/\{id\})$/);
    t.notMatch(logged, /\?/);
  }
});

t.test('pipelined requests get their answers in order, around answers without a body', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller({ scopes: SCOPES });
  const made = await world.ask({ method: 'POST', path: '/v1/templates', key, body: RECORD });
  const path = made.headers.get('location') ?? '';
  const { port } = await listen(t, world.service);
  const client = raw(t, port);
  const line = (method: string, target: string, ...headers: string[]) =>
    `${[`${method} ${target} HTTP/1.1`, 'Host: test', `Authorization: Bearer ${key}`, ...headers].join('\r\n')}\r\n\r\n`;
  client.send(
    line('GET', path, 'If-None-Match: "1.1"') +
      line('HEAD', path) +
      line('GET', '/v1/workspace?x=1#y') +
      line('OPTIONS', path) +
      line('GET', '/v1/templates/none', 'Connection: close'),
  );
  const { text } = await client.closed;
  t.same(
    [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ['304', '200', '200', '204', '404'],
  );
});

t.test('two Idempotency-Key headers are malformed; one is trimmed like any header', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  const { port } = await listen(t, world.service);
  const body = JSON.stringify(FLAT);
  const statuses: string[] = [];
  for (const keys of [['a', 'b'], [''], ['caf\u00e9'], ['  a  '], ['a']]) {
    const client = raw(t, port);
    const headers = keys.map((value) => `Idempotency-Key: ${value}\r\n`).join('');
    client.send(
      `POST /v1/render HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    const { text } = await client.closed;
    statuses.push(`${/HTTP\/1\.1 (\d+)/.exec(text)?.[1]} ${/^Idempotency-Replayed: true/m.test(text)}`);
  }
  t.same(statuses, ['400 false', '400 false', '400 false', '200 false', '200 true']);
});

t.test('a client that did not wait for its answer gets it with the same key, for nothing', async (t) => {
  const whole = await startWhole(t, {});
  const caller = await whole.caller({ credits: 1 });
  const post = () =>
    fetch(`${whole.url}/v1/render`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${caller.key}`, 'Idempotency-Key': 'order 1' },
      body: JSON.stringify(FLAT),
    });
  // sends the request and hangs up at the first byte of the answer
  const body = JSON.stringify(FLAT);
  const client = raw(t, Number(new URL(whole.url).port));
  client.send(
    `POST /v1/render HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${caller.key}\r\nIdempotency-Key: order 1\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await client.hears(/HTTP/);
  client.socket.destroy();
  const again = await post();
  t.equal(again.status, 200);
  t.equal(again.headers.get('idempotency-replayed'), 'true');
  t.equal(again.headers.get('x-service-credits-remaining'), '0');
  t.equal((await whole.store.balance(caller.workspaceId)).balance, 0);
});

t.test('a large record needs a permit before it is read; without one its body is not received', async (t) => {
  let permits = 0;
  let isFull = false;
  const world = await createWorld(t);
  world.engine.reserve = () => {
    if (isFull) throw new ServiceError('overloaded', 'too many renders are waiting; try again in a moment');
    permits++;
    return { acquire: async () => () => {}, release: () => void permits-- };
  };
  const { key } = await world.caller({ scopes: SCOPES });
  const { url, port } = await listen(t, world.service);
  const record = (length: number) => JSON.stringify({ ...RECORD, own: 'x'.repeat(length) });
  const post = (body: string) =>
    fetch(`${url}/v1/templates`, { method: 'POST', headers: { Authorization: `Bearer ${key}` }, body });
  t.equal((await post(record(1_000_000))).status, 201);
  t.equal(permits, 0, 'released');
  t.equal((await post(`${record(1_000_000)}}`)).status, 400);
  t.equal(permits, 0, 'released after an error too');
  isFull = true;
  t.equal((await post(record(1000))).status, 201, 'a small one needs none');
  const client = raw(t, port);
  client.send(
    `POST /v1/templates HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${key}\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n`,
  );
  const { text } = await client.closed;
  t.match(text, /^HTTP\/1\.1 503/);
  t.notMatch(text, /100 Continue/);
});

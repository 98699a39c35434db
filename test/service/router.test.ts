// Which handler a path and a method find, and how parameters are decoded.
import t from 'tap';
import { ServiceError } from '../../lib/errors.js';
import { jsonAnswer } from '../../lib/service/http/answer.js';
import type { RequestContext } from '../../lib/service/request.js';
import { createRouter, type Handler } from '../../lib/service/router.js';

const show =
  (name: string): Handler =>
  (_context, parameters) =>
    jsonAnswer(200, { name, parameters });
const route = createRouter({
  '/a': { GET: show('list'), POST: show('add') },
  '/a/fixed': { GET: show('fixed') },
  '/a/{id}': { GET: show('one'), DELETE: show('remove') },
  '/a/{id}/b/{n}': { GET: show('nested') },
});

function contextOf(method: string, path: string): RequestContext {
  const request = { method, path, authorization: undefined, body: async () => new Uint8Array() };
  return {
    request: { ...request, signal: new AbortController().signal },
    requestId: 'r',
    startedAt: 0,
    headers: new Map(),
    assetFailures: [],
  };
}

t.test('finds handlers by path and method, and decodes each parameter once', async (t) => {
  const rows: [string, string, string, string, object][] = [
    ['GET', '/a', '/a', 'list', {}],
    ['HEAD', '/a', '/a', 'list', {}],
    ['POST', '/a', '/a', 'add', {}],
    ['GET', '/a/fixed', '/a/fixed', 'fixed', {}],
    ['GET', '/a/x', '/a/{id}', 'one', { id: 'x' }],
    ['DELETE', '/a/x', '/a/{id}', 'remove', { id: 'x' }],
    ['GET', '/a/%66ixed', '/a/{id}', 'one', { id: 'fixed' }],
    ['GET', '/a/x%2Fb%2f7', '/a/{id}', 'one', { id: 'x/b/7' }],
    ['GET', '/a/%2541', '/a/{id}', 'one', { id: '%41' }],
    ['GET', '/a/%E2%82%AC', '/a/{id}', 'one', { id: '€' }],
    ['GET', '/a/__proto__', '/a/{id}', 'one', { id: '__proto__' }],
    ['GET', '/a/..', '/a/{id}', 'one', { id: '..' }],
    ['GET', '/a/{id}/b/{n}', '/a/{id}/b/{n}', 'nested', { id: '{id}', n: '{n}' }],
  ];
  for (const [method, path, pattern, name, parameters] of rows) {
    const context = contextOf(method, path);
    const { body } = await route(context);
    t.same(JSON.parse(Buffer.from(body as Uint8Array).toString()), { name, parameters }, `${method} ${path}`);
    t.equal(context.route, pattern);
  }
});

t.test('answers 404 for other paths and malformed parameters, without a route', async (t) => {
  const paths = [
    '/',
    '/b',
    '/a/',
    '//a',
    '/a//b/1',
    '/a/x/b/',
    '/a/x/b/1/',
    '/%61',
    '/A',
    '/a/%',
    '/a/%zz',
    '/a/%ff',
    '/a/x/c/1',
  ];
  for (const path of paths) {
    for (const method of ['GET', 'OPTIONS']) {
      const context = contextOf(method, path);
      t.throws(() => route(context), { code: 'not_found' }, `${method} ${path}`);
      t.equal(context.route, undefined);
    }
  }
});

t.test('answers 405 with the methods of the path', async (t) => {
  const rows: [string, string, string][] = [
    ['PUT', '/a', 'GET, HEAD, POST, OPTIONS'],
    ['get', '/a', 'GET, HEAD, POST, OPTIONS'],
    ['constructor', '/a', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/a/x', 'GET, HEAD, DELETE, OPTIONS'],
  ];
  for (const [method, path, allowed] of rows) {
    const context = contextOf(method, path);
    t.throws(
      () => route(context),
      new ServiceError('method_not_allowed', `${method} is not allowed here; allowed: ${allowed}`),
    );
    t.equal(context.headers.get('Allow'), allowed);
    t.ok(context.route, 'the metrics know the operation');
  }
  t.match(await route(contextOf('OPTIONS', '/a/x')), { status: 204, length: 0 });
});

// The pages' plain functions: paths, queries and formats.
import t from 'tap';
import { ApiError, api, whenSignedOut, withQuery } from '../../web/app/api.js';
import { formatAgo, formatBytes, formatCount, formatDay, formatDuration, formatPercent } from '../../web/app/format.js';
import { match } from '../../web/app/match.js';

t.test('a path is matched segment by segment', (t) => {
  t.same(match('/dashboard/keys', '/dashboard/keys'), {});
  t.same(match('/dashboard/', '/dashboard'), {}, 'with or without a slash at the end');
  t.equal(match('/dashboard/keys', '/dashboard/keys/1'), undefined);
  t.equal(match('/dashboard/keys', '/dashboard/Keys'), undefined);
  t.same(match('/dashboard/templates/:id', '/dashboard/templates/a%2Fb'), { id: 'a/b' });
  t.equal(match('/dashboard/templates/:id', '/dashboard/templates/%ff'), undefined, 'no UTF-8');
  t.end();
});

t.test('a query holds the values that are filled in', (t) => {
  t.equal(withQuery('keys', {}), 'keys');
  t.equal(withQuery('renders', { status: '', cursor: undefined, limit: 50 }), 'renders?limit=50');
  t.equal(withQuery('renders', { 'metadata.order': 'a&b' }), 'renders?metadata.order=a%26b');
  t.end();
});

t.test('numbers and times are formatted for people', (t) => {
  t.equal(formatCount(1, 'render'), '1 render');
  t.equal(formatCount(2000, 'render'), '2,000 renders');
  t.equal(formatCount(0, 'entry', 'entries'), '0 entries');
  t.equal(formatBytes(812), '812 B');
  t.equal(formatBytes(48_211), '48.2 KB');
  t.equal(formatBytes(1_300_000), '1.3 MB');
  t.equal(formatDuration(38.44), '38.4 ms');
  t.equal(formatDuration(1240), '1.2 s');
  t.equal(formatPercent(0.0178), '1.8%');
  t.equal(formatDay('2026-11-22'), 'Nov 22');
  t.end();
});

t.test('times not long ago are relative, others are dates', (t) => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  const ago = (seconds: number) => formatAgo(new Date(now - seconds * 1000).toISOString(), now);
  t.equal(ago(0), 'just now');
  t.equal(ago(59), 'just now');
  t.equal(ago(60), '1 min ago');
  t.equal(ago(2 * 3600), '2 h ago');
  t.equal(ago(25 * 3600), '1 day ago');
  t.equal(ago(30 * 86_400), 'Oct 23, 2026');
  t.end();
});

t.test('a request that gets no whole answer fails as unreachable', async (t) => {
  const { fetch } = globalThis;
  t.teardown(() => {
    globalThis.fetch = fetch;
  });
  const breakOff = () => new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
  for (const answer of [async () => Promise.reject(new TypeError('failed')), async () => new Response(breakOff())]) {
    globalThis.fetch = answer;
    const error = await api.get('session').catch((reason) => reason);
    t.ok(error instanceof ApiError);
    t.match(error, { code: 'unreachable', status: 0 });
  }
  globalThis.fetch = async () => new Response(breakOff());
  const ended = AbortSignal.abort(new Error('left'));
  await t.rejects(api.get('session', { signal: ended }), { message: 'terminated' }, 'who left is told nothing else');
});

t.test('text is sent just as it is; every request without a session leads to Sign in', async (t) => {
  const { fetch } = globalThis;
  t.teardown(() => {
    globalThis.fetch = fetch;
  });
  let signedOut = 0;
  whenSignedOut(() => signedOut++);
  const sent: unknown[] = [];
  globalThis.fetch = async (url, init) => {
    const headers = new Headers(init?.headers);
    sent.push([url, init?.method, init?.body, headers.get('x-platen-csrf'), headers.get('content-type')]);
    return Response.json({ success: false, error: 'there is no session', code: 'signed_out' }, { status: 401 });
  };
  await t.rejects(api.postText('templates', '{ "width": 1.0 }'), { status: 401, code: 'signed_out' });
  t.strictSame(sent, [['/dashboard/api/templates', 'POST', '{ "width": 1.0 }', '1', 'application/json']]);
  t.equal(signedOut, 1);
});

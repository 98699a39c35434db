// One row per rule of the query parameters and of the headers of conditional requests.
import t from 'tap';
import {
  matchesNone,
  parseIdempotencyKey,
  parseIfMatch,
  templateTag,
  versionTag,
} from '../../../lib/contract/api/headers.js';
import {
  deleteAssetQuery,
  listQuery,
  parseQuery,
  parseRendersQuery,
  publishQuery,
} from '../../../lib/contract/api/query.js';
import { parseVersion, parseVersionBody } from '../../../lib/contract/api/templates.js';
import { RenderError } from '../../../lib/errors.js';

function messageOf(work: () => unknown): string {
  try {
    return `accepted: ${JSON.stringify(work())}`;
  } catch (error) {
    if (!(error instanceof RenderError) || error.code !== 'invalid_request') throw error;
    return error.details.map(({ path, message }) => `${path} ${message}`).join('; ');
  }
}

type Parse = (query: URLSearchParams) => unknown;
const refusals = (parse: Parse, rows: readonly (readonly [string, string])[]) =>
  rows.map(([query]) => [query, messageOf(() => parse(new URLSearchParams(query)))]);

t.test('the parameters of a list', async (t) => {
  t.strictSame(parseQuery(listQuery, new URLSearchParams()), { limit: 50 });
  t.strictSame(parseQuery(listQuery, new URLSearchParams('limit=200&cursor=a+b%2B')), { limit: 200, cursor: 'a b+' });
  t.strictSame(parseQuery(listQuery, new URLSearchParams('cursor=&limit=1')), { limit: 1 });
  t.strictSame(
    parseQuery(listQuery, new URLSearchParams('_=17&utm_source=a&t=1')),
    { limit: 50 },
    'ignores unknown names',
  );
  const rows = [
    ['limit=0', 'limit received 0, expected a whole number from 1 to 200'],
    ['limit=201', 'limit received 201, expected a whole number from 1 to 200'],
    ['limit=1.5', 'limit received 1.5, expected a whole number from 1 to 200'],
    ['limit=ten', 'limit received "ten", expected a whole number from 1 to 200'],
    ['limit=', 'limit received "", expected a whole number from 1 to 200'],
    ['limit=0x10', 'limit received "0x10", expected a whole number from 1 to 200'],
    ['limit=1&limit=2', 'limit received 2 values, expected one'],
    ['Limit=1', 'Limit is no known parameter; did you mean limit?'],
    ['curser=a', 'curser is no known parameter; did you mean cursor?'],
  ] as const;
  t.same(
    refusals((query) => parseQuery(listQuery, query), rows),
    rows,
  );
});

t.test('the filters of the render log', async (t) => {
  const query =
    'status=failed&templateId=tpl_1&keyId=key_1&from=2026-01-31&to=2026-01-31T12:00:00%2B02:00&metadata.order=42&metadata.a.b=';
  t.strictSame(parseRendersQuery(new URLSearchParams(query)), {
    limit: 50,
    status: 'failed',
    templateId: 'tpl_1',
    keyId: 'key_1',
    from: '2026-01-31T00:00:00.000Z',
    to: '2026-01-31T10:00:00.000Z',
    metadata: { order: '42', 'a.b': '' },
  });
  for (const [text, time] of [
    ['2026-01-31T12:00:00Z', '12:00:00.000'],
    ['2026-01-31T12:00', '12:00:00.000'],
    ['2026-01-31T12:00:00.25Z', '12:00:00.250'],
    ['2026-01-31t12:00:00z', '12:00:00.000'],
    ['2026-01-31T12:00:00+0130', '10:30:00.000'],
  ] as const) {
    t.equal(parseRendersQuery(new URLSearchParams(`to=${text}`)).to, `2026-01-31T${time}Z`, text);
  }
  const time = 'a date or time in ISO 8601, such as 2026-01-31T12:00:00Z';
  const rows = [
    ['status=lost', 'status received "lost", expected ok or failed'],
    ['from=yesterday', `from received "yesterday", expected ${time}`],
    ['from=1769860800', `from received "1769860800", expected ${time}`],
    ['to=2026-13-01', `to received "2026-13-01", expected ${time}`],
    ['to=2026-01-31T25:00:00Z', `to received "2026-01-31T25:00:00Z", expected ${time}`],
    ['templateId=', 'templateId received "", expected a string of 1 to 1000 characters'],
    ['metadata.a=1&metadata.a=2', 'metadata.a received 2 values, expected one'],
    [
      'templateid=a&limit=0',
      'templateid is no known parameter; did you mean templateId?; limit received 0, expected a whole number from 1 to 200',
    ],
  ] as const;
  t.same(refusals(parseRendersQuery, rows), rows);
  const polluted = parseRendersQuery(new URLSearchParams('metadata.__proto__=a')).metadata;
  t.ok(Object.hasOwn(polluted ?? {}, '__proto__'));
});

t.test('publish and force', async (t) => {
  t.strictSame(parseQuery(publishQuery, new URLSearchParams()), { publish: true });
  t.strictSame(parseQuery(publishQuery, new URLSearchParams('publish=false')), { publish: false });
  t.strictSame(parseQuery(deleteAssetQuery, new URLSearchParams()), { force: false });
  t.strictSame(parseQuery(deleteAssetQuery, new URLSearchParams('force=true')), { force: true });
  const rows = [
    ['publish=no', 'publish received "no", expected true or false (write false)'],
    ['publsh=false', 'publsh is no known parameter; did you mean publish?'],
  ] as const;
  t.same(
    refusals((query) => parseQuery(publishQuery, query), rows),
    rows,
  );
});

t.test('the body of restore and publish, and the version of a path', async (t) => {
  t.equal(parseVersionBody({ version: 3, more: 1 }), 3);
  for (const [body, message] of [
    [{}, 'version received nothing, expected a whole number of at least 1'],
    [{ version: 0 }, 'version received 0, expected a whole number of at least 1'],
    [{ version: '3' }, 'version received "3", expected a whole number of at least 1 (write 3)'],
    [[3], ' received an array of 1, expected an object'],
    [null, ' received null, expected an object'],
  ] as const) {
    t.equal(
      messageOf(() => parseVersionBody(body)),
      message,
    );
  }
  t.equal(parseVersion('12'), 12);
  for (const none of ['0', '-1', '01', '1.0', 'latest', '', '9999999999999999']) t.equal(parseVersion(none), undefined);
});

t.test('Idempotency-Key is 1 to 255 printable ASCII characters', async (t) => {
  t.equal(parseIdempotencyKey(undefined), undefined);
  for (const key of ['a', 'order 42 ~', '~'.repeat(255)]) t.equal(parseIdempotencyKey(key), key);
  const expected = 'expected 1 to 255 printable ASCII characters';
  for (const key of ['', 'a\tb', 'é', 'a\u007f', 'ab\n']) {
    t.equal(
      messageOf(() => parseIdempotencyKey(key)),
      `Idempotency-Key received ${JSON.stringify(key)}, ${expected}`,
    );
  }
  t.match(
    messageOf(() => parseIdempotencyKey('a'.repeat(256))),
    expected,
  );
});

t.test('If-Match names versions, or any', async (t) => {
  t.same(parseIfMatch(versionTag(3)), [{ version: 3 }]);
  t.same(parseIfMatch(templateTag({ version: 3, publishedVersion: 2 })), [{ version: 3, publishedVersion: 2 }]);
  t.same(parseIfMatch(templateTag({ version: 3, publishedVersion: null })), [{ version: 3, publishedVersion: 0 }]);
  t.same(parseIfMatch(' "3",, W/"4", "x" ,"5"'), [{ version: 3 }, { version: 5 }]);
  t.same(parseIfMatch('"0"'), [{ version: 0 }]);
  t.equal(parseIfMatch(undefined), undefined);
  t.equal(parseIfMatch('*'), undefined);
  for (const never of ['W/"3"', '"abc"', '""', '"03"', '"3."', '"3.01"', '"3.2.1"', '"0.0"'])
    t.same(parseIfMatch(never), [], never);
  for (const malformed of ['3', '', ',', '"3', '"1" "2"', '"1", 2']) {
    t.match(
      messageOf(() => parseIfMatch(malformed)),
      'expected an ETag or a version in quotes, such as "3.2" or "3"',
      malformed,
    );
  }
});

t.test('If-None-Match compares weakly, with each tag of a list', async (t) => {
  const tag = versionTag(3);
  for (const header of ['"3"', 'W/"3"', '*', '"2", "3"', ' "2",W/"3" ']) t.ok(matchesNone(header, tag), header);
  for (const header of [undefined, '', '"33"', '3', '"2","4"']) t.notOk(matchesNone(header, tag), header ?? 'absent');
});

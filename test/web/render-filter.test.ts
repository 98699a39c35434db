// The filters of the page Renders: its address, and the query of the admin API.
import t from 'tap';
import { apiQueryOf, filterOf, hasFilter, metadataOf, NO_FILTER } from '../../web/pages/renders/filter.js';

t.test('reads the address, and ignores an unknown status', async (t) => {
  t.strictSame(filterOf(new URLSearchParams('')), NO_FILTER);
  t.notOk(hasFilter(filterOf(new URLSearchParams('render=r_1&workspace=ws_1&status=all'))));
  const query = 'status=failed&template=tpl_1&key=key_1&from=2026-11-01&to=2026-11-02&metadata=order%3D42';
  const filter = filterOf(new URLSearchParams(query));
  t.ok(hasFilter(filter));
  t.strictSame(filter, {
    status: 'failed',
    template: 'tpl_1',
    key: 'key_1',
    from: '2026-11-01',
    to: '2026-11-02',
    metadata: 'order=42',
  });
});

t.test('both days are included, where the browser is', async (t) => {
  const { from, to } = apiQueryOf({ ...NO_FILTER, from: '2026-02-28', to: '2026-02-28' });
  t.equal(from, new Date(2026, 1, 28).toISOString());
  t.equal(to, new Date(2026, 2, 1).toISOString());
  for (const day of ['2026', '2026-1-1', 'today', '2026-11-01T00:00'])
    t.strictSame(apiQueryOf({ ...NO_FILTER, from: day }).from, undefined, day);
});

t.test('takes metadata as key=value', async (t) => {
  const rows: [string, ReturnType<typeof metadataOf>][] = [
    ['order=42', ['order', '42']],
    [' order = 42 ', ['order', '42']],
    ['formula=a=b', ['formula', 'a=b']],
    ['a.b=', ['a.b', '']],
    ['order', undefined],
    ['=42', undefined],
    [' =42', undefined],
    ['', undefined],
  ];
  for (const [text, expected] of rows) t.strictSame(metadataOf(text), expected, text);
  t.equal(apiQueryOf({ ...NO_FILTER, metadata: 'a.b=x y' })['metadata.a.b'], 'x y');
  t.notOk(Object.keys(apiQueryOf({ ...NO_FILTER, metadata: 'order' })).some((name) => name.startsWith('metadata')));
});

// Declared variables as fields of a form, and the rows of their lists.
import t from 'tap';
import {
  declaredFields,
  entryValue,
  sortedBy,
  valueOfText,
  withPasted,
} from '../../../../web/panels/variables/declared.js';
import { hotspotFields } from '../../../../web/preview/hotspots.js';

const RECORD = {
  name: 'Receipt',
  placeholders: true,
  variables: {
    items: { type: 'array', label: 'Lines', of: { name: 'string', price: { type: 'number', label: 'Price' } }, max: 9 },
    tags: { type: 'array', of: 'string' },
    paid: 'boolean',
    kind: { type: 'enum', values: ['a', 'b'], default: 'b' },
    title: 'string',
  },
  layers: [
    { type: 'text', key: 'title', label: 'Title', text: 'x' },
    { type: 'text', text: '{{kind}} {{other}}' },
  ],
};
const hotspots = hotspotFields(RECORD);
const [items, tags, paid] = declaredFields(RECORD, hotspots);

t.test('each declaration is a field, but for those of hotspots', async (t) => {
  t.same(
    declaredFields(RECORD, hotspots).map(({ name, label, type }) => [name, label, type]),
    [
      ['items', 'Lines', 'array'],
      ['tags', 'tags', 'array'],
      ['paid', 'paid', 'boolean'],
      ['kind', 'kind', 'enum'],
    ],
  );
  t.same(
    items!.fields.map(({ name, label, type }) => [name, label, type]),
    [
      ['name', 'name', 'string'],
      ['price', 'Price', 'number'],
    ],
  );
  t.match(tags!.fields, [{ name: '', type: 'string' }]);
  t.same(
    hotspots.map(({ key }) => key),
    ['title', 'other'],
    'a declared variable is no plain one',
  );
});

t.test('typed text becomes a value of its type, and stays text where it is wrong', async (t) => {
  const price = items!.fields[1]!;
  t.same(
    ['12.5', '', '1e3', '12,5', '-0'].map((text) => valueOfText(price, text)),
    [12.5, null, 1000, '12,5', -0],
  );
  t.same(
    ['true', 'false', 'yes', ''].map((text) => valueOfText(paid!, text)),
    [true, false, 'yes', null],
  );
  t.equal(valueOfText(tags!.fields[0]!, ' a '), ' a ');
});

t.test('rows are sorted by a column', async (t) => {
  const rows = [{ name: 'b', price: 10 }, { name: 'a', price: 9 }, { name: '' }, { name: 'c', price: 100 }];
  const [name, price] = items!.fields;
  const names = (sorted: readonly unknown[]) => sorted.map((row) => entryValue(row, name!));
  t.same(names(sortedBy(rows, price!, false)), ['a', 'b', 'c', '']);
  t.same(names(sortedBy(rows, price!, true)), ['c', 'b', 'a', ''], 'what is empty is last');
  t.same(names(sortedBy(rows, name!, false)), ['a', 'b', 'c', '']);
});

t.test('cells of a sheet are pasted from a cell on, or by the names of their columns', async (t) => {
  const rows = [{ name: 'Old', price: 1 }];
  t.same(withPasted(items!, rows, 'A\t2\nB\t3.5\n', { row: 1, column: 0 }), [
    { name: 'Old', price: 1 },
    { name: 'A', price: 2 },
    { name: 'B', price: 3.5 },
  ]);
  t.same(withPasted(items!, rows, '7\tignored', { row: 0, column: 1 }), [{ name: 'Old', price: 7 }]);
  t.same(withPasted(items!, [], 'price,Name\n5,"A, B"', { row: 0, column: 0 }), [{ price: 5, name: 'A, B' }]);
  t.same(withPasted(tags!, [], 'x\ny', { row: 0, column: 0 }), ['x', 'y']);
});

// The rows of a table layer are edited with a column for each field that the table shows.
import t from 'tap';
import { rowFields } from '../../../../web/panels/properties/controls/row-fields.js';
import { valueOfText } from '../../../../web/panels/variables/declared.js';

const namesOf = (columns: unknown, rows: readonly unknown[]) => rowFields(columns, rows).map(({ name }) => name);

t.test('the fields are those of the columns, else those of the first row', (t) => {
  const columns = [{ field: 'name' }, { format: '{{= i }}' }, { field: 'price' }, { field: 'name' }];
  t.same(namesOf(columns, [{ other: 1 }]), ['name', 'price']);
  t.same(namesOf([{ cell: {} }], [{ other: 1 }]), ['other']);
  t.same(namesOf(undefined, []), []);
  t.end();
});

t.test('what is typed is a number where there are no texts', (t) => {
  const [room, price] = rowFields(undefined, [{ room: '12a', price: 4 }]);
  t.equal(valueOfText(room, '12'), '12');
  t.equal(valueOfText(price, '12'), 12);
  t.equal(valueOfText(price, '012'), '012');
  t.equal(valueOfText(price, ''), null);
  t.end();
});

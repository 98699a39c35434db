// Stress sets: values that fit each hotspot, and that the renderer takes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { validate } from '../../../../lib/index.js';
import { stressSets } from '../../../../web/panels/variables/stress.js';
import { ROOT } from '../../../checkout.js';

const box = { x: 0, y: 0, width: 100, height: 20 };
const RECORD = {
  name: 'Card',
  width: 100,
  height: 100,
  placeholders: true,
  layers: [{ type: 'text', text: '{{city|Bern}} {{seats:number(0)|12}}', ...box }],
  hotspots: [
    { type: 'text', key: 'title', label: 'Title', text: 'Hello', ...box },
    { type: 'text', key: 'price', label: 'Price', text: '€ 129.00', ...box },
    { type: 'text', key: 'date', label: 'Date', text: '12/05/2026', ...box },
    { type: 'image', key: 'photo', label: 'Photo', ...box },
    { type: 'qrcode', key: 'link', label: 'Link', data: 'https://example.com', ...box },
    { type: 'barcode', key: 'code', label: 'Code', data: '4006381333931', symbology: 'ean13', ...box },
    { type: 'shape', shapeType: 'circle', key: 'dot', label: 'Dot', ...box },
  ],
  samples: [
    { name: 'One', variables: { Title: 'A longer title', photo: 'https://example.com/a.png' } },
    { name: 'Two', variables: { title: { text: 'The longest title of all', color: 'red' } } },
  ],
};

const sets = stressSets(RECORD);
const set = (name: string) => sets.find((each) => each.name === name)!.variables as Record<string, string>;

t.test('every hotspot has a value that fits it; pictures and barcodes keep theirs', async (t) => {
  t.same(
    sets.map(({ name }) => name),
    ['Long', 'Empty', 'Right to left', 'CJK', 'Emoji', 'Numbers', 'URLs'],
  );
  for (const { name, variables } of sets) {
    t.equal(variables.photo, 'https://example.com/a.png', `${name}: that of the first sample`);
    t.notOk('code' in variables || 'dot' in variables, name);
    const { details, warnings } = validate(RECORD, { variables });
    t.same(details, [], name);
    t.same(
      warnings.filter(({ path }) => path.startsWith('variables')),
      [],
      `${name} names variables only, each once`,
    );
  }
});

t.test('long is about three times the longest text, with long words', async (t) => {
  const { title, price, date, link, seats, city } = set('Long');
  const longest = 'The longest title of all';
  t.ok(title!.startsWith(longest));
  t.ok(title!.length >= 3 * longest.length && title!.length < 5 * longest.length + 50, title!);
  t.match(title, /\S{20}/);
  t.equal(price, '€ 9,876,543,210.99', 'a price stays one');
  t.ok(date!.length > 30, 'a date is a text');
  t.match(link, /^https:.{100}/);
  t.equal(seats, '9876543210.99');
  t.ok(city!.length >= 36);
});

t.test('empty, other writings, emoji and numbers', async (t) => {
  t.match(set('Empty'), { title: '', city: '', date: '' });
  t.notOk('price' in set('Empty') || 'seats' in set('Empty'), 'no text is no number');
  t.match(set('Right to left').title, /^[\p{Script=Arabic}\p{Script=Hebrew} ]+$/u);
  t.equal(set('Right to left').price, '€ ١٢٩.٠٠');
  const writings = ['title', 'date', 'city'].map((name) => set('CJK')[name]!);
  t.match(writings[0], /\p{Script=Han}/u);
  t.ok(new Set(writings.map((text) => text.slice(0, 2))).size > 1, 'hotspots take turns');
  t.match(set('Emoji').title, /\p{Extended_Pictographic}/u);
  t.match(set('Numbers'), { price: '€ -1,234,567,890.99', seats: '-1234567890.99' });
  t.equal(set('Numbers').Title, 'A longer title', 'the others are as in the first sample');
});

t.test('a template without variables has none; malformed records do no harm', async (t) => {
  t.same(stressSets({ ...RECORD, layers: [], hotspots: [] }), []);
  for (const record of [null, 1, { hotspots: 3, samples: [1] }, { ...RECORD, samples: 'x' }]) stressSets(record);
  t.pass();
});

t.test('the templates of the package take theirs', async (t) => {
  const folder = join(ROOT, 'data/templates');
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const record = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const { name: title, variables } of stressSets(record))
      t.same(validate(record, { variables }).details, [], `${name}: ${title}`);
  }
});

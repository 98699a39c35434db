// The rows that the panel Variables shows are those that `platen batch` renders.
import fc from 'fast-check';
import t from 'tap';
import { type RowFormat, sizeColumnOf, sizeOf, variablesFrom } from '../../../../lib/batch/cells.js';
import { readRows } from '../../../../lib/batch/rows.js';
import { parseTemplate } from '../../../../lib/contract/template/parse.js';
import { CodedError } from '../../../../lib/errors.js';
import { sizeNames } from '../../../../web/document/sizes.js';
import { createRowReader, parseRows, RowsError } from '../../../../web/panels/variables/rows.js';
import { hotspotFields } from '../../../../web/preview/hotspots.js';

/** As `platen batch` reads it; undefined if it can't. */
async function batch(name: string, text: string) {
  async function* bytes() {
    yield Buffer.from(text);
  }
  try {
    const { columns, rows } = await readRows(name, bytes());
    const all: ({ readonly values: object } | { readonly number: number })[] = [];
    for await (const row of rows) all.push(row.values ? { values: { ...row.values } } : { number: row.number });
    return { columns, rows: all };
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
  }
}

function panel(name: string, text: string) {
  try {
    const { columns, rows } = parseRows(name, text);
    return { columns, rows: rows.map((row) => (row.values ? { values: row.values } : { number: row.number })) };
  } catch (error) {
    if (error instanceof RowsError) return undefined;
    throw error;
  }
}

const CASES: readonly (readonly [name: string, text: string])[] = [
  ['a.csv', 'a,b\n1,2\n3,4\n'],
  ['a.csv', '\uFEFF"a","b"\r\n"x, ""y""",""\r\n'],
  ['a.csv', '\n\na;b\n\n1,5;"x;y"\n"two\nlines";\n'],
  ['a.csv', 'a\tb\n1\t2'],
  ['a.csv', 'a,,b,\n1,x,2,\n1\n1,2,3,4,5\n1,2,3,4,,\n'],
  ['a.csv', 'a,a\n1,2'],
  ['a.csv', ' , \n1,2'],
  ['a.csv', ''],
  ['a.csv', 'a\n"never closed'],
  ['a.csv', 'a\nx"y"\n'],
  ['a.csv', 'a\n"x"y\n'],
  ['a.csv', '[1]\n{"a":1}\n'],
  ['a.json', '[{"a":1},{"b":[2]},3,null]'],
  ['a.json', '[{"a":1},'],
  ['a.ndjson', '{"a":1}\n\n{"a":2}\r\n[3]\nno JSON\n'],
  ['pasted', '{"a":1}\n{"a":2}'],
  ['pasted', 'a,b\n1,2'],
];

t.test('reads files as the batch command does', async (t) => {
  for (const [name, text] of CASES) t.same(panel(name, text), await batch(name, text), JSON.stringify([name, text]));
  const cell = fc.stringMatching(/^[a-c",;\t\n\r ]{0,5}$/);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), async (records) => {
      const raw = records.map((cells) => cells.join(',')).join('\n');
      const quoted = records
        .map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(';'))
        .join('\r\n');
      for (const text of [raw, quoted]) t.strictSame(panel('a.csv', text), await batch('a.csv', text));
    }),
    { numRuns: 300 },
  );
});

t.test('says what is wrong with a file and where', async (t) => {
  for (const [text, message] of [
    ['', 'is empty'],
    ['a\nb\n"x', 'has a quote in line 3 that is never closed'],
    ['a\nx"y', 'has a quote inside a cell in line 2'],
    ['a\n"x"y', 'has text behind a closing quote in line 2'],
    ['a,a\n', 'two columns are named "a"'],
    ['[1', 'not valid JSON: line 1, column 3: received the end, expected a comma or ]'],
  ] as const) {
    t.throws(() => parseRows('pasted', text), { message }, text);
  }
  const { rows } = parseRows('a.ndjson', '1\n{"a":}');
  t.same(
    rows.map(({ error }) => error),
    ['received 1, expected an object', 'not valid JSON: column 6: received "}", expected a value'],
  );
});

const box = { x: 0, y: 0, width: 10, height: 10 };
const RECORD = {
  name: 'Card',
  width: 100,
  height: 100,
  placeholders: true,
  layers: [{ type: 'text', text: '{{city}}', ...box }],
  hotspots: [
    { type: 'text', key: 'title', label: 'Headline', text: 'Hello', ...box },
    { type: 'image', key: 'photo', label: 'Photo', url: 'https://example.com/a.png', ...box },
  ],
  sizes: { story: { width: 9, height: 16 } },
};

t.test('rows fill what they fill in a batch', async (t) => {
  const template = parseTemplate(RECORD, { maxLayers: 10 });
  const fields = hotspotFields(RECORD);
  const rows = [
    { title: 'A', photo: '', city: '', size: 'story', other: 'x' },
    { Headline: '', Photo: 'https://example.com/b.png', size: '' },
  ];
  for (const values of rows) {
    for (const columns of [Object.keys(values), undefined]) {
      const sizeColumn = sizeColumnOf(template, sizeNames(RECORD));
      const format: RowFormat = { columns, fileNameColumns: new Set(), sizeColumn };
      const { read } = createRowReader(fields, sizeNames(RECORD), columns);
      t.same(read(values), { variables: variablesFrom(template, format)(values), size: sizeOf(values, format) });
    }
  }
});

t.test('names the columns that no variable has, and the variables without a column', async (t) => {
  const fields = hotspotFields(RECORD);
  t.same(createRowReader(fields, ['story'], ['tilte', 'size', 'Photo']).remarks, [
    'Column tilte is no variable of the template and is ignored; did you mean title?',
    'No column for Headline, city: the template’s own are shown',
  ]);
  t.same(createRowReader(fields, [], ['title', 'Photo', 'city']).remarks, []);
  t.same(createRowReader(fields, [], undefined).remarks, [], 'each row of JSON has its own');
});

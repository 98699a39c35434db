// Reading CSV, JSON lines and JSON arrays as spreadsheets, editors and databases write them, in chunks of any size.
import fc from 'fast-check';
import t from 'tap';
import { type Row, readRows } from '../../lib/batch/rows.js';
import { RenderError } from '../../lib/errors.js';

async function* chunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(content: string | Uint8Array, { name = 'rows', size = 5 } = {}) {
  const source = await readRows(name, chunks(Buffer.from(content), size));
  const rows: Row[] = [];
  for await (const row of source.rows) rows.push(row);
  return { columns: source.columns, rows };
}

/** The rows' values, or their errors. */
async function valuesOrErrors(...args: Parameters<typeof read>) {
  const { rows } = await read(...args);
  return rows.map((row) => (row.values ? { ...row.values } : row.error));
}

t.test('reads CSV', async (t) => {
  const rows: [string, string, unknown[]][] = [
    [
      'plain',
      'a,b\n1,2\n3,4\n',
      [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
    ],
    ['no newline at the end', 'a,b\n1,2', [{ a: '1', b: '2' }]],
    ['CR LF', 'a,b\r\n1,2\r\n', [{ a: '1', b: '2' }]],
    ['CR', 'a,b\r1,2\r', [{ a: '1', b: '2' }]],
    [
      'mixed line endings',
      'a,b\r\n1,2\n3,4\r\n',
      [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
    ],
    ['quotes', 'a,b\n"x, ""y""",""\n', [{ a: 'x, "y"', b: '' }]],
    ['newlines in quotes', 'a,b\r\n"x\r\ny\nz",2\r\n', [{ a: 'x\r\ny\nz', b: '2' }]],
    ['blanks belong to the cell', 'a,b\n x , y\n', [{ a: ' x ', b: ' y' }]],
    ['a byte order mark', '\uFEFFa,b\n1,2\n', [{ a: '1', b: '2' }]],
    ['a byte order mark and quotes', '\uFEFF"a","b"\n1,2\n', [{ a: '1', b: '2' }]],
    ['blank lines', '\n\na,b\n\n1,2\n\n', [{ a: '1', b: '2' }]],
    ['names with blanks', ' a , b c \n1,2\n', [{ a: '1', 'b c': '2' }]],
    ['columns without a name', 'a,,b,\n1,x,2,\n', [{ a: '1', b: '2' }]],
    [
      'too few, too many, and empty leftovers',
      'a,b\n1\n1,2,3\n1,2,,\n',
      ['has 1 cells, expected 2', 'has 3 cells, expected 2', { a: '1', b: '2' }],
    ],
    ['no rows', 'a,b\n', []],
    ['one column', 'a\n1\n\n2\n', [{ a: '1' }, { a: '2' }]],
    ['semicolons', 'a;b\n1,5;"x;y"\n', [{ a: '1,5', b: 'x;y' }]],
    ['semicolons, and commas in a quoted name', '"a,b,c";d\n1;2\n', [{ 'a,b,c': '1', d: '2' }]],
    ['tabs', 'a\tb\r\n1,5\tx;y\r\n', [{ a: '1,5', b: 'x;y' }]],
    ['commas where there are as many semicolons', 'a;b,c\n1,2\n', [{ 'a;b': '1', c: '2' }]],
    ['separators in rows do not count', 'a\n1;2;3\n', [{ a: '1;2;3' }]],
    ['a line break in a name', '\n"a\nb";c\n1;2', [{ 'a\nb': '1', c: '2' }]],
    ['non-ASCII characters', 'a\nžluťoučký 🦄\u2028x\n', [{ a: 'žluťoučký 🦄\u2028x' }]],
  ];
  for (const [what, content, expected] of rows) {
    for (const size of [1, 7, 1000])
      t.same(await valuesOrErrors(content, { size }), expected, `${what}, ${size} bytes at a time`);
  }
  t.same((await read(' a , b c ,\n')).columns, ['a', 'b c']);
  const [odd] = (await read('__proto__,constructor\n1,2\n')).rows;
  t.same(Object.entries(odd.values ?? {}), [
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
});

t.test('reads JSON lines', async (t) => {
  const content = '{"a": 1, "b": null}\r\n\n  {"a": "x\u2028y\u0085"}\n[1]\n{"a":\n{"a": {"fontSize": 5}}';
  t.same(await valuesOrErrors(content), [
    { a: 1, b: null },
    { a: 'x\u2028y\u0085' },
    'received an array of 1, expected an object',
    'not valid JSON: column 6: received the end, expected a value',
    { a: { fontSize: 5 } },
  ]);
  t.same(
    (await read(content)).rows.map(({ number }) => number),
    [1, 2, 3, 4, 5],
  );
  t.equal((await read(content)).columns, undefined);
  t.same(await valuesOrErrors('\uFEFF{"a":1}'), [{ a: 1 }]);
  t.match(await valuesOrErrors(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`), [/deeper than 64/]);
});

t.test('reads a JSON array', async (t) => {
  const content = ' [{"a": 1},\r\n [2], {"a": {"fontSize": 5}}, null]\n';
  const expected = [
    { a: 1 },
    'received an array of 1, expected an object',
    { a: { fontSize: 5 } },
    'received null, expected an object',
  ];
  for (const name of ['rows.json', 'rows']) t.same(await valuesOrErrors(content, { name }), expected, name);
  t.same(await valuesOrErrors(`\uFEFF${content}`, { name: 'rows.json' }), expected, 'with a byte order mark');
  t.same(
    (await read(content)).rows.map(({ number }) => number),
    [1, 2, 3, 4],
  );
  t.same(await valuesOrErrors('[]'), []);
  t.same(
    await valuesOrErrors('{"a":1}\n{"a":2}', { name: 'rows.json' }),
    [{ a: 1 }, { a: 2 }],
    'JSON lines with the extension .json',
  );
  await t.rejects(read('[{"a":1},\n{"a":}]'), { code: 'invalid_json', message: /line 2, column 6/ });
});

t.test('detects the format by file extension, else by content', async (t) => {
  const line = '{a}\n';
  t.match(await valuesOrErrors(line), [/not valid JSON/]);
  t.same((await read(line, { name: 'x.CSV' })).columns, ['{a}']);
  t.same((await read('a\n', { name: 'x.txt' })).columns, ['a']);
  t.match(await valuesOrErrors('oops\n', { name: 'x.jsonl' }), [/not valid JSON/]);
  t.match(await valuesOrErrors('oops\n', { name: 'x.NDJSON' }), [/not valid JSON/]);
});

t.test('rejects unusable files', async (t) => {
  const rows: [string | Uint8Array, RegExp][] = [
    ['', /^is empty$/],
    ['\uFEFF \n\n', /^is empty$/],
    [',,\n1,2,3\n', /has no column names/],
    ['a,b,a\n', /two columns are named "a"/],
    ['a\n"x\n', /[Qq]uote/],
    ['a\nx"y"\n', /[Qq]uote/],
    ['a\n"x"y\n', /[Qq]uote/],
    [Buffer.from('name\nM\xfcller\n', 'latin1'), /^is not UTF-8/],
    [Buffer.from('name\nM\xc3', 'latin1'), /^is not UTF-8/],
    [`a\n"${'x'.repeat(11 * 2 ** 20)}"\n`, /record|size/i],
    [`{"a":"${'x'.repeat(11 * 2 ** 20)}"}\n`, /a line is longer than/],
  ];
  for (const [content, message] of rows) {
    await t.rejects(read(content, { size: 65_536 }), { code: 'invalid_request', message });
    await t.rejects(read(content, { size: 65_536 }), RenderError);
  }
});

t.test('passes on read errors', async (t) => {
  async function* failing() {
    yield Buffer.from('a\n1\n');
    throw new Error('the disk is gone');
  }
  await t.rejects(
    async () => {
      const { rows } = await readRows('x.csv', failing());
      for await (const _row of rows);
    },
    { message: 'the disk is gone' },
  );
});

t.test('reads lazily', async (t) => {
  let given = 0;
  async function* endless() {
    yield Buffer.from('a\n');
    for (;;) {
      given++;
      yield Buffer.from(`${'x'.repeat(1000)}\n`);
    }
  }
  const { rows } = await readRows('x.csv', endless());
  const iterator = rows[Symbol.asyncIterator]();
  for (let i = 0; i < 10; i++) await iterator.next();
  t.ok(given < 2000, `${given} lines were read for 10 rows`);
  await iterator.return?.();
});

t.test('reads back any values written as CSV', async () => {
  const cell = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', ' ', 'x', '\uFEFF') }));
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell)), fc.integer({ min: 1, max: 50 }), async (cells, size) => {
      const content = [['a', 'b'], ...cells].map((row) => row.map(quoted).join(',')).join('\r\n');
      const rows = await valuesOrErrors(content, { name: 'x.csv', size });
      return JSON.stringify(rows) === JSON.stringify(cells.map(([a, b]) => ({ a, b })));
    }),
  );
});

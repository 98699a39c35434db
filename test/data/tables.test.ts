// Tables become grids of texts and shapes.
import t from 'tap';
import { RenderError } from '../../lib/errors.js';
import { loadDataFor } from '../../lib/load-data.js';
import { expand } from '../../lib/templates/expand.js';
import '../../lib/node-host.js';

type Json = Readonly<Record<string, unknown>>;

interface PlainLayer extends Json {
  readonly type: string;
  readonly text?: string;
  readonly layers: readonly PlainLayer[];
}

const CANVAS = { width: 600, height: 400, backgroundColor: '#ffffff' };
const PLACE = { type: 'table', x: 10, y: 20, width: 500 };
const COLUMNS = [
  { header: 'Item', field: 'name' },
  { header: 'Price', field: 'price' },
];
const ROWS = [
  { name: 'Bread', price: 3.5 },
  { name: 'Milk', price: 1250 },
  { name: 'Salt', price: null },
];

t.before(() => loadDataFor({ canvas: CANVAS, layers: [{ ...PLACE, cell: { type: 'chart' } }, { type: 'chart' }] }));

function expandTable(table: Json, payload: Json = {}, maxExpandedLayers?: number) {
  const whole = { canvas: CANVAS, ...payload, layers: [{ ...PLACE, columns: COLUMNS, rows: ROWS, ...table }] };
  const { payload: plain, warnings } = expand(whole, { maxLayers: 500, maxExpandedLayers });
  const [group] = plain.layers as PlainLayer[];
  const texts = group.layers.filter(({ type }) => type === 'text');
  return { group, warnings, texts, shapes: group.layers.filter(({ type }) => type === 'shape') };
}

function faultsOf(table: Json, payload: Json = {}, maxExpandedLayers?: number): string[] {
  try {
    expandTable(table, payload, maxExpandedLayers);
    return [];
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return error.details.map(({ path, message }) => `${path}: ${message}`);
  }
}

const placeOf = ({ gridRow, gridColumn }: PlainLayer) => `${gridRow},${gridColumn}`;

t.test('a table is a grid, with a text in each cell', (t) => {
  const { group, texts, warnings } = expandTable({});
  t.match(group, { type: 'group', layout: 'grid', x: 10, y: 20, width: 500, height: 'auto', role: 'table' });
  t.equal(group.gridTemplateColumns, 'auto auto');
  for (const field of ['columns', 'rows', 'cellPadding', 'rules', 'direction']) t.notOk(field in group, field);
  t.same(
    texts.map((each) => [each.text, placeOf(each), each.textAlign]),
    [
      ['Item', '1,1', 'left'],
      ['Price', '1,2', 'right'],
      ['Bread', '2,1', 'left'],
      ['3.5', '2,2', 'right'],
      ['Milk', '3,1', 'left'],
      ['1,250', '3,2', 'right'],
      ['Salt', '4,1', 'left'],
    ],
    'numbers are at the end edge, and null is no text',
  );
  t.same(warnings, []);
  t.end();
});

t.test('rows are an expression in a payload with data, and literal in any', (t) => {
  const rows = '{{= items.filter(each, each.price != null) }}';
  const { texts } = expandTable({ rows }, { data: { items: ROWS } });
  t.same(
    texts.map(({ text }) => text),
    ['Item', 'Price', 'Bread', '3.5', 'Milk', '1,250'],
  );
  const literal = expandTable({ rows: [{ name: '{{= who }} and {{who}}' }] }, { data: { who: 'Ada' } });
  t.equal(literal.texts[2].text, 'Ada and Ada', 'the strings of literal rows are those of the template');
  t.equal(expandTable({ rows: [{ name: '{{= who }}' }] }).texts[2].text, '{{= who }}', 'without data they are text');
  const brought = expandTable({ rows: '{{= items }}' }, { data: { items: [{ name: '{{= locale }}' }] } });
  t.equal(brought.texts[2].text, '{{= locale }}', 'values are not searched');
  t.end();
});

t.test('formats see value, row and i, and numbers follow the locale', (t) => {
  const columns = [
    { header: '#', format: '{{= i + 1 }}.' },
    { header: 'Twice', field: 'price', format: '{{= value == null ? "–" : value * 2 }}' },
    { header: 'Sum', format: '{{= number(row.price * 2, 1) }}', align: 'end' },
    { header: 'Price', field: 'price' },
  ];
  const { texts } = expandTable({ columns, rows: ROWS.slice(0, 2) }, { data: {}, locale: 'de' });
  t.same(
    texts.slice(4).map(({ text, textAlign }) => [text, textAlign]),
    [
      ['1.', 'left'],
      ['7', 'right'],
      ['7,0', 'right'],
      ['3,5', 'right'],
      ['2.', 'left'],
      ['2500', 'right'],
      ['2.500,0', 'right'],
      ['1.250', 'right'],
    ],
  );
  t.equal(expandTable({}, { locale: 'de' }).texts[5].text, '1.250', 'a locale needs no data');
  t.end();
});

t.test('lists of 0, 1, 7 and 200 rows', (t) => {
  for (const count of [0, 1, 7, 200]) {
    const rows = Array.from({ length: count }, (_, i) => ({ name: `Item ${i}`, price: i }));
    const { texts, shapes } = expandTable({ rows });
    t.equal(texts.length, 2 + 2 * count);
    t.equal(shapes.length, count, 'a line beneath each row but the last');
  }
  t.equal(expandTable({ rows: '{{= nothing }}' }, { data: {} }).texts.length, 2, 'null has no rows');
  t.end();
});

t.test('widths are tracks', (t) => {
  const columns = [120, '25%', 'auto', 'fill', undefined].map((width) => ({ field: 'name', width }));
  t.equal(expandTable({ columns }).group.gridTemplateColumns, '120px 25% auto 1fr auto');
  t.end();
});

t.test('there is no header without one in a column', (t) => {
  const { texts } = expandTable({ columns: [{ field: 'name' }] });
  t.same(
    texts.map((each) => [each.text, placeOf(each)]),
    [
      ['Bread', '1,1'],
      ['Milk', '2,1'],
      ['Salt', '3,1'],
    ],
  );
  t.end();
});

t.test('styles: header and body, a column, and tokens', (t) => {
  const { texts } = expandTable(
    {
      columns: [
        { header: 'Item', field: 'name', style: 'strong' },
        { header: 'Price', field: 'price', style: { color: 'var(--ink)' } },
      ],
      body: { fontFamily: 'Lora', fontSize: 20, lineHeight: 1.2 },
      header: { style: 'strong', color: '#123456' },
      cellPadding: [4, 6],
    },
    { tokens: { strong: { fontWeight: 800, letterSpacing: 1 }, ink: '#aa0000' } },
  );
  t.match(texts[0], { fontFamily: 'Lora', fontSize: 18, lineHeight: 1.2, fontWeight: 800, color: '#123456' });
  t.match(texts[2], { fontFamily: 'Lora', fontSize: 20, fontWeight: 800, letterSpacing: 1, padding: [4, 6] });
  t.match(texts[3], { fontFamily: 'Lora', color: '#aa0000' });
  t.notOk('fontFeatures' in texts[3], 'a font of the table’s own keeps its figures');
  t.same(expandTable({}).texts[3].fontFeatures, { tnum: 1 }, 'else those of numbers have one width');
  t.end();
});

t.test('texts can be read on what is behind the table', (t) => {
  const dark = { canvas: { ...CANVAS, backgroundColor: '#0f172a' } };
  t.match(expandTable({}, dark).texts[2], { color: '#ffffff' });
  const { texts, shapes } = expandTable({ header: { backgroundColor: '#1e3a8a' } });
  t.match(texts[0], { color: '#ffffff' });
  t.notOk('backgroundColor' in texts[0]);
  t.match(shapes[0], { fillColor: '#1e3a8a', gridRow: 1, gridColumn: '1 / -1', width: 'fill', height: 'fill' });
  t.end();
});

t.test('stripes fill the 2nd, 4th … row of the body, beneath the texts', (t) => {
  const { group } = expandTable({ stripe: '#eeeeee', rows: [...ROWS, ...ROWS] });
  const stripes = group.layers.filter(({ fillColor }) => fillColor === '#eeeeee');
  t.same(stripes.map(placeOf), ['3,1 / -1', '5,1 / -1', '7,1 / -1']);
  t.same(group.layers.slice(0, 3), stripes);
  t.equal(group.layers.filter(({ type }) => type === 'shape').length, 3, 'and there are no lines then');
  t.end();
});

t.test('lines lie between rows and columns and around the table', (t) => {
  const line = { color: '#cccccc', width: 2 };
  const rules = { horizontal: line, vertical: { ...line, dash: [2, 2] }, outer: line };
  const { group, shapes } = expandTable({ rules, rows: ROWS.slice(0, 2) });
  t.same(group.border, line);
  t.same(
    shapes.map((each) => [placeOf(each), each.width, each.height, each.alignSelf ?? each.justifySelf]),
    [
      ['1,1 / -1', 'fill', 2, 'end'],
      ['2,1 / -1', 'fill', 2, 'end'],
      ['1 / 4,1', 2, 'fill', 'end'],
    ],
  );
  t.match(shapes[2], { shapeType: 'line', border: { dash: [2, 2] } });
  t.same(expandTable({ rules: {} }).shapes, []);
  const colored = { header: { color: '#000000' }, body: { color: '#000000' } };
  t.same(expandTable(colored).shapes, [], 'texts with colours of their own have no lines of ours');
  t.end();
});

t.test('maxRows cuts the rows, and more tells how many', (t) => {
  const cut = expandTable({ maxRows: 1 });
  t.equal(cut.texts.length, 4);
  t.match(cut.warnings, [{ code: 'list_cut', path: 'layers[0].rows' }]);
  const more = expandTable({ maxRows: 1, more: 'and {{= rest }} more' }, { data: {} });
  t.match(more.texts[4], { text: 'and 2 more', gridRow: 3, gridColumn: '1 / span 2' });
  t.same(more.warnings, []);
  t.equal(
    expandTable({ maxRows: 3, more: 'and {{= rest }} more' }, { data: {} }).texts.length,
    7,
    'nothing is left out',
  );
  t.end();
});

t.test('footers: one row or several, cells that span columns', (t) => {
  const { texts } = expandTable({ rows: [], footer: ['Sum', 1250.5] });
  t.same(
    texts.slice(2).map((each) => [each.text, placeOf(each), each.textAlign]),
    [
      ['Sum', '2,1', 'left'],
      ['1,250.5', '2,2', 'right'],
    ],
  );
  const footer = [[null, '{{= sum(items) }}'], [{ text: 'All', span: 2, align: 'center' }]];
  const rows = expandTable({ rows: [], footer }, { data: { items: [1, 2] } }).texts.slice(2);
  t.same(
    rows.map((each) => [each.text, placeOf(each), each.textAlign]),
    [
      ['3', '2,2', 'right'],
      ['All', '3,1 / span 2', 'center'],
    ],
  );
  t.same(faultsOf({ footer: ['a', 'b', 'c'] }), ['layers[0].footer[2]: ends in column 3, expected at most 2']);
  t.end();
});

t.test('a layer in place of a text, with icons, lists and charts in it', (t) => {
  const columns = [
    { field: 'name' },
    { cell: { type: 'shape', shapeType: 'circle', width: '{{= 4 * row.size }}', height: 10, id: 'dot' } },
    { cell: { type: 'text', text: '{{= item }}', width: 'auto', height: 'auto', each: '{{= row.tags }}' } },
    {
      cell: { type: 'chart', chart: 'progress', value: '{{= row.size / 10 }}', width: 'fill', height: 20 },
      width: 140,
    },
  ];
  const { group } = expandTable(
    { columns, rows: '{{= rows }}' },
    { data: { rows: [{ name: 'a', size: 5, tags: ['x', 'y'] }] } },
  );
  const [dot, tags, chart] = group.layers.filter(({ type }) => type === 'group');
  t.match(dot, { gridRow: 1, gridColumn: 2, padding: [8, 12], layers: [{ type: 'shape', width: 20, id: 'dot[0]' }] });
  t.same(
    tags.layers.map(({ text }) => text),
    ['x', 'y'],
  );
  t.match(chart.layers, [{ type: 'group', width: 116, height: 20 }], 'the column without its padding');
  t.end();
});

t.test('markup in texts, and none where there are no markers', (t) => {
  const { texts } = expandTable({ rows: [{ name: '**new** bread' }, { name: 'bread' }] });
  t.equal(texts[2].markup, true);
  t.notOk('markup' in texts[3]);
  t.end();
});

t.test('from right to left where the locale is read so, or the table says it', (t) => {
  const first = (payload: Json, table: Json = {}) => {
    const { group, texts } = expandTable(
      { columns: [{ field: 'name', width: 50 }, { field: 'price' }], ...table },
      payload,
    );
    return [group.gridTemplateColumns, ...texts.slice(0, 2).map((each) => `${each.gridColumn} ${each.textAlign}`)];
  };
  t.same(first({}), ['50px auto', '1 left', '2 right']);
  t.same(first({ locale: 'ar' }), ['auto 50px', '2 right', '1 left']);
  t.same(first({}, { direction: 'rtl' }), ['auto 50px', '2 right', '1 left']);
  t.same(first({ locale: 'he' }, { direction: 'ltr' }), ['50px auto', '1 left', '2 right']);
  t.end();
});

t.test('faults name the field', (t) => {
  const data = { data: { items: [{ name: 'a' }, 5] } };
  t.match(faultsOf({ rows: 5 }), [/^layers\[0\]\.rows: received 5, expected a list of objects/]);
  t.match(faultsOf({ rows: '{{= 5 }}' }, data), [/^layers\[0\]\.rows: received 5, expected a list of objects/]);
  t.match(faultsOf({ rows: '{{= items }}' }), [/^layers\[0\]\.rows: .*"data": \{\}/]);
  t.match(faultsOf({ rows: undefined }), [/^layers\[0\]\.rows: /]);
  t.same(faultsOf({ rows: '{{= items }}' }, data), ['layers[0].rows[1]: received 5, expected an object']);
  t.match(faultsOf({ columns: [] }), [/^layers\[0\]\.columns: /]);
  t.match(faultsOf({ columns: [{ width: 'wide' }] }), [/^layers\[0\]\.columns\[0\]\.width: received "wide"/]);
  t.match(
    faultsOf({ body: { fontSize: 'big' } }),
    [/^layers\[0\]\.body\.fontSize: received "big"/],
    'once, not in each cell',
  );
  const tags = { columns: [{ field: 'tags' }], rows: [{ tags: ['a'] }] };
  t.match(faultsOf(tags), [/^layers\[0\]\.rows\[0\]\.tags: gives a list of 1, expected a text; list\(x/]);
  const format = (text: string, payload: Json = { data: {} }) =>
    faultsOf({ columns: [{ field: 'price', format: text }] }, payload);
  t.match(format('{{= value / 0 }}'), [/^layers\[0\]\.columns\[0\]\.format: .*finite/], 'once, not in each row');
  t.match(format('{{= value / 0 }}', {}), [/^layers\[0\]\.columns\[0\]\.format: expressions need "data"/]);
  t.match(format('EUR'), [/^layers\[0\]\.columns\[0\]\.format: received "EUR", expected an expression/]);
  const both = { columns: [{ format: '{{= i }}', cell: { type: 'text', text: 'a', width: 1, height: 1 } }] };
  t.match(faultsOf(both, { data: {} }), [/^layers\[0\]\.columns\[0\]\.format: has no effect beside cell/]);
  t.match(faultsOf({ header: { style: 'nope' } }, { tokens: {} }), [/^layers\[0\]\.header\.style: received "nope"/]);
  t.end();
});

t.test('too many rows are a fault of the table', (t) => {
  const rows = Array.from({ length: 60 }, () => ({ name: 'a', price: 1 }));
  t.match(faultsOf({ rows }, {}, 100), [/^layers\[0\]: .*at most 100 \(MAX_EXPANDED_LAYERS\)/]);
  const many = Array.from({ length: 1001 }, () => ({ name: 'a' }));
  const column = { columns: [{ field: 'name' }] };
  t.match(faultsOf({ ...column, rows: many }), [/^layers\[0\]\.rows: has 1001 rows, expected at most 1000/]);
  const cell = { type: 'text', text: '{{= item }}', width: 'auto', height: 'auto', each: '{{= range(90) }}' };
  t.match(faultsOf({ columns: [{ cell }], rows: ROWS }, { data: {} }, 100), [
    /^layers\[0\]\.rows\[1\]\.columns\[0\]\.cell\.each: .*MAX_EXPANDED/,
  ]);
  t.end();
});

t.test('warns of a field that no row has and that is like another', (t) => {
  t.match(expandTable({ columns: [{ field: 'nmae' }] }).warnings, [
    { code: 'unknown_field', path: 'layers[0].columns[0].field', message: /did you mean name/ },
  ]);
  t.same(expandTable({ columns: [{ field: 'remarks' }] }).warnings, []);
  t.end();
});

t.test('charts in a grid take the size of their cell', (t) => {
  const chart = (fields: Json) => ({
    type: 'chart',
    chart: 'progress',
    value: 0.5,
    width: 'fill',
    height: 20,
    ...fields,
  });
  const sizes = (group: Json) => {
    const layers = [{ type: 'group', x: 0, y: 0, width: 500, height: 300, layout: 'grid', gap: 20, ...group }];
    const { payload } = expand({ canvas: CANVAS, layers }, { maxLayers: 500 });
    return (payload.layers as PlainLayer[])[0].layers.map(({ width, height }) => [width, height]);
  };
  const half = chart({ width: '50%', height: '50%' });
  t.same(
    sizes({ gridTemplateColumns: '100px 1fr 2fr', gridTemplateRows: '1fr 1fr', layers: [half, half, half, half] }),
    [
      [50, 70],
      [60, 70],
      [120, 70],
      [50, 70],
    ],
  );
  t.same(sizes({ gridTemplateColumns: 'repeat(4, 25%)', padding: 10, layers: [chart({ gridColumn: '2 / span 2' })] }), [
    [260, 20],
  ]);
  t.same(sizes({ gridTemplateColumns: '1fr 1fr', gridTemplateRows: '80px', layers: [chart({ height: 'fill' })] }), [
    [240, 80],
  ]);
  t.throws(() => sizes({ gridTemplateColumns: 'auto 1fr', layers: [chart({})] }), /drawn before the layout/);
  t.end();
});

// Tables in templates: what import refuses, what it warns of, and what linting and validation know of them.
import t from 'tap';
import { RenderError } from '../../lib/errors.js';
import { loadDataFor } from '../../lib/load-data.js';
import { lintTemplate } from '../../lib/templates/lint.js';
import { resolve } from '../../lib/templates/resolve.js';
import { validatePayloadAndLayers } from '../../lib/templates/validate.js';
import '../../lib/node-host.js';

const options = { maxLayers: 500, checkUrl: () => {} };
const TABLE = { type: 'table', x: 0, y: 0, width: 300, rows: '{{= items }}' };

const template = (table: object, more: object = {}) => ({
  name: 'List',
  width: 300,
  height: 200,
  placeholders: true,
  hotspots: [],
  layers: [{ ...TABLE, columns: [{ field: 'name' }], ...table }],
  ...more,
});

t.before(() => loadDataFor(template({})));

const errorsOf = (table: object, more: object = {}) =>
  validatePayloadAndLayers(template(table, more), options).details.map(({ path, message }) => `${path}: ${message}`);
const warningsOf = (table: object) =>
  validatePayloadAndLayers(template(table), options).warnings.map(({ path, message }) => `${path}: ${message}`);

t.test('a table in a template is valid', (t) => {
  t.same(errorsOf({}), []);
  t.same(warningsOf({ stripe: '{{= tint }}', footer: ['{{= size(items) }}'] }), []);
  t.same(
    lintTemplate(template({})).map(({ path }) => path),
    ['hotspots'],
  );
  t.end();
});

t.test('import checks the fields, the expressions, and layers in cells', (t) => {
  t.match(errorsOf({ columns: undefined }), [/^layers\[0\]\.columns: received nothing/]);
  t.match(errorsOf({ rows: undefined }), [/^layers\[0\]\.rows: received nothing/]);
  t.match(errorsOf({ rows: 5 }), [/^layers\[0\]\.rows: received 5, expected a list of objects/]);
  t.match(errorsOf({ columns: [{ width: '10em' }] }), [/^layers\[0\]\.columns\[0\]\.width: /]);
  t.match(errorsOf({ columns: [{ format: '{{= valu( }}' }] }), [/^layers\[0\]\.columns\[0\]\.format: /]);
  t.match(errorsOf({ columns: [{ format: 'value' }] }), [
    /^layers\[0\]\.columns\[0\]\.format: .*expected an expression/,
  ]);
  t.match(errorsOf({ rows: '{{= items.nope() }}' }), [/^layers\[0\]\.rows: /]);
  t.match(errorsOf({ more: '{{= rest + }}' }), [/^layers\[0\]\.more: /]);
  const cell = (layer: object) => errorsOf({ columns: [{ cell: layer }] });
  const size = { width: 10, height: 10 };
  t.match(cell({ type: 'shap', ...size }), [/^layers\[0\]\.columns\[0\]\.cell\.type: received "shap"/]);
  t.match(cell({ type: 'image', url: 5, ...size }), [/^layers\[0\]\.columns\[0\]\.cell\.url: received 5/]);
  t.match(cell({ type: 'text', text: '{{= row. }}', ...size }), [/^layers\[0\]\.columns\[0\]\.cell\.text: /]);
  const inGroup = {
    type: 'group',
    layout: 'row',
    ...size,
    layers: [{ type: 'qrcode', data: 'a', width: true, height: 1 }],
  };
  t.match(cell(inGroup), [/^layers\[0\]\.columns\[0\]\.cell\.layers\[0\]\.width: received true/]);
  t.same(
    cell({ type: 'shape', shapeType: 'circle', width: '{{= row.size }}', height: 4, fillColor: '{{= value }}' }),
    [],
  );
  t.match(cell({ type: 'text', text: 'a', key: 'a', ...size }), [/^layers\[0\]\.columns\[0\]\.cell\.key: /]);
  t.end();
});

t.test('warns of unknown fields at any depth', (t) => {
  t.match(warningsOf({ colums: [] }), [/^layers\[0\]\.colums: .*did you mean columns/]);
  t.match(warningsOf({ body: { fontsize: 3 } }), [/^layers\[0\]\.body\.fontsize: .*did you mean fontSize/]);
  t.match(warningsOf({ columns: [{ fild: 'a' }] }), [/^layers\[0\]\.columns\[0\]\.fild: .*did you mean field/]);
  const cell = { type: 'text', text: 'a', width: 1, height: 1, colour: 'red' };
  t.match(warningsOf({ columns: [{ cell }] }), [/^layers\[0\]\.columns\[0\]\.cell\.colour: /]);
  t.end();
});

t.test('a hotspot is no table', (t) => {
  const key = { key: 'list', label: 'List' };
  t.match(errorsOf(key), [/^layers\[0\]\.type: received "table"/]);
  t.end();
});

t.test('variables fill a table', (t) => {
  const variables = { items: { type: 'array', of: { name: 'string' } } };
  const { layers } = resolve(template({}, { variables }), { ...options, variables: { items: [{ name: 'Ada' }] } });
  t.match(layers, [{ type: 'group', layout: 'grid', layers: [{ type: 'text', text: 'Ada' }] }]);
  const wrong = () => resolve(template({}), { ...options, variables: { items: 'Ada' } });
  t.throws(wrong, { code: 'render_failed', details: [{ path: 'layers[0].rows' }] });
  t.throws(wrong, RenderError);
  t.end();
});

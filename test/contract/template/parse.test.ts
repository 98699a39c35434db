// Parsing of template records: accepted records, and the faults that are reported.
import fc from 'fast-check';
import t from 'tap';
import { parseTemplate } from '../../../lib/contract/template/parse.js';
import { type Detail, RenderError } from '../../../lib/errors.js';

const box = { x: 0, y: 0, width: 10, height: 10 };
const title = { key: 'title', label: 'Title', type: 'text', ...box, text: 'Hello', fontSize: 72 };
const photo = { key: 'photo', label: 'Photo', type: 'image', ...box };
const code = { key: 'code', label: 'Code', type: 'qrcode', ...box };
const rule = { type: 'shape', ...box, shapeType: 'line' };
const card = { name: 'Card', width: 1200, height: 630 };

const parse = (value: unknown, maxLayers = 500) => parseTemplate(value, { maxLayers });

function detailsFor(value: unknown, maxLayers = 500): readonly Detail[] {
  try {
    parse(value, maxLayers);
  } catch (error) {
    if (error instanceof RenderError && error.code === 'invalid_request') return error.details;
    throw error;
  }
  return [];
}

const noPlaceholders = { placeholders: false, plainVariables: [] };
const pathsFor = (value: unknown) => detailsFor(value).map(({ path }) => path);

t.test('accepts the smallest template', async (t) => {
  t.strictSame(parse(card), { ...card, scale: 1, background: {}, layers: [], hotspots: [], ...noPlaceholders });
  t.strictSame(parse({ ...card, background: null, layers: null, hotspots: null, owner: 1 }), parse(card));
});

t.test('keeps layers unparsed, and accepts hotspots without a main value', async (t) => {
  const background = { url: 'https://example.com/bg.jpg', color: '#0f172a' };
  const children: never[] = [];
  const text = { type: 'text', ...box, text: 'Hello', fontSize: 72 };
  const hotspots = [
    { path: 'hotspots[0]', key: 'title', label: 'Title', type: 'text', layer: text, children },
    { path: 'hotspots[1]', key: 'photo', label: 'Photo', type: 'image', layer: { type: 'image', ...box }, children },
    { path: 'hotspots[2]', key: 'code', label: 'Code', type: 'qrcode', layer: { type: 'qrcode', ...box }, children },
  ];
  t.strictSame(parse({ ...card, background, layers: [rule], hotspots: [title, photo, code] }), {
    ...card,
    scale: 1,
    background: { url: background.url, color: { r: 15, g: 23, b: 42, a: 1 } },
    layers: [{ path: 'layers[0]', layer: rule, children }, ...hotspots],
    hotspots,
    ...noPlaceholders,
  });
});

t.test('reports faults of the record’s own fields', async (t) => {
  const rows: [unknown, string[]][] = [
    [[], ['']],
    [{}, ['name', 'width', 'height']],
    [{ ...card, name: '' }, ['name']],
    [{ ...card, name: 'x'.repeat(201) }, ['name']],
    [{ ...card, width: 0, height: 8193 }, ['width', 'height']],
    [{ ...card, width: 1.5 }, ['width']],
    [{ ...card, background: 'red' }, ['background']],
    [{ ...card, background: { color: '#zz', url: 5 } }, ['background.url', 'background.color']],
    [{ ...card, layers: {}, hotspots: 'x' }, ['layers', 'hotspots']],
    [{ ...card, layers: [5], hotspots: [null] }, ['layers[0]', 'hotspots[0]']],
  ];
  for (const [value, paths] of rows) t.same(pathsFor(value), paths);
});

t.test('reports all faults of layers and hotspots', async (t) => {
  const hotspots = [
    { ...title, opacity: 2 },
    { ...title, label: 'Again' },
    { ...photo, key: '', label: undefined, fit: 'stretch' },
    { ...rule, key: 'rule', label: 'Rule', type: 'star' },
    { ...code, margin: -1 },
  ];
  const layers = [rule, { ...rule, shapeType: 'heart' }, { type: 'text', ...box }];
  const details = detailsFor({ ...card, width: 0, layers, hotspots });
  t.same(
    details.map(({ path }) => path),
    [
      'width',
      'layers[1].shapeType',
      'layers[2].text',
      'hotspots[0].opacity',
      'hotspots[1].key',
      'hotspots[2].fit',
      'hotspots[2].key',
      'hotspots[2].label',
      'hotspots[3].type',
      'hotspots[4].margin',
    ],
  );
  const messageAt = (path: string) => details.find((detail) => detail.path === path)?.message;
  t.equal(messageAt('hotspots[1].key'), 'received "title", expected a key of its own (hotspots[0] has the same)');
  t.equal(
    messageAt('hotspots[3].type'),
    'received "star", expected one of "text", "image", "qrcode", "barcode", "shape", "icon", "group", "chart", "table" (did you mean "shape" with "shapeType": "star"?)',
  );
});

t.test('a layer with a key is a hotspot in its place, labelled by its key unless it has a label', async (t) => {
  const { label: _label, ...unlabelled } = photo;
  const { layers, hotspots } = parse({
    ...card,
    layers: [unlabelled, rule, { ...rule, key: 'rule' }],
    hotspots: [title],
  });
  t.same(
    layers.map(({ key }) => key),
    ['photo', undefined, 'rule', 'title'],
  );
  t.same(
    hotspots.map(({ key, label, type }) => `${key} ${label} ${type}`),
    ['photo photo image', 'rule rule shape', 'title Title text'],
  );
  t.strictSame(parse({ ...card, layers: [{ ...rule, key: null }] }).hotspots, []);
});

t.test('faults of hotspots in place', async (t) => {
  const layers = [
    { ...photo, fit: 'stretch' },
    { ...code, key: 5 },
    { ...title, key: '', label: '' },
    { ...rule, key: 'photo' },
  ];
  const details = detailsFor({ ...card, layers, hotspots: [{ ...title, key: 'photo' }] });
  t.same(
    details.map(({ path, message }) => `${path}: ${message}`),
    [
      'layers[0].fit: received "stretch", expected one of "cover", "contain", "fill", "none", "scale-down" (did you mean "fill"?)',
      'layers[1].key: received 5, expected a string of 1 to 200 characters (write "5")',
      'layers[2].key: received "", expected a string of 1 to 200 characters',
      'layers[2].label: received "", expected a string of 1 to 200 characters',
      'layers[3].key: received "photo", expected a key of its own (layers[0] has the same)',
      'hotspots[0].key: received "photo", expected a key of its own (layers[0] has the same)',
    ],
  );
});

t.test('accepts names of inherited properties as keys', async (t) => {
  const hotspots = ['__proto__', 'constructor', 'toString'].map((key) => ({ ...title, key }));
  t.same(
    parse({ ...card, hotspots }).hotspots.map(({ key }) => key),
    ['__proto__', 'constructor', 'toString'],
  );
});

t.test('limits layers and nesting', async (t) => {
  t.same(pathsFor({ ...card, layers: [rule, rule], hotspots: [title] }), []);
  t.equal(detailsFor({ ...card, layers: [rule, rule], hotspots: [title] }, 2).length, 1);
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  t.match(detailsFor({ ...card, deep })[0].message, /more than 64 levels/);
});

t.test('throws only RenderErrors, for any value', async () => {
  const hotspot = fc.record({
    type: fc.constantFrom('text', 'image', 'qrcode', 'x'),
    key: fc.anything(),
    label: fc.anything(),
    x: fc.anything(),
  });
  const template = fc.record({
    name: fc.anything(),
    width: fc.anything(),
    layers: fc.anything(),
    hotspots: fc.array(fc.oneof(hotspot, fc.anything())),
  });
  fc.assert(
    fc.property(fc.oneof(fc.anything(), template), (value) => {
      try {
        return parse(value).name !== '';
      } catch (error) {
        return error instanceof RenderError && error.code === 'invalid_request' && error.details.length > 0;
      }
    }),
  );
});

// The sizes of a template: other canvases, each with overrides of layers.
import t from 'tap';
import { checkTemplate, parseTemplate } from '../../lib/contract/template/parse.js';
import { listAssetIds } from '../../lib/contract/template/record-layers.js';
import { plainVariables } from '../../lib/contract/template/record-strings.js';
import { RenderError } from '../../lib/errors.js';
import { validate } from '../../lib/index.js';
import { lintTemplate } from '../../lib/templates/lint.js';
import { resolveTemplate } from '../../lib/templates/resolve.js';
import { render } from '../any-payload.js';

const limits = { maxLayers: 500 };
const box = { x: 0, y: 0, width: 40, height: 20 };
const bar = { id: 'bar', type: 'shape', shapeType: 'rectangle', ...box, fillColor: '#000' };
const inner = { id: 'inner', type: 'text', ...box, text: 'Inner', maxLines: 1 };
const group = { id: 'box', type: 'group', ...box, layers: [inner] };
const title = { key: 'title', label: 'Title', type: 'text', ...box, text: 'Title', maxLines: 1 };
const card = { name: 'Card', width: 80, height: 40, layers: [bar, group], hotspots: [title] };
const withSizes = (sizes: unknown, more: object = {}) => ({ ...card, ...more, sizes });

const scene = (record: unknown, size?: string, variables: object = {}) =>
  resolveTemplate(record, { ...limits, size, variables, checkUrl: () => {} });

function issuesOf(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof RenderError && error.code === 'invalid_request') {
      return error.details.map(({ path, message }) => `${path}: ${message}`);
    }
    throw error;
  }
  return [];
}

t.test('a size has a canvas, a background and layers of its own', async (t) => {
  const record = withSizes(
    {
      story: {
        width: 40,
        height: 80,
        background: { color: 'red' },
        layers: { title: { y: 50, fontSize: 8 }, bar: { height: 80 }, inner: { text: 'Story', color: 'red' } },
      },
      twice: { width: 80, height: 40, scale: 2 },
      plain: {
        width: 8,
        height: 8,
        background: { url: null },
        layers: { title: { text: null }, bar: { visible: false } },
      },
    },
    { scale: 0.5, background: { url: 'https://example.com/a.png', color: '#123' } },
  );
  t.match(scene(record), {
    canvas: { width: 80, height: 40, scale: 0.5 },
    layers: [{}, { height: 20 }, { layers: [{ text: 'Inner' }] }, { y: 0, fontSize: 16, text: 'Title' }],
  });
  t.match(scene(record, 'story'), {
    canvas: { width: 40, height: 80, scale: 0.5, backgroundColor: { r: 255, g: 0, b: 0 } },
    layers: [
      { url: 'https://example.com/a.png', width: 40, height: 80 },
      { height: 80, fillColor: { r: 0 } },
      { layers: [{ text: 'Story', color: { r: 255 }, x: 0 }] },
      { y: 50, fontSize: 8, text: 'Title' },
    ],
    warnings: [],
  });
  t.equal(scene(record, 'twice').canvas.scale, 2);
  const { layers } = scene(record, 'plain');
  t.match(layers, [{ visible: false }, { type: 'group' }]);
  t.equal(layers.length, 2, 'neither background nor a title without a text');
});

t.test('variables fill every size', async (t) => {
  const record = withSizes(
    { story: { width: 40, height: 80, layers: { title: { text: '{{city}}' }, inner: { text: 'in {{city}}' } } } },
    { placeholders: true, layers: [group, { ...inner, id: 'other', text: '{{name}}' }] },
  );
  const texts = (size: string | undefined, variables: object) =>
    scene(record, size, variables).layers.map((layer) => ('text' in layer ? layer.text : ''));
  t.same(texts(undefined, { name: 'A', city: 'B' }), ['', 'A', 'Title']);
  t.same(texts('story', { name: 'A', city: 'B' }), ['', 'A', 'B']);
  t.same(texts('story', { title: '{{city}}' }), ['', '', '{{city}}']);
  for (const size of [undefined, 'story']) {
    t.same(scene(record, size, { name: 'A', city: 'B' }).warnings, [], 'names of other sizes are known');
  }
  t.same(plainVariables(record, [title]), ['name', 'city']);
});

t.test('a name that no size has is an error of the request, which lists the sizes', async (t) => {
  const record = withSizes({ story: { width: 4, height: 8 }, square: { width: 4, height: 4 } });
  t.same(
    issuesOf(() => scene(record, 'stroy')),
    ['size: received "stroy", expected one of "story", "square" (did you mean "story"?)'],
  );
  t.same(
    issuesOf(() => scene(card, 'story')),
    ['size: received "story", expected none: the template has no sizes'],
  );
  for (const name of ['__proto__', 'constructor', '']) {
    t.match(
      issuesOf(() => scene(record, name)),
      [/^size: received .* expected one of/],
    );
  }
  const named = JSON.parse('{ "__proto__": { "width": 4, "height": 8 } }');
  t.equal(scene(withSizes(named), '__proto__').canvas.height, 8);
});

t.test('import reports every fault of every size with its path', async (t) => {
  const rows: [unknown, string[]][] = [
    ['large', ['sizes: received "large", expected an object']],
    [{ a: 5 }, ['sizes.a: received 5, expected an object with width and height']],
    [
      { a: { width: 0 } },
      [
        'sizes.a.width: received 0, expected a whole number from 1 to 8192',
        'sizes.a.height: received nothing, expected a whole number from 1 to 8192',
      ],
    ],
    [
      { a: { width: 8192, height: 1, scale: 2 } },
      ['sizes.a.scale: received 2, expected a scale at which no side is longer than 8192 pixels (here 16384 × 2)'],
    ],
    [{ a: { width: 8, height: 8, background: { color: 'rde' } } }, ['sizes.a.background.color:']],
    [
      { 'my size': { width: 8, height: 8, layers: { title: { x: 'left' } } } },
      ['sizes["my size"].layers.title.x: received "left", expected a number'],
    ],
    [
      { a: { width: 8, height: 8, layers: { titel: {} } } },
      ['sizes.a.layers.titel: names no layer of the template, by its key or its id; did you mean title?'],
    ],
    [
      { a: { width: 8, height: 8, layers: { title: 5 } } },
      ['sizes.a.layers.title: received 5, expected an object of layer fields'],
    ],
    [
      {
        a: {
          width: 8,
          height: 8,
          layers: { title: { key: 'b', label: 'c', type: 'text', id: 'd' }, box: { layers: [] } },
        },
      },
      [
        "sizes.a.layers.title.key: can't be overridden",
        "sizes.a.layers.title.label: can't be overridden",
        "sizes.a.layers.title.type: can't be overridden",
        "sizes.a.layers.title.id: can't be overridden",
        "sizes.a.layers.box.layers: can't be overridden; override each of its layers by its own key or id",
      ],
    ],
    [
      { a: { width: 8, height: 8, layers: { bar: { shapeType: 'path' }, inner: { opacity: 2 } } } },
      ['sizes.a.layers.bar.d:', 'sizes.a.layers.inner.opacity: received 2'],
    ],
    [{ '': { width: 8, height: 8 } }, ['sizes[""]: received "", expected a name of 1 to 200 characters']],
    [
      Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`s${i}`, { width: 8, height: 8 }])),
      ['sizes: received an object with s0, s1, s2 …, expected at most 50 sizes, not 51'],
    ],
  ];
  for (const [sizes, expected] of rows) {
    const found = issuesOf(() => checkTemplate(withSizes(sizes), limits));
    t.equal(found.length, expected.length, JSON.stringify(found));
    for (const [i, line] of found.entries()) t.ok(line.startsWith(expected[i]!), line);
  }
});

t.test('a layer is named once, and by an id of its own', async (t) => {
  const layers = [bar, { ...bar }, { ...title, id: 'name', key: 'name' }];
  const sizes = { a: { width: 8, height: 8, layers: { bar: { x: 1 }, title: { x: 1 }, t: { x: 2 } } } };
  t.same(
    issuesOf(() => checkTemplate({ ...withSizes(sizes), layers, hotspots: [{ ...title, id: 't' }] }, limits)),
    [
      'sizes.a.layers.bar: is the id of 2 layers: give each an id of its own',
      'sizes.a.layers.t: names the layer of sizes.a.layers.title again',
    ],
  );
  // a key comes before an id
  const record = {
    ...card,
    layers: [{ ...bar, id: 'title' }],
    sizes: { a: { width: 8, height: 8, layers: { title: { x: 3 } } } },
  };
  t.match(scene(record, 'a').layers, [{ x: 0 }, { x: 3 }]);
});

t.test('a fault of the template is reported once, and one of the sizes only where it is used', async (t) => {
  const sizes = { a: { width: 8, height: 8, layers: { title: { opacity: 5 } } } };
  t.same(
    issuesOf(() => checkTemplate(withSizes(sizes, { hotspots: [{ ...title, x: null }] }), limits)),
    [
      'hotspots[0].x: received null, expected a number from -1000000 to 1000000',
      'sizes.a.layers.title.opacity: received 5, expected a number from 0 to 1 (write 0.05)',
    ],
  );
  t.ok(scene(withSizes(sizes)));
  t.same(
    issuesOf(() => scene(withSizes(sizes), 'a')),
    ['sizes.a.layers.title.opacity: received 5, expected a number from 0 to 1 (write 0.05)'],
  );
});

t.test('overrides are bounded', async (t) => {
  const layers = Array.from({ length: 100 }, (_, i) => ({ ...bar, id: `bar${i}` }));
  const overrides = Object.fromEntries(layers.map(({ id }) => [id, { x: 1 }]));
  const sizes = Object.fromEntries(
    Array.from({ length: 21 }, (_, i) => [`s${i}`, { width: 8, height: 8, layers: overrides }]),
  );
  t.same(
    issuesOf(() => checkTemplate({ ...card, layers, sizes }, limits)),
    ['sizes: override 2100 layers, expected at most 2000'],
  );
  t.ok(checkTemplate({ ...card, layers, sizes: { ...sizes, s20: { width: 8, height: 8 } } }, limits));
});

t.test('validate and lint look at every size', async (t) => {
  const record = withSizes({
    small: {
      width: 20,
      height: 20,
      layers: { inner: { fontFamily: 'Nope', colour: 'red' }, title: { x: 30, width: 5 } },
    },
  });
  t.same(
    validate(record).warnings.map(({ path }) => path),
    ['sizes.small.layers.inner.colour', 'sizes.small.layers.title', 'sizes.small.layers.inner.fontFamily'],
  );
  t.same(validate(withSizes({ a: { width: 8, height: 8, heigth: 4 } })).warnings, [
    {
      code: 'unknown_field',
      path: 'sizes.a.heigth',
      message: 'is no known field and is ignored; did you mean height?',
      value: 4,
      suggestion: 'height',
    },
  ]);
  const image = { id: 'photo', type: 'image', ...box, url: 'https://example.com/a.png' };
  const wrong = {
    ...withSizes({ a: { width: 80, height: 40, layers: { photo: { url: 'gopher://x' } } } }),
    layers: [image],
  };
  t.same(
    validate(wrong).details.map(({ path }) => path),
    ['sizes.a.layers.photo.url'],
  );
  const cover = withSizes(
    { a: { width: 80, height: 40, layers: { lid: { visible: true } } } },
    {
      layers: [bar, { ...bar, id: 'lid', visible: false }],
      hotspots: [{ ...title, x: 40 }],
    },
  );
  t.same(lintTemplate(cover), [
    { path: 'sizes.a', message: 'layers[0]: is hidden: layers[1] is opaque and covers it' },
  ]);
});

t.test('assets in sizes belong to the template', async (t) => {
  const sizes = {
    a: {
      width: 8,
      height: 8,
      background: { url: 'asset:asset_1' },
      layers: { title: { customFontUrl: 'asset:asset_2' } },
    },
  };
  t.same(listAssetIds(withSizes(sizes)), ['asset_1', 'asset_2']);
});

t.test('the library renders a size', async (t) => {
  const record = withSizes({ story: { width: 20, height: 44 } });
  t.match(await render(record, { size: 'story' }), { width: 20, height: 44 });
  t.match(await render(record, {}), { width: 80, height: 40 });
  await t.rejects(render(record, { size: 'x' }), { message: /^size: received "x", expected one of "story"/ });
  await t.rejects(render(record, { size: 5 as unknown as string }), {
    message: /^size: received 5, expected the name/,
  });
  const canvas = { canvas: { width: 8, height: 8 }, layers: [] };
  t.match((await render(canvas, { size: 'story' })).warnings, [{ path: 'size', message: /is ignored/ }]);
  t.match(validate(record, { size: 'x' }), { valid: false, details: [{ path: 'size' }] });
  t.equal(parseTemplate(record, { ...limits, size: 'story' }).height, 44);
});

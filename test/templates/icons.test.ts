// Icons of payloads and templates: the shapes that they become, names that are unknown, and what expressions and variables give.
import t from 'tap';
import { IconSet } from '../../lib/icons/icon-set.js';
import { inspect, render, validate } from '../../lib/index.js';
import { expand } from '../../lib/templates/expand.js';
import { resolve } from '../../lib/templates/resolve.js';

const canvas = { width: 100, height: 100 };
const box = { x: 10, y: 20, width: 48, height: 48 };
const icon = (name: string, fields: object = {}) => ({ type: 'icon', icon: name, ...box, ...fields });
const payload = (...layers: object[]) => ({ canvas, layers });
type Layers = readonly Readonly<Record<string, unknown>>[];
const layersOf = (source: unknown, options: object = {}) =>
  expand(source, { maxLayers: 50, ...options }).payload.layers as Layers;
const CHECK = {
  type: 'shape',
  shapeType: 'path',
  d: 'M20 6L9 17l-5-5',
  viewBox: [0, 0, 24, 24],
  ...box,
  border: { color: '#000000', width: 4, cap: 'round', join: 'round' },
};
const options = { maxLayers: 50, checkUrl() {} };
const details = (source: unknown, more: object = {}) => {
  try {
    resolve(source, { ...options, ...more });
    return [];
  } catch (error) {
    return (error as { details: { path: string; message: string }[] }).details.map(
      ({ path, message }) => `${path}: ${message}`,
    );
  }
};

t.test('an icon of one path is that shape, with the fields of the layer', async (t) => {
  t.same(layersOf(payload(icon('lucide:check'))), [CHECK]);
  const fields = { id: 'a', rotation: 15, opacity: 0.5, alt: 'done', shadow: { blur: 2 } };
  const colored = icon('lucide:check', { ...fields, color: 'red', strokeWidth: 1 });
  t.same(layersOf(payload(colored)), [{ ...CHECK, ...fields, border: { ...CHECK.border, color: 'red', width: 2 } }]);
  t.same(layersOf(payload(icon('lucide:check', { width: 96 })))[0].border, CHECK.border, 'the shorter side counts');
  const [plain, drawn] = await Promise.all(
    [payload(CHECK), payload(icon('lucide:check'))].map((each) => render(each as never)),
  );
  t.same(plain.bytes, drawn.bytes);
});

t.test('an icon of several paths is a group', async (t) => {
  const [group] = layersOf(payload(icon('lucide:palette', { color: 'red', opacity: 0.5 })));
  t.match(group, { type: 'group', ...box, opacity: 0.5, color: undefined });
  const [outline, dot] = group.layers as Layers;
  t.match(outline, { shapeType: 'path', x: 0, y: 0, width: 48, height: 48, border: { color: 'red', width: 4 } });
  t.match(dot, { fillColor: 'red', opacity: undefined });
});

t.test('is 24 × 24 in a layout without a size, and square with one side', async (t) => {
  const row = (...layers: object[]) =>
    payload({ type: 'group', layout: 'row', x: 0, y: 0, width: 90, height: 90, layers });
  const name = { type: 'icon', icon: 'lucide:check' };
  const [group] = layersOf(row(name, { ...name, width: 40 }, { ...name, width: 'auto', height: 30 }));
  const sizes = (group.layers as Layers).map(({ width, height }) => [width, height]);
  t.same(sizes, [
    [24, 24],
    [40, 40],
    [30, 30],
  ]);
  const { layers } = await inspect(row(name) as never);
  t.same(layers.find(({ type }) => type === 'shape')?.box, [0, 0, 24, 24]);
  t.match(details(row({ ...name, width: 'fill' })), [
    /layers\[0\].layers\[0\].width: received "fill", expected a number .* or "auto"$/,
  ]);
  t.match(details(row({ ...name, width: '50%' })), [/layers\[0\].layers\[0\].width: received "50%"/]);
  t.match(details(payload({ ...name, x: 0, y: 0 })), [/layers\[0\].width: received nothing/, /layers\[0\].height/]);
});

t.test('an unknown icon is an error with the three nearest, beside the errors of other layers', async (t) => {
  t.match(
    details(
      payload(icon('lucide:calender'), icon('lucide:check', { color: 'rd' }), icon('lucide:x', { strokeWidth: 25 })),
    ),
    [
      /^layers\[0\]\.icon: received "lucide:calender", expected the name of an icon; the nearest are lucide:calendar, lucide:\S+, lucide:\S+$/,
      /^layers\[1\]\.color: received "rd"/,
      /^layers\[2\]\.strokeWidth: received 25, expected a number from 0 to 24/,
    ],
  );
  t.match(details(payload(icon('calendar'))), [/the nearest are lucide:calendar, /], 'without a set');
  t.match(details(payload(icon('mdi:calendar'))), [/the nearest are lucide:calendar, /], 'of an unknown set');
  for (const name of [
    'lucide:__proto__',
    'lucide:constructor',
    'lucide:../../a',
    'lucide:a:b',
    ':',
    'lucide:',
    '__proto__:a',
    `lucide:${'a'.repeat(190)}`,
    'lucide:\u0000',
  ]) {
    t.match(details(payload(icon(name))), [/^layers\[0\]\.icon: received/], name);
  }
  t.match(details(payload(icon('a'.repeat(201)))), [/a string of 1 to 200 characters/]);
  t.match(details(payload({ type: 'icon', ...box })), [/layers\[0\]\.icon: received nothing/]);
  t.throws(() => layersOf(payload(icon('lucide:calender'))), {
    code: 'render_failed',
    details: [{ path: 'layers[0].icon' }],
  });
  t.match(validate(payload(icon('lucide:calender'))), {
    valid: false,
    details: [{ path: 'layers[0].icon', suggestion: 'lucide:calendar' }],
  });
  t.match(validate({ name: 'A', ...canvas, layers: [icon('lucide:calender')], hotspots: [] }), {
    details: [{ path: 'layers[0].icon' }],
  });
});

t.test('many unknown icons take little time', async (t) => {
  const began = performance.now();
  const many = { canvas, layers: Array.from({ length: 500 }, (_, i) => icon(`lucide:${'qxzj'.repeat(9)}${i}`)) };
  t.ok(details(many, { maxLayers: 500 }).length >= 20);
  t.ok(performance.now() - began < 3000);
});

t.test('names and colours come from expressions, tokens and variables', async (t) => {
  const shown = {
    canvas,
    data: { kind: 'check', none: null },
    tokens: { ink: 'teal' },
    layers: [
      icon('lucide:{{= kind }}', { color: 'var(--ink)' }),
      icon("{{= kind == 'x' ? 'lucide:x' : 'lucide:check' }}"),
      icon('{{= none }}'),
    ],
  };
  t.match(layersOf(shown), [{ d: CHECK.d, border: { color: 'teal' } }, { d: CHECK.d }]);
  t.equal(layersOf(shown).length, 2, 'a name that is null draws nothing');
  const template = {
    name: 'A',
    ...canvas,
    hotspots: [
      { key: 'mark', label: 'Mark', ...icon('lucide:x') },
      { key: 'more', label: 'More', type: 'icon', ...box },
    ],
  };
  const filled = (variables: object) => layersOf(template, { variables });
  t.match(filled({}), [{ shapeType: 'path', d: 'M18 6L6 18M6 6l12 12' }]);
  t.equal(filled({}).length, 1, 'a hotspot without a name draws nothing');
  t.match(filled({ mark: 'lucide:check', more: { icon: 'lucide:check', color: 'red' } }), [
    { d: CHECK.d },
    { d: CHECK.d, border: { color: 'red' } },
  ]);
  t.match(details(template, { variables: { mark: 'lucide:calender' } }), [
    /^variables\.mark: received "lucide:calender"/,
  ]);
  t.match(details(template, { variables: { mark: { icon: 'lucide:calender' } } }), [
    /^variables\.mark: icon: received/,
  ]);
});

t.test('sets of a renderer come before that of the package', async (t) => {
  const set = IconSet.read({
    prefix: 'duo',
    width: 12,
    height: 12,
    icons: {
      flag: { body: '<path fill="#ff0000" d="M0 0h1"/><path fill="currentColor" opacity=".5" d="M1 0h1"/>' },
      faint: { body: '<g opacity=".5"><path d="M0 0h1"/><path d="M1 0h1"/></g>' },
      empty: { body: '<g/>' },
      thin: { body: '<path fill="none" stroke="currentColor" stroke-width=".5" stroke-dasharray="1 2" d="M0 0h1"/>' },
    },
  });
  const icons = [set, IconSet.read({ prefix: 'lucide', icons: { own: { body: '<path d="M0 0h1"/>' } } })];
  const drawn = (name: string, fields: object = {}) => layersOf(payload(icon(name, fields)), { icons })[0];
  t.match(drawn('duo:flag', { color: 'blue' }).layers, [{ fillColor: '#ff0000' }, { fillColor: 'blue', opacity: 0.5 }]);
  t.match(drawn('duo:faint').layers, [{ type: 'group', opacity: 0.5, layers: [{ d: 'M0 0h1' }, { d: 'M1 0h1' }] }]);
  t.match(drawn('duo:empty'), { type: 'group', layers: [] });
  t.match(drawn('duo:thin').border, { width: 2, dash: [4, 8] });
  t.match(drawn('duo:thin', { strokeWidth: 3 }).border, { width: 6, dash: [4, 8] });
  t.match(drawn('lucide:own'), { fillColor: '#000000' });
  t.match(details(payload(icon('duo:flat')), { icons }), [/the nearest are duo:flag, duo:\w+, duo:\w+$/]);
  t.match(details(payload(icon('lucide:check')), { icons }), [/the nearest are lucide:own$/]);
});

t.test('the layers of icons are bounded', async (t) => {
  const body = '<path d="M0 0h1"/>'.repeat(400);
  const icons = [IconSet.read({ prefix: 'a', icons: { a: { body } } })];
  const many = payload(...Array.from({ length: 13 }, () => icon('a:a')));
  t.match(details(many, { icons }), [
    /^layers\[12\]\.icon: the icons become more layers than expected: at most 5000 \(MAX_EXPANDED_LAYERS\)/,
  ]);
  t.same(details(payload(icon('a:a')), { icons }), []);
});

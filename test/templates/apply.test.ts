// Applying variables to a template: drawn layers, paths in messages, ignored variables.
import fc from 'fast-check';
import t from 'tap';
import type { TextLayer } from '../../lib/contract/layers/index.js';
import { parseLayers } from '../../lib/contract/layers/parse.js';
import { locateIssue } from '../../lib/contract/messages/origins.js';
import { parseTemplate } from '../../lib/contract/template/parse.js';
import { RenderError } from '../../lib/errors.js';
import { spansOf } from '../../lib/layers/text/spans.js';
import { applyTemplate } from '../../lib/templates/apply.js';

const box = { x: 0, y: 0, width: 10, height: 10 };
const title = { key: 'title', label: 'Main title', type: 'text', ...box, text: 'Hello', fontSize: 72 };
const photo = { key: 'photo', label: 'Photo', type: 'image', ...box };
const code = { key: 'code', label: 'Code', type: 'qrcode', ...box, data: 'https://example.com' };
const rule = { type: 'shape', ...box, shapeType: 'line' };
const card = { name: 'Card', width: 40, height: 20 };

function apply(variables: Record<string, unknown>, template: object = { hotspots: [title, photo, code] }) {
  const scene = applyTemplate(parseTemplate({ ...card, ...template }, { maxLayers: 500 }), variables, {
    maxLayers: 500,
  });
  return { ...scene, layers: scene.layers as Record<string, unknown>[] };
}

function errorOf(check: () => unknown): RenderError {
  try {
    check();
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** Summarises the drawing: the main value of every layer. */
const drawn = (...args: Parameters<typeof apply>) =>
  apply(...args).layers.map(({ text, url, data, shapeType }) => text ?? url ?? data ?? shapeType);
const warned = (...args: Parameters<typeof apply>) =>
  apply(...args).warnings.map(({ path, message }) => `${path}: ${message}`);

// fault: 71
t.test('a value replaces the main value, null hides the hotspot, an absent one keeps the default', async (t) => {
  const link = code.data;
  const rows: [Record<string, unknown>, unknown[]][] = [
    [{}, ['Hello', link]],
    [{ title: 'A' }, ['A', link]],
    [{ title: '' }, ['', link]],
    [{ title: 5, code: -0.5 }, ['5', '-0.5']],
    [{ title: false }, ['false', link]],
    [{ title: null }, [link]],
    [{ title: null, code: null }, []],
    [{ title: undefined }, ['Hello', link]],
    [{ photo: 'a.png' }, ['Hello', 'a.png', link]],
    [{ photo: null }, ['Hello', link]],
    [{ 'Main title': 'by label' }, ['by label', link]],
    [{ 'Main title': 'by label', title: 'by key' }, ['by key', link]],
    [{ 'Main title': 'by label', title: null }, [link]],
    [{ 'Main title': null }, [link]],
    [{ title: { text: 'B' } }, ['B', link]],
    [{ title: {} }, ['Hello', link]],
    [{ photo: { url: 'b.png', fit: 'fill' } }, ['Hello', 'b.png', link]],
    [{ photo: { fit: 'fill' } }, ['Hello', link]],
    [{ title: { text: null } }, [link]],
    [{ title: { text: undefined } }, ['Hello', link]],
    [{ title: '{{code}} {code} <%= code %>' }, ['{{code}} {code} <%= code %>', link]],
    [{ title: ['A'] }, [['A'], link]],
  ];
  for (const [variables, expected] of rows) t.same(drawn(variables), expected, JSON.stringify(variables));
});

t.test('an object overrides fields of the layer, all but key, label and type', async (t) => {
  const shadow = { blur: 4 };
  const hotspots = [{ ...title, shadow: { color: 'red', blur: 1 }, id: 'headline' }];
  const override = { fontSize: 20, shadow, id: 'x', key: 'photo', label: 'Photo', type: 'shape', color: null };
  t.strictSame(apply({ title: override }, { hotspots }).layers, [
    { type: 'text', ...box, text: 'Hello', fontSize: 20, shadow, id: 'x', color: null },
  ]);
});

t.test('draws background, layers and hotspots, in that order', async (t) => {
  const whole = { background: { url: 'bg.jpg', color: '#ff000080' }, layers: [rule], hotspots: [title] };
  const { canvas, layers } = apply({}, whole);
  t.strictSame(canvas, { width: 40, height: 20, scale: 1, backgroundColor: { r: 255, g: 0, b: 0, a: 128 / 255 } });
  t.strictSame(layers[0], { type: 'image', x: 0, y: 0, width: 40, height: 20, url: 'bg.jpg', alt: '' });
  t.same(drawn({}, whole), ['bg.jpg', 'line', 'Hello']);
  t.strictSame(apply({}, {}).canvas.backgroundColor, { r: 0, g: 0, b: 0, a: 0 });
  t.same(apply({}, {}).layers, []);
});

t.test('a hotspot in place keeps its place among the fixed layers', async (t) => {
  const text = (text: string) => ({ type: 'text', ...box, text });
  const layers = [text('below'), photo, text('above'), { ...code, label: undefined }, { ...rule, key: 'rule' }];
  const whole = { layers, hotspots: [title] };
  t.same(drawn({}, whole), ['below', 'above', code.data, 'line', 'Hello']);
  t.same(drawn({ photo: 'a.png', code: null }, whole), ['below', 'a.png', 'above', 'line', 'Hello']);
  t.same(drawn({ Photo: { url: 'b.png' }, rule: null }, whole), ['below', 'b.png', 'above', code.data, 'Hello']);
  t.same(warned({ photo: 'a.png', code: 'x', 'Main title': 'y', rule: {} }, whole), []);
  t.same(warned({ phto: 'a.png' }, whole), [
    'variables.phto: is no variable of this template and is ignored; did you mean photo?',
  ]);
  const { origins } = apply({ photo: 'a.png' }, whole);
  t.same(
    origins.map((origin) => locateIssue(origin, { code: 'invalid_url', field: 'url', message: 'm' }).path),
    [
      'layers[0].url',
      'variables.photo',
      'layers[2].url',
      'hotspots.code.url',
      'hotspots.rule.url',
      'hotspots.title.url',
    ],
  );
});

t.test('a shape takes an object or null', async (t) => {
  const whole = { layers: [{ ...rule, key: 'rule', id: 'r' }], hotspots: [{ ...rule, key: 'other', label: 'Other' }] };
  t.match(apply({ rule: { fillColor: 'red', key: 'x' }, Other: null }, whole).layers, [{ fillColor: 'red', id: 'r' }]);
  for (const value of ['red', 5, true, ['red']]) {
    const { layers, origins } = apply({ rule: value }, whole);
    const { details } = errorOf(() => parseLayers(layers, { origins }));
    t.match(details, [{ path: 'variables.rule', message: /^received .*, expected an object$/ }], String(value));
  }
});

t.test('a key sets one hotspot, a label all hotspots that have it', async (t) => {
  const crossed = { hotspots: [title, { ...title, key: 'Main title', label: 'title' }] };
  t.same(drawn({ title: 'A' }, crossed), ['A', 'Hello']);
  t.same(drawn({ 'Main title': 'B' }, crossed), ['Hello', 'B']);
  const shared = { hotspots: [title, { ...title, key: 'second' }] };
  t.same(drawn({ 'Main title': 'A' }, shared), ['A', 'A']);
  t.same(drawn({ 'Main title': 'A', second: 'B' }, shared), ['A', 'B']);
  t.same(warned({ 'Main title': 'A', second: 'B' }, shared), []);
});

t.test('warns about variables that set no hotspot', async (t) => {
  t.same(warned({ title: 'A', Photo: null, code: 1 }), []);
  t.same(warned({ titel: 1, other: 2 }), [
    'variables.titel: is no variable of this template and is ignored; did you mean title?',
    'variables.other: is no variable of this template and is ignored',
  ]);
  t.same(warned({ title: 'A', 'Main title': 'B' }), [
    'variables["Main title"]: is ignored: variables.title is given too',
  ]);
  t.same(warned({ photo: { fit: 'fill' } }), [
    'variables.photo: gives no url, and there is no default: nothing is drawn',
  ]);
  t.same(warned({ absent: undefined }), []);
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`name${i}`, i]));
  const named = warned(many);
  t.equal(named.length, 11);
  t.equal(named[10], 'variables: 99990 more are unknown and ignored');
});

t.test('warns about unknown fields of the layers that a variable brings', async (t) => {
  const list = { key: 'list', label: 'List', type: 'group', ...box, layers: [] };
  const dot = { type: 'shape', shapeType: 'circle', ...box };
  const listed = { hotspots: [list, title] };
  const inner = { type: 'group', ...box, layers: [{ ...dot, id: 'dot', text: 'x' }], space: 2 };
  t.same(warned({ list: { colour: 'red', layers: [dot, { ...dot, fillColour: 'red' }, inner, 5] } }, listed), [
    'variables.list: colour: is no known field and is ignored',
    'variables.list: layers[1].fillColour: is no known field and is ignored; did you mean fillColor?',
    'variables.list: layers[2].space: is no known field and is ignored; did you mean gap?',
    'variables.list: layers[2].layers[0].text: belongs to text layers; a shape layer ignores it',
  ]);
  t.same(warned({ title: { text: 'A', layers: [{ ...dot, fillColour: 'red' }] } }, listed), [
    'variables.title: layers: belongs to group layers; a text layer ignores it',
  ]);
  const { warnings } = apply({ list: { layers: [{ ...dot, id: 'dot', colour: 'red' }] } }, listed);
  t.equal(warnings[0].layerId, 'dot');
  const endless: { layers: unknown[] } = { layers: [] };
  for (let i = 0; i < 10; i++) endless.layers.push({ type: 'group', ...box, layers: endless.layers });
  t.same(warned({ list: endless }, listed), [], 'layers that hold themselves are too many');
});

t.test('paths of errors point to where the caller wrote the value', async (t) => {
  const whole = {
    background: { url: 'bg.jpg' },
    layers: [rule],
    hotspots: [title, { ...title, key: 'odd key' }, { ...title, key: 'third', label: 'Third' }],
  };
  const { origins } = apply({ title: 'A', Third: { fontSize: 1, shadow: { blur: 'x' } } }, whole);
  const rows: [number, string, string][] = [
    [0, 'url', 'background.url: m'],
    [1, 'border.width', 'layers[0].border.width: m'],
    [1, '', 'layers[0]: m'],
    [2, 'text', 'variables.title: m'],
    [2, 'fontFamily', 'hotspots.title.fontFamily: m'],
    [3, 'text', 'hotspots["odd key"].text: m'],
    [4, 'fontSize', 'variables.Third: fontSize: m'],
    [4, 'shadow.blur', 'variables.Third: shadow.blur: m'],
    [4, 'text', 'hotspots.third.text: m'],
  ];
  for (const [index, field, expected] of rows) {
    const { path, message } = locateIssue(origins[index], { code: 'invalid_value', field, message: 'm' });
    t.equal(`${path}: ${message}`, expected);
  }
});

t.test('reports the faults of all layers in one error, each with its path', async (t) => {
  const { layers, origins } = apply({
    title: ['A'],
    code: { margin: -1, id: 'qr' },
    photo: { width: 'wide', url: 'a' },
  });
  try {
    parseLayers(layers, { origins });
    t.fail('they were taken');
  } catch (error) {
    t.match(error, {
      code: 'render_failed',
      message: /^3 layers are malformed: variables\.title: received an array of 1, expected a string; and 2 more$/,
      details: [
        { path: 'variables.title', message: 'received an array of 1, expected a string' },
        { path: 'variables.photo', message: 'width: received "wide", expected a number from 0 to 1000000' },
        { path: 'variables.code', layerId: 'qr', message: /^margin: received -1, expected/ },
      ],
    });
  }
});

// fault: 5
t.test('accepts names of inherited properties as variable names', async (t) => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const hotspots = names.map((key) => ({ ...title, key, label: `L ${key}` }));
  t.same(
    drawn({}, { hotspots }),
    names.map(() => 'Hello'),
  );
  const parsed = JSON.parse('{"__proto__": "A", "constructor": "B", "toString": null, "L hasOwnProperty": "D"}');
  t.same(drawn(parsed, { hotspots }), ['A', 'B', 'D']);
  t.same(warned(JSON.parse('{"__proto__": {"polluted": 1}}')), [
    'variables.__proto__: is no variable of this template and is ignored',
  ]);
  const [layer] = apply(JSON.parse('{"title": {"__proto__": {"opacity": 0}, "fontSize": 9}}')).layers;
  t.equal(layer.opacity, undefined);
  t.equal(layer.fontSize, 9);
  t.equal(({} as Record<string, unknown>).polluted, undefined);
});

// fault: 71
t.test(
  'whatever the variables are, nothing is thrown, nothing of theirs is changed, and each hotspot is drawn once at most',
  async () => {
    const name = fc.oneof(fc.constantFrom('title', 'Main title', 'photo', 'Photo', 'code', '__proto__'), fc.string());
    const value = fc.oneof(fc.anything(), fc.record({ text: fc.anything(), url: fc.anything(), type: fc.anything() }));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
        const variables = Object.fromEntries(pairs);
        const entries = Object.entries(variables);
        const { layers, origins, warnings } = apply(variables);
        const types = layers.map(({ type }) => type);
        return (
          types.length <= 3 &&
          types.every((type, i) => type === ['text', 'image', 'qrcode'].filter((each) => types.includes(each))[i]) &&
          origins.length === layers.length &&
          origins.every(
            (origin) => locateIssue(origin, { code: 'invalid_value', field: 'x', message: 'm' }).path !== '',
          ) &&
          warnings.every(({ path }) => path.startsWith('variables')) &&
          Object.entries(variables).every(([key, kept], i) => key === entries[i][0] && Object.is(kept, entries[i][1]))
        );
      }),
    );
  },
);

t.test("a variable's text stands in place of a hotspot's spans, and its spans in place of the text", (t) => {
  const rich = { ...title, text: undefined, spans: [{ text: 'Hello ' }, { text: 'you', fontWeight: 'bold' }] };
  const layerOf = (variables: Record<string, unknown>) => apply(variables, { hotspots: [rich] }).layers[0];
  t.same(layerOf({}).spans, rich.spans);
  t.match(layerOf({ title: 'Bye' }), { text: 'Bye', spans: undefined });
  t.match(layerOf({ title: { text: 'Bye', fontSize: 9 } }), { text: 'Bye', spans: undefined, fontSize: 9 });
  t.same(layerOf({ title: { fontSize: 9 } }).spans, rich.spans);
  t.same(apply({ title: { spans: [{ text: 'x' }] } }, { hotspots: [title] }).layers[0].spans, [{ text: 'x' }]);
  t.same(apply({ title: null }, { hotspots: [rich] }).layers, []);
  t.end();
});

t.test("a variable's text is markup where its hotspot asks for it, and nowhere else", (t) => {
  const marked = { ...title, markup: true, markupStyles: { strong: { color: '#ff0000' } } };
  const spansIn = (hotspot: object) =>
    parseLayers(apply({ title: 'a **b**' }, { hotspots: [hotspot] }).layers).map((layer) =>
      spansOf(layer as TextLayer),
    );
  t.match(spansIn(marked), [[{ text: 'a ' }, { text: 'b', color: { r: 255 } }]]);
  t.match(spansIn(title), [[{ text: 'a **b**' }]]);
  t.end();
});

// Payloads with data become plain payloads.
import t from 'tap';
import { RenderError } from '../../lib/errors.js';
import * as room from '../../lib/templates/data/data.js';
import { setDataRoom } from '../../lib/templates/data/data-room.js';
import { expand } from '../../lib/templates/expand.js';

setDataRoom(room);

const canvas = { width: 100, height: 100 };
const box = { x: 0, y: 0, width: 10, height: 10 };
const shape = { type: 'shape', shapeType: 'rectangle', fillColor: 'red', ...box };

function layersOf(payload: object, options = {}): readonly unknown[] {
  return expand({ canvas, ...payload }, { maxLayers: 500, ...options }).payload.layers as unknown[];
}

function faultsOf(payload: object, options = {}): string[] {
  try {
    layersOf(payload, options);
    return [];
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return error.details.map(({ path, message }) => `${path}: ${message}`);
  }
}

t.test('draws a layer for each entry, with ids of their own', async (t) => {
  const layer = { ...shape, id: 'bar', x: '{{= 10 * i }}', width: '{{= item }}', each: '{{= list }}' };
  t.same(layersOf({ data: { list: [3, 4] }, layers: [layer] }), [
    { ...shape, id: 'bar[0]', x: 0, width: 3 },
    { ...shape, id: 'bar[1]', x: 10, width: 4 },
  ]);
  t.same(layersOf({ data: { list: [] }, layers: [{ ...layer, else: [shape] }] }), [shape]);
  const cut = expand(
    { canvas, data: { list: [1, 2] }, layers: [{ ...layer, each: { in: '{{= list }}', max: 1 } }] },
    { maxLayers: 500 },
  );
  t.match(cut.warnings, [{ code: 'list_cut', path: 'layers[0].each.in' }]);
});

t.test('does not evaluate what is hidden', async (t) => {
  t.same(layersOf({ data: {}, layers: [{ ...shape, width: '{{= 1 / 0 }}', visible: '{{= false }}' }] }), []);
});

t.test('values are not searched again', async (t) => {
  const data = { text: '{{= 1 }} var(--a) {{text}}' };
  const layers = [{ type: 'text', text: '{{= text }}', ...box }];
  t.same(layersOf({ data, tokens: { a: 'red' }, layers }), [{ type: 'text', text: data.text, ...box }]);
});

t.test('faults have the path of the copy', async (t) => {
  const layers = [{ ...shape, width: '{{= item.w * 2 }}', each: '{{= list }}' }];
  const [fault] = faultsOf({ data: { list: [{ w: 1 }, {}] }, layers });
  t.match(fault, /^layers\[0\]\.each\[1\]\.width: in \{\{= item\.w \* 2 \}\}, column 12: .*default\(/);
});

t.test('tokens of a request win over the theme, and that over the payload', async (t) => {
  const payload = {
    tokens: { a: 'red', b: 'red', c: 'red' },
    themes: { dark: { b: 'blue', c: 'blue' } },
    layers: ['a', 'b', 'c'].map((name) => ({ ...shape, fillColor: `var(--${name})` })),
  };
  const colors = layersOf(payload, { theme: 'dark', tokens: { c: 'lime' } }) as { fillColor: string }[];
  t.same(
    colors.map(({ fillColor }) => fillColor),
    ['red', 'blue', 'lime'],
  );
  t.match(faultsOf(payload, { theme: 'drak' }), [/^theme: .*dark/]);
});

t.test('a payload without data keeps expressions as text, and its control fields are errors', async (t) => {
  const layers = [{ type: 'text', text: '{{= 1 }}', ...box }];
  t.same(layersOf({ layers }), layers);
});

t.test('a document numbers its pages where a payload with data has placeholders', (t) => {
  const texts = (numbersPages: boolean) => {
    const footer = { type: 'text', ...box, text: '{{page}}/{{pages}} {{name}} {{= name }}' };
    return layersOf({ data: { name: 'A' }, layers: [footer] }, { numbersPages }).map(
      (layer) => (layer as typeof footer).text,
    );
  };
  t.same(texts(true), ['{{page}}/{{pages}} A A']);
  t.same(texts(false), ['/ A A']);
  t.end();
});

t.test('links, bookmarks and the text of pictures take values', (t) => {
  const layer = {
    ...shape,
    href: 'https://a.example/{{= id }}',
    bookmark: { title: 'Order {{= id }}' },
    alt: '{{= id }}',
  };
  t.match(layersOf({ data: { id: 'é 1' }, layers: [layer] }), [
    { href: 'https://a.example/%C3%A9%201', bookmark: { title: 'Order é 1' }, alt: 'é 1' },
  ]);
  t.end();
});

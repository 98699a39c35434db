// Element trees to payloads: components, defaults, flexbox, paragraphs, positions and warnings.
import t from 'tap';
import { render, validate } from '../../lib/index.js';
import { type Defaults, fromJsx, type JsxNode } from '../../lib/jsx/index.js';

type Props = Readonly<Record<string, unknown>>;
const h = (type: unknown, props: Props = {}, ...children: unknown[]) =>
  ({ type, props: { ...props, children: children.length === 1 ? children[0] : children } }) as JsxNode;
const SIZE = { width: 400, height: 200 };
const layersOf = async (element: JsxNode, defaults: Defaults = 'css') => {
  const { payload } = await fromJsx(element, { ...SIZE, defaults });
  return payload.layers as readonly Record<string, unknown>[];
};

t.test('a text in a box is one layer', async (t) => {
  const [layer, ...others] = await layersOf(
    h('div', { style: { padding: '10px 20px', color: 'navy', fontSize: 40, backgroundColor: '#eee' } }, 'Hello'),
  );
  t.same(others, []);
  t.same(layer, {
    type: 'text',
    x: 0,
    y: 0,
    width: 400,
    height: 'auto',
    text: 'Hello',
    fontSize: 40,
    color: 'navy',
    lineHeight: 'normal',
    padding: [10, 20],
    backgroundColor: '#eee',
  });
});

t.test('calls components, waits for async ones, and opens fragments', async (t) => {
  const Name = async ({ name }: { name: string }) => h('b', {}, name);
  const Card = ({ children }: { children: unknown }) => h('p', { style: { margin: 0 } }, children);
  const element = h(
    Card,
    {},
    h(Symbol.for('react.fragment'), {}, 'Hi ', h(Name, { name: 'Ann' }), false, null, [1, 2]),
  );
  const [layer] = await layersOf(element);
  t.same(layer.spans, [{ text: 'Hi ' }, { text: 'Ann', fontWeight: 700 }, { text: '12' }]);
});

t.test('class components, hooks and foreign values fail with one line', async (t) => {
  class Old {
    render() {}
  }
  const Hook = () => (null as unknown as { useState(): void }).useState();
  await t.rejects(fromJsx(h(Old)), { code: 'render_failed', message: /^Old: class components are not supported/ });
  await t.rejects(fromJsx(h(Hook)), { message: /^Hook: hooks are not supported \(useState\)/ });
  await t.rejects(fromJsx(h('div', {}, { a: 1 })), { message: /received an object with a/ });
  let deep: JsxNode = 'x';
  for (let i = 0; i < 300; i++) deep = h('div', {}, deep);
  await t.rejects(fromJsx(deep), { message: /more than 256 levels/ });
  await t.rejects(fromJsx(Array.from({ length: 10_001 }, () => 'x')), { message: /more than 10000 nodes/ });
});

t.test('the sets of defaults differ in display, box-sizing and position', async (t) => {
  const element = h('div', { style: { width: 100, padding: 10, marginTop: 5 } }, h('div', {}, 'a'), h('div', {}, 'b'));
  const fields = async (defaults: Defaults) => {
    const [{ layout, width }] = await layersOf(element, defaults);
    return [layout, width];
  };
  t.same(await fields('css'), ['row', 120]);
  t.same(await fields('satori'), ['block', 120]);
  t.same(await fields('satori-flex'), ['row', 100]);
});

t.test('flex containers are groups with a layout', async (t) => {
  const style = {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: 8,
  };
  const [group] = await layersOf(
    h(
      'div',
      { style: { ...style, width: '100%', height: '50%', border: '2px solid red' } },
      h('div', { style: { flex: 1 } }, 'one'),
      h('div', { style: { width: 50, marginTop: 'auto' } }, 'two'),
    ),
  );
  t.match(group, { layout: 'column', alignItems: 'center', justifyContent: 'space-between', gap: 8, padding: 2 });
  t.match(group, { width: 404, height: 104, border: { width: 2, color: 'red' } });
  const [one, two] = group.layers as Record<string, unknown>[];
  t.match(one, { height: 'fill', width: 'auto' });
  t.match(two, { width: 50, margin: ['auto', 0, 0] });
});

t.test('a paragraph keeps nested styles and collapses white space', async (t) => {
  const [layer] = await layersOf(
    h('div', {}, '  One  \n', h('span', { style: { color: 'red' } }, ' two '), h('br'), ' three', h('sup', {}, '4')),
  );
  t.same(layer.spans, [
    { text: 'One ' },
    { text: 'two\n', color: 'red' },
    { text: 'three' },
    { text: '4', fontSize: 13.3333, baselineShift: 'super' },
  ]);
});

t.test('blocks are below each other, and their margins collapse', async (t) => {
  const [root] = await layersOf(
    h(
      'div',
      { style: { display: 'block', padding: 10, width: 200 } },
      h('p', {}, 'one'),
      h('p', { style: { width: 'fit-content' } }, 'two'),
      h('div', { style: { width: 50, height: 20, margin: '0 auto' } }),
      'loose text',
    ),
  );
  t.match(root, { layout: 'block', width: 220, padding: 10 });
  t.match(root.layers, [
    { type: 'text', text: 'one', margin: [16, 0] },
    { type: 'text', text: 'two', margin: [16, 0], alignSelf: 'start' },
    { type: 'group', width: 50, height: 20, margin: [0, 'auto'] },
    { type: 'text', text: 'loose text' },
  ]);
});

t.test('margins of the first child move a root without padding', async (t) => {
  const [body] = await layersOf(h('div', { style: { display: 'block' } }, h('p', {}, 'one'), h('p', {}, 'two')));
  t.match(body, {
    layout: 'block',
    layers: [{ layout: 'block', layers: [{ text: 'one' }, { text: 'two' }] }],
  });
});

t.test('inline elements have boxes, from the outermost, and heights', async (t) => {
  const style = { backgroundColor: '#eee', padding: '2px 6px', borderRadius: 4 };
  const inner = h('b', { style: { backgroundColor: '#fff' } }, 'in');
  const [layer] = await layersOf(
    h('p', { style: { margin: 0 } }, 'a ', h('span', { style }, inner, ' out'), h('sup', {}, 'x', h('sup', {}, 'y'))),
  );
  t.match(layer.spans, [
    { text: 'a ' },
    { text: '', ...style, padding: [2, 6] },
    { text: 'in', fontWeight: 700, backgroundColor: '#fff', continues: 1 },
    { text: ' out', continues: 1 },
    { text: 'x', baselineShift: 'super' },
    { text: 'y' },
  ]);
  const [, , , , , last] = layer.spans as { baselineShift: number }[];
  t.equal(last.baselineShift.toFixed(3), (16 / 3 + 1 + 16 / 1.2 / 3 + 1).toFixed(3), 'of two heights together');
});

t.test('a picture among text is in a line of its own, with the blanks beside it', async (t) => {
  const img = h('img', { src: 'https://a.example/a.png', width: 20, height: 20 });
  const [layer] = await layersOf(
    h('div', { style: { display: 'block', padding: 4 } }, 'one', h('br', {}), img, ' two'),
  );
  t.match(layer, {
    layout: 'block',
    layers: [
      { type: 'text', text: 'one' },
      { layout: 'row', wrapItems: true },
    ],
  });
  const [, line] = layer.layers as { layers: { text?: string }[] }[];
  t.match(line.layers, [{ type: 'image' }, { type: 'text', text: '\u00a0two' }]);
});

t.test('names of grid lines and areas become numbers', async (t) => {
  const item = (style: object) => h('div', { style }, 'a');
  const [root] = await layersOf(
    h(
      'div',
      {
        style: {
          display: 'grid',
          width: 300,
          gridTemplate: '"head head" 40px "side main" 1fr / [full-start] 80px repeat(1, [main-start] 1fr) [full-end]',
          gap: '4px 8px',
        },
      },
      item({ gridArea: 'head' }),
      item({ gridArea: 'side', justifySelf: 'end' }),
      item({ gridColumn: 'main', gridRow: 2 }),
      item({ gridColumn: 'full', gridRowStart: 'span 2' }),
      item({ gridColumn: '1 / span 2' }),
      h('img', { src: 'https://a.example/a.png', style: { gridRow: '-1 / 4' } }),
    ),
  );
  t.match(root, {
    layout: 'grid',
    gap: [4, 8],
    gridTemplateColumns: '80px 1fr',
    gridTemplateRows: '40px 1fr',
    alignItems: 'stretch',
    justifyItems: 'stretch',
  });
  t.match(root.layers, [
    { gridColumn: '1 / 3', gridRow: '1 / 2' },
    { gridColumn: '1 / 2', gridRow: '2 / 3', justifySelf: 'end' },
    { gridColumn: '2 / 3', gridRow: 2 },
    { gridColumn: '1 / 3', gridRow: 'span 2' },
    { gridColumn: '1 / span 2' },
    { type: 'image', gridRow: '-1 / 4', justifySelf: 'start', alignSelf: 'start' },
  ]);
});

t.test('positions, z-index and order', async (t) => {
  const [root] = await layersOf(
    h(
      'div',
      { style: { display: 'flex', position: 'relative', border: '4px solid', width: 100, height: 50 } },
      h('div', { style: { position: 'relative', zIndex: 1, left: 5 } }, 'a'),
      h('div', {}, h('div', { style: { position: 'absolute', right: 0, top: '50%' } }, 'b')),
      h('div', { style: { order: -1 } }, 'c'),
    ),
  );
  const [border, ...layers] = root.layers as Record<string, unknown>[];
  t.match(border, { border: { width: 4 }, position: 'absolute', inset: 0 }, 'beneath what may leave its place');
  t.same(
    layers.map(({ text, order, inset }) => [text, order, inset]),
    [
      ['c', 0, undefined],
      [undefined, 2, undefined],
      ['b', undefined, ['50%', 4, 'auto', 'auto']],
      ['a', 1, ['auto', 'auto', 'auto', 5]],
    ],
  );
});

t.test('warns once about what is not supported, with its place', async (t) => {
  const element = h(
    'div',
    { className: 'card' },
    h('p', { style: { float: 'left' } }, 'a'),
    h('p', { style: { float: 'right', display: 'ruby' } }, 'b'),
  );
  const { warnings } = await fromJsx(element);
  t.same(
    warnings.map(({ path, message }) => `${path}: ${message}`),
    ['div.card > p:nth-child(1): float is not supported', 'div.card > p:nth-child(2): display: ruby is not supported'],
  );
  await t.rejects(fromJsx(element, { strict: true }), { message: 'div.card > p:nth-child(1): float is not supported' });
});

t.test('units, calc() and variables', async (t) => {
  const style = {
    '--gap': '2em',
    fontSize: '2rem',
    width: 'calc(50% - 10px)',
    padding: 'var(--gap)',
    lineHeight: '150%',
  };
  const [root] = await layersOf(h('div', { style: { display: 'flex', height: '10vh' } }, h('div', { style }, 'x')));
  t.equal(root.height, 20);
  t.match((root.layers as object[])[0], { fontSize: 32, width: 'calc(50% + 118px)', padding: 64, lineHeight: '48px' });
});

t.test('payloads are valid, plain, and the same every time', async (t) => {
  const element = h('div', { style: { display: 'flex', height: '100%' } }, h('span', {}, 'a'), h('b', {}, 'b'));
  const { payload } = await fromJsx(element, SIZE);
  t.same(validate(payload).details, []);
  t.equal(JSON.stringify(payload), JSON.stringify((await fromJsx(element, SIZE)).payload));
  const { width, height } = await render(JSON.parse(JSON.stringify(payload)));
  t.same([width, height], [400, 200]);
});

t.test('checks its options', async (t) => {
  await t.rejects(fromJsx('a', { width: 0 }), { message: 'width: received 0, expected a whole number from 1 to 8192' });
  await t.rejects(fromJsx('a', { colour: 1 } as object), { message: 'colour is no known option' });
});

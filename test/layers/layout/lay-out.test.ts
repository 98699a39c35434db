// The layout of scenes: the boxes of layers in groups with a layout, and of those with fixed sizes.
import fc from 'fast-check';
import t from 'tap';
import type { GroupLayer, Layer } from '../../../lib/contract/layers/index.js';
import { parseLayers } from '../../../lib/contract/layers/parse.js';
import { type LayoutReport, layOutLayer } from '../../../lib/layers/layout/lay-out.js';
import { needsLayout } from '../../../lib/layers/layout/needs-layout.js';
import { LayoutBudget } from '../../../lib/layout/flex/budget.js';
import type { Content, Replaced } from '../../../lib/layout/flex/node.js';
import { createRenderer } from '../../any-payload.js';
import { measure } from './measured.js';

const CANVAS = { width: 200, height: 100 };
const shape = (fields: object) => ({ type: 'shape', shapeType: 'rectangle', ...fields });
const group = (fields: object, ...layers: object[]) => ({ type: 'group', x: 0, y: 0, layers, ...fields });

function layOut(raw: object): { layer: Layer; reported: string[] } {
  const [layer] = parseLayers([raw]);
  const measured = new Map<Layer, Content | Replaced>();
  measure(layer, measured);
  const reported: string[] = [];
  const report = (path: string): LayoutReport => ({
    warn: ({ field, message }) => void reported.push(`${path}${field}: ${message}`),
    fail: (field, error) => void reported.push(`${path}${field}! ${error.message}`),
    of: (_, index) => report(`${path}layers[${index}].`),
  });
  return { layer: layOutLayer(layer, CANVAS, { measured, budget: new LayoutBudget() }, report('')), reported };
}

const boxOf = ({ x, y, width, height }: Layer) => [x, y, width, height];
const inside = (layer: Layer) => (layer as GroupLayer).layers.map(boxOf);

t.test('leaves other layers alone', async (t) => {
  const layers = parseLayers([
    shape({ x: 1, y: 2, width: 3, height: 4 }),
    group({ width: 9, height: 9 }, shape({ x: 1, y: 2, width: 3, height: 4 })),
    { type: 'text', text: 'a', x: 0, y: 0, width: 'auto', height: 'auto', visible: false },
  ]);
  t.notOk(layers.some(needsLayout));
});

t.test('texts of automatic size wrap at the right edge of the canvas, or of the group that they are in', async (t) => {
  const text = { type: 'text', text: 'aaaa bbbb cccc', x: 100, y: 5, width: 'auto', height: 'auto' };
  t.same(boxOf(layOut(text).layer), [100, 5, 100, 40]);
  t.same(boxOf(layOut({ ...text, x: 10 }).layer), [10, 5, 120, 20]);
  t.same(inside(layOut(group({ width: 150, height: 90 }, text)).layer), [[100, 5, 50, 60]]);
});

t.test('hidden layers take no room', async (t) => {
  const raw = group(
    { layout: 'row', width: 'auto', height: 'auto', gap: 5 },
    shape({ width: 10, height: 10 }),
    shape({ width: 50, height: 50, visible: false }),
    shape({ width: 10, height: 10 }),
  );
  const { layer } = layOut(raw);
  t.same(boxOf(layer), [0, 0, 25, 10]);
  t.same(inside(layer)[2], [15, 0, 10, 10]);
});

t.test('lays out groups without a layout inside groups with one, and the other way round', async (t) => {
  const inner = group({ layout: 'column', x: 3, width: 'auto', height: 'auto' }, shape({ width: 10, height: 10 }));
  const plain = group({ x: undefined, y: undefined, width: 'fill', height: 40 }, inner);
  const { layer } = layOut(group({ layout: 'row', width: 100, height: 50, padding: 5 }, plain));
  const [middle] = (layer as GroupLayer).layers;
  t.same(boxOf(middle), [5, 5, 90, 40]);
  t.same(inside(middle), [[3, 0, 10, 10]]);
});

t.test("a code's margin is its quiet zone, and a QR code is square", async (t) => {
  const code = { type: 'qrcode', data: 'x', margin: 9, width: 'auto', height: 30 };
  t.same(inside(layOut(group({ layout: 'row', width: 100, height: 50 }, code)).layer), [[0, 0, 30, 30]]);
});

t.test('reports layers that overflow their group, and boxes beyond all bounds', async (t) => {
  const wide = shape({ width: 130, height: 70 });
  t.same(layOut(group({ layout: 'row', width: 100, height: 50 }, wide)).reported, [
    "layers: the layers overflow the group's box by 30 px to the right and by 20 px at the bottom",
  ]);
  t.same(
    layOut(group({ layout: 'row', width: 100, height: 50 }, { ...wide, x: 0, y: 0, position: 'absolute' })).reported,
    [],
  );
  const huge = group({ layout: 'row', width: 1e6, height: 1 }, shape({ width: '1000%', shrink: 0, height: 1 }));
  t.match(layOut(huge).reported.join(), /layers\[0\]\.width! layout gives a box of 10000000 × 1 pixels/);
});

t.test('reports the group whose layout takes too many steps, and no other', async (t) => {
  const level = { layout: 'column', wrapItems: true, width: 'auto', minHeight: '80%', grow: 2, padding: [1, 7, 2, 5] };
  const text = { type: 'text', text: 'aaaa bbbb cccc', width: 'auto', height: 'auto', aspectRatio: 1.3 };
  let tree: object = text;
  for (let depth = 0; depth < 15; depth++) {
    const own = depth % 2 === 0 ? { height: '50%', aspectRatio: 0.94 } : { height: '90%', aspectRatio: 0.67 };
    tree = { type: 'group', ...level, ...own, alignItems: 'stretch', layers: [tree, text] };
  }
  const root = { ...tree, x: 0, y: 0, height: 500 };
  const { reported } = layOut(
    group({ width: 100, height: 50 }, shape({ x: 0, y: 0, width: 9, height: 9 }), root, root),
  );
  t.match(reported.join(), /^layers\[1\]\.layers! the layout takes more than \d+ steps, expected[^!]*$/);
});

/** Layers of a group, at random, with text of any kind. */
const anyLayers = fc.letrec<{ layer: object }>((tie) => {
  const extent = fc.oneof(fc.constantFrom('auto', 'fill'), fc.integer({ min: 0, max: 90 }), fc.constant('40%'));
  const common = {
    width: extent,
    height: extent,
    grow: fc.option(fc.constantFrom(0.5, 2), { nil: undefined }),
    shrink: fc.option(fc.constantFrom(0, 1), { nil: undefined }),
    margin: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
    minWidth: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
    maxHeight: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
    alignSelf: fc.option(fc.constantFrom('end', 'stretch', 'baseline'), { nil: undefined }),
    visible: fc.option(fc.constant(false), { nil: undefined, freq: 8 }),
  };
  const words = fc.string({ unit: 'grapheme', maxLength: 30 });
  const span = fc.record({
    text: words,
    fontSize: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
    baselineShift: fc.option(fc.constantFrom('super', 'sub', 40), { nil: undefined }),
  });
  const text = fc.record({
    ...common,
    type: fc.constant('text'),
    text: words,
    spans: fc.option(fc.array(span, { minLength: 1, maxLength: 4 }), { nil: undefined }),
  });
  const floating = fc.record({
    type: fc.constant('shape'),
    shapeType: fc.constant('circle'),
    position: fc.constant('absolute'),
    x: fc.integer({ min: -90, max: 90 }),
    y: fc.integer({ min: -90, max: 90 }),
    width: fc.constantFrom(20, '50%'),
    height: fc.constantFrom(20, '50%'),
  });
  const box = fc.record({ ...common, type: fc.constant('shape'), shapeType: fc.constant('circle') });
  const inner = fc.record({
    ...common,
    type: fc.constant('group'),
    layout: fc.constantFrom('row', 'column'),
    gap: fc.integer({ min: 0, max: 9 }),
    justifyContent: fc.constantFrom('start', 'center', 'space-between', 'space-evenly'),
    layers: fc.array(tie('layer'), { maxLength: 4 }),
  });
  return { layer: fc.oneof({ depthSize: 'small', withCrossShrink: true }, text, box, floating, inner) };
}).layer;

function overlapping(layer: Layer): boolean {
  // what is hidden takes no room, and is not laid out
  if (layer.type !== 'group' || !layer.visible) return false;
  const { layers, layout } = layer;
  const inFlow = layers.filter(({ visible, isAbsolute }) => visible && !isAbsolute);
  const isOver = inFlow.some((next, i) => {
    if (i === 0) return false;
    const previous = inFlow[i - 1];
    return layout === 'row' ? next.x < previous.x + previous.width : next.y < previous.y + previous.height;
  });
  return isOver || layers.some(overlapping);
}

t.test('any tree of groups, with any text in any size, is laid out and drawn without overlap', async () => {
  const renderer = createRenderer();
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyLayers, { maxLength: 5 }),
      fc.constantFrom('row', 'column'),
      async (layers, layout) => {
        const raw = group({ layout, width: 150, height: 90 }, ...layers);
        if (overlapping(layOut(raw).layer)) return false;
        await renderer.render({ canvas: CANVAS, layers: [raw] });
        return true;
      },
    ),
    { numRuns: 60 },
  );
});

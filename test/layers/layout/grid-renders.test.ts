// Grids in whole renders: with data, in templates, in documents, and ones that are too large.
import fc from 'fast-check';
import t from 'tap';
import { RenderError } from '../../../lib/errors.js';
import { createRenderer } from '../../any-payload.js';

const renderer = createRenderer();
const cell = { type: 'shape', shapeType: 'rectangle', width: 'fill', height: 'fill', fillColor: '#336699' };
const grid = (fields: object, ...layers: object[]) => ({
  type: 'group',
  x: 0,
  y: 0,
  width: 120,
  height: 60,
  layout: 'grid',
  gridTemplateColumns: 'repeat(3, 1fr)',
  ...fields,
  layers,
});
const drawn = (...layers: object[]) => ({ canvas: { width: 120, height: 60 }, layers });

t.test('copies of a list follow each other in a grid', async (t) => {
  const each = { ...cell, each: '{{= cells }}', gridColumn: "{{= 'span ' + item }}" };
  const { layers } = await renderer.inspect({ ...drawn(grid({ gridAutoRows: 20 }, each)), data: { cells: [1, 2, 3] } });
  const copies = layers.filter(({ type }) => type === 'shape').map(({ box }) => box);
  t.same(copies, [
    [0, 0, 40, 20],
    [40, 0, 80, 20],
    [0, 20, 120, 20],
  ]);
});

t.test('hotspots of a template lie in cells', async (t) => {
  const template = {
    name: 'Tiles',
    width: 120,
    height: 60,
    layers: [
      grid(
        { gridTemplateRows: '1fr 1fr' },
        { ...cell, gridRow: '1 / -1' },
        { type: 'text', key: 'title', text: 'Hi', width: 'fill', height: 'fill', gridColumn: '2 / -1' },
      ),
    ],
  };
  const { layers } = await renderer.inspect(template, { variables: { title: 'Hello' } });
  t.same(layers.find(({ type }) => type === 'text')?.box, [40, 0, 80, 30]);
});

t.test('SVG and PDF have the boxes, too', async (t) => {
  const payload = drawn(grid({ gap: 6 }, cell, cell, cell));
  const svg = Buffer.from((await renderer.render(payload, { format: 'svg' })).bytes).toString();
  t.match(svg, /M42 0h36v60/);
  t.ok((await renderer.render(payload, { format: 'pdf' })).bytes.length > 500);
});

t.test('a grid of too many rows or columns is an error at its group', async (t) => {
  const fails = (fields: object, layer: object, message: RegExp) =>
    t.rejects(renderer.render(drawn(grid(fields, { ...cell, ...layer }))), {
      code: 'render_failed',
      message,
    });
  await fails({}, { gridRow: '1000 / span 2' }, /layers\[0\]\.layers: the grid has 1001 rows, expected at most 1000/);
  await fails({ gridTemplateColumns: 'repeat(auto-fill, 1px)', width: 1200 }, {}, /the grid has 1200 columns/);
});

/** Track lists, places and sizes at random, some of them wrong. */
const anyTrack = fc.constantFrom(
  '20px',
  '10%',
  '1fr',
  '0.2fr',
  'auto',
  'min-content',
  'fit-content(30px)',
  'minmax(5px, 2fr)',
);
const anyList = fc.oneof(
  fc.array(anyTrack, { minLength: 1, maxLength: 5 }).map((tracks) => tracks.join(' ')),
  fc.constantFrom('repeat(auto-fill, 7px)', 'repeat(auto-fit, minmax(0, 20px)) 10%', 'repeat(300, 1px)', '0', 'x'),
);
const anyPlace = fc.oneof(
  fc.constantFrom(1, -1, 2, -7, 'span 3', '1 / -1', 'span 2 / -1', '900 / span 50', '0', undefined),
  fc.integer({ min: -1100, max: 1100 }),
);
const anySize = fc.constantFrom('auto', 'fill', 0, 13.5, '40%', '1000%');
const anyLayer = fc.record({
  type: fc.constant('shape'),
  shapeType: fc.constant('circle'),
  width: anySize,
  height: anySize,
  gridColumn: anyPlace,
  gridRow: anyPlace,
  aspectRatio: fc.constantFrom(undefined, 0.001, 2, 1000),
  margin: fc.constantFrom(undefined, -20, 'auto', [1, 2, 3, 4]),
});
const anyGrid = (layers: fc.Arbitrary<object>) =>
  fc.record({
    type: fc.constant('group'),
    layout: fc.constant('grid'),
    x: fc.constant(0),
    y: fc.constant(0),
    width: anySize,
    height: anySize,
    gridTemplateColumns: fc.option(anyList, { nil: undefined }),
    gridTemplateRows: fc.option(anyList, { nil: undefined }),
    gridAutoFlow: fc.constantFrom('row', 'column dense'),
    alignItems: fc.constantFrom('start', 'stretch', 'baseline'),
    gap: fc.constantFrom(0, 3, [700, 2]),
    layers: fc.array(layers, { maxLength: 6 }),
  });

t.test('any grid is drawn or gives an error of its own, and ends', async () => {
  await fc.assert(
    fc.asyncProperty(anyGrid(fc.oneof(anyLayer, anyGrid(anyLayer))), async (group) => {
      try {
        await renderer.inspect(JSON.parse(JSON.stringify(drawn({ ...group, width: 100, height: 50 }))));
      } catch (error) {
        if (!(error instanceof RenderError)) throw error;
      }
    }),
    { numRuns: 150, seed: 11 },
  );
});

t.test('thousands of layers across many columns end in bounded time', async (t) => {
  const layers = Array.from({ length: 450 }, (_, i) => ({ ...cell, gridColumn: `span ${1 + ((i * 37) % 500)}` }));
  const list = { gridTemplateColumns: 'repeat(500, auto)', gridAutoFlow: 'dense', width: 'auto', height: 'auto' };
  const start = performance.now();
  try {
    await renderer.inspect(drawn(grid(list, ...layers)));
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
  }
  t.ok(performance.now() - start < 15_000);
});

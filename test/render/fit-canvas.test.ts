// Pictures that end where their layers do: autoWidth, autoHeight and padding of canvases, templates and their sizes.
import t from 'tap';
import '../../lib/node-host.js';
import { createAssets } from '../../lib/assets/loader.js';
import { createFontRegistry } from '../../lib/fonts/registry.js';
import { validate } from '../../lib/index.js';
import { RetainedScene } from '../../lib/render/retained.js';
import { renderScene } from '../../lib/render.js';
import { estimateBytes } from '../../lib/service/render/estimate.js';
import { resolve } from '../../lib/templates/resolve.js';
import { inspect, render } from '../any-payload.js';
import { draw, shape } from '../layers/picture.js';

const auto = { width: 100, height: 200, autoHeight: true };

async function sizeOf(layers: readonly object[], canvas: object = auto) {
  const payload = { canvas, layers };
  const { width, height, warnings } = await render(payload);
  const inspected = await inspect(payload);
  t.same([inspected.width, inspected.height], [width, height], 'an inspection says the same size');
  t.same(inspected.warnings, warnings, 'and the same warnings');
  return { width, height, warnings: warnings.map(({ path, message }) => `${path}: ${message}`) };
}

t.test('a picture ends at the lowest edge of the boxes and its padding', async (t) => {
  const low = shape(0, 20, 10, 30);
  t.same(await sizeOf([low, shape(90, 0, 300, 10)]), { width: 100, height: 50, warnings: [] });
  t.same(await sizeOf([low], { ...auto, padding: 12.5 }), { width: 100, height: 63, warnings: [] }, 'rounded up');
  t.same(await sizeOf([low], { ...auto, autoHeight: false }), { width: 100, height: 200, warnings: [] });
  const both = { ...auto, width: 400, autoWidth: true, padding: 4 };
  t.same(await sizeOf([low, shape(90, 0, 30, 10)], both), { width: 124, height: 54, warnings: [] });
  t.same(await sizeOf([]), { width: 100, height: 1, warnings: [] }, 'one pixel at least');
  t.same(await sizeOf([shape(0, -80, 10, 30)]), { width: 100, height: 1, warnings: [] });
});

t.test('a size that 64ths of a pixel make up is not rounded up', async (t) => {
  const thirds = shape(0, 0.1, 10, 0.2);
  t.equal((await sizeOf([thirds, shape(0, 100 / 3, 10, 200 / 3)])).height, 100);
  t.equal((await sizeOf([shape(40, 40, 20, 20, { rotation: 90 })])).height, 60);
});

t.test('invisible layers have no edge, transparent ones have', async (t) => {
  t.equal((await sizeOf([shape(0, 0, 9, 9), shape(0, 90, 9, 9, { visible: false })])).height, 9);
  t.equal((await sizeOf([shape(0, 0, 9, 9), shape(0, 90, 9, 9, { opacity: 0 })])).height, 99);
});

t.test('turned layers count as they are turned, shadows and strokes do not count', async (t) => {
  t.equal((await sizeOf([shape(20, 40, 40, 20, { rotation: 90 })])).height, 70);
  t.equal((await sizeOf([shape(20, 40, 20, 20, { shadow: { offsetY: 50 } })])).height, 60);
});

t.test('the layers in a group count, unless it clips', async (t) => {
  const group = { type: 'group', x: 10, y: 10, width: 20, height: 20, layers: [shape(0, 30, 10, 10)] };
  t.equal((await sizeOf([group])).height, 50);
  t.equal((await sizeOf([{ ...group, clip: true }])).height, 30);
  t.equal((await sizeOf([{ ...group, visible: false }])).height, 1);
});

t.test('boxes are those of the layout', async (t) => {
  const text = (value: string) => ({ type: 'text', text: value, width: 'auto', height: 'auto', fontSize: 10 });
  const column = { type: 'group', layout: 'column', x: 0, y: 5, width: 100, height: 'auto', gap: 3 };
  t.equal((await sizeOf([{ ...column, layers: [text('a'), text('b\nc')] }])).height, 44);
  const long = { ...text('words that wrap at the most that the picture may be wide'), x: 10, y: 0 };
  const { width } = await sizeOf([long], { width: 120, height: 400, autoWidth: true, autoHeight: true, padding: 20 });
  t.ok(width > 90 && width <= 120, `${width}: the text leaves room for the padding`);
});

t.test('what is cut off is named', async (t) => {
  const deep = {
    type: 'group',
    x: 0,
    y: 150,
    width: 10,
    height: 10,
    layers: [{ ...shape(0, 40, 10, 20), id: 'stamp' }],
  };
  const { height, warnings } = await sizeOf([shape(0, 190, 10, 20.26), deep, shape(95, 0, 50, 10)]);
  t.equal(height, 200);
  t.same(warnings, [
    "layers[0]: is cut off: it ends at 210.3 px, and the canvas's height is at most 200",
    "layers[1].layers[0]: is cut off: it ends at 210 px, and the canvas's height is at most 200",
  ]);
  const padded = await sizeOf([shape(0, 0, 10, 190)], { ...auto, padding: 16 });
  t.same(padded.warnings, [
    "canvas.padding: is cut off: 10 px are left of it, since the canvas's height is at most 200",
  ]);
  await t.rejects(render({ canvas: auto, layers: [shape(0, 190, 10, 20)] }, { strict: true }), {
    code: 'render_failed',
  });
});

t.test('scale and background are those of the final size', async (t) => {
  const scaled = await render({
    canvas: { ...auto, scale: 1.5, backgroundColor: 'linear-gradient(red, blue)' },
    layers: [shape(0, 0, 4, 51)],
  });
  t.same([scaled.width, scaled.height], [150, 77]);
  const backgroundColor = 'linear-gradient(red, blue)';
  const fitted = await draw([shape(0, 0, 4, 50)], { ...auto, backgroundColor });
  const exact = await draw([shape(0, 0, 4, 50)], { width: 100, height: 50, backgroundColor });
  t.ok(
    fitted.data.every((value, i) => value === exact.data[i]),
    'the pixels of a canvas of that size',
  );
});

const title = { key: 'title', type: 'text', x: 10, y: 10, width: 80, height: 'auto', fontSize: 10, text: 'one\ntwo' };
const template = {
  name: 'List',
  width: 100,
  height: 300,
  autoHeight: true,
  padding: 10,
  background: { url: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>' },
  layers: [title],
  sizes: {
    wide: { width: 200, height: 100, padding: 4 },
    fixed: { width: 200, height: 100, autoHeight: false },
    low: { width: 100, height: 20 },
  },
};

t.test('a template has it, and each of its sizes unless it says otherwise', async (t) => {
  const size = async (options: object = {}) => {
    const { width, height, warnings } = await render(template, options);
    return [width, height, ...warnings.map(({ path }) => path)];
  };
  t.same(await size(), [100, 44], 'a background picture is as large as the picture becomes');
  t.same(await size({ variables: { title: 'one\ntwo\nthree' } }), [100, 56]);
  t.same(await size({ size: 'wide' }), [200, 38]);
  t.same(await size({ size: 'fixed' }), [200, 100]);
  t.same(await size({ size: 'low' }), [100, 20, 'hotspots.title']);
});

t.test('padding without an automatic side is pointed out', async (t) => {
  const { warnings } = validate({ canvas: { width: 9, height: 9, padding: 4 }, layers: [] });
  t.same(warnings, [
    { code: 'no_effect', path: 'canvas.padding', message: 'has no effect without autoWidth or autoHeight', value: 4 },
  ]);
  const { autoHeight: _, ...fixed } = template;
  const paths = (record: object) => validate(record).warnings.flatMap(({ path }) => (/padding/.test(path) ? path : []));
  t.same(paths(template), []);
  t.same(paths(fixed), ['padding', 'sizes.wide.padding']);
  const sizes = { ...template.sizes, low: { width: 9, height: 9, autoWidth: true } };
  t.same(paths({ ...fixed, sizes }), ['sizes.wide.padding']);
  for (const [field, value] of [
    ['autoHeight', 'yes'],
    ['autoWidth', 1],
    ['padding', -1],
    ['padding', '4px'],
  ] as const) {
    const { details } = validate({ canvas: { width: 9, height: 9, [field]: value }, layers: [] });
    t.match(details, [{ path: `canvas.${field}` }], `${field}: ${value}`);
  }
});

t.test('memory is estimated for the most that the picture may be', async (t) => {
  const scene = (canvas: object) =>
    resolve({ canvas: { width: 1000, height: 1000, ...canvas }, layers: [] }, { maxLayers: 1, checkUrl: () => {} });
  t.equal(estimateBytes(scene({ autoHeight: true }), [], 1), estimateBytes(scene({}), [], 1));
});

t.test('a document that is edited has the same picture as one that is drawn from the start', async (t) => {
  const typefaces = createFontRegistry();
  const retained = new RetainedScene();
  const drawn = (height: number, kept?: RetainedScene) => {
    const assets = createAssets({ timeoutMs: 1000, maxBytes: 1e6, maxPixels: 1e6 });
    const layers = [shape(0, 0, 20, 10), shape(10, 5, 30, height)];
    const scene = resolve(
      { canvas: { ...auto, backgroundColor: '#eee' }, layers },
      { maxLayers: 9, checkUrl: assets.source },
    );
    return renderScene(scene, { assets, typefaces, pixels: true, retained: kept, onlyChanged: kept !== undefined });
  };
  for (const height of [20, 21, 40, 12, 250]) {
    const [edited, fresh] = [await drawn(height, retained), await drawn(height)];
    t.same([edited.width, edited.height], [fresh.width, fresh.height]);
    t.same(edited.warnings, fresh.warnings);
    if (!edited.part) t.ok(Buffer.from(edited.bytes).equals(Buffer.from(fresh.bytes)), `${height}`);
  }
});

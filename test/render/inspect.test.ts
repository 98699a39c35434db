// Renders describe their layers: boxes, places on the canvas, lines of texts, parts of pictures.
import t from 'tap';
import '../../lib/node-host.js';
import { createAssets } from '../../lib/assets/loader.js';
import { createFontRegistry } from '../../lib/fonts/registry.js';
import type { BoxTuple, Inspected, InspectedLayer } from '../../lib/render/inspected.js';
import { renderScene } from '../../lib/render.js';
import { type ResolveOptions, resolve } from '../../lib/templates/resolve.js';
import { draw, inkOf, type Pixel, pngUrl, RED, shape } from '../layers/picture.js';

const typefaces = createFontRegistry();

async function inspectPayload(payload: unknown, options: Partial<ResolveOptions> = {}): Promise<InspectedLayer[]> {
  const assets = createAssets({ timeoutMs: 1000, maxBytes: 1e6, maxPixels: 1e6 });
  const scene = resolve(payload, { maxLayers: 100, checkUrl: assets.source, ...options });
  let found: readonly InspectedLayer[] = [];
  const onInspected = ({ layers }: Inspected) => {
    found = layers;
  };
  await renderScene(scene, { assets, typefaces, onInspected });
  return structuredClone([...found]);
}

function inspect(layers: readonly object[], canvas: object = {}): Promise<InspectedLayer[]> {
  return inspectPayload({ canvas: { width: 400, height: 300, ...canvas }, layers });
}

const text = (more: object) => ({ type: 'text', text: 'Hello', x: 10, y: 20, width: 200, height: 40, ...more });

/** A point of the box on the canvas; (0, 0) is its upper left corner, (1, 1) its lower right one. */
function pointOf({ box: [x, y, width, height], transform: [a, b, c, d, e, f] }: InspectedLayer, right = 0, down = 0) {
  const [px, py] = [x + right * width, y + down * height];
  const round = (length: number) => Math.round(1000 * length) / 1000 + 0;
  return [round(a * px + c * py + e), round(b * px + d * py + f)];
}

t.test('lists boxes, and where they lie on the canvas', async (t) => {
  const [plain, turned, flipped] = await inspect([
    { ...shape(10.3, 20, 30, 40), id: 'box' },
    shape(100, 100, 40, 20, { rotation: 90 }),
    shape(200, 100, 40, 20, { flip: 'x' }),
  ]);
  t.strictSame(plain, {
    path: 'layers[0]',
    recordPath: 'layers[0]',
    id: 'box',
    type: 'shape',
    box: [10.3, 20, 30, 40],
    transform: [1, 0, 0, 1, 0, 0],
    inkBox: [10, 20, 30, 40],
    isVisible: true,
  });
  t.strictSame(turned.box, [100, 100, 40, 20]);
  t.strictSame(pointOf(turned), [130, 90]);
  t.strictSame(pointOf(turned, 1, 1), [110, 130]);
  t.strictSame(turned.inkBox, [110, 90, 20, 40]);
  t.strictSame(pointOf(flipped), [240, 100]);
  t.strictSame(pointOf(flipped, 1, 1), [200, 120]);
});

t.test('a scaled canvas has its pixels in the transform', async (t) => {
  const [box, turned] = await inspect([shape(10, 20, 30, 40), shape(100, 100, 40, 20, { rotation: 90 })], { scale: 2 });
  t.strictSame(box.box, [10, 20, 30, 40]);
  t.strictSame(box.transform, [2, 0, 0, 2, 0, 0]);
  t.strictSame(box.inkBox, [20, 40, 60, 80]);
  t.strictSame(pointOf(turned), [260, 180]);
});

t.test('lists groups before their layers, which lie in the group’s space', async (t) => {
  const group = { type: 'group', x: 100, y: 50, width: 100, height: 100 };
  const layers = [
    { ...group, layers: [shape(10, 20, 30, 40), { ...group, x: 5, y: 5, layers: [shape(1, 2, 3, 4)] }] },
    { ...group, rotation: 180, layers: [shape(0, 0, 10, 20)] },
  ];
  const found = await inspect(layers);
  t.strictSame(
    found.map(({ path, type }) => `${path} ${type}`),
    [
      'layers[0] group',
      'layers[0].layers[0] shape',
      'layers[0].layers[1] group',
      'layers[0].layers[1].layers[0] shape',
      'layers[1] group',
      'layers[1].layers[0] shape',
    ],
  );
  t.strictSame(found[1].box, [110, 70, 30, 40]);
  t.strictSame(found[3].box, [106, 57, 3, 4]);
  t.strictSame(pointOf(found[5]), [200, 150]);
  t.strictSame(pointOf(found[5], 1, 1), [190, 130]);
});

t.test('lists the boxes that layout gives', async (t) => {
  const layers = [shape(0, 0, 30, 20), text({ x: undefined, y: undefined, width: 'auto', height: 'auto' })];
  const row = {
    type: 'group',
    layout: 'row',
    gap: 10,
    padding: 5,
    x: 20,
    y: 30,
    width: 'auto',
    height: 'auto',
    layers,
  };
  const [group, first, second] = await inspect([row]);
  t.strictSame(first.box, [25, 35, 30, 20]);
  t.strictSame(second.box.slice(0, 2), [65, 35]);
  t.equal(group.box[2], 5 + 30 + 10 + second.box[2] + 5);
  t.ok(second.box[2] > 10 && second.box[2] < 200, 'as wide as the text');
});

t.test('marks hidden layers, and those in hidden groups', async (t) => {
  const hidden = { type: 'group', x: 10, y: 10, width: 50, height: 50, visible: false, layers: [shape(1, 1, 5, 5)] };
  const found = await inspect([shape(0, 0, 9, 9, { visible: false }), hidden, shape(0, 0, 9, 9)]);
  t.strictSame(
    found.map(({ path, isVisible }) => [path, isVisible]),
    [
      ['layers[0]', false],
      ['layers[1]', false],
      ['layers[1].layers[0]', false],
      ['layers[2]', true],
    ],
  );
  t.strictSame(found[2].box, [11, 11, 5, 5]);
  t.strictSame(found[2].inkBox, [0, 0, 0, 0]);
});

t.test('the ink of a layer has its border, filter and clip, without its shadow', async (t) => {
  const shadow = { color: '#000000', blur: 10, offsetX: 20 };
  const layer = text({ fontSize: 32, shadow });
  const [{ inkBox }] = await inspect([layer]);
  const [x, y, width, height] = inkBox;
  const ink = inkOf(await draw([{ ...layer, shadow: undefined }], { width: 400, height: 300 }));
  t.ok(ink && ink.left - x <= 2 && ink.left >= x && ink.top - y <= 2 && ink.top >= y, 'starts where the ink starts');
  t.ok(ink && x + width - ink.right <= 2 && y + height - ink.bottom <= 2, 'ends where the ink ends');
  const [clipped, blurred, none] = await inspect([
    shape(10, 20, 40, 40, { clipPath: 'inset(10px 0 0 0)' }),
    shape(10, 20, 40, 40, { filter: 'blur(4px)' }),
    text({ text: ' ' }),
  ]);
  t.strictSame(clipped.inkBox, [10, 30, 40, 30]);
  t.ok(blurred.inkBox[0] < 10 && blurred.inkBox[2] > 40);
  t.strictSame(none.inkBox, [0, 0, 0, 0]);
});

t.test('lists the lines of a text, without the blanks that hang', async (t) => {
  const layer = text({
    text: 'One  two\nthree',
    width: 60,
    height: 200,
    fontSize: 20,
    lineHeight: 1.5,
    fontWeight: 700,
  });
  const [{ lines = [], fontSize, fonts, overflow }] = await inspect([layer]);
  t.strictSame(
    lines.map((line) => line.text),
    ['One', 'two', 'three'],
  );
  t.strictSame(
    lines.map(({ x, y, height }) => [x, y, height]),
    [0, 30, 60].map((top) => [10, 20 + top, 30]),
  );
  t.ok(lines.every(({ width }) => width > 20 && width < 60));
  // Inter's ascent and descent at 20 px are 19 and 5, so that half the leading is 3
  t.strictSame(
    lines.map(({ baseline }) => baseline),
    [42, 72, 102],
  );
  t.strictSame([fontSize, fonts, overflow], [20, ['Inter 700'], false]);
});

t.test('lists the lines of aligned, padded, truncated and right-to-left texts', async (t) => {
  const [end, middle, cut, arabic, onPath] = await inspect([
    text({ textAlign: 'right', verticalAlign: 'bottom', padding: 5, fontSize: 10, lineHeight: 1 }),
    text({ textAlign: 'center', verticalAlign: 'middle', fontSize: 10, lineHeight: 1 }),
    text({ text: 'One two three four five six', width: 90, height: 20, fontSize: 20, maxLines: 1 }),
    text({ text: 'مرحبا بالعالم', textAlign: 'start', fontSize: 20 }),
    text({ textPath: 'M0 0 L 200 0' }),
  ]);
  const [line] = end.lines ?? [];
  t.equal(line.x + line.width, 205);
  t.equal(line.y + line.height, 55);
  const [centred] = middle.lines ?? [];
  t.equal(2 * centred.x + centred.width, 220);
  t.equal(centred.y, 35);
  t.match(
    cut.lines?.map((each) => each.text),
    [/^One.*…$/],
  );
  const [shown] = arabic.lines ?? [];
  t.equal(shown.x + shown.width, 210);
  t.equal(shown.text, 'مرحبا بالعالم');
  t.match(arabic.fonts, [/^Noto.*Arabic 400$/]);
  t.strictSame(onPath.lines, []);
});

t.test('says the size that autoFit finds, and whether a text overflows', async (t) => {
  const long = 'A text that is far too long for its box';
  const [fitted, tooLarge, tooLong] = await inspect([
    text({ text: long, fontSize: 60, autoFit: true }),
    text({ text: long, fontSize: 60 }),
    text({ text: long, autoFit: true, fontSize: 60, minFontSize: 40 }),
  ]);
  t.ok(fitted.fontSize && fitted.fontSize < 60);
  t.strictSame([fitted.overflow, tooLarge.overflow, tooLong.overflow], [false, true, true]);
  t.equal(tooLong.fontSize, 40);
});

t.test('lists the fonts of all glyphs', async (t) => {
  const spans = [
    { text: 'Light', fontWeight: 300 },
    { text: ' and italic', fontStyle: 'italic' },
  ];
  const [{ fonts }] = await inspect([text({ text: undefined, spans, fontFamily: 'Playfair Display' })]);
  t.strictSame(fonts, ['Playfair Display 400', 'Playfair Display 400 italic']);
});

t.test('says which part of a picture is shown', async (t) => {
  const url = pngUrl(Array.from({ length: 20 }, () => Array.from({ length: 40 }, (): Pixel => RED)));
  const image = { type: 'image', url, x: 0, y: 0, width: 100, height: 100 };
  const bytes = Buffer.from(url.split(',')[1], 'base64').length;
  const found = await inspect([
    { ...image, fit: 'cover' },
    { ...image, fit: 'cover', position: 'left' },
    { ...image, fit: 'contain' },
    { ...image, fit: 'fill', crop: { x: 10, y: 5, width: 10, height: 5 } },
    { ...image, fit: 'none', position: 'left top' },
    { ...image, repeat: 'tile' },
    { ...image, fit: 'cover', position: 'smart' },
  ]);
  const parts = found.map(({ source }) => source);
  t.strictSame(parts.slice(0, 6), [
    [10, 0, 20, 20],
    [0, 0, 20, 20],
    [0, 0, 40, 20],
    [10, 5, 10, 5],
    [0, 0, 40, 20],
    [0, 0, 40, 20],
  ] satisfies BoxTuple[]);
  t.strictSame(parts[6]?.slice(1), [0, 20, 20]);
  t.match(found[0], { natural: [40, 20], bytes, format: 'png' });
  const missing = 'data:image/png;base64,AAAA';
  const [fallback] = await inspect([{ ...image, url: missing, fallbackColor: '#ff0000' }]);
  t.notMatch(fallback, { natural: [] });
  t.strictSame(fallback.inkBox, [0, 0, 100, 100]);
});

const record = {
  name: 'Card',
  width: 400,
  height: 300,
  background: { url: pngUrl([[RED]]) },
  layers: [
    shape(0, 0, 10, 10),
    { ...text({}), key: 'title' },
    {
      type: 'group',
      key: 'box',
      x: 0,
      y: 0,
      width: 100,
      height: 100,
      layers: [{ ...text({ x: 5 }), key: 'inner' }, shape(1, 1, 5, 5)],
    },
  ],
  hotspots: [
    { ...text({ text: undefined }), key: 'empty', label: 'Empty' },
    { ...text({}), key: 'last', label: 'Last' },
  ],
  sizes: { small: { width: 100, height: 100, layers: { title: { x: 3 } } } },
};

t.test('names the layers of a template by path, key and place in the record', async (t) => {
  const named = (found: readonly InspectedLayer[]) => found.map(({ path, recordPath, key }) => [path, recordPath, key]);
  t.strictSame(named(await inspectPayload(record)), [
    ['background', 'background', undefined],
    ['layers[0]', 'layers[0]', undefined],
    ['hotspots.title', 'layers[1]', 'title'],
    ['hotspots.box', 'layers[2]', 'box'],
    ['hotspots.inner', 'layers[2].layers[0]', 'inner'],
    ['layers[2].layers[1]', 'layers[2].layers[1]', undefined],
    ['hotspots.last', 'hotspots[1]', 'last'],
  ]);
  const variables = { empty: 'Filled', inner: null, last: { x: 50, visible: false }, box: { x: 20 } };
  const filled = await inspectPayload(record, { variables });
  t.strictSame(named(filled).slice(3), [
    ['hotspots.box', 'layers[2]', 'box'],
    ['layers[2].layers[1]', 'layers[2].layers[1]', undefined],
    ['hotspots.empty', 'hotspots[0]', 'empty'],
    ['hotspots.last', 'hotspots[1]', 'last'],
  ]);
  t.strictSame(filled[3].box[0], 20);
  t.match(filled[6], { box: [50, 20, 200, 40], isVisible: false });
});

t.test('layers that a variable brings have no place in the record', async (t) => {
  const found = await inspectPayload(record, { variables: { box: { layers: [shape(7, 8, 5, 5)] } } });
  const brought = found.find(({ path }) => path === 'hotspots.box.layers[0]');
  t.match(brought, { type: 'shape', box: [7, 8, 5, 5] });
  t.equal(brought?.recordPath, undefined);
});

t.test('lists the boxes of a template’s size', async (t) => {
  const found = await inspectPayload(record, { size: 'small' });
  t.match(
    found.find(({ key }) => key === 'title'),
    { recordPath: 'layers[1]', box: [3, 20, 200, 40] },
  );
});

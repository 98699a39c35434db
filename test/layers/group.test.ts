// Groups: coordinates, isolation, clip, nesting, and paths in errors and warnings.
import t, { type Test } from 'tap';
import { type RenderError, validate } from '../../lib/index.js';
import { render, renderToPixels } from '../any-payload.js';
import { BLUE, CLEAR, draw, inkOf, inkSum, LIME, RED, shape, WHITE } from './picture.js';

const red = { fillColor: '#ff0000' };

function group(x: number, y: number, width: number, height: number, layers: readonly object[], more: object = {}) {
  return { type: 'group', x, y, width, height, layers, ...more };
}

interface Expected {
  readonly code?: string;
  readonly details: readonly { readonly path?: string; readonly layerId?: string; readonly message?: string }[];
}

async function failsWith(t: Test, run: Promise<unknown>, expected: Expected): Promise<void> {
  const error = await run.then(
    () => undefined,
    (reason: RenderError) => reason,
  );
  t.match(error, expected);
}

t.test("the layers' coordinates start at the group's box, at any depth", async (t) => {
  const picture = await draw([
    group(10, 5, 20, 20, [shape(-2, 1, 4, 4, red), group(5, 5, 5, 5, [shape(1, 2, 3, 3, red)])]),
  ]);
  t.same(inkOf(await draw([group(10, 5, 20, 20, [shape(-2, 1, 4, 4, red)])])), {
    left: 8,
    top: 6,
    right: 12,
    bottom: 10,
  });
  t.same(picture.at(16, 12), RED);
  t.equal(inkSum(picture), 25);
  t.same(inkOf(await draw([group(0.5, 0, 9, 9, [shape(0.5, 0, 4, 4, red)])])), {
    left: 1,
    top: 0,
    right: 5,
    bottom: 4,
  });
  t.equal(inkOf(await draw([group(10, 5, 20, 20, [])])), undefined);
});

t.test('the background lies beneath the layers, the border on top', async (t) => {
  const box = { backgroundColor: '#00ff00', border: { width: 2, color: '#0000ff' } };
  const picture = await draw([group(5, 5, 20, 20, [shape(0, 0, 10, 10, red)], box)]);
  t.same(picture.at(5, 5), BLUE);
  t.same(picture.at(10, 10), RED);
  t.same(picture.at(20, 20), LIME);
  const round = await draw([group(5, 5, 20, 20, [], { backgroundColor: '#00ff00', borderRadius: [10, 0] })]);
  t.same(round.at(5, 5), CLEAR);
  t.same(round.at(24, 5), LIME);
});

t.test('clip cuts the layers off at the box and its corners, and isolates them', async (t) => {
  const overflow = [shape(-5, -5, 15, 15, red)];
  t.equal(inkSum(await draw([group(10, 10, 20, 15, overflow)])), 225);
  t.equal(inkSum(await draw([group(10, 10, 20, 15, overflow, { clip: true })])), 100);
  t.same((await draw([group(10, 10, 20, 15, overflow, { clip: true, borderRadius: 8 })])).at(10, 10), CLEAR);
  const blended = [shape(0, 0, 10, 10, { fillColor: '#00ff00', blendMode: 'multiply' })];
  const white = { backgroundColor: '#ff0000' };
  t.same((await draw([group(0, 0, 10, 10, blended)], white)).at(5, 5), [0, 0, 0, 255]);
  t.same((await draw([group(0, 0, 10, 10, blended, { clip: true })], white)).at(5, 5), LIME);
});

t.test('the edges of a background and of the layers clipped on it are each antialiased once', async (t) => {
  const round = { backgroundColor: '#ffffff', borderRadius: 9 };
  const pixels = async (layers: object[], more: object) => [
    ...(await draw([group(3, 3, 20, 20, layers, { ...round, ...more })])).data,
  ];
  t.same(await pixels([], { clip: true }), await pixels([], {}), 'the clip does not touch the background');
  const red = (blendMode: string) => [shape(-5, -5, 30, 30, { fillColor: '#ff0000', blendMode })];
  const plain = await pixels(red('normal'), { clip: true });
  const alpha = plain.filter((_, i) => i % 4 === 3);
  const background = (await pixels([], {})).filter((_, i) => i % 4 === 3);
  t.ok(background.some((cover) => cover > 0 && cover < 255));
  background.forEach((cover, i) => {
    const both = 255 - (255 - cover) ** 2 / 255;
    if (Math.abs(alpha[i] - both) > 1) t.fail(`pixel ${i}: ${alpha[i]}, not ${both}: the layer lies on the background`);
  });
  const multiplied = await pixels(red('multiply'), { clip: true });
  const farthest = Math.max(...plain.map((value, i) => Math.abs(value - multiplied[i])));
  t.ok(farthest <= 3, `a layer that blends with white looks like one that does not: ${farthest}`);
});

t.test('only a group with an effect of its own is isolated', async (t) => {
  const blended = [shape(0, 0, 10, 10, { fillColor: '#00ff00', blendMode: 'screen' })];
  const at = async (more: object) =>
    (await draw([group(10, 10, 10, 10, blended, more)], { backgroundColor: '#ff0000' })).at(15, 15);
  const yellow = [255, 255, 0, 255];
  t.same(await at({}), yellow);
  t.same(await at({ opacity: 1, blendMode: 'normal', rotation: 360 }), yellow);
  for (const more of [
    { rotation: 180 },
    { flip: 'x' },
    { filter: 'opacity(1)' },
    { clipPath: 'inset(0)' },
    { maskImage: 'linear-gradient(black, black)' },
    { shadow: { offsetX: 20 } },
    { blendMode: 'hard-light' },
  ]) {
    t.same(await at(more), LIME, JSON.stringify(more));
  }
  t.same(await at({ opacity: 0.5 }), [127, 128, 0, 255]);
  const nested = [group(0, 0, 10, 10, blended)];
  const outer = await draw([group(10, 10, 10, 10, nested, { rotation: 180 })], { backgroundColor: '#ff0000' });
  t.same(outer.at(15, 15), LIME, 'a plain group inside does not isolate, the one around it does');
});

t.test('opacity, shadow and rotation are of the whole group', async (t) => {
  const two = [shape(0, 0, 10, 10, red), shape(5, 0, 10, 10, { fillColor: '#0000ff' })];
  t.same((await draw([group(0, 0, 15, 10, two, { opacity: 0.5 })])).at(7, 5), [0, 0, 255, 128]);
  const shadow = { color: '#00ff00', offsetY: 10 };
  const shadowed = await draw([group(0, 0, 15, 10, two, { shadow })]);
  t.same(shadowed.at(7, 5), BLUE, 'no shadow of one layer on another');
  t.same(shadowed.at(7, 15), LIME);
  const turned = await draw([group(10, 0, 20, 20, [shape(0, 0, 5, 20, red)], { rotation: 90 })]);
  t.same(inkOf(turned), { left: 10, top: 0, right: 30, bottom: 5 }, 'about the centre of the group');
  const flipped = await draw([group(10, 0, 20, 20, [shape(0, 0, 5, 20, red)], { flip: 'x' })]);
  t.same(inkOf(flipped), { left: 25, top: 0, right: 30, bottom: 20 });
  const scaled = await render({
    canvas: { width: 20, height: 10, scale: 2, backgroundColor: '#fff' },
    layers: [group(2, 2, 10, 5, [shape(1, 1, 2, 2, red)])],
  });
  t.equal(scaled.width, 40);
});

t.test('a group with a shadow draws its layers once, however deep groups with shadows are', async (t) => {
  const shadow = { color: '#0000ff', offsetX: 1 };
  let nested: object = shape(0, 0, 5, 5, red);
  for (let depth = 0; depth < 16; depth++) nested = group(0, 0, 5, 5, [nested], { shadow });
  const picture = await draw([nested]);
  t.same(inkOf(picture), { left: 0, top: 0, right: 21, bottom: 5 });
  t.same(picture.at(20, 2), BLUE);
});

t.test('hidden layers and groups are not loaded', async (t) => {
  const lost = { type: 'image', url: 'http://127.0.0.1:9/x.png', x: 0, y: 0, width: 9, height: 9 };
  const picture = await draw([
    group(0, 0, 10, 10, [{ ...lost, visible: false }, shape(0, 0, 5, 5, red)]),
    group(20, 0, 10, 10, [lost], { visible: false }),
  ]);
  t.equal(inkSum(picture), 25);
});

t.test('errors and warnings name the layer in its group', async (t) => {
  const inGroup = (layer: object) =>
    draw([shape(0, 0, 1, 1), group(0, 0, 9, 9, [group(0, 0, 9, 9, [shape(0, 0, 1, 1), layer])])]);
  const path = 'layers[1].layers[0].layers[1]';
  const image = { type: 'image', x: 0, y: 0, width: 9, height: 9 };
  await failsWith(t, inGroup({ ...image, id: 'a', url: 'http://127.0.0.1:9/x.png' }), {
    code: 'asset_failed',
    details: [{ path: `${path}.url`, layerId: 'a' }],
  });
  await failsWith(t, inGroup({ ...image, url: 'ftp://x' }), {
    code: 'render_failed',
    details: [{ path: `${path}.url` }],
  });
  await failsWith(t, inGroup(shape(0, 0, 1, 1, { opacity: 2 })), { details: [{ path: `${path}.opacity` }] });
  await failsWith(t, inGroup({ type: 'txt' }), { details: [{ path: `${path}.type` }] });
  await failsWith(t, draw([group(0, 0, 1, 1, [5 as unknown as object])]), {
    details: [{ path: 'layers[0].layers[0]' }],
  });
  await failsWith(t, draw([{ type: 'group', x: 0, y: 0, width: 1, height: 1 }]), {
    details: [{ path: 'layers[0].layers' }],
  });
  const text = { type: 'text', text: 'x', fontFamily: 'None such', x: 0, y: 0, width: 40, height: 40, colour: 'red' };
  t.match((await inGroup(text)).warnings, [{ path: `${path}.colour` }, { path: `${path}.fontFamily` }]);
});

t.test('groups are 16 deep at most, and all layers count', async (t) => {
  const nest = (depth: number): object => (depth === 0 ? shape(0, 0, 1, 1, red) : group(0, 0, 1, 1, [nest(depth - 1)]));
  await t.resolves(draw([nest(16)]));
  await failsWith(t, draw([nest(17)]), {
    details: [{ message: 'received a group inside 16 groups, expected at most 16 levels of groups' }],
  });
  const many = group(0, 0, 1, 1, [shape(0, 0, 1, 1), group(0, 0, 1, 1, [shape(0, 0, 1, 1)])]);
  const payload = { canvas: { width: 1, height: 1 }, layers: [many] };
  await t.resolves(render(payload, { maxLayers: 4 }));
  await failsWith(t, render(payload, { maxLayers: 3 }), { code: 'invalid_request', details: [{ path: 'layers' }] });
  const cyclic: { layers: unknown[] } & object = group(0, 0, 1, 1, []) as never;
  cyclic.layers = [cyclic];
  await failsWith(t, render({ canvas: { width: 1, height: 1 }, layers: [cyclic] }), {
    code: 'invalid_request',
    details: [{ path: '' }],
  });
});

t.test('validate looks into groups', async (t) => {
  const image = { type: 'image', url: 'ftp://x', x: 0, y: 0, width: 9, height: 9 };
  const inner = group(0, 0, 9, 9, [image, shape(-50, -50, 1, 1), shape(0, 0, 1, 1, { opacity: 0 })], {
    borderRadius: 3,
  });
  const found = validate({ canvas: { width: 10, height: 10 }, layers: [inner, group(0, 0, 9, 9, [])] });
  t.same(
    found.details.map(({ path }) => path),
    ['layers[0].layers[0].url'],
  );
  t.same(
    found.warnings.map(({ path, message }) => `${path} ${message}`),
    [
      'layers[0].borderRadius has no effect without backgroundColor, border or clip',
      'layers[0].layers[2].opacity is 0: the layer is invisible',
      'layers[1].layers is empty: the group draws nothing',
    ],
  );
});

const template = {
  name: 'Card',
  width: 40,
  height: 30,
  layers: [
    group(0, 0, 20, 20, [
      { key: 'dot', ...shape(0, 0, 5, 5, red) },
      { key: 'code', type: 'qrcode', x: 0, y: 0, width: 20, height: 20 },
      { type: 'shape', shapeType: 'rectangle', x: 15, y: 15, width: 5, height: 5, fillColor: '#0000ff' },
    ]),
  ],
  hotspots: [group(20, 0, 20, 20, [{ key: 'inner', ...shape(0, 0, 5, 5, red) }], { key: 'panel', label: 'Panel' })],
};

t.test('hotspots in groups are filled, and hidden, in their place', async (t) => {
  const pixels = async (variables: object) => {
    const { data, width } = await renderToPixels(template, { variables } as never);
    return (x: number, y: number) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)];
  };
  const plain = await pixels({});
  t.same(plain(2, 2), RED);
  t.same(plain(17, 17), BLUE);
  t.same(plain(22, 2), RED);
  const filled = await pixels({ dot: { fillColor: '#00ff00' }, inner: { x: 10 }, panel: { y: 10 } });
  t.same(filled(2, 2), LIME);
  t.same(filled(22, 2), CLEAR);
  t.same(filled(32, 12), RED);
  t.same((await pixels({ dot: null, panel: null }))(2, 2), CLEAR);
  t.same((await pixels({ dot: null, panel: null }))(22, 2), CLEAR);
  const own = await pixels({ panel: { layers: [shape(0, 0, 3, 3, { fillColor: '#ffffff' })] } });
  t.same(own(21, 1), WHITE);
  t.same(own(24, 4), CLEAR, 'a variable may bring other layers');
});

t.test('errors in hotspots of groups name the variable or the hotspot', async (t) => {
  const failsFor = (variables: object, path: string) =>
    failsWith(t, render(template, { variables } as never), { details: [{ path }] });
  await failsFor({ dot: { fillColor: 'zz' } }, 'variables.dot');
  await failsFor({ code: 'x'.repeat(3000) }, 'variables.code');
  await failsFor({ panel: { layers: [{ type: 'txt' }] } }, 'variables.panel');
  await failsFor({ panel: 'text' }, 'variables.panel');
  const broken = { ...template, layers: [group(0, 0, 9, 9, [{ key: 'panel', ...shape(0, 0, 1, 1, { opacity: 2 }) }])] };
  await failsWith(t, render(broken), {
    code: 'invalid_request',
    details: [{ path: 'layers[0].layers[0].opacity' }, { path: 'hotspots[0].key' }],
  });
});

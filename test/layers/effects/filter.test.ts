// filter and backdropFilter of layers: their order among the effects, where they read, and what they leave alone.
import t from 'tap';
import { render } from '../../any-payload.js';
import { BLUE, CLEAR, draw, inkOf, LIME, RED, shape, WHITE } from '../picture.js';

const red = { fillColor: '#ff0000' };
const CYAN = [0, 255, 255, 255];

t.test('filter applies to content and border, before opacity', async (t) => {
  const border = { color: '#0000ff', width: 4 };
  const picture = await draw([shape(10, 5, 20, 20, { ...red, border, filter: 'invert(1)' })]);
  t.same([picture.at(12, 15), picture.at(20, 15)], [[255, 255, 0, 255], CYAN]);
  const faint = await draw([shape(10, 5, 20, 20, { ...red, filter: 'invert(1)', opacity: 0.4 })]);
  t.same(faint.at(20, 15), [0, 255, 255, 102]);
  t.same((await draw([shape(10, 5, 20, 20, { ...red, filter: 'opacity(40%)' })])).at(20, 15), [255, 0, 0, 102]);
});

t.test('blur() spreads beyond the box, also from outside the canvas', async (t) => {
  const spread = inkOf(await draw([shape(15, 10, 10, 10, { ...red, filter: 'blur(2px)' })]));
  t.same(spread, { left: 10, top: 5, right: 30, bottom: 25 });
  const outside = await draw([shape(-20, 0, 20, 30, { ...red, filter: 'blur(4px)' })]);
  t.ok(outside.at(0, 15)[3] > 100 && outside.at(9, 15)[3] > 0);
  t.same(outside.at(20, 15), CLEAR);
});

t.test('the shadow is of the filtered layer and not filtered itself', async (t) => {
  const layer = { ...red, filter: 'hue-rotate(180deg) opacity(0.5)', shadow: { color: '#00ff00', offsetX: 20 } };
  t.same((await draw([shape(0, 0, 10, 10, layer)])).at(25, 5), [0, 255, 0, 128]);
  const blurred = await draw([
    shape(5, 5, 10, 10, { ...red, filter: 'blur(2px)', shadow: { color: 'lime', offsetX: 20 } }),
  ]);
  t.ok(blurred.at(23, 10)[3] > 0 && blurred.at(30, 10)[1] === 255, 'spread like the layer');
});

t.test('drop-shadow() turns with the layer and takes the colour of its text', async (t) => {
  const turned = await draw([shape(15, 10, 10, 10, { ...red, rotation: 90, filter: 'drop-shadow(0 8px 0 blue)' })]);
  t.same([turned.at(20, 15), turned.at(10, 15), turned.at(20, 25)], [RED, BLUE, CLEAR]);
  const flipped = await draw([shape(15, 10, 10, 10, { ...red, flip: 'x', filter: 'drop-shadow(8px 0 0 blue)' })]);
  t.same([flipped.at(10, 15), flipped.at(30, 15)], [BLUE, CLEAR]);
  const text = { type: 'text', x: 0, y: 0, width: 40, height: 30, text: '■', fontSize: 24, color: '#00f' };
  const shadowed = await draw([{ ...text, filter: 'drop-shadow(20px 0)' }]);
  const colors = new Set(
    Array.from({ length: 20 * 30 }, (_, i) => shadowed.at(20 + (i % 20), Math.floor(i / 20)).join()),
  );
  t.ok(colors.has(BLUE.join()), [...colors].join(' '));
  t.same((await draw([shape(0, 0, 9, 9, { ...red, filter: 'drop-shadow(20px 0)' })])).at(25, 5), [0, 0, 0, 255]);
});

t.test('lengths grow with canvas.scale', async (t) => {
  const layer = shape(15, 10, 10, 10, { ...red, filter: 'blur(1px) drop-shadow(4px 0 0 blue)' });
  const picture = await draw([layer], { scale: 2 });
  t.same(inkOf(picture), { left: 25, top: 15, right: 63, bottom: 45 });
});

t.test('backdropFilter changes what lies in the box, and nothing around it', async (t) => {
  const below = [shape(0, 0, 20, 30, red), shape(20, 0, 20, 30, { fillColor: '#0000ff' })];
  const glass = (more: object) => shape(10, 5, 20, 20, { fillColor: 'transparent', ...more });
  const inverted = await draw([...below, glass({ backdropFilter: 'invert(1)' })]);
  t.same([inverted.at(10, 5), inverted.at(29, 24)], [CYAN, [255, 255, 0, 255]]);
  t.same([inverted.at(9, 5), inverted.at(30, 24), inverted.at(10, 4)], [RED, BLUE, RED]);
  const faint = await draw([...below, glass({ backdropFilter: 'invert(1)', opacity: 0.2 })]);
  t.same(faint.at(12, 15), [204, 51, 51, 255]);
  const tinted = await draw([...below, shape(10, 5, 20, 20, { fillColor: '#00ff00', backdropFilter: 'invert(1)' })]);
  t.same(tinted.at(15, 15), LIME, 'the content is on top');
  const round = await draw([
    ...below,
    { ...shape(10, 5, 20, 20), shapeType: 'circle', fillColor: 'transparent', backdropFilter: 'invert(1)' },
  ]);
  t.same([round.at(11, 6), round.at(15, 15)], [RED, CYAN], 'clipped to the outline');
});

t.test(
  'the layer blends with its filtered backdrop, and its filter applies to that as well, as in Chromium',
  async (t) => {
    const below = shape(0, 0, 40, 30, { fillColor: 'rgb(34, 197, 94)' });
    const glass = async (more: object) => {
      const layer = { fillColor: '#ff000080', backdropFilter: 'invert(1)', ...more };
      return (await draw([below, shape(10, 5, 20, 20, layer)])).at(20, 15).slice(0, 3);
    };
    const cases: readonly [object, readonly number[]][] = [
      [{}, [238, 29, 80]],
      [{ opacity: 0.5 }, [160, 95, 95]],
      [{ blendMode: 'multiply' }, [221, 29, 80]],
      [{ blendMode: 'multiply', opacity: 0.5 }, [128, 95, 95]],
      [{ blendMode: 'difference' }, [127, 58, 161]],
      [{ blendMode: 'screen', filter: 'grayscale(1)' }, [116, 116, 116]],
      [{ filter: 'invert(1)', opacity: 0.5 }, [25, 211, 134]],
      [{ fillColor: 'transparent', filter: 'opacity(0.5)' }, [127, 127, 127]],
    ];
    for (const [more, expected] of cases) {
      const actual = await glass(more);
      t.ok(
        actual.every((value, i) => Math.abs(value - expected[i]) <= 1),
        `${JSON.stringify(more)}: ${actual}, in Chromium ${expected}`,
      );
    }
  },
);

t.test('mask and clip path cut the filtered backdrop', async (t) => {
  const glass = { fillColor: 'transparent', backdropFilter: 'invert(1)' };
  const clipped = shape(0, 0, 20, 20, { ...glass, clipPath: 'inset(0 10px 0 0)' });
  const masked = shape(20, 0, 20, 20, { ...glass, maskImage: 'linear-gradient(90deg, #000 50%, #0000 50%)' });
  const picture = await draw([shape(0, 0, 40, 30, red), clipped, masked]);
  t.same(
    [5, 15, 25, 35].map((x) => picture.at(x, 10)),
    [CYAN, RED, CYAN, RED],
  );
});

t.test('a group shows its backdrop and is one for its layers; a filter applies to the whole group', async (t) => {
  const half = shape(0, 0, 10, 20, { fillColor: '#0000ff', blendMode: 'plus-lighter' });
  const group = { type: 'group', x: 10, y: 5, width: 20, height: 20, layers: [half] };
  const below = shape(0, 0, 40, 30, red);
  const glass = await draw([below, { ...group, backdropFilter: 'invert(1)' }]);
  t.same([glass.at(15, 15), glass.at(25, 15), glass.at(5, 15)], [BLUE, CYAN, RED]);
  const inverted = await draw([below, { ...group, filter: 'invert(1)' }]);
  t.same([inverted.at(15, 15), inverted.at(25, 15)], [[255, 255, 0, 255], RED]);
  const nested = { ...group, layers: [shape(0, 0, 20, 20, { fillColor: 'transparent', backdropFilter: 'invert(1)' })] };
  t.same((await draw([below, nested])).at(15, 15), CYAN, 'a layer in a group sees what is beneath the group');
});

t.test('backdropFilter reads nothing beyond the box: blur() mirrors it', async (t) => {
  const line = shape(19, 0, 1, 30, { fillColor: 'white' });
  const glass = { fillColor: 'transparent', backdropFilter: 'blur(4px)' };
  const picture = await draw([shape(0, 0, 40, 30, red), line, shape(20, 0, 20, 30, glass)]);
  t.same([picture.at(19, 15), picture.at(20, 15), picture.at(39, 29)], [WHITE, RED, RED]);
});

t.test('a layer without ink still shows its backdrop; without a backdrop filter it is not isolated', async (t) => {
  const empty = { type: 'text', x: 10, y: 5, width: 20, height: 20, text: '', backdropFilter: 'invert(1)' };
  const picture = await draw([shape(0, 0, 40, 30, red), empty]);
  t.same([picture.at(15, 15), picture.at(5, 15)], [CYAN, RED]);
  const outside = { ...empty, x: 500 };
  t.same((await draw([shape(0, 0, 40, 30, red), outside])).at(15, 15), RED);
  const none = await draw([shape(0, 0, 40, 30, red), { ...empty, backdropFilter: 'none', filter: 'none' }]);
  t.same(none.data, (await draw([shape(0, 0, 40, 30, red)])).data);
});

t.test('a malformed list is reported with its path', async (t) => {
  const failureOf = (field: object) =>
    render({ canvas: { width: 9, height: 9 }, layers: [shape(0, 0, 1, 1, field)] }).catch((error: unknown) => error);
  t.match(await failureOf({ filter: 'blur(' }), {
    message: /layers\[0\]\.filter: received "blur\(", expected blur\(\) of a length from 0 to 10000px/,
  });
  t.match(await failureOf({ backdropFilter: 7 }), {
    message: /layers\[0\]\.backdropFilter: received 7, expected a CSS filter list/,
  });
});

t.test('shadows that are cast from afar need no picture of all between', async (t) => {
  const huge = shape(-5e5, -5e5, 1e6, 1e6, red);
  for (const filter of [
    'drop-shadow(-900000px -900000px 3px blue)',
    'drop-shadow(900000px 900000px 500px blue)',
    'drop-shadow(200000px 200000px 0 blue) drop-shadow(-200000px -200000px 0 blue)',
  ]) {
    t.same((await draw([{ ...huge, filter }])).at(20, 15), RED, filter);
    t.same((await draw([shape(0, 0, 40, 30, { ...red, backdropFilter: filter })])).at(20, 15), RED, filter);
  }
});

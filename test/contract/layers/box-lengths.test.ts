// Lengths of four sides or corners: numbers, arrays, and CSS text.
import t from 'tap';
import { boxLengths, boxRadii } from '../../../lib/contract/layers/layout/box-lengths.js';
import { validate } from '../../../lib/index.js';

const padding = boxLengths({ least: 0 });
const margin = boxLengths({ least: -1e6 });
const radii = boxRadii();
const EXPECTED_RADII = '1 to 4 radii in px or percent, such as "8px 50%", and as many vertical ones after a "/"';
const messageOf = (schema: typeof padding | typeof radii, value: unknown) =>
  schema.safeParse(value).error?.issues[0]?.message;

t.test('reads one to four lengths in px', async (t) => {
  for (const [text, expected] of [
    ['8px', [8]],
    ['8px 16px', [8, 16]],
    ['4px 8px 12px', [4, 8, 12]],
    ['  1px\t2PX\n3Px  0 ', [1, 2, 3, 0]],
    ['.5px +1.25px 00 0.0', [0.5, 1.25, 0, 0]],
    ['-0px', [-0]],
  ] as const) {
    t.same(padding.parse(text), expected, text);
  }
  t.same(margin.parse('2px -4px'), [2, -4]);
  t.same([padding.parse(3), padding.parse([1, 2])], [[3], [1, 2]], 'numbers and arrays as before');
});

t.test('radii may be elliptical and percentages', async (t) => {
  for (const [text, expected] of [
    ['8px 4px', [8, 4]],
    ['40px / 20px', { across: [40], down: [20] }],
    ['50%', { across: [{ percent: 50 }], down: [{ percent: 50 }] }],
    [' 10px 5% 0/ 1PX 2px ', { across: [10, { percent: 5 }, 0], down: [1, 2] }],
  ] as const) {
    t.same(radii.parse(text), expected, text);
  }
});

t.test('refuses other text', async (t) => {
  const expected = '1 to 4 lengths in px from 0 to 1000000, such as "8px 16px"';
  for (const text of ['', ' ', '8', '8 16', '8em', '50%', 'auto', '1px,2px', '1px2px', '7.px', '1e3px', '-1px']) {
    t.equal(messageOf(padding, text), expected, JSON.stringify(text));
  }
  for (const text of ['1px 2px 3px 4px 5px', '1000001px', 'NaNpx', `${'9'.repeat(400)}px`]) {
    t.equal(messageOf(radii, text), EXPECTED_RADII, text.slice(0, 30));
  }
  t.equal(messageOf(padding, '1px / 2px'), expected);
  for (const text of ['8px /', '/ 8px', '1px / 2px / 3px', '-1px', '-5%', '8em', '1px,2px', '50']) {
    t.equal(messageOf(radii, text), EXPECTED_RADII, text);
  }
});

t.test('long text takes no long time', async (t) => {
  const began = performance.now();
  for (const text of ['1px '.repeat(200_000), ' '.repeat(200_000), '1'.repeat(200_000)]) t.ok(messageOf(radii, text));
  t.ok(performance.now() - began < 5000);
});

t.test('each field that has sides or corners takes it', async (t) => {
  const box = { x: 0, y: 0, width: 40, height: 40 };
  const text = { type: 'text', text: 'a', ...box, backgroundColor: 'red' };
  const layers = [
    { ...text, padding: '1px 2px', borderRadius: '3px' },
    { type: 'shape', shapeType: 'rounded_rectangle', ...box, borderRadius: '1px 2px 3px 4px' },
    { type: 'image', url: 'data:image/svg+xml,<svg/>', ...box, mask: 'rounded', borderRadius: '4px' },
    { type: 'qrcode', data: 'a', ...box, borderRadius: '4px', width: 400, height: 400 },
    {
      ...{ type: 'group', layout: 'row', ...box, padding: '4px 8px', borderRadius: '2px', backgroundColor: 'red' },
      layers: [{ type: 'text', text: 'a', width: 'auto', height: 'auto', margin: '-1px none' }],
    },
  ];
  const { details, warnings } = validate({ canvas: { width: 400, height: 400 }, layers });
  t.same(warnings, []);
  t.same(details, [
    {
      code: 'invalid_value',
      path: 'layers[4].layers[0].margin',
      message:
        'received "-1px none", expected a number from -1000000 to 1000000, "auto", an array of 1 to 4 of them, or text such as "8px auto"',
      value: '-1px none',
      expected: 'a number from -1000000 to 1000000, "auto", an array of 1 to 4 of them, or text such as "8px auto"',
    },
  ]);
});

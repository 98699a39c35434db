// Boxes around parts of a text: what room they take, and where they are painted.
import t from 'tap';
import { validate } from '../../../lib/index.js';
import { draw, type Picture, RED, WHITE } from '../picture.js';

const text = { type: 'text', x: 0, y: 0, width: 200, height: 80, fontSize: 20, lineHeight: 2, color: 'transparent' };
const canvas = { width: 200, height: 80, backgroundColor: 'white' };

/** The first and the last red pixel of a row, and of a column. */
function redIn(picture: Picture, [x, y]: readonly [x: number | undefined, y: number | undefined]) {
  const found: number[] = [];
  const length = x === undefined ? picture.width : picture.height;
  for (let i = 0; i < length; i++) {
    const pixel = picture.at(x ?? i, y ?? i);
    if (pixel[0] === 255 && pixel[1] < 20 && pixel[2] < 20) found.push(i);
  }
  return [found[0], found.at(-1)];
}

/** The width of the picture's text as far as the last red pixel of the first line. */
const box = { text: 'HH', backgroundColor: 'red' };

t.test('padding, border and margin make room beside the text, and none above it', async (t) => {
  const plain = redIn(await draw([{ ...text, spans: [box] }], canvas), [undefined, 20]);
  const padded = redIn(await draw([{ ...text, spans: [{ ...box, padding: [3, 10], margin: [0, 5] }] }], canvas), [
    undefined,
    20,
  ]);
  t.equal(padded[0], 5);
  t.equal(padded[1]! - padded[0]!, plain[1]! - plain[0]! + 20);
  const after = async (span: object) =>
    redIn(await draw([{ ...text, spans: [{ ...box, backgroundColor: 'white', ...span }, box] }], canvas), [
      undefined,
      20,
    ])[0]!;
  t.equal(
    (await after({ padding: [0, 10], margin: [0, 5], border: { width: 2, color: 'white' } })) - (await after({})),
    34,
  );
  const [top] = redIn(await draw([{ ...text, spans: [box] }], canvas), [5, undefined]);
  const [higher] = redIn(await draw([{ ...text, spans: [{ ...box, padding: 3 }] }], canvas), [5, undefined]);
  t.equal(top! - higher!, 3, 'the box is higher, and the line is not');
});

t.test('a box that wraps is closed at its first and its last end only', async (t) => {
  const spans = [{ text: 'HHHHHHHH HHHHHHHH', border: { width: 4, color: 'red' }, padding: [0, 6] }];
  const picture = await draw([{ ...text, width: 160, spans }], canvas);
  t.same(picture.at(1, 20), RED, 'the left side of the first line');
  t.same(picture.at(1, 60), WHITE, 'none on the second line');
  const [, end] = redIn(picture, [undefined, 8 + 12]);
  t.equal(end, 3, 'none at the end of the first line');
  t.equal(redIn(picture, [undefined, 60])[1]! > 60, true, 'one at the end of the second');
});

t.test('continues keeps boxes open around further spans', async (t) => {
  const inner = { text: 'HH', backgroundColor: 'white' };
  const spans = [
    { ...box, padding: [0, 10] },
    { ...inner, continues: 1 },
    { text: 'HH', continues: 1 },
  ];
  const picture = await draw([{ ...text, spans }], canvas);
  const [left, right] = redIn(picture, [undefined, 20]);
  t.equal(left, 0);
  const closed = redIn(
    await draw(
      [
        {
          ...text,
          spans: spans.map(({ text }) => ({ text })).map((each, i) => ({ ...spans[i], ...each, continues: 0 })),
        },
      ],
      canvas,
    ),
    [undefined, 20],
  );
  t.ok(right! > closed[1]! + 40, 'the box has the text of three spans');
  t.same(picture.at(Math.round((left! + right!) / 2), 20), WHITE, 'the inner one is on top');
});

t.test('a box opens with a span without text, in its font', async (t) => {
  const height = async (fontSize: number) => {
    const spans = [
      { text: '', fontSize, backgroundColor: 'red', padding: 0 },
      { text: 'HH', continues: 1 },
    ];
    const [top, bottom] = redIn(await draw([{ ...text, height: 80, spans }], canvas), [5, undefined]);
    return bottom! - top! + 1;
  };
  t.equal(await height(20), 24);
  t.equal(await height(10), 12);
});

t.test('wrong values are reported with their path', (t) => {
  const spans = [{ text: 'a', padding: -1, continues: 99, baselineShift: 'up' }];
  const found = validate({ canvas, layers: [{ ...text, spans }] });
  t.match(found.details.map(({ path }) => path).sort(), [
    'layers[0].spans[0].baselineShift',
    'layers[0].spans[0].continues',
    'layers[0].spans[0].padding',
  ]);
  t.end();
});

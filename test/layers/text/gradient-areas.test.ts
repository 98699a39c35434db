// Gradients that run along spans instead of over the box of their layer.
import t from 'tap';
import { validate } from '../../../lib/index.js';
import { draw, type Picture } from '../picture.js';

const text = { type: 'text', x: 0, y: 0, width: 200, height: 60, fontSize: 20 };
const STEPS = 'linear-gradient(90deg, red 50%, blue 50%)';
const canvas = { width: 200, height: 60, backgroundColor: 'white' };

/** Whether the ink of the rows is red, blue or both. */
function colorsOf({ width, at }: Picture, [top, bottom]: readonly [number, number], [left, right] = [0, width]) {
  const found = new Set<string>();
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const [r, , b] = at(x, y);
      if (r > b + 200) found.add('red');
      if (b > r + 200) found.add('blue');
    }
  }
  return [...found].sort().join(' ');
}

const FIRST = [0, 24] as const;
const SECOND = [24, 48] as const;

t.test('a gradient lies in the box of the layer unless the span has it for itself', async (t) => {
  const spans = (gradientBox?: string) => [{ text: 'HHHH', color: STEPS, ...(gradientBox && { gradientBox }) }];
  t.equal(colorsOf(await draw([{ ...text, spans: spans() }], canvas), FIRST), 'red');
  t.equal(colorsOf(await draw([{ ...text, spans: spans('layer') }], canvas), FIRST), 'red');
  t.equal(colorsOf(await draw([{ ...text, spans: spans('span') }], canvas), FIRST), 'blue red');
});

t.test('it goes on from line to line, from the right where the text does', async (t) => {
  const lines = (more: object) =>
    draw([{ ...text, ...more, spans: [{ text: 'HHHH\nHHHH', color: STEPS, gradientBox: 'span' }] }], canvas);
  const leftToRight = await lines({});
  t.same([colorsOf(leftToRight, FIRST), colorsOf(leftToRight, SECOND)], ['red', 'blue']);
  const rightToLeft = await lines({ direction: 'rtl' });
  t.same([colorsOf(rightToLeft, FIRST), colorsOf(rightToLeft, SECOND)], ['blue', 'red']);
});

t.test('background, stroke and decoration of the span lie there, too', async (t) => {
  for (const style of [
    { backgroundColor: STEPS, color: 'transparent' },
    { stroke: { width: 2, color: STEPS }, color: 'white' },
    { textDecoration: { line: 'underline', thickness: 4 }, color: STEPS, text: '    ' },
  ]) {
    const spans = [{ text: 'HHHH', gradientBox: 'span', ...style }, { text: '.' }];
    t.equal(colorsOf(await draw([{ ...text, spans }], canvas), FIRST), 'blue red', JSON.stringify(style));
  }
});

t.test('what markup makes of a span shares its gradient', async (t) => {
  const spans = [{ text: 'HH**HH**', color: STEPS, gradientBox: 'span' }];
  const picture = await draw([{ ...text, markup: true, spans }], canvas);
  t.equal(colorsOf(picture, FIRST, [0, 20]), 'red');
  t.equal(colorsOf(picture, FIRST, [40, 200]), 'blue');
});

t.test('it turns with the layer', async (t) => {
  const spans = [{ text: 'HHHH', color: STEPS, gradientBox: 'span' }];
  const picture = await draw([{ ...text, width: 60, height: 60, rotation: 180, spans }], canvas);
  t.equal(colorsOf(picture, [30, 60], [30, 60]), 'red');
  t.match(colorsOf(picture, [30, 60], [0, 28]), /blue/);
});

t.test('has no effect along a path, which a warning says', async (t) => {
  const spans = [{ text: 'a', gradientBox: 'span' }];
  const { warnings } = validate({ canvas, layers: [{ ...text, textPath: 'M0 20H100', spans }] });
  t.same(warnings, [
    {
      code: 'no_effect',
      path: 'layers[0].spans[0].gradientBox',
      message: 'has no effect with textPath',
      value: 'span',
    },
  ]);
});

// Backgrounds of several fills, painted on canvas, groups, texts and spans.
import t from 'tap';
import { BLUE, draw, LIME, RED, shape } from './picture.js';

const LEFT_RED = 'linear-gradient(90deg, red 50%, transparent 50%)';
const box = { x: 0, y: 0, width: 40, height: 30 };

t.test('the first fill is on top, everywhere', async (t) => {
  const backgroundColor = [LEFT_RED, 'blue', 'lime'];
  const text = { type: 'text', text: '', ...box, backgroundColor };
  const pictures = {
    canvas: await draw([], { backgroundColor }),
    group: await draw([{ type: 'group', ...box, layers: [], backgroundColor }]),
    text: await draw([text]),
  };
  for (const [name, { at }] of Object.entries(pictures)) t.same([at(5, 5), at(35, 25)], [RED, BLUE], name);
  const span = { text: '    x', backgroundColor: ['transparent', 'lime', 'red'], color: 'lime' };
  const { at } = await draw([{ ...text, backgroundColor: undefined, spans: [span], fontSize: 20 }]);
  t.same(at(2, 10), LIME, 'span');
});

t.test('a template has it as background.color', async (t) => {
  const { at } = await draw([shape(0, 0, 1, 1)], { backgroundColor: ['blue', 'red'] });
  t.same(at(9, 9), BLUE);
});

t.test('fills over each other are half opaque as one', async (t) => {
  const backgroundColor = ['red', 'blue'];
  for (const layer of [
    { type: 'text', text: '', ...box, backgroundColor, opacity: 0.5 },
    { type: 'group', layers: [], ...box, backgroundColor, opacity: 0.5 },
  ]) {
    const [r, g, b, a] = (await draw([layer])).at(9, 9);
    t.same([r, g, b], [255, 0, 0], layer.type);
    t.ok(a === 127 || a === 128, `alpha ${a}`);
  }
});

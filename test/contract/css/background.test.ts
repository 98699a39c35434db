// Backgrounds: one fill, or an array of fills of which the first is on top.
import t from 'tap';
import { background } from '../../../lib/contract/css/background.js';
import { fill } from '../../../lib/contract/css/fill.js';
import { validate } from '../../../lib/index.js';
import { fillsOf, isOpaqueBackground } from '../../../lib/raster/fill.js';

const messageOf = (value: unknown) => background.safeParse(value).error?.issues[0]?.message;

t.test('is what a fill is, or a list in the order of CSS', async (t) => {
  for (const text of ['red', 'linear-gradient(red, blue)', 'transparent']) {
    t.same(background.parse(text), fill.parse(text), text);
    t.same(background.parse([text]), fill.parse(text), `${text} alone in an array`);
  }
  const [top, bottom] = [fill.parse('red'), fill.parse('blue')];
  t.same(background.parse(['red', 'blue']), [top, bottom]);
  t.same(fillsOf(background.parse(['red', 'blue'])), [bottom, top], 'painted from the bottom');
});

t.test('is opaque if one of its fills is', async (t) => {
  t.ok(isOpaqueBackground(background.parse(['rgba(0, 0, 0, .5)', 'red'])));
  t.notOk(isOpaqueBackground(background.parse(['rgba(0, 0, 0, .5)', 'rgba(0, 0, 0, .5)'])));
});

t.test('says what is wrong as a fill does', async (t) => {
  for (const text of ['bluu', '', 'linear-gradient(red)', 'linear-gradient(red, nix)']) {
    t.equal(messageOf(text), fill.safeParse(text).error?.issues[0]?.message, text);
  }
  const expected = 'a CSS colour or gradient, or an array of 1 to 8 of them';
  for (const value of [5, {}, [], Array(9).fill('red')]) t.equal(messageOf(value), expected, JSON.stringify(value));
  const layers = [{ type: 'group', x: 0, y: 0, width: 9, height: 9, layers: [], backgroundColor: ['red', 'bluu'] }];
  const { details } = validate({ canvas: { width: 9, height: 9, backgroundColor: ['red', 'blue', 5] }, layers });
  t.same(
    details.map(({ path }) => path),
    ['canvas.backgroundColor[2]', 'layers[0].backgroundColor[1]'],
  );
});

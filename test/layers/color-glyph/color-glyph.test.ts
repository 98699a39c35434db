// Colour glyphs: the text's colour, degenerate gradients, emoji of the text's own font, and the limits of what is painted.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { IDENTITY } from '../../../lib/geometry/affine.js';
import { placeColorGlyph } from '../../../lib/layers/color-glyph/place.js';
import type { GlyphPaint } from '../../../lib/text/glyph-paint.js';
import {
  BOX,
  blend,
  CHARACTERS,
  colorFont,
  colorFontFile,
  colorLine,
  colrTable,
  FLAT_CHARACTER,
  glyph,
  linear,
  PAD,
  type Paint,
  REPEAT,
  radial,
  solid,
  TEXT_COLOR,
  TITLES,
} from '../../fonts/color-font.js';
import { sfnt } from '../../fonts/font-maker.js';
import { CLEAR, draw, type Pixel } from '../picture.js';

const urlOf = (file: Uint8Array) => `data:font/ttf;base64,${Buffer.from(file).toString('base64')}`;
const FONT = urlOf(colorFontFile());

/** Draws one character 100 pixels wide and high on a transparent canvas. */
function drawCharacter(text: string, more: object = {}) {
  const box = { x: 0, y: 0, width: 100, height: 100 };
  const layer = { type: 'text', text, ...box, fontSize: 100, lineHeight: 1, customFontUrl: FONT, ...more };
  return draw([layer], { width: 100, height: 100 });
}

/** Draws a paint. */
const drawPaint = (paint: Paint, more: object = {}) =>
  drawCharacter('a', { customFontUrl: urlOf(sfnt(fontOf(paint))), ...more });

const fontOf = (paint: Paint) => colorFont([paint], 'a');

const character = (title: string) => CHARACTERS[TITLES.indexOf(title)];

t.test('the font of the golden images is the generated one', async (t) => {
  const file = readFileSync(new URL('../../golden/assets/paints.ttf', import.meta.url));
  t.ok(file.equals(colorFontFile()), 'write it again with the one that color-font.ts generates');
});

t.test('the text colour is that of the text, with its alpha on the glyph as a whole', async (t) => {
  const title = character('the text colour');
  t.same((await drawCharacter(title, { color: '#f00' })).at(50, 50), [255, 0, 0, 191]);
  t.same((await drawCharacter(title, { color: '#ff000080' })).at(50, 50), [255, 0, 0, 96]);
  const layered = await drawCharacter(character('layers'), { color: '#00000080' });
  t.same(layered.at(50, 20), [249, 199, 20, 128], 'the layer below does not show through');
  const gradient = await drawCharacter(FLAT_CHARACTER, { color: 'linear-gradient(#f00 20%, #00f 80%)' });
  t.same(gradient.at(40, 10), [255, 0, 0, 255]);
  t.same(gradient.at(40, 90), [0, 0, 255, 255]);
});

t.test('degenerate gradients are one colour, two, or nothing', async (t) => {
  const middle = async (paint: Paint): Promise<Pixel> => (await drawPaint(glyph(BOX, paint))).at(50, 50);
  const [red, blue]: Pixel[] = [
    [230, 40, 60, 255],
    [30, 90, 220, 255],
  ];
  const line = (extend: number, ...offsets: number[]) =>
    colorLine(
      extend,
      offsets.map((offset, i) => [offset, i === 0 ? 0 : 2]),
    );
  const points = [0, 0, 1000, 0, 0, 1000];
  t.same(await middle(linear(line(PAD, 0.9, 0.9), points)), red, 'before the only place of the stops');
  t.same(await middle(linear(line(PAD, 0.1, 0.1), points)), blue, 'after it');
  t.same(await middle(linear(line(REPEAT, 0.1, 0.1), points)), CLEAR, 'no length to repeat');
  t.same(await middle(linear(line(PAD, 0, 1), [0, 0, 0, 0, 0, 500])), CLEAR, 'no direction');
  t.same(await middle(linear(line(PAD, 0, 1), [0, 0, 300, 300, 500, 500])), CLEAR, 'lines of one colour along it');
  t.same(await middle(radial(line(PAD, 0, 1), [500, 500, 0, 500, 500, 0])), CLEAR, 'no radius');
  t.same(await middle(linear(colorLine(PAD, [[1, TEXT_COLOR]]), points)), [0, 0, 0, 255], 'one stop');
});

t.test('emoji come from the text’s own font if that has colour glyphs, else from the bundled one', async (t) => {
  const emoji = '\u{1f600}';
  const file = sfnt(colorFont([glyph(BOX, solid(2))], emoji));
  t.same((await drawCharacter(emoji, { customFontUrl: urlOf(file) })).at(50, 50), [30, 90, 220, 255]);
  const { COLR: _, ...plain } = colorFont([glyph(BOX, solid(2))], emoji);
  t.not((await drawCharacter(emoji, { customFontUrl: urlOf(sfnt(plain)) })).at(50, 50)[2], 220);
});

t.test('paints nothing that has no bounds', async (t) => {
  t.same((await drawPaint(solid(0))).at(50, 50), CLEAR);
  t.same((await drawPaint(blend(3, solid(0), glyph(BOX, solid(1))))).at(50, 50), CLEAR);
  t.same((await drawPaint(blend(5, solid(0), glyph(BOX, solid(1))))).at(50, 50), [230, 40, 60, 255]);
});

t.test('a glyph that nests too many groups, or costs too much, is an error of the text', async (t) => {
  let nested: Paint = solid(0);
  for (let i = 0; i < 9; i++) nested = blend(5, glyph(BOX, solid(0)), nested);
  await t.rejects(drawPaint(nested), { code: 'render_failed', message: /nests more than 8 composites or clips/ });
  const gradient = glyph(BOX, linear(colorLine(PAD, [[0, 0]]), [0, 0, 1000, 0, 0, 1000]));
  const layers = Array.from({ length: 250 }, () => gradient);
  const table = colrTable({ glyphs: [[4, Buffer.from([1, 250, 0, 0, 0, 0])]], layers });
  const customFontUrl = urlOf(sfnt({ ...fontOf(solid(0)), COLR: table }));
  const large = { customFontUrl, fontSize: 2000, width: 2000, height: 2000 };
  await t.rejects(drawCharacter('a', large), { message: /too complex for this much text/ });
  t.same((await drawCharacter('a', { customFontUrl })).at(50, 50), [230, 40, 60, 255]);
});

t.test('maps that multiply beyond reason paint nothing', (t) => {
  let paint: GlyphPaint = { kind: 'solid', color: undefined, alpha: 1 };
  for (let i = 0; i < 3; i++) paint = { kind: 'transform', map: { ...IDENTITY, a: 32_000 }, paint };
  t.equal(placeColorGlyph({} as never, paint, IDENTITY), undefined);
  t.end();
});

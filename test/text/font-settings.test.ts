// fontFeatures and fontVariations: shaping, caches, axes, and warnings about what has no effect.
import t from 'tap';
import { createFontRegistry } from '../../lib/fonts/registry.js';
import { render as renderImage } from '../any-payload.js';
import { variableFont } from '../fonts/font-maker.js';
import { glyphsOf, lay } from './setting.js';

const typefaces = createFontRegistry();
const file = variableFont();
const PLAIN = { fontFamily: 'Inter', fontWeight: 400, fontStyle: 'normal' } as const;
const stackOf = async (request: object, text = 'abc') =>
  (await typefaces.resolveStack({ ...PLAIN, ...request }, text, async () => file)).stack;
const shapes = async (text: string, request: object, letterSpacing = 0) => {
  const [line] = lay(text, await stackOf(request, text), { wrap: false, letterSpacing }).lines;
  return { glyphs: glyphsOf(line).map(({ id }) => id), width: line.width };
};

t.test('turns OpenType features on and off', async (t) => {
  const plain = await shapes('111', {});
  const tabular = await shapes('111', { fontFeatures: { tnum: 1 } });
  t.not(plain.width, tabular.width);
  t.equal(tabular.width, (await shapes('777', { fontFeatures: { tnum: 1 } })).width);
  t.same(await shapes('111', {}), plain, 'the cache of shaped text tells them apart');
  const playfair = { fontFamily: 'Playfair Display' };
  const count = async (request: object, spacing = 0) =>
    (await shapes('fi', { ...playfair, ...request }, spacing)).glyphs.length;
  t.same([await count({}), await count({ fontFeatures: { liga: 0 } })], [1, 2]);
  t.same([await count({}, 1), await count({ fontFeatures: { liga: 1 } }, 1)], [2, 1], 'also where letters are spaced');
  const spaced = await shapes('a\u00adb', { fontFeatures: { case: 1 } });
  t.ok(spaced.width > 0);
});

t.test('sets the axes of a variable font, in place of its weight', async (t) => {
  const custom = { customFontUrl: 'a.ttf' };
  const weight = (fontWeight: number) => stackOf({ ...custom, fontWeight });
  const axis = (wght: number, fontWeight = 400) => stackOf({ ...custom, fontWeight, fontVariations: { wght } });
  const outline = async (stack: ReturnType<typeof stackOf>) => {
    const { primary } = await stack;
    return primary.outline(primary.glyph(0x61)).coords.join();
  };
  t.equal(await outline(axis(900)), await outline(weight(900)));
  t.not(await outline(axis(900)), await outline(weight(400)));
  t.equal(await outline(axis(900, 100)), await outline(weight(900)), 'the explicit setting wins');
  t.equal(await outline(axis(1e5)), await outline(axis(1000)), 'within the range of the axis');
  t.equal((await axis(900)).primary, (await axis(900)).primary, 'opened once');
  t.ok((await axis(900)).primary.hasAxis('wght'));
  t.notOk((await stackOf({})).primary.hasAxis('wght'), 'bundled faces are static');
});

t.test('warns about axes and features that the font lacks', async (t) => {
  const render = async (fields: object) => {
    const layer = { type: 'text', x: 0, y: 0, width: 90, height: 20, text: 'a', ...fields };
    return (await renderImage({ canvas: { width: 90, height: 20 }, layers: [layer] })).warnings;
  };
  t.same(await render({ fontFeatures: { tnum: 1, liga: 0, zzzz: 0 } }), []);
  t.match(await render({ fontFeatures: { tnum: 1, zzzz: 1 } }), [
    { path: 'layers[0].fontFeatures', message: 'the font has no feature "zzzz", which has no effect' },
  ]);
  t.match(await render({ fontVariations: { wght: 450, opsz: 1 } }), [
    { path: 'layers[0].fontVariations', message: 'the font has no axis "wght", "opsz", which has no effect' },
  ]);
});

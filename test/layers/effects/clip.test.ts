// Masks and clip paths on whole layers.
import t from 'tap';
import { BLUE, CLEAR, draw, inkOf, inkSum, LIME, type Pixel, pngUrl, RED, shape } from '../picture.js';

const red = { fillColor: '#ff0000' };
const HALF: Pixel = [0, 0, 0, 128];
/** Opaque on the left, half transparent on the right. */
const MASK = pngUrl([[LIME, HALF]]);

t.test('clipPath keeps what lies in the shape, which refers to the layer’s box', async (t) => {
  const clipped = await draw([shape(5, 5, 20, 20, { ...red, clipPath: 'inset(25% 5px 0 10px)' })]);
  t.same(inkOf(clipped), { left: 15, top: 10, right: 20, bottom: 25 });
  t.equal(inkSum(clipped), 75);
  const circle = await draw([shape(5, 5, 20, 20, { ...red, clipPath: 'circle(50%)' })]);
  t.ok(Math.abs(inkSum(circle) - 314.16) < 1);
  const hole = 'polygon(evenodd, 0 0, 100% 0, 100% 100%, 0 100%, 0 0, 5px 5px, 15px 5px, 15px 15px, 5px 15px, 5px 5px)';
  t.same((await draw([shape(5, 5, 20, 20, { ...red, clipPath: hole })])).at(15, 15), CLEAR);
  const path = await draw([shape(5, 5, 20, 20, { ...red, clipPath: "path('M 2 2 H 8 V 4 H 2 Z')" })]);
  t.same(inkOf(path), { left: 7, top: 7, right: 13, bottom: 9 });
  t.equal(inkOf(await draw([shape(5, 5, 20, 20, { ...red, clipPath: 'circle(0)' })])), undefined);
});

t.test('clipPath turns and flips with the layer, and cuts what overflows the box', async (t) => {
  const turned = await draw([shape(10, 5, 20, 20, { ...red, rotation: 90, clipPath: 'inset(0 0 15px 0)' })]);
  t.same(inkOf(turned), { left: 25, top: 5, right: 30, bottom: 25 });
  const flipped = await draw([shape(10, 5, 20, 20, { ...red, flip: 'x', clipPath: 'inset(0 15px 0 0)' })]);
  t.same(inkOf(flipped), { left: 25, top: 5, right: 30, bottom: 25 });
  const text = { type: 'text', text: 'WWWW', fontSize: 30, wrap: false, x: 2, y: 0, width: 10, height: 30 };
  t.equal(inkOf(await draw([{ ...text, clipPath: 'inset(0)' }]))?.right, 12);
  t.equal(inkOf(await draw([{ ...text, clipPath: 'inset(0 -5px)' }]))?.right, 17);
});

t.test('a shadow is of what the mask and the clip path leave', async (t) => {
  const shadow = { color: '#0000ff', offsetX: 10 };
  const clipped = await draw([shape(5, 5, 8, 8, { ...red, clipPath: 'inset(2px)', shadow })]);
  t.same(inkOf(clipped), { left: 7, top: 7, right: 21, bottom: 11 });
  t.same(clipped.at(18, 9), BLUE);
  const masked = await draw([shape(0, 5, 8, 8, { ...red, maskImage: { url: MASK, fit: 'fill' }, shadow })]);
  t.same(masked.at(0, 6), RED);
  t.ok(Math.abs(masked.at(17, 6)[3] - 128) < 3, 'half of it where the mask is half transparent');
  const border = { width: 2, color: '#00ff00' };
  const bordered = await draw([shape(5, 5, 20, 20, { ...red, border, clipPath: 'inset(1px)' })]);
  t.same(inkOf(bordered), { left: 6, top: 6, right: 24, bottom: 24 }, 'the border is clipped too');
  t.same(bordered.at(6, 10), LIME);
});

t.test('maskImage scales the layer’s alpha by the mask’s, in its box', async (t) => {
  const masked = await draw([shape(10, 5, 20, 10, { ...red, maskImage: { url: MASK, fit: 'fill' } })]);
  t.same(masked.at(10, 10), RED, 'the mask’s colour does not matter');
  t.same(masked.at(29, 10), [255, 0, 0, 128]);
  const contained = await draw([shape(10, 5, 20, 20, { ...red, maskImage: { url: MASK, fit: 'contain' } })]);
  t.same(inkOf(contained), { left: 10, top: 10, right: 30, bottom: 20 });
  const covered = await draw([shape(10, 5, 20, 10, { ...red, maskImage: { url: pngUrl([[CLEAR, LIME]]) } })]);
  t.same(covered.at(29, 14), RED, 'cover is the default');
  const faint = await draw([shape(0, 0, 8, 8, { ...red, opacity: 0.5, maskImage: { url: pngUrl([[HALF]]) } })]);
  t.same(faint.at(4, 4), [255, 0, 0, 64]);
});

t.test('a gradient masks', async (t) => {
  const masked = await draw([
    shape(0, 0, 40, 10, { ...red, maskImage: 'linear-gradient(90deg, black 50%, transparent 50%)' }),
  ]);
  t.same(inkOf(masked), { left: 0, top: 0, right: 20, bottom: 10 });
  const turned = { ...red, rotation: 180, maskImage: 'linear-gradient(90deg, black, transparent)' };
  const soft = await draw([shape(0, 0, 40, 10, turned)]);
  t.ok(Math.abs(soft.at(10, 5)[3] - 67) < 3, 'it turns with the layer');
  const text = { type: 'text', text: 'WWWW', fontSize: 30, wrap: false, x: 2, y: 0, width: 10, height: 30 };
  const cut = await draw([{ ...text, maskImage: 'linear-gradient(black, black)' }]);
  t.equal(inkOf(cut)?.right, 12, 'nothing is left outside the box');
});

t.test('malformed masks and clip paths are reported', async (t) => {
  const fails = async (more: object, message: RegExp) => t.rejects(draw([shape(0, 0, 9, 9, more)]), message);
  await fails({ clipPath: 'circle(1)' }, /layers\[0\]\.clipPath: received "circle\(1\)", expected a CSS shape/);
  await fails({ clipPath: 'path("M0 0 L 1")' }, /layers\[0\]\.clipPath: .*at character \d+ of the path data/);
  await fails({ maskImage: 'red' }, /layers\[0\]\.maskImage: received "red", expected a CSS gradient/);
  await fails({ maskImage: 'linear-gradient(red)' }, /layers\[0\]\.maskImage/);
  await fails({ maskImage: { url: 'http://127.0.0.1:9/a.png' } }, /layers\[0\]\.maskImage\.url/);
  await fails({ maskImage: { url: 'ftp://a' } }, /layers\[0\]\.maskImage\.url/);
});

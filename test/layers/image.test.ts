// Image layers: fit, masks, borders and the fallback colour.
import t from 'tap';
import { BLUE, CLEAR, draw, inkOf, inkSum, LIME, type Pixel, pngUrl, RED, RED_BLUE, WHITE } from './picture.js';

function image(x: number, y: number, width: number, height: number, more: object = {}): object {
  return { type: 'image', url: RED_BLUE, x, y, width, height, ...more };
}

const green = pngUrl([[LIME]]);

t.test('cover is the default: the image fills the box, centred', async (t) => {
  // 2 × 1 over 20 × 20: drawn 40 × 20, its middle half seen
  const picture = await draw([image(5, 5, 20, 20)]);
  t.equal(inkSum(picture), 400);
  t.same(inkOf(picture), { left: 5, top: 5, right: 25, bottom: 25 });
  // the outermost pixel's middle is 0.525 px into the picture, 0.025 of the way from red to blue
  t.same(picture.at(5, 10), [249, 0, 5, 255]);
  t.same(picture.at(24, 10), [6, 0, 248, 255]);
  const middle = [picture.at(14, 10), picture.at(15, 10)];
  t.ok(middle[0][0] > middle[0][2] && middle[1][2] > middle[1][0], 'the seam is in the middle');
  t.same((await draw([image(5, 5, 20, 20, { fit: 'cover' })])).data, picture.data);
});

t.test('contain leaves the rest transparent', async (t) => {
  const picture = await draw([image(5, 5, 20, 20, { fit: 'contain' })]);
  t.same(inkOf(picture), { left: 5, top: 10, right: 25, bottom: 20 });
  t.same(picture.at(10, 7), CLEAR);
  const tall = await draw([image(2, 2, 36, 8, { fit: 'contain' })]);
  t.same(inkOf(tall), { left: 12, top: 2, right: 28, bottom: 10 });
  const masked = await draw([image(5, 5, 20, 20, { fit: 'contain', mask: 'circle' })]);
  t.same(masked.at(6, 15)[3] > 0, true);
  t.same(masked.at(15, 6), CLEAR, 'a mask around it does not fill it');
  for (const rotation of [0, 90]) {
    const narrow = await draw([
      image(5, 5, 20, 20, { url: pngUrl([[RED], [BLUE]]), fit: 'contain', mask: 'circle', rotation }),
    ]);
    const ink =
      rotation === 0 ? { left: 10, top: 5, right: 20, bottom: 25 } : { left: 5, top: 10, right: 25, bottom: 20 };
    t.same(inkOf(narrow), ink, `nor beside it, turned by ${rotation} degrees`);
  }
});

t.test('fill stretches the image to the box', async (t) => {
  const picture = await draw([image(5, 5, 10, 20, { fit: 'fill' })]);
  t.equal(inkSum(picture), 200);
  t.same(picture.at(5, 24), RED);
  t.same(picture.at(14, 5), BLUE);
});

t.test('masks', async (t) => {
  const area = async (mask: string, more: object = {}) =>
    inkSum(await draw([image(0, 0, 40, 40, { mask, url: green, ...more })], { height: 40 }));
  const near = (value: number, expected: number, message: string) =>
    t.ok(Math.abs(value - expected) < 2.5, `${message}: ${value} for ${expected}`);
  t.equal(await area('none'), 1600);
  near(await area('circle'), Math.PI * 400, 'circle');
  near(await area('squircle'), 3.70815 * 400, 'squircle');
  near(await area('rounded'), 1600 - 0.8584 * 256, 'rounded: 16 by default');
  near(await area('rounded', { borderRadius: 6 }), 1600 - 0.8584 * 36, 'rounded 6');
  t.equal(await area('rounded', { borderRadius: 0 }), 1600);
  t.equal(await area('none', { borderRadius: 12 }), 1600, 'a radius without its mask does nothing');
  const oblong = await draw([image(0, 5, 40, 20, { mask: 'circle', url: green })]);
  t.ok(Math.abs(inkSum(oblong) - Math.PI * 200) < 2, 'an oblong circle is an ellipse');
});

t.test('the border follows the mask, inside the box, over the image', async (t) => {
  const border = { color: '#ffffff', width: 4 };
  const plain = await draw([image(5, 5, 20, 20, { url: green, border })]);
  t.same(inkOf(plain), { left: 5, top: 5, right: 25, bottom: 25 });
  t.same(plain.at(8, 15), WHITE);
  t.same(plain.at(9, 15), LIME);
  const round = await draw([image(5, 5, 20, 20, { url: green, border, mask: 'circle' })]);
  t.same(round.at(6, 6), CLEAR);
  t.same(round.at(7, 15), WHITE);
  t.same(round.at(15, 15), LIME);
  const thin = await draw([image(5, 5, 20, 20, { url: green, border: {} })]);
  t.same(thin.at(5, 15), [0, 0, 0, 255], '1 px of black by default');
  t.same(thin.at(6, 15), LIME);
});

t.test('fallbackColor fills the mask when the image can’t be decoded, with a warning', async (t) => {
  const broken = 'data:image/png;base64,AAAA';
  const picture = await draw([image(5, 5, 20, 20, { url: broken, fallbackColor: '#ff0000', mask: 'circle' })]);
  t.same(picture.at(15, 15), RED);
  t.same(picture.at(5, 5), CLEAR);
  t.match(picture.warnings, [{ path: 'layers[0].url', message: /fallbackColor/ }]);
  await t.rejects(draw([image(5, 5, 20, 20, { url: broken })]), { code: 'render_failed' });
  t.same((await draw([image(5, 5, 20, 20, { fallbackColor: '#ff0000', url: green })])).at(15, 15), LIME);
});

t.test('scaling is premultiplied: the colour of transparent pixels does not shine through', async (t) => {
  const clearRed: Pixel = [255, 0, 0, 0];
  const url = pngUrl([[clearRed, LIME]]);
  const picture = await draw([image(0, 0, 40, 20, { url, fit: 'fill' })]);
  for (let x = 0; x < 40; x++) {
    const [r, , b, a] = picture.at(x, 10);
    if (a > 0) t.same([r, b], [0, 0], `only green at ${x}`);
  }
  t.equal(picture.at(0, 10)[3], 0);
  t.equal(picture.at(39, 10)[3], 255);
});

t.test('an image of one colour keeps it at every size and rotation', async (t) => {
  for (const [width, height, rotation] of [
    [30, 20, 0],
    [17.3, 11.9, 0],
    [30, 20, 90],
    [24, 16, 33],
  ]) {
    const url = pngUrl(Array.from({ length: 37 }, () => new Array<Pixel>(53).fill(LIME)));
    const picture = await draw([image(5, 5, width, height, { url, rotation })]);
    let odd = 0;
    for (let i = 0; i < picture.data.length; i += 4) {
      const [r, g, b, a] = picture.data.subarray(i, i + 4);
      if (a > 0 && (r !== 0 || g !== 255 || b !== 0)) odd++;
    }
    t.equal(odd, 0, `${width} × ${height}, ${rotation} degrees`);
    t.ok(Math.abs(inkSum(picture) - Math.round(width) * Math.round(height)) < 2);
  }
});

t.test('zero size draws nothing', async (t) => {
  t.equal(inkOf(await draw([image(5, 5, 0, 20)])), undefined);
  t.equal(inkOf(await draw([image(5, 5, 20, 0, { fit: 'contain', border: { width: 3 } })])), undefined);
});

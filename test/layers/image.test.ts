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

/** 4 × 2 pixels: white, red, lime, blue in the upper row, the reverse in the lower. */
const STRIPES = pngUrl([
  [WHITE, RED, LIME, BLUE],
  [BLUE, LIME, RED, WHITE],
]);

t.test('position moves the picture in its box', async (t) => {
  const at = async (position: string, more: object = {}) =>
    draw([image(0, 0, 10, 20, { url: RED_BLUE, position, ...more })]);
  t.same((await at('left')).at(0, 10), RED);
  t.same((await at('left')).at(9, 10)[2] < 128, true);
  t.same((await at('right')).at(9, 10), BLUE);
  const contained = async (position: string) => inkOf(await at(position, { fit: 'contain' }));
  t.same(await contained('top'), { left: 0, top: 0, right: 10, bottom: 5 });
  t.same(await contained('0 100%'), { left: 0, top: 15, right: 10, bottom: 20 });
  t.same(await contained('center bottom 3px'.replace('center', 'left 0')), { left: 0, top: 12, right: 10, bottom: 17 });
  t.same(await contained('50% 4px'), { left: 0, top: 4, right: 10, bottom: 9 });
});

t.test('none keeps the size of the picture, scale-down never enlarges it', async (t) => {
  const inBox = (fit: string, more: object = {}) => draw([image(4, 4, 20, 10, { url: STRIPES, fit, ...more })]);
  t.same(inkOf(await inBox('none')), { left: 12, top: 8, right: 16, bottom: 10 });
  t.same((await inBox('none')).at(13, 8), RED);
  t.same(inkOf(await inBox('scale-down')), { left: 12, top: 8, right: 16, bottom: 10 });
  t.same(inkOf(await inBox('scale-down', { width: 2, height: 6 })), { left: 4, top: 7, right: 6, bottom: 8 });
  t.same(inkOf(await inBox('none', { width: 2, height: 1, position: '0 0' })), {
    left: 4,
    top: 4,
    right: 6,
    bottom: 5,
  });
});

t.test('crop takes the place of the picture', async (t) => {
  const crop = { x: 1, y: 0, width: 2, height: 1 };
  const filled = await draw([image(0, 0, 20, 10, { url: STRIPES, crop })]);
  // enlarged: beyond the middle of its outermost pixels, what lies beside the part shows through
  t.same([filled.at(5, 2)[0] > 200, filled.at(14, 2)[1] > 200], [true, true]);
  t.equal(inkSum(filled), 200);
  const beside = await draw([image(0, 0, 40, 10, { url: STRIPES, crop, fit: 'contain' })]);
  t.same(inkOf(beside), { left: 0, top: 0, right: 40, bottom: 10 }, 'as in CSS, the rest of the picture surrounds it');
  const own = await draw([image(0, 0, 20, 10, { url: STRIPES, crop, fit: 'none' })]);
  t.same(inkOf(own), { left: 8, top: 5, right: 12, bottom: 7 });
  t.same(own.at(9, 5), RED);
});

t.test('a crop beyond the picture leaves the rest transparent, with a warning', async (t) => {
  const crop = { x: -4, y: 0, width: 8, height: 2 };
  const picture = await draw([image(0, 0, 16, 4, { url: STRIPES, crop, fit: 'fill' })]);
  t.same(inkOf(picture), { left: 8, top: 0, right: 16, bottom: 4 });
  t.same(picture.warnings, [
    { code: 'crop_outside', path: 'layers[0].crop', message: 'reaches beyond the picture of 4 × 2 pixels' },
  ]);
  const missed = await draw([image(0, 0, 16, 4, { url: STRIPES, crop: { ...crop, x: 4 } })]);
  t.equal(inkOf(missed), undefined);
  t.match(missed.warnings, [{ path: 'layers[0].crop', message: /lies beyond the picture of 4 × 2 pixels/ }]);
  const inside = await draw([image(0, 0, 16, 4, { url: STRIPES, crop: { x: 0, y: 0, width: 4, height: 2 } })]);
  t.same(inside.warnings, []);
});

t.test('tiles fill the box', async (t) => {
  const tiled = await draw([image(1, 1, 10, 5, { url: STRIPES, repeat: 'tile' })]);
  t.equal(inkSum(tiled), 50);
  for (const [x, y] of [
    [2, 1],
    [6, 1],
    [10, 1],
    [3, 2],
    [6, 5],
  ]) {
    t.same(tiled.at(x, y), RED, `${x}, ${y}`);
  }
  const moved = await draw([image(1, 1, 10, 5, { url: STRIPES, repeat: 'tile', position: '1px 100%' })]);
  t.same([moved.at(3, 5 - 1), moved.at(1, 4)], [RED, BLUE]);
  const sized = await draw([image(0, 0, 40, 30, { url: STRIPES, repeat: 'tile', tileHeight: 10 })]);
  t.same(sized.at(7, 2), sized.at(27, 12), 'one side alone keeps the ratio');
  t.not(sized.at(7, 2).join(), sized.at(17, 2).join());
  const cropped = await draw([
    image(0, 0, 8, 6, { url: STRIPES, repeat: 'tile', crop: { x: 1, y: 0, width: 1, height: 1 } }),
  ]);
  t.same([cropped.at(0, 0), cropped.at(7, 5)], [RED, RED]);
  t.equal(inkSum(cropped), 48);
});

t.test('tiles turn and scale with their layer', async (t) => {
  const turned = await draw([image(5, 5, 10, 10, { url: STRIPES, repeat: 'tile', rotation: 90 })]);
  t.equal(Math.round(inkSum(turned)), 100);
  // the first pixel of the first tile is now at the upper right
  t.same([turned.at(14, 5), turned.at(14, 6), turned.at(14, 10)], [WHITE, RED, RED]);
  const scaled = await draw([image(0, 0, 10, 10, { url: STRIPES, repeat: 'tile' })], {
    scale: 2,
    width: 10,
    height: 10,
  });
  t.same([scaled.at(8, 4), scaled.at(3, 5), scaled.width], [scaled.at(0, 0), scaled.at(11, 1), 20]);
  t.not(scaled.at(4, 0).join(), scaled.at(0, 0).join());
  const fractional = await draw([image(0, 0, 40, 30, { url: STRIPES, repeat: 'tile', tileWidth: 4.5 })]);
  t.equal(inkSum(fractional), 1200);
});

t.test('SVG images are drawn at the size of the part and of the tile', async (t) => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 4 2"><path d="M2 0h1v1H2z" fill="red"/></svg>';
  const url = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  const cropped = await draw([image(0, 0, 40, 20, { url, crop: { x: 20, y: 0, width: 20, height: 10 } })]);
  t.same(inkOf(cropped), { left: 0, top: 0, right: 20, bottom: 20 });
  t.same([cropped.at(19, 19), cropped.at(20, 19)], [RED, CLEAR], 'its edges are sharp');
  const tiled = await draw([image(0, 0, 40, 20, { url, repeat: 'tile', tileWidth: 8 })]);
  t.same([tiled.at(4, 1), tiled.at(5, 1), tiled.at(12, 5), tiled.at(6, 1)], [RED, RED, RED, CLEAR]);
  const letterboxed = `data:image/svg+xml,${encodeURIComponent(svg.replace('height="20"', 'height="40" preserveAspectRatio="xMinYMax meet"'))}`;
  const lower = await draw([image(0, 0, 40, 30, { url: letterboxed, crop: { x: 0, y: 20, width: 40, height: 20 } })]);
  t.same(inkOf(lower), { left: 20, top: 0, right: 35, bottom: 15 }, 'preserveAspectRatio still places its content');
});

t.test('smart keeps the subject, in crops too', async (t) => {
  const row = Array.from({ length: 60 }, (_, x): Pixel => (x >= 44 && x < 50 ? RED : [90, 110, 100, 255]));
  const url = pngUrl(Array.from({ length: 10 }, () => row));
  const reds = (picture: { at(x: number, y: number): Pixel }) =>
    Array.from({ length: 10 }, (_, x) => picture.at(x, 5)).filter(([r]) => r > 200).length;
  t.equal(reds(await draw([image(0, 0, 10, 10, { url, position: 'smart' })])), 6);
  t.equal(reds(await draw([image(0, 0, 10, 10, { url })])), 0);
  const crop = { x: 30, y: 0, width: 30, height: 10 };
  t.equal(reds(await draw([image(0, 0, 10, 10, { url, position: 'smart', crop })])), 6);
});

// Compositing of layers: order, group opacity, rotation, shadows and clipping to the canvas.
import fc from 'fast-check';
import t from 'tap';
import {
  BLACK,
  BLUE,
  CLEAR,
  draw,
  inkOf,
  inkSum,
  LIME,
  type Picture,
  pngUrl,
  RED,
  RED_BLUE,
  shape,
  WHITE,
} from './picture.js';

fc.configureGlobal({ seed: 2001 });

const red = { fillColor: '#ff0000' };
const hard = { color: '#0000ff' };

t.test('the canvas is transparent or has its background colour; later layers are on top', async (t) => {
  t.same((await draw([])).at(3, 3), CLEAR);
  const picture = await draw([shape(0, 0, 20, 20, red), shape(10, 0, 20, 20, { fillColor: 'blue' })], {
    backgroundColor: '#00ff00',
  });
  t.same(picture.at(5, 5), RED);
  t.same(picture.at(15, 5), BLUE);
  t.same(picture.at(35, 5), LIME);
  const translucent = await draw([shape(0, 0, 20, 20, { fillColor: 'rgba(255, 0, 0, 0.5)' })]);
  t.same(translucent.at(5, 5), [255, 0, 0, 128]);
});

t.test('opacity applies to the layer as a group: overlapping parts don’t show through', async (t) => {
  const layer = shape(5, 5, 20, 20, { ...red, border: { color: '#0000ff', width: 5 }, opacity: 0.5 });
  const picture = await draw([layer]);
  t.same(picture.at(6, 6), [0, 0, 255, 128], 'no red under the border');
  t.same(picture.at(15, 15), [255, 0, 0, 128]);
  const white = await draw([layer], { backgroundColor: '#ffffff' });
  t.same(white.at(6, 6), [127, 127, 255, 255]);
  const shadowed = await draw([shape(5, 5, 20, 20, { ...red, opacity: 0.5, shadow: { ...hard, offsetX: 6 } })]);
  t.same(shadowed.at(20, 15), [255, 0, 0, 128], 'nor of the shadow under the layer');
  t.same(shadowed.at(28, 15), [0, 0, 255, 128]);
  t.equal(inkOf(await draw([shape(5, 5, 20, 20, { opacity: 0, shadow: hard })])), undefined);
});

t.test('rotation is clockwise, in degrees, about the centre of the box', async (t) => {
  const picture = (rotation: number, more = {}) =>
    draw([{ type: 'image', url: RED_BLUE, fit: 'fill', x: 10, y: 10, width: 20, height: 10, rotation, ...more }], {
      height: 40,
    });
  const quarter = await picture(90);
  t.same(inkOf(quarter), { left: 15, top: 5, right: 25, bottom: 25 });
  t.same(quarter.at(20, 6), RED, 'the left end goes to the top');
  t.same(quarter.at(20, 24), BLUE);
  const half = await picture(180);
  t.same(inkOf(half), { left: 10, top: 10, right: 30, bottom: 20 });
  t.same(half.at(11, 15), BLUE);
  t.same((await picture(-90)).at(20, 6), BLUE);
  t.same((await picture(360)).data, (await picture(0)).data);
  t.same((await picture(450)).data, quarter.data);
  // a corner pixel: the top left corner, turned by 45 degrees, is straight left of where the top middle goes
  const corner = pngUrl([
    [RED, LIME],
    [LIME, LIME],
  ]);
  const turned = await draw([{ type: 'image', url: corner, x: 10, y: 10, width: 20, height: 20, rotation: 45 }], {
    height: 40,
  });
  t.same(turned.at(20, 7), RED, 'the corner is on top');
  t.same(turned.at(32, 20), LIME);
  t.ok(Math.abs(inkSum(turned) - 400) < 2);
});

t.test('a shadow has the given colour, offset and blur', async (t) => {
  const plain = await draw([shape(5, 5, 10, 10, { ...red, shadow: { offsetX: 12, offsetY: 8 } })]);
  t.same(inkOf(plain), { left: 5, top: 5, right: 27, bottom: 23 });
  t.same(plain.at(20, 18), [0, 0, 0, 128], 'half-black and sharp by default');
  t.same(plain.at(17, 13), [0, 0, 0, 128]);
  t.same(plain.at(16, 18), CLEAR);
  const half = await draw([shape(5, 5, 10, 10, { ...red, shadow: { color: '#0000ff', offsetX: 12.5 } })]);
  t.same(half.at(17, 10), [0, 0, 255, 128], 'half a pixel covers half of one');
  t.same(half.at(27, 10)[3], 127 + 1);
  const soft = await draw([shape(0, 0, 100, 200, { fillColor: '#fff', shadow: { ...hard, blur: 20 } })], {
    width: 160,
    height: 200,
  });
  // the edge of a half plane under a Gaussian with σ 10 is the normal distribution
  for (const [away, share] of [
    [0.5, 0.48],
    [10.5, 0.1469],
    [20.5, 0.0202],
  ]) {
    const alpha = soft.at(100 + Math.floor(away), 100)[3] / 255;
    t.ok(Math.abs(alpha - share) < 0.012, `${away} px outside: ${alpha} for ${share}`);
  }
  t.equal(soft.at(140, 100)[3], 0);
});

t.test("a shadow's offset rotates with the layer", async (t) => {
  const turned = await draw([shape(15, 10, 10, 10, { ...red, rotation: 90, shadow: { ...hard, offsetX: 12 } })]);
  t.same(turned.at(20, 15), RED);
  t.same(inkOf(turned), { left: 15, top: 10, right: 25, bottom: 30 });
  t.same(turned.at(20, 27), BLUE, 'to the right before the turn is below after it');
  const back = await draw([shape(15, 10, 10, 10, { ...red, rotation: 180, shadow: { ...hard, offsetX: 12 } })]);
  t.same(back.at(8, 15), BLUE);
  const below = await draw([shape(15, 10, 10, 10, { ...red, rotation: 90, shadow: { ...hard, offsetY: 12 } })]);
  t.same(inkOf(below), { left: 3, top: 10, right: 25, bottom: 20 }, 'below before the turn is to the left after it');
});

t.test('a shadow has the shape of the painted pixels and shows through translucent content', async (t) => {
  const ring = await draw([
    shape(5, 5, 16, 16, { border: { width: 2, color: 'red' }, shadow: { ...hard, offsetX: 4 } }),
  ]);
  t.same(ring.at(9, 15), BLUE, 'the shadow of a frame is a frame');
  t.same(ring.at(14, 14), CLEAR);
  const glass = await draw([shape(5, 5, 16, 16, { fillColor: 'rgba(255, 0, 0, 0.5)', shadow: hard })]);
  const [r, g, b, a] = glass.at(10, 10);
  // half red over a half shadow: alpha 3/4, of that a third shadow
  t.same([g, a], [0, 191 + 1]);
  t.ok(Math.abs(r - 170) <= 2 && Math.abs(b - 85) <= 2, `${r}, ${b}`);
});

t.test('a layer outside the canvas is clipped, but its shadow reaches in', async (t) => {
  const cut = await draw([shape(-10, -10, 20, 20, red), shape(35, 25, 20, 20, red)]);
  t.equal(inkSum(cut), 125);
  const outside = await draw([shape(-30, 5, 20, 20, { ...red, shadow: { ...hard, offsetX: 25 } })]);
  t.same(inkOf(outside), { left: 0, top: 5, right: 15, bottom: 25 });
  t.same(outside.at(5, 15), BLUE);
  t.equal(inkOf(await draw([shape(100, 5, 20, 20, red)])), undefined);
});

t.test('blendMode mixes the layer with what lies beneath it, on the isolated canvas', async (t) => {
  const grey = { fillColor: '#808080' };
  const multiplied = await draw([shape(0, 0, 20, 20, red), shape(10, 0, 20, 20, { ...grey, blendMode: 'multiply' })]);
  t.same(multiplied.at(15, 5), [128, 0, 0, 255]);
  t.same(multiplied.at(25, 5), [128, 128, 128, 255], 'nothing to mix with');
  const faint = await draw([
    shape(0, 0, 20, 20, red),
    shape(0, 0, 20, 20, { fillColor: '#fff', blendMode: 'difference', opacity: 0.5 }),
  ]);
  t.same(faint.at(5, 5), [127, 128, 128, 255], 'opacity applies before');
  const shadowed = await draw(
    [shape(0, 0, 10, 10, { ...grey, blendMode: 'multiply', shadow: { color: '#808080', offsetX: 12 } })],
    { backgroundColor: '#ff0000' },
  );
  t.same(shadowed.at(5, 5), [128, 0, 0, 255]);
  t.same(shadowed.at(15, 5), [128, 0, 0, 255], 'the shadow is blended with its layer');
  const parts = { fillColor: '#ff0000', border: { color: '#0000ff', width: 5 }, blendMode: 'screen' };
  t.same(
    (await draw([shape(0, 0, 20, 20, parts)])).at(2, 10),
    BLUE,
    'the layer’s parts are not blended with each other',
  );
});

t.test('flip mirrors the layer about the centre of its box before it rotates it', async (t) => {
  const picture = (more: object) =>
    draw([{ type: 'image', url: RED_BLUE, fit: 'fill', x: 10, y: 10, width: 20, height: 10, ...more }]);
  t.same((await picture({ flip: 'x' })).at(11, 15), BLUE);
  t.same((await picture({ flip: 'x' })).at(29, 15), RED);
  t.same((await picture({ flip: 'y' })).at(11, 15), RED);
  const [mirrored, turned] = [await picture({ flip: 'both' }), await picture({ rotation: 180 })];
  // scaled pictures have weights of 16 steps, turned ones of 256
  t.ok(mirrored.data.every((value, i) => Math.abs(value - turned.data[i]) <= 16));
  t.same(
    (await picture({ flip: 'x', rotation: 90 })).at(20, 6),
    BLUE,
    'the right end goes to the left, then to the top',
  );
  const shadow = { color: '#0000ff', offsetX: 8, offsetY: 3 };
  const shadowed = await draw([shape(15, 10, 10, 10, { ...red, flip: 'x', shadow })]);
  t.same(inkOf(shadowed), { left: 7, top: 10, right: 25, bottom: 23 }, 'the shadow is mirrored too');
  const corner = { shapeType: 'rectangle', fillColor: '#ff0000', flip: 'x' };
  t.same((await draw([shape(3.5, 2.5, 10, 5, corner)])).data, (await draw([shape(3.5, 2.5, 10, 5, red)])).data);
});

t.test('a layer that is not visible draws nothing and loads nothing', async (t) => {
  const hidden = { x: 0, y: 0, width: 20, height: 20, visible: false };
  const picture = await draw([
    shape(0, 0, 20, 20, { ...red, visible: false }),
    { type: 'image', url: 'http://127.0.0.1:9/none.png', ...hidden },
    { type: 'text', text: 'none', customFontUrl: 'http://127.0.0.1:9/none.ttf', ...hidden },
    shape(20, 0, 20, 20, { ...red, visible: true }),
    { type: 'text', text: 'x', fontFamily: 'No such family', x: 0, y: 0, width: 9, height: 9 },
  ]);
  t.same(picture.at(5, 15), CLEAR);
  t.same(picture.at(25, 15), RED);
  t.match(picture.warnings, [{ path: 'layers[4].fontFamily' }], 'paths count hidden layers');
  await t.rejects(draw([{ type: 'image', url: 'ftp://x', ...hidden }]), /layers\[0\].url/, 'but it is checked');
});

t.test('shared fields are checked', async (t) => {
  await t.rejects(
    draw([shape(0, 0, 9, 9, { blendMode: 'multipli' })]),
    /layers\[0\].blendMode: received "multipli", expected one of .*did you mean "multiply"/,
  );
  await t.rejects(
    draw([shape(0, 0, 9, 9, { flip: 'z' })]),
    /layers\[0\].flip: received "z", expected one of "x", "y", "both"/,
  );
  await t.rejects(draw([shape(0, 0, 9, 9, { visible: 0 })]), /layers\[0\].visible: received 0, expected true or false/);
});

/** The picture's pixels at (x + dx, y + dy), for the part of it that both positions show. */
function same(before: Picture, after: Picture, dx: number, dy: number): boolean {
  for (let y = Math.max(0, -dy); y < Math.min(before.height, before.height - dy); y++) {
    for (let x = Math.max(0, -dx); x < Math.min(before.width, before.width - dx); x++) {
      const [r, g, b, a] = before.at(x, y);
      const [u, v, w, z] = after.at(x + dx, y + dy);
      if (
        Math.max(Math.abs(r * a - u * z), Math.abs(g * a - v * z), Math.abs(b * a - w * z)) > 510 ||
        Math.abs(a - z) > 1
      )
        return false;
    }
  }
  return true;
}

t.test('a shadow drawn in bands equals one drawn at once', async (t) => {
  const side = 2300;
  const shadow = { color: '#0000ff', blur: 6, offsetX: 30.5, offsetY: 9 };
  const disc = (top: number) =>
    shape(100, 60 - top, 2100, 2100, { shapeType: 'circle', fillColor: '#ff000080', shadow });
  const whole = await draw([disc(0)], { width: side, height: side });
  for (const top of [0, 1000, 1790, 1850, 2150]) {
    const part = await draw([disc(top)], { width: side, height: 100 });
    const rows = [0, 37, 99].flatMap((y) =>
      Array.from({ length: side }, (_, x) => [part.at(x, y), whole.at(x, top + y)]),
    );
    t.ok(rows.some(([[, , , alpha]]) => alpha > 0));
    t.ok(
      rows.every(([one, other]) => `${one}` === `${other}`),
      `from row ${top}`,
    );
  }
});

t.test('moving a layer by whole pixels moves its pixels', async (t) => {
  const kinds = (x: number, y: number) => [
    shape(x, y, 31.5, 22.25, { shapeType: 'circle', ...red, border: { color: '#00f', width: 3 } }),
    shape(x, y, 30, 20, { shapeType: 'rounded_rectangle', borderRadius: 7, ...red, rotation: 23 }),
    shape(x, y, 24, 18, { shapeType: 'pill', ...red, shadow: { blur: 3, offsetX: 2.25, offsetY: 3 } }),
    shape(x, y, 30, 8, { shapeType: 'line', rotation: 12, opacity: 0.5, shadow: { blur: 14 } }),
    { type: 'text', text: 'Wave AV', fontSize: 17, x, y, width: 80, height: 30 },
    {
      type: 'text',
      text: 'Wave',
      fontSize: 17,
      x,
      y,
      width: 80,
      height: 30,
      rotation: 15,
      stroke: { width: 2, color: 'red' },
    },
    { type: 'qrcode', data: 'moved', x, y, width: 43, height: 43 },
    { type: 'image', url: RED_BLUE, x, y, width: 33, height: 21, mask: 'squircle' },
  ];
  const shift = fc.integer({ min: -25, max: 40 });
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 7 }),
      fc.constantFrom(0, 0.25, 0.5),
      shift,
      shift,
      async (kind, fraction, dx, dy) => {
        const canvas = { width: 120, height: 90 };
        const before = await draw([kinds(20 + fraction, 18 + fraction)[kind]], canvas);
        const after = await draw([kinds(20 + fraction + dx, 18 + fraction + dy)[kind]], canvas);
        return same(before, after, dx, dy);
      },
    ),
    { numRuns: 60 },
  );
  t.pass('whatever the kind');
});

t.test('renders a canvas of one pixel', async (t) => {
  const picture = await draw([shape(0, 0, 1, 1), shape(0, 0, 9, 9, { shapeType: 'circle', fillColor: '#fff' })], {
    width: 1,
    height: 1,
  });
  t.same([picture.width, picture.height], [1, 1]);
  t.same((await draw([shape(0, 0, 1, 1)], { width: 1, height: 1 })).at(0, 0), BLACK);
  t.same((await draw([shape(-5, -5, 9, 9, { fillColor: '#fff' })], { width: 1, height: 1 })).at(0, 0), WHITE);
});

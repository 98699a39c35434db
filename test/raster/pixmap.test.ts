// A pixmap owns its premultiplied bytes; colours are packed in the machine's own byte order.
import fc from 'fast-check';
import t from 'tap';
import { withOpacity } from '../../lib/raster/color.js';
import { ALPHA_MASK, Pixmap, packColor, packWord } from '../../lib/raster/pixmap.js';
import { anyColor, firstBroken } from './pixels.js';

fc.configureGlobal({ seed: 1703 });

t.test('isOpaque looks at every pixel', (t) => {
  const pixmap = new Pixmap(9, 7);
  t.notOk(pixmap.isOpaque(), 'a new one is transparent');
  pixmap.fill({ r: 1, g: 2, b: 3, a: 1 });
  t.ok(pixmap.isOpaque());
  for (let i = 0; i < 9 * 7; i++) {
    pixmap.data[4 * i + 3] = 254;
    if (pixmap.isOpaque()) t.fail(`pixel ${i} is not seen`);
    pixmap.data[4 * i + 3] = 255;
  }
  t.ok(pixmap.isOpaque());
  t.end();
});

t.test('fill premultiplies and rounds', (t) => {
  fc.assert(
    fc.property(anyColor, (color) => {
      const pixmap = new Pixmap(2, 1);
      pixmap.fill(color);
      const expected = [color.r * color.a, color.g * color.a, color.b * color.a, 255 * color.a];
      return firstBroken(pixmap) < 0 && expected.every((value, c) => Math.abs(pixmap.data[4 + c] - value) <= 0.5);
    }),
  );
  t.equal(packWord(0, 0, 0, 255), ALPHA_MASK);
  t.equal(packColor({ r: 0, g: 0, b: 0, a: 0 }), 0);
  t.same(withOpacity({ r: 1, g: 2, b: 3, a: 0.5 }, 0.5), { r: 1, g: 2, b: 3, a: 0.25 });
  t.end();
});

t.test('a pixmap takes over memory that is its own, and no other', (t) => {
  const data = new Uint8ClampedArray(2 * 3 * 4);
  const pixmap = new Pixmap(2, 3, data);
  data[7] = 99;
  t.equal(pixmap.data[7], 99);
  t.equal(pixmap.words.length, 6);
  t.throws(() => new Pixmap(2, 3, new Uint8ClampedArray(23)), RangeError);
  t.throws(() => new Pixmap(1, 1, new Uint8ClampedArray(new ArrayBuffer(8), 4, 4)), RangeError);
  t.end();
});

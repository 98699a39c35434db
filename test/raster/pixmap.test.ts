// Pixmap: premultiplied storage, packed colours, and reuse of a released canvas's memory.
import fc from 'fast-check';
import t from 'tap';
import { withOpacity } from '../../lib/raster/color.js';
import { ALPHA_MASK, acquirePixmap, Pixmap, packColor, packWord, releasePixmap } from '../../lib/raster/pixmap.js';
import { anyColor, firstBroken } from './pixels.js';

fc.configureGlobal({ seed: 1703 });

t.test('isOpaque checks every pixel', (t) => {
  const pixmap = new Pixmap(9, 7);
  t.notOk(pixmap.isOpaque(), 'a new pixmap is transparent');
  pixmap.fill({ r: 1, g: 2, b: 3, a: 1 });
  t.ok(pixmap.isOpaque());
  for (let i = 0; i < 9 * 7; i++) {
    pixmap.data[4 * i + 3] = 254;
    if (pixmap.isOpaque()) t.fail(`pixel ${i} is not checked`);
    pixmap.data[4 * i + 3] = 255;
  }
  t.ok(pixmap.isOpaque());
  t.end();
});

t.test('fill premultiplies and rounds the colour', (t) => {
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

t.test('wraps a whole buffer of the exact size and rejects any other', (t) => {
  const data = new Uint8ClampedArray(2 * 3 * 4);
  const pixmap = new Pixmap(2, 3, data);
  data[7] = 99;
  t.equal(pixmap.data[7], 99);
  t.equal(pixmap.words.length, 6);
  t.throws(() => new Pixmap(2, 3, new Uint8ClampedArray(23)), RangeError);
  t.throws(() => new Pixmap(1, 1, new Uint8ClampedArray(new ArrayBuffer(8), 4, 4)), RangeError);
  t.end();
});

const CLEAR = { r: 0, g: 0, b: 0, a: 0 };
const RED = { r: 255, g: 0, b: 0, a: 1 };

t.test('acquirePixmap clears reused memory to the requested colour', (t) => {
  for (const [before, after] of [
    [RED, CLEAR],
    [CLEAR, RED],
    [CLEAR, CLEAR],
  ]) {
    const first = acquirePixmap(30, 20, before);
    first.data.fill(77);
    releasePixmap(first);
    const second = acquirePixmap(30, 20, after);
    t.equal(second.data, first.data, 'the same memory');
    const plain = new Pixmap(30, 20);
    plain.fill(after);
    t.same(second.words, plain.words);
  }
  t.end();
});

t.test('acquirePixmap never returns the same memory twice', (t) => {
  releasePixmap(acquirePixmap(30, 20, RED));
  t.not(acquirePixmap(30, 20, RED).data, acquirePixmap(30, 20, RED).data);
  releasePixmap(acquirePixmap(30, 20, RED));
  const other = acquirePixmap(20, 30, CLEAR);
  t.same([other.width, other.height], [20, 30], 'memory of the same size serves another shape');
  t.ok(acquirePixmap(31, 20, CLEAR).words.every((word) => word === 0));
  t.end();
});

// Round trips through JPEG, WebP and AVIF: small error, smaller at higher quality; alpha kept, or composited on white.
import t from 'tap';
import { readHeader } from '../../lib/codecs/header.js';
import { decodeImage, encodeImage } from '../../lib/codecs/index.js';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { corners, difference, drawn, near, quadrants, randomBelow, smooth } from './pictures.js';

for (const format of ['jpeg', 'webp', 'avif'] as const) {
  t.test(`${format}: round trip of a smooth image has a small error`, async (t) => {
    const pixmap = smooth(150, 101);
    const before = pixmap.data.slice();
    const bytes = await encodeImage(pixmap, format, { quality: 90 });
    t.match(readHeader(bytes), { format, width: 150, height: 101 });
    const back = await decodeImage(bytes);
    t.same([back.width, back.height, back.isOpaque()], [150, 101, true]);
    t.ok(difference(back.data, pixmap.data).mean < 2, 'mean difference');
    t.equal(difference(pixmap.data, before).max, 0, 'the pixmap is unchanged');
  });

  t.test(`${format}: applies qualities from 1 to 100`, async (t) => {
    const pixmap = drawn(120, 80, (x, y) => [(x * y) & 255, (x * 7) & 255, (y * 13) & 255, 255]);
    const sizes: number[] = [];
    const errors: number[] = [];
    for (const quality of [1, 50, 90, 100]) {
      const bytes = await encodeImage(pixmap, format, { quality });
      sizes.push(bytes.length);
      errors.push(difference((await decodeImage(bytes)).data, pixmap.data).mean);
    }
    t.same(
      sizes,
      sizes.toSorted((a, b) => a - b),
      'higher quality, larger file',
    );
    t.same(
      errors,
      errors.toSorted((a, b) => b - a),
      'higher quality, smaller error',
    );
  });

  t.test(`${format}: encodes one pixel, one row, one column`, async (t) => {
    for (const [width, height] of [
      [1, 1],
      [200, 1],
      [1, 200],
    ]) {
      const back = await decodeImage(await encodeImage(smooth(width, height), format, { quality: 90 }));
      t.same([back.width, back.height], [width, height]);
      t.ok(difference(back.data, smooth(width, height).data).mean < 4, `${width} × ${height}`);
    }
  });
}

for (const format of ['webp', 'avif'] as const) {
  t.test(`${format}: keeps alpha and premultiplied colours`, async (t) => {
    const pixmap = drawn(96, 64, (x, y) => [200, 100, 50, x < 48 ? 128 : y < 32 ? 0 : 255]);
    const back = await decodeImage(await encodeImage(pixmap, format, { quality: 95 }));
    t.ok(near(corners(back), corners(pixmap), 4), 'half-transparent, transparent, opaque');
    const { data } = back;
    t.notOk(
      data.some((value, i) => value > data[i | 3]),
      'no channel above alpha',
    );
  });
}

t.test('jpeg: composites transparency on white', async (t) => {
  const pixmap = drawn(64, 64, (x, y) => [255, 0, 0, x < 32 ? 0 : y < 32 ? 128 : 255]);
  const back = await decodeImage(await encodeImage(pixmap, 'jpeg', { quality: 95 }));
  const white = [255, 255, 255, 255];
  t.ok(near(corners(back), [white, [255, 127, 127, 255], white, [255, 0, 0, 255]], 3));
});

t.test('avif: reads only the image from a shared buffer', async (t) => {
  const pixmap = quadrants();
  const bytes = await encodeImage(pixmap, 'avif', { quality: 95 });
  const shared = new Uint8Array(bytes.length + 64);
  shared.set(bytes, 32);
  const back = await decodeImage(shared.subarray(32, 32 + bytes.length));
  t.ok(near(corners(back), corners(pixmap), 4));
});

t.test('accepts fractional quality', async (t) => {
  for (const format of ['jpeg', 'webp', 'avif'] as const) {
    t.ok((await encodeImage(quadrants(), format, { quality: 72.5 })).length > 0, format);
  }
});

t.test('webp: encodes noise at the maximum size of method 0, and above it', async (t) => {
  const random = randomBelow(2);
  const noise = Uint8ClampedArray.from({ length: 2048 * 2048 * 4 }, (_, i) => (i % 4 === 3 ? 255 : random(256)));
  const largest = await encodeImage(new Pixmap(2048, 2048, noise), 'webp', { quality: 90 });
  t.match(readHeader(largest), { format: 'webp', width: 2048, height: 2048 });
  const larger = new Pixmap(2049, 2048);
  t.match(readHeader(await encodeImage(larger, 'webp', { quality: 90 })), {
    format: 'webp',
    width: 2049,
    height: 2048,
  });
});

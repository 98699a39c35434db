// The first frame of GIFs on the logical screen, compared with omggif; truncated and oversized frames.
import omggif from 'omggif';
import t from 'tap';
import { readHeader } from '../../../lib/codecs/header.js';
import { decodeImage } from '../../../lib/codecs/index.js';
import { difference, fixture, quadrants, randomBelow } from '../pictures.js';

/** A single-frame GIF written by omggif. */
function gif(
  width: number,
  height: number,
  frame: { x: number; y: number; width: number; height: number },
  seed: number,
) {
  const random = randomBelow(seed);
  const palette = Array.from({ length: 256 }, () => random(0x1000000));
  const indexes = Array.from({ length: frame.width * frame.height }, () => random(seed % 2 ? 256 : 5));
  const bytes = Buffer.alloc(1024 + indexes.length * 3);
  const writer = new omggif.GifWriter(bytes, width, height, { palette });
  writer.addFrame(frame.x, frame.y, frame.width, frame.height, indexes, { transparent: 3 });
  return new Uint8Array(bytes.subarray(0, writer.end()));
}

t.test('decodes frames like omggif', async (t) => {
  for (let seed = 1; seed <= 12; seed++) {
    const frame = { x: seed, y: seed * 2, width: 20 + seed * 9, height: 5 + seed * 3 };
    const bytes = gif(170, 90, frame, seed);
    const expected = new Uint8ClampedArray(170 * 90 * 4);
    new omggif.GifReader(bytes).decodeAndBlitFrameRGBA(0, expected);
    const pixmap = await decodeImage(bytes);
    t.equal(difference(pixmap.data, expected).max, 0, `${frame.width} × ${frame.height}`);
  }
});

// fault: 52
t.test('extends the screen to include the first frame, as Chromium does', async (t) => {
  const bytes = gif(10, 10, { x: 0, y: 0, width: 10, height: 10 }, 1);
  bytes[6] = 4;
  t.match(readHeader(bytes), { format: 'gif', width: 10, height: 10 });
  t.equal((await decodeImage(bytes)).width, 10);
  const moved = gif(4, 6, { x: 2, y: 3, width: 2, height: 3 }, 1);
  const inside = await decodeImage(moved);
  moved[6] = 1;
  moved[8] = 4;
  t.same((await decodeImage(moved)).words, inside.words);
});

// fault: 52
t.test('shows the part of a truncated GIF that arrived, transparent below', async (t) => {
  const bytes = gif(100, 60, { x: 0, y: 0, width: 100, height: 60 }, 1);
  const { words } = await decodeImage(bytes);
  let least = words.length;
  for (let length = bytes.length - 1; length > bytes.length - 400; length -= 9) {
    const cut = await decodeImage(bytes.subarray(0, length));
    const arrived = cut.words.findLastIndex((word) => word !== 0) + 1;
    t.same(cut.words.subarray(0, arrived), words.subarray(0, arrived));
    t.ok(arrived <= least, 'a shorter file never shows more');
    least = arrived;
  }
  t.ok(least < words.length);
});

// fault: 52
t.test('decodes a GIF that ends after its first frame', async (t) => {
  const complete = fixture('quadrants-interlaced.gif');
  const cut = complete.slice(0, -1);
  t.equal(difference((await decodeImage(cut)).data, quadrants().data).max, 0, 'no trailer');
});

t.test('decodes a minimum code size of 1, as Chromium does', async (t) => {
  const pixels = Array.from({ length: 60 }, (_, i) => Number(i % 3 === 0 || i % 7 === 2));
  // each pixel has its own code; the decoder creates an entry for each but the first, and widens its codes accordingly
  let bits = '10';
  let next = 4;
  for (const [i, pixel] of pixels.entries()) {
    const width = i === 0 ? 2 : Math.floor(Math.log2(next)) + 1;
    bits = pixel.toString(2).padStart(width, '0') + bits;
    if (i > 0) next++;
  }
  const packed: number[] = [];
  for (let end = bits.length; end > 0; end -= 8) packed.push(Number.parseInt(bits.slice(Math.max(0, end - 8), end), 2));
  const head = Buffer.from(
    ['474946383961', '0a000600', '800000', '000000ffffff', '2c000000000a00060000', '01'].join(''),
    'hex',
  );
  const { data } = await decodeImage(Buffer.concat([head, Buffer.from([packed.length, ...packed, 0, 0x3b])]));
  t.same(
    Array.from(pixels, (_, i) => data[i * 4] / 255),
    pixels,
  );
});

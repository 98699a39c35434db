// Compares the JPEG encoder byte for byte with the plain kernels, and their transform with cosines; with jpeg-js at the same
// quality; both samplings; partial MCUs; byte stuffing; transparency.
import jpeg from 'jpeg-js';
import t from 'tap';
import { decodeImage, encodeImage } from '../../../lib/codecs/index.js';
import { writeJpeg } from '../../../lib/codecs/jpeg/encode.js';
import { readJpegHeader } from '../../../lib/codecs/jpeg/header.js';
import { quantizationTables } from '../../../lib/codecs/jpeg/tables.js';
import { transform } from '../../../lib/kernels/plain/jpeg/fdct.js';
import type { Pixmap } from '../../../lib/raster/pixmap.js';
import { withPlainKernels } from '../../kernels/plain.js';
import { difference, drawn, quadrants, randomBelow } from '../pictures.js';

/** Peak signal-to-noise ratio in dB, colour channels only. */
function psnr(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let squares = 0;
  for (let i = 0; i < a.length; i++) if (i % 4 < 3) squares += (a[i] - b[i]) ** 2;
  return 10 * Math.log10(255 ** 2 / (squares / ((a.length * 3) / 4)));
}

/** Waves of several lengths with a little noise, like a photograph. */
function photographic(width: number, height: number): Pixmap {
  const random = randomBelow(7);
  return drawn(width, height, (x, y) => {
    const wave = Math.sin(x / 9) * 40 + Math.sin(y / 23 + x / 40) * 60 + Math.sin((x * y) / 900) * 20;
    return [128 + wave + random(9), 120 + wave * 0.7 + random(9), 100 - wave * 0.5 + random(9), 255].map((value) =>
      Math.min(255, Math.max(0, Math.round(value))),
    ) as [number, number, number, number];
  });
}

t.test('the plain transform matches the cosine definition', (t) => {
  const random = randomBelow(3);
  const norm = (k: number) => (k === 0 ? Math.SQRT1_2 : 1) / 2;
  const wave = (k: number, x: number) => Math.cos(((2 * x + 1) * k * Math.PI) / 16);
  let worst = 0;
  for (let turn = 0; turn < 20; turn++) {
    const samples = Array.from({ length: 64 }, () => random(8161) - 4096);
    const coefficients = Int16Array.from(samples);
    transform(coefficients);
    for (let v = 0; v < 8; v++) {
      for (let u = 0; u < 8; u++) {
        let sum = 0;
        for (let i = 0; i < 64; i++) sum += samples[i] * wave(u, i & 7) * wave(v, i >> 3);
        const direct = (sum * norm(u) * norm(v)) / 32;
        worst = Math.max(worst, Math.abs(direct - coefficients[v * 8 + u] / 32));
      }
    }
  }
  // the finest quantization steps are 1
  t.ok(worst < 0.15, `within ${worst}`);
  t.end();
});

t.test('encodes byte for byte like the plain kernels', (t) => {
  const random = randomBelow(5);
  const black = [0, 0, 0, 255] as const;
  const white = [255, 255, 255, 255] as const;
  const images = {
    photographic: photographic(75, 43),
    'of one pixel': photographic(1, 1),
    'of units of one colour': drawn(96, 48, (x, y) => (x < 40 ? white : y < 20 ? [12, 200, 80, 255] : black)),
    'of noise': drawn(48, 32, () => [random(256), random(256), random(256), 255]),
    'of the longest blocks': drawn(64, 64, () => (random(2) ? white : black)),
    'of single ends of blocks': drawn(64, 32, (x, y) => ((x + y) % 2 ? white : black)),
    'half transparent': drawn(40, 40, (x, y) => [x * 2, y, 0, 90 + x]),
  };
  for (const [name, image] of Object.entries(images)) {
    for (const quality of [1, 30, 90, 97, 100]) {
      for (const sampling of ['4:2:0', '4:4:4'] as const) {
        const written = writeJpeg(image, quality, sampling);
        const plain = withPlainKernels(() => writeJpeg(image, quality, sampling));
        t.ok(Buffer.from(written).equals(plain), `${name}, quality ${quality}, ${sampling}`);
      }
    }
  }
  t.end();
});

t.test("uses the standard's tables at quality 50, and steps of 1 at 100", (t) => {
  t.same([...quantizationTables(50).luma.subarray(0, 4)], [16, 11, 10, 16]);
  t.same([...quantizationTables(50).chroma.subarray(60)], [99, 99, 99, 99]);
  t.ok(quantizationTables(100).luma.every((step) => step === 1));
  t.equal(quantizationTables(1).luma[0], 255);
  t.end();
});

for (const quality of [20, 75, 90, 100]) {
  t.test(`quality ${quality}: error comparable to jpeg-js, which can decode the file`, async (t) => {
    const image = photographic(203, 117);
    const plain = jpeg.encode({ data: image.data, width: 203, height: 117 }, quality).data;
    const theirs = psnr((await decodeImage(plain)).data, image.data);
    // Subsampled chroma loses its noise, which matters where nothing else is lost: 4:2:0 is not used there.
    for (const sampling of quality < 95 ? (['4:2:0', '4:4:4'] as const) : (['4:4:4'] as const)) {
      const bytes = writeJpeg(image, quality, sampling);
      const ours = psnr((await decodeImage(bytes)).data, image.data);
      t.ok(ours > theirs - (sampling === '4:4:4' ? 0.1 : 1.5), `${sampling}: ${ours} dB, jpeg-js ${theirs} dB`);
      t.ok(bytes.length < plain.length * 1.02, `${sampling}: ${bytes.length} bytes, jpeg-js ${plain.length}`);
      const read = jpeg.decode(bytes, { useTArray: true });
      t.ok(psnr(read.data, image.data) > theirs - 3, 'by jpeg-js');
    }
  });
}

t.test('subsamples chroma below quality 95 only', async (t) => {
  const sampling = async (quality: number) => {
    const { components } = readJpegHeader(await encodeImage(quadrants(), 'jpeg', { quality }));
    return components.map(({ horizontal, vertical }) => `${horizontal}×${vertical}`);
  };
  t.same(await sampling(94), ['2×2', '1×1', '1×1']);
  t.same(await sampling(95), ['1×1', '1×1', '1×1']);
});

t.test('encodes any size, replicating edges in partial MCUs', async (t) => {
  for (const sampling of ['4:2:0', '4:4:4'] as const) {
    for (const [width, height] of [
      [1, 1],
      [7, 33],
      [16, 16],
      [17, 8],
      [33, 47],
    ]) {
      const image = photographic(width, height);
      const back = await decodeImage(writeJpeg(image, 98, sampling));
      t.same([back.width, back.height], [width, height]);
      t.ok(difference(back.data, image.data).mean < 5, `${sampling}, ${width} × ${height}`);
    }
  }
});

t.test('encodes uniform MCUs exactly', async (t) => {
  const colors = [
    [255, 255, 255, 255],
    [128, 128, 128, 255],
    [0, 0, 0, 255],
  ] as const;
  const image = drawn(200, 64, (x, y) => colors[Math.floor(x / 64 + (y >> 5)) % 3]);
  const back = await decodeImage(writeJpeg(image, 100, '4:2:0'));
  t.ok(difference(back.data, image.data).max <= 1);
});

t.test('encodes noise at quality 100: the longest blocks, and 0xFF bytes', async (t) => {
  const random = randomBelow(11);
  const image = drawn(128, 128, () => {
    const level = random(2) * 255;
    return [level, level, level, 255];
  });
  const bytes = writeJpeg(image, 100, '4:4:4');
  t.ok(bytes.includes(0xff, 700), 'stuffed');
  t.ok(psnr((await decodeImage(bytes)).data, image.data) > 45);
});

t.test('encodes the same pixels to the same bytes', (t) => {
  const image = photographic(64, 64);
  t.same(writeJpeg(image, 90, '4:2:0'), writeJpeg(image, 90, '4:2:0'));
  t.end();
});

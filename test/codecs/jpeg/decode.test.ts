// Compares the JPEG kernels, both in WebAssembly and plain, with mozjpeg (that is, libjpeg): bit-identical pixels for valid files and for files with
// any wrong byte; and which files they leave to mozjpeg.
import { deepEqual } from 'node:assert/strict';
import decodeBytes, { init } from '@jsquash/jpeg/decode.js';
import t from 'tap';
import { decodeImage, encodeImage } from '../../../lib/codecs/index.js';
import { decodeBaseline } from '../../../lib/codecs/jpeg/decode-baseline.js';
import { isYCbCr, readJpegHeader } from '../../../lib/codecs/jpeg/header.js';
import { host } from '../../../lib/host.js';
import type { Pixmap } from '../../../lib/raster/pixmap.js';
import { withPlainKernels } from '../../kernels/plain.js';
import { difference, drawn, fixture, randomBelow, smooth } from '../pictures.js';

const silent = { print: () => undefined, printErr: () => undefined };
type Init = (code: WebAssembly.Module, options: typeof silent) => Promise<void>;
type Decode = (
  bytes: Uint8Array,
  options: object,
) => Promise<{ data: Uint8ClampedArray; width: number; height: number }>;

t.before(async () => {
  await (init as unknown as Init)(await host().loadWasm('jpeg-decoder'), silent);
});

/** The image by the kernels, which must equal that by the plain kernels. */
function byKernels(bytes: Uint8Array): Pixmap | undefined {
  const header = readJpegHeader(bytes);
  const decode = () => decodeBaseline(bytes, header, isYCbCr(header));
  const pixmap = decode();
  deepEqual(withPlainKernels(decode)?.words, pixmap?.words);
  return pixmap;
}

const byMozjpeg = (bytes: Uint8Array) => (decodeBytes as unknown as Decode)(bytes, { preserveOrientation: false });

const FIXTURES = [
  'noise-420',
  'noise-422',
  'noise-444',
  'noise-gray',
  'quadrants-420',
  'quadrants-restart',
  'quadrants-gray',
];

for (const name of FIXTURES) {
  t.test(`${name}: decodes like mozjpeg`, async (t) => {
    const bytes = fixture(`${name}.jpg`);
    const pixmap = byKernels(bytes);
    if (!pixmap) return t.fail('the kernels refuse it');
    const expected = await byMozjpeg(bytes);
    t.same([pixmap.width, pixmap.height], [expected.width, expected.height]);
    t.equal(difference(pixmap.data, expected.data).max, 0);
  });
}

t.test("decodes images of every size from this project's encoder", async (t) => {
  const random = randomBelow(29);
  for (let i = 0; i < 60; i++) {
    const [width, height] = [1 + random(70), 1 + random(70)];
    const image =
      i % 2 === 0 ? smooth(width, height) : drawn(width, height, () => [random(256), random(256), random(256), 255]);
    const bytes = await encodeImage(image, 'jpeg', { quality: [5, 60, 90, 94, 95, 100][i % 6] });
    const pixmap = byKernels(bytes);
    if (!pixmap) {
      t.ok(width <= 4, `${width} × ${height} is refused for its width`);
      continue;
    }
    const expected = await byMozjpeg(bytes);
    t.equal(difference(pixmap.data, expected.data).max, 0, `${width} × ${height}`);
  }
});

t.test('decodes corrupt, truncated and overlong files like mozjpeg, or leaves them to it', async (t) => {
  const random = randomBelow(31);
  let read = 0;
  for (const name of ['noise-420', 'noise-422', 'noise-444', 'noise-gray']) {
    const complete = fixture(`${name}.jpg`);
    for (let i = 0; i < 400; i++) {
      const bytes = Uint8Array.from(complete);
      bytes[20 + random(bytes.length - 20)] = i % 8 === 0 ? 0xff : random(256);
      const header = headerOf(bytes);
      if (!header || header.width * header.height > 1e6) continue;
      const pixmap = byKernels(bytes);
      if (!pixmap) continue;
      read++;
      const expected = await byMozjpeg(bytes);
      const { max } = difference(pixmap.data, expected.data);
      if (max > 0) t.fail(`${name}, change ${i}: ${max}`);
    }
    for (let length = 200; length < complete.length; length += 7) {
      const header = headerOf(complete.subarray(0, length));
      if (header && byKernels(complete.subarray(0, length))) t.fail(`${name}: read from ${length} bytes`);
    }
    const longer = new Uint8Array(complete.length + 9);
    longer.set(complete);
    t.ok(byKernels(longer), `${name}: ignores data after the end marker`);
  }
  t.ok(read > 200, `${read} were read`);
});

function headerOf(bytes: Uint8Array) {
  try {
    return readJpegHeader(bytes);
  } catch {
    return undefined;
  }
}

t.test('leaves other variants to the other decoders', async (t) => {
  for (const name of ['quadrants-progressive', 'quadrants-rgb']) {
    t.equal(byKernels(fixture(`${name}.jpg`)), undefined, name);
    t.equal((await decodeImage(fixture(`${name}.jpg`))).width, 48);
  }
});

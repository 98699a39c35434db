// False headers, files truncated at every byte, random byte flips: the result is always an image or a RenderError.
import fc from 'fast-check';
import omggif from 'omggif';
import t from 'tap';
import { readHeader } from '../../lib/codecs/header.js';
import { decodeImage, encodeImage } from '../../lib/codecs/index.js';
import { RenderError } from '../../lib/errors.js';
import { runs } from '../exhaustive.js';
import { difference, fixture, quadrants } from './pictures.js';
import { makePng } from './png/maker.js';

const small = quadrants(20, 14);
const seeds = new Map<string, Uint8Array>([
  [
    'png, interlaced',
    makePng({ width: 9, height: 7, depth: 8, colorType: 6, interlaced: true, sample: (x, y) => x * y }),
  ],
  ['png, indexed', await encodeImage(small, 'png', { quality: 90 })],
  [
    'svg',
    new TextEncoder().encode(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>',
    ),
  ],
]);
for (const name of [
  'quadrants-420.jpg',
  'quadrants-progressive.jpg',
  'quadrants-restart.jpg',
  'quadrants-cmyk.jpg',
  'quadrants-gray.jpg',
  'quadrants-turned.avif',
  'quadrants-interlaced.gif',
  'quadrants-lossless.webp',
  'quadrants-translucent.webp',
  'quadrants-animated.webp',
]) {
  seeds.set(name, fixture(name));
}

/** Describes any failure other than a RenderError with a one-line message; undefined if there is none. */
async function findMisbehaviour(bytes: Uint8Array): Promise<string | undefined> {
  try {
    const { width, height, data } = await decodeImage(bytes, { maxPixels: 1 << 20 });
    return data.length === width * height * 4 ? undefined : 'wrong length';
  } catch (cause) {
    if (!(cause instanceof RenderError)) return String(cause);
    if (cause.code !== 'render_failed') return cause.code;
    return /undefined|NaN|\[object/.test(cause.message) ? cause.message : undefined;
  }
}

// fault: 50, 54
t.test('rejects or decodes files truncated at every byte', async (t) => {
  for (const [name, bytes] of seeds) {
    const found = new Set<string | undefined>();
    for (let length = 0; length < bytes.length; length++) found.add(await findMisbehaviour(bytes.slice(0, length)));
    t.same([...found], [undefined], name);
  }
});

// fault: 54
t.test('reads or rejects headers truncated at every byte', (t) => {
  for (const [name, bytes] of seeds) {
    const complete = readHeader(bytes);
    for (let length = 0; length < bytes.length; length++) {
      try {
        const { width, height } = readHeader(bytes.subarray(0, length));
        if (width !== complete.width || height !== complete.height) t.fail(`${name}, ${length}: ${width} × ${height}`);
      } catch (cause) {
        if (!(cause instanceof RenderError)) t.fail(`${name}, ${length}: ${cause}`);
      }
    }
  }
  t.end();
});

// fault: 55
t.test('rejects or decodes files with random byte flips', async (t) => {
  const all = [...seeds.values()];
  const flips = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...all), flips, async (bytes, changes) => {
      const corrupt = bytes.slice();
      for (const [at, change] of changes) corrupt[at % corrupt.length] ^= change;
      return (await findMisbehaviour(corrupt)) === undefined;
    }),
    runs(400, 7),
  );
  t.pass('none misbehaves');
});

// fault: 58
t.test('decodes valid files unchanged after malformed ones', async (t) => {
  for (const [name, bytes] of seeds) {
    const before = await decodeImage(bytes);
    for (const part of [0.5, 0.8, 0.95]) await findMisbehaviour(bytes.slice(0, bytes.length * part));
    t.equal(difference((await decodeImage(bytes)).data, before.data).max, 0, name);
  }
});

// fault: 49, 50, 51, 52
t.test('rejects images above the pixel limit by their headers', async (t) => {
  const jpeg = fixture('quadrants-420.jpg');
  const frame = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xc0);
  jpeg.set([0xff, 0xff, 0xff, 0xff], frame + 5);
  const avif = fixture('quadrants-turned.avif');
  avif.set([0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30], Buffer.from(avif).indexOf('ispe') + 8);
  const gif = new Uint8Array(64);
  const writer = new omggif.GifWriter(gif, 9, 9, { palette: [0, 1] });
  writer.addFrame(0, 0, 1, 1, [0]);
  gif.set([0xff, 0xff, 0xff, 0xff], 6);
  const webp = fixture('quadrants-animated.webp');
  webp.set([0xff, 0x3f, 0, 0xff, 0x3f, 0], 24);
  for (const [bytes, size] of [
    [jpeg, '65535 × 65535'],
    [avif, '30000 × 30000'],
    [gif, '65535 × 65535'],
    [webp, '16384 × 16384'],
  ] as const) {
    const message = new RegExp(`is ${size} pixels, more than the 67108864 pixels allowed`);
    await t.rejects(decodeImage(bytes), { code: 'render_failed', message });
  }
  await t.rejects(decodeImage(fixture('quadrants-420.jpg'), { maxPixels: 1535 }), {
    message: /48 × 32 pixels, more than/,
  });
  t.equal((await decodeImage(fixture('quadrants-420.jpg'), { maxPixels: 1536 })).width, 48, 'exactly at the limit');
});

// fault: 49, 50, 51
t.test('rejects false headers', async (t) => {
  const jpeg = fixture('quadrants-420.jpg');
  const frame = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xc0);
  const length = 2 + jpeg[frame + 3];
  const twice = Uint8Array.from([...jpeg.slice(0, frame + length), ...jpeg.slice(frame)]);
  await t.rejects(decodeImage(twice), { message: /two frames/ }, 'a second frame');
  const deep = jpeg.slice();
  deep[frame + 4] = 12;
  await t.rejects(decodeImage(deep), { message: /not supported: it has 12 bits/ }, '12 bits');
  const arithmetic = jpeg.slice();
  arithmetic[frame + 1] = 0xc9;
  await t.rejects(decodeImage(arithmetic), { message: /not supported: it uses arithmetic coding/ });
  const avif = fixture('quadrants-turned.avif');
  avif[Buffer.from(avif).indexOf('ispe') + 11] = 49;
  await t.rejects(decodeImage(avif), { code: 'render_failed', message: /^the AVIF is malformed/ }, 'ispe');
  const webp = fixture('quadrants-translucent.webp');
  webp[24] = 200;
  await t.rejects(decodeImage(webp), { code: 'render_failed', message: /^the WebP is malformed/ }, 'canvas');
});

// fault: 49
t.test('rejects too many progressive scans', async (t) => {
  const jpeg = fixture('quadrants-progressive.jpg');
  const scan = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xda);
  const scans = Array.from({ length: 200 }, () => [...jpeg.slice(scan, -2)]).flat();
  const bytes = Uint8Array.from([...jpeg.slice(0, scan), ...scans, 0xff, 0xd9]);
  await t.rejects(decodeImage(bytes), { message: /more than 100 scans/ });
});

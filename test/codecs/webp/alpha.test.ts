// The alpha of lossy WebPs is lossless, decoded by libwebp; colours at alpha edges are not mixed with those of
// transparent pixels.
import t from 'tap';
import { decodeImage, encodeImage } from '../../../lib/codecs/index.js';
import { encodeAlpha } from '../../../lib/codecs/webp/alpha.js';
import { fillTransparent } from '../../../lib/codecs/webp/fill-transparent.js';
import type { Pixmap } from '../../../lib/raster/pixmap.js';
import { drawn, randomBelow } from '../pictures.js';

/** An image with this alpha and too many colours for lossless coding. */
const colorful = (width: number, height: number, alpha: (x: number, y: number) => number) =>
  drawn(width, height, (x, y) => [(x * 7) & 255, (y * 5) & 255, (x * y) & 255, alpha(x, y)]);

const alphaOf = ({ data }: Pixmap) => Buffer.from(data.filter((_, i) => i % 4 === 3));

const random = randomBelow(9);
const pieces = Array.from({ length: 300 }, () => [random(256), random(256), random(256), random(256), random(256)]);
const puzzle = Array.from({ length: 12_000 }, () => pieces[random(300)]).flat();

const PLANES: [string, number, number, (x: number, y: number) => number, filter?: 0 | 1][] = [
  ['noise', 300, 200, () => random(256)],
  ['a gradient', 500, 300, (x, y) => Math.max(0, 255 - ((x * y) >> 7))],
  ['waves', 400, 300, (x, y) => Math.round(128 + 60 * Math.sin(x / 37 + y / 11) + 60 * Math.cos((x * y) / 9000)), 1],
  ['a disc', 400, 400, (x, y) => ((x - 200) ** 2 + (y - 200) ** 2 < 150 ** 2 ? 255 : 0), 0],
  ['repeated pieces', 300, 200, (x, y) => puzzle[y * 300 + x], 0],
  ['one value', 40, 30, () => 128],
  ['a row', 5000, 1, (x) => x & 255],
  ['a column', 1, 3000, (_, y) => (y * 3) & 255],
  ['a pixel', 1, 1, () => 7],
];

t.test('round-trips alpha exactly', async (t) => {
  for (const [name, width, height, alpha, filter] of PLANES) {
    const image = colorful(width, height, alpha);
    const data = encodeAlpha(image);
    if (filter !== undefined) t.equal(data[0], 1 | (filter << 2), `${name}: ${filter ? 'differences' : 'levels'}`);
    t.ok(data.length <= width * height * 1.01 + 400, `${name}: ${data.length} bytes`);
    const back = await decodeImage(await encodeImage(image, 'webp', { quality: 60 }));
    t.equal(Buffer.compare(alphaOf(back), alphaOf(image)), 0, name);
  }
});

t.test('writes alpha and colours as separate chunks', async (t) => {
  const image = colorful(90, 70, (x) => (x * 2) & 255);
  const bytes = Buffer.from(await encodeImage(image, 'webp', { quality: 80 }));
  t.equal(bytes.toString('latin1', 12, 16), 'VP8X');
  t.equal(bytes.readUInt32LE(4), bytes.length - 8);
  t.ok(bytes.indexOf('ALPH') < bytes.indexOf('VP8 ') && bytes.includes('ALPH'));
});

t.test('fills transparent pixels with the colour of visible neighbours', (t) => {
  const red = [255, 0, 0, 255] as const;
  const solid = fillTransparent(drawn(40, 16, (x) => (x < 4 ? red : x < 8 ? [0, 0, 255, 51] : [0, 0, 0, 0])));
  const at = (x: number, y: number) => [...solid.subarray((y * 40 + x) * 4, (y * 40 + x) * 4 + 4)];
  t.same(at(2, 9), red);
  t.same(at(6, 9), [0, 0, 255, 255], 'half-transparent, straight');
  t.same(at(9, 0), [128, 0, 128, 255], 'the mean of its block');
  t.same(at(39, 15), [128, 0, 128, 255], 'nothing visible: the previous block');
  t.end();
});

t.test('keeps the colour of an edge', async (t) => {
  const inside = (x: number, y: number) => (x - 50.3) ** 2 + (y - 50.7) ** 2 < 40 ** 2;
  const image = drawn(100, 100, (x, y) => (inside(x, y) ? [200 + (x & 31), 20, (x * y) & 31, 255] : [0, 0, 0, 0]));
  const { data } = await decodeImage(await encodeImage(image, 'webp', { quality: 90 }));
  let most = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i + 3]) most = Math.max(most, Math.abs(data[i] - image.data[i]));
  // libwebp with alpha gets 42
  t.ok(most < 36, `${most}`);
});

t.test("keeps a shadow's colour apart from the shape that casts it", async (t) => {
  const away = (x: number, y: number) => Math.hypot(x - 50.3, y - 50.7) - 35;
  const image = drawn(100, 100, (x, y) => {
    const far = away(x, y);
    return far < 0 ? [200 + (x & 31), 20, (x * y) & 31, 255] : [0, 0, 0, Math.max(0, 150 - 11 * Math.round(far))];
  });
  const { data } = await decodeImage(await encodeImage(image, 'webp', { quality: 90 }));
  let [sum, count] = [0, 0];
  for (let i = 0; i < data.length; i += 4) {
    if (away((i / 4) % 100, Math.floor(i / 400)) > -2 && data[i + 3] === 255) {
      sum += Math.abs(data[i] - image.data[i]);
      count++;
    }
  }
  // libwebp with alpha gets 25; the unweighted mean gives 30
  t.ok(sum / count < 25, `${sum / count}`);
});

t.test('moves the chroma of less opaque pixels towards the visible ones, keeping their luma', (t) => {
  const solid = fillTransparent(
    drawn(3, 3, (x, y) => (x === 0 ? [180, 120, 120, 255] : [128, 128, 128, y === 0 ? 64 : 0])),
  );
  const at = (x: number, y: number) => [...solid.subarray((y * 3 + x) * 4, (y * 3 + x) * 4 + 3)];
  t.same(at(0, 0), [180, 120, 120], 'the most opaque pixel is unchanged');
  const [red, green, blue] = at(1, 0);
  t.ok(red - green > 40 && green === blue, `${red}, ${green}, ${blue}`);
  t.ok(Math.abs(0.299 * red + 0.701 * green - 128) < 1.5);
  t.same(at(2, 0), [128, 128, 128], 'an isolated pixel is unchanged');
  t.end();
});

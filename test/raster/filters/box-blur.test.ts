// The blur of pixels against three moving averages computed one by one; both kernels, the edges and the limits.
import t from 'tap';
import { expand, type Rect, rectOf } from '../../../lib/geometry/rect.js';
import { boxBlur, boxBlurReach, type EdgeMode } from '../../../lib/raster/filters/box-blur.js';
import { packWord } from '../../../lib/raster/pixmap.js';
import { Surface } from '../../../lib/raster/surface.js';
import { withPlainKernels } from '../../kernels/plain.js';
import { noise } from './noise.js';

/** A function of a position: what is there, or what is blurred there. */
type Signal = (position: number) => number;

const box =
  (signal: Signal, from: number, width: number): Signal =>
  (position) => {
    let sum = 0;
    for (let i = 0; i < width; i++) sum += signal(position + from + i);
    return sum / width;
  };

/** The three boxes: an even window's are off to either side by half a pixel, the third one is centred. */
function threeBoxes(signal: Signal, sigma: number): Signal {
  const window = Math.floor((sigma * 3 * Math.sqrt(2 * Math.PI)) / 4 + 0.5);
  const half = Math.floor(window / 2);
  if (window % 2) return box(box(box(signal, -half, window), -half, window), -half, window);
  return box(box(box(signal, -half, window), 1 - half, window), -half, window + 1);
}

/** The index beyond the ends of `size` pixels: undefined where nothing is. */
function beyond(position: number, size: number, edges: EdgeMode): number | undefined {
  if (position >= 0 && position < size) return position;
  if (edges === 'transparent') return undefined;
  return position < 0 ? beyond(-1 - position, size, edges) : beyond(2 * size - 1 - position, size, edges);
}

/** Blurs one channel of `source` along both axes, each rounded to bytes; the kernels divide a little less exactly. */
function reference(source: Surface, sigma: number, edges: EdgeMode, bounds: Rect, channel: number): number[] {
  const { left, top } = source.bounds;
  const { width, height, data } = source.pixmap;
  const row =
    (y: number): Signal =>
    (position) => {
      const x = beyond(position - left, width, edges);
      const line = beyond(y - top, height, edges);
      return x === undefined || line === undefined ? 0 : data[(line * width + x) * 4 + channel];
    };
  const cache = new Map<string, number>();
  const across = (x: number, y: number) => {
    const key = `${x},${y}`;
    const value = cache.get(key) ?? Math.floor(threeBoxes(row(y), sigma)(x) + 0.5);
    cache.set(key, value);
    return value;
  };
  const out: number[] = [];
  for (let y = bounds.top; y < bounds.bottom; y++) {
    for (let x = bounds.left; x < bounds.right; x++) {
      out.push(Math.floor(threeBoxes((line) => across(x, line), sigma)(y) + 0.5));
    }
  }
  return out;
}

t.test('blurs by three boxes along each axis, whatever is cut out of the result', (t) => {
  const source = noise(rectOf(-3, 5, 9, 7), 1);
  const cuts = [source.bounds, expand(source.bounds, 9), rectOf(-1, 7, 3, 2), rectOf(-9, -4, 8, 30)];
  for (const sigma of [0.8, 1, 1.4, 2, 2.7]) {
    for (const edges of ['transparent', 'mirrored'] as const) {
      for (const bounds of cuts) {
        const { bounds: actualBounds, pixmap } = boxBlur(source, sigma, edges, bounds);
        t.same(actualBounds, bounds);
        for (const channel of [0, 3]) {
          const actual = Array.from(pixmap.words, (_, i) => pixmap.data[4 * i + channel]);
          const expected = reference(source, sigma, edges, bounds, channel);
          const worst = Math.max(...actual.map((value, i) => Math.abs(value - expected[i])));
          t.ok(worst <= 1, `σ ${sigma}, ${edges}, channel ${channel}: off by ${worst}`);
        }
      }
    }
  }
  t.end();
});

t.test('the plain kernels blur alike, in strips, and with windows beyond 32-bit sums', (t) => {
  const cases: readonly [Rect, number, EdgeMode][] = [
    [rectOf(0, 0, 70, 41), 5, 'transparent'],
    [rectOf(0, 0, 33, 50), 20, 'mirrored'],
    [rectOf(10, 10, 40, 30), 135, 'transparent'],
    [rectOf(0, 0, 21, 9), 136.2, 'mirrored'],
    [rectOf(0, 0, 300, 200), 272.4, 'transparent'],
    [rectOf(0, 0, 200, 300), 300, 'transparent'],
  ];
  for (const [bounds, sigma, edges] of cases) {
    const source = noise(bounds, 2);
    const region = expand(bounds, edges === 'mirrored' ? 0 : 13);
    const { words } = boxBlur(source, sigma, edges, region).pixmap;
    const plain = withPlainKernels(() => boxBlur(source, sigma, edges, region).pixmap.words);
    t.ok(words.every((word, i) => word === plain[i]) && words.some((word) => word !== 0), `σ ${sigma}, ${edges}`);
  }
  // high enough for strips of 64 columns
  const high = noise(rectOf(0, 0, 150, 40_000), 3);
  const whole = boxBlur(high, 3, 'transparent', high.bounds);
  for (const left of [0, 60, 127]) {
    const part = boxBlur(high, 3, 'transparent', rectOf(left, 9000, 20, 10));
    for (let y = 0; y < 10; y++) {
      const from = (9000 + y) * 150 + left;
      t.same(part.pixmap.words.slice(y * 20, y * 20 + 20), whole.pixmap.words.slice(from, from + 20));
    }
  }
  t.end();
});

t.test('keeps an even colour, and colours no stronger than alpha', (t) => {
  const white = packWord(255, 255, 255, 255);
  for (const sigma of [0.8, 3, 50, 136, 200, 272.4, 532]) {
    const source = new Surface(rectOf(0, 0, 40, 30));
    source.pixmap.words.fill(white);
    const { words } = boxBlur(source, sigma, 'mirrored', source.bounds).pixmap;
    t.ok(
      words.every((word) => word === white),
      `σ ${sigma}`,
    );
    const { data } = boxBlur(noise(rectOf(0, 0, 40, 30), 4), sigma, 'transparent', rectOf(-20, -20, 80, 70)).pixmap;
    t.ok(data.every((value, i) => value <= data[i | 3]));
  }
  t.end();
});

t.test('spreads as far as it says, at most as far as with a standard deviation of 532 pixels', (t) => {
  t.equal(boxBlurReach(0), 0);
  t.equal(boxBlurReach(0.79), 0);
  t.equal(boxBlurReach(20), 56);
  t.equal(boxBlurReach(1e4), boxBlurReach(532));
  for (const sigma of [1, 2, 9.3, 60]) {
    const dot = new Surface(rectOf(0, 0, 60, 1));
    dot.pixmap.words.fill(packWord(255, 255, 255, 255));
    const reach = boxBlurReach(sigma);
    const { data, width } = boxBlur(dot, sigma, 'transparent', rectOf(-reach - 3, 0, 66 + 2 * reach, 1)).pixmap;
    t.same([data[3], data[11], data[4 * (width - 3) + 3], data[4 * width - 1]], [0, 0, 0, 0], `σ ${sigma}`);
  }
  const far = boxBlur(noise(rectOf(0, 0, 5, 5), 1), 2, 'transparent', rectOf(100, 100, 4, 4));
  t.ok(
    far.pixmap.words.every((word) => word === 0),
    'nothing out of reach',
  );
  t.end();
});

// Resampling against floating point: bilinear enlarging in Chromium's 16 steps, truncated means of 2 × 2, and no
// aliasing when shrinking.
import fc from 'fast-check';
import t from 'tap';
import { rectOf } from '../../lib/geometry/rect.js';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { resample } from '../../lib/raster/resample.js';
import { anyPixmap, firstBroken, largestDifference } from './pixels.js';

fc.configureGlobal({ seed: 1704 });

function whole(source: Pixmap, width: number, height: number): Pixmap {
  return resample(source, width, height, rectOf(0, 0, width, height));
}

/** Samples a channel bilinearly in `steps` steps; edge pixels extend beyond the edges. */
function bilinear({ data, width, height }: Pixmap, x: number, y: number, channel: number, steps: number): number {
  const at = (u: number, v: number) =>
    data[(Math.min(height - 1, Math.max(0, v)) * width + Math.min(width - 1, Math.max(0, u))) * 4 + channel];
  const [u, v] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  const [right, low] = [x - 0.5 - u, y - 0.5 - v].map((share) => Math.floor(share * steps) / steps);
  const upper = at(u, v) * (1 - right) + at(u + 1, v) * right;
  const lower = at(u, v + 1) * (1 - right) + at(u + 1, v + 1) * right;
  return upper * (1 - low) + lower * low;
}

t.test('enlarging, and shrinking to more than half, is bilinear', (t) => {
  const size = fc.integer({ min: 4, max: 40 });
  fc.assert(
    fc.property(anyPixmap(7, 6), size, size, (source, width, height) => {
      const scaled = whole(source, width, height);
      if (firstBroken(scaled) >= 0) return false;
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          for (const channel of [0, 1, 2, 3]) {
            // rounding must not move an integer position to the pixel before it
            const [u, v] = [((x + 0.5) * 7) / width + 1e-6, ((y + 0.5) * 6) / height + 1e-6];
            const expected = Math.floor(bilinear(source, u, v, channel, 16));
            if (scaled.data[(y * width + x) * 4 + channel] !== expected) return false;
          }
        }
      }
      return true;
    }),
    { numRuns: 60 },
  );
  t.end();
});

t.test('enlarging by more than 16 uses finer steps', (t) => {
  const source = new Pixmap(2, 1);
  source.data.set([0, 0, 0, 255, 240, 240, 240, 255]);
  const wide = whole(source, 512, 1);
  const reds = Array.from({ length: 512 }, (_, x) => wide.data[x * 4]);
  t.ok(reds.every((red, x) => Math.abs(red - (256 * bilinear(source, (x + 0.5) / 256, 0.5, 0, 256)) / 256) <= 1));
  t.ok(new Set(reds).size > 200, 'no bands');
  t.end();
});

t.test('resampling to the same size changes nothing', (t) => {
  fc.assert(fc.property(anyPixmap(9, 5), (source) => largestDifference(whole(source, 9, 5), source) === 0));
  t.end();
});

t.test('half the size is the truncated mean of each 2 × 2', (t) => {
  fc.assert(
    fc.property(anyPixmap(8, 6), (source) => {
      const half = whole(source, 4, 3);
      for (let y = 0; y < 3; y++) {
        for (let x = 0; x < 4; x++) {
          for (const channel of [0, 1, 2, 3]) {
            const sum = [0, 1, 8, 9].reduce((all, i) => all + source.data[(2 * y * 8 + 2 * x + i) * 4 + channel], 0);
            if (half.data[(y * 4 + x) * 4 + channel] !== Math.floor(sum / 4)) return false;
          }
        }
      }
      return firstBroken(half) < 0;
    }),
    { numRuns: 60 },
  );
  t.end();
});

t.test('fine stripes shrink to their mean, whatever their period', (t) => {
  for (const period of [2, 3, 5, 7]) {
    const source = new Pixmap(512, 512);
    for (let y = 0; y < 512; y++) {
      for (let x = 0; x < 512; x++)
        source.data.fill(x % period === 0 ? 255 : 0, (y * 512 + x) * 4, (y * 512 + x) * 4 + 4);
    }
    const shrunk = whole(source, 16, 16);
    const mean = 255 / period;
    t.ok(
      shrunk.data.every((value) => Math.abs(value - mean) <= 12),
      `every ${period} pixels`,
    );
  }
  t.end();
});

t.test('fine stripes shrink to near their mean when only one side shrinks', (t) => {
  // the side is halved until less than four times too long, so what is left of the stripes is up to 19, measured
  const source = new Pixmap(500, 4);
  for (let x = 0; x < 500; x++) {
    for (let y = 0; y < 4; y++) source.data.fill(x % 5 === 0 ? 255 : 0, (y * 500 + x) * 4, (y * 500 + x) * 4 + 4);
  }
  const shrunk = whole(source, 16, 4);
  t.ok(
    shrunk.data.every((value) => Math.abs(value - 51) <= 25),
    'side by side',
  );
  const turned = new Pixmap(4, 500);
  for (let i = 0; i < 2000; i++) turned.words[i] = source.words[Math.floor(i / 4)];
  t.ok(
    whole(turned, 8, 16).data.every((value) => Math.abs(value - 51) <= 25),
    'one above the other, while the other side grows',
  );
  t.end();
});

t.test('shrinking keeps the image’s mean, except for truncation in each halving', (t) => {
  fc.assert(
    fc.property(anyPixmap(64, 32), fc.integer({ min: 0, max: 4 }), (source, halvings) => {
      const scaled = whole(source, 64 >> halvings, 32 >> halvings);
      for (const channel of [0, 1, 2, 3]) {
        const mean = ({ data }: Pixmap) =>
          data.reduce((sum, v, i) => (i % 4 === channel ? sum + v : sum), 0) / data.length;
        const lost = mean(source) - mean(scaled);
        if (lost < 0 || lost > 0.75 * halvings) return false;
      }
      return true;
    }),
    { numRuns: 20 },
  );
  t.end();
});

t.test('a part equals the same pixels of the whole', (t) => {
  const sizes = fc.record({ width: fc.integer({ min: 2, max: 30 }), height: fc.integer({ min: 2, max: 30 }) });
  fc.assert(
    fc.property(anyPixmap(11, 9), sizes, fc.nat(), fc.nat(), (source, { width, height }, i, j) => {
      const left = i % width;
      const top = j % height;
      const part = { left, top, right: width, bottom: height };
      const cut = resample(source, width, height, part);
      const all = whole(source, width, height);
      for (let y = 0; y < cut.height; y++) {
        for (let x = 0; x < cut.width; x++) {
          if (cut.words[y * cut.width + x] !== all.words[(y + top) * width + x + left]) return false;
        }
      }
      return cut.width === width - left && cut.height === height - top;
    }),
    { numRuns: 60 },
  );
  t.end();
});

// Blending two channels per operation gives exactly the results of one channel at a time.
import fc from 'fast-check';
import t from 'tap';
import type { Affine } from '../../lib/geometry/affine.js';
import { blendPair, div255 } from '../../lib/raster/blend.js';
import type { Color } from '../../lib/raster/color.js';
import { PixmapPaint, SolidPaint, TransformedPaint } from '../../lib/raster/paint.js';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { resample } from '../../lib/raster/resample.js';
import { ScaledPaint, ScaledRows } from '../../lib/raster/scaled-rows.js';
import { anyColor, anyPixmap, copy, firstBroken, largestDifference, opacity, spansOf } from './pixels.js';

fc.configureGlobal({ seed: 1705 });

const WIDTH = 12;
const byte = fc.integer({ min: 0, max: 255 });
const coverage = fc.array(fc.oneof(fc.constantFrom(0, 255), byte), { minLength: WIDTH, maxLength: WIDTH });

/** The twin of compositeRun: composites a row one channel at a time. */
function plainImage(target: Pixmap, source: Pixmap, cover: readonly number[], strength: number): void {
  const weakened = Math.round(strength * 255);
  cover.forEach((value, x) => {
    const share = div255(weakened * value);
    const rest = 255 - div255(source.data[4 * x + 3] * share);
    for (let i = 4 * x; i < 4 * x + 4; i++) target.data[i] = div255(source.data[i] * share + target.data[i] * rest);
  });
}

/** The twin of SolidPaint. */
function plainColor(target: Pixmap, { r, g, b, a }: Color, cover: readonly number[]): void {
  cover.forEach((value, x) => {
    const share = div255(Math.round(a * 255) * value);
    [r, g, b, 255].forEach((channel, c) => {
      const i = 4 * x + c;
      target.data[i] = div255(channel * share + target.data[i] * (255 - share));
    });
  });
}

t.test('blendPair equals div255 of each channel, at every weight', (t) => {
  let wrong = 0;
  for (let alpha = 0; alpha <= 255; alpha++) {
    for (let share = 0; share <= 255; share++) {
      const rest = 255 - div255(alpha * share);
      for (const [low, high] of [
        [0, 255],
        [255, 0],
        [255, 255],
        [127, 128],
        [share, alpha],
      ]) {
        const both = blendPair(Math.imul(alpha | ((alpha >> 1) << 16), share) + 0x00800080, low | (high << 16), rest);
        const expected = div255(alpha * share + low * rest) | (div255((alpha >> 1) * share + high * rest) << 16);
        if (both !== expected || (both & 0x00ff00ff) !== both) wrong++;
      }
    }
  }
  t.equal(wrong, 0);
  t.end();
});

t.test('SolidPaint equals its twin', (t) => {
  fc.assert(
    fc.property(
      anyPixmap(WIDTH, 1),
      anyColor,
      coverage,
      byte,
      fc.boolean(),
      (backdrop, color, edges, flat, constant) => {
        const cover = constant ? new Array<number>(WIDTH).fill(flat) : edges;
        const painted = copy(backdrop);
        const plain = copy(backdrop);
        new SolidPaint(color).row(painted, 0, spansOf(cover, constant));
        plainColor(plain, color, cover);
        // a fully covered pixel is the packed colour
        return largestDifference(painted, plain) === 0;
      },
    ),
    { numRuns: 600 },
  );
  t.end();
});

t.test('SolidPaint maps coverage through its table, on edges and constant runs', (t) => {
  const table = Uint8Array.from({ length: 256 }, (_, i) => Math.round(255 * Math.sqrt(i / 255)));
  for (const constant of [false, true]) {
    for (const flat of [1, 64, 200, 254, 255]) {
      const cover = new Array<number>(WIDTH).fill(flat);
      const [mapped, plain] = [new Pixmap(WIDTH, 1), new Pixmap(WIDTH, 1)];
      const color = { r: 200, g: 90, b: 10, a: 0.8 };
      new SolidPaint(color, table).row(mapped, 0, spansOf(cover, constant));
      new SolidPaint(color).row(
        plain,
        0,
        spansOf(
          cover.map((value) => table[value]),
          constant,
        ),
      );
      t.same(mapped.data, plain.data, `${flat}, constant: ${constant}`);
    }
  }
  t.end();
});

t.test('PixmapPaint equals its twin when pixels repeat', (t) => {
  const colors = [0, 0xff102030, 0x80402010, 0x01010101, 0xffffffff];
  const few = fc.array(fc.constantFrom(...colors), { minLength: WIDTH, maxLength: WIDTH });
  const levels = fc.array(fc.constantFrom(0, 128, 255), { minLength: WIDTH, maxLength: WIDTH });
  const pixmapOf = (words: number[]) => {
    const pixmap = new Pixmap(WIDTH, 1);
    pixmap.words.set(words);
    return pixmap;
  };
  fc.assert(
    fc.property(few, few, opacity, levels, fc.boolean(), (backdrop, source, strength, cover, constant) => {
      const [painted, plain, image] = [pixmapOf(backdrop), pixmapOf(backdrop), pixmapOf(source)];
      const covers = constant ? new Array<number>(WIDTH).fill(cover[0]) : cover;
      new PixmapPaint(image, 0, 0, strength).row(painted, 0, spansOf(covers, constant));
      plainImage(plain, image, covers, strength);
      return largestDifference(painted, plain) === 0;
    }),
    { numRuns: 600 },
  );
  t.end();
});

t.test('PixmapPaint equals its twin', (t) => {
  const row = anyPixmap(WIDTH, 1);
  fc.assert(
    fc.property(row, row, opacity, coverage, fc.boolean(), (backdrop, source, strength, cover, constant) => {
      const painted = copy(backdrop);
      const plain = copy(backdrop);
      new PixmapPaint(source, 0, 0, strength).row(painted, 0, spansOf(cover, constant));
      plainImage(plain, source, cover, strength);
      return largestDifference(painted, plain) === 0;
    }),
    { numRuns: 600 },
  );
  t.end();
});

t.test('ScaledPaint equals resampling first and painting then', (t) => {
  const size = fc.integer({ min: WIDTH, max: 150 });
  const shape = fc.record({ width: size, height: fc.integer({ min: 4, max: 90 }), opaque: fc.boolean() });
  fc.assert(
    fc.property(anyPixmap(9, 5), shape, opacity, coverage, fc.boolean(), (source, shape, strength, cover, constant) => {
      const { width, height, opaque } = shape;
      if (opaque) for (let i = 3; i < source.data.length; i += 4) source.data[i] = 255;
      const part = { left: width - WIDTH, top: 1, right: width, bottom: height };
      const painted = new Pixmap(WIDTH + 2, height + 1);
      painted.fill({ r: 200, g: 100, b: 50, a: 0.6 });
      const plain = copy(painted);
      const spans = spansOf([0, ...cover, 0], constant);
      const strong = opaque ? 1 : strength;
      const scaled = new ScaledPaint(new ScaledRows(source, width, height, part), 1, 2, strong);
      const whole = new PixmapPaint(resample(source, width, height, part), 1, 2, strong);
      if (!constant) {
        spans.start[0] = 1;
        spans.end[0] = WIDTH + 1;
      }
      for (let y = 2; y < height + 1; y++) {
        scaled.row(painted, y, spans);
        whole.row(plain, y, spans);
      }
      return largestDifference(painted, plain) === 0 && firstBroken(painted) < 0;
    }),
    { numRuns: 300 },
  );
  t.end();
});

/** The twin of TransformedPaint: samples a row one channel at a time, rounded by the byte array. */
function plainTransformed({ data, width, height }: Pixmap, { a, b, c, d, e, f }: Affine, y: number): Pixmap {
  const out = new Pixmap(WIDTH, 1);
  const within = (place: number, size: number) => Math.min(size - 1, Math.max(0, place));
  let u = a * 0.5 + c * (y + 0.5) + e - 0.5;
  let v = b * 0.5 + d * (y + 0.5) + f - 0.5;
  for (let x = 0; x < WIDTH; x++, u += a, v += b) {
    const [column, row] = [Math.floor(u), Math.floor(v)];
    const [right, lower] = [u - column, v - row];
    const both = right * lower;
    const weights = [1 - right - (lower - both), right - both, lower - both, both];
    for (let channel = 0; channel < 4; channel++) {
      let sum = 0;
      weights.forEach((weight, i) => {
        const at = within(row + (i >> 1), height) * width + within(column + (i & 1), width);
        sum += data[4 * at + channel] * weight;
      });
      out.data[4 * x + channel] = sum;
    }
  }
  return out;
}

t.test('TransformedPaint equals its twin, including sums that end in a half', (t) => {
  // quarter steps give sums that end in a half
  const entry = fc.oneof(fc.constantFrom(-1, -0.5, 0, 0.25, 0.5, 1), fc.double({ min: -1.5, max: 1.5, noNaN: true }));
  const shift = fc.oneof(fc.constantFrom(0, 0.25, 0.5), fc.double({ min: -8, max: 8, noNaN: true }));
  const map: fc.Arbitrary<Affine> = fc.record({ a: entry, b: entry, c: entry, d: entry, e: shift, f: shift });
  const image = fc.oneof(anyPixmap(5, 4), anyPixmap(1, 3), anyPixmap(6, 1));
  fc.assert(
    fc.property(image, map, fc.integer({ min: 0, max: 9 }), (source, toSource, y) => {
      const line = new Pixmap(WIDTH, 1);
      const full = spansOf(new Array<number>(WIDTH).fill(255), true);
      new TransformedPaint(source, toSource, 1, line).row(new Pixmap(WIDTH, y + 1), y, full);
      return largestDifference(line, plainTransformed(source, toSource, y)) === 0;
    }),
    { numRuns: 600 },
  );
  t.end();
});

// Paints against floating-point references; r, g, b never exceed alpha.
import fc from 'fast-check';
import t from 'tap';
import { type Affine, invert, rotationAbout } from '../../lib/geometry/affine.js';
import { ellipse } from '../../lib/geometry/shapes.js';
import { div255 } from '../../lib/raster/blend.js';
import { PixmapPaint, SolidPaint, TransformedPaint } from '../../lib/raster/paint.js';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { Surface } from '../../lib/raster/surface.js';
import { contrastTable } from '../../lib/raster/text-gamma.js';
import { anyColor, anyPixmap, copy, firstBroken, opacity, spansOf } from './pixels.js';

fc.configureGlobal({ seed: 1702 });

const WIDTH = 12;
const coverage = fc.array(fc.oneof(fc.constantFrom(0, 255), fc.integer({ min: 0, max: 255 })), {
  minLength: WIDTH,
  maxLength: WIDTH,
});

/** Source-over on premultiplied channels of 0–255, in floating point; `share` (0–1) is the source's weight. */
function over(source: number, sourceAlpha: number, share: number, ground: number): number {
  return source * share + ground * (1 - (sourceAlpha / 255) * share);
}

t.test('div255 divides by 255 and rounds', (t) => {
  for (let x = 0; x <= 65_025; x++) if (div255(x) !== Math.round(x / 255)) t.fail(`${x}`);
  t.equal(div255(65_025), 255);
  t.end();
});

t.test('a colour is blended within 1 of floating point', (t) => {
  fc.assert(
    fc.property(anyPixmap(WIDTH, 1), anyColor, coverage, fc.boolean(), (ground, color, cover, constant) => {
      const painted = copy(ground);
      new SolidPaint(color).row(painted, 0, spansOf(cover, constant));
      return cover.every((value, x) =>
        [color.r, color.g, color.b, 255].every((channel, c) => {
          const expected = over(channel * color.a, 255 * color.a, value / 255, ground.data[4 * x + c]);
          return Math.abs(painted.data[4 * x + c] - expected) <= 1.01;
        }),
      );
    }),
    { numRuns: 400 },
  );
  t.end();
});

t.test('an image is blended within 1 of floating point', (t) => {
  fc.assert(
    fc.property(
      anyPixmap(WIDTH, 1),
      anyPixmap(WIDTH, 1),
      opacity,
      coverage,
      fc.boolean(),
      (ground, source, strength, cover, constant) => {
        const painted = copy(ground);
        new PixmapPaint(source, 0, 0, strength).row(painted, 0, spansOf(cover, constant));
        return cover.every((value, x) =>
          [0, 1, 2, 3].every((c) => {
            const share = (value / 255) * strength;
            const expected = over(source.data[4 * x + c], source.data[4 * x + 3], share, ground.data[4 * x + c]);
            return Math.abs(painted.data[4 * x + c] - expected) <= 1.51;
          }),
        );
      },
    ),
    { numRuns: 400 },
  );
  t.end();
});

t.test('PixmapPaint places the image at its offset', (t) => {
  const target = new Pixmap(6, 4);
  const source = new Pixmap(2, 2);
  source.data.set([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 9, 9, 255]);
  const paint = new PixmapPaint(source, 3, 1);
  for (const y of [1, 2]) paint.row(target, y, spansOf([0, 0, 0, 255, 255, 0], true));
  t.same([...target.data.subarray((6 + 3) * 4, (6 + 5) * 4)], [255, 0, 0, 255, 0, 255, 0, 255]);
  t.same([...target.data.subarray((12 + 3) * 4, (12 + 5) * 4)], [0, 0, 255, 255, 9, 9, 9, 255]);
  t.equal(target.words.filter((word) => word !== 0).length, 4);
  t.end();
});

t.test('TransformedPaint matches a naive bilinear sampler', (t) => {
  const entry = fc.double({ min: -1.5, max: 1.5, noNaN: true });
  const shift = fc.double({ min: -8, max: 8, noNaN: true });
  const map: fc.Arbitrary<Affine> = fc.record({ a: entry, b: entry, c: entry, d: entry, e: shift, f: shift });
  fc.assert(
    fc.property(anyPixmap(5, 4), map, fc.integer({ min: 0, max: 30 }), (source, toSource, y) => {
      const target = new Pixmap(WIDTH, y + 1);
      const paint = new TransformedPaint(source, toSource, 1, new Pixmap(WIDTH, 1));
      paint.row(target, y, spansOf(new Array(WIDTH).fill(255), true));
      const { a, b, c, d, e, f } = toSource;
      const at = (u: number, v: number, channel: number) =>
        source.data[(Math.min(3, Math.max(0, v)) * 5 + Math.min(4, Math.max(0, u))) * 4 + channel];
      for (let x = 0; x < WIDTH; x++) {
        const u = a * (x + 0.5) + c * (y + 0.5) + e - 0.5;
        const v = b * (x + 0.5) + d * (y + 0.5) + f - 0.5;
        const [i, j] = [Math.floor(u), Math.floor(v)];
        for (const channel of [0, 1, 2, 3]) {
          const upper = at(i, j, channel) * (1 - (u - i)) + at(i + 1, j, channel) * (u - i);
          const lower = at(i, j + 1, channel) * (1 - (u - i)) + at(i + 1, j + 1, channel) * (u - i);
          const expected = upper * (1 - (v - j)) + lower * (v - j);
          // translucent pixels are composited onto transparency, so they are rounded twice
          if (Math.abs(target.data[(y * WIDTH + x) * 4 + channel] - expected) > 1.01) return false;
        }
      }
      return true;
    }),
    { numRuns: 200 },
  );
  t.end();
});

t.test('an opaque image of one colour keeps it under every rotation', (t) => {
  const source = new Pixmap(7, 5);
  source.fill({ r: 10, g: 200, b: 30, a: 1 });
  fc.assert(
    fc.property(fc.double({ min: 0, max: 360, noNaN: true }), (degrees) => {
      const toSource = invert(rotationAbout(degrees, 3.5, 2.5));
      if (!toSource) return false;
      const target = new Pixmap(WIDTH, 1);
      new TransformedPaint(source, toSource, 1, new Pixmap(WIDTH, 1)).row(
        target,
        0,
        spansOf(new Array(WIDTH).fill(255), false),
      );
      return target.words.every((word) => word === source.words[0]);
    }),
  );
  t.end();
});

t.test('r, g, b never exceed alpha in any painting order', (t) => {
  const size = 24;
  const place = fc.double({ min: -6, max: 30, noNaN: true });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('solid' as const), color: anyColor, x: place, y: place, text: fc.boolean() }),
    fc.record({ kind: fc.constant('picture' as const), picture: anyPixmap(size, 3), strength: opacity }),
    fc.record({ kind: fc.constant('mapped' as const), picture: anyPixmap(4, 4), strength: opacity, degrees: place }),
    fc.record({ kind: fc.constant('group' as const), color: anyColor, strength: opacity }),
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      const bounds = { left: 0, top: 0, right: size, bottom: size };
      const surface = new Surface(bounds);
      for (const each of steps) {
        if (each.kind === 'solid') {
          const { color, x, y } = each;
          const path = ellipse({ left: x, top: y, right: x + 11.3, bottom: y + 9.7 });
          const paint = new SolidPaint(color, each.text ? contrastTable(color) : undefined);
          surface.fillPath(path, { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }, paint);
        } else if (each.kind === 'picture') {
          surface.fillRect(
            { left: 0, top: 5, right: size, bottom: 8 },
            new PixmapPaint(each.picture, 0, 5, each.strength),
          );
        } else if (each.kind === 'mapped') {
          const turn = rotationAbout(each.degrees * 10, 6, 6);
          const line = new Pixmap(size, 1);
          const paint = new TransformedPaint(each.picture, turn, each.strength, line);
          surface.fillPath(ellipse({ left: 2, top: 2, right: 20.5, bottom: 22 }), turn, paint);
        } else {
          const group = new Surface({ left: 3, top: -4, right: 19, bottom: 12 });
          group.fillRect(group.bounds, new SolidPaint(each.color));
          surface.drawSurface(group, each.strength);
        }
        if (firstBroken(surface.pixmap) >= 0) return false;
      }
      return true;
    }),
    { numRuns: 300 },
  );
  t.end();
});

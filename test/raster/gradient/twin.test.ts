// The WebAssembly kernels and the plain ones paint the same pixels, whatever part of a gradient is painted.
import fc from 'fast-check';
import t from 'tap';
import { parseGradient } from '../../../lib/contract/css/gradient.js';
import { type Affine, IDENTITY, rotationAbout } from '../../../lib/geometry/affine.js';
import type { Rect } from '../../../lib/geometry/rect.js';
import type { Gradient } from '../../../lib/raster/gradient/gradient.js';
import { Surface } from '../../../lib/raster/surface.js';
import { withPlainKernels } from '../../kernels/plain.js';

function gradient(text: string): Gradient {
  const parsed = parseGradient(text);
  if (typeof parsed === 'string') throw new Error(`${text}: ${parsed}`);
  return parsed;
}

/** The pixels of `part` of a gradient in `box`. */
function draw(text: string, box: Rect, part: Rect, toCanvas: Affine = IDENTITY, opacity = 1): Uint32Array {
  const surface = new Surface(part);
  surface.fillRect(part, surface.paintOf(gradient(text), { box, toCanvas }, opacity));
  return surface.pixmap.words;
}

function differences(some: Uint32Array, others: Uint32Array): number {
  return some.reduce((count, word, i) => count + (word === others[i] ? 0 : 1), 0);
}

const length = fc.integer({ min: 1, max: 1100 });
const percentage = fc.integer({ min: -20, max: 130 });
const angle = fc.integer({ min: -400, max: 400 });
const stop = fc
  .tuple(
    fc.constantFrom('#fde68a', '#fb923c', '#f43f5e', 'red', 'blue', '#0f08', '#fff1', 'transparent'),
    fc.oneof(fc.constant(''), percentage.map(String), fc.double({ min: -5, max: 110, noNaN: true }).map(String)),
  )
  .map(([color, at]) => (at === '' ? color : `${color} ${at}%`));

/** Exact: the centre is on a whole pixel and nothing is scaled or turned but by powers of two, so that no sum is rounded. */
const gradientText = (isExact: boolean) =>
  fc
    .record({
      kind: fc.constantFrom('radial', 'radial', 'conic'),
      repeating: fc.constantFrom('', '', 'repeating-'),
      shape: fc.constantFrom('circle', 'ellipse', 'circle closest-side', 'closest-corner', '37px 61.5px'),
      from: angle,
      x: percentage,
      y: percentage,
      space: fc.constantFrom('', '', '', ' in oklab'),
      stops: fc.array(stop, { minLength: 2, maxLength: 7 }),
    })
    .map(({ kind, repeating, shape, from, x, y, space, stops }) => {
      const prelude = kind === 'radial' ? (isExact ? '256px' : shape) : `from ${isExact ? 0 : from}deg`;
      const unit = isExact ? 'px' : '%';
      return `${repeating}${kind}-gradient(${prelude} at ${x}${unit} ${y}${unit}${space}, ${stops.join(', ')})`;
    });

/** A box and a few rows of it. */
const boxAndRows = fc.tuple(length, length, fc.double({ min: 0, max: 1, noNaN: true })).map(([width, height, at]) => {
  const top = Math.floor((height - 1) * at);
  const box = { left: 0, top: 0, right: width, bottom: height };
  return { box, rows: { ...box, top, bottom: Math.min(height, top + 3) } };
});

t.test('radial and conic gradients of all sizes', (t) => {
  fc.assert(
    fc.property(gradientText(false), boxAndRows, fc.constantFrom(0, 0, 17), (text, { box, rows }, degrees) => {
      const paint = () => draw(text, box, rows, rotationAbout(degrees, 3, 9));
      return differences(paint(), withPlainKernels(paint)) === 0;
    }),
    { seed: 17, numRuns: 600 },
  );
  t.end();
});

t.test('a pixel is the same whichever part of the gradient is painted', (t) => {
  fc.assert(
    fc.property(
      gradientText(true),
      boxAndRows,
      fc.nat({ max: 700 }),
      fc.nat({ max: 90 }),
      (text, { box, rows }, from, count) => {
        const left = Math.min(from, rows.right - 1);
        const right = Math.min(rows.right, left + 1 + count);
        const surface = new Surface(rows);
        surface.fillRect({ ...rows, left, right }, surface.paintOf(gradient(text), { box, toCanvas: IDENTITY }));
        const whole = draw(text, box, rows);
        return surface.pixmap.words.every((word, i) => {
          const x = i % rows.right;
          return x < left || x >= right || word === whole[i];
        });
      },
    ),
    { seed: 18, numRuns: 600 },
  );
  t.end();
});

t.test('blocks beside a stop that is in the same cell of the table', (t) => {
  const sun = 'radial-gradient(circle at 50% 35%, #fde68a, #fb923c 60%, #f43f5e)';
  const square = { left: 0, top: 0, right: 580, bottom: 580 };
  const paint = () => draw(sun, square, { ...square, top: 23, bottom: 29 });
  t.equal(differences(paint(), withPlainKernels(paint)), 0);

  const text = 'radial-gradient(1024px at 3px 3px, #404040, #606060 30.1%, #404040)';
  const box = { left: 0, top: 0, right: 512, bottom: 300 };
  const blocks = new Surface(box);
  const fill = blocks.paintOf(gradient(text), { box, toCanvas: IDENTITY });
  for (let left = 0; left < 512; left += 16) blocks.fillRect({ ...box, left, right: left + 16 }, fill);
  t.equal(differences(blocks.pixmap.words, draw(text, box, box)), 0, 'one by one');
  t.end();
});

t.test('turned gradients of all kinds', (t) => {
  const box = { left: 3, top: 2, right: 93, bottom: 62 };
  for (const text of [
    'linear-gradient(33deg, red, #0f08 40%, blue 40% 41%, white)',
    'repeating-linear-gradient(77deg in oklch, red, lime 9.7px)',
    'radial-gradient(at 33.3% 20%, red, 20%, #0f02, blue)',
    'repeating-radial-gradient(circle 7.3px, red, lime 3px, blue 3px)',
    'conic-gradient(from 12deg at 40% 40.3%, red, lime 20%, blue 20% 60%, #0000)',
    'repeating-conic-gradient(from 12deg in hsl longer hue, red, blue 44.4deg)',
  ]) {
    const paint = () => draw(text, box, box, rotationAbout(17, 3, 9), 0.7);
    t.equal(differences(paint(), withPlainKernels(paint)), 0, text);
  }
  t.end();
});

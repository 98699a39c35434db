// Filter lists: their order, drop shadows, how far they reach, and what is cut out of the result.
import t from 'tap';
import { intersect, type Rect, rectOf } from '../../../lib/geometry/rect.js';
import { applyFilters } from '../../../lib/raster/filters/apply.js';
import { filteredBounds, filterSource, mapFilters, type PlacedFilter } from '../../../lib/raster/filters/filter.js';
import { packWord } from '../../../lib/raster/pixmap.js';
import { Surface } from '../../../lib/raster/surface.js';
import { noise } from './noise.js';

const RED = { r: 255, g: 0, b: 0, a: 1 };
const shadow = (x: number, y: number, sigma = 0): PlacedFilter => ({ type: 'drop-shadow', x, y, sigma, color: RED });

function copyOf({ bounds, pixmap }: Surface): Surface {
  const copy = new Surface(bounds);
  copy.pixmap.words.set(pixmap.words);
  return copy;
}

function at({ bounds, pixmap }: Surface, x: number, y: number): number {
  const { left, top, right, bottom } = bounds;
  return x < left || y < top || x >= right || y >= bottom ? 0 : pixmap.words[(y - top) * pixmap.width + x - left];
}

const LISTS: readonly PlacedFilter[][] = [
  [],
  [{ type: 'blur', sigma: 2 }],
  [shadow(5, -3)],
  [shadow(-4, 6, 1.5), { type: 'brightness', amount: 0.5 }, { type: 'blur', sigma: 1 }],
  [shadow(30, 0), shadow(-30, 0)],
  [{ type: 'blur', sigma: 3 }, shadow(9, 9, 2), shadow(-20, -5), { type: 'invert', amount: 1 }],
];

t.test('the part in a clip is what the whole has there', (t) => {
  const source = noise(rectOf(10, 20, 24, 18), 1);
  for (const list of LISTS) {
    const everything = filteredBounds(list, source.bounds);
    const whole = applyFilters(copyOf(source), list, 'transparent', everything);
    for (const clip of [rectOf(15, 22, 6, 5), rectOf(0, 0, 12, 60), rectOf(30, 25, 50, 50)]) {
      const part = applyFilters(copyOf(source), list, 'transparent', clip);
      // no more of the source is read than filterSource says
      const read = intersect(source.bounds, filterSource(list, clip));
      let isSame = true;
      for (let y = clip.top; y < clip.bottom; y++) {
        for (let x = clip.left; x < clip.right; x++) {
          isSame &&= (part ? at(part, x, y) : 0) === (whole ? at(whole, x, y) : 0);
        }
      }
      t.ok(
        isSame,
        `${list.map(({ type }) => type).join(' ')} in ${JSON.stringify(clip)}, from ${JSON.stringify(read)}`,
      );
    }
  }
  t.end();
});

t.test('a drop shadow lies beneath, offset and coloured, and is one of the picture for what follows', (t) => {
  const blue = packWord(0, 0, 255, 255);
  const red = packWord(255, 0, 0, 255);
  const dot = (bounds: Rect = rectOf(0, 0, 1, 1)) => {
    const surface = new Surface(bounds);
    surface.pixmap.words.fill(blue);
    return surface;
  };
  const one = applyFilters(dot(), [shadow(2, 1)], 'transparent', rectOf(-9, -9, 20, 20)) as Surface;
  t.same([at(one, 0, 0), at(one, 2, 1), at(one, 1, 0)], [blue, red, 0]);
  const two = applyFilters(dot(), [shadow(2, 0), shadow(0, 3)], 'transparent', rectOf(-9, -9, 20, 20)) as Surface;
  t.same([at(two, 0, 0), at(two, 2, 0), at(two, 0, 3), at(two, 2, 3)], [blue, red, red, red]);
  const there = [shadow(50, 0), shadow(-48, 0)];
  const back = applyFilters(dot(), there, 'transparent', rectOf(0, 0, 5, 1)) as Surface;
  t.same([at(back, 0, 0), at(back, 2, 0)], [blue, red], 'by way of pixels that are not shown');
  const covered = applyFilters(dot(), [shadow(0, 0)], 'transparent', rectOf(0, 0, 1, 1)) as Surface;
  t.equal(at(covered, 0, 0), blue);
  t.end();
});

t.test('lengths are scaled, offsets lose their fraction and turn with the layer', (t) => {
  const quarter = { a: 0, b: 2, c: -2, d: 0, e: 7, f: 9 };
  const list = [
    { type: 'blur', sigma: 3 },
    { type: 'drop-shadow', x: 5.4, y: -1.3, sigma: 1, color: 'currentcolor' },
  ] as const;
  t.same(mapFilters(list, quarter, 2, RED), [
    { type: 'blur', sigma: 6 },
    { type: 'drop-shadow', x: 3, y: 10, sigma: 2, color: RED },
  ]);
  t.end();
});

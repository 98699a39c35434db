// The colour filters against CSS's own examples, and both kernels.
import t from 'tap';
import { rectOf } from '../../../lib/geometry/rect.js';
import { applyColorFilters } from '../../../lib/raster/filters/color-matrix.js';
import { AMOUNT_FILTERS, type ColorFilter } from '../../../lib/raster/filters/filter.js';
import { Pixmap, packWord } from '../../../lib/raster/pixmap.js';
import { withPlainKernels } from '../../kernels/plain.js';
import { noise } from './noise.js';

/** A straight pixel after the filters, premultiplied. */
function filtered([r, g, b, a]: readonly number[], ...filters: ColorFilter[]): number[] {
  const pixmap = new Pixmap(1, 1);
  pixmap.words[0] = packWord((r * a) / 255, (g * a) / 255, (b * a) / 255, a);
  applyColorFilters(pixmap, filters);
  return [...pixmap.data];
}

t.test('computes what Chromium paints', (t) => {
  const purple = [128, 64, 192, 255];
  const cases: readonly [ColorFilter, number[]][] = [
    [{ type: 'brightness', amount: 0.5 }, [64, 32, 96, 255]],
    [{ type: 'brightness', amount: 2 }, [255, 128, 255, 255]],
    [{ type: 'contrast', amount: 0 }, [128, 128, 128, 255]],
    [{ type: 'contrast', amount: 2 }, [129, 1, 255, 255]],
    [{ type: 'grayscale', amount: 1 }, [87, 87, 87, 255]],
    [{ type: 'grayscale', amount: 0 }, purple],
    [{ type: 'hue-rotate', degrees: 0 }, purple],
    [{ type: 'hue-rotate', degrees: 360 }, purple],
    [{ type: 'invert', amount: 1 }, [127, 191, 63, 255]],
    [{ type: 'invert', amount: 0.5 }, [128, 128, 128, 255]],
    [{ type: 'opacity', amount: 0.5 }, [64, 32, 96, 128]],
    [{ type: 'saturate', amount: 1 }, purple],
    [{ type: 'saturate', amount: 0 }, [87, 87, 87, 255]],
    [{ type: 'sepia', amount: 0 }, purple],
    [{ type: 'sepia', amount: 1 }, [136, 121, 94, 255]],
  ];
  for (const [filter, expected] of cases) t.same(filtered(purple, filter), expected, JSON.stringify(filter));
  t.same(filtered([10, 20, 30, 0], { type: 'invert', amount: 1 }), [0, 0, 0, 0], 'nothing stays nothing');
  t.same(filtered([255, 255, 255, 128], { type: 'invert', amount: 1 }), [0, 0, 0, 128], 'colours are straight');
  t.end();
});

t.test('clamps after each function, and rounds only at the end', (t) => {
  const purple = [128, 64, 192, 255];
  t.same(filtered(purple, { type: 'brightness', amount: 3 }, { type: 'brightness', amount: 0.2 }), [51, 38, 51, 255]);
  t.same(filtered(purple, { type: 'brightness', amount: 0.001 }, { type: 'brightness', amount: 1000 }), purple);
  t.end();
});

t.test('the plain kernels compute alike', (t) => {
  const types = AMOUNT_FILTERS.map((type) => ({ type, amount: 0.37 }));
  const lists: ColorFilter[][] = [
    ...types.map((filter) => [filter]),
    [{ type: 'hue-rotate', degrees: 77 }],
    [
      { type: 'contrast', amount: 3 },
      { type: 'hue-rotate', degrees: -190 },
      { type: 'saturate', amount: 4 },
    ],
  ];
  for (const list of lists) {
    const { pixmap } = noise(rectOf(0, 0, 200, 97), 6);
    const plain = new Pixmap(200, 97, pixmap.data.slice());
    applyColorFilters(pixmap, list);
    withPlainKernels(() => applyColorFilters(plain, list));
    t.ok(
      pixmap.words.every((word, i) => word === plain.words[i]),
      list.map(({ type }) => type).join(' '),
    );
    t.ok(pixmap.data.every((value, i) => value <= pixmap.data[i | 3]));
  }
  t.end();
});

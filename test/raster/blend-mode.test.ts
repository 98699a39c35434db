// Blend modes against the formulas of CSS Compositing and Blending 1, on straight colours in floating point.
import fc from 'fast-check';
import t from 'tap';
import { BLEND_MODES, type BlendMode } from '../../lib/raster/blend-mode.js';
import { PixmapPaint } from '../../lib/raster/paint.js';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { Surface } from '../../lib/raster/surface.js';
import { anyPixmap, copy, firstBroken, spansOf } from './pixels.js';

fc.configureGlobal({ seed: 1711 });

const WIDTH = 12;
const MODES = BLEND_MODES.filter((mode) => mode !== 'normal');
type Rgb = [number, number, number];

const luminosity = ([r, g, b]: Rgb) => 0.3 * r + 0.59 * g + 0.11 * b;
const saturation = (color: Rgb) => Math.max(...color) - Math.min(...color);

/** `SetSat` of the specification, which sorts the channels. */
function withSaturation(color: Rgb, s: number): Rgb {
  const order = [0, 1, 2].sort((i, j) => color[i] - color[j]);
  const [min, mid, max] = order;
  const out: Rgb = [0, 0, 0];
  if (color[max] > color[min]) {
    out[mid] = ((color[mid] - color[min]) * s) / (color[max] - color[min]);
    out[max] = s;
  }
  return out;
}

function withLuminosity(color: Rgb, l: number): Rgb {
  const d = l - luminosity(color);
  let out = color.map((c) => c + d) as Rgb;
  const n = Math.min(...out);
  const x = Math.max(...out);
  if (n < 0) out = out.map((c) => l + ((c - l) * l) / (l - n)) as Rgb;
  if (x > 1) out = out.map((c) => l + ((c - l) * (1 - l)) / (x - l)) as Rgb;
  return out;
}

/** B(cb, cs) of section 10. */
function blend(mode: BlendMode, cb: Rgb, cs: Rgb): Rgb {
  const each = (f: (b: number, s: number) => number) => cb.map((b, i) => f(b, cs[i])) as Rgb;
  const screen = (b: number, s: number) => b + s - b * s;
  const hardLight = (b: number, s: number) => (s <= 0.5 ? b * 2 * s : screen(b, 2 * s - 1));
  switch (mode) {
    case 'multiply':
      return each((b, s) => b * s);
    case 'screen':
      return each(screen);
    case 'overlay':
      return each((b, s) => hardLight(s, b));
    case 'darken':
      return each(Math.min);
    case 'lighten':
      return each(Math.max);
    case 'color-dodge':
      return each((b, s) => (b === 0 ? 0 : s === 1 ? 1 : Math.min(1, b / (1 - s))));
    case 'color-burn':
      return each((b, s) => (b === 1 ? 1 : s === 0 ? 0 : 1 - Math.min(1, (1 - b) / s)));
    case 'hard-light':
      return each(hardLight);
    case 'soft-light':
      return each((b, s) => {
        if (s <= 0.5) return b - (1 - 2 * s) * b * (1 - b);
        const d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : Math.sqrt(b);
        return b + (2 * s - 1) * (d - b);
      });
    case 'difference':
      return each((b, s) => Math.abs(b - s));
    case 'exclusion':
      return each((b, s) => b + s - 2 * b * s);
    case 'hue':
      return withLuminosity(withSaturation(cs, saturation(cb)), luminosity(cb));
    case 'saturation':
      return withLuminosity(withSaturation(cb, saturation(cs)), luminosity(cb));
    case 'color':
      return withLuminosity(cs, luminosity(cb));
    case 'luminosity':
      return withLuminosity(cb, luminosity(cs));
    default:
      return cs;
  }
}

/** The premultiplied result of section 5, 0–255 a channel. */
function expected(mode: BlendMode, source: readonly number[], backdrop: readonly number[]): number[] {
  const [as, ab] = [source[3] / 255, backdrop[3] / 255];
  if (mode === 'plus-lighter') return source.map((value, c) => Math.min(255, value + backdrop[c]));
  const straight = (pixel: readonly number[], alpha: number) =>
    [0, 1, 2].map((c) => (alpha === 0 ? 0 : pixel[c] / 255 / alpha)) as Rgb;
  const mixed = blend(mode, straight(backdrop, ab), straight(source, as));
  const colors = mixed.map((b, c) => source[c] * (1 - ab) + backdrop[c] * (1 - as) + 255 * as * ab * b);
  return [...colors, 255 * (as + ab - as * ab)];
}

const pixelAt = ({ data }: Pixmap, x: number) => [...data.subarray(4 * x, 4 * x + 4)];

t.test('every mode is within a half of the formula, rounded', (t) => {
  const full = new Array<number>(WIDTH).fill(255);
  for (const mode of MODES) {
    fc.assert(
      fc.property(anyPixmap(WIDTH, 1), anyPixmap(WIDTH, 1), (backdrop, source) => {
        const painted = copy(backdrop);
        new PixmapPaint(source, 0, 0, 1, mode).row(painted, 0, spansOf(full, true));
        return full.every((_, x) => {
          const wanted = expected(mode, pixelAt(source, x), pixelAt(backdrop, x));
          return pixelAt(painted, x).every((value, c) => Math.abs(value - wanted[c]) <= 0.5001);
        });
      }),
      { numRuns: 300 },
    );
  }
  t.end();
});

t.test('no channel exceeds alpha, whatever the coverage and the opacity', (t) => {
  const coverage = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: WIDTH, maxLength: WIDTH });
  for (const mode of MODES) {
    fc.assert(
      fc.property(
        anyPixmap(WIDTH, 1),
        anyPixmap(WIDTH, 1),
        coverage,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (backdrop, source, cover, opacity) => {
          const painted = copy(backdrop);
          new PixmapPaint(source, 0, 0, opacity, mode).row(painted, 0, spansOf(cover, false));
          return firstBroken(painted) < 0;
        },
      ),
      { numRuns: 100 },
    );
  }
  t.end();
});

t.test('a transparent source leaves the backdrop, a transparent backdrop takes the source', (t) => {
  fc.assert(
    fc.property(anyPixmap(WIDTH, 1), fc.constantFrom(...MODES), (image, mode) => {
      const full = spansOf(new Array<number>(WIDTH).fill(255), true);
      const kept = copy(image);
      new PixmapPaint(new Pixmap(WIDTH, 1), 0, 0, 1, mode).row(kept, 0, full);
      const taken = new Pixmap(WIDTH, 1);
      new PixmapPaint(image, 0, 0, 1, mode).row(taken, 0, full);
      return kept.data.every((value, i) => value === image.data[i] && value === taken.data[i]);
    }),
  );
  t.end();
});

t.test('repeated pixels give what each alone gives', (t) => {
  const pixels = fc.array(fc.constantFrom(0xff204060, 0x80102030, 0, 0xffffffff), { minLength: 24, maxLength: 24 });
  fc.assert(
    fc.property(pixels, pixels, fc.constantFrom(...MODES), (backdrops, sources, mode) => {
      const make = (words: number[]) => {
        const pixmap = new Pixmap(words.length, 1);
        pixmap.words.set(words);
        return pixmap;
      };
      const row = make(backdrops);
      new PixmapPaint(make(sources), 0, 0, 1, mode).row(row, 0, spansOf(new Array<number>(24).fill(255), false));
      return backdrops.every((backdrop, x) => {
        const single = make([backdrop]);
        new PixmapPaint(make([sources[x]]), 0, 0, 1, mode).row(single, 0, spansOf([255], true));
        return single.words[0] === row.words[x];
      });
    }),
  );
  t.end();
});

t.test('a surface is blended at its place', (t) => {
  const canvas = new Surface({ left: 0, top: 0, right: 4, bottom: 2 });
  canvas.pixmap.fill({ r: 200, g: 100, b: 50, a: 1 });
  const layer = new Surface({ left: 1, top: 0, right: 3, bottom: 1 });
  layer.pixmap.fill({ r: 128, g: 128, b: 128, a: 1 });
  canvas.drawSurface(layer, 1, 'multiply');
  t.same(
    [0, 1, 2, 3].map((x) => canvas.pixmap.data[4 * x]),
    [200, 100, 100, 200],
  );
  t.equal(canvas.pixmap.data[16], 200);
  t.end();
});

// Every pixel of a gradient is within a level of the exact colour; the exact colours here come from CSS's formulas, one
// pixel at a time, in double precision.
import t from 'tap';
import { parseGradient } from '../../../lib/contract/css/gradient.js';
import { type Affine, IDENTITY, rotationAbout } from '../../../lib/geometry/affine.js';
import { createPaint } from '../../../lib/raster/fill.js';
import type { Gradient } from '../../../lib/raster/gradient/gradient.js';
import { Surface } from '../../../lib/raster/surface.js';
import { withPlainKernels } from '../../kernels/plain.js';

const BOX = { left: 3, top: 2, right: 93, bottom: 62 };
const WIDTH = BOX.right - BOX.left;
const HEIGHT = BOX.bottom - BOX.top;

function gradient(text: string): Gradient {
  const parsed = parseGradient(text);
  if (typeof parsed === 'string') throw new Error(`${text}: ${parsed}`);
  return parsed;
}

/** Paints the box; the pixel function takes offsets from the box's corner. */
function paint(text: string, toCanvas: Affine = IDENTITY) {
  const surface = new Surface(BOX);
  surface.fillRect(BOX, surface.paintOf(gradient(text), { box: BOX, toCanvas }));
  const { data } = surface.pixmap;
  return (x: number, y: number) => [...data.subarray((y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 4)];
}

/** The largest difference of all pixels from `exact`, which gets the pixel's centre relative to the box. */
function worst(pixel: (x: number, y: number) => number[], exact: (x: number, y: number) => number[]): number {
  let largest = 0;
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const expected = exact(x + 0.5, y + 0.5);
      pixel(x, y).forEach((value, c) => {
        largest = Math.max(largest, Math.abs(value - expected[c]));
      });
    }
  }
  return largest;
}

const clamp = (t: number) => Math.min(1, Math.max(0, t));
const mix = (from: number[], to: number[], t: number) => from.map((value, c) => value + (to[c] - value) * t);
const RED = [255, 0, 0, 255];
const BLUE = [0, 0, 255, 255];
const HALF_LIME = [0, 128, 0, 128];

t.test('linear gradients', (t) => {
  const along = (degrees: number, x: number, y: number) => {
    const [dx, dy] = [Math.sin((degrees * Math.PI) / 180), -Math.cos((degrees * Math.PI) / 180)];
    const length = Math.abs(WIDTH * dx) + Math.abs(HEIGHT * dy);
    return ((x - WIDTH / 2) * dx + (y - HEIGHT / 2) * dy) / length + 0.5;
  };
  for (const degrees of [0, 33, 90, 180, 200.5, 270, -45]) {
    const pixel = paint(`linear-gradient(${degrees}deg, red, blue)`);
    t.ok(worst(pixel, (x, y) => mix(RED, BLUE, along(degrees, x, y))) < 1, `${degrees}deg`);
  }
  const translucent = paint('linear-gradient(20deg, red 20%, #00ff0080 60%)');
  t.ok(worst(translucent, (x, y) => mix(RED, HALF_LIME, clamp((along(20, x, y) - 0.2) / 0.4))) < 1, 'premultiplied');
  const steep = paint('linear-gradient(70deg, red 49%, blue 50%)');
  t.ok(worst(steep, (x, y) => mix(RED, BLUE, clamp((along(70, x, y) - 0.49) / 0.01))) < 1, 'steep');
  const hinted = paint('linear-gradient(60deg, red, 30%, blue)');
  const exponent = Math.log(0.5) / Math.log(0.3);
  t.ok(worst(hinted, (x, y) => mix(RED, BLUE, clamp(along(60, x, y)) ** exponent)) < 1, 'with a hint');
  const corner = paint('linear-gradient(to top right, red, blue)');
  const diagonal = (x: number, y: number) => (x / WIDTH + (HEIGHT - y) / HEIGHT) / 2;
  t.ok(worst(corner, (x, y) => mix(RED, BLUE, diagonal(x, y))) < 1, 'to a corner');
  t.end();
});

t.test('hard stops fall on the exact pixel', (t) => {
  const pixel = paint('linear-gradient(to right, red 0 30px, blue 30px)');
  t.same([pixel(29, 5), pixel(30, 5)], [RED, BLUE]);
  const stripes = paint('repeating-linear-gradient(37deg, red 0 3px, blue 3px 6px)');
  const [dx, dy] = [Math.sin((37 * Math.PI) / 180), -Math.cos((37 * Math.PI) / 180)];
  const length = WIDTH * dx - HEIGHT * dy;
  t.equal(
    worst(stripes, (x, y) => {
      const at = (x - WIDTH / 2) * dx + (y - HEIGHT / 2) * dy + length / 2;
      return at - 6 * Math.floor(at / 6) < 3 ? RED : BLUE;
    }),
    0,
  );
  t.same(paint('linear-gradient(90deg, red 50%, blue 50%)')(45, 0), BLUE);
  t.same(paint('repeating-linear-gradient(90deg, red 50%, blue 50%)')(0, 0), BLUE, 'repeats without a length');
  t.end();
});

t.test('radial gradients', (t) => {
  const distance = (x: number, y: number, cx: number, cy: number, rx: number, ry = rx) =>
    Math.hypot((x - cx) / rx, (y - cy) / ry);
  for (const [text, cx, cy, rx, ry] of [
    ['circle', 45, 30, Math.hypot(45, 30), Math.hypot(45, 30)],
    ['ellipse', 45, 30, 45 * Math.SQRT2, 30 * Math.SQRT2],
    ['circle closest-side at 30px 20px', 30, 20, 20, 20],
    ['closest-side at 30px 20px', 30, 20, 30, 20],
    ['circle farthest-side at 30px 20px', 30, 20, 60, 60],
    ['farthest-side at 30px 20px', 30, 20, 60, 40],
    ['circle closest-corner at 30px 20px', 30, 20, Math.hypot(30, 20), Math.hypot(30, 20)],
    ['farthest-corner at 30px 20px', 30, 20, 60 * Math.SQRT2, 40 * Math.SQRT2],
    ['40px at right 10px top 5px', 80, 5, 40, 40],
    ['50% 20px at -10px 50%', -10, 30, 45, 20],
  ] as const) {
    const pixel = paint(`radial-gradient(${text}, red, blue)`);
    t.ok(worst(pixel, (x, y) => mix(RED, BLUE, clamp(distance(x, y, cx, cy, rx, ry)))) < 1, text);
  }
  const rings = paint('repeating-radial-gradient(circle, red 0 4px, blue 4px 8px)');
  t.equal(
    worst(rings, (x, y) => (Math.hypot(x - 45, y - 30) % 8 < 4 ? RED : BLUE)),
    0,
  );
  t.same(paint('radial-gradient(circle 0px at 0 0, red, blue)')(5, 5), BLUE, 'a circle without a radius');
  t.end();
});

t.test('conic gradients', (t) => {
  const turn = (x: number, y: number, from: number, cx = 45, cy = 30) => {
    const at = Math.atan2(x - cx, cy - y) / (2 * Math.PI) - from;
    return at - Math.floor(at);
  };
  t.ok(
    worst(paint('conic-gradient(red, blue, red)'), (x, y) => mix(RED, BLUE, 1 - Math.abs(1 - 2 * turn(x, y, 0)))) < 1,
  );
  const pixel = paint('conic-gradient(from 90deg at 20px 20%, red 10%, blue 80%)');
  t.ok(worst(pixel, (x, y) => mix(RED, BLUE, clamp((turn(x, y, 0.25, 20, 12) - 0.1) / 0.7))) < 1, 'from 90deg');
  const wedges = paint('repeating-conic-gradient(at 44.3px 30.1px, red 0 13deg, blue 13deg 26deg)');
  t.equal(
    worst(wedges, (x, y) => {
      const degrees = turn(x, y, 0, 44.3, 30.1) * 360;
      return degrees % 26 < 13 ? RED : BLUE;
    }),
    0,
  );
  t.end();
});

t.test('interpolates in other colour spaces', (t) => {
  const ramp = (text: string) => {
    const pixel = paint(`linear-gradient(90deg ${text})`);
    return (x: number) => pixel(x, 0);
  };
  // CSS Color 4: white and black meet at a linear grey of one half, and red and blue of oklab at rgb(140 83 162)
  t.same(ramp('in srgb-linear, #000 0.5px, #fff 88.5px')(44), [188, 188, 188, 255]);
  t.same(ramp('in oklab, red 0.5px, blue 88.5px')(44), [140, 83, 162, 255]);
  // hues of 0 and 240 degrees: the shorter way is over magenta, the longer over green
  t.same(ramp('in hsl, red 0.5px, blue 88.5px')(44), [255, 0, 255, 255]);
  t.same(ramp('in hsl longer hue, red 0.5px, blue 88.5px')(44), [0, 255, 0, 255]);
  t.same(ramp('in hsl increasing hue, red 0.5px, blue 88.5px')(44), [0, 255, 0, 255]);
  t.same(ramp('in hsl decreasing hue, red 0.5px, blue 88.5px')(44), [255, 0, 255, 255]);
  t.same(ramp('in hsl longer hue, red 0.5px, red 88.5px')(44), [0, 255, 255, 255], 'once around');
  // grey has no hue: it takes red's
  t.same(ramp('in hsl, red 0.5px, #808080 88.5px')(44).slice(1, 3), [64, 64]);
  t.end();
});

t.test('turns and scales with its layer', (t) => {
  const surface = new Surface(BOX);
  const quarter = rotationAbout(90, (BOX.left + BOX.right) / 2, (BOX.top + BOX.bottom) / 2);
  const area = { box: BOX, toCanvas: quarter };
  surface.fillRect(
    BOX,
    createPaint(gradient('linear-gradient(90deg, red, blue)'), area, BOX.left, BOX.top, 1, undefined),
  );
  const row = (y: number) => [...surface.pixmap.data.subarray(y * WIDTH * 4, y * WIDTH * 4 + 4)];
  const exact = (y: number) => mix(RED, BLUE, (y + 0.5 - HEIGHT / 2 + WIDTH / 2) / WIDTH).map(Math.round);
  t.same([row(0), row(59)], [exact(0), exact(59)]);
  const flat = { box: BOX, toCanvas: { a: 0, b: 0, c: 0, d: 1, e: 0, f: 0 } };
  t.doesNotThrow(() => createPaint(gradient('linear-gradient(red, blue)'), flat, 0, 0, 1, undefined));
  t.end();
});

t.test('the kernel equals its plain twin', (t) => {
  for (const text of [
    'linear-gradient(33deg, red, #0f08 40%, blue 40% 41%, white)',
    'repeating-linear-gradient(77deg in oklch, red, lime 9.7px)',
    'radial-gradient(at 33.3% 20%, red, 20%, #0f02, blue)',
    'repeating-radial-gradient(circle 7.3px, red, lime 3px, blue 3px)',
    'conic-gradient(from 12deg at 40% 40.3%, red, lime 20%, blue 20% 60%, #0000)',
    'repeating-conic-gradient(from 12deg in hsl longer hue, red, blue 44.4deg)',
  ]) {
    const draw = () => {
      const surface = new Surface(BOX);
      const area = { box: BOX, toCanvas: rotationAbout(17, 3, 9) };
      surface.fillRect(BOX, surface.paintOf(gradient(text), area, 0.7));
      return surface.pixmap.words;
    };
    t.same(draw(), withPlainKernels(draw), text);
  }
  t.end();
});

t.test('pixels stay premultiplied', (t) => {
  for (const text of ['linear-gradient(7deg in oklab, #fff1, #ff0000, #00f7)', 'conic-gradient(#ffff, #fff0, #0ff8)']) {
    const pixel = paint(text);
    let broken = 0;
    for (let y = 0; y < HEIGHT; y++) {
      for (let x = 0; x < WIDTH; x++) {
        const [r, g, b, a] = pixel(x, y);
        if (Math.max(r, g, b) > a) broken++;
      }
    }
    t.equal(broken, 0, text);
  }
  t.end();
});

// Every pixel of a gradient is within a level of the exact colour; the exact colours here come from CSS's formulas, one
// pixel at a time, in double precision.
import t from 'tap';
import { parseGradient } from '../../../lib/contract/css/gradient.js';
import { type Affine, IDENTITY, rotationAbout } from '../../../lib/geometry/affine.js';
import { createPaint } from '../../../lib/raster/fill.js';
import { interpolator } from '../../../lib/raster/gradient/color-space.js';
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
  for (const degrees of [37, 45]) {
    const stripes = paint(`repeating-linear-gradient(${degrees}deg, red 0 3px, blue 3px 6px)`);
    const [dx, dy] = [Math.sin((degrees * Math.PI) / 180), -Math.cos((degrees * Math.PI) / 180)];
    const length = WIDTH * dx - HEIGHT * dy;
    t.equal(
      worst(stripes, (x, y) => {
        const at = (x - WIDTH / 2) * dx + (y - HEIGHT / 2) * dy + length / 2;
        return at - 6 * Math.floor(at / 6) < 3 ? RED : BLUE;
      }),
      0,
      `${degrees}deg`,
    );
  }
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

t.test('radial and conic gradients that are interpolated in blocks', (t) => {
  const wide = { left: 0, top: 0, right: 1003, bottom: 24 };
  const draw = (text: string) => {
    const surface = new Surface(wide);
    surface.fillRect(wide, surface.paintOf(gradient(text), { box: wide, toCanvas: IDENTITY }));
    return surface.pixmap;
  };
  const white = [255, 255, 255, 255];
  const worstOf = (text: string, exact: (x: number, y: number) => number[]) => {
    const { data, width, height } = draw(text);
    let largest = 0;
    for (let i = 0; i < width * height; i++) {
      const expected = exact((i % width) + 0.5, Math.floor(i / width) + 0.5);
      expected.forEach((value, c) => {
        largest = Math.max(largest, Math.abs(value - data[i * 4 + c]));
      });
    }
    return largest;
  };
  const radius = (x: number, y: number) => Math.hypot(x - 300, y - 12);
  const turn = (x: number, y: number) => {
    const at = Math.atan2(x - 300, 12 - y) / (2 * Math.PI);
    return at - Math.floor(at);
  };
  const peak = (t: number) => (t < 0.5 ? mix(RED, white, t * 2) : mix(white, HALF_LIME, t * 2 - 1));
  const at = 'at 300px 12px';
  for (const [text, exact] of [
    [`radial-gradient(circle 600px ${at}, red, white, #00ff0080)`, (x, y) => peak(clamp(radius(x, y) / 600))],
    [`repeating-radial-gradient(circle 300px ${at}, red, white, #00ff0080)`, (x, y) => peak((radius(x, y) / 300) % 1)],
    [`conic-gradient(${at}, red, white, #00ff0080)`, (x, y) => peak(turn(x, y))],
    [
      `radial-gradient(circle 600px ${at}, red 50%, white 50% 50.5%, blue 50.5%)`,
      (x, y) => (radius(x, y) < 300 ? RED : radius(x, y) < 303 ? white : BLUE),
    ],
    [
      `repeating-conic-gradient(${at}, red 0 1deg, blue 1deg 60deg)`,
      (x, y) => ((turn(x, y) * 360) % 60 < 1 ? RED : BLUE),
    ],
  ] as [string, (x: number, y: number) => number[]][]) {
    t.ok(worstOf(text, exact) < 1, text);
    t.same(
      draw(text).words,
      withPlainKernels(() => draw(text).words),
      `${text}: the twin`,
    );
  }
  const [whole, part] = [draw(`conic-gradient(${at}, red, blue)`), new Surface(wide)];
  const paint = part.paintOf(gradient(`conic-gradient(${at}, red, blue)`), { box: wide, toCanvas: IDENTITY });
  part.fillRect({ ...wide, left: 617 }, paint);
  t.same(part.pixmap.words.subarray(617, 1003), whole.words.subarray(617, 1003), 'whatever part is painted');
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

t.test('a gradient has the same pixels whichever was painted before', (t) => {
  const large = { left: 0, top: 0, right: 968, bottom: 724 };
  const draw = (text: string) => {
    const surface = new Surface(large);
    surface.fillRect(large, surface.paintOf(gradient(text), { box: large, toCanvas: IDENTITY }));
    return surface.pixmap.words;
  };
  const text = 'radial-gradient(circle at 50% 40%, #fed7aa, #fb923c 75%, #ea580c)';
  const words = draw(text);
  // leaves the turns of its last blocks in the kernel's memory
  draw('repeating-radial-gradient(circle at 0 0, red, blue 40px)');
  t.ok(Buffer.compare(Buffer.from(draw(text).buffer), Buffer.from(words.buffer)) === 0);
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

t.test('in oklch, a colour that is almost grey takes the hue of the other', (t) => {
  const hueAt = (color: string) => {
    const middle = interpolator(rgb(color), rgb('a06060'), { space: 'oklch', hue: 'shorter' })(0.5);
    return middle[1] - middle[2];
  };
  // Chromium: 6e7f80, of chroma 0.0200, has no hue; 6c7f80, of 0.0223, has
  t.ok(Math.abs(hueAt('6f7f80')) < 4, 'the middle is as red as the end');
  t.ok(Math.abs(hueAt('6c7f80')) > 8, 'the middle lies between the hues');
  t.end();
});

function rgb(hex: string) {
  const at = (i: number) => Number.parseInt(hex.slice(i, i + 2), 16);
  return { r: at(0), g: at(2), b: at(4), a: 1 };
}

// CSS gradients on the wire: what is accepted, what it means, and what an error says.
import t from 'tap';
import { isGradientText, MAX_STOPS, parseGradient } from '../../../lib/contract/css/gradient.js';
import type { Gradient } from '../../../lib/raster/gradient/gradient.js';

function parsed(text: string): Gradient {
  const gradient = parseGradient(text);
  if (typeof gradient === 'string') throw new Error(`${text}: ${gradient}`);
  return gradient;
}

t.test('accepts every form of CSS Images 4', (t) => {
  for (const text of [
    'linear-gradient(red, blue)',
    '  LINEAR-gradient( To Right , Red 0% , #00f 100% )  ',
    'linear-gradient(0, red, blue)',
    'linear-gradient(-20deg, #222 -20px, #eee 120px)',
    'linear-gradient(200grad, rgba(220, 38, 38, 0) 0%, rgb(1 2 3 / 50%) 100%)',
    'linear-gradient(.15turn, white 10%, black 90%)',
    'linear-gradient(to left bottom, red 0 25%, 30%, lime 50% 75%)',
    'linear-gradient(in oklab, red, blue)',
    'linear-gradient(in hsl longer hue to right, red, blue)',
    'linear-gradient(2rad in oklch shorter hue, red, blue)',
    'linear-gradient(red 10% 20%)',
    'repeating-linear-gradient(45deg, #1e293b 0px 12px, #facc15 12px 24px)',
    'radial-gradient(red, blue)',
    'radial-gradient(circle, red, blue)',
    'radial-gradient(40px, red, blue)',
    'radial-gradient(10px 20%, red, blue)',
    'radial-gradient(20px circle at left 10% bottom 5px, red, blue)',
    'radial-gradient(closest-side ellipse at center in oklab, red, blue)',
    'radial-gradient(in oklab at 20% 20%, red, blue)',
    'radial-gradient(circle in oklch, red, blue)',
    'conic-gradient(red, blue)',
    'conic-gradient(from 45deg at 30% 50%, red, blue 50%, red)',
    'conic-gradient(from 0 in hsl longer hue, red, red)',
    'repeating-conic-gradient(#111 0 15deg, #fff 15deg 30deg)',
  ]) {
    t.ok(isGradientText(text), text);
    t.not(typeof parseGradient(text), 'string', text);
  }
  t.end();
});

t.test('says what was expected, and where', (t) => {
  for (const [text, expected] of [
    ['linear-gradient()', 'a colour stop such as "#ff8800 25%" at ")"'],
    ['linear-gradient(red)', 'at least two colour stops'],
    ['linear-gradient(red, blu)', 'a colour stop such as "#ff8800 25%" at "blu)"'],
    ['linear-gradient(red, blue', '"," or ")" after a colour stop at its end'],
    ['linear-gradient(red, blue) x', 'nothing after the gradient at "x"'],
    ['linear-gradient(red, 20%)', 'a colour stop on either side of a hint at ")"'],
    ['linear-gradient(20%, red, blue)', 'a colour stop on either side of a hint at ", red, blue)"'],
    ['linear-gradient(red, 20%, 30%, blue)', 'a colour stop on either side of a hint at ", blue)"'],
    ['linear-gradient(90, red, blue)', 'a colour stop such as "#ff8800 25%" at "90, red, blue)"'],
    ['linear-gradient(to left right, red, blue)', 'a side such as "to left" or a corner such as "to top right"'],
    ['linear-gradient(to, red, blue)', 'a side such as "to left" or a corner such as "to top right"'],
    ['linear-gradient(90deg red, blue)', '"," before the colour stops at "red, blue)"'],
    ['linear-gradient(in lab, red, blue)', '"in srgb"'],
    ['linear-gradient(in oklch longer, red, blue)', '"in srgb"'],
    ['linear-gradient(red 1em, blue)', '"," or ")" after a colour stop at "1em, blue)"'],
    ['radial-gradient(circle 20%, red, blue)', 'the radius of a circle in px'],
    ['radial-gradient(circle 20px 30px, red, blue)', 'one radius of a circle'],
    ['radial-gradient(ellipse 20px, red, blue)', 'two radii of an ellipse'],
    ['radial-gradient(-20px, red, blue)', 'radii of at least 0'],
    ['radial-gradient(10px 20px 30px, red, blue)', '","'],
    ['radial-gradient(at top left 20%, red, blue)', 'a position after "at"'],
    ['radial-gradient(at, red, blue)', 'a position after "at"'],
    ['conic-gradient(from 20%, red, blue)', 'an angle after "from"'],
    ['conic-gradient(red 20px, blue)', '"," or ")" after a colour stop at "20px, blue)"'],
  ]) {
    const message = parseGradient(text);
    t.equal(typeof message, 'string', text);
    t.ok(String(message).startsWith(expected), `${text}: ${message}`);
  }
  t.end();
});

t.test('takes up to 64 colour stops', (t) => {
  const of = (count: number) =>
    `linear-gradient(${Array.from({ length: count }, (_, i) => `rgb(${i} 0 0) ${i}px`).join(', ')})`;
  t.equal(parsed(of(MAX_STOPS)).stops.length, 64);
  t.equal(parseGradient(of(MAX_STOPS + 1)), 'at most 64 colour stops');
  t.end();
});

t.test('does not read texts that are longer than any gradient', (t) => {
  t.equal(parseGradient(`linear-gradient(red, blue${' '.repeat(20_000)})`), 'a gradient of at most 16384 characters');
  t.end();
});

t.test('gives plain data', (t) => {
  t.same(parsed('repeating-linear-gradient(to top left in hsl longer hue, red 10% 20px, 30%, #0000ff80)'), {
    kind: 'linear',
    repeating: true,
    direction: { x: -1, y: -1 },
    space: 'hsl',
    hue: 'longer',
    stops: [
      { color: { r: 255, g: 0, b: 0, a: 1 }, position: { px: 0, percent: 10 } },
      { color: { r: 255, g: 0, b: 0, a: 1 }, position: { px: 20, percent: 0 } },
      { position: { px: 0, percent: 30 } },
      { color: { r: 0, g: 0, b: 255, a: 128 / 255 } },
    ],
  });
  t.match(parsed('radial-gradient(20px 30% at right 10px bottom 0, red, blue)'), {
    kind: 'radial',
    shape: 'ellipse',
    size: { x: { px: 20, percent: 0 }, y: { px: 0, percent: 30 } },
    center: { x: { px: -10, percent: 100 }, y: { px: 0, percent: 100 } },
    space: 'srgb',
  });
  t.match(parsed('radial-gradient(20px, red, blue)'), { shape: 'circle' });
  t.match(parsed('radial-gradient(red, blue)'), { shape: 'ellipse', size: 'farthest-corner' });
  t.match(parsed('conic-gradient(from .25turn, red 90deg, blue)'), {
    kind: 'conic',
    from: 90,
    stops: [{ position: { px: 0, percent: 25 } }, {}],
  });
  const gradient = parsed('conic-gradient(from .25turn, red 90deg, blue)');
  t.same(structuredClone(gradient), gradient);
  t.end();
});

// The parser of CSS filter lists.
import t from 'tap';
import { parseFilter } from '../../../lib/contract/css/filter.js';

t.test('parses every function, with its defaults', (t) => {
  const cases: readonly [string, object][] = [
    ['blur(4px)', { type: 'blur', sigma: 4 }],
    ['blur()', { type: 'blur', sigma: 0 }],
    ['blur(0)', { type: 'blur', sigma: 0 }],
    ['BLUR( 1.5PX )', { type: 'blur', sigma: 1.5 }],
    ['brightness(1.5)', { type: 'brightness', amount: 1.5 }],
    ['brightness(150%)', { type: 'brightness', amount: 1.5 }],
    ['brightness()', { type: 'brightness', amount: 1 }],
    ['contrast(.5)', { type: 'contrast', amount: 0.5 }],
    ['grayscale(2)', { type: 'grayscale', amount: 1 }],
    ['invert(300%)', { type: 'invert', amount: 1 }],
    ['opacity(5)', { type: 'opacity', amount: 1 }],
    ['sepia(1e3)', { type: 'sepia', amount: 1 }],
    ['saturate(7)', { type: 'saturate', amount: 7 }],
    ['hue-rotate(90deg)', { type: 'hue-rotate', degrees: 90 }],
    ['hue-rotate(-0.5turn)', { type: 'hue-rotate', degrees: -180 }],
    ['hue-rotate(0)', { type: 'hue-rotate', degrees: 0 }],
    ['hue-rotate()', { type: 'hue-rotate', degrees: 0 }],
    ['drop-shadow(1px 2px)', { type: 'drop-shadow', x: 1, y: 2, sigma: 0, color: 'currentcolor' }],
    ['drop-shadow(-1px 0 3px currentColor)', { type: 'drop-shadow', x: -1, y: 0, sigma: 3, color: 'currentcolor' }],
    [
      'drop-shadow(1px 2px 3px rgb(1 2 3 / 50%))',
      { type: 'drop-shadow', x: 1, y: 2, sigma: 3, color: { r: 1, g: 2, b: 3, a: 0.5 } },
    ],
    ['drop-shadow(#f00 1px 2px)', { type: 'drop-shadow', x: 1, y: 2, sigma: 0, color: { r: 255, g: 0, b: 0, a: 1 } }],
  ];
  for (const [text, expected] of cases) t.same(parseFilter(text), [expected], text);
  t.end();
});

t.test('a list keeps its order; none is an empty list', (t) => {
  const list = parseFilter('  sepia(1)blur(2px)  sepia(0) ');
  t.same(typeof list === 'string' ? list : list.map(({ type }) => type), ['sepia', 'blur', 'sepia']);
  t.same(parseFilter('none'), []);
  t.end();
});

t.test('says what was expected', (t) => {
  const cases: readonly [string, RegExp][] = [
    ['', /^a CSS filter list of blur\(\)/],
    ['none blur(1px)', /^a CSS filter list/],
    ['blur(1px) none', /^a CSS filter list/],
    ['blur(1px), sepia()', /^a CSS filter list/],
    ['url(#a)', /^a CSS filter list/],
    ['blur', /^a CSS filter list/],
    ['blur(1px', /^blur\(\) of a length/],
    ['blur(-1px)', /^blur\(\) of a length from 0 to 10000px/],
    ['blur(20000px)', /^blur\(\) of a length/],
    ['blur(5%)', /^blur\(\) of a length/],
    ['blur(5)', /^blur\(\) of a length/],
    ['blur(1em)', /^blur\(\) of a length/],
    ['sepia(-1)', /^sepia\(\) of a number or percentage of at least 0/],
    ['saturate(1px)', /^saturate\(\) of a number/],
    ['brightness(1e9)', /^brightness\(\) of a number/],
    ['hue-rotate(90)', /^hue-rotate\(\) of an angle/],
    ['drop-shadow(1px)', /^drop-shadow\(\) of two offsets/],
    ['drop-shadow(1px 1px -1px)', /^drop-shadow\(\) of two offsets/],
    ['drop-shadow(1px 1px 1px 1px red)', /^drop-shadow\(\) of two offsets/],
    ['drop-shadow(red 1px 1px red)', /^drop-shadow\(\) of two offsets/],
    [`${'sepia() '.repeat(21)}`, /^a filter list of at most 20 functions/],
  ];
  for (const [text, expected] of cases) t.match(parseFilter(text), expected, text);
  t.end();
});

t.test('takes linear time', (t) => {
  for (const part of ['blur(', 'drop-shadow(', ' ', '(', 'rgb(', '-']) {
    t.type(parseFilter(part.repeat(200_000)), 'string', JSON.stringify(part));
  }
  t.end();
});

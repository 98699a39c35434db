// Values that people type and draw in the properties panel: numbers and sums, colours, gradients and filters.
import fc from 'fast-check';
import t from 'tap';
import { parseGradient } from '../../../../lib/contract/css/gradient.js';
import type { NumberControl } from '../../../../web/panels/properties/form/controls.js';
import { colorText, mixed, parseColor, toHsva, toRgba } from '../../../../web/panels/properties/values/color.js';
import { colorFault } from '../../../../web/panels/properties/values/color-fault.js';
import { FILTERS, filterText, parseFilters } from '../../../../web/panels/properties/values/filter-list.js';
import {
  addStop,
  angleOf,
  GRADIENT_KINDS,
  type GradientModel,
  gradientFrom,
  gradientText,
  moveStop,
  offsets,
  ofKind,
  parseGradientText,
  removeStop,
  withAngle,
} from '../../../../web/panels/properties/values/gradient.js';
import { evaluate, readNumber, stepped } from '../../../../web/panels/properties/values/number-text.js';

const ANY: NumberControl = { kind: 'number', isWhole: false, words: [], units: [] };
const EXTENT: NumberControl = { ...ANY, least: 0, words: ['auto', 'fill'], units: ['%'] };

t.test('reads numbers, sums, words and units', (t) => {
  for (const [text, value] of [
    ['12', 12],
    [' -1.5 ', -1.5],
    ['100/3', 33.333],
    ['(100 + 20) * 2', 240],
    ['2 - -3', 5],
    ['12px', 12],
    ['', undefined],
  ] as const) {
    t.same(readNumber(text, ANY), { value }, text);
  }
  t.same(readNumber('AUTO', EXTENT), { value: 'auto' });
  t.same(readNumber('50%', EXTENT), { value: '50%' });
  t.same(readNumber('100/4 %', EXTENT), { value: '25%' });
  t.same(readNumber('+=10', ANY, 5), { value: 15 });
  t.same(readNumber('*=2', EXTENT, '25%'), { value: '50%' });
  t.same(readNumber('-=10', EXTENT, 'auto'), { fault: 'Enter a number of at least 0, a percentage, auto or fill' });
  t.end();
});

t.test('rejects what is no number of the field, and says what it takes', (t) => {
  const share: NumberControl = { ...ANY, least: 0, most: 1 };
  const whole: NumberControl = { ...ANY, least: 1, most: 8192, isWhole: true };
  const positive: NumberControl = { ...ANY, above: 0, most: 10_000 };
  t.same(readNumber('2', share), { fault: 'Enter a number from 0 to 1' });
  t.same(readNumber('1.5', whole), { fault: 'Enter a whole number from 1 to 8192' });
  t.same(readNumber('0', positive), { fault: 'Enter a number above 0 and up to 10000' });
  for (const text of ['1/0', 'x', '1 2', '(1', '1e9999', '--', '50%', '12em', 'NaN']) {
    t.match(readNumber(text, ANY), { fault: 'Enter a number' }, text);
  }
  t.end();
});

t.test('never throws for a sum, however it is written', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.+-*/() ax%') }), (text) => {
      const value = evaluate(text);
      return value === undefined || typeof value === 'number';
    }),
  );
  t.equal(evaluate('('.repeat(10_000)), undefined);
  t.end();
});

t.test('steps within the bounds, and keeps the unit', (t) => {
  t.equal(stepped(0.1, 0.2, ANY), 0.3);
  t.equal(stepped(undefined, 1, ANY), 1);
  t.equal(stepped(5, -10, { ...ANY, least: 0 }), 0);
  t.equal(stepped(0.95, 0.1, { ...ANY, most: 1 }), 1);
  t.equal(stepped('50%', 10, EXTENT), '60%');
  t.equal(stepped(3, 0.1, { ...ANY, isWhole: true }), 3);
  t.ok((stepped(0.05, -0.1, { ...ANY, above: 0 }) as number) > 0);
  t.end();
});

const rgba = fc.record({
  r: fc.integer({ min: 0, max: 255 }),
  g: fc.integer({ min: 0, max: 255 }),
  b: fc.integer({ min: 0, max: 255 }),
  a: fc.integer({ min: 0, max: 255 }).map((alpha) => alpha / 255),
});

t.test('colours come back from hue, saturation and value, and from text', (t) => {
  fc.assert(
    fc.property(rgba, (color) => {
      t.same(toRgba(toHsva(color)), color);
      t.same(parseColor(colorText(color)), color);
    }),
  );
  t.equal(colorText({ r: 255, g: 136, b: 0, a: 1 }), '#ff8800');
  t.end();
});

t.test('greys keep the hue that was chosen, and black the saturation', (t) => {
  const before = { h: 200, s: 0.5, v: 0.5, a: 1 };
  t.match(toHsva({ r: 9, g: 9, b: 9, a: 1 }, before), { h: 200, s: 0 });
  t.match(toHsva({ r: 0, g: 0, b: 0, a: 1 }, before), { h: 200, s: 0.5, v: 0 });
  t.end();
});

t.test('says what is wrong with a colour', (t) => {
  t.equal(colorFault('orange', false), undefined);
  t.equal(colorFault('linear-gradient(red, blue)', true), undefined);
  t.match(colorFault('linear-gradient(red, blue)', false), 'no gradient');
  t.match(colorFault('linear-gradient(red)', true), 'at least two colour stops');
  t.match(colorFault('#ff', true), 'Enter a colour');
  t.end();
});

const place = fc.oneof(
  fc.constant(undefined),
  fc.integer({ min: 0, max: 100 }).map((value) => `${value}%`),
);
const gradient: fc.Arbitrary<GradientModel> = fc
  .record({
    kind: fc.constantFrom(...GRADIENT_KINDS),
    isRepeating: fc.boolean(),
    space: fc.constantFrom('', 'in oklch', 'in oklch longer hue'),
    angle: fc.integer({ min: 0, max: 359 }),
    stops: fc.array(fc.record({ color: rgba.map(colorText), place }), { minLength: 2, maxLength: 8 }),
  })
  .map(({ kind, isRepeating, space, angle, stops }) => {
    const model: GradientModel = { kind, isRepeating, start: space, stops };
    return kind === 'radial' ? model : withAngle(model, angle);
  });

t.test('gradients come back from their text, and the renderer takes them', (t) => {
  fc.assert(
    fc.property(gradient, (model) => {
      const text = gradientText(model);
      t.same(parseGradientText(text), model, text);
      t.type(parseGradient(text), 'object', text);
    }),
  );
  t.end();
});

t.test('keeps the stops in order while they are moved, added and removed', (t) => {
  fc.assert(
    fc.property(gradient, fc.nat(), fc.integer({ min: 0, max: 100 }), (model, at, offset) => {
      const index = at % model.stops.length;
      const [moved, now] = moveStop(model, index, offset);
      t.equal(moved.stops.length, model.stops.length);
      t.equal(moved.stops[now]?.color, model.stops[index]?.color);
      t.equal(offsets(moved)[now], offset);
      const [added, place] = addStop(model, offset);
      t.equal(added.stops.length, model.stops.length + 1);
      t.equal(offsets(added)[place], offset);
      const sorted = (list: readonly number[]) => list.every((each, i) => i === 0 || each >= list[i - 1]!);
      t.ok(sorted(offsets(moved)) && sorted(offsets(added)));
      t.equal(removeStop(added, place).stops.length, model.stops.length);
      for (const each of [moved, added, removeStop(added, 0)]) t.type(parseGradient(gradientText(each)), 'object');
    }),
  );
  t.end();
});

t.test('reads gradients as they are written by hand', (t) => {
  const parsed = parseGradientText(
    'LINEAR-gradient( to  top right , rgb(0 0 0 / 50%) , 30%, hsl(0, 100%, 50%) 10px 80%)',
  );
  t.same(parsed, {
    kind: 'linear',
    isRepeating: false,
    start: 'to  top right',
    stops: [
      { color: 'rgb(0 0 0 / 50%)', place: undefined },
      { color: undefined, place: '30%' },
      { color: 'hsl(0, 100%, 50%)', place: '10px' },
      { color: 'hsl(0, 100%, 50%)', place: '80%' },
    ],
  });
  t.equal(angleOf(parsed!), 45);
  t.same(offsets(parsed!), [0, 30, 55, 80]);
  const conic = parseGradientText('conic-gradient(from 0.25turn at 10% 20%, red, blue 180deg)')!;
  t.equal(angleOf(conic), 90);
  t.equal(withAngle(conic, 10).start, 'from 10deg at 10% 20%');
  t.same(offsets(conic), [0, 50]);
  for (const text of [
    '',
    'red',
    'linear-gradient(red)',
    'linear-gradient(90deg, var(--x), red)',
    'linear-gradient(red, blue',
  ]) {
    t.equal(parseGradientText(text), undefined, text);
  }
  t.end();
});

t.test('turns colours and gradients into gradients of another kind', (t) => {
  for (const from of ['#ff8800', 'transparent', 'rgb(0 0 0 / 50%)']) {
    for (const kind of GRADIENT_KINDS) {
      const made = gradientFrom(from, kind);
      t.equal(made.kind, kind);
      t.type(parseGradient(gradientText(made)), 'object', gradientText(made));
      for (const other of GRADIENT_KINDS) t.type(parseGradient(gradientText(ofKind(made, other))), 'object');
    }
  }
  t.end();
});

t.test('mixes two colours', (t) => {
  t.same(mixed({ r: 0, g: 0, b: 0, a: 0 }, { r: 255, g: 100, b: 10, a: 1 }, 0.5), { r: 128, g: 50, b: 5, a: 0.5 });
  t.end();
});

t.test('reads lists of filters', (t) => {
  const all = Object.entries(FILTERS).map(([name, args]) => ({ name, args }));
  t.same(parseFilters(filterText(all)), all);
  t.same(parseFilters(' blur( 4px )  saturate(1.5)'), [
    { name: 'blur', args: '4px' },
    { name: 'saturate', args: '1.5' },
  ]);
  t.same(parseFilters(''), []);
  for (const text of ['none', 'blur(', 'blur(1px) x', 'blur 4px']) t.equal(parseFilters(text), undefined, text);
  t.end();
});

// Charts with two axes become groups of paths and texts.
import t from 'tap';
import { parseColor } from '../../lib/contract/css/parse-color.js';
import { luminanceOf } from '../../lib/raster/color-math.js';
import { chartFaults, expandChart, expandLayers, loadCharts, numbersOf } from './expand-chart.js';

const months = [
  { month: 'Jan', revenue: 12 },
  { month: 'Feb', revenue: 18 },
  { month: 'Mar', revenue: 15 },
];

t.before(loadCharts);

t.test('columns stand on zero, and are as high as their values', (t) => {
  const { texts, marks, labels } = expandChart({ chart: 'column', data: months });
  for (const text of ['Jan', 'Feb', 'Mar', '12', '18', '0']) t.ok(texts.includes(text), text);
  t.equal(marks.length, 1, 'one path for the series');
  const bars = marks[0].d!.split(/(?=M)/).map(numbersOf);
  t.equal(bars.length, 3);
  const heights = bars.map((numbers) => {
    const ys = numbers.filter((_, i) => i % 2 === 1);
    return Math.max(...ys) - Math.min(...ys);
  });
  t.ok(Math.abs(heights[0] / heights[1] - 12 / 18) < 1e-3);
  t.ok(Math.abs(heights[2] / heights[1] - 15 / 18) < 1e-3);
  const jan = labels.find(({ text }) => text === 'Jan')!;
  const [left] = bars[0];
  const right = Math.max(...bars[0].filter((_, i) => i % 2 === 0));
  t.ok(Math.abs(jan.x + jan.width / 2 - (left + right) / 2) < 0.6, 'the name is beneath the middle');
  t.end();
});

t.test('bars go to the right, with names on the left', (t) => {
  const { labels, marks } = expandChart({ chart: 'bar', data: months });
  const [x, , far] = numbersOf(marks[0].d);
  t.ok(far > x);
  const names = labels.filter(({ text }) => ['Jan', 'Feb', 'Mar'].includes(text!));
  t.same(
    names.map(({ y }) => y).sort((a, b) => a - b),
    names.map(({ y }) => y),
  );
  t.ok(names.every((name) => name.x + name.width < x));
  t.end();
});

t.test('a series has a path, a colour and a name in the legend', (t) => {
  const data = months.map((row) => ({ ...row, cost: row.revenue - 20 }));
  const { texts, marks } = expandChart({ chart: 'column', data });
  t.ok(texts.includes('revenue') && texts.includes('cost'));
  const bars = marks.filter(({ d }) => d!.split('M').length === 4);
  t.equal(new Set(bars.map(({ fillColor }) => fillColor)).size, 2);
  t.notOk(expandChart({ chart: 'column', data, legend: 'none' }).texts.includes('cost'));
  t.end();
});

t.test('stacked series lie on each other, negative ones beneath zero', (t) => {
  const data = [
    { name: 'a', one: 10, two: 5, three: -5 },
    { name: 'b', one: 20, two: null, three: -10 },
  ];
  const { marks, texts } = expandChart({ chart: 'column', data, stacked: true });
  const [one, two, three] = marks.filter(({ d }) => d!.includes('L')).map(({ d }) => d!.split(/(?=M)/).map(numbersOf));
  t.equal(two.length, 1, 'a gap has no bar');
  const ends = (numbers: number[]) => {
    const ys = numbers.filter((_, i) => i % 2 === 1);
    return [Math.min(...ys), Math.max(...ys)];
  };
  t.ok(Math.abs(ends(one[0])[0] - ends(two[0])[1]) < 0.01, 'the second begins where the first ends');
  t.ok(Math.abs(ends(three[0])[0] - ends(one[0])[1]) < 0.01, 'negative numbers begin at zero');
  t.ok(texts.includes('20') && texts.includes('-10'));
  t.end();
});

t.test('lines have gaps, and a point between gaps is a dot', (t) => {
  const values = [1, 2, null, 3, null, 4, 5];
  const { strokes, marks } = expandChart({ chart: 'line', data: values.map((y, i) => ({ x: `n${i}`, y })) });
  const line = strokes.find(({ border }) => border!.width > 1)!;
  t.equal(line.d!.split('M').length - 1, 3);
  t.equal(marks.length, 1);
  t.match(marks[0].d, /a/);
  t.end();
});

t.test('smooth lines do not overshoot', (t) => {
  const data = [0, 0, 10, 10, 0, 0];
  const { strokes } = expandChart({ chart: 'line', data, smooth: true });
  const numbers = numbersOf(strokes.find(({ border }) => border!.width > 1)!.d);
  const straight = numbersOf(expandChart({ chart: 'line', data }).strokes.find(({ border }) => border!.width > 1)!.d);
  const range = (all: number[]) => {
    const ys = all.filter((_, i) => i % 2 === 1);
    return [Math.min(...ys), Math.max(...ys)];
  };
  t.same(range(numbers), range(straight));
  t.end();
});

t.test('dates lie where they are in time, and have texts of the locale', (t) => {
  const data = ['2026-01-01', '2026-02-01', '2026-12-01'].map((day, i) => ({ day, value: i + 1 }));
  const { strokes, texts } = expandChart({ chart: 'line', data }, { locale: 'de' });
  const [x0, , x1, , x2] = numbersOf(strokes.find(({ border }) => border!.width > 1)!.d);
  t.ok(Math.abs((x1 - x0) / (x2 - x0) - 31 / 334) < 1e-3);
  t.ok(
    texts.some((text) => /^Okt/.test(text)),
    texts.join(' '),
  );
  t.end();
});

t.test('formats see the value of a tick', (t) => {
  const chart = {
    chart: 'column',
    data: '{{= sales }}',
    axes: { y: { format: "{{= currency(value, 'EUR') }}", max: 20 } },
  };
  const { texts } = expandChart(chart, { data: { sales: months } });
  t.ok(texts.includes('€20.00') && texts.includes('€12.00'), texts.join(' '));
  t.match(chartFaults({ ...chart, data: months }), [/^layers\[0\]\.axes\.y\.format: expressions need "data"/]);
  t.match(chartFaults(chart), [/^layers\[0\]\.data: .*expressions need "data"/]);
  t.end();
});

t.test('colours of texts and series come from what is around the chart', (t) => {
  const chart = { type: 'chart', chart: 'line', x: 0, y: 0, width: 300, height: 200, data: [1, 2] };
  const group = { type: 'group', x: 0, y: 0, width: 300, height: 200, backgroundColor: '#101828', layers: [chart] };
  const colorsOf = (layers: object[], payload = {}) =>
    expandLayers(layers, payload).layers[0].layers!.flatMap(({ layers: inner, color }) =>
      inner ? inner.flatMap((each) => each.color ?? []) : (color ?? []),
    );
  t.same(new Set(colorsOf([group])), new Set(['#ffffff']));
  t.same(new Set(colorsOf([chart])), new Set(['#334155']));
  t.same(new Set(colorsOf([{ ...chart, color: 'red' }])), new Set(['#ff0000']));
  const { strokes } = expandChart({ chart: 'line', data: [1, 2] }, { tokens: { 'chart-1': '#123456' } });
  t.ok(strokes.some(({ border }) => border!.color === '#123456'));
  t.end();
});

t.test('x and y are a place as numbers, and fields as texts', (t) => {
  const data = months.map((row, i) => ({ ...row, quarter: `Q${i + 1}`, cost: 1 }));
  const named = expandLayers([
    { type: 'chart', chart: 'bar', x: 'quarter', y: 'revenue', width: 300, height: 200, data },
  ]);
  t.match(named.layers[0], { type: 'group', x: 0, y: 0, width: 300, height: 200 });
  t.ok(named.layers[0].layers!.some(({ text }) => text === 'Q3'));
  const axes = { x: { field: 'quarter' }, y: { field: ['cost'] } };
  const placed = expandLayers([{ type: 'chart', chart: 'bar', x: 7, y: 8, width: 300, height: 200, data, axes }]);
  t.match(placed.layers[0], { x: 7, y: 8 });
  t.ok(placed.layers[0].layers!.some(({ text }) => text === 'Q3'));
  t.match(chartFaults({ chart: 'bar', data, axes: { y: { field: 'revenu' } } }), [
    /^layers\[0\]\.y: .*did you mean revenue\?$/,
  ]);
  t.end();
});

t.test('sizes are those of the group around it', (t) => {
  const chart = { type: 'chart', chart: 'line', width: 'fill', height: '50%', data: [1, 2] };
  const group = { type: 'group', layout: 'column', x: 0, y: 0, width: 400, height: 300, padding: 20, layers: [chart] };
  t.match(expandLayers([group]).layers[0].layers![0], { type: 'group', width: 360, height: 130 });
  t.throws(() => expandLayers([{ ...group, width: 'auto' }]), /a chart is drawn before the layout/);
  t.end();
});

t.test('few, many and odd values give a chart', (t) => {
  const odd = [1e300, -1e300, Number.NaN, Infinity, 'x', { a: 1 }, [1], null, undefined, true, 1e-300, 1e149, -1e149];
  for (const chart of ['bar', 'column', 'line', 'area', 'scatter', 'sparkline']) {
    for (const stacked of [false, true]) {
      for (const data of [[], [5], [null], [-5], [0], [0, 0], odd.map((y, i) => ({ x: `n${i}`, y, z: 1 }))]) {
        const { layers } = expandChart({ chart, data, stacked, labels: true, axes: { y: { field: 'y' } } });
        for (const { d = '' } of layers) t.notMatch(d, /NaN|Infinity|undefined|e[+-]/);
      }
    }
    const long = Array.from({ length: 10_000 }, (_, i) => (i * 7919) % 1000);
    t.ok(expandChart({ chart, data: long }).layers.length < 60);
    t.match(chartFaults({ chart, data: [...long, 1] }), [
      /^layers\[0\]\.data: has 10001 points, expected at most 10000/,
    ]);
  }
  t.match(expandChart({ chart: 'line', data: [{ a: 1 }, { a: 'x' }] }).warnings, [
    { code: 'values_ignored', path: 'layers[0].data' },
  ]);
  t.match(chartFaults({ chart: 'line', data: [1, 'x'] }), [
    /^layers\[0\]\.data\[1\]: received "x", expected an object/,
  ]);
  t.match(chartFaults({ chart: 'line', data: [1], axes: { y: { min: 5, max: 5 } } }), [/axes\.y\.min/]);
  t.end();
});

t.test('annotations are lines with labels', (t) => {
  const annotations = [
    { value: 16, label: 'Target' },
    { axis: 'x', value: 'Feb', label: 'Launch', color: '#ff0000' },
    { axis: 'x', value: 'Nov' },
  ];
  for (const chart of ['column', 'bar', 'line']) {
    const { strokes, texts, warnings } = expandChart({ chart, data: months, annotations });
    t.equal(strokes.filter(({ border }) => border!.dash).length, 2);
    t.ok(texts.includes('Target') && texts.includes('Launch'), chart);
    t.match(warnings, [{ code: 'values_ignored', path: 'layers[0].annotations[2].value' }]);
  }
  t.match(chartFaults({ chart: 'line', data: months, annotations: [{ value: 'x' }] }), [/annotations\[0\]\.value/]);
  t.end();
});

t.test('an axis ends at ticks in a low chart, and zero has no decimals', (t) => {
  const data = [30, 56, 67, -31].map((value, i) => ({ name: `Item ${i}`, value }));
  for (let height = 60; height <= 240; height += 12) {
    const { texts, labels } = expandChart({ chart: 'line', data, width: 300, height });
    const ticks = texts.filter((text) => /^[-−]?\d/.test(text));
    t.ok(ticks.includes('0') && ticks.length >= 2, `${height}: ${ticks}`);
    t.notOk(
      texts.some((text) => text.includes('0.0')),
      `${height}: ${texts}`,
    );
    t.ok(labels.length > 2);
  }
  t.end();
});

t.test('turned texts have room above a title, and the last text of a line beside it', (t) => {
  const data = Array.from({ length: 9 }, (_, i) => ({ name: `Item ${i + 1}`, value: i }));
  const names = data.map(({ name }) => name);
  for (const chart of ['column', 'line', 'scatter']) {
    const { texts, warnings } = expandChart({ chart, data, axes: { x: { title: 'Below' } }, width: 340, height: 200 });
    t.same(
      names.filter((name) => !texts.includes(name)),
      [],
      chart,
    );
    t.ok(texts.includes('Below'));
    t.same(warnings, []);
  }
  t.end();
});

t.test('names at the ends of lines can be read, and say when they are shortened', (t) => {
  const data = [1, 2].map((year) => ({ year: `Y${year}`, A: year, B: 3 - year, 'Consulting and support': year * 2 }));
  const dark = expandChart({ chart: 'line', data, color: '#ffffff', width: 300, height: 200 });
  for (const name of ['A', 'B']) {
    const { color } = dark.labels.find(({ text }) => text === name) as unknown as { color: string };
    t.ok(luminanceOf(parseColor(color)!) > 0.2, `${name}: ${color}`);
  }
  t.match(dark.warnings, [{ code: 'labels_omitted', message: /names that are shortened/ }]);
  t.end();
});

// Pies, donuts, progress bars, gauges and heatmaps.
import t from 'tap';
import { chartFaults, expandChart, loadCharts } from './expand-chart.js';

const data = [
  { name: 'a', value: 10 },
  { name: 'b', value: 30 },
];

t.before(loadCharts);

t.test('slices have a path and a name each, and values in them', (t) => {
  for (const chart of ['pie', 'donut']) {
    const { marks, texts } = expandChart({ chart, data });
    t.same(new Set(texts), new Set(['a', 'b', '10', '30']));
    t.equal(new Set(marks.map(({ fillColor }) => fillColor)).size, 2);
    const slices = marks.filter(({ d }) => /A\d{2}/.test(d!));
    t.equal(slices.length, 2);
    // three quarters are the larger arc
    t.match(slices[1].d, /A[\d.]+ [\d.]+ 0 1 1/);
  }
  t.same(new Set(expandChart({ chart: 'pie', data: [{ one: 1, two: 2 }] }).texts), new Set(['one', 'two', '1', '2']));
  t.same(expandChart({ chart: 'pie', data, labels: false, legend: 'none' }).texts, []);
  t.end();
});

t.test('one slice is the whole circle, and none is an empty one', (t) => {
  const { marks } = expandChart({ chart: 'donut', data: [7], legend: 'none' });
  t.equal(marks.length, 1);
  t.equal(marks[0].d!.split('M').length - 1, 2, 'the circle and the hole');
  for (const none of [[], [0], [null]]) {
    t.equal(expandChart({ chart: 'pie', data: none, legend: 'none' }).marks.length, 1);
  }
  t.end();
});

t.test('negative values make no slices', (t) => {
  const rows = [...data, { name: 'c', value: -1 }];
  t.same(chartFaults({ chart: 'pie', data: rows }), [
    'layers[0].data[2].value: received -1, expected a number of at least 0 in a pie',
  ]);
  t.match(chartFaults({ chart: 'donut', data: [1, -2] }), [/^layers\[0\]\.data\[1\]: /]);
  t.end();
});

t.test('progress fills a part of its track', (t) => {
  const width = (d = '') => {
    const [, end, radius] = /H([\d.]+)A([\d.]+)/.exec(d)!;
    return Number(end) + Number(radius);
  };
  const { marks, texts } = expandChart({ chart: 'progress', value: 0.25, labels: false });
  t.ok(Math.abs(width(marks[1].d) / width(marks[0].d) - 0.25) < 1e-3);
  t.same(texts, []);
  t.same(expandChart({ chart: 'progress', value: 0.25 }).texts, ['25%']);
  t.same(
    expandChart({
      chart: 'progress',
      data: [
        { name: 'a', n: null },
        { name: 'b', n: 45 },
      ],
      max: 100,
    }).texts,
    ['45'],
  );
  t.equal(expandChart({ chart: 'progress' }).marks.length, 1);
  t.match(chartFaults({ chart: 'gauge', min: 2, max: 2 }), [/^layers\[0\]\.min: received 2, expected less than max/]);
  t.end();
});

t.test('gauges have a value and two ends', (t) => {
  const { texts, marks } = expandChart({ chart: 'gauge', value: 4500, max: 8000 });
  t.same(new Set(texts), new Set(['4,500', '0', '8,000']));
  t.equal(marks.length, 2);
  const format = "{{= unit(value, 'kilometer') }}";
  const formatted = expandChart({ chart: 'gauge', value: 3, max: 5, axes: { y: { format } } }, { data: {} });
  t.ok(formatted.texts.includes('3 km'));
  t.end();
});

t.test('heatmaps have a row for each field, and a path for each shade', (t) => {
  const rows = ['Mon', 'Tue'].map((day, i) => ({ day, am: i * 10, pm: 5, late: null }));
  const { texts, marks } = expandChart({ chart: 'heatmap', data: rows, legend: 'none' });
  for (const text of ['Mon', 'Tue', 'am', 'pm']) t.ok(texts.includes(text), text);
  t.equal(marks.length, 3, 'three numbers have three shades');
  const long = [
    { day: 'Mon', hour: '8', visits: 1 },
    { day: 'Mon', hour: '9', visits: 2 },
    { day: 'Tue', hour: '9', visits: 3 },
  ];
  const pivoted = expandChart({ chart: 'heatmap', data: long, axes: { y: { field: 'hour' } }, labels: true });
  for (const text of ['Mon', 'Tue', '8', '9', '2', '3']) t.ok(pivoted.texts.includes(text), text);
  const signed = expandChart({ chart: 'heatmap', data: [{ x: 'a', y: -5, z: 5 }], legend: 'none' });
  t.equal(new Set(signed.marks.map(({ fillColor }) => fillColor!.slice(0, 7))).size, 2, 'two colours');
  t.end();
});

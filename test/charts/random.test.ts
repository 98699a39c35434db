// Random charts: labels stay apart and inside, and what comes out is a plain payload that draws the same picture.
import t from 'tap';
import { areTouching } from '../../lib/charts/drawing.js';
import { DEFAULT_PALETTE } from '../../lib/charts/palette.js';
import { CHARTS } from '../../lib/contract/layers/expanded/chart.js';
import { render } from '../../lib/index.js';
import { luminanceOf } from '../../lib/raster/color-math.js';
import { expand } from '../../lib/templates/expand.js';
import { CANVAS, expandLayers, loadCharts } from './expand-chart.js';

/** A generator of numbers from 0 to 1, the same in each run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

const WORDS = [
  'Q1',
  'Revenue',
  'Department of Agriculture',
  'Überlingen am See',
  '北京市朝阳区',
  'العربية',
  '',
  '   ',
  '🙂',
];

function randomChart(random: () => number, chart: string): Record<string, unknown> {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  const count = pick([0, 1, 2, 3, 7, 12, 40, 200]);
  const isRound = chart === 'pie' || chart === 'donut';
  const size = pick([1e-9, 0.01, 1, 100, 1e6, 1e12, 1e140]);
  const number = () => {
    if (random() < 0.1) return null;
    const value = random() * size;
    return isRound || random() < 0.7 ? value : -value;
  };
  const kind = pick(['text', 'date', 'number', 'none']);
  const fields = pick([1, 1, 2, 4, 9]);
  const names = Array.from({ length: fields }, (_, k) => `${pick(WORDS)}${k}`);
  const data = Array.from({ length: count }, (_, i) => ({
    ...(kind === 'text' && { x: `${pick(WORDS)} ${pick(WORDS)}` }),
    ...(kind === 'date' && {
      x: new Date(Date.UTC(2020, 0, 1) + Math.floor(i * 864e5 * 31)).toISOString().slice(0, 10),
    }),
    ...(kind === 'number' && { x: random() * 100 }),
    ...Object.fromEntries(names.map((name) => [name, number()])),
  }));
  return {
    type: 'chart',
    chart,
    x: 0,
    y: 0,
    width: pick([60, 150, 400, 1200]),
    height: pick([30, 120, 300, 900]),
    data,
    labels: pick(['auto', true, false]),
    legend: pick(['auto', 'none', 'top', 'right', 'bottom']),
    stacked: random() < 0.5,
    smooth: random() < 0.5,
    annotations:
      random() < 0.3
        ? [
            { value: size / 2, label: 'A target' },
            { axis: 'x', value: 3, label: 'Here' },
          ]
        : [],
    axes: { x: { title: pick([undefined, 'Title']) }, y: { title: pick([undefined, 'A long title of an axis']) } },
    ...(kind === 'number' && random() < 0.5 && { axes: { x: { field: 'x' } } }),
  };
}

t.before(loadCharts);

t.test('labels stay apart from each other', (t) => {
  const random = createRandom(42);
  let labels = 0;
  for (let i = 0; i < 550; i++) {
    const chart = randomChart(random, CHARTS[i % CHARTS.length]);
    const [group] = expandLayers([chart], { canvas: { width: 1200, height: 900 } }).layers;
    const texts = group.layers!.filter(({ type }) => type === 'text');
    labels += texts.length;
    const boxes = texts.map(({ x, y, width, height, rotation = 0 }) => ({ box: { x, y, width, height }, rotation }));
    boxes.forEach((box, a) => {
      boxes.slice(0, a).forEach((other, b) => {
        if (areTouching(box, other)) t.fail(`${texts[a].text} touches ${texts[b].text}`, { chart });
      });
    });
    for (const { d = '', text } of group.layers!) {
      if (/NaN|Infinity|undefined|e[+-]/.test(d)) t.fail('a path has numbers that are none', { chart });
      if (text !== undefined && /NaN|Infinity|undefined|\[object/.test(text)) t.fail(`received ${text}`, { chart });
    }
  }
  t.ok(labels > 3000, `${labels} labels`);
  t.end();
});

t.test('an expanded chart draws the same picture', async (t) => {
  const random = createRandom(7);
  for (const chart of CHARTS) {
    const layers = [{ ...randomChart(random, chart), width: 500, height: 300 }];
    const payload = { canvas: CANVAS, layers };
    const plain = expand(payload, { maxLayers: 500 }).payload;
    const [one, other] = await Promise.all([render(payload as never), render(plain as never)]);
    t.ok(Buffer.from(one.bytes).equals(Buffer.from(other.bytes)), chart);
  }
});

t.test('the default colours can be read on white and on black', (t) => {
  for (const color of DEFAULT_PALETTE) {
    const luminance = luminanceOf(color);
    t.ok(1.05 / (luminance + 0.05) >= 3 && (luminance + 0.05) / 0.05 >= 3);
  }
  t.end();
});

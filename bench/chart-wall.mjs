// `node bench/chart-wall.mjs [FOLDER]`, after a build: draws each kind of chart with few, many, negative, missing and long data, in
// narrow and wide boxes, on light and dark, and writes a sheet for each kind to FOLDER, out/charts by default. To be looked at.
// Prints the warnings of each chart.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRenderer } from '../dist/lib/index.js';

const KINDS = ['bar', 'column', 'line', 'area', 'pie', 'donut', 'scatter', 'sparkline', 'progress', 'gauge', 'heatmap'];
const CELL = { width: 380, height: 250 };
const COLUMNS = 5;

const wave = (i) => Math.round(75 + 40 * Math.sin(i * 0.7) + 25 * Math.cos(i * 0.31));
const named = (count, name = (i) => `Item ${i + 1}`) =>
  Array.from({ length: count }, (_, i) => ({ name: name(i), value: wave(i) }));
const LONG = [
  'Department of Agriculture and Forestry',
  'Überlingen am Bodensee',
  'Unemployment insurance contributions',
  '北京市朝阳区建国路',
  'Research',
];
const day = (i) => new Date(Date.UTC(2025, 0, 1 + i * 9)).toISOString().slice(0, 10);
const month = (i) => new Date(Date.UTC(2023, i, 1)).toISOString().slice(0, 10);
const several = (count) =>
  Array.from({ length: count }, (_, i) => ({
    quarter: `Q${(i % 4) + 1} ${2021 + Math.floor(i / 4)}`,
    Hardware: wave(i),
    Software: wave(i + 4),
    'Consulting and support': wave(i * 2) / 2,
  }));
const grid = (columns, rows) =>
  Array.from({ length: rows }, (_, row) => ({
    hour: `${row}:00`,
    ...Object.fromEntries(Array.from({ length: columns }, (_, i) => [`Day ${i + 1}`, wave(row * columns + i)])),
  }));

/** The cases: fields of the chart by name. `box` is a part of the cell. */
const CASES = {
  '3 values': { data: named(3) },
  '12 months': { data: Array.from({ length: 12 }, (_, i) => ({ month: month(i), sales: wave(i) * 1250 })) },
  '200 values': { data: named(200) },
  negative: { data: named(7).map((each, i) => ({ ...each, value: each.value - 70 + i })) },
  gaps: { data: named(9).map((each, i) => (i % 4 === 2 ? { ...each, value: null } : each)) },
  one: { data: named(1) },
  none: { data: [] },
  'long names': { data: named(5, (i) => LONG[i]) },
  dates: { data: Array.from({ length: 40 }, (_, i) => ({ day: day(i), value: wave(i / 3) })) },
  narrow: { data: named(8), box: { width: 110 } },
  low: { data: named(8), box: { height: 70 } },
  'three series': { data: several(6) },
  stacked: { data: several(8), stacked: true },
  'large numbers': { data: named(5).map((each, i) => ({ ...each, value: each.value * 10 ** (4 + i) })) },
  'tiny numbers': { data: named(5).map((each) => ({ ...each, value: each.value / 1e5 })) },
  'all equal': { data: named(5).map((each) => ({ ...each, value: 42 })) },
  'all zero': { data: named(4).map((each) => ({ ...each, value: 0 })) },
  'plain numbers': { data: [4, 8, 15, 16, 23, 42] },
  'titles, annotation': {
    data: named(6),
    axes: { x: { title: 'Product' }, y: { title: 'Thousands sold' } },
    annotations: [{ value: 80, label: 'Target' }],
  },
  dark: { data: several(4), isDark: true },
};
const OWN_CASES = {
  scatter: {
    'points of numbers': {
      data: Array.from({ length: 90 }, (_, i) => ({
        height: 150 + ((i * 37) % 50),
        weight: 45 + ((i * 53) % 45) + ((i * 37) % 50) / 2,
      })),
      axes: { x: { field: 'height', title: 'Height in cm' }, y: { title: 'Weight in kg' } },
    },
  },
  progress: { 'a value': { value: 0.64 }, 'of 80': { value: 52, max: 80 }, over: { value: 1.4 } },
  gauge: { 'a value': { value: 0.64 }, 'of 80': { value: 52, max: 80 }, below: { value: -3, min: 0, max: 10 } },
  heatmap: { '7 × 24': { data: grid(7, 24) }, '24 × 7': { data: grid(24, 7) }, '3 × 2': { data: grid(3, 2) } },
};

function cellOf(kind, [name, { box, isDark, ...fields }], index) {
  const [x, y] = [(index % COLUMNS) * CELL.width, Math.floor(index / COLUMNS) * CELL.height];
  const inner = { width: CELL.width - 40, height: CELL.height - 50, ...box };
  return [
    {
      type: 'group',
      x: x + 10,
      y: y + 24,
      width: inner.width + 20,
      height: inner.height + 20,
      backgroundColor: isDark ? '#0f172a' : '#ffffff',
      layers: [{ type: 'chart', chart: kind, id: name, x: 10, y: 10, ...inner, ...fields }],
    },
    {
      type: 'text',
      text: `${kind}: ${name}`,
      x: x + 10,
      y: y + 4,
      width: CELL.width - 20,
      height: 18,
      fontSize: 12,
      color: '#64748b',
    },
  ];
}

/** The name of the case that a warning is about: it has two layers. */
const nameAt = (cases, path) => cases[Math.floor(Number(/\d+/.exec(path)) / 2)][0];

const folder = process.argv[2] ?? 'out/charts';
mkdirSync(folder, { recursive: true });
const renderer = createRenderer({ maxLayers: 200, maxExpandedLayers: 50_000 });
for (const kind of KINDS) {
  const isRound = kind === 'pie' || kind === 'donut';
  const cases = Object.entries({ ...CASES, ...OWN_CASES[kind] }).filter(([name]) => !(isRound && name === 'negative'));
  const rows = Math.ceil(cases.length / COLUMNS);
  const payload = {
    canvas: { width: COLUMNS * CELL.width, height: rows * CELL.height, backgroundColor: '#f1f5f9' },
    layers: cases.flatMap((each, i) => cellOf(kind, each, i)),
  };
  const { bytes, warnings, durationMs } = await renderer.render(payload);
  writeFileSync(join(folder, `${kind}.png`), bytes);
  console.log(`${kind}: ${cases.length} charts, ${Math.round(durationMs)} ms`);
  for (const { path, message } of warnings) console.log(`  ${nameAt(cases, path)}: ${message}`);
}

// Benchmark: renders the examples and prints the median time of each pipeline stage in milliseconds.
//   npm run build && node bench/run.mjs [--runs 15] [--format png] [--json | --readme] [NAME …]
// `--readme` writes the table and the machine's description into this folder's README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import '../dist/modules/lib/node-host.js';
import { createAssets } from '../dist/modules/lib/assets/loader.js';
import { createFontRegistry } from '../dist/modules/lib/fonts/registry.js';
import { renderScene } from '../dist/modules/lib/render.js';
import { resolve } from '../dist/modules/lib/templates/resolve.js';

/** Their main costs: a photograph, outlines, rotated layers with shadows, shaping and font fallback. */
const SCENES = ['social-card', 'event-poster', 'story', 'languages'];
const STAGES = ['check', 'load', 'layout', 'paint', 'encode'];
/** Renders before measuring starts, so that fonts are loaded and hot loops compiled. */
const WARM_UP_RUNS = 4;

const { values, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: '15' },
    format: { type: 'string', default: 'png' },
    json: { type: 'boolean', default: false },
    readme: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1)
  throw new Error(`--runs: received ${values.runs}, expected a whole number from 1`);

const baseDirectory = fileURLToPath(new URL('../examples', import.meta.url));
const typefaces = createFontRegistry();
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Renders `payload` once. Returns the milliseconds of each stage and in total, and the file size in bytes. */
async function measure(payload) {
  const times = {};
  const context = {
    // A new loader and no image cache, so that every render reads and decodes its images.
    assets: createAssets({ timeoutMs: 10_000, maxBytes: 26_214_400, maxPixels: 67_108_864, baseDirectory }),
    typefaces,
    format: values.format,
    onStage: (stage, milliseconds) => {
      times[stage] = milliseconds;
    },
  };
  const startTime = performance.now();
  const scene = resolve(payload, { maxLayers: 500, checkUrl: context.assets.source });
  times.check = performance.now() - startTime;
  const { bytes } = await renderScene(scene, context);
  return { ...times, total: performance.now() - startTime, bytes: bytes.length };
}

const rows = [];
for (const scene of positionals.length > 0 ? positionals : SCENES) {
  const payload = JSON.parse(readFileSync(new URL(`../examples/${scene}.json`, import.meta.url), 'utf8'));
  const samples = [];
  for (let i = 0; i < WARM_UP_RUNS + runs; i++) {
    const sample = await measure(payload);
    if (i >= WARM_UP_RUNS) samples.push(sample);
  }
  const { width, height } = payload.canvas;
  const medians = [...STAGES, 'total'].map((name) => [name, median(samples.map((sample) => sample[name]))]);
  rows.push({ scene, width, height, bytes: samples[0].bytes, ...Object.fromEntries(medians) });
}

const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`;
const HEADINGS = ['scene', 'pixels', ...STAGES, 'total', 'KiB'];
const cells = rows.map((row) => [
  row.scene,
  `${row.width}×${row.height}`,
  ...[...STAGES, 'total'].map((name) => row[name].toFixed(1)),
  (row.bytes / 1024).toFixed(0),
]);

/** Replaces the text between the two bench comments in README.md. */
function writeReadme(text) {
  const path = fileURLToPath(new URL('README.md', import.meta.url));
  const readme = readFileSync(path, 'utf8');
  const section = /(<!-- bench -->\n)[\s\S]*?(<!-- \/bench -->)/;
  if (!section.test(readme)) throw new Error('README.md lacks its <!-- bench --> comments');
  writeFileSync(
    path,
    readme.replace(section, (_, open, close) => `${open}${text}${close}`),
  );
}

if (values.json) console.log(JSON.stringify({ machine, runs, format: values.format, rows }, null, 2));
else if (values.readme) {
  const line = (columns) => `| ${columns.join(' | ')} |\n`;
  const separator = HEADINGS.map((_, i) => (i === 0 ? '---' : '--:'));
  const caption = `${values.format.toUpperCase()}, milliseconds, medians of ${runs} renders; ${machine}.`;
  writeReadme(`${[HEADINGS, separator, ...cells].map(line).join('')}\n${caption}\n`);
} else {
  const line = (columns) => columns.map((cell, i) => (i === 0 ? cell.padEnd(14) : cell.padStart(10))).join('');
  console.log(`${machine}; ${values.format}; medians of ${runs} renders, in ms\n`);
  for (const columns of [HEADINGS, ...cells]) console.log(line(columns));
}

// `node bench/gradients.mjs`, after a build: fills 1200 × 630 pixels with gradients, each beside the same area in a colour.
// Prints the least time of each fill and its ratio to the plain colour's: on a busy machine the least is what repeats.
import { parseGradient } from '../dist/modules/lib/contract/css/gradient.js';
import { loadKernels } from '../dist/modules/lib/kernels/kernels.js';
import '../dist/modules/lib/node-host.js';
import { Surface } from '../dist/modules/lib/raster/surface.js';

const ROUNDS = 60;
const BOX = { left: 0, top: 0, right: 1200, bottom: 630 };
const AREA = { box: BOX, toCanvas: { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 } };
const PLAIN = { r: 30, g: 41, b: 59, a: 1 };

const GRADIENTS = {
  vertical: 'linear-gradient(#0ea5e9, #f43f5e)',
  horizontal: 'linear-gradient(90deg, #0ea5e9, #f43f5e)',
  diagonal: 'linear-gradient(135deg, #10b981, #6366f1 40%, #ec4899)',
  stripes: 'repeating-linear-gradient(45deg, #1e293b 0 12px, #facc15 12px 24px)',
  oklch: 'linear-gradient(30deg in oklch, red, blue)',
  radial: 'radial-gradient(#fde047, #b91c1c)',
  conic: 'conic-gradient(red, yellow, lime, aqua, blue, magenta, red)',
};

await loadKernels();
const surface = new Surface(BOX);

function time(fill) {
  const started = performance.now();
  surface.fillRect(BOX, surface.paintOf(fill, AREA));
  return performance.now() - started;
}

for (const [name, text] of Object.entries(GRADIENTS)) {
  const gradient = parseGradient(text);
  let [least, plain] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    plain = Math.min(plain, time(PLAIN));
    least = Math.min(least, time(gradient));
  }
  console.log(`${name.padEnd(12)} ${least.toFixed(3)} ms, ${(least / plain).toFixed(2)} × a colour`);
}

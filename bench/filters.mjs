// Measures blur(20px) of a megapixel and a backdropFilter of a card of 600 × 300, beside Skia where a folder is named in
// which @napi-rs/canvas is installed: `npm run build && node bench/filters.mjs [folder]`. Both take turns.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { IDENTITY } from '../dist/modules/lib/geometry/affine.js';
import { rectOf } from '../dist/modules/lib/geometry/rect.js';
import { loadKernels } from '../dist/modules/lib/kernels/kernels.js';
import { filtered, filteredBackdrop } from '../dist/modules/lib/layers/effects/filter.js';
import { RECTANGLE } from '../dist/modules/lib/layers/outline.js';
import { Surface } from '../dist/modules/lib/raster/surface.js';
import '../dist/modules/lib/node-host.js';

const RUNS = 41;

const CASES = [
  { name: 'blur(20px) of 1000 × 1000', canvas: [1000, 1000], box: [0, 0, 1000, 1000], isBackdrop: false },
  { name: 'backdrop blur(20px) of 600 × 300', canvas: [1200, 630], box: [300, 165, 600, 300], isBackdrop: true },
];

/** Opaque tiles of many colours. */
function paint({ pixmap: { words, width, height } }) {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) words[y * width + x] = 0xff000000 | Math.imul((x >> 4) ^ ((y >> 4) * 77), 0x9e3779);
  }
}

function ownCase({ canvas: [width, height], box, isBackdrop }) {
  const canvas = new Surface(rectOf(0, 0, width, height));
  const picture = new Surface(rectOf(0, 0, width, height));
  paint(picture);
  paint(canvas);
  const rect = rectOf(...box);
  const frame = { isUpright: true, box: rect, unsnapped: rect, toCanvas: IDENTITY };
  const filter = [{ type: 'blur', sigma: 20 }];
  const content = { frame, outline: RECTANGLE, bounds: rect, draw: (surface) => surface.drawSurface(picture) };
  return () => {
    const layer = isBackdrop ? filteredBackdrop(content, filter, canvas) : filtered(content, filter);
    layer.draw(canvas, 1);
  };
}

function skiaCase({ createCanvas, ImageData }, { canvas: [width, height], box, isBackdrop }) {
  const source = new Surface(rectOf(0, 0, width, height));
  paint(source);
  const [picture, canvas] = [0, 1].map(() => createCanvas(width, height));
  const [from, to] = [picture, canvas].map((each) => each.getContext('2d'));
  for (const context of [from, to]) context.putImageData(new ImageData(source.pixmap.data, width, height), 0, 0);
  const [x, y, w, h] = box;
  return () => {
    to.save();
    to.filter = 'blur(20px)';
    if (isBackdrop) {
      to.beginPath();
      to.rect(x, y, w, h);
      to.clip();
      to.drawImage(canvas, x, y, w, h, x, y, w, h);
    } else to.drawImage(picture, 0, 0);
    to.restore();
    // what is drawn is only recorded until a pixel is read
    to.getImageData(0, 0, 1, 1);
  };
}

function timed(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

await loadKernels();
const folder = process.argv[2];
const skia = folder && createRequire(join(resolve(folder), 'index.js'))('@napi-rs/canvas');
for (const each of CASES) {
  const sides = { own: ownCase(each), ...(skia && { skia: skiaCase(skia, each) }) };
  const times = Object.fromEntries(Object.keys(sides).map((side) => [side, []]));
  for (let run = 0; run < RUNS; run++) for (const side of Object.keys(sides)) times[side].push(timed(sides[side]));
  const cells = Object.entries(times).map(([side, list]) => {
    list.sort((a, b) => a - b);
    return `${side} ${list[RUNS >> 1].toFixed(2)} ms (least ${list[0].toFixed(2)})`;
  });
  console.log(`${each.name}: ${cells.join(', ')}`);
}

// `node bench/layout.mjs`, after a build: renders a price list of 40 items, laid out by groups and placed by hand.
// Prints the least time of each and their ratio: on a busy machine the least is what repeats.
import { createRenderer } from '../dist/lib/index.js';

const ROUNDS = 40;
const ITEMS = 40;
const canvas = { width: 800, height: 1320, backgroundColor: '#ffffff' };
const name = (i) => `Item ${i + 1} with a name of some length`;
const price = (i) => `${(i * 7.35 + 1.2).toFixed(2)} €`;
const text = { type: 'text', fontSize: 16 };
const dot = { type: 'shape', shapeType: 'circle', width: 12, height: 12, fillColor: '#4f46e5' };
const auto = { width: 'auto', height: 'auto' };

const row = (i) => ({
  type: 'group',
  layout: 'row',
  ...{ width: '100%', height: 'auto', gap: 10, alignItems: 'center' },
  layers: [dot, { ...text, text: name(i), width: 'fill', height: 'auto' }, { ...text, text: price(i), ...auto }],
});
const list = { type: 'group', x: 0, y: 0, width: 800, height: 1320, layout: 'column', gap: 12, padding: 20 };
const laidOut = [{ ...list, layers: Array.from({ length: ITEMS }, (_, i) => row(i)) }];

const placed = Array.from({ length: ITEMS }, (_, i) => {
  const y = 20 + i * 31;
  return [
    { ...dot, x: 20, y: y + 4 },
    { ...text, text: name(i), x: 42, y, width: 640, height: 20 },
    { ...text, text: price(i), x: 692, y, width: 88, height: 20 },
  ];
}).flat();

const renderer = createRenderer();
async function time(layers) {
  const started = performance.now();
  await renderer.renderToPixels({ canvas, layers });
  return performance.now() - started;
}

let [least, byHand] = [Infinity, Infinity];
for (let round = 0; round < ROUNDS; round++) {
  byHand = Math.min(byHand, await time(placed));
  least = Math.min(least, await time(laidOut));
}
console.log(`by hand ${byHand.toFixed(2)} ms, laid out ${least.toFixed(2)} ms, ${(least / byHand).toFixed(2)} ×`);

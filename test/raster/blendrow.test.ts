// The kernels for long runs of a colour against the plain kernels, and both against short runs, which don't use them.
import t from 'tap';
import { blendCovered, blendEdges, blendFlat, blendShort } from '../../lib/raster/blend.js';
import { packWord } from '../../lib/raster/pixmap.js';
import { randomBelow } from '../codecs/pictures.js';
import { withPlainKernels } from '../kernels/plain.js';

/** Whether all three blend alike. */
function agrees(backdrop: Uint32Array, from: number, to: number, opaque: number, alpha: number): boolean {
  const [byKernel, byPlain, short] = [backdrop.slice(), backdrop.slice(), backdrop.slice()];
  blendFlat(byKernel, from, to, opaque, alpha);
  withPlainKernels(() => blendFlat(byPlain, from, to, opaque, alpha));
  blendShort(short, from, to, opaque, alpha);
  return byKernel.every((word, i) => word === short[i] && word === byPlain[i]);
}

t.test('blends alike at any length and offset', (t) => {
  const random = randomBelow(77);
  for (const length of [256, 257, 1080, 4095, 4096, 4097, 9001]) {
    const backdrop = new Uint32Array(length + 20);
    for (let i = 0; i < backdrop.length; i++) {
      const alpha = random(256);
      backdrop[i] = packWord(random(alpha + 1), random(alpha + 1), random(alpha + 1), alpha);
    }
    for (let alpha = 0; alpha < 256; alpha += 15) {
      const opaque = packWord(random(256), random(256), random(256), 255);
      const from = random(20);
      t.ok(agrees(backdrop, from, from + length, opaque, alpha), `${length} pixels at ${alpha}`);
    }
  }
  t.end();
});

t.test('blends alike for every backdrop value and alpha', (t) => {
  const backdrop = new Uint32Array(256).map((_, value) => packWord(value, value, value, 255));
  for (let alpha = 0; alpha < 256; alpha++) {
    t.ok(agrees(backdrop, 0, 256, packWord(255, alpha, 1, 255), alpha), `at ${alpha}`);
  }
  t.end();
});

t.test('blends alike for every coverage and alpha', (t) => {
  const random = randomBelow(78);
  const coverage = new Uint8Array(9001).map((_, i) => (i < 256 ? i : random(256)));
  for (const length of [96, 97, 256, 1080, 4096, 4099, 8990]) {
    const backdrop = new Uint32Array(length + 20);
    for (let i = 0; i < backdrop.length; i++) {
      const alpha = i % 3 === 0 ? 255 : random(256);
      backdrop[i] = packWord(random(alpha + 1), random(alpha + 1), random(alpha + 1), alpha);
    }
    for (let alpha = 0; alpha < 256; alpha += 17) {
      const [r, g, b] = [random(256), random(256), random(256)];
      const part = (value: number) => Math.round((value * alpha) / 255);
      const color = { word: packWord(part(r), part(g), part(b), alpha), opaqueWord: packWord(r, g, b, 255), alpha };
      const start = random(11);
      const [byKernel, byPlain, short] = [backdrop.slice(), backdrop.slice(), backdrop.slice()];
      blendCovered(byKernel, 9, start, start + length, coverage, color);
      withPlainKernels(() => blendCovered(byPlain, 9, start, start + length, coverage, color));
      blendEdges(short, 9, start, start + length, coverage, color);
      const agree = byKernel.every((word, i) => word === short[i] && word === byPlain[i]);
      t.ok(agree, `${length} pixels at ${alpha}`);
    }
  }
  t.end();
});

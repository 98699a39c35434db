// The grey picture that is read, beside its plain definition.
import t from 'tap';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { greyImage, reduce } from '../../lib/scanner/grey-image.js';
import { dice, roll } from '../exhaustive.js';

const random = dice(1);
const pixmap = new Pixmap(23, 17);
for (let i = 0; i < pixmap.data.length; i += 4) {
  const alpha = random() < 0.5 ? 255 : roll(random, 256);
  for (let channel = 0; channel < 3; channel++) pixmap.data[i + channel] = roll(random, alpha + 1);
  pixmap.data[i + 3] = alpha;
}

/** Luma on white. */
function luma(x: number, y: number): number {
  const [r, g, b, a] = pixmap.data.subarray(4 * (y * 23 + x));
  return 0.299 * r + 0.587 * g + 0.114 * b + 255 - a;
}

t.test('is the luma on white, of means of pixels', (t) => {
  const region = { left: 2, top: 1, right: 21, bottom: 16 };
  for (const step of [1, 2, 3, 7]) {
    const { width, height, data } = greyImage(pixmap, region, step);
    t.same([width, height], [Math.floor(19 / step), Math.floor(15 / step)]);
    let worst = 0;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        let sum = 0;
        for (let j = 0; j < step; j++) for (let i = 0; i < step; i++) sum += luma(2 + x * step + i, 1 + y * step + j);
        worst = Math.max(worst, Math.abs(data[y * width + x] - sum / (step * step)));
      }
    }
    t.ok(worst < 1, `step ${step}: off by ${worst}`);
  }
  t.end();
});

t.test('white stays white at the largest step', (t) => {
  const white = new Pixmap(127, 127);
  t.same([...greyImage(white, { left: 0, top: 0, right: 127, bottom: 127 }, 127).data], [255]);
  t.end();
});

t.test('reduced, its mean stays the same', (t) => {
  const image = greyImage(pixmap, { left: 0, top: 0, right: 23, bottom: 17 });
  const mean = ({ data }: { data: Uint8Array }) => data.reduce((sum, value) => sum + value, 0) / data.length;
  for (const factor of [1, 0.8, 0.5, 0.01]) {
    const small = reduce(image, factor);
    t.same([small.width, small.height], [Math.max(1, Math.floor(23 * factor)), Math.max(1, Math.floor(17 * factor))]);
    t.ok(Math.abs(mean(small) - mean(image)) < 1);
  }
  t.same(reduce(image, 1).data, image.data);
  t.end();
});

// The kernel for long runs of a colour against its JavaScript twin.
import t from 'tap';
import { blendFlat, blendShort } from '../../lib/raster/blend.js';
import { packWord } from '../../lib/raster/pixmap.js';
import { randomBelow } from '../codecs/pictures.js';

t.test('the kernel equals blendShort at any length and offset', (t) => {
  const random = randomBelow(77);
  for (const length of [256, 257, 1080, 4095, 4096, 4097, 9001]) {
    const backdrop = new Uint32Array(length + 20);
    for (let i = 0; i < backdrop.length; i++) {
      const alpha = random(256);
      backdrop[i] = packWord(random(alpha + 1), random(alpha + 1), random(alpha + 1), alpha);
    }
    for (let alpha = 0; alpha < 256; alpha += 15) {
      const opaque = packWord(random(256), random(256), random(256), 255);
      const [long, short] = [backdrop.slice(), backdrop.slice()];
      const from = random(20);
      blendFlat(long, from, from + length, opaque, alpha);
      blendShort(short, from, from + length, opaque, alpha);
      t.ok(
        long.every((word, i) => word === short[i]),
        `${length} pixels at ${alpha}`,
      );
    }
  }
  t.end();
});

t.test('the kernel equals blendShort for every backdrop value and alpha', (t) => {
  const backdrop = new Uint32Array(256).map((_, value) => packWord(value, value, value, 255));
  for (let alpha = 0; alpha < 256; alpha++) {
    const [long, short] = [backdrop.slice(), backdrop.slice()];
    blendFlat(long, 0, 256, packWord(255, alpha, 1, 255), alpha);
    blendShort(short, 0, 256, packWord(255, alpha, 1, 255), alpha);
    t.ok(
      long.every((word, i) => word === short[i]),
      `at ${alpha}`,
    );
  }
  t.end();
});

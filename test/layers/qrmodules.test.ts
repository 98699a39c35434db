// Our QR codes against qrcode-generator: the same modules in every version and level.
import qrcode from 'qrcode-generator';
import t from 'tap';
import { qrModules } from '../../lib/layers/qrmodules.js';
import { randomBelow } from '../codecs/pictures.js';

function byPackage(data: Uint8Array, level: 'L' | 'M' | 'Q' | 'H'): boolean[] {
  const code = qrcode(0, level);
  code.addData(String.fromCharCode(...data), 'Byte');
  code.make();
  const count = code.getModuleCount();
  return Array.from({ length: count * count }, (_, i) => code.isDark(Math.floor(i / count), i % count));
}

/** ISO/IEC 18004 table 7, level H: the lengths in bytes that versions 1 to 40 hold. */
const LENGTHS_H = [
  ...[
    7, 14, 24, 34, 44, 58, 64, 84, 98, 119, 137, 155, 177, 194, 220, 250, 280, 310, 338, 382, 403, 439, 461, 511, 535,
  ],
  ...[593, 625, 658, 698, 742, 790, 842, 898, 958, 983, 1051, 1093, 1139, 1219, 1273],
];
const MOST = { L: 2953, M: 2331, Q: 1663, H: 1273 } as const;

function agrees(length: number, level: keyof typeof MOST, seed: number): boolean {
  const random = randomBelow(seed);
  const data = Uint8Array.from({ length }, () => (seed % 3 === 0 ? 32 + random(95) : random(256)));
  const { size, dark } = qrModules(data, level);
  const expected = byPackage(data, level);
  return size * size === expected.length && expected.every((isDark, i) => isDark === (dark[i] === 1));
}

t.test('every version at its longest, and one byte more', (t) => {
  LENGTHS_H.forEach((length, i) => {
    t.equal(qrModules(new Uint8Array(length), 'H').size, 21 + 4 * i);
    t.ok(agrees(length, 'H', i), `version ${i + 1}`);
    if (i < 39) t.equal(qrModules(new Uint8Array(length + 1), 'H').size, 25 + 4 * i);
  });
  t.end();
});

t.test('all levels, from nothing to the most', (t) => {
  for (const level of ['L', 'M', 'Q', 'H'] as const) {
    for (let i = 0; i <= 12; i++) {
      const length = Math.floor((MOST[level] * i * i) / 144);
      t.ok(agrees(length, level, i + 7), `${length} bytes at ${level}`);
    }
  }
  t.end();
});

t.test('short texts, where masks cost nearly the same', (t) => {
  for (let i = 0; i < 150; i++) t.ok(agrees(i % 60, (['L', 'M', 'Q', 'H'] as const)[i % 4], 100 + i), `text ${i}`);
  t.end();
});

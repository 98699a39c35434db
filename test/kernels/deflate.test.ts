// The deflate kernel: zlib inflates its output, checksum included, sizes are close to zlib's, and the plain kernel writes
// the same bytes.
import { ok } from 'node:assert/strict';
import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { allocate, kernels } from '../../lib/kernels/kernels.js';
import { randomBelow } from '../codecs/pictures.js';
import { withPlainKernels } from './plain.js';

const WINDOW = 32768;

/** The stream of `bytes`, compressed in pieces of at most `piece` bytes, which must be the same by the plain kernel. */
function deflate(bytes: Uint8Array, depth: number, piece = bytes.length, rowBytes = 1000): Uint8Array {
  const stream = deflateOnce(bytes, depth, piece, rowBytes);
  const plain = withPlainKernels(() => deflateOnce(bytes, depth, piece, rowBytes));
  ok(Buffer.compare(stream, plain) === 0, 'the plain kernel writes the same bytes');
  return stream;
}

function deflateOnce(bytes: Uint8Array, depth: number, piece: number, rowBytes: number): Uint8Array {
  const { deflateStart, deflateBytes, deflateBound, memory } = kernels();
  const [window, out] = allocate([WINDOW + piece + 64, deflateBound(piece)]);
  const pieces: Uint8Array[] = [];
  deflateStart(rowBytes);
  for (let from = 0; from < bytes.length || from === 0; from += piece) {
    const part = bytes.subarray(from, from + piece);
    new Uint8Array(memory.buffer).set(part, window + WINDOW);
    const end = deflateBytes(window + WINDOW, part.length, out, depth, from + piece >= bytes.length);
    t.ok(end - out <= deflateBound(part.length), 'within deflateBound');
    pieces.push(new Uint8Array(memory.buffer).slice(out, end));
  }
  return Buffer.concat(pieces);
}

const random = randomBelow(7);
const noise = (length: number, values: number) => Uint8Array.from({ length }, () => random(values));

/** Rows of noise, half of each repeated from the row above. */
function rows(length: number, rowBytes: number): Uint8Array {
  const bytes = noise(length, 256);
  for (let i = rowBytes; i < length; i++) if (i % 64 < 32) bytes[i] = bytes[i - rowBytes];
  return bytes;
}

/** Byte frequencies are Fibonacci numbers, which give the deepest possible Huffman code. */
function fibonacci(): Uint8Array {
  const bytes: number[] = [];
  for (let byte = 0, a = 1, b = 1; byte < 24; byte++, [a, b] = [b, a + b]) for (let i = 0; i < a; i++) bytes.push(byte);
  return Uint8Array.from(bytes, (_, i) => bytes[(i * 7919) % bytes.length]);
}

const CASES: readonly (readonly [string, Uint8Array])[] = [
  ['one byte', Uint8Array.of(7)],
  ['three bytes', Uint8Array.of(7, 7, 7)],
  ['zeros', new Uint8Array(700_000)],
  ['all 255', new Uint8Array(100_000).fill(255)],
  ['noise', noise(300_000, 256)],
  ['noise of two values', noise(300_000, 2)],
  ['noise of five values', noise(100_000, 5)],
  ['rows', rows(400_000, 1000)],
  ['rows at the window’s length', rows(400_000, WINDOW)],
  ['rows just beyond the window', rows(400_000, WINDOW + 1)],
  ['a deep code', fibonacci()],
  [
    'a run of every length',
    Uint8Array.from({ length: 600 }, (_, n) => n).reduce<Uint8Array>(
      (all, n) => Buffer.concat([all, new Uint8Array(n).fill(n)]),
      new Uint8Array(1),
    ),
  ],
];

for (const depth of [0, 1, 8, 64]) {
  t.test(`zlib inflates the output, depth ${depth}`, (t) => {
    for (const [name, bytes] of CASES) {
      for (const piece of [bytes.length, 65_536, 33_333]) {
        const stream = deflate(bytes, depth, piece, name.startsWith('rows at') ? WINDOW : 1000);
        t.ok(inflateSync(stream).equals(bytes), `${name} in pieces of ${piece}`);
      }
      t.ok(Buffer.compare(deflate(bytes, depth), deflate(bytes, depth)) === 0, `${name}: the same bytes again`);
    }
    t.end();
  });
}

t.test('round-trips any short bytes in any pieces', (t) => {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 400 }),
    fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 900 }).map((values) => Uint8Array.from(values)),
  );
  fc.assert(
    fc.property(
      bytes,
      fc.constantFrom(0, 4),
      fc.integer({ min: 33, max: 400 }),
      fc.integer({ min: 1, max: 200 }),
      (bytes, depth, piece, rowBytes) => inflateSync(deflate(bytes, depth, piece, rowBytes)).equals(bytes),
    ),
    { seed: 3, numRuns: 500 },
  );
  t.end();
});

t.test('compresses about as well as zlib', (t) => {
  for (const [name, most, depth] of [
    ['zeros', 1.35, 0],
    ['noise', 1.003, 0],
    ['noise of two values', 1.25, 16],
    ['rows', 1.02, 16],
    ['a deep code', 1.05, 16],
  ] as const) {
    const bytes = CASES.find(([other]) => other === name)?.[1] ?? new Uint8Array();
    const ratio = deflate(bytes, depth).length / deflateSync(bytes, { level: 4 }).length;
    t.ok(ratio < most, `${name}: ${ratio.toFixed(3)} of zlib’s level 4`);
  }
  t.end();
});

t.test("a sample's size matches the size of its block", (t) => {
  const bytes = rows(10_000, 1000);
  const sampleBits = (depth: number) => {
    const { deflateStart, deflateSampleBits, deflateBound, memory } = kernels();
    const [window] = allocate([WINDOW + bytes.length + 64, deflateBound(bytes.length)]);
    new Uint8Array(memory.buffer).set(bytes, window + WINDOW);
    deflateStart(1000);
    return deflateSampleBits(window + WINDOW, bytes.length, depth);
  };
  const bits = sampleBits(8);
  for (const depth of [0, 8])
    t.equal(
      withPlainKernels(() => sampleBits(depth)),
      sampleBits(depth),
      `depth ${depth}`,
    );
  const stream = deflate(bytes, 8);
  t.ok(
    Math.abs(stream.length - 6 - bits / 8) < 2,
    `${bits / 8} bytes estimated, ${stream.length} written with header and checksum`,
  );
  t.end();
});

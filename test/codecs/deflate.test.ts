// Strips deflated side by side against one stream over the same rows; Adler-32 against the plain sum and zlib's own.
import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { adler32, combineAdler32 } from '../../lib/codecs/adler.js';
import { deflateRows } from '../../lib/codecs/deflate.js';
import type { Packer } from '../../lib/codecs/pngpack.js';
import { randomBelow } from './pictures.js';

/** The definition, byte by byte. */
function plainAdler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return high * 65536 + low;
}

/** Rows of noise, each half of it repeated from the row above, so that matches reach across the seams. */
function packerOf(rowBytes: number, height: number, level: number): { packer: Packer; rows: Uint8Array } {
  const random = randomBelow(rowBytes + height);
  const rows = new Uint8Array(rowBytes * height);
  for (let i = 0; i < rows.length; i++) rows[i] = i >= rowBytes && i % 64 < 32 ? rows[i - rowBytes] : random(256);
  const pack = (from: number, to: number, out: Uint8Array) => {
    out.set(rows.subarray(from * rowBytes, to * rowBytes));
    return (to - from) * rowBytes;
  };
  return { packer: { rowBytes, level, pack }, rows };
}

for (const [rowBytes, height, level] of [
  [3601, 700, 1],
  [3601, 437, 4],
  [32769, 90, 1],
  [300001, 7, 1],
  [1500, 4, 1],
]) {
  t.test(`${height} rows of ${rowBytes} bytes at level ${level}`, async (t) => {
    const { packer, rows } = packerOf(rowBytes, height, level);
    const stream = Buffer.concat(await deflateRows(packer, height));
    t.ok(inflateSync(stream).equals(rows), 'the rows, and their sum');
    const plain = deflateSync(rows, { level, memLevel: 9 });
    t.ok(stream.length < plain.length * 1.002 + 32, `${stream.length} bytes, one stream ${plain.length}`);
    t.ok(stream.subarray(-4).equals(plain.subarray(-4)), 'zlib’s own sum');
    t.ok(Buffer.concat(await deflateRows(packer, height)).equals(stream), 'the same bytes again');
  });
}

t.test('adler32 is the plain sum, whatever the bytes', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => adler32(bytes) === plainAdler32(bytes)),
    { seed: 1 },
  );
  for (const length of [0, 1, 7, 8, 3799, 3800, 3801, 100_003]) {
    const bytes = new Uint8Array(length).fill(255);
    t.equal(adler32(bytes), plainAdler32(bytes), `${length} bytes of 255`);
  }
  t.end();
});

t.test('sums of pieces combine to the sum of the whole', (t) => {
  const random = randomBelow(5);
  const bytes = Uint8Array.from({ length: 200_000 }, () => random(256));
  for (const seam of [0, 1, 65_520, 65_521, 65_522, 199_999, 200_000]) {
    const first = adler32(bytes.subarray(0, seam));
    const second = adler32(bytes.subarray(seam));
    t.equal(combineAdler32(first, second, bytes.length - seam), plainAdler32(bytes), `seam at ${seam}`);
  }
  t.end();
});

// The EXIF orientation is read in some files and ignored in others: each case matches Chromium.
import t from 'tap';
import { readHeader } from '../../lib/codecs/header.js';
import { decodeImage } from '../../lib/codecs/index.js';
import { estimateDecodeMemory, fixture } from './pictures.js';
import { chunk, makePng } from './png/maker.js';

const ORIENTATION = 0x0112;
const MAKER = 0x010f;

/** A TIFF block with one 16-bit entry. */
function tiff(value: number, tag = ORIENTATION): Buffer {
  const bytes = Buffer.from('4d4d002a0000000800010000000300000001000000000000', 'hex');
  bytes.writeUInt16BE(tag, 10);
  bytes.writeUInt16BE(value, 18);
  return bytes;
}

t.test('applies the first non-empty EXIF segment of a JPEG', (t) => {
  const jpeg = fixture('quadrants-rgb.jpg');
  const sizeWith = (...blocks: Buffer[]) => {
    const segments = blocks.map((block) => {
      const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), block]);
      return Buffer.concat([Buffer.from([0xff, 0xe1, 0, body.length + 2]), body]);
    });
    const { width, height } = readHeader(Buffer.concat([jpeg.slice(0, 2), ...segments, jpeg.slice(2)]));
    return `${width} × ${height}`;
  };
  t.equal(sizeWith(tiff(6), tiff(3)), '32 × 48');
  t.equal(sizeWith(tiff(1), tiff(6)), '48 × 32');
  t.equal(sizeWith(tiff(0), tiff(6)), '48 × 32', 'an invalid value is upright');
  t.equal(sizeWith(tiff(6, MAKER), tiff(6)), '48 × 32', 'without an orientation');
  t.equal(sizeWith(Buffer.alloc(20, 88), tiff(6)), '48 × 32', 'corrupt');
  t.equal(sizeWith(Buffer.alloc(0), tiff(6)), '32 × 48', 'empty');
  t.end();
});

t.test("applies the orientation of a PNG's eXIf chunk", async (t) => {
  const plain = makePng({ width: 3, height: 2, colorType: 0, depth: 8, sample: (x, y) => 10 + x + y * 3 });
  const behindHeader = 8 + 12 + 13;
  const withChunks = (...chunks: Buffer[]) =>
    Buffer.concat([plain.subarray(0, behindHeader), ...chunks, plain.subarray(behindHeader)]);
  const rowsOf = async (bytes: Uint8Array) => {
    const { width, height, data } = await decodeImage(bytes);
    t.match(readHeader(bytes), { width, height });
    const grays = data.filter((_, i) => i % 4 === 0);
    return Array.from({ length: height }, (_, y) => [...grays.subarray(y * width, (y + 1) * width)]);
  };
  const upright = [
    [10, 11, 12],
    [13, 14, 15],
  ];
  const quarter = [
    [13, 10],
    [14, 11],
    [15, 12],
  ];
  const exif = chunk('eXIf', tiff(6));
  t.same(await rowsOf(plain), upright);
  t.same(await rowsOf(withChunks(exif)), quarter);
  t.same(await rowsOf(withChunks(chunk('eXIf', tiff(3)))), [
    [15, 14, 13],
    [12, 11, 10],
  ]);
  t.same(await rowsOf(withChunks(exif, chunk('eXIf', tiff(3)))), quarter, 'the first chunk applies');
  t.same(await rowsOf(withChunks(chunk('eXIf', tiff(9)))), upright, 'an invalid value');
  t.same(await rowsOf(withChunks(chunk('eXIf', Buffer.concat([Buffer.from('Exif\0\0'), tiff(6)])))), upright);
  const corrupt = Buffer.from(exif);
  corrupt[corrupt.length - 1] ^= 1;
  t.same(await rowsOf(withChunks(corrupt)), upright, 'a wrong CRC');
  t.same(
    await rowsOf(Buffer.concat([plain.subarray(0, -12), exif, plain.subarray(-12)])),
    upright,
    'after the image data',
  );
  t.same(
    await rowsOf(withChunks(...Array<Buffer>(5000).fill(chunk('tEXt', [])), exif)),
    upright,
    'after too many chunks',
  );
  t.equal(
    estimateDecodeMemory(withChunks(exif)).bytesPerPixel,
    estimateDecodeMemory(plain).bytesPerPixel + 4,
    'two copies are held',
  );
});

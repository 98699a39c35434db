// Headers and counts alone reject files before decoding or large allocations.
import t from 'tap';
import { readHeader } from '../../lib/codecs/header.js';
import { decodeImage } from '../../lib/codecs/index.js';
import { estimateDecodeMemory, fixture } from './pictures.js';
import { chunk, ihdr, SIGNATURE } from './png/maker.js';

const refused = (bytes: Uint8Array, message: RegExp) => [bytes, { code: 'render_failed', message }] as const;

// fault: 48
t.test('rejects sizes above the limits', async (t) => {
  const png = (width: number, height: number) => Buffer.concat([SIGNATURE, ihdr(width, height, 8, 6)]);
  const huge = 2 ** 31 - 1;
  for (const [bytes, error] of [
    refused(png(huge, huge), /2147483647 × 2147483647 pixels, more than the 67108864 pixels allowed/),
    refused(png(huge, 1), /more than the 67108864 pixels allowed/),
    refused(png(65_536, 1), /the PNG is 65536 × 1 pixels; at most 65535 per side/),
    refused(png(1, 60_000_000), /at most 65535 per side/),
    refused(png(0, 1), /its size is 0 × 1/),
    refused(png(30_000, 30_000), /more than the 67108864 pixels allowed/),
  ]) {
    await t.rejects(decodeImage(bytes), error);
  }
});

// fault: 49
t.test('allows fewer scans for a large JPEG than for a small one', async (t) => {
  const jpeg = Buffer.from(fixture('quadrants-progressive.jpg'));
  const scan = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xda);
  const frame = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xc2);
  const first = jpeg.subarray(
    scan,
    jpeg.findIndex((byte, at) => at > scan + 2 && byte === 0xff && jpeg[at + 1] === 0xda),
  );
  const many = Buffer.concat([jpeg.subarray(0, scan), ...Array<Buffer>(17).fill(first), Buffer.from([0xff, 0xd9])]);
  many.writeUInt16BE(8000, frame + 5);
  many.writeUInt16BE(8000, frame + 7);
  await t.rejects(decodeImage(many), { code: 'render_failed', message: /it has more than 16 scans/ });
});

// fault: 49
t.test('limits what the JPEG fallback decoder gets', async (t) => {
  const sized = (name: string, width: number, height: number, sampling?: number) => {
    const jpeg = Buffer.from(fixture(name));
    const frame = jpeg.findIndex((byte, at) => byte === 0xff && (jpeg[at + 1] === 0xc0 || jpeg[at + 1] === 0xc2));
    jpeg.writeUInt16BE(height, frame + 5);
    jpeg.writeUInt16BE(width, frame + 7);
    if (sampling) jpeg[frame + 11] = sampling;
    return jpeg;
  };
  for (const [bytes, error] of [
    refused(sized('inks-progressive.jpg', 6500, 6500), /6500 × 6500 pixels are CMYK, .+, and take \d+ blocks/),
    refused(sized('quadrants-cmyk.jpg', 1500, 1500), /its image data is corrupt or truncated/),
    refused(
      sized('quadrants-420.jpg', 4200, 4200, 0x44),
      /unusual sampling factors; such files are limited to 16777216 pixels/,
    ),
  ]) {
    await t.rejects(decodeImage(bytes), error);
  }
  t.ok(estimateDecodeMemory(sized('quadrants-420.jpg', 900, 900, 0x44)).bytesPerPixel > 15);
  t.equal(estimateDecodeMemory(sized('quadrants-420.jpg', 900, 900)).bytesPerPixel, 4);
});

// fault: 48, 52
t.test('bounds files split into one-byte pieces', async (t) => {
  const pieces = Buffer.concat(Array<Buffer>(65_537).fill(chunk('IDAT', Buffer.from([0]))));
  await t.rejects(decodeImage(Buffer.concat([SIGNATURE, ihdr(9, 9, 8, 6), pieces])), {
    code: 'render_failed',
    message: /more than 65536 data chunks/,
  });
  // the same LZW data in one-byte blocks
  const gif = Buffer.from(fixture('quadrants-interlaced.gif'));
  const expected = await decodeImage(gif);
  const at = imageData(gif);
  const parts = [gif.subarray(0, at)];
  let block = at;
  for (; gif[block] !== 0; block += 1 + gif[block]) {
    for (const byte of gif.subarray(block + 1, block + 1 + gif[block])) parts.push(Buffer.from([1, byte]));
  }
  parts.push(gif.subarray(block));
  t.same((await decodeImage(Buffer.concat(parts))).words, expected.words);
});

// fault: 49, 51
t.test('rejects headers with more pieces than any real file', async (t) => {
  const times = (count: number, ...bytes: number[]) => Buffer.alloc(count * bytes.length, Buffer.from(bytes));
  const jpeg = Buffer.from(fixture('quadrants-420.jpg'));
  const withSegments = (count: number) =>
    Buffer.concat([jpeg.subarray(0, 2), times(count, 0xff, 0xe5, 0, 2), jpeg.subarray(2)]);
  t.equal(readHeader(withSegments(60_000)).width, 48);
  t.throws(() => readHeader(withSegments(65_537)), refused(jpeg, /more than 65536 segments/)[1]);
  const avif = Buffer.from(fixture('quadrants-turned.avif'));
  const free = (count: number) => times(count, 0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65);
  const ftyp = avif.readUInt32BE(0);
  const withBoxes = (count: number) => Buffer.concat([avif.subarray(0, ftyp), free(count), avif.subarray(ftyp)]);
  t.same(readHeader(withBoxes(60_000)), readHeader(avif));
  t.throws(() => readHeader(withBoxes(65_537)), refused(avif, /more than 65536 boxes at one level/)[1]);
  const svg = (blanks: number) => Buffer.from(`<?xml version="1.0"?>${' '.repeat(blanks)}<svg width="3" height="2"/>`);
  t.match(readHeader(svg(1_000_000)), { format: 'svg', width: 3, height: 2 });
  t.throws(() => readHeader(svg(2 ** 20)), refused(jpeg, /received an XML document/)[1]);
});

/** Offset of the first frame's sub-blocks. */
function imageData(gif: Buffer): number {
  let at = 13 + (gif[10] & 0x80 ? 3 << ((gif[10] & 7) + 1) : 0);
  while (gif[at] === 0x21) {
    at += 2;
    while (gif[at] !== 0) at += 1 + gif[at];
    at++;
  }
  const palette = gif[at + 9] & 0x80 ? 3 << ((gif[at + 9] & 7) + 1) : 0;
  return at + 10 + palette + 1;
}

// AVIFs that browsers accept although boxes are missing, and AVIFs whose coded data contradicts their boxes.
import t from 'tap';
import { encodeAvif } from '../../../lib/codecs/avif/encode.js';
import { dropLevels, readObus } from '../../../lib/codecs/avif/obu.js';
import { decodeImage } from '../../../lib/codecs/index.js';
import { fixture, quadrants } from '../pictures.js';
import { avifOf, codedOf } from './made.js';

const coded = codedOf(fixture('quadrants-gray.avif'));
const size = { width: 48, height: 32 };
const plain = { ...size, depths: [8] };

t.test('decodes AVIFs with missing or split boxes to the same image', async (t) => {
  const { words } = await decodeImage(avifOf(coded, plain));
  const others = [1];
  for (const [name, options] of Object.entries({
    'no pixi': { ...size, depths: false },
    'several extents': { ...plain, cuts: [1, 5, 6, 20] },
    'several ipma boxes': { ...plain, isSpread: true, others },
    'all combined': { ...size, depths: false, isSpread: true, others, cuts: [7] },
  } as const)) {
    t.same((await decodeImage(avifOf(coded, options))).words, words, name);
  }
  // take the eight bytes of the 64-bit length from the brands, so that all other offsets stay the same
  const narrow = avifOf(coded, { ...size, depths: false });
  const [brands, length] = [narrow.readUInt32BE(0) - 8, narrow.readUInt32BE(narrow.indexOf('meta') - 4)];
  const head = Buffer.from([0, 0, 0, 1, ...Buffer.from('meta'), 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32BE(length + 8, 12);
  const wide = Buffer.concat([narrow.subarray(0, brands), head, narrow.subarray(brands + 16)]);
  wide.writeUInt32BE(brands, 0);
  t.same((await decodeImage(wide)).words, words, 'no pixi, a 64-bit length');
  const open = avifOf(coded, { ...size, depths: false });
  open.writeUInt32BE(0, open.indexOf('mdat') - 4);
  await t.rejects(decodeImage(open), { code: 'render_failed' }, 'nothing can follow an open-ended box');
});

t.test('ignores a crop, valid or not, as Chromium does', async (t) => {
  const { words } = await decodeImage(avifOf(coded, plain));
  for (const crop of [
    [20, 1, 10, 1, 0, 1, 0, 1],
    [21, 2, 11, 3, 0, 1, 0, 1],
    [20, 1, 10, 1, 500, 1, 0, 1],
    [20, 0, 10, 0, 0, 0, 0, 0],
  ]) {
    t.same((await decodeImage(avifOf(coded, { ...plain, crop }))).words, words, crop.join());
    t.same((await decodeImage(avifOf(coded, { ...size, crop, depths: false, isSpread: true }))).words, words);
  }
});

t.test('decodes 10 bits without a pixi box', async (t) => {
  const deep = codedOf(fixture('quadrants-10bit.avif'));
  const expected = await decodeImage(avifOf(deep, { ...size, depths: [10, 10, 10] }));
  t.same((await decodeImage(avifOf(deep, { ...size, depths: false }))).words, expected.words);
});

t.test('decodes an AVIF with a level unknown to the decoder', async (t) => {
  // 0x0a and a length, then profile, still, reduced, and 5 bits of level
  const data = Uint8Array.from(coded.data);
  const at = (data.findIndex((byte, i) => byte === 0x0a && data[i - 1] === 0) + 2) * 8 + 5;
  for (let bit = 0; bit < 5; bit++) {
    const mask = 0x80 >> ((at + bit) & 7);
    data[(at + bit) >> 3] = (data[(at + bit) >> 3] & ~mask) | ((20 >> (4 - bit)) & 1 ? mask : 0);
  }
  const bytes = avifOf({ ...coded, data }, plain);
  const before = Uint8Array.from(bytes);
  t.same(readObus(data).unknownLevels, [at]);
  t.same((await decodeImage(bytes)).words, (await decodeImage(avifOf(coded, plain))).words);
  t.same(Uint8Array.from(bytes), before, 'the input is not modified');
  dropLevels(data, [at]);
  t.same(readObus(data).unknownLevels, []);
});

// fault: 51
t.test('rejects coded data larger than the declared size, however its extents are split', async (t) => {
  const large = codedOf(await encodeAvif(quadrants(640, 480), { quality: 50 }));
  const error = { code: 'render_failed', message: /does not match its header/ };
  for (let cut = 1; cut < 16; cut++) {
    await t.rejects(decodeImage(avifOf(large, { ...size, cuts: [cut] })), error, `cut at ${cut}`);
  }
  const places = avifOf(large, { ...size, others: [65_535, 65_535, 65_535, 3_400] });
  await t.rejects(decodeImage(places), { message: /more than 200000 extents/ });
});

// fault: 51
t.test('rejects an AVIF with too many frames', async (t) => {
  const times = (count: number) => ({ ...coded, data: Buffer.concat(Array<Uint8Array>(count).fill(coded.data)) });
  t.equal((await decodeImage(avifOf(times(8), plain))).width, 48);
  await t.rejects(decodeImage(avifOf(times(9), plain)), { message: /more than 8 frames/ });
});

/** A sequence header OBU that ends after its sizes (AV1 section 5.5.1). */
function sizedSequence(width: number, height: number): Buffer {
  const bits = (value: number, count: number) => value.toString(2).padStart(count, '0');
  const head = `00011${bits(8, 5)}${bits(15, 4)}${bits(15, 4)}${bits(width - 1, 16)}${bits(height - 1, 16)}`;
  const bytes = head
    .padEnd(80, '0')
    .match(/.{8}/g)!
    .map((byte) => Number.parseInt(byte, 2));
  return Buffer.from([0x0a, bytes.length, ...bytes]);
}

// fault: 51
t.test('allows fewer frames for a large image than for a small one', async (t) => {
  // the frames' data doesn't match such a size: the test is whether they are rejected for their number
  const framesOf = (width: number, height: number, count: number) => {
    const sized = sizedSequence(width, height);
    const frame = Buffer.from([0x32, 1, 0]);
    return avifOf(
      { data: Buffer.concat([sized, ...Array(count).fill(frame)]), config: coded.config },
      { width, height },
    );
  };
  const tooMany = { message: /too many frames for their size/ };
  await t.rejects(decodeImage(framesOf(8192, 8192, 2)), tooMany);
  await t.rejects(decodeImage(framesOf(4096, 4096, 4)), tooMany);
  for (const [side, count] of [
    [8192, 1],
    [4096, 3],
    [2048, 8],
  ]) {
    await t.rejects(
      decodeImage(framesOf(side, side, count)),
      { message: /corrupt or truncated/ },
      `${count} of ${side}`,
    );
  }
});

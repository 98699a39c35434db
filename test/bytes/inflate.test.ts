// Compares the portable inflate with zlib: the same bytes, or the same error, for whole, truncated and damaged streams.
import { constants, deflateRawSync, deflateSync, inflateRawSync, inflateSync } from 'node:zlib';
import t from 'tap';
import { InflateLimitError, inflateRaw, inflateZlib } from '../../lib/bytes/inflate.js';
import { decodeImage, encodeImage } from '../../lib/codecs/index.js';
import { type Host, host, setHost } from '../../lib/host.js';
import { quadrants, randomBelow } from '../codecs/pictures.js';
import { makePng } from '../codecs/png/maker.js';

const MAX = 1 << 17;
const random = randomBelow(7);
const CONTENTS = new Map<string, Uint8Array>([
  ['nothing', new Uint8Array()],
  ['one byte', Uint8Array.of(7)],
  ['one value', new Uint8Array(3000).fill(9)],
  ['noise', Uint8Array.from({ length: 700 }, () => random(256))],
  ['few values', Uint8Array.from({ length: 1500 }, () => random(3))],
  ['long distances', Uint8Array.from({ length: 70_000 }, (_, i) => (i < 33_000 ? random(256) : i & 7))],
]);
const SETTINGS = [
  { level: 0 },
  { level: 1 },
  { level: 9 },
  { strategy: constants.Z_FIXED },
  { strategy: constants.Z_HUFFMAN_ONLY },
  { strategy: constants.Z_RLE },
];

function outcome(inflate: () => Uint8Array): string {
  try {
    return Buffer.from(inflate()).toString('latin1');
  } catch (error) {
    return `error: ${(error as Error).message}`;
  }
}

const portable = (stream: Uint8Array) => outcome(() => inflateRaw(stream, { maxLength: MAX, mayBeTruncated: true }));
const native = (stream: Uint8Array) => outcome(() => inflateRawSync(stream, { finishFlush: constants.Z_SYNC_FLUSH }));
const portableZlib = (stream: Uint8Array) => outcome(() => inflateZlib(stream, { maxLength: MAX }));
const nativeZlib = (stream: Uint8Array) => outcome(() => inflateSync(stream));

t.test('inflates whole streams', (t) => {
  for (const [name, content] of CONTENTS) {
    for (const settings of SETTINGS) {
      const expected = Buffer.from(content).toString('latin1');
      t.ok(portable(deflateRawSync(content, settings)) === expected, `${name}, ${JSON.stringify(settings)}`);
      t.ok(portableZlib(deflateSync(content, settings)) === expected, `zlib: ${name}, ${JSON.stringify(settings)}`);
    }
  }
  const followed = Buffer.concat([deflateRawSync(CONTENTS.get('noise')!), Buffer.from('more')]);
  t.ok(portable(followed) === native(followed), 'what follows the end is ignored');
  t.end();
});

t.test('gives what a truncated stream holds, or rejects it', (t) => {
  for (const [name, content] of CONTENTS) {
    if (content.length > 5000) continue;
    for (const settings of SETTINGS) {
      const raw = deflateRawSync(content, settings);
      const zlib = deflateSync(content, settings);
      const lengths = Array.from({ length: zlib.length }, (_, length) => length);
      const different = lengths.filter((length) => {
        const [rawPart, zlibPart] = [raw.subarray(0, length), zlib.subarray(0, length)];
        return portable(rawPart) !== native(rawPart) || portableZlib(zlibPart) !== nativeZlib(zlibPart);
      });
      t.same(different, [], `${name}, ${JSON.stringify(settings)}`);
    }
  }
  t.end();
});

t.test('rejects damaged streams for the same reason, or gives the same bytes', (t) => {
  const reasons = new Set<string>();
  for (const [name, content] of CONTENTS) {
    for (const settings of SETTINGS) {
      for (const [deflate, ours, theirs] of [
        [deflateRawSync, portable, native],
        [deflateSync, portableZlib, nativeZlib],
      ] as const) {
        const stream = deflate(content.subarray(0, 3000), settings);
        let different = 0;
        for (let round = 0; round < 100; round++) {
          const damaged = Uint8Array.from(stream);
          // headers and code lengths lie at the start
          const at = random(round % 2 ? Math.min(60, damaged.length) : damaged.length);
          damaged[at] ^= 1 << random(8);
          const expected = theirs(damaged);
          if (expected.startsWith('error: ')) reasons.add(expected.slice(7));
          if (ours(damaged) !== expected) different++;
        }
        t.equal(different, 0, `${name}, ${JSON.stringify(settings)}`);
      }
    }
  }
  t.comment([...reasons].join('; '));
  t.ok(reasons.size > 12, 'most of the reasons have occurred');
  t.end();
});

t.test('rejects a stream that holds more than is allowed', (t) => {
  for (const [name, content] of CONTENTS) {
    if (content.length === 0) continue;
    for (const settings of SETTINGS) {
      const stream = deflateRawSync(content, settings);
      const { length } = content;
      t.ok(Buffer.from(content).equals(inflateRaw(stream, { maxLength: length })), name);
      t.throws(
        () => inflateRaw(stream, { maxLength: length - 1 }),
        new InflateLimitError('too much data'),
        `${name}, one byte more`,
      );
    }
  }
  t.end();
});

t.test('a PNG gives the same pixels or the same error without native zlib', async (t) => {
  const nodes = host();
  const { zlib: _, ...others } = nodes;
  const withoutZlib: Host = others;
  t.teardown(() => setHost(nodes));
  const decode = async (bytes: Uint8Array) => {
    try {
      const { width, height, data } = await decodeImage(bytes);
      return `${width} × ${height} ${Buffer.from(data).toString('base64')}`;
    } catch (error) {
      return String(error);
    }
  };
  const files = [
    await encodeImage(quadrants(20, 14), 'png', { quality: 90 }),
    makePng({ width: 9, height: 7, depth: 8, colorType: 6, interlaced: true, sample: (x, y) => x * y }),
    makePng({ width: 40, height: 30, depth: 16, colorType: 2, sample: () => random(65536) }),
  ];
  for (const [i, file] of files.entries()) {
    const variants = Array.from({ length: 150 }, (_, round) => {
      if (round % 2) return file.slice(0, random(file.length));
      const damaged = file.slice();
      damaged[random(file.length)] ^= 1 << random(8);
      return damaged;
    });
    let different = 0;
    for (const variant of [file, ...variants]) {
      setHost(nodes);
      const expected = await decode(variant);
      setHost(withoutZlib);
      if ((await decode(variant)) !== expected) different++;
    }
    t.equal(different, 0, `file ${i}`);
  }
});

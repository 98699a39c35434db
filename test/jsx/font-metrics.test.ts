// The metrics that bullets are drawn from are those of the font files.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { decodeWoff2 } from '../../lib/fonts/woff2/decode.js';
import '../../lib/index.js';
import { FONT_METRICS } from '../../lib/jsx/layers/font-metrics.js';

const FONTS = new URL('../../fonts/', import.meta.url);
const { faces } = JSON.parse(readFileSync(new URL('manifest.json', FONTS), 'utf8')) as {
  faces: readonly { family: string; style: string; file: string; format: string }[];
};
/** The bit of OS/2 that makes its metrics those of lines. */
const USE_TYPO_METRICS = 128;

t.test('families reach above and below the baseline as their files say', async (t) => {
  for (const [family, row] of Object.entries(FONT_METRICS)) {
    const face = faces.find((each) => each.family === family && each.style === 'normal')!;
    const file = new Uint8Array(readFileSync(new URL(face.file, FONTS)));
    const bytes = Buffer.from(face.format === 'woff2' ? await decodeWoff2(file) : file);
    const offsets = new Map<string, number>();
    for (let i = 0; i < bytes.readUInt16BE(4); i++) {
      offsets.set(bytes.toString('latin1', 12 + i * 16, 16 + i * 16), bytes.readUInt32BE(20 + i * 16));
    }
    const [head, hhea, os2] = ['head', 'hhea', 'OS/2'].map((tag) => offsets.get(tag)!);
    const isTypo = (bytes.readUInt16BE(os2 + 62) & USE_TYPO_METRICS) !== 0;
    const [ascent, descent, lineGap] = [0, 2, 4].map(
      (at) => bytes.readInt16BE((isTypo ? os2 + 68 : hhea + 4) + at) / bytes.readUInt16BE(head + 18),
    );
    const rounded = [ascent, -descent, lineGap].map((value) => Math.round(value * 1e4) / 1e4);
    t.same([row[0], row[1], row[2] ?? 0], rounded, family);
  }
});

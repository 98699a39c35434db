// The transparency of a lossy WebP, exact: the data of its ALPH chunk, packed by the kernels of the lossless format. Source:
// RFC 9649 section 2.7.1.2.
import { kernels, layOut } from '../kernels/kernels.js';
import type { Pixmap } from '../raster/pixmap.js';

/** The chunk's first byte: the levels packed as they are, or as differences from the pixel on the left. */
const PACKED = 1;
const FILTERED = PACKED | (1 << 2);
/** What lossless data begin with, and the chunk leaves out: a signature and the size. */
const LOSSLESS_HEADER = 5;
/** What codes take beside the pixels, and what kernels may touch beyond the end of what they are given. */
const CODE_BYTES = 4096;
const SLACK_BYTES = 64;
const LEVELS = 256;

/**
 * The chunk's data: whichever is smaller. Beside libwebp at the method that is used for colours, which takes a fifth to half
 * of the time of the whole for it: half the bytes for text, a quarter for shadows, a tenth for a picture that is turned.
 */
export function alphaData(pixmap: Pixmap): Uint8Array {
  const { width, height, data } = pixmap;
  const pixels = width * height;
  // where nothing repeats, levels take eight bits and a little
  const room = pixels + (pixels >> 3) + CODE_BYTES;
  const tryWith = (sequences: number): Uint8Array | undefined => {
    const [plane, out, palette, found] = layOut([pixels + SLACK_BYTES, room + SLACK_BYTES, LEVELS * 4, sequences * 12]);
    const { memory, webpEncode } = kernels();
    new Uint32Array(memory.buffer, palette, LEVELS).set(GREENS);
    const levels = new Uint8Array(memory.buffer, plane, pixels);
    for (let i = 0; i < pixels; i++) levels[i] = data[i * 4 + 3];
    const pack = (kind: number): Uint8Array | undefined => {
      const end = webpEncode(plane, width, height, palette, LEVELS, false, found, sequences, out, room);
      if (end === 0) return undefined;
      const packed = new Uint8Array(memory.buffer).slice(out + LOSSLESS_HEADER - 1, end);
      packed[0] = kind;
      return packed;
    };
    const packed = pack(PACKED);
    if (!packed) return undefined;
    subtractLeft(levels, width);
    const filtered = pack(FILTERED);
    return filtered && filtered.length < packed.length ? filtered : packed;
  };
  // most pictures repeat themselves; matches are four long at least, so that the last is enough for any
  const found = tryWith((pixels >> 6) + LEVELS) ?? tryWith((pixels >> 4) + LEVELS) ?? tryWith((pixels >> 2) + LEVELS);
  if (!found) throw new Error('a plane of levels takes more room than it can');
  return found;
}

/** Levels stand in the green of lossless pixels. */
const GREENS = Uint32Array.from({ length: LEVELS }, (_, level) => 0xff000000 | (level << 8));

/** Of each level the one on its left is taken away; of the first in a row, the one above. */
function subtractLeft(levels: Uint8Array, width: number): void {
  for (let row = levels.length - width; row >= 0; row -= width) {
    for (let i = row + width - 1; i > row; i--) levels[i] -= levels[i - 1];
    if (row > 0) levels[row] -= levels[row - width];
  }
}

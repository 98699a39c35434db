// Encodes the alpha of a lossy WebP losslessly: the data of its ALPH chunk, compressed by the kernels of the lossless
// format. Source: RFC 9649 section 2.7.1.2.
import { allocate, kernels } from '../../kernels/kernels.js';
import type { Pixmap } from '../../raster/pixmap.js';

/** The chunk's first byte: alpha values compressed as they are, or as differences from the pixel on the left. */
const UNFILTERED = 1;
const FILTERED = UNFILTERED | (1 << 2);
/** Bytes of the lossless header (signature and size), which the chunk omits. */
const LOSSLESS_HEADER = 5;
/** Bytes of the prefix codes, and bytes that kernels may access past the end of their buffers. */
const CODE_BYTES = 4096;
const SLACK_BYTES = 64;
const ALPHA_VALUES = 256;

/**
 * The chunk's data, the smaller of both variants. Compared with libwebp at the method used for colours, which spends a
 * fifth to half of its total time on alpha: half the bytes for text, a quarter for shadows, a tenth for a rotated
 * image.
 */
export function encodeAlpha(pixmap: Pixmap): Uint8Array {
  const { width, height, data } = pixmap;
  const pixels = width * height;
  // without repetition, alpha values take slightly more than eight bits
  const capacity = pixels + (pixels >> 3) + CODE_BYTES;
  const tryWith = (maxSequences: number): Uint8Array | undefined => {
    const [valuesAt, out, palette, sequences] = allocate([
      pixels + SLACK_BYTES,
      capacity + SLACK_BYTES,
      ALPHA_VALUES * 4,
      maxSequences * 12,
    ]);
    const { memory, webpEncode } = kernels();
    new Uint32Array(memory.buffer, palette, ALPHA_VALUES).set(GREENS);
    const values = new Uint8Array(memory.buffer, valuesAt, pixels);
    for (let i = 0; i < pixels; i++) values[i] = data[i * 4 + 3];
    const encode = (header: number): Uint8Array | undefined => {
      const end = webpEncode(
        valuesAt,
        width,
        height,
        palette,
        ALPHA_VALUES,
        false,
        sequences,
        maxSequences,
        out,
        capacity,
      );
      if (end === 0) return undefined;
      const encoded = new Uint8Array(memory.buffer).slice(out + LOSSLESS_HEADER - 1, end);
      encoded[0] = header;
      return encoded;
    };
    const encoded = encode(UNFILTERED);
    if (!encoded) return undefined;
    subtractLeft(values, width);
    const filtered = encode(FILTERED);
    return filtered && filtered.length < encoded.length ? filtered : encoded;
  };
  // most images repeat themselves; matches have at least four pixels, so the last attempt always suffices
  const encoded =
    tryWith((pixels >> 6) + ALPHA_VALUES) ??
    tryWith((pixels >> 4) + ALPHA_VALUES) ??
    tryWith((pixels >> 2) + ALPHA_VALUES);
  if (!encoded) throw new Error('the compressed alpha exceeds its upper bound');
  return encoded;
}

/** Alpha values are in the green channel of lossless pixels. */
const GREENS = Uint32Array.from({ length: ALPHA_VALUES }, (_, level) => 0xff000000 | (level << 8));

/** Subtracts from each value its left neighbour; from the first in a row, the one above. */
function subtractLeft(values: Uint8Array, width: number): void {
  for (let row = values.length - width; row >= 0; row -= width) {
    for (let i = row + width - 1; i > row; i--) values[i] -= values[i - 1];
    if (row > 0) values[row] -= values[row - width];
  }
}

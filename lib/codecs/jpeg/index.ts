// Decodes and encodes JPEG. Three decoders, tried in order: our kernels (jpeg/decode-baseline.ts), bit-identical to
// libjpeg-turbo; mozjpeg compiled to WebAssembly, which takes twice the time; and jpeg-js
// (jpeg/fallback.ts), which takes sixteen times as long. jpeg/encode.ts encodes.
import { withModule } from '../../kernels/wasm-module.js';
import { Pixmap, packWord } from '../../raster/pixmap.js';
import type { Decode, Encode } from '../codec.js';
import { malformed } from '../errors.js';
import { orient } from '../orientation.js';
import { recreateOnTrap, type StraightImage } from '../wasm.js';
import { decodeBaseline } from './decode-baseline.js';
import { writeJpeg } from './encode.js';
import { checkJpegScans, isYCbCr, type JpegHeader } from './header.js';

/** Typed as Emscripten's options alone, but the package also accepts a compiled module, and requires one in Node. */
type Init = (module: WebAssembly.Module, options: { print(): void; printErr(): void }) => Promise<void>;
type DecodeBytes = (bytes: Uint8Array, options: { preserveOrientation: boolean }) => Promise<StraightImage>;

const noop = () => undefined;

const withDecoder = recreateOnTrap(
  async () => {
    // Suppress warnings: they would go to the terminal, and stdout may carry an image.
    const { default: decodeBytes, init } = await import('@jsquash/jpeg/decode.js');
    await withModule('jpeg-decoder', (module) => (init as unknown as Init)(module, { print: noop, printErr: noop }));
    return decodeBytes as unknown as DecodeBytes;
  },
  (cause) => cause instanceof Error && cause.message === 'Decoding error',
);

/**
 * Decodes a JPEG: baseline or progressive; grayscale, YCbCr, RGB,
 * CMYK or YCCK. A truncated file shows the rows that arrived and is transparent below, as in browsers. It fails only if
 * no row arrived, or if it is CMYK and not baseline.
 */
export const decodeJpeg: Decode<JpegHeader> = async (bytes, header, { toSrgb }) => {
  const { isComplete, end } = checkJpegScans(bytes);
  const hasMozjpeg = header.components.length < 4;
  const baseline = decodeBaseline(bytes, header, isYCbCr(header), isComplete);
  const terminated = isComplete || baseline ? bytes : terminate(bytes, end);
  let pixmap = baseline ?? (hasMozjpeg ? await decodeByMozjpeg(terminated, header) : undefined);
  if (!pixmap) {
    const { decodeByFallback } = await import('./fallback.js');
    pixmap = decodeByFallback(header.components.length < 4 ? terminated : bytes, header);
  }
  if (!isComplete && !baseline) {
    const bandRows = 8 * Math.max(...header.components.map((component) => component.vertical));
    if (clearMissingRows(pixmap, bandRows) === 0) throw malformed('jpeg', 'its image data is truncated');
  }
  toSrgb?.(pixmap);
  return orient(pixmap, header.orientation);
};

/** The complete segments of a truncated file plus an end marker: mozjpeg rejects a truncated segment. */
function terminate(bytes: Uint8Array, end: number): Uint8Array {
  const file = new Uint8Array(end + 2);
  file.set(bytes.subarray(0, end));
  file.set([0xff, 0xd9], end);
  return file;
}

/** Decodes with mozjpeg; undefined if it rejects the file. */
async function decodeByMozjpeg(bytes: Uint8Array, { width, height }: JpegHeader): Promise<Pixmap | undefined> {
  let image: StraightImage;
  try {
    image = await withDecoder((decode) => decode(bytes, { preserveOrientation: false }));
  } catch (cause) {
    if (isLibjpegExit(cause)) return undefined;
    throw malformed('jpeg', 'its image data is corrupt', cause);
  }
  if (image.width !== width || image.height !== height)
    throw malformed('jpeg', 'its image data does not match its header');
  return new Pixmap(width, height, image.data);
}

/** libjpeg exits with exit(1) on a file that it can't read, which arrives as an object that is not an Error. */
function isLibjpegExit(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'name' in cause && cause.name === 'ExitStatus';
}

/**
 * Quality from which on chroma is not subsampled, which is visible in text on colour; lower qualities use 4:2:0 like native
 * encoders.
 */
const MIN_444_QUALITY = 95;

/** Encodes at the given quality. Transparency is composited on white. */
export const encodeJpeg: Encode = async (pixmap, { quality, dpi, description }) => {
  const xmp = description ? (await import('../xmp.js')).xmpDescription(description) : undefined;
  return writeJpeg(pixmap, quality, quality < MIN_444_QUALITY ? '4:2:0' : '4:4:4', { dpi, xmp });
};

const MISSING = packWord(128, 128, 128, 255);

/**
 * Clears the rows that did not arrive, in bands of `bandRows` rows (the height of the file's MCUs): a band whose right
 * end is missing is cleared entirely. Returns the number of remaining rows.
 */
export function clearMissingRows({ width, height, words }: Pixmap, bandRows: number): number {
  const bands = Math.ceil(height / bandRows);
  let arrivedRows = bands * bandRows;
  while (arrivedRows > 0 && !isRightEndPresent(arrivedRows - bandRows)) arrivedRows -= bandRows;
  words.fill(0, arrivedRows * width);
  return Math.min(arrivedRows, height);

  /**
   * Whether the right end of the band at `top` arrived. Skips its first row: upsampling mixes chroma of the band above
   * into it.
   */
  function isRightEndPresent(top: number): boolean {
    const end = Math.min(height, top + bandRows);
    for (let y = Math.min(top + 1, end - 1); y < end; y++) if (words[(y + 1) * width - 1] !== MISSING) return true;
    return false;
  }
}

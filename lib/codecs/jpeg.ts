// JPEG in and out. In by kernels of our own (jpegread.ts), bit for bit what libjpeg-turbo gives; what those leave, by mozjpeg
// compiled to WebAssembly, in twice the time; what that refuses, by jpeg-js (jpegfallback.ts), in sixteen times as much.
// Out by jpegwrite.ts.
import decodeBytes, { init as initDecoder } from '@jsquash/jpeg/decode.js';
import { Pixmap } from '../raster/pixmap.js';
import { broken } from './broken.js';
import type { Decode, Encode } from './codec.js';
import { clearMissingRows } from './jpegcut.js';
import { decodeByFallback, isYcc } from './jpegfallback.js';
import { checkJpegScans, type JpegHeader, readJpegHeader } from './jpegheader.js';
import { readOrdinaryJpeg } from './jpegread.js';
import { writeJpeg } from './jpegwrite.js';
import { orient } from './orientation.js';
import { compileWasm, lazily, type StraightImage } from './wasm.js';

/** The declared parameters are Emscripten's options alone, but the package takes a compiled module, and needs one in Node. */
type Init = (module: WebAssembly.Module, options: { print(): void; printErr(): void }) => Promise<void>;
type DecodeBytes = (bytes: Uint8Array, options: { preserveOrientation: boolean }) => Promise<StraightImage>;

const silent = () => undefined;

const withDecoder = lazily(
  async () => {
    // Its warnings would go to the terminal, and standard output may be carrying a picture.
    const code = await compileWasm('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm');
    await (initDecoder as unknown as Init)(code, { print: silent, printErr: silent });
    return decodeBytes as unknown as DecodeBytes;
  },
  (cause) => cause instanceof Error && cause.message === 'Decoding error',
);

/**
 * Reads a JPEG whose header has been found to be within bounds: baseline or progressive, gray, YCbCr, RGB, CMYK, YCCK.
 * Of one that is cut short the rows that arrived are shown and the others are transparent, as in browsers; it fails only
 * when none arrived, or when it is CMYK and not of the ordinary form.
 */
export const decodeJpeg: Decode = async (bytes) => {
  const header = readJpegHeader(bytes);
  const { isWhole, end } = checkJpegScans(bytes);
  const ordinary = readOrdinaryJpeg(bytes, header, isYcc(header), isWhole);
  const pixmap =
    ordinary ?? (await decodeFirst(isWhole ? bytes : ended(bytes, end), header)) ?? decodeByFallback(bytes, header);
  if (!isWhole && !ordinary) {
    const bandRows = 8 * Math.max(...header.components.map((component) => component.vertical));
    if (clearMissingRows(pixmap, bandRows) === 0) throw broken('jpeg', 'its picture data is cut short');
  }
  return orient(pixmap, header.orientation);
};

/** What is there of a file that is cut short, with an end marker: a segment that is cut would be refused. */
function ended(bytes: Uint8Array, end: number): Uint8Array {
  const file = new Uint8Array(end + 2);
  file.set(bytes.subarray(0, end));
  file.set([0xff, 0xd9], end);
  return file;
}

/** By mozjpeg; undefined when it refuses. */
async function decodeFirst(bytes: Uint8Array, { width, height, components }: JpegHeader): Promise<Pixmap | undefined> {
  if (components.length === 4) return undefined;
  let image: StraightImage;
  try {
    image = await withDecoder((decode) => decode(bytes, { preserveOrientation: false }));
  } catch (cause) {
    if (isRefusal(cause)) return undefined;
    throw broken('jpeg', 'its picture data is damaged', cause);
  }
  if (image.width !== width || image.height !== height) throw broken('jpeg', 'its picture contradicts its header');
  return new Pixmap(width, height, image.data);
}

/** libjpeg leaves a file that it can't read by way of exit(1), which arrives as an object that is no Error. */
function isRefusal(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'name' in cause && cause.name === 'ExitStatus';
}

/** From this quality up every chroma sample is kept, which text on colour shows; below, as native encoders do, one of four. */
const WHOLE_CHROMA_QUALITY = 95;

/** Quality as given. Transparency becomes white. */
export const encodeJpeg: Encode = async (pixmap, { quality }) =>
  writeJpeg(pixmap, quality, quality < WHOLE_CHROMA_QUALITY ? '4:2:0' : '4:4:4');

// Decodes baseline and extended sequential JPEGs (see jpeg/baseline-layout.ts) to opaque pixels with the kernels:
// grayscale, YCbCr, CMYK and YCCK, as cameras and encoders write them. Bit-identical to libjpeg, and for CMYK to
// Chromium; anything unusual is left to the other decoders. Measured against mozjpeg: photographs of 1600 × 1067 take
// 0.41 to 0.58 of the time, the smoothest ones the least.
import { allocate, kernels, withFreshInstance } from '../../kernels/kernels.js';
import { Pixmap } from '../../raster/pixmap.js';
import { type BaselineLayout, baselineLayout, u16 } from './baseline-layout.js';
import type { JpegHeader } from './header.js';

/** Files larger than this get a fresh instance of the kernels: WebAssembly memory never shrinks. */
const LARGE_FILE = 1 << 23;

/**
 * Decodes the image as stored; undefined if the file is not baseline. `isYcc`: its colours, or the first three of four
 * components, are YCbCr. Of four components, which only the slowest decoder handles otherwise, a truncated file (not
 * `isComplete`) yields the rows that arrived, transparent below.
 */
export function decodeBaseline(
  bytes: Uint8Array,
  header: JpegHeader,
  isYcc: boolean,
  isComplete = true,
): Pixmap | undefined {
  const hasMozjpeg = header.components.length < 4;
  const isOther = (header.components.length === 3 && !isYcc) || (hasMozjpeg && !isComplete);
  const layout = isOther ? undefined : baselineLayout(bytes, header);
  if (!layout) return undefined;
  const decode = () => decodeLayout(bytes, header, layout, isYcc, isComplete, hasMozjpeg);
  return bytes.length > LARGE_FILE ? withFreshInstance(decode) : decode();
}

function decodeLayout(
  bytes: Uint8Array,
  { width, height, components }: JpegHeader,
  layout: BaselineLayout,
  isYcc: boolean,
  isComplete: boolean,
  hasMozjpeg: boolean,
): Pixmap | undefined {
  const { horizontal: lumaH, vertical: lumaV, isBlackFull, restartInterval, scan } = layout;
  const mcusPerRow = Math.ceil(width / (8 * lumaH));
  const stride = Math.ceil(width / 16) * 64;
  const { jpegDecodeMemory, jpegDecodeStart, jpegDecodeMcuRow, jpegDecodeEnd, memory } = kernels();
  const [file, selectors, quantTables, planes, out] = allocate([
    bytes.length + 16,
    16,
    4 * 128,
    jpegDecodeMemory(components.length, mcusPerRow, lumaH, lumaV),
    (8 * lumaV + 1) * stride,
  ]);
  const copy = new Uint8Array(memory.buffer, file, bytes.length + 16);
  copy.set(bytes);
  // an invalid marker: the decoder stops at it and does not find an end marker
  copy.set([0xff, 1, 0, 0, 0, 0, 0, 0], bytes.length);
  if (!setTables(bytes, layout, file, selectors, quantTables, components.length)) return undefined;
  const data = scan + u16(bytes, scan);
  jpegDecodeStart(
    file + data,
    components.length,
    lumaH,
    lumaV,
    isBlackFull,
    isYcc,
    width,
    height,
    restartInterval,
    selectors,
    quantTables,
    planes,
  );

  const pixmap = new Pixmap(width, height);
  for (let y = 0; y < height; ) {
    const rows = jpegDecodeMcuRow(out, stride);
    if (rows < 0) return isComplete || y === 0 ? undefined : pixmap;
    const pixels = new Uint32Array(memory.buffer, out, (rows * stride) / 4);
    for (let row = 0; row < rows; row++, y++) {
      pixmap.words.set(pixels.subarray((row * stride) / 4, (row * stride) / 4 + width), y * width);
    }
  }
  // a missing or misplaced end marker indicates corruption, with which mozjpeg does better, but jpeg-js does not
  return !hasMozjpeg || jpegDecodeEnd() ? pixmap : undefined;
}

/** Passes the tables of the scan's components to the kernels; false if they are invalid. */
function setTables(
  bytes: Uint8Array,
  { frame, quantTables, huffmanTables, scan }: BaselineLayout,
  file: number,
  selectorsAt: number,
  quantTablesAt: number,
  count: number,
): boolean {
  const { memory, jpegSetHuffmanTable } = kernels();
  const selectors = new Uint8Array(memory.buffer, selectorsAt, 16);
  const quantSteps = new Int16Array(memory.buffer, quantTablesAt, 4 * 64);
  for (let i = 0; i < count; i++) {
    const scanComponent = scan + 3 + 2 * i;
    const table = quantTables.get(bytes[frame + 8 + 3 * i]);
    if (table === undefined) return false;
    for (let k = 0; k < 64; k++) quantSteps[i * 64 + k] = bytes[table + k];
    const tableIndexes = [bytes[scanComponent + 1] >> 4, bytes[scanComponent + 1] & 15];
    for (const kind of [0, 1] as const) {
      const at = huffmanTables.get(16 * kind + tableIndexes[kind]);
      if (at === undefined || tableIndexes[kind] > 3) return false;
      if (!jpegSetHuffmanTable(kind === 1, tableIndexes[kind], file + at, file + at + 16)) return false;
      selectors[4 * i + kind] = tableIndexes[kind];
    }
  }
  return true;
}

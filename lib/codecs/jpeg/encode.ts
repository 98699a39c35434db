// Encodes premultiplied pixels, composited on white, as a baseline JPEG (JFIF, YCbCr, standard Huffman tables). Writes
// the header here and the scan in the kernels, one row of MCUs at a time. Integer arithmetic only: the same bytes on
// every machine.
import { latin1Bytes } from '../../bytes/bytes.js';
import { allocate, kernels } from '../../kernels/kernels.js';
import type { Pixmap } from '../../raster/pixmap.js';
import * as tables from './tables.js';

/** 4:2:0 halves chroma horizontally and vertically; 4:4:4 keeps it at full resolution. */
export type ChromaSampling = '4:2:0' | '4:4:4';

/** What a file says beside its pixels. */
interface JpegNotes {
  readonly dpi?: number | undefined;
  /** An XMP packet. */
  readonly xmp?: Uint8Array | undefined;
}

/** What the body of an APP1 segment with XMP begins with: XMP part 3, section 1.1.3. */
const XMP_NAME = 'http://ns.adobe.com/xap/1.0/\0';

/** Upper bound of a block's bytes: 64 codes of at most 26 bits, each byte followed by a zero. */
const BLOCK_BYTES = 512;

/**
 * Encodes `pixmap` at a `quality` of 1–100, rounded. Samples and coefficients keep five fraction bits: compared with an
 * encoder in doubles, the error is the same (within 0.03 dB, also at quality 100) at the same size (within 0.1 %, at
 * 100 within 1 %), in a third of the time for cards and 0.2 for photographs.
 */
export function writeJpeg(
  pixmap: Pixmap,
  quality: number,
  sampling: ChromaSampling,
  notes: JpegNotes = {},
): Uint8Array {
  const quantization = tables.quantizationTables(Math.min(100, Math.max(1, Math.round(quality))));
  const pieces = [
    header(pixmap.width, pixmap.height, quantization, sampling, notes),
    ...scan(pixmap, quantization, sampling),
    Uint8Array.of(0xff, 0xd9),
  ];
  const file = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    file.set(piece, end);
    end += piece.length;
  }
  return file;
}

function header(
  width: number,
  height: number,
  { luma, chroma }: tables.QuantizationTables,
  sampling: ChromaSampling,
  { dpi, xmp }: JpegNotes,
): Uint8Array {
  const segment = (marker: number, body: readonly number[]) => [
    ...[0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255],
    ...body,
  ];
  const zigzag = (steps: Uint8Array) => Array.from(tables.ZIGZAG, (place) => steps[place]);
  const huffman = (id: number, { counts, symbols }: tables.HuffmanTable) => [id, ...counts, ...symbols];
  // the unit (0 none, 1 inches), and the pixels in it, whole, across and down
  const perInch = Math.round(dpi ?? 1);
  const density = [dpi === undefined ? 0 : 1, perInch >> 8, perInch & 255, perInch >> 8, perInch & 255];
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return Uint8Array.from([
    ...[0xff, 0xd8],
    ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, ...density, 0, 0]),
    // at most 2,000 characters are far from the 65,533 bytes of a segment
    ...(xmp ? segment(0xe1, [...latin1Bytes(XMP_NAME), ...xmp]) : []),
    ...segment(0xdb, [0, ...zigzag(luma), 1, ...zigzag(chroma)]),
    ...segment(0xc0, [8, ...size, 3, 1, sampling === '4:2:0' ? 0x22 : 0x11, 0, 2, 0x11, 1, 3, 0x11, 1]),
    ...segment(0xc4, [
      ...huffman(0x00, tables.LUMA_DC),
      ...huffman(0x10, tables.LUMA_AC),
      ...huffman(0x01, tables.CHROMA_DC),
      ...huffman(0x11, tables.CHROMA_AC),
    ]),
    ...segment(0xda, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]),
  ]);
}

function scan(pixmap: Pixmap, { luma, chroma }: tables.QuantizationTables, sampling: ChromaSampling): Uint8Array[] {
  const { width, height } = pixmap;
  const isSubsampled = sampling === '4:2:0';
  const mcuSide = isSubsampled ? 16 : 8;
  const mcus = Math.ceil(width / mcuSide);
  const codingTables = [
    ...tables.codingTable(tables.LUMA_DC, tables.LUMA_AC, luma),
    ...tables.codingTable(tables.CHROMA_DC, tables.CHROMA_AC, chroma),
  ];
  const [pixels, codingTablesAt, out] = allocate([
    mcus * mcuSide * mcuSide * 4,
    codingTables.length * 2,
    mcus * (isSubsampled ? 6 : 3) * BLOCK_BYTES,
  ]);
  const { jpegEncodeStart, jpegEncodeMcuRow, memory } = kernels();
  new Uint16Array(memory.buffer, codingTablesAt, codingTables.length).set(codingTables);
  const band = new Uint32Array(memory.buffer, pixels, mcus * mcuSide * mcuSide);
  const pieces: Uint8Array[] = [];
  jpegEncodeStart();
  for (let top = 0; top < height; top += mcuSide) {
    const rows = Math.min(mcuSide, height - top);
    loadRows(pixmap, top, rows, band, mcus * mcuSide);
    const end = jpegEncodeMcuRow(pixels, width, rows, mcus, isSubsampled, codingTablesAt, out, top + mcuSide >= height);
    pieces.push(new Uint8Array(memory.buffer).slice(out, end));
  }
  return pieces;
}

/** Copies rows of the image into `band`, whose stride is `stride` pixels. */
function loadRows({ width, words }: Pixmap, top: number, rows: number, band: Uint32Array, stride: number): void {
  if (stride === width) {
    band.set(words.subarray(top * width, (top + rows) * width));
    return;
  }
  for (let row = 0; row < rows; row++) {
    const from = (top + row) * width;
    band.set(words.subarray(from, from + width), row * stride);
  }
}

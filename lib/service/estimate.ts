// How much memory a render will hold, before it runs: for admission. Headers are read, nothing is decoded.
import { readHeader } from '../codecs/header.js';
import type { CanvasRequest } from '../contract/request.js';

const BYTES_PER_PIXEL = 4;
/** The canvas itself, and as much again for scratch surfaces and the encoder. */
const CANVASES = 2;
/** A decoded picture and its halved copies. */
const COPIES = 4 / 3;

/** Bytes, roughly: the canvas twice, every file packed and unpacked. */
export function estimateBytes(
  { width, height }: Pick<CanvasRequest['canvas'], 'width' | 'height'>,
  files: Iterable<Uint8Array>,
  maxPixels: number,
): number {
  const canvas = width * height;
  let bytes = canvas * BYTES_PER_PIXEL * CANVASES;
  for (const file of files) {
    bytes += file.length + Math.min(maxPixels, pixelsOf(file, canvas)) * BYTES_PER_PIXEL * COPIES;
  }
  return bytes;
}

/** The picture's pixels by its header; none for a font or a broken file. An SVG is drawn at the size that is painted. */
function pixelsOf(bytes: Uint8Array, canvas: number): number {
  try {
    const { format, width, height } = readHeader(bytes);
    return format === 'svg' ? canvas : width * height;
  } catch {
    return 0;
  }
}

// How much memory a render will hold, before it runs: for admission. Headers are read, nothing is decoded.
import { readHeader } from '../codecs/header.js';
import type { CanvasRequest } from '../contract/request.js';
import type { FetchedAsset } from './job.js';

const BYTES_PER_PIXEL = 4;
/** The canvas itself, and as much again for scratch surfaces and the encoder. */
const CANVASES = 2;
/** A decoded picture and its halved copies. */
const COPIES = 4 / 3;

/** Bytes, roughly: the canvas twice, every asset packed and unpacked. */
export function estimateBytes(
  { width, height }: Pick<CanvasRequest['canvas'], 'width' | 'height'>,
  assets: ReadonlyMap<string, FetchedAsset>,
  maxPixels: number,
): number {
  let bytes = width * height * BYTES_PER_PIXEL * CANVASES;
  for (const asset of assets.values()) {
    if ('bytes' in asset) bytes += asset.bytes.length + pixelsOf(asset.bytes, maxPixels) * BYTES_PER_PIXEL * COPIES;
  }
  return bytes;
}

/** The picture's pixels by its header, as far as they may be; none for a font or a broken file. */
function pixelsOf(bytes: Uint8Array, maxPixels: number): number {
  try {
    const { width, height } = readHeader(bytes);
    return Math.min(maxPixels, width * height);
  } catch {
    return 0;
  }
}

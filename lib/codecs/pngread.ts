// PNG bytes → premultiplied pixels: every depth, palette, transparency, Adam7. Ours because the package at hand inflates
// interlaced files without a bound, believes a second header, and leans on zlib internals that newer Node releases drop.
import { inflateSync } from 'node:zlib';
import { Pixmap } from '../raster/pixmap.js';
import { premultiply } from './alpha.js';
import { broken, guarded } from './broken.js';
import type { Decode } from './codec.js';
import { CHANNELS, GRAY_ALPHA, type PngFile, RGBA, readPngFile } from './pngchunks.js';
import { unfilter } from './pngfilter.js';
import { rowExpander } from './pngrows.js';

/** A lattice of pixels that the file stores as a picture of its own. */
interface Pass {
  readonly x: number;
  readonly y: number;
  readonly stepX: number;
  readonly stepY: number;
}

const WHOLE: readonly Pass[] = [{ x: 0, y: 0, stepX: 1, stepY: 1 }];

/** PNG specification section 8.2. */
const ADAM7: readonly Pass[] = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
];

/** Reads a PNG whose header has been found to be within bounds. */
export const decodePng: Decode = async (bytes) =>
  guarded(
    'png',
    () => 'its data is damaged',
    () => readPixels(bytes),
  );

function readPixels(bytes: Uint8Array): Pixmap {
  const file = readPngFile(bytes);
  const { width, height } = file;
  const bits = file.depth * CHANNELS.get(file.colorType)!;
  const passes = (file.interlaced ? ADAM7 : WHOLE)
    .map((pass) => ({
      ...pass,
      columns: Math.ceil((width - pass.x) / pass.stepX),
      rows: Math.ceil((height - pass.y) / pass.stepY),
    }))
    .filter((pass) => pass.columns > 0 && pass.rows > 0)
    .map((pass) => ({ ...pass, rowBytes: Math.ceil((pass.columns * bits) / 8) }));
  const total = passes.reduce((sum, pass) => sum + (pass.rowBytes + 1) * pass.rows, 0);
  const raw = inflate(file, total);
  const pixmap = new Pixmap(width, height);
  const expand = rowExpander(file, pixmap);
  const step = Math.max(1, bits >> 3);

  let at = 0;
  for (const { x, y, stepX, stepY, columns, rows, rowBytes } of passes) {
    for (let row = 0; row < rows; row++, at += rowBytes + 1) {
      unfilter(raw, raw[at], at + 1, rowBytes, row === 0 ? -1 : at - rowBytes, step);
      expand(raw, at + 1, columns, (y + row * stepY) * width + x, stepX);
    }
  }
  if (file.transparency || file.colorType === RGBA || file.colorType === GRAY_ALPHA) premultiply(pixmap.data);
  return pixmap;
}

/** Exactly `total` bytes of rows. A little more in the file is let pass, as libpng does; a bomb is stopped. */
function inflate(file: PngFile, total: number): Uint8Array {
  const packed = file.data.length === 1 ? file.data[0] : Buffer.concat(file.data);
  const slack = 65536;
  let raw: Uint8Array;
  try {
    raw = inflateSync(packed, { maxOutputLength: total + slack, chunkSize: Math.min(total + 64, 4 << 20) });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'Z_BUF_ERROR') throw broken('png', 'its picture data is cut short', cause);
    if (code === 'ERR_BUFFER_TOO_LARGE') throw broken('png', 'it holds more data than its size says', cause);
    throw broken('png', 'its compressed data is damaged', cause);
  }
  if (raw.length < total) throw broken('png', 'its picture data is cut short');
  return raw;
}

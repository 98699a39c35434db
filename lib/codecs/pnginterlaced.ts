// An interlaced (Adam7) PNG → straight RGBA, by pngjs. It believes what a file says and inflates without a bound, so it
// gets a file made here: the checked header, palette and transparency, and the rows inflated already, stored as they are.
import { deflateSync } from 'node:zlib';
import { broken } from './broken.js';
import { type Chunk, headerBody, pngFile } from './pngbuild.js';
import { CHANNELS, GRAY, INDEXED, type PngFile, RGB } from './pngchunks.js';
import { inflateRows } from './pnginflate.js';

/** Where each pass begins and how far apart its pixels lie (PNG specification section 8.2). */
const PASSES: readonly (readonly [x: number, y: number, stepX: number, stepY: number])[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

/**
 * Straight RGBA in a buffer of its own; 16 bits are rounded to 8. Throws RenderError on damaged or missing rows. At its
 * peak it holds about 20 bytes a pixel, 40 of 16-bit RGBA (measured), where the plain reader holds 8.
 */
export async function readInterlaced(file: PngFile): Promise<Uint8ClampedArray> {
  const plain = plainFile(file);
  const { PNG } = await import('pngjs');
  let data: Buffer;
  try {
    data = PNG.sync.read(plain).data;
  } catch (cause) {
    throw broken('png', explain(cause instanceof Error ? cause.message : String(cause)), cause);
  }
  const whole = data.byteOffset === 0 && data.buffer.byteLength === data.length;
  return whole ? new Uint8ClampedArray(data.buffer as ArrayBuffer) : Uint8ClampedArray.from(data);
}

/** The file that the package gets. A function of its own, so that what it is made from is free before that is read. */
function plainFile(file: PngFile): Buffer {
  const rows = inflateRows(file, interlacedBytes(file));
  const stored = deflateSync(rows, { level: 0, chunkSize: rows.length + 1024 });
  return Buffer.from(pngFile([['IHDR', headerBody(file)], ...colorChunks(file), ['IDAT', stored]]).buffer);
}

/** Bytes of all passes' rows, a filter byte before each; passes without pixels have no rows. */
function interlacedBytes({ width, height, depth, colorType }: PngFile): number {
  const bits = depth * CHANNELS.get(colorType)!;
  let total = 0;
  for (const [x, y, stepX, stepY] of PASSES) {
    const columns = Math.max(0, Math.ceil((width - x) / stepX));
    const count = Math.max(0, Math.ceil((height - y) / stepY));
    if (columns > 0) total += count * (1 + Math.ceil((columns * bits) / 8));
  }
  return total;
}

/**
 * PLTE and tRNS, such that the package finds no fault and reads what pngrows.ts does: an index beyond the palette is
 * opaque black, transparency beyond it or of the wrong length counts for nothing.
 */
function colorChunks({ colorType, depth, palette, transparency }: PngFile): Chunk[] {
  if (colorType === INDEXED) {
    const colors = new Uint8Array(3 << depth);
    if (palette) colors.set(palette.subarray(0, colors.length));
    const alphas = transparency?.subarray(0, 1 << depth);
    return [['PLTE', colors], ...(alphas?.length ? [['tRNS', alphas] as const] : [])];
  }
  const samples = colorType === GRAY ? 1 : colorType === RGB ? 3 : 0;
  return samples > 0 && transparency && transparency.length >= samples * 2 ? [['tRNS', transparency]] : [];
}

/** The package's messages, in words. */
function explain(message: string): string {
  const filter = /filter type - (\d+)/.exec(message)?.[1];
  return filter === undefined ? 'its data is damaged' : `a row has the unknown filter ${filter}`;
}

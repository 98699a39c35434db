// Packed rows → zlib streams in pieces. A small picture in one go; a big one in bands of about 1 MiB, the next band packed
// while the last is deflated on zlib's own thread, so that the picture is never held whole a second time.
import { createDeflate, deflateSync } from 'node:zlib';
import type { Packer } from './pngpack.js';

const BAND_BYTES = 1 << 20;

/** Up to here one call takes less than the stream's round trips, and the rows are at most this much of a copy. */
const ONE_GO_BYTES = 4 << 20;

/** The zlib stream of `height` rows, in order. The same rows give the same bytes. */
export async function deflateRows(packer: Packer, height: number): Promise<Uint8Array[]> {
  const total = packer.rowBytes * height;
  if (total > ONE_GO_BYTES) return deflateBands(packer, height);
  const rows = new Uint8Array(total);
  packer.pack(0, height, rows);
  return [deflateSync(rows, { level: packer.level, memLevel: 9, chunkSize: 1 << 16 })];
}

async function deflateBands(packer: Packer, height: number): Promise<Uint8Array[]> {
  const bandRows = Math.max(1, Math.floor(BAND_BYTES / packer.rowBytes));
  let packing = new Uint8Array(bandRows * packer.rowBytes);
  let deflating = new Uint8Array(bandRows * packer.rowBytes);
  const pieces: Uint8Array[] = [];
  const stream = createDeflate({ level: packer.level, memLevel: 9, chunkSize: 1 << 18 });
  const ended = new Promise<void>((resolve, reject) => stream.on('end', resolve).on('error', reject));
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  let taken: Promise<void> = Promise.resolve();
  for (let y = 0; y < height; y += bandRows) {
    const band = packing.subarray(0, packer.pack(y, Math.min(height, y + bandRows), packing));
    await taken;
    taken = new Promise((resolve, reject) => stream.write(band, (error) => (error ? reject(error) : resolve())));
    [packing, deflating] = [deflating, packing];
  }
  await taken;
  stream.end();
  await ended;
  return pieces;
}

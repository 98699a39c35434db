// Compresses bytes with the deflate of the PNG encoder, whose result is the same on every engine.
import { concatBytes } from '../bytes/bytes.js';
import { allocate, kernels } from '../kernels/kernels.js';

/** Bytes that are deflated at a time. */
const BAND_BYTES = 1 << 18;
const WINDOW_BYTES = 1 << 15;
const SLACK_BYTES = 64;
/** Hash chain entries tried per match: documents are small, and their bytes count more than time. */
const DEPTH = 64;

/** A zlib stream of the bytes; `rowBytes` are those of a row of a picture. */
export function deflate(bytes: Uint8Array, rowBytes = 0): Uint8Array {
  const { deflateBound, deflateStart, deflateBytes, memory } = kernels();
  const band = Math.min(BAND_BYTES, Math.max(1, bytes.length));
  const [window, out] = allocate([WINDOW_BYTES + band + SLACK_BYTES, deflateBound(band)]);
  const from = window + WINDOW_BYTES;
  const pieces: Uint8Array[] = [];
  deflateStart(rowBytes);
  for (let start = 0; start === 0 || start < bytes.length; start += band) {
    const part = bytes.subarray(start, start + band);
    new Uint8Array(memory.buffer).set(part, from);
    const end = deflateBytes(from, part.length, out, DEPTH, start + band >= bytes.length);
    pieces.push(new Uint8Array(memory.buffer).slice(out, end));
  }
  return concatBytes(pieces);
}

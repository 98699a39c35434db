// Packs RGBA pixels into PNG scanlines: straight RGB or RGBA with a filter byte before each (PNG specification section
// 9). The filter of each row is the one with the minimum sum of absolute differences, as the specification advises.
// Twin of assembly/png/filter.ts.
import type { Kernels } from '../../interface.js';
import type { PlainMemory } from '../memory.js';

export const NONE = 0;
const SUB = 1;
export const UP = 2;
const AVERAGE = 3;
const PAETH = 4;

/** The sums leave out what exceeds a multiple of this many bytes. */
const BLOCK = 16;

export function filterKernel(memory: PlainMemory): Pick<Kernels, 'filterRows'> {
  return {
    /**
     * Packs `rows` rows of `width` premultiplied pixels at `pixels` into `out`, `channels` bytes per pixel. A row marked
     * in `repeats` (one byte per row) equals the previous row and isn't read. If `filtered`, each row gets its best
     * filter, and the row above the first is read from before `pixels` if `hasAbove`; otherwise rows use filter None.
     */
    filterRows(pixels, width, rows, channels, repeats, hasAbove, filtered, _lines, out) {
      const { bytes } = memory;
      const rowBytes = width * channels;
      // each line begins with zeros for the left neighbours of its first pixel
      let line = new Uint8Array(channels + rowBytes);
      let above = new Uint8Array(channels + rowBytes);
      if (filtered && hasAbove) packLine(bytes, pixels - width * 4, width, channels, above, channels);
      for (let y = 0; y < rows; y++, out += 1 + rowBytes) {
        const from = pixels + y * width * 4;
        if (bytes[repeats + y]) {
          bytes[out] = UP;
          bytes.fill(0, out + 1, out + 1 + rowBytes);
        } else if (filtered) {
          packLine(bytes, from, width, channels, line, channels);
          bytes[out] = bestFilter(line, above, channels);
          filterLine(line, above, channels, bytes[out], bytes, out + 1);
          [line, above] = [above, line];
        } else {
          bytes[out] = NONE;
          packLine(bytes, from, width, channels, bytes, out + 1);
        }
      }
    },
  };
}

/** Unpremultiplies a row of pixels. */
function packLine(
  bytes: Uint8Array,
  from: number,
  width: number,
  channels: number,
  to: Uint8Array,
  start: number,
): void {
  for (let i = from, end = from + width * 4, o = start; i < end; i += 4, o += channels) {
    const alpha = channels === 3 ? 255 : bytes[i + 3];
    if (alpha === 255) {
      to[o] = bytes[i];
      to[o + 1] = bytes[i + 1];
      to[o + 2] = bytes[i + 2];
    } else for (let c = 0; c < 3; c++) to[o + c] = straight(bytes[i + c], alpha);
    if (channels === 4) to[o + 3] = alpha;
  }
}

function straight(premultiplied: number, alpha: number): number {
  if (alpha === 0) return 0;
  return premultiplied >= alpha ? 255 : Math.floor((premultiplied * 255 + (alpha >> 1)) / alpha);
}

/** Section 9.4: the neighbour that is nearest to left + above - corner. */
function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** The absolute value of a difference modulo 256, as a signed byte. */
function magnitude(difference: number): number {
  return Math.abs((difference << 24) >> 24);
}

function bestFilter(line: Uint8Array, aboveLine: Uint8Array, channels: number): number {
  let sub = 0;
  let up = 0;
  let average = 0;
  let paethSum = 0;
  const length = line.length - channels;
  for (let i = channels, end = channels + length - (length % BLOCK); i < end; i++) {
    const here = line[i];
    const left = line[i - channels];
    const above = aboveLine[i];
    const corner = aboveLine[i - channels];
    // most of a card is flat
    if (here === left && here === above && here === corner) continue;
    sub += magnitude(here - left);
    up += magnitude(here - above);
    average += magnitude(here - ((left + above) >> 1));
    paethSum += magnitude(here - paeth(left, above, corner));
  }
  let filter = AVERAGE;
  let least = average;
  if (sub < least) {
    filter = SUB;
    least = sub;
  }
  if (up < least) {
    filter = UP;
    least = up;
  }
  return paethSum < least ? PAETH : filter;
}

function filterLine(
  line: Uint8Array,
  aboveLine: Uint8Array,
  channels: number,
  filter: number,
  out: Uint8Array,
  start: number,
): void {
  for (let i = channels, o = start; i < line.length; i++, o++) {
    const left = line[i - channels];
    const above = aboveLine[i];
    let prediction = left;
    if (filter === UP) prediction = above;
    else if (filter === AVERAGE) prediction = (left + above) >> 1;
    else if (filter === PAETH) prediction = paeth(left, above, aboveLine[i - channels]);
    out[o] = line[i] - prediction;
  }
}

// Packs RGBA pixels into PNG scanlines: straight RGB or RGBA with a filter byte before each (PNG specification section
// 9). The filter of each row is the one with the minimum sum of absolute differences, as the specification advises.
import { hsum } from '../simd';

const SUB = 1;
const UP = 2;
const AVERAGE = 3;
const PAETH = 4;

/** Unpremultiplied values, indexed by alpha << 8 | premultiplied. */
const straight = memory.data(65536, 16);
let isStraightBuilt = false;

function buildStraight(): void {
  if (isStraightBuilt) return;
  isStraightBuilt = true;
  for (let a = 1; a < 256; a++) {
    for (let p = 0; p < 256; p++) store<u8>(straight + ((a << 8) | p), p >= a ? 255 : <u8>((p * 255 + (a >> 1)) / a));
  }
}

/** Padding before a line, for the left neighbour of its first pixel, and after it. */
const MARGIN: usize = 16;

/**
 * Packs `rows` rows of `width` premultiplied pixels at `pixels` into `out`, `channels` bytes per pixel. A row marked in
 * `repeats` (one byte per row) equals the previous row and isn't read. If `filtered`, each row gets its best filter,
 * and the row above the first is read from before `pixels` if `hasAbove`; otherwise rows use filter None.
 * `lines`: scratch memory of two rows plus 64 bytes. Writes up to 16 bytes past the end.
 */
export function filterRows(
  pixels: usize,
  width: i32,
  rows: i32,
  channels: i32,
  repeats: usize,
  hasAbove: bool,
  filtered: bool,
  lines: usize,
  out: usize,
): void {
  if (channels == 4) buildStraight();
  const rowBytes = <usize>(width * channels);
  let line = lines + MARGIN;
  let above = lines + 2 * MARGIN + rowBytes + MARGIN;
  clearMargin(line);
  clearMargin(above);
  if (filtered) {
    if (hasAbove) packLine(pixels - (<usize>width << 2), width, channels, above);
    else memory.fill(above, 0, rowBytes);
    clearMargin(above + rowBytes + MARGIN);
  }
  for (let y = 0; y < rows; y++, out += rowBytes + 1) {
    if (load<u8>(repeats + y)) {
      store<u8>(out, UP);
      memory.fill(out + 1, 0, rowBytes);
      continue;
    }
    const from = pixels + <usize>(y * width) * 4;
    if (!filtered) {
      store<u8>(out, 0);
      packLine(from, width, channels, out + 1);
      continue;
    }
    packLine(from, width, channels, line);
    filterLine(line, above, rowBytes, channels, out);
    const finished = line;
    line = above;
    above = finished;
    clearMargin(line);
  }
}

@inline
function clearMargin(line: usize): void {
  v128.store(line - MARGIN, i32x4.splat(0));
}

/** Writes up to 4 bytes past the end of an RGB line. */
function packLine(from: usize, width: i32, channels: i32, to: usize): void {
  const end = from + (<usize>width << 2);
  if (channels == 4) {
    for (; from < end; from += 4, to += 4) {
      const word = load<u32>(from);
      const row = straight + ((word >> 24) << 8);
      store<u32>(
        to,
        <u32>load<u8>(row + (word & 255)) |
          (<u32>load<u8>(row + ((word >> 8) & 255)) << 8) |
          (<u32>load<u8>(row + ((word >> 16) & 255)) << 16) |
          (word & 0xff000000),
      );
    }
    return;
  }
  for (; from + 16 <= end; from += 16, to += 12) {
    const four = v128.load(from);
    v128.store(to, i8x16.shuffle(four, four, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 7, 11, 15));
  }
  for (; from < end; from += 4, to += 3) {
    const word = load<u32>(from);
    store<u16>(to, <u16>word);
    store<u8>(to, <u8>(word >> 16), 2);
  }
}

@inline
function floorAverage(a: v128, b: v128): v128 {
  return i8x16.sub(i8x16.avgr_u(a, b), v128.and(v128.xor(a, b), i8x16.splat(1)));
}

/** |a - b| of unsigned bytes. */
@inline
function distance(a: v128, b: v128): v128 {
  return v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
}

/**
 * The Paeth predictor on bytes: the distances of left + above - corner to the three are |above - corner|, |left -
 * corner| and |(above - corner) + (left - corner)|. The last one saturates only if both differences have the same sign,
 * when it can't be the minimum.
 */
@inline
function paeth(left: v128, above: v128, corner: v128): v128 {
  const toLeft = distance(above, corner);
  const toAbove = distance(left, corner);
  // differences of equal sign add up, of opposite signs cancel
  const sameSign = i8x16.eq(i8x16.ge_u(above, corner), i8x16.ge_u(left, corner));
  const toCorner = v128.bitselect(i8x16.add_sat_u(toLeft, toAbove), distance(toLeft, toAbove), sameSign);
  const least = i8x16.min_u(toLeft, i8x16.min_u(toAbove, toCorner));
  const aboveOrCorner = v128.bitselect(above, corner, i8x16.eq(toAbove, least));
  return v128.bitselect(left, aboveOrCorner, i8x16.eq(toLeft, least));
}

@inline
function addMagnitudes(sum: v128, difference: v128): v128 {
  const magnitude = i8x16.min_u(difference, i8x16.neg(difference));
  return i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(magnitude)));
}

/**
 * Chooses the filter; writes the filter byte and the filtered line to `out`. Bytes past the end of the lines don't
 * affect the result within them.
 */
function filterLine(line: usize, aboveLine: usize, length: usize, channels: i32, out: usize): void {
  const back = <usize>channels;
  let sub = i32x4.splat(0);
  let up = i32x4.splat(0);
  let average = i32x4.splat(0);
  let paethSum = i32x4.splat(0);
  for (let x: usize = 0; x + 16 <= length; x += 16) {
    const here = v128.load(line + x);
    const left = v128.load(line + x - back);
    const above = v128.load(aboveLine + x);
    const corner = v128.load(aboveLine + x - back);
    sub = addMagnitudes(sub, i8x16.sub(here, left));
    up = addMagnitudes(up, i8x16.sub(here, above));
    average = addMagnitudes(average, i8x16.sub(here, floorAverage(left, above)));
    paethSum = addMagnitudes(paethSum, i8x16.sub(here, paeth(left, above, corner)));
  }
  let filter = AVERAGE;
  let least = hsum(average);
  if (hsum(sub) < least) {
    filter = SUB;
    least = hsum(sub);
  }
  if (hsum(up) < least) {
    filter = UP;
    least = hsum(up);
  }
  if (hsum(paethSum) < least) filter = PAETH;
  store<u8>(out, <u8>filter);
  out++;
  for (let x: usize = 0; x < length; x += 16) {
    const here = v128.load(line + x);
    const left = v128.load(line + x - back);
    const above = v128.load(aboveLine + x);
    let prediction = left;
    if (filter == UP) prediction = above;
    else if (filter == AVERAGE) prediction = floorAverage(left, above);
    else if (filter == PAETH) prediction = paeth(left, above, v128.load(aboveLine + x - back));
    v128.store(out + x, i8x16.sub(here, prediction));
  }
}

// Rows of a picture → rows of it at another size: bilinear in 16ths of a pixel, cut off, premultiplied. A source row is
// stretched once, two pixels in one operation, and blended with its neighbour down the page, four at a time.

/** Channels of a stretched pixel are 16ths of a step, 0–4080: 2 bytes each. */
const STRETCHED_BYTES = 8;

/**
 * Fills `out` with `rows` rows of `width` pixels (a multiple of 4). `offsets`: for each pixel of a row the byte offset, in
 * the source row, of the left one of its two pixels (8 bytes are read there). `shares`: for each the share of the right one,
 * 0–16, four times, 2 bytes each. `places`: for each row its upper source row and the share, 0–16, of the one `next`
 * (0 or 1) below. `lines`: room for two stretched rows. `marks`: a byte a row, 1 where both its source rows are opaque.
 */
export function scaleRows(
  pixels: usize,
  stride: usize,
  offsets: usize,
  shares: usize,
  width: i32,
  places: usize,
  next: i32,
  rows: i32,
  lines: usize,
  marks: usize,
  out: usize,
): void {
  const lineBytes = <usize>width * STRETCHED_BYTES;
  // the even source row in one line, the odd one in the other
  let inEven = -1;
  let inOdd = -1;
  let evenOpaque = false;
  let oddOpaque = false;
  for (let y = 0; y < rows; y++, places += 8, out += <usize>width << 2) {
    const upper = load<i32>(places);
    const lower = upper + next;
    for (let row = upper; row <= lower; row++) {
      if (row == (row & 1 ? inOdd : inEven)) continue;
      const from = pixels + <usize>row * stride;
      if (row & 1) {
        inOdd = row;
        oddOpaque = isOpaque(from, stride);
        stretch(from, offsets, shares, width, lines + lineBytes);
      } else {
        inEven = row;
        evenOpaque = isOpaque(from, stride);
        stretch(from, offsets, shares, width, lines);
      }
    }
    store<u8>(marks + y, next ? evenOpaque && oddOpaque : upper & 1 ? oddOpaque : evenOpaque);
    const share = load<i32>(places, 4);
    const above = lines + (upper & 1 ? lineBytes : 0);
    const below = lines + (lower & 1 ? lineBytes : 0);
    if (share == 0) narrow(above, width, out);
    else blend(above, below, <i16>share, width, out);
  }
}

function stretch(from: usize, offsets: usize, shares: usize, width: i32, line: usize): void {
  const end = line + <usize>width * STRETCHED_BYTES;
  const none = i8x16.splat(0);
  for (; line < end; line += 16, shares += 16, offsets += 8) {
    const two = v128.load64_lane(from + load<u32>(offsets, 4), v128.load64_zero(from + load<u32>(offsets)), 1);
    const left = i8x16.shuffle(two, none, 0, 16, 1, 16, 2, 16, 3, 16, 8, 16, 9, 16, 10, 16, 11, 16);
    const right = i8x16.shuffle(two, none, 4, 16, 5, 16, 6, 16, 7, 16, 12, 16, 13, 16, 14, 16, 15, 16);
    v128.store(line, i16x8.add(i16x8.shl(left, 4), i16x8.mul(i16x8.sub(right, left), v128.load(shares))));
  }
}

/** Whether all pixels of a row are opaque. */
function isOpaque(from: usize, stride: usize): bool {
  const end = from + stride;
  let all = i32x4.splat(-1);
  for (; from + 16 <= end; from += 16) all = v128.and(all, v128.load(from));
  for (; from < end; from += 4) all = v128.and(all, v128.load32_splat(from));
  return i32x4.bitmask(i32x4.eq(i32x4.shr_u(all, 24), i32x4.splat(255))) == 15;
}

function narrow(line: usize, width: i32, out: usize): void {
  const end = out + (<usize>width << 2);
  for (; out < end; out += 16, line += 32) {
    v128.store(out, i8x16.narrow_i16x8_u(i16x8.shr_u(v128.load(line), 4), i16x8.shr_u(v128.load(line, 16), 4)));
  }
}

/** Sums are at most 255 × 256, which 16 bits hold; differences below nothing come right as they are added. */
function blend(above: usize, below: usize, share: i16, width: i32, out: usize): void {
  const end = out + (<usize>width << 2);
  const shares = i16x8.splat(share);
  for (; out < end; out += 16, above += 32, below += 32) {
    const first = mix(v128.load(above), v128.load(below), shares);
    const second = mix(v128.load(above, 16), v128.load(below, 16), shares);
    v128.store(out, i8x16.narrow_i16x8_u(first, second));
  }
}

@inline
function mix(upper: v128, lower: v128, shares: v128): v128 {
  return i16x8.shr_u(i16x8.add(i16x8.shl(upper, 4), i16x8.mul(i16x8.sub(lower, upper), shares)), 8);
}

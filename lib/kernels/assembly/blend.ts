// One colour over a row of pixels, source-over in gamma space, all premultiplied; four pixels in one operation.

/** Pixels that a call takes at most. */
const MOST = 4096;

/** Where the pixels lie that are to be blended: memory of their own, so that no layout of the rest is disturbed. */
const pixels = memory.data(MOST * 4, 16);

export function blendArea(): usize {
  return pixels;
}

/** The colour `opaque` (a pixel of it without its alpha) at `alpha` (0–255) over the first `count` pixels, in place. */
export function blendRow(count: i32, opaque: u32, alpha: i32): void {
  const color = i16x8.extend_low_i8x16_u(i32x4.splat(opaque));
  const source = i16x8.add(i16x8.mul(color, i16x8.splat(<i16>alpha)), i16x8.splat(128));
  const rest = i16x8.splat(<i16>(255 - alpha));
  const end = pixels + (<usize>count << 2);
  for (let at = pixels; at < end; at += 16) {
    const ground = v128.load(at);
    const low = divided(i16x8.add(source, i16x8.mul(i16x8.extend_low_i8x16_u(ground), rest)));
    const high = divided(i16x8.add(source, i16x8.mul(i16x8.extend_high_i8x16_u(ground), rest)));
    v128.store(at, i8x16.narrow_i16x8_u(low, high));
  }
}

/** By 255, rounded; the 128 of rounding is in the sum. */
@inline
function divided(sum: v128): v128 {
  return i16x8.shr_u(i16x8.add(sum, i16x8.shr_u(sum, 8)), 8);
}

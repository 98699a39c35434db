// Composites one colour over a row of pixels: source-over in gamma space, premultiplied, four pixels per operation.

/** Maximum pixels per call. */
const MAX_PIXELS = 4096;

/** The pixels to blend. Static memory, so that callers' allocations stay intact. */
const pixels = memory.data(MAX_PIXELS * 4, 16);

export function blendArea(): usize {
  return pixels;
}

/**
 * Composites the colour `opaque` (a pixel without its alpha) at `alpha` (0–255) over the first `count` pixels, in
 * place.
 */
export function blendRow(count: i32, opaque: u32, alpha: i32): void {
  const color = i16x8.extend_low_i8x16_u(i32x4.splat(opaque));
  const source = i16x8.add(i16x8.mul(color, i16x8.splat(<i16>alpha)), i16x8.splat(128));
  const inverseAlpha = i16x8.splat(<i16>(255 - alpha));
  const end = pixels + (<usize>count << 2);
  for (let at = pixels; at < end; at += 16) {
    const backdrop = v128.load(at);
    const low = div255(i16x8.add(source, i16x8.mul(i16x8.extend_low_i8x16_u(backdrop), inverseAlpha)));
    const high = div255(i16x8.add(source, i16x8.mul(i16x8.extend_high_i8x16_u(backdrop), inverseAlpha)));
    v128.store(at, i8x16.narrow_i16x8_u(low, high));
  }
}

/** Divides by 255, rounded; the rounding term 128 is already in the sum. */
@inline
function div255(sum: v128): v128 {
  return i16x8.shr_u(i16x8.add(sum, i16x8.shr_u(sum, 8)), 8);
}

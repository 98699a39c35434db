// Composites one colour over a row of pixels: source-over in gamma space, premultiplied, four pixels per operation.

/** Maximum pixels per call. */
const MAX_PIXELS = 4096;

/** The pixels to blend. Static memory, so that callers' allocations stay intact. */
const pixels = memory.data(MAX_PIXELS * 4, 16);

export function blendArea(): usize {
  return pixels;
}

/** The coverage of each pixel. */
const coverage = memory.data(MAX_PIXELS, 16);

export function blendCoverage(): usize {
  return coverage;
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

/** As `blendRow`, with the alpha of each pixel times its coverage. */
export function blendCoveredRow(count: i32, opaque: u32, alpha: i32): void {
  const color = i16x8.extend_low_i8x16_u(i32x4.splat(opaque));
  const alphas = i16x8.splat(<i16>alpha);
  const half = i16x8.splat(128);
  const whole = i16x8.splat(255);
  for (let i = 0; i < count; i += 4) {
    const at = pixels + (<usize>i << 2);
    const covers = v128.load32_zero(coverage + i);
    const weights = div255(i16x8.add(i16x8.mul(i16x8.extend_low_i8x16_u(covers), alphas), half));
    // lane by lane: the weight of the first two pixels, and of the other two
    const lowWeights = i16x8.shuffle(weights, weights, 0, 0, 0, 0, 1, 1, 1, 1);
    const highWeights = i16x8.shuffle(weights, weights, 2, 2, 2, 2, 3, 3, 3, 3);
    const backdrop = v128.load(at);
    const low = blendTwo(color, lowWeights, i16x8.extend_low_i8x16_u(backdrop), half, whole);
    const high = blendTwo(color, highWeights, i16x8.extend_high_i8x16_u(backdrop), half, whole);
    v128.store(at, i8x16.narrow_i16x8_u(low, high));
  }
}

@inline
function blendTwo(color: v128, weights: v128, backdrop: v128, half: v128, whole: v128): v128 {
  const source = i16x8.add(i16x8.mul(color, weights), half);
  return div255(i16x8.add(source, i16x8.mul(backdrop, i16x8.sub(whole, weights))));
}

/** Divides by 255, rounded; the rounding term 128 is already in the sum. */
@inline
function div255(sum: v128): v128 {
  return i16x8.shr_u(i16x8.add(sum, i16x8.shr_u(sum, 8)), 8);
}

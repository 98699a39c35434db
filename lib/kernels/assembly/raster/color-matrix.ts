// Applies colour matrices to premultiplied pixels, one after the other, in single precision: as Chromium does, nothing
// is rounded to 8 bits in between, but each result is clamped to 0–1.

/** Bytes of a matrix: the factors of red, green, blue and alpha, then the constants, each for the four results. */
const MATRIX_BYTES = 80;

/**
 * Replaces `count` pixels. `matrices`: `matrixCount` of them, each five vectors of four floats: what red, green, blue and
 * alpha add to the four channels of the result, and a constant.
 */
export function applyColorMatrices(pixels: usize, count: i32, matrices: usize, matrixCount: i32): void {
  const endOfMatrices = matrices + matrixCount * MATRIX_BYTES;
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const full = f32x4.splat(255);
  const half = f32x4.splat(0.5);
  let last: u32 = 0;
  let result: u32 = 0;
  let isFirst = true;
  for (const end = pixels + (<usize>count << 2); pixels < end; pixels += 4) {
    const word = load<u32>(pixels);
    if (word != last || isFirst) {
      isFirst = false;
      last = word;
      const bytes = i16x8.extend_low_i8x16_u(v128.load32_zero(pixels));
      const channels = f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(bytes));
      const alpha = f32x4.splat(f32x4.extract_lane(channels, 3));
      // a pixel without alpha is 0; dividing by at least 1 keeps it so
      let color = f32x4.div(channels, f32x4.max(alpha, one));
      color = f32x4.replace_lane(color, 3, f32x4.extract_lane(channels, 3) / 255);
      for (let at = matrices; at < endOfMatrices; at += MATRIX_BYTES) {
        let sum = f32x4.mul(f32x4.splat(f32x4.extract_lane(color, 0)), v128.load(at));
        sum = f32x4.add(sum, f32x4.mul(f32x4.splat(f32x4.extract_lane(color, 1)), v128.load(at, 16)));
        sum = f32x4.add(sum, f32x4.mul(f32x4.splat(f32x4.extract_lane(color, 2)), v128.load(at, 32)));
        sum = f32x4.add(sum, f32x4.mul(f32x4.splat(f32x4.extract_lane(color, 3)), v128.load(at, 48)));
        sum = f32x4.add(sum, v128.load(at, 64));
        color = f32x4.min(f32x4.max(sum, zero), one);
      }
      const factor = f32x4.replace_lane(f32x4.splat(f32x4.extract_lane(color, 3)), 3, 1);
      const scaled = f32x4.add(f32x4.mul(f32x4.mul(color, factor), full), half);
      const narrow = i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(scaled), i32x4.splat(0));
      result = i32x4.extract_lane(i8x16.narrow_i16x8_u(narrow, narrow), 0);
    }
    store<u32>(pixels, result);
  }
}

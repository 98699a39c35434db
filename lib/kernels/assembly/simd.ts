// SIMD helpers: a horizontal sum, and unpacking (interleaving) of 16-bit lanes.

/** Horizontal sum of the four 32-bit lanes. */
@inline
export function hsum(lanes: v128): u32 {
  return <u32>(
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}

/** Interleaves the lower 16-bit lanes of both vectors. */
@inline
export function unpackLo(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

/** Interleaves the upper 16-bit lanes of both vectors. */
@inline
export function unpackHi(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

// What SIMD lacks: sums across the lanes of one vector, lanes of two in turn.

/** The sum of four lanes. */
@inline
export function across(four: v128): u32 {
  return <u32>(
    i32x4.extract_lane(four, 0) +
    i32x4.extract_lane(four, 1) +
    i32x4.extract_lane(four, 2) +
    i32x4.extract_lane(four, 3)
  );
}

/** The lower lanes of both, in turn. */
@inline
export function lowPairs(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

/** The upper lanes of both, in turn. */
@inline
export function highPairs(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

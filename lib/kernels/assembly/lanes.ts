// What SIMD lacks across the lanes of one vector.

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

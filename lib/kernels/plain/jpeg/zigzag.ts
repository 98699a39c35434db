// The order in which a block's coefficients are coded (ITU T.81 figure A.6).

/** Zigzag index → row × 8 + column. */
export const ZIGZAG = zigzagOrder();

/** Diagonal by diagonal, even ones upwards, odd ones downwards. */
function zigzagOrder(): Uint8Array {
  const order: number[] = [];
  for (let diagonal = 0; diagonal < 15; diagonal++) {
    const places = [];
    for (let row = Math.max(0, diagonal - 7); row <= Math.min(7, diagonal); row++)
      places.push(row * 8 + diagonal - row);
    order.push(...(diagonal % 2 === 0 ? places.reverse() : places));
  }
  return Uint8Array.from(order);
}

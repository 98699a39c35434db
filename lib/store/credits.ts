// Adds credits without floating-point error. A cost may have six decimals (RENDER_CREDIT_COST), so every balance is an
// integer number of millionths.

const MILLIONTHS = 1e6;

/**
 * The largest balance that can be granted. Adjacent doubles above 2^32 are almost a millionth apart, so a charge of one
 * millionth would be rounded to two or none. Rounded down to a readable number.
 */
export const MAX_CREDITS = 4_000_000_000;
/** More than any balance (older versions granted up to 9,000,000,000). Larger costs are treated as this one. */
export const COST_CAP = 10_000_000_000;

/** `balance` + `amount`, which may be negative. Both are rounded to integer millionths, whose sum is exact. */
export function addCredits(balance: number, amount: number): number {
  return (Math.round(balance * MILLIONTHS) + Math.round(amount * MILLIONTHS)) / MILLIONTHS;
}

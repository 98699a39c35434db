// Sums of credits without the dust of binary fractions: a cost may have six decimals (RENDER_CREDIT_COST), so every
// balance is a whole number of millionths.

const MILLIONTHS = 1e6;

/**
 * The largest balance that can be granted: doubles beyond 2^32 lie so far apart that a millionth falls between them, and a
 * charge of one would take two or none. Rounded down to a number that reads well.
 */
export const MAX_CREDITS = 4_000_000_000;
/** More than any balance: what could be granted before was 9,000,000,000. A cost beyond it is as good as this one. */
export const COST_CAP = 10_000_000_000;

/** `balance` + `amount`, which may be negative, to the millionth; added as whole millionths, which are exact. */
export function addCredits(balance: number, amount: number): number {
  return (Math.round(balance * MILLIONTHS) + Math.round(amount * MILLIONTHS)) / MILLIONTHS;
}

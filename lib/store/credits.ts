// Sums of credits without the dust of binary fractions: a cost may have six decimals (RENDER_CREDIT_COST), so every
// balance is a whole number of millionths.

const MILLIONTHS = 1e6;

/** The largest balance whose millionths are exact in a double (2^53 / 10^6, rounded down to a number that reads well). */
export const MOST_CREDITS = 9_000_000_000;

/** `balance` + `amount`, which may be negative, to the millionth. */
export function addCredits(balance: number, amount: number): number {
  return Math.round((balance + amount) * MILLIONTHS) / MILLIONTHS;
}

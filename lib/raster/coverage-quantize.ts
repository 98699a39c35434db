// Exact coverage → the shades that edges are drawn in: fewer than there could be, so that pictures have few colours.

/**
 * Steps of coverage. More can't be seen (a step is 4/255, so no pixel is off by more than 2), and fewer colours come of it:
 * cards of shapes and text then have an exact palette. Measured at 1200 px width against 255 steps: PNGs of text a half to a
 * third in size, encoded in a quarter of the time; likeness to Chromium the same to four digits.
 */
export const STEPS = 64;

const tables = new Map<number, Uint8Array>();

/** Step of coverage → 0–255, for `steps` steps. */
export function alphasOf(steps: number): Uint8Array {
  const table =
    tables.get(steps) ?? Uint8Array.from({ length: steps + 1 }, (_, step) => Math.round((step * 255) / steps));
  tables.set(steps, table);
  return table;
}

/** Winding-weighted coverage → 0–255. Even-odd folds it: 0 → 0, 1 → 1, 2 → 0, and so on. */
export function toAlpha(sum: number, evenOdd: boolean, alphas: Uint8Array): number {
  let covered = sum < 0 ? -sum : sum;
  if (evenOdd) covered = Math.abs(covered - 2 * Math.floor(covered / 2 + 0.5));
  return covered >= 1 ? 255 : alphas[(covered * (alphas.length - 1) + 0.5) | 0];
}

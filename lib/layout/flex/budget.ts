// Bounds the work of layout: with ratios, percentages and wrapping columns, the distinct spaces that a box is laid out in
// may double with each level of nesting. Approximations would give other boxes than browsers, so such trees fail.

/** Layouts of a box that cost nothing: their sum grows with the payload, as that of painting does. */
export const FREE_LAYOUTS = 8;

/** Measured: a step takes up to 8 µs. 16 nested groups with ratios spend a tenth of it. */
export const MAX_LAYOUT_STEPS = 100_000;

/** Thrown for boxes that can't be laid out. */
export class LayoutError extends Error {}

/** The steps that the trees of one scene share. */
export class LayoutBudget {
  private steps = 0;

  get spent(): number {
    return this.steps;
  }

  get isExhausted(): boolean {
    return this.steps > MAX_LAYOUT_STEPS;
  }

  /** Throws LayoutError when they are too many. */
  spend(steps: number): void {
    this.steps += steps;
    if (this.isExhausted) {
      throw new LayoutError(
        `the layout takes more than ${MAX_LAYOUT_STEPS} steps, expected fewer nested groups with percentages, aspectRatio, wrapItems or large grids`,
      );
    }
  }
}

// Lengths that are partly a share of another length.

/** A CSS length-percentage: pixels plus per cent of what the property refers to. */
export interface LengthPercentage {
  readonly px: number;
  readonly percent: number;
}

/** The length in pixels when 100 % are `whole` pixels. */
export function resolveLength({ px, percent }: LengthPercentage, whole: number): number {
  return px + (percent * whole) / 100;
}

/** A point in a box, from its upper left corner. */
export interface Position {
  readonly x: LengthPercentage;
  readonly y: LengthPercentage;
}

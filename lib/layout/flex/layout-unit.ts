// Browsers lay out in 64ths of a pixel. Such numbers add and subtract without error, so layout keeps them as pixels.

const UNITS = 64;

/** Drops what is below a 64th of a pixel. */
export function truncate(pixels: number): number {
  return Math.trunc(pixels * UNITS) / UNITS;
}

export function roundToUnit(pixels: number): number {
  return Math.round(pixels * UNITS) / UNITS;
}

/** Widths of text: the room for it must not be narrower. */
export function ceilToUnit(pixels: number): number {
  return Math.ceil(pixels * UNITS - 1e-6) / UNITS;
}

/** A minimum wins over a maximum. */
export function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}

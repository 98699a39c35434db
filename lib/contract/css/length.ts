// Parses lengths and angles of CSS values.
import type { LengthPercentage } from '../../geometry/length.js';
import type { Scanner } from './scanner.js';

/** A length in px, a percentage, or 0 without a unit. */
export function readLength(scanner: Scanner): LengthPercentage | undefined {
  return scanner.attempt(() => {
    const found = scanner.dimension();
    if (!found) return undefined;
    const { value, unit } = found;
    if (unit === '%') return { px: 0, percent: value };
    return unit === 'px' || (unit === '' && value === 0) ? { px: value, percent: 0 } : undefined;
  });
}

const DEGREES: ReadonlyMap<string, number> = new Map([
  ['deg', 1],
  ['grad', 0.9],
  ['rad', 180 / Math.PI],
  ['turn', 360],
]);

/** An angle in degrees; 0 needs no unit. */
export function readAngle(scanner: Scanner): number | undefined {
  return scanner.attempt(() => {
    const found = scanner.dimension();
    if (!found) return undefined;
    const { value, unit } = found;
    if (unit === '' && value === 0) return 0;
    const factor = DEGREES.get(unit);
    return factor === undefined ? undefined : value * factor;
  });
}

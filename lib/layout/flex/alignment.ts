// Aligns items in the free space of a line (CSS Box Alignment 3).
import { truncate } from './layout-unit.js';
import type { Alignment, Justification, Margin } from './node.js';

/**
 * Returns the distance from the line's start edge to the item; stretched and baseline-aligned items are at the start. `free`
 * may be negative.
 */
export function alignmentOffset(align: Alignment, free: number): number {
  if (align === 'center') return truncate(free / 2);
  return align === 'end' ? free : 0;
}

/** Distributes `free` before the first of `count` items and between them; `exact` is the room between without rounding. */
export function justify(
  justification: Justification,
  free: number,
  count: number,
): { readonly start: number; readonly between: number; readonly exact: number } {
  const spread = Math.max(0, free);
  const share = (start: number, exact: number) => ({ start: truncate(start), between: truncate(exact), exact });
  switch (justification) {
    case 'start':
      return share(0, 0);
    case 'center':
      return share(free / 2, 0);
    case 'end':
      return share(free, 0);
    case 'space-between':
      return share(0, count > 1 ? spread / (count - 1) : 0);
    case 'space-around':
      return share(spread / count / 2, spread / count);
    case 'space-evenly':
      return share(spread / (count + 1), spread / (count + 1));
  }
}

/** Shares `free` between the margins of a box that are auto; undefined if none is. No auto margin is negative. */
export function autoMargins(before: Margin, after: Margin, free: number): number | undefined {
  if (before !== 'auto') return after === 'auto' ? 0 : undefined;
  const room = Math.max(0, free);
  return after === 'auto' ? truncate(room / 2) : room;
}

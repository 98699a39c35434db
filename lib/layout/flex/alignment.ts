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

/** Distributes `free` before the first of `count` items and between them. */
export function justify(
  justification: Justification,
  free: number,
  count: number,
): { readonly start: number; readonly between: number } {
  const spread = Math.max(0, free);
  switch (justification) {
    case 'start':
      return { start: 0, between: 0 };
    case 'center':
      return { start: truncate(free / 2), between: 0 };
    case 'end':
      return { start: free, between: 0 };
    case 'space-between':
      return { start: 0, between: count > 1 ? truncate(spread / (count - 1)) : 0 };
    case 'space-around':
      return { start: truncate(spread / count / 2), between: truncate(spread / count) };
    case 'space-evenly':
      return { start: truncate(spread / (count + 1)), between: truncate(spread / (count + 1)) };
  }
}

/** Shares `free` between the margins of a box that are auto; undefined if none is. No auto margin is negative. */
export function autoMargins(before: Margin, after: Margin, free: number): number | undefined {
  if (before !== 'auto') return after === 'auto' ? 0 : undefined;
  const room = Math.max(0, free);
  return after === 'auto' ? truncate(room / 2) : room;
}

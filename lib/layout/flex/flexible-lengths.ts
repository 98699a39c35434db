// Resolving flexible lengths (CSS Flexbox 1 section 9.7): the main sizes of the items of one line.
import { clamp, roundToUnit, truncate } from './layout-unit.js';

export interface FlexibleItem {
  readonly baseSize: number;
  readonly minMain: number;
  readonly maxMain: number;
  readonly grow: number;
  readonly shrink: number;
  /** The base size without padding, to which shrinking is proportional. */
  readonly innerBaseSize: number;
}

/** The main sizes of the items, for which there is the room `available`, margins and gaps taken off. */
export function resolveFlexibleLengths(items: readonly FlexibleItem[], available: number): number[] {
  const hypothetical = items.map(({ baseSize, minMain, maxMain }) => clamp(baseSize, minMain, maxMain));
  const isGrowing = sumOf(hypothetical) < available;
  const factor = ({ grow, shrink }: FlexibleItem) => (isGrowing ? grow : shrink);
  const sizes = items.map(({ baseSize }) => baseSize);
  const frozen = items.map((item, i) => {
    const isInflexible =
      factor(item) === 0 || (isGrowing ? item.baseSize > hypothetical[i] : item.baseSize < hypothetical[i]);
    if (isInflexible) sizes[i] = hypothetical[i];
    return isInflexible;
  });
  // unfrozen items count with their base sizes
  const freeSpace = () =>
    available - items.reduce((sum, { baseSize }, i) => sum + (frozen[i] ? sizes[i] : baseSize), 0);
  const initialFree = freeSpace();
  while (frozen.includes(false)) {
    const flexible = [...items.keys()].filter((i) => !frozen[i]);
    let free = freeSpace();
    const factors = flexible.reduce((sum, i) => sum + factor(items[i]), 0);
    if (factors < 1 && Math.abs(initialFree * factors) < Math.abs(free)) free = truncate(initialFree * factors);
    const weight = (item: FlexibleItem) => (isGrowing ? item.grow : item.shrink * item.innerBaseSize);
    const weights = flexible.reduce((sum, i) => sum + weight(items[i]), 0);
    let violation = 0;
    const wanted = flexible.map((i) => {
      const { baseSize, minMain, maxMain } = items[i];
      const share = weights > 0 && Number.isFinite(weights) ? (free * weight(items[i])) / weights : 0;
      const target = baseSize + roundToUnit(share);
      const size = clamp(target, minMain, maxMain);
      violation += size - target;
      sizes[i] = size;
      return target;
    });
    flexible.forEach((i, k) => {
      const by = sizes[i] - wanted[k];
      if (violation === 0 || (violation > 0 ? by > 0 : by < 0)) frozen[i] = true;
    });
  }
  return sizes;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

// The sizes that a box's fields ask for, in pixels: percentages resolve against the group's content box where it is definite.
import { clamp, truncate } from './layout-unit.js';
import type { FlexExtent, FlexNode, Length, Margins, Sides } from './node.js';

const NONE: Sides = [0, 0, 0, 0];

/** Sizes of the border box. Undefined: auto. */
export interface Sizing {
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly minWidth: number | undefined;
  readonly minHeight: number | undefined;
  /** Infinite where there is none. */
  readonly maxWidth: number;
  readonly maxHeight: number;
}

/**
 * Resolves the sizes of a node. `width` and `height` are those of the group's content box; undefined if they are indefinite.
 */
export function resolveSizing(node: FlexNode, width: number | undefined, height: number | undefined): Sizing {
  const [x, y] = paddingSums(node);
  return {
    width: atLeast(x, resolve(node.width, width)),
    height: atLeast(y, resolve(node.height, height)),
    minWidth: atLeast(x, resolveMinimum(node.minWidth, width)),
    minHeight: atLeast(y, resolveMinimum(node.minHeight, height)),
    maxWidth: atLeast(x, resolve(node.maxWidth, width)) ?? Infinity,
    maxHeight: atLeast(y, resolve(node.maxHeight, height)) ?? Infinity,
  };
}

/** No border box is smaller than its padding. */
function atLeast(padding: number, value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.max(padding, value);
}

export function resolve(length: FlexExtent | Length | undefined, basis: number | undefined): number | undefined {
  if (length === undefined || typeof length === 'string') return undefined;
  if (typeof length === 'number') return truncate(length);
  return basis === undefined ? undefined : truncate((basis * length.percent) / 100 + (length.pixels ?? 0));
}

/** Percentages of an indefinite size are 0, other than the automatic minimum. */
function resolveMinimum(length: Length | undefined, basis: number | undefined): number | undefined {
  return length === undefined ? undefined : (resolve(length, basis) ?? 0);
}

/** Left and right together, and top and bottom. */
export function paddingSums({ padding = NONE }: FlexNode): [x: number, y: number] {
  return [truncate(padding[1]) + truncate(padding[3]), truncate(padding[0]) + truncate(padding[2])];
}

/** Left and right together, and top and bottom. */
export function marginSums({ margin }: FlexNode): [x: number, y: number] {
  if (!margin) return [0, 0];
  const [top, right, bottom, left] = fixedMargins(margin);
  return [right + left, top + bottom];
}

/** The margins before free space is shared: those that are auto are 0. */
export function fixedMargins(margin: Margins = NONE): Sides {
  const [top, right, bottom, left] = margin.map((side) => (side === 'auto' ? 0 : truncate(side)));
  return [top, right, bottom, left];
}

export function clampWidth(width: number, { minWidth = 0, maxWidth }: Sizing): number {
  return clamp(width, minWidth, maxWidth);
}

export function clampHeight(height: number, { minHeight = 0, maxHeight }: Sizing): number {
  return clamp(height, minHeight, maxHeight);
}

/** Width divided by height, of boxes whose one side follows from the other. */
export function ratioOf({ aspectRatio, content }: FlexNode): number | undefined {
  if (aspectRatio !== undefined) return aspectRatio;
  if (content.kind !== 'replaced') return undefined;
  return content.width > 0 && content.height > 0 ? content.width / content.height : undefined;
}

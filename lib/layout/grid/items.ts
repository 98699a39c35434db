// The items of a grid: what they add to its columns and rows, and their boxes in their areas.
import { type BoxLayout, exactSpace, type FlexBox, openSpace } from '../flex/box.js';
import { contribution } from '../flex/children.js';
import type { Alignment, FlexExtent, Grid, Margin } from '../flex/node.js';
import {
  clampHeight,
  clampWidth,
  fixedMargins,
  marginSums,
  paddingSums,
  resolveSizing,
  type Sizing,
} from '../flex/sizing.js';
import type { GridArea } from './placement.js';

export interface GridItem {
  readonly box: FlexBox;
  readonly area: GridArea;
  readonly justify: Alignment;
  readonly align: Alignment;
  /** Whether the width is that of the area. */
  readonly isWide: boolean;
  /** Whether the height is that of the area. */
  readonly isHigh: boolean;
}

export function gridItem(box: FlexBox, { justifyItems, alignItems }: Grid, area: GridArea): GridItem {
  const { width, height, justifySelf = justifyItems, alignSelf = alignItems, margin = [0, 0, 0, 0] } = box.node;
  const [top, right, bottom, left] = margin;
  const justify = width === 'fill' ? 'stretch' : justifySelf;
  const align = height === 'fill' ? 'stretch' : alignSelf;
  const isWide = isStretched(width, justify, [left, right]);
  return { box, area, justify, align, isWide, isHigh: isStretched(height, align, [top, bottom]) };
}

function isStretched(extent: FlexExtent, alignment: Alignment, margins: readonly Margin[]): boolean {
  return (extent === 'auto' || extent === 'fill') && alignment === 'stretch' && !margins.includes('auto');
}

/** Sizes with margins. */
export interface OuterSizes {
  readonly min: number;
  readonly max: number;
  /** The smallest size that the item may have. `isAutomatic`: whether its content has a say in that; `most`: how much at most. */
  minimum(isAutomatic: boolean, most: number, shim: number): number;
}

/** The widths that an item adds to its columns. `height`: that of its area, where it is known. */
export function outerWidths({ box, isHigh }: GridItem, height: number | undefined): OuterSizes {
  const { node } = box;
  const { min, max } = contribution(box, undefined, height, isHigh);
  const [margin] = marginSums(node);
  const [padding] = paddingSums(node);
  const sizing = resolveSizing(node, undefined, height);
  const minimum = (isAutomatic: boolean, most: number) => {
    if (typeof node.width === 'number') return min;
    const automatic = isAutomatic ? Math.min(min, Math.max(most, padding + margin)) - margin : padding;
    return clampWidth(sizing.minWidth ?? automatic, sizing) + margin;
  };
  return { min, max, minimum };
}

/** The heights that an item adds to its rows, in an area of this width. `height`: that of its area, where it is known. */
export function outerHeights(item: GridItem, width: number, height: number | undefined): OuterSizes {
  const { node } = item.box;
  const [, margin] = marginSums(node);
  const [, padding] = paddingSums(node);
  const { layout, sizing } = measureItem(item, width, height);
  const size = layout.height + margin;
  const minimum = (isAutomatic: boolean, most: number, shim: number) => {
    if (sizing.height !== undefined) return size + shim;
    if (sizing.minHeight !== undefined) return clampHeight(sizing.minHeight, sizing) + margin;
    const automatic = isAutomatic ? Math.min(size, Math.max(most, padding + margin)) - margin : padding;
    return clampHeight(automatic, sizing) + margin + shim;
  };
  return { min: size, max: size, minimum };
}

/** Lays out an item before the height of its area is known. */
export function measureItem(
  item: GridItem,
  width: number,
  height: number | undefined,
): { readonly layout: BoxLayout; readonly sizing: Sizing } {
  const { box } = item;
  const sizing = resolveSizing(box.node, width, height);
  const used = itemWidth(item, sizing, width, height);
  const space =
    sizing.height === undefined
      ? openSpace(used, sizing.minHeight, sizing.maxHeight)
      : exactSpace(used, clampHeight(sizing.height, sizing));
  return { layout: box.layOut(space), sizing };
}

/** Lays out an item in its area. */
export function layOutItem(item: GridItem, width: number, height: number): BoxLayout {
  const { box, isHigh } = item;
  if (!isHigh) return measureItem(item, width, height).layout;
  const sizing = resolveSizing(box.node, width, height);
  return box.layOut(exactSpace(itemWidth(item, sizing, width, height), highIn(item, sizing, height)));
}

/** The height of an item that is as high as its area. */
function highIn({ box }: GridItem, sizing: Sizing, height: number): number {
  const [, margin] = marginSums(box.node);
  const [, padding] = paddingSums(box.node);
  return clampHeight(Math.max(padding, height - margin), sizing);
}

function itemWidth(item: GridItem, sizing: Sizing, width: number, height: number | undefined): number {
  const { box, isWide, isHigh } = item;
  const [margin] = marginSums(box.node);
  const [padding] = paddingSums(box.node);
  if (sizing.width !== undefined) return clampWidth(sizing.width, sizing);
  if (isWide) return clampWidth(Math.max(padding, width - margin), sizing);
  const own = sizing.height === undefined ? undefined : clampHeight(sizing.height, sizing);
  const definite = own ?? (isHigh && height !== undefined ? highIn(item, sizing, height) : undefined);
  return clampWidth(box.fitContentWidth(width - margin, definite, sizing), sizing);
}

/** Whether the item's baseline lies on that of its row. */
export function isOnBaseline({ align, box: { node } }: GridItem): boolean {
  return align === 'baseline' && node.margin?.[0] !== 'auto' && node.margin?.[2] !== 'auto';
}

/** The distance from the item's outer edge to its baseline; without one it is the lower edge. */
export function ascentOf({ box }: GridItem, { baseline, height }: BoxLayout): number {
  return fixedMargins(box.node.margin)[0] + (baseline ?? height);
}

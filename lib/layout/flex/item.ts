// The sizes of one flex item: base size, automatic minimum and hypothetical cross size (CSS Flexbox 1 sections 4.5, 9.2, 9.4).
import { type FlexBox, openSpace } from './box.js';
import type { FlexibleItem } from './flexible-lengths.js';
import { clamp, truncate } from './layout-unit.js';
import type { Alignment, Container, FlexExtent, FlexNode } from './node.js';
import { clampHeight, clampWidth, marginSums, paddingSums, resolveSizing, type Sizing } from './sizing.js';

/** The content box of a container, and how it lays out. */
export interface Flow {
  readonly container: Container;
  readonly isRow: boolean;
  readonly width: number;
  /** Height; undefined means that of the items. */
  readonly height: number | undefined;
  /** Height that percentages refer to; undefined if they are auto. */
  readonly percentageHeight: number | undefined;
}

export interface FlexItem extends FlexibleItem {
  readonly box: FlexBox;
  readonly sizing: Sizing;
  readonly align: Alignment;
  /** Whether the cross size is that of the line. */
  readonly isStretched: boolean;
  /** The cross size where it does not follow from the content. */
  readonly definiteCross: number | undefined;
  /** Both margins. */
  readonly mainMargin: number;
  readonly crossMargin: number;
}

export function flexItem(box: FlexBox, flow: Flow): FlexItem {
  const { node } = box;
  const { container, isRow } = flow;
  const sizing = resolveSizing(node, flow.width, flow.percentageHeight);
  const [mainMargin, crossMargin] = inAxes(isRow, marginSums(node));
  const [mainPadding, crossPadding] = inAxes(isRow, paddingSums(node));
  const [mainExtent, crossExtent] = inAxes(isRow, [node.width, node.height]);
  const isFill = mainExtent === 'fill';
  const align = alignmentIn(container, node, crossExtent);
  const isStretched = isStretchedIn(container, node, crossExtent);
  const room = isRow ? flow.percentageHeight : flow.width;
  const [mainSize, crossSize] = inAxes(isRow, [sizing.width, sizing.height]);
  const stretched =
    isStretched && !container.wrap && room !== undefined ? Math.max(crossPadding, room - crossMargin) : undefined;
  const cross = crossSize ?? stretched;
  const definiteCross = cross === undefined ? undefined : clampCross(isRow, cross, sizing);
  const content = isRow ? rowContent(box, sizing, definiteCross) : columnContent(box, sizing, definiteCross, flow);
  const baseSize = isFill ? mainPadding : (mainSize ?? content.size);
  const maxMain = isRow ? sizing.maxWidth : sizing.maxHeight;
  const automaticMinimum = Math.min(maxMain, content.min, mainSize ?? Infinity);
  const minMain = (isRow ? sizing.minWidth : sizing.minHeight) ?? automaticMinimum;
  return {
    box,
    sizing,
    align,
    isStretched,
    definiteCross,
    mainMargin,
    crossMargin,
    baseSize,
    innerBaseSize: Math.max(0, baseSize - mainPadding),
    minMain: Math.max(mainPadding, minMain),
    maxMain,
    grow: node.grow ?? (isFill ? 1 : 0),
    shrink: node.shrink ?? (typeof mainExtent === 'number' ? 0 : 1),
  };
}

/** An item with a cross margin that is auto is not aligned: the margin takes the free space. */
function alignmentIn(container: Container, { alignSelf, margin }: FlexNode, crossExtent: FlexExtent): Alignment {
  const [top, right, bottom, left] = margin ?? [];
  const cross = container.direction === 'row' ? [top, bottom] : [left, right];
  if (cross.includes('auto')) return 'start';
  return crossExtent === 'fill' ? 'stretch' : (alignSelf ?? container.alignItems);
}

/** Whether the cross size is that of the line. */
export function isStretchedIn(container: Container, node: FlexNode, crossExtent: FlexExtent): boolean {
  const isAuto = crossExtent === 'auto' || crossExtent === 'fill';
  return isAuto && alignmentIn(container, node, crossExtent) === 'stretch';
}

/** The pair [x, y] as [main, cross]. */
function inAxes<Value>(isRow: boolean, [x, y]: readonly [Value, Value]): [main: Value, cross: Value] {
  return isRow ? [x, y] : [y, x];
}

export function clampCross(isRow: boolean, size: number, sizing: Sizing): number {
  return isRow ? clampHeight(size, sizing) : clampWidth(size, sizing);
}

/** Main sizes by content: the base size where the main size is auto, and the least that an item shrinks to. */
interface ContentSizes {
  readonly size: number;
  readonly min: number;
}

function rowContent(box: FlexBox, sizing: Sizing, height: number | undefined): ContentSizes {
  const { min, max } = box.intrinsicWidths(height, sizing);
  return { size: max, min };
}

function columnContent(box: FlexBox, sizing: Sizing, width: number | undefined, flow: Flow): ContentSizes {
  const { ratio } = box;
  const used = width ?? columnWidth(box, sizing, sizing.height, flow.width);
  const content = box.contentHeight(used, Math.min(sizing.maxHeight, sizing.height ?? Infinity));
  if (ratio === undefined) return { size: content, min: content };
  const transferred = truncate(used / ratio);
  if (box.isReplaced && width !== undefined) return { size: transferred, min: transferred };
  const { minWidth = 0, maxWidth } = sizing;
  // boxes with a ratio grow with their content
  const isContentOnly = box.isReplaced || (width === undefined && sizing.height !== undefined);
  const min = isContentOnly ? content : Math.max(box.growsWithContent ? content : 0, transferred);
  return { size: transferred, min: clamp(min, truncate(minWidth / ratio), truncate(maxWidth / ratio)) };
}

/** The width of a column's item that neither its fields nor stretching decide. */
function columnWidth(box: FlexBox, sizing: Sizing, height: number | undefined, available: number): number {
  const [margin] = marginSums(box.node);
  return clampWidth(box.fitContentWidth(available - margin, height, sizing), sizing);
}

/** The cross size before stretching, when the main size is known. `available`: where the content of a column's items wraps. */
export function hypotheticalCrossSize(
  { box, sizing, definiteCross }: FlexItem,
  main: number,
  flow: Flow,
  available: number,
): number {
  if (definiteCross !== undefined) return definiteCross;
  if (!flow.isRow) {
    const isDefinite = box.ratio !== undefined || isMainDefinite(box, sizing, flow);
    return columnWidth(box, sizing, isDefinite ? main : undefined, available);
  }
  return box.layOut(openSpace(main, sizing.minHeight, sizing.maxHeight)).height;
}

/** Whether percentages in a column's item resolve against its height (CSS Flexbox 1 section 9.8). */
export function isMainDefinite({ node }: FlexBox, { height }: Sizing, { percentageHeight }: Flow): boolean {
  return percentageHeight !== undefined || height !== undefined || node.height === 'fill';
}

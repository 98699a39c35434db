// Layout of a block container: CSS 2.2 sections 9.4.1, 8.3.1 and 10.3.3, boxes one below the other with collapsing margins.
import { placeAbsolute } from './absolute.js';
import { alignmentOffset, autoMargins } from './alignment.js';
import {
  type BoxLayout,
  type BoxPlacement,
  type BoxSpace,
  exactSpace,
  type FlexBox,
  openSpace,
  type Widths,
} from './box.js';
import { contribution, inFlow, movedBy, startPadding } from './children.js';
import { clamp, truncate } from './layout-unit.js';
import { EMPTY_STRUT, type FlowMargins, joinStruts, type Strut, strutOf, strutSize } from './margin-strut.js';
import type { BlockContainer } from './node.js';
import {
  clampHeight,
  clampWidth,
  fixedMargins,
  marginSums,
  paddingSums,
  resolveSizing,
  type Sizing,
} from './sizing.js';

/** Returns the content widths of a block: those of its widest child. */
export function blockWidths(box: FlexBox, height: number | undefined): Widths {
  const [padding, paddingY] = paddingSums(box.node);
  const inner = height === undefined ? undefined : Math.max(0, height - paddingY);
  const widths = inFlow(box).map((child) => contribution(child, undefined, inner, false));
  const most = (pick: (each: Widths) => number) => widths.reduce((all, each) => Math.max(all, pick(each)), 0);
  return { min: padding + most(({ min }) => min), max: padding + most(({ max }) => max) };
}

/** A child laid out in the width of its container. */
interface Placed {
  readonly layout: BoxLayout;
  readonly x: number;
  /** The margins above and below it, with those of its children that join them. */
  readonly margins: FlowMargins;
}

export function layOutBlock(box: FlexBox, block: BlockContainer, space: BoxSpace): BoxLayout {
  const [paddingX, paddingY] = paddingSums(box.node);
  const [left, top] = startPadding(box);
  const [, , bottom = 0] = box.node.padding ?? [];
  const width = Math.max(0, space.width - paddingX);
  const inner = space.height === undefined ? undefined : Math.max(0, space.height - paddingY);
  const percentageHeight = space.isDefinite ? inner : undefined;
  const places = new Map<FlexBox, BoxPlacement>();
  /** The tops of absolute children that have no inset. */
  const staticTops = new Map<FlexBox, number>();
  let y = 0;
  let strut: Strut = EMPTY_STRUT;
  let baseline: number | undefined;
  // margins join the container's own until something parts them
  let isAtTop = !block.isRoot && top === 0;
  let leading: Strut = EMPTY_STRUT;
  const items = inFlow(box);
  let next = 0;
  for (const child of box.children) {
    if (child.node.absolute !== undefined) {
      staticTops.set(child, top + y + (isAtTop ? 0 : strutSize(strut)));
      continue;
    }
    const item = items[next++];
    const { layout, x, margins } = layOutChild(item, width, percentageHeight);
    strut = joinStruts(strut, margins.top);
    const at = isAtTop ? 0 : strutSize(strut);
    const place = movedBy(item, left + x, top + y + at, width, percentageHeight);
    places.set(item, { ...place, layout });
    if (margins.isThrough) {
      strut = joinStruts(strut, margins.bottom);
      continue;
    }
    if (isAtTop) leading = strut;
    isAtTop = false;
    if (baseline === undefined && layout.baseline !== undefined) baseline = top + y + at + layout.baseline;
    y += at + layout.height;
    strut = margins.bottom;
  }
  const { minHeight = 0, maxHeight } = space;
  const isAutoHeight = space.height === undefined;
  const joinsBelow = !block.isRoot && truncate(bottom) === 0 && isAutoHeight;
  const content = joinsBelow || isAtTop ? y : Math.max(0, y + strutSize(strut));
  const natural = paddingY + content;
  const height = space.height ?? clamp(natural, minHeight, maxHeight);
  const isThrough = isAtTop && height === 0 && paddingY === 0;
  if (isAtTop) leading = strut;
  // a minimum height keeps the last margin inside
  const keepsMargin = isAtTop || height > natural;
  const trailing = joinsBelow && !keepsMargin ? strut : EMPTY_STRUT;
  const area = { width: space.width, height };
  const children = box.children.map((child): BoxPlacement => {
    if (child.node.absolute === undefined) return places.get(child)!;
    return placeAbsolute(child, box, block, area, { x: left, y: staticTops.get(child)! });
  });
  const flow = block.isRoot ? undefined : { top: leading, bottom: trailing, isThrough };
  return { width: space.width, height, baseline, children, ...(flow && { flow }) };
}

function layOutChild(box: FlexBox, width: number, height: number | undefined): Placed {
  const { node } = box;
  const sizing = resolveSizing(node, width, height);
  const [marginX] = marginSums(node);
  const [marginTop, marginRight, marginBottom, marginLeft] = node.margin ?? [0, 0, 0, 0];
  const [fixedTop, , fixedBottom, fixedLeft] = fixedMargins(node.margin);
  const align = node.alignSelf ?? 'stretch';
  const used = childWidth(box, sizing, width - marginX, align !== 'stretch');
  const layout =
    sizing.height === undefined
      ? box.layOut(openSpace(used, sizing.minHeight, sizing.maxHeight))
      : box.layOut(exactSpace(used, clampHeight(sizing.height, sizing)));
  const free = width - marginX - used;
  const shared = free > 0 ? autoMargins(marginLeft, marginRight, free) : undefined;
  const x = fixedLeft + (shared ?? (align === 'stretch' ? 0 : alignmentOffset(align, free)));
  const own: FlowMargins = {
    top: strutOf(marginTop === 'auto' ? 0 : fixedTop),
    bottom: strutOf(marginBottom === 'auto' ? 0 : fixedBottom),
    isThrough: isEmptyLeaf(box, layout),
  };
  const { flow } = layout;
  const margins = flow
    ? { top: joinStruts(own.top, flow.top), bottom: joinStruts(flow.bottom, own.bottom), isThrough: flow.isThrough }
    : own;
  return { layout, x, margins };
}

/** The width of a child: that of its container, but for pictures and for what is aligned. */
function childWidth(box: FlexBox, sizing: Sizing, available: number, isFitting: boolean): number {
  const { ratio } = box;
  const height = sizing.height === undefined ? undefined : clampHeight(sizing.height, sizing);
  const isStretched = !box.isReplaced && !isFitting && (ratio === undefined || height === undefined);
  // limits of the height are limits of the width of a box with a ratio
  const { minHeight = 0, maxHeight } = sizing;
  const filled = () =>
    ratio === undefined ? available : clamp(available, truncate(minHeight * ratio), truncate(maxHeight * ratio));
  const width = sizing.width ?? (isStretched ? filled() : box.fitContentWidth(available, height, sizing));
  return Math.max(paddingSums(box.node)[0], clampWidth(width, sizing));
}

/** Whether a box without children has nothing that parts the margins above and below it. */
function isEmptyLeaf({ node }: FlexBox, { height }: BoxLayout): boolean {
  const { content } = node;
  return content.kind === 'content' && height === 0 && paddingSums(node)[1] === 0 && content.maxContentWidth() === 0;
}

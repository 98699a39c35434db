// Boxes out of the flow: absolutely positioned ones (CSS Positioned Layout 3 section 4), and the root of a tree.
import { alignmentOffset, autoMargins, justify } from './alignment.js';
import { type BoxLayout, type BoxPlacement, exactSpace, type FlexBox, openSpace } from './box.js';
import { clamp, truncate } from './layout-unit.js';
import type { BlockContainer, Container, Grid, Insets } from './node.js';
import { clampWidth, fixedMargins, marginSums, paddingSums, resolve, resolveSizing } from './sizing.js';

interface Area {
  readonly width: number;
  readonly height: number;
}

/** Insets in pixels. */
interface ResolvedInsets {
  readonly top: number | undefined;
  readonly right: number | undefined;
  readonly bottom: number | undefined;
  readonly left: number | undefined;
}

/**
 * Places a child out of the flow. Percentages are of the group's whole box. `flowPlace`: where its margin box lies in a block,
 * along an axis without insets.
 */
export function placeAbsolute(
  box: FlexBox,
  group: FlexBox,
  container: Container | Grid | BlockContainer,
  area: Area,
  flowPlace: { readonly x: number; readonly y: number } = { x: 0, y: 0 },
): BoxPlacement {
  const { node } = box;
  const insets = resolveInsets(node.absolute!, area);
  const { top, right, bottom, left } = insets;
  const available = area.width - (left ?? 0) - (right ?? 0);
  const layout = layOutFree(box, area.width, area.height, available, insets);
  const [marginTop, marginRight, marginBottom, marginLeft] = node.margin ?? [0, 0, 0, 0];
  const [fixedTop, fixedRight, fixedBottom, fixedLeft] = fixedMargins(node.margin);
  const freeX = area.width - layout.width - fixedLeft - fixedRight;
  const freeY = area.height - layout.height - fixedTop - fixedBottom;
  const along = (
    start: number | undefined,
    end: number | undefined,
    free: number,
    shared: (free: number) => number,
  ) => {
    if (start === undefined) return end === undefined ? undefined : free - end;
    return start + (end === undefined ? 0 : shared(free - start - end));
  };
  const x = along(left, right, freeX, (free) => autoMargins(marginLeft, marginRight, free) ?? 0);
  const y = along(top, bottom, freeY, (free) => autoMargins(marginTop, marginBottom, free) ?? 0);
  const still = () => (container.kind === 'block' ? flowPlace : staticPosition(box, group, container, area, layout));
  return { x: fixedLeft + (x ?? still().x), y: fixedTop + (y ?? still().y), layout };
}

function resolveInsets({ top, right, bottom, left }: Insets, { width, height }: Area): ResolvedInsets {
  return {
    top: resolve(top, height),
    right: resolve(right, width),
    bottom: resolve(bottom, height),
    left: resolve(left, width),
  };
}

/** The place that the margin box would have as the container's only item (CSS Flexbox 1 section 4.1, CSS Grid 1 section 9.2). */
function staticPosition(
  { node }: FlexBox,
  group: FlexBox,
  container: Container | Grid,
  area: Area,
  { width, height }: Area,
): { x: number; y: number } {
  const [paddingX, paddingY] = paddingSums(group.node);
  const [top = 0, , , left = 0] = group.node.padding ?? [];
  const [marginX, marginY] = marginSums(node);
  const freeX = area.width - paddingX - width - marginX;
  const freeY = area.height - paddingY - height - marginY;
  const align = node.alignSelf ?? container.alignItems;
  if (container.kind === 'grid') {
    const across = node.justifySelf ?? container.justifyItems;
    return { x: truncate(left) + alignmentOffset(across, freeX), y: truncate(top) + alignmentOffset(align, freeY) };
  }
  const { direction, justifyContent } = container;
  const [main, cross] = direction === 'row' ? [freeX, freeY] : [freeY, freeX];
  const along = justify(justifyContent, main, 1).start;
  const across = alignmentOffset(align, cross);
  const [x, y] = direction === 'row' ? [along, across] : [across, along];
  return { x: truncate(left) + x, y: truncate(top) + y };
}

const NO_INSETS: ResolvedInsets = { top: undefined, right: undefined, bottom: undefined, left: undefined };

/** Lays out a box that is in no container's flow. `available`: where auto wraps. Opposite insets stretch what is auto. */
export function layOutFree(
  box: FlexBox,
  width: number | undefined,
  height: number | undefined,
  available: number,
  insets = NO_INSETS,
): BoxLayout {
  const sizing = resolveSizing(box.node, width, height);
  const [marginX, marginY] = marginSums(box.node);
  const [paddingX, paddingY] = paddingSums(box.node);
  const stretched = (whole: number | undefined, start: number | undefined, end: number | undefined, rest: number) =>
    box.isReplaced || whole === undefined || start === undefined || end === undefined
      ? undefined
      : whole - start - end - rest;
  const atLeast = (least: number, size: number | undefined) => (size === undefined ? undefined : Math.max(least, size));
  const wanted = sizing.height ?? atLeast(paddingY, stretched(height, insets.top, insets.bottom, marginY));
  const ownHeight = wanted === undefined ? undefined : clamp(wanted, sizing.minHeight ?? 0, sizing.maxHeight);
  const isFromRatio = box.ratio !== undefined && ownHeight !== undefined;
  const ownWidth =
    sizing.width ?? (isFromRatio ? undefined : atLeast(paddingX, stretched(width, insets.left, insets.right, marginX)));
  const used = clampWidth(ownWidth ?? box.fitContentWidth(available - marginX, ownHeight, sizing), sizing);
  return box.layOut(
    ownHeight === undefined ? openSpace(used, sizing.minHeight, sizing.maxHeight) : exactSpace(used, ownHeight),
  );
}

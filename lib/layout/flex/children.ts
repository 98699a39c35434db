// What flex containers and grids share: their items, the widths that these add to them, and their moves.
import type { FlexBox, Widths } from './box.js';
import { truncate } from './layout-unit.js';
import { clampHeight, clampWidth, marginSums, resolve, resolveSizing } from './sizing.js';

/** Returns the widths that the box adds to the content widths of its container, margins included. */
export function contribution(
  box: FlexBox,
  containerWidth: number | undefined,
  containerHeight: number | undefined,
  isStretched: boolean,
): Widths {
  const sizing = resolveSizing(box.node, containerWidth, containerHeight);
  const [margin, marginY] = marginSums(box.node);
  const stretched = isStretched && containerHeight !== undefined ? Math.max(0, containerHeight - marginY) : undefined;
  const height = sizing.height ?? stretched;
  const { width } = sizing;
  const { min, max } =
    width === undefined
      ? box.intrinsicWidths(height && clampHeight(height, sizing), sizing)
      : { min: width, max: width };
  const outer = (size: number) => clampWidth(size, sizing) + margin;
  return { min: isCompressible(box) ? outer(0) : outer(min), max: outer(max) };
}

/** Whether the picture shrinks with its container (CSS Sizing 3 section 5.2.2). */
function isCompressible({ node: { width, maxWidth }, isReplaced }: FlexBox): boolean {
  return isReplaced && (typeof width === 'object' || (typeof width === 'string' && typeof maxWidth === 'object'));
}

/** The items of a container, in the order of layout. */
export function inFlow({ children }: FlexBox): readonly FlexBox[] {
  const items = children.filter(({ node }) => node.absolute === undefined);
  const isOrdered = items.some(({ node }) => node.order !== undefined);
  return isOrdered ? items.sort((one, other) => (one.node.order ?? 0) - (other.node.order ?? 0)) : items;
}

export function startPadding({ node }: FlexBox): [left: number, top: number] {
  const { padding } = node;
  return padding ? [truncate(padding[3]), truncate(padding[0])] : [0, 0];
}

/** The place of an item that `offset` moves. `width` and `height` are those that percentages refer to. */
export function movedBy(
  { node: { offset } }: FlexBox,
  x: number,
  y: number,
  width: number,
  height: number | undefined,
): { x: number; y: number } {
  if (!offset) return { x, y };
  const dx = resolve(offset.left, width) ?? -(resolve(offset.right, width) ?? 0);
  const dy = resolve(offset.top, height) ?? -(resolve(offset.bottom, height) ?? 0);
  return { x: x + dx, y: y + dy };
}

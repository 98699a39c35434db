// Lays out a tree of boxes (CSS Flexbox 1, CSS Grid 1, CSS 2.2's blocks): pure, synchronous, and in bounded time.
import { gridWidths, layOutGrid } from '../grid/container.js';
import { layOutFree } from './absolute.js';
import { blockWidths, layOutBlock } from './block.js';
import { type BoxLayout, type ContainerLayout, FlexBox } from './box.js';
import { LayoutBudget } from './budget.js';
import { containerWidths, layOutContainer } from './container.js';
import type { FlexNode, LaidOutBox } from './node.js';

/** The containing block of the tree. Undefined sides are indefinite: percentages of them are auto. */
export interface ContainingBlock {
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Width at which the content of an `auto` width wraps. */
  readonly available: number;
}

/**
 * The root's own `absolute` is its place; without it the tree starts at the corner. Throws LayoutError when `budget` does not
 * suffice.
 */
export function layOutTree(
  root: FlexNode,
  { width, height, available }: ContainingBlock,
  budget = new LayoutBudget(),
): LaidOutBox {
  const box = new FlexBox(root, CONTAINERS, budget);
  const { left, top } = root.absolute ?? {};
  const [x, y] = [left, top].map((inset) => (typeof inset === 'number' ? inset : 0));
  return boxAt(x, y, layOutFree(box, width, height, available));
}

const CONTAINERS: ContainerLayout = {
  widths(box, content, height, limit) {
    switch (content.kind) {
      case 'grid':
        return gridWidths(box, content, height);
      case 'block':
        return blockWidths(box, height);
      case 'container':
        return containerWidths(box, content, height, limit);
    }
  },
  layOut(box, content, space) {
    switch (content.kind) {
      case 'grid':
        return layOutGrid(box, content, space);
      case 'block':
        return layOutBlock(box, content, space);
      case 'container':
        return layOutContainer(box, content, space);
    }
  },
};

function boxAt(x: number, y: number, { width, height, children }: BoxLayout): LaidOutBox {
  return { x, y, width, height, children: children.map((child) => boxAt(child.x, child.y, child.layout)) };
}

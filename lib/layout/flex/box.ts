// A box while it is laid out. Its widths and layouts are kept: nested containers ask for the same ones again and again.
import { FREE_LAYOUTS, type LayoutBudget } from './budget.js';
import { ceilToUnit, clamp, truncate } from './layout-unit.js';
import type { FlowMargins } from './margin-strut.js';
import type { BlockContainer, Container, FlexNode, Grid, ItemExtents } from './node.js';
import { paddingSums, ratioOf, type Sizing } from './sizing.js';

/** Widths of a border box. */
export interface Widths {
  /** Smallest width without overflow that a break could avoid. */
  readonly min: number;
  /** Width without breaks. */
  readonly max: number;
}

/** The space that a box is laid out in. */
export interface BoxSpace {
  readonly width: number;
  /** Height; undefined means that of the content, between `minHeight` and `maxHeight`. */
  readonly height: number | undefined;
  /** Smallest height; undefined means 0, or the content's height for a box with an aspect ratio. */
  readonly minHeight: number | undefined;
  readonly maxHeight: number;
  /** Whether percentages of children resolve against `height`. */
  readonly isDefinite: boolean;
}

export interface BoxPlacement {
  readonly x: number;
  readonly y: number;
  readonly layout: BoxLayout;
}

export interface BoxLayout {
  readonly width: number;
  readonly height: number;
  /** The first baseline, from the top; undefined for the lower edge. */
  readonly baseline: number | undefined;
  readonly children: readonly BoxPlacement[];
  /** The margins of its children that join its own, in a block. */
  readonly flow?: FlowMargins;
}

/** The space of a box whose size is known. */
export function exactSpace(width: number, height: number, isDefinite = true): BoxSpace {
  return { width, height, minHeight: 0, maxHeight: Infinity, isDefinite };
}

/** The space of a box that is as high as its content. */
export function openSpace(width: number, minHeight?: number | undefined, maxHeight = Infinity): BoxSpace {
  return { width, height: undefined, minHeight, maxHeight, isDefinite: false };
}

/** The layout of containers, which this file must not import: it lays out boxes. */
export interface ContainerLayout {
  widths(box: FlexBox, container: Container | Grid | BlockContainer, height: number | undefined, limit: number): Widths;
  layOut(box: FlexBox, container: Container | Grid | BlockContainer, space: BoxSpace): BoxLayout;
}

export class FlexBox {
  readonly children: readonly FlexBox[];
  readonly ratio: number | undefined;
  /** Whether a row is laid out the same in a height that is given and in one that its content has. */
  private readonly ignoresHeight: boolean;
  /** Whether the widths of the content may follow from its height. */
  private readonly dependsOnHeight: boolean;
  private readonly ownWidths = new Map<string, Widths>();
  private readonly layouts = new Map<string, BoxLayout>();
  /** The last layout as high as the content. */
  private open: BoxLayout | undefined;

  constructor(
    readonly node: FlexNode,
    private readonly containers: ContainerLayout,
    private readonly budget: LayoutBudget,
  ) {
    const { content } = node;
    this.children = hasChildren(content) ? content.children.map((child) => new FlexBox(child, containers, budget)) : [];
    this.ratio = ratioOf(node);
    this.ignoresHeight = content.kind === 'container' && isRowOfOwnHeights(content);
    this.dependsOnHeight = this.wrapsColumns || this.children.some((child) => child.mayFollowHeight);
  }

  /** Whether the width of the box may follow from its height. */
  get mayFollowHeight(): boolean {
    return this.ratio !== undefined || this.dependsOnHeight;
  }

  get isReplaced(): boolean {
    return this.node.content.kind === 'replaced';
  }

  /** Whether a box with a ratio is at least as high as its content (CSS Sizing 4 section 5.3). */
  get growsWithContent(): boolean {
    const { height, content } = this.node;
    return content.kind !== 'replaced' && typeof height === 'string';
  }

  /**
   * Returns the widths of the content, whatever the fields of the box say. `height` is the border box's, if it is definite;
   * `limit` is its upper bound.
   */
  private contentWidths(height: number | undefined, limit: number): Widths {
    const key = this.dependsOnHeight ? `${height} ${limit}` : '';
    let widths = this.ownWidths.get(key);
    if (!widths) {
      this.spend(this.ownWidths.size);
      widths = this.measureWidths(height, limit);
      this.ownWidths.set(key, widths);
    }
    return widths;
  }

  private measureWidths(height: number | undefined, limit: number): Widths {
    const { content } = this.node;
    const [padding] = paddingSums(this.node);
    switch (content.kind) {
      case 'container':
      case 'grid':
      case 'block':
        return this.containers.widths(this, content, height, limit);
      case 'replaced':
        return { min: truncate(content.width), max: truncate(content.width) };
      case 'content':
        return {
          min: padding + ceilToUnit(content.minContentWidth()),
          max: padding + ceilToUnit(content.maxContentWidth()),
        };
    }
  }

  /** Returns the widths of the content, or those that follow from the height by the aspect ratio. */
  intrinsicWidths(height: number | undefined, sizing: Sizing): Widths {
    const { ratio } = this;
    const { maxHeight, minWidth, maxWidth } = sizing;
    const minHeight = sizing.minHeight ?? paddingSums(this.node)[1];
    const widths = () => this.contentWidths(height, height ?? Math.max(minHeight, maxHeight));
    if (ratio === undefined) return widths();
    if (height === undefined) {
      const limited = (width: number) => clamp(width, truncate(minHeight * ratio), truncate(maxHeight * ratio));
      const { min, max } = widths();
      return { min: limited(min), max: limited(max) };
    }
    // the automatic minimum: a box with a ratio grows with its content
    const floor =
      this.isReplaced || minWidth !== undefined
        ? 0
        : Math.min(widths().min, maxWidth, this.node.height === 'auto' ? truncate(maxHeight * ratio) : Infinity);
    const width = Math.max(truncate(height * ratio), floor);
    return { min: width, max: width };
  }

  /** Returns the width that applies by default: the content's, wrapped to the available width. */
  fitContentWidth(available: number, height: number | undefined, sizing: Sizing): number {
    const { min, max } = this.intrinsicWidths(height, sizing);
    return Math.min(max, Math.max(min, available));
  }

  layOut(space: BoxSpace): BoxLayout {
    const { ratio } = this;
    if (space.height !== undefined || ratio === undefined) return this.layOutContent(space);
    const { width, minHeight, maxHeight } = space;
    const fromRatio = truncate(width / ratio);
    // the automatic minimum: a box with a ratio grows with its content
    const automatic = () => (!this.growsWithContent ? 0 : Math.min(this.contentHeight(width, maxHeight), maxHeight));
    const height = clamp(fromRatio, minHeight ?? automatic(), maxHeight);
    return this.layOutContent(exactSpace(width, height));
  }

  /** The height of the content at a width, without the ratio. `limit` is where columns wrap. */
  contentHeight(width: number, limit: number): number {
    return this.layOutContent(openSpace(width, undefined, this.wrapsColumns ? limit : Infinity)).height;
  }

  private get wrapsColumns(): boolean {
    const { content } = this.node;
    return content.kind === 'container' && content.wrap && content.direction === 'column';
  }

  private layOutContent(space: BoxSpace): BoxLayout {
    const { width, height, minHeight, maxHeight, isDefinite } = space;
    const key = height === undefined ? `${width} ${minHeight} ${maxHeight}` : `${width} ${height} ${isDefinite}`;
    let layout = this.layouts.get(key);
    if (!layout) {
      this.spend(this.layouts.size);
      layout = this.openLayout(space) ?? this.compute(space);
      this.layouts.set(key, layout);
      if (height === undefined) this.open = layout;
    }
    return layout;
  }

  /** The last layout as high as the content, where it is that of the space too. */
  private openLayout({ width, height }: BoxSpace): BoxLayout | undefined {
    const { open } = this;
    const isSame = this.ignoresHeight && open?.width === width && open.height === height;
    return isSame ? open : undefined;
  }

  /** Counts a layout; `done` is the number of layouts of the box so far. Throws LayoutError. */
  private spend(done: number): void {
    if (done < FREE_LAYOUTS) return;
    const { content } = this.node;
    this.charge(1 + (content.kind === 'content' ? content.measureSteps : this.children.length));
  }

  /** Counts steps of its layout beyond those of its children. Throws LayoutError when they are too many. */
  charge(steps: number): void {
    this.budget.spend(steps);
  }

  private compute(space: BoxSpace): BoxLayout {
    const { content, padding } = this.node;
    if (hasChildren(content)) return this.containers.layOut(this, content, space);
    const { width, height, minHeight = 0, maxHeight } = space;
    const [x, y] = paddingSums(this.node);
    const inner = height === undefined ? undefined : Math.max(0, height - y);
    const measured: ItemExtents =
      content.kind === 'replaced' ? { height: content.height } : content.measure(Math.max(0, width - x), inner);
    const { baseline } = measured;
    return {
      width,
      height: height ?? clamp(y + truncate(measured.height), minHeight, maxHeight),
      baseline: baseline === undefined ? undefined : truncate(padding?.[0] ?? 0) + baseline,
      children: [],
    };
  }
}

function hasChildren(content: FlexNode['content']): content is Container | Grid | BlockContainer {
  return content.kind === 'container' || content.kind === 'grid' || content.kind === 'block';
}

/** Whether no item is stretched, or a percentage of the row's height. */
function isRowOfOwnHeights({ direction, wrap, alignItems, children }: Container): boolean {
  if (direction !== 'row' || wrap) return false;
  return children.every(({ height, minHeight, maxHeight, alignSelf = alignItems }) => {
    const hasPercentage = [height, minHeight, maxHeight].some((length) => typeof length === 'object');
    return !hasPercentage && height !== 'fill' && alignSelf !== 'stretch';
  });
}

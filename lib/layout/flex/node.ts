// The input and output of layout: plain trees of boxes. Lengths are pixels of border boxes; borders take no room.
import type { GridPlace, TrackList, TrackSize } from '../../contract/css/grid.js';

export interface Percentage {
  /** Percentage of the group's content box. */
  readonly percent: number;
  /** Pixels that are added to it. */
  readonly pixels?: number | undefined;
}

export type Length = number | Percentage;

/** `fill` is `flex: 1 1 0` along the main axis and `align-self: stretch` across; in a grid it stretches both ways. */
export type FlexExtent = Length | 'auto' | 'fill';

/** Top, right, bottom, left, as in CSS. */
export type Sides = readonly [number, number, number, number];

/** `auto` takes the free space beside the box. */
export type Margin = number | 'auto';
export type Margins = readonly [Margin, Margin, Margin, Margin];

/** Distances from the edges of a box. */
export interface Insets {
  readonly top?: Length | undefined;
  readonly right?: Length | undefined;
  readonly bottom?: Length | undefined;
  readonly left?: Length | undefined;
}

export type Alignment = 'start' | 'center' | 'end' | 'stretch' | 'baseline';
/** The place of lines or tracks: `stretch` shares the spare room among lines, or among tracks of size `auto`. */
export type ContentAlignment = Justification | 'stretch';
export type Justification = 'start' | 'center' | 'end' | 'space-between' | 'space-around' | 'space-evenly';

/** A box of layout. */
export interface FlexNode {
  readonly width: FlexExtent;
  readonly height: FlexExtent;
  readonly minWidth?: Length | undefined;
  readonly maxWidth?: Length | undefined;
  readonly minHeight?: Length | undefined;
  readonly maxHeight?: Length | undefined;
  readonly margin?: Margins | undefined;
  readonly padding?: Sides | undefined;
  readonly grow?: number | undefined;
  readonly shrink?: number | undefined;
  readonly alignSelf?: Alignment | undefined;
  readonly justifySelf?: Alignment | undefined;
  readonly gridColumn?: GridPlace | undefined;
  readonly gridRow?: GridPlace | undefined;
  /** Width divided by height. */
  readonly aspectRatio?: number | undefined;
  /**
   * Takes the box out of the flow: its distances from the edges of the group's box. Without any along an axis it lies where
   * it would be as the container's only item.
   */
  readonly absolute?: Insets | undefined;
  /** How far the box is moved from its place in the flow, which nothing else depends on; left and top win. */
  readonly offset?: Insets | undefined;
  /** Items are laid out by it, those of the same order as they follow each other; 0 without. */
  readonly order?: number | undefined;
  readonly content: Container | Grid | BlockContainer | Content | Replaced;
}

/** A flex container. */
export interface Container {
  readonly kind: 'container';
  readonly direction: 'row' | 'column';
  readonly wrap: boolean;
  readonly rowGap: number;
  readonly columnGap: number;
  readonly alignItems: Alignment;
  readonly justifyContent: Justification;
  readonly alignContent?: ContentAlignment | undefined;
  readonly children: readonly FlexNode[];
}

/** The columns or rows of a grid. */
export interface GridAxis {
  readonly template: TrackList | undefined;
  /** The sizes of tracks beyond the template, in turn. */
  readonly auto: readonly TrackSize[];
}

/** A grid container. */
export interface Grid {
  readonly kind: 'grid';
  /** Whether the columns are those of a table, and the items cells that fill their areas. */
  readonly isTable?: boolean | undefined;
  readonly columns: GridAxis;
  readonly rows: GridAxis;
  /** Whether items without lines fill rows one after the other, rather than columns. */
  readonly isRowFlow: boolean;
  /** Whether later items fill gaps before earlier ones. */
  readonly isDense: boolean;
  readonly rowGap: number;
  readonly columnGap: number;
  readonly justifyItems: Alignment;
  readonly alignItems: Alignment;
  readonly justifyContent: ContentAlignment;
  readonly alignContent: ContentAlignment;
  readonly children: readonly FlexNode[];
}

/** A block container: its children are one below the other, as wide as it, and their margins collapse. */
export interface BlockContainer {
  readonly kind: 'block';
  /** Whether the margins of its children stay inside of it (a block formatting context). */
  readonly isRoot: boolean;
  readonly children: readonly FlexNode[];
}

/** Measurable content, without the padding around it. */
export interface Content {
  readonly kind: 'content';
  /** Cost of one `measure`, if the layout of one box in a container costs 1. */
  readonly measureSteps: number;
  /** The width of the longest part that can't be broken. */
  minContentWidth(): number;
  /** The width without any break but forced ones. */
  maxContentWidth(): number;
  /** Measures the content at a width; `height` is the box's, if it is definite. */
  measure(width: number, height: number | undefined): ItemExtents;
}

/** A picture with a natural size. */
export interface Replaced {
  readonly kind: 'replaced';
  readonly width: number;
  readonly height: number;
}

export interface ItemExtents {
  readonly height: number;
  /** The first baseline, from the top; undefined for the lower edge. */
  readonly baseline?: number | undefined;
}

/** The result: one for each node, in the same order. */
export interface LaidOutBox {
  /** Offset from the corner of the parent's box. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly children: readonly LaidOutBox[];
}

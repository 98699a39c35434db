// Layout of a flex container: CSS Flexbox 1 section 9, for rows from left to right and columns from top to bottom.
import { placeAbsolute } from './absolute.js';
import { alignmentOffset, autoMargins, justify } from './alignment.js';
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
import { resolveFlexibleLengths } from './flexible-lengths.js';
import {
  clampCross,
  type FlexItem,
  type Flow,
  flexItem,
  hypotheticalCrossSize,
  isMainDefinite,
  isStretchedIn,
} from './item.js';
import { clamp, truncate } from './layout-unit.js';
import type { Container, Margin } from './node.js';
import { fixedMargins, paddingSums } from './sizing.js';

/** Returns the content widths of a container. `height` is the border box's, if it is definite; `limit` is its upper bound. */
export function containerWidths(box: FlexBox, container: Container, height: number | undefined, limit: number): Widths {
  const [padding, paddingY] = paddingSums(box.node);
  const inner = height === undefined ? undefined : Math.max(0, height - paddingY);
  const { direction, wrap } = container;
  const items = inFlow(box);
  const widths = items.map((child) => {
    const isStretched = direction === 'row' && !wrap && isStretchedIn(container, child.node, child.node.height);
    return contribution(child, undefined, inner, isStretched);
  });
  const max = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 0);
  const mins = widths.map(({ min }) => min);
  const maxes = widths.map((each) => each.max);
  const gaps = truncate(container.columnGap) * Math.max(0, widths.length - 1);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, gaps);
  if (direction === 'row') {
    // negative margins make a line narrower, but no box
    const least = Math.max(0, wrap ? max(mins) : sum(mins));
    return { min: padding + least, max: padding + Math.max(least, sum(maxes)) };
  }
  if (!wrap) return { min: padding + max(mins), max: padding + max(maxes) };
  // columns side by side: as many as break at the limit when nothing else does
  const width = sum(maxes);
  const flow: Flow = { container, isRow: false, width, height: inner, percentageHeight: inner };
  const [mainGap, crossGap] = gapsOf(container);
  const flexItems = items.map((child) => flexItem(child, flow));
  const columns = breakLines(flexItems, Math.max(0, limit - paddingY), mainGap);
  const widthOf = new Map(flexItems.map((item, i) => [item, maxes[i]]));
  const total = columns.reduce(
    (width, column) => width + max(column.map((item) => widthOf.get(item)!)),
    crossGap * (columns.length - 1),
  );
  return { min: padding + max(mins), max: padding + total };
}

/** Items that share a line, with their sizes. */
interface Line {
  readonly items: readonly FlexItem[];
  readonly mainSizes: readonly number[];
  readonly crossSizes: readonly number[];
  /** Distance from the line's start edge to the common baseline. */
  readonly ascent: number;
  readonly crossSize: number;
}

export function layOutContainer(box: FlexBox, container: Container, space: BoxSpace): BoxLayout {
  const isRow = container.direction === 'row';
  const [paddingX, paddingY] = paddingSums(box.node);
  const inner = (height: number) => Math.max(0, height - paddingY);
  const height = space.height === undefined ? undefined : inner(space.height);
  const width = Math.max(0, space.width - paddingX);
  const percentageHeight = space.isDefinite ? height : undefined;
  const flow: Flow = { container, isRow, width, height, percentageHeight };
  const { minHeight = 0, maxHeight } = space;
  const clampInner = (size: number) => clamp(size, inner(minHeight), inner(maxHeight));
  const items = inFlow(box).map((child) => flexItem(child, flow));
  const [mainGap, crossGap] = gapsOf(container);
  const mainLimit = isRow ? width : (height ?? inner(Math.max(minHeight, maxHeight)));
  const groups = container.wrap ? breakLines(items, mainLimit, mainGap) : [items];
  const hypothetical = groups.map((group) => outerSum(group, group.map(hypotheticalMainSize), mainGap));
  const mainSize = isRow ? width : (height ?? clampInner(Math.max(...hypothetical)));
  const lines = groups.map((group) => layOutLine(group, mainSize, mainGap, flow));
  const total = lines.reduce((sum, { crossSize }) => sum + crossSize, crossGap * (lines.length - 1));
  const crossSize = isRow ? (height ?? clampInner(total)) : width;
  // one line of a container that does not wrap is as large as it; other lines share what they leave
  const { alignContent = 'stretch' } = container;
  const isShared = container.wrap && alignContent === 'stretch';
  const spare = isShared ? Math.max(0, truncate((crossSize - total) / lines.length)) : 0;
  const { start, between } = justify(
    container.wrap && alignContent !== 'stretch' ? alignContent : 'start',
    crossSize - total,
    lines.length,
  );
  const children = new Map<FlexBox, BoxPlacement>();
  const [left, top] = startPadding(box);
  let crossStart = start;
  let baseline: number | undefined;
  lines.forEach((line, index) => {
    const lineCross = container.wrap ? line.crossSize + spare : crossSize;
    const positions = placeLine(line, lineCross, mainSize, mainGap, flow);
    positions.forEach(({ main, cross, layout }, i) => {
      const [x, y] = isRow ? [main, crossStart + cross] : [crossStart + cross, main];
      children.set(line.items[i].box, {
        ...movedBy(line.items[i].box, left + x, top + y, width, percentageHeight),
        layout,
      });
    });
    if (index === 0) baseline = firstBaseline(line, children, flow);
    crossStart += lineCross + crossGap + between;
  });
  const contentHeight = isRow ? crossSize : mainSize;
  const layout = { width: space.width, height: space.height ?? paddingY + contentHeight };
  return {
    ...layout,
    baseline,
    children: box.children.map((child) => children.get(child) ?? placeAbsolute(child, box, container, layout)),
  };
}

function gapsOf({ direction, rowGap, columnGap }: Container): [main: number, cross: number] {
  const [row, column] = [truncate(rowGap), truncate(columnGap)];
  return direction === 'row' ? [column, row] : [row, column];
}

function hypotheticalMainSize({ baseSize, minMain, maxMain }: FlexItem): number {
  return clamp(baseSize, minMain, maxMain);
}

/** The room that items take in a line, margins and gaps included. */
function outerSum(items: readonly FlexItem[], sizes: readonly number[], gap: number): number {
  return items.reduce((sum, { mainMargin }, i) => sum + sizes[i] + mainMargin, gap * Math.max(0, items.length - 1));
}

function breakLines(items: readonly FlexItem[], limit: number, gap: number): (readonly FlexItem[])[] {
  const lines: FlexItem[][] = [];
  let line: FlexItem[] = [];
  let size = 0;
  for (const item of items) {
    const outer = hypotheticalMainSize(item) + item.mainMargin;
    if (line.length > 0 && size + gap + outer > limit) {
      lines.push(line);
      line = [];
    }
    size = line.length > 0 ? size + gap + outer : outer;
    line.push(item);
  }
  return [...lines, line];
}

function layOutLine(items: readonly FlexItem[], mainSize: number, gap: number, flow: Flow): Line {
  const others = outerSum(
    items,
    items.map(() => 0),
    gap,
  );
  const mainSizes = resolveFlexibleLengths(items, mainSize - others);
  // a column beside others is as wide as its widest word
  const isColumn = !flow.isRow && flow.container.wrap;
  const available = isColumn
    ? Math.max(flow.width, ...items.map(({ box }) => contribution(box, flow.width, flow.percentageHeight, false).min))
    : flow.width;
  const crossSizes = items.map((item, i) => hypotheticalCrossSize(item, mainSizes[i], flow, available));
  let ascent = -Infinity;
  let descent = -Infinity;
  let crossSize = 0;
  items.forEach((item, i) => {
    const outer = crossSizes[i] + item.crossMargin;
    if (item.align === 'baseline') {
      const above = ascentOf(item, finalLayout(item, mainSizes[i], crossSizes[i], false, flow), flow);
      ascent = Math.max(ascent, above);
      descent = Math.max(descent, outer - above);
    } else crossSize = Math.max(crossSize, outer);
  });
  return { items, mainSizes, crossSizes, ascent, crossSize: Math.max(crossSize, ascent + descent) };
}

/**
 * Returns the distance from the item's outer edge to its baseline. Without a baseline it is the lower edge in rows; in columns
 * it is the left edge.
 */
function ascentOf({ box }: FlexItem, { baseline, height }: BoxLayout, { isRow }: Flow): number {
  const [top, , , left] = fixedMargins(box.node.margin);
  return isRow ? top + (baseline ?? height) : left;
}

/** Lays out an item in its final size. `isStretched` says whether the cross size is the line's. */
function finalLayout(
  { box, sizing, definiteCross }: FlexItem,
  main: number,
  cross: number,
  isStretched: boolean,
  flow: Flow,
): BoxLayout {
  if (!flow.isRow) return box.layOut(exactSpace(cross, main, isMainDefinite(box, sizing, flow)));
  if (isStretched || definiteCross !== undefined) return box.layOut(exactSpace(main, cross));
  return box.layOut(openSpace(main, sizing.minHeight, sizing.maxHeight));
}

interface PlacedItem {
  /** Distances from the start edges of the line to the border box. */
  readonly main: number;
  readonly cross: number;
  readonly layout: BoxLayout;
}

function placeLine(line: Line, lineCross: number, mainSize: number, gap: number, flow: Flow): PlacedItem[] {
  const { items, mainSizes, crossSizes } = line;
  const { isRow, container } = flow;
  const free = mainSize - outerSum(items, mainSizes, gap);
  const autos = items.reduce((sum, { box }) => sum + mainMargins(box, isRow).filter(isAuto).length, 0);
  // margins that are auto take the free space before it is justified
  const share = autos > 0 ? Math.max(0, truncate(free / autos)) : 0;
  const { start, between } = justify(autos > 0 && free > 0 ? 'start' : container.justifyContent, free, items.length);
  let main = start;
  return items.map((item, i) => {
    const { box, isStretched, crossMargin, mainMargin, sizing } = item;
    const [marginTop, , , marginLeft] = fixedMargins(box.node.margin);
    const [mainBefore, crossBefore] = isRow ? [marginLeft, marginTop] : [marginTop, marginLeft];
    const [autoBefore, autoAfter] = mainMargins(box, isRow).map((side) => (isAuto(side) ? share : 0));
    const [x, y] = paddingSums(box.node);
    const cross = isStretched
      ? clampCross(isRow, Math.max(isRow ? y : x, lineCross - crossMargin), sizing)
      : crossSizes[i];
    const layout = finalLayout(item, mainSizes[i], cross, isStretched, flow);
    const [before, after] = mainMargins(box, !isRow);
    const crossFree = lineCross - cross - crossMargin;
    const offset =
      item.align === 'baseline'
        ? line.ascent - ascentOf(item, layout, flow)
        : (autoMargins(before, after, crossFree) ?? alignmentOffset(item.align, crossFree));
    const position = { main: main + autoBefore + mainBefore, cross: offset + crossBefore, layout };
    main += autoBefore + mainSizes[i] + mainMargin + autoAfter + gap + between;
    return position;
  });
}

/** The margins before and after an item along the main axis; with `isRow` inverted, across. */
function mainMargins({ node: { margin = [0, 0, 0, 0] } }: FlexBox, isRow: boolean): readonly [Margin, Margin] {
  return isRow ? [margin[3], margin[1]] : [margin[0], margin[2]];
}

function isAuto(margin: Margin): margin is 'auto' {
  return margin === 'auto';
}

/** Returns the baseline of a container: of the first row's aligned items, or of the first item. */
function firstBaseline(
  { items }: Line,
  children: ReadonlyMap<FlexBox, BoxPlacement>,
  { isRow }: Flow,
): number | undefined {
  const first = items.find(({ align }) => isRow && align === 'baseline') ?? items[0];
  const placement = first && children.get(first.box);
  if (!placement) return undefined;
  const { y, layout } = placement;
  return y + (layout.baseline ?? layout.height);
}

// Layout of a grid container (CSS Grid 1), from left to right and top to bottom.
import type { TrackSize } from '../../contract/css/grid.js';
import { placeAbsolute } from '../flex/absolute.js';
import { alignmentOffset, autoMargins, justify } from '../flex/alignment.js';
import type { BoxLayout, BoxPlacement, BoxSpace, FlexBox, Widths } from '../flex/box.js';
import { inFlow, movedBy, startPadding } from '../flex/children.js';
import { clamp, truncate } from '../flex/layout-unit.js';
import type { ContentAlignment, Grid } from '../flex/node.js';
import { fixedMargins, marginSums, paddingSums } from '../flex/sizing.js';
import { layOutTable, tableWidths } from '../table/container.js';
import {
  ascentOf,
  type GridItem,
  gridItem,
  isOnBaseline,
  layOutItem,
  measureItem,
  type OuterSizes,
  outerHeights,
  outerWidths,
} from './items.js';
import { placeItems, type TrackSpan } from './placement.js';
import { allTracks, expandTemplate, type Room, resolveBreadth, spanAmong, usedTracks } from './template.js';
import { type Constraint, type Contributions, createTrack, sizeTracks, totalOf } from './track-sizing.js';

/** A grid with its items in their places, before any size is known. */
interface PlacedGrid {
  readonly box: FlexBox;
  readonly grid: Grid;
  readonly items: readonly GridItem[];
  readonly columns: readonly TrackSize[];
  readonly rows: readonly TrackSize[];
  readonly columnRoom: Room;
  readonly rowRoom: Room;
  /** Height that percentages refer to; undefined if they are auto. */
  readonly percentageHeight: number | undefined;
}

function placeGrid(
  box: FlexBox,
  grid: Grid,
  columnRoom: Room,
  rowRoom: Room,
  percentageHeight: number | undefined,
): PlacedGrid {
  const columns = expandTemplate(grid.columns, columnRoom, 'columns');
  const rows = expandTemplate(grid.rows, rowRoom, 'rows');
  const children = inFlow(box);
  const { isRowFlow, isDense } = grid;
  const placement = placeItems(
    children.map(({ node: { gridColumn, gridRow } }) => ({ column: gridColumn, row: gridRow })),
    {
      explicit: { columns: columns.sizes.length, rows: rows.sizes.length },
      isRowFlow,
      isDense,
      charge: (steps) => box.charge(steps),
    },
  );
  const { areas } = placement;
  const usedColumns = usedTracks(
    columns,
    placement.columns,
    areas.map(({ column }) => column),
  );
  const usedRows = usedTracks(
    rows,
    placement.rows,
    areas.map(({ row }) => row),
  );
  const allColumns = allTracks(columns, grid.columns, placement.columns);
  const allRows = allTracks(rows, grid.rows, placement.rows);
  return {
    box,
    grid,
    items: children.map((child, i) =>
      gridItem(child, grid, {
        column: spanAmong(usedColumns, areas[i].column),
        row: spanAmong(usedRows, areas[i].row),
      }),
    ),
    columns: usedColumns.map((i) => allColumns[i]),
    rows: usedRows.map((i) => allRows[i]),
    columnRoom,
    rowRoom,
    percentageHeight,
  };
}

/** The room of the content box along an axis, from sizes of the border box. */
function roomOf(
  padding: number,
  size: number | undefined,
  min: number | undefined,
  max: number | undefined,
  gap: number,
): Room {
  const inner = (length: number | undefined) => (length === undefined ? undefined : Math.max(0, length - padding));
  return { size: inner(size), min: inner(min), max: max === Infinity ? undefined : inner(max), gap: truncate(gap) };
}

/** Returns the content widths of a grid. `height` is the border box's, if it is definite. */
export function gridWidths(box: FlexBox, grid: Grid, height: number | undefined): Widths {
  if (grid.isTable) return tableWidths(box, grid);
  const { node } = box;
  const [padding, paddingY] = paddingSums(node);
  const pixels = (length: unknown) => (typeof length === 'number' ? truncate(length) : undefined);
  const columnRoom = roomOf(padding, pixels(node.width), pixels(node.minWidth), pixels(node.maxWidth), grid.columnGap);
  const rowRoom = roomOf(paddingY, height, pixels(node.minHeight), pixels(node.maxHeight), grid.rowGap);
  const placed = placeGrid(box, grid, columnRoom, rowRoom, rowRoom.size);
  const width = (constraint: Constraint) =>
    padding + totalOf(sizeGrid(placed, constraint).columns.sizes, columnRoom.gap);
  const min = width('min');
  return { min, max: Math.max(min, width('max')) };
}

interface SizedGrid {
  readonly columns: PlacedTracks;
  readonly rows: PlacedTracks;
  /** The height of the content box. */
  readonly height: number;
}

/** Finds the sizes of the tracks (CSS Grid 1 section 11.1). */
function sizeGrid(placed: PlacedGrid, constraint: Constraint): SizedGrid {
  const { grid, items, columnRoom, rowRoom, percentageHeight } = placed;
  const columnsFor = (rows: PlacedTracks | undefined) =>
    alignTracks(sizeColumns(placed, constraint, rows), columnRoom, grid.justifyContent);
  const rowsFor = (columns: PlacedTracks) => {
    const sizes = sizeRows(placed, columns, rowRoom.size, percentageHeight);
    const height = rowRoom.size ?? clamp(totalOf(sizes, rowRoom.gap), rowRoom.min ?? 0, rowRoom.max ?? Infinity);
    // percentages and fractions of an automatic height wait until it is known
    const isKnown = rowRoom.size !== undefined || !placed.rows.some(isRelative);
    const final = isKnown ? sizes : sizeRows(placed, columns, height, height);
    return { rows: alignTracks(final, { ...rowRoom, size: height }, grid.alignContent), height };
  };
  let columns = columnsFor(undefined);
  const mayFollow = items.some(({ box: { mayFollowHeight } }) => mayFollowHeight);
  if (constraint !== 'none' && !mayFollow) return { columns, rows: { starts: [], sizes: [] }, height: 0 };
  const sized = rowsFor(columns);
  if (!mayFollow) return { columns, ...sized };
  columns = columnsFor(sized.rows);
  return { columns, ...rowsFor(columns) };
}

export function layOutGrid(box: FlexBox, grid: Grid, space: BoxSpace): BoxLayout {
  if (grid.isTable) return layOutTable(box, grid, space);
  const [paddingX, paddingY] = paddingSums(box.node);
  const columnRoom = roomOf(paddingX, space.width, undefined, undefined, grid.columnGap);
  const rowRoom = roomOf(paddingY, space.height, space.minHeight, space.maxHeight, grid.rowGap);
  const percentageHeight = space.isDefinite ? rowRoom.size : undefined;
  const placed = placeGrid(box, grid, columnRoom, rowRoom, percentageHeight);
  const { items } = placed;
  const { columns, rows, height } = sizeGrid(placed, 'none');
  const [left, top] = startPadding(box);
  const boxes = placeInAreas(items, columns, rows);
  const children = new Map<FlexBox, BoxPlacement>();
  items.forEach((item, i) => {
    const { x, y, layout } = boxes[i];
    children.set(item.box, { x: left + x, y: top + y, layout });
  });
  const layout = { width: space.width, height: space.height ?? paddingY + height };
  return {
    ...layout,
    baseline: firstBaseline(items, children),
    children: box.children.map((child) => children.get(child) ?? placeAbsolute(child, box, grid, layout)),
  };
}

function isRelative({ min, max, limit }: TrackSize): boolean {
  return [min, max, limit].some((size) => typeof size === 'object');
}

/** Tracks with their places, from the edge of the content box. */
interface PlacedTracks {
  readonly starts: readonly number[];
  readonly sizes: readonly number[];
}

function alignTracks(sizes: readonly number[], { size = 0, gap }: Room, alignment: ContentAlignment): PlacedTracks {
  const free = size - totalOf(sizes, gap);
  const { start, between } = justify(alignment === 'stretch' ? 'start' : alignment, free, sizes.length);
  let at = start;
  const starts = sizes.map((length) => {
    const from = at;
    at += length + gap + between;
    return from;
  });
  return { starts, sizes };
}

/** The start and size of an area along an axis. */
function areaIn(
  { starts, sizes }: PlacedTracks,
  { start, end }: TrackSpan,
): { readonly at: number; readonly size: number } {
  const at = starts[start];
  return { at, size: starts[end - 1] + sizes[end - 1] - at };
}

/** The items' sizes along an axis as what they add to its tracks. */
function contributionsOf(
  placed: PlacedGrid,
  axis: 'column' | 'row',
  basis: number | undefined,
  sizesOf: (item: GridItem) => OuterSizes,
  shims?: ReadonlyMap<GridItem, number>,
): Contributions[] {
  const sizes = axis === 'column' ? placed.columns : placed.rows;
  const { gap } = axis === 'column' ? placed.columnRoom : placed.rowRoom;
  const tracks = sizes.map((size) => createTrack(size, basis));
  return placed.items.map((item) => {
    const span = item.area[axis];
    let known: OuterSizes | undefined;
    const own = () => {
      known ??= sizesOf(item);
      return known;
    };
    const shim = shims?.get(item) ?? 0;
    return {
      span,
      minContent: () => own().min + shim,
      maxContent: () => own().max + shim,
      minimum() {
        const spanned = tracks.slice(span.start, span.end);
        const hasFlexible = spanned.some(({ max }) => max === 'flexible');
        const isAutomatic = spanned.some(({ min }) => min === 'auto') && !(spanned.length > 1 && hasFlexible);
        const most = spanned.reduce(
          (sum, { max }) => sum + (typeof max === 'number' ? max : Infinity),
          gap * (spanned.length - 1),
        );
        return own().minimum(isAutomatic, most, shim);
      },
    };
  });
}

/** `rows`: undefined before they have sizes. */
function sizeColumns(placed: PlacedGrid, constraint: Constraint, rows: PlacedTracks | undefined): number[] {
  const { columns, columnRoom, box, grid } = placed;
  const basis = constraint === 'none' ? columnRoom.size : undefined;
  const heightOf = ({ area: { row } }: GridItem) => (rows ? areaIn(rows, row).size : fixedHeight(placed, row));
  const items = contributionsOf(placed, 'column', basis, (item) => outerWidths(item, heightOf(item)));
  return sizeTracks(columns, items, {
    constraint,
    basis,
    room: columnRoom,
    isStretched: grid.justifyContent === 'stretch',
    charge: (steps) => box.charge(steps),
  });
}

/** The height of rows whose sizes do not follow from items or room; undefined for others. */
function fixedHeight({ rows, rowRoom, percentageHeight }: PlacedGrid, { start, end }: TrackSpan): number | undefined {
  let sum = rowRoom.gap * (end - start - 1);
  for (const { min, max } of rows.slice(start, end)) {
    const size = typeof max === 'object' && 'fr' in max ? undefined : resolveBreadth(max, percentageHeight);
    if (size === undefined || resolveBreadth(min, percentageHeight) !== size) return undefined;
    sum += size;
  }
  return sum;
}

function sizeRows(
  placed: PlacedGrid,
  columns: PlacedTracks,
  size: number | undefined,
  basis: number | undefined,
): number[] {
  const { rows, rowRoom, items, box, grid } = placed;
  const widthOf = ({ area: { column } }: GridItem) => areaIn(columns, column).size;
  const heightOf = ({ area: { row } }: GridItem) => fixedHeight(placed, row);
  const shims = baselineShims(items, (item) => measureItem(item, widthOf(item), heightOf(item)).layout);
  const sizes = (item: GridItem) => outerHeights(item, widthOf(item), heightOf(item));
  return sizeTracks(rows, contributionsOf(placed, 'row', basis, sizes, shims), {
    constraint: 'none',
    basis,
    room: { ...rowRoom, size },
    isStretched: grid.alignContent === 'stretch',
    charge: (steps) => box.charge(steps),
  });
}

/** How far each item lies lower so that the baselines in its row are one. */
function baselineShims(
  items: readonly GridItem[],
  layoutOf: (item: GridItem) => BoxLayout,
): ReadonlyMap<GridItem, number> {
  const ascents = new Map<GridItem, number>();
  const rows = new Map<number, number>();
  for (const item of items.filter(isOnBaseline)) {
    const ascent = ascentOf(item, layoutOf(item));
    const { start } = item.area.row;
    ascents.set(item, ascent);
    rows.set(start, Math.max(rows.get(start) ?? -Infinity, ascent));
  }
  return new Map([...ascents].map(([item, ascent]) => [item, rows.get(item.area.row.start)! - ascent]));
}

function placeInAreas(items: readonly GridItem[], columns: PlacedTracks, rows: PlacedTracks): BoxPlacement[] {
  const layouts = new Map<GridItem, BoxLayout>();
  for (const item of items) {
    const { column, row } = item.area;
    layouts.set(item, layOutItem(item, areaIn(columns, column).size, areaIn(rows, row).size));
  }
  const shims = baselineShims(items, (item) => layouts.get(item)!);
  return items.map((item) => {
    const { box, area, justify: across, align } = item;
    const layout = layouts.get(item)!;
    const [column, row] = [areaIn(columns, area.column), areaIn(rows, area.row)];
    const [marginX, marginY] = marginSums(box.node);
    const [marginTop, , , marginLeft] = fixedMargins(box.node.margin);
    const [before, right, below, left] = box.node.margin ?? [0, 0, 0, 0];
    const [freeX, freeY] = [column.size - layout.width - marginX, row.size - layout.height - marginY];
    const x = autoMargins(left, right, freeX) ?? alignmentOffset(across, freeX);
    const y = shims.get(item) ?? autoMargins(before, below, freeY) ?? alignmentOffset(align, freeY);
    const place = movedBy(box, column.at + x + marginLeft, row.at + y + marginTop, column.size, row.size);
    return { ...place, layout };
  });
}

/** Returns the baseline of the first row with items: that of those aligned to it, or of the first item. */
function firstBaseline(items: readonly GridItem[], children: ReadonlyMap<FlexBox, BoxPlacement>): number | undefined {
  const first = items.reduce((least, { area }) => Math.min(least, area.row.start), Infinity);
  const inRow = items.filter(({ area }) => area.row.start === first);
  const leftmost = inRow.reduce<GridItem | undefined>(
    (found, item) => (found && found.area.column.start <= item.area.column.start ? found : item),
    undefined,
  );
  const item = inRow.find(isOnBaseline) ?? leftmost;
  if (!item) return undefined;
  const { y, layout } = children.get(item.box)!;
  return y + (layout.baseline ?? layout.height);
}

// Layout of a table: cells lie in columns that are as wide as their texts ask for, and fill their areas.
import { placeAbsolute } from '../flex/absolute.js';
import {
  type BoxLayout,
  type BoxPlacement,
  type BoxSpace,
  exactSpace,
  type FlexBox,
  openSpace,
  type Widths,
} from '../flex/box.js';
import { inFlow, movedBy, startPadding } from '../flex/children.js';
import { clamp, truncate } from '../flex/layout-unit.js';
import type { Grid } from '../flex/node.js';
import { paddingSums, resolveSizing } from '../flex/sizing.js';
import { type GridArea, placeItems } from '../grid/placement.js';
import { columnsOf, shareWidth, type TableCell, totalWidths } from './columns.js';

interface PlacedCell {
  readonly box: FlexBox;
  readonly area: GridArea;
}

interface PlacedTable {
  readonly cells: readonly PlacedCell[];
  readonly columns: number;
  readonly rows: number;
}

function placeCells(box: FlexBox): PlacedTable {
  const children = inFlow(box);
  const placement = placeItems(
    children.map(({ node: { gridColumn, gridRow } }) => ({ column: gridColumn, row: gridRow })),
    {
      explicit: { columns: 0, rows: 0 },
      isRowFlow: true,
      isDense: false,
      charge: (steps) => box.charge(steps),
    },
  );
  const cells = children.map((child, i) => ({ box: child, area: placement.areas[i] }));
  return { cells, columns: placement.columns.count, rows: placement.rows.count };
}

/** What a cell asks for of the widths of its columns. */
function cellWidths({ box, area }: PlacedCell): TableCell {
  const { node } = box;
  const sizing = resolveSizing(node, undefined, undefined);
  const content = box.intrinsicWidths(undefined, sizing);
  const min = Math.max(content.min, sizing.minWidth ?? 0);
  const isFixed = sizing.width !== undefined;
  const percent = typeof node.width === 'object' ? node.width.percent : undefined;
  return { ...area.column, min, max: Math.max(min, isFixed ? sizing.width! : content.max), percent, isFixed };
}

function gapsOf({ rowGap, columnGap }: Grid): { readonly row: number; readonly column: number } {
  return { row: truncate(rowGap), column: truncate(columnGap) };
}

/** Returns the content widths of a table. */
export function tableWidths(box: FlexBox, table: Grid): Widths {
  const { cells, columns } = placeCells(box);
  const gap = gapsOf(table).column;
  const { min, max } = totalWidths(columnsOf(cells.map(cellWidths), columns, gap));
  const [padding] = paddingSums(box.node);
  const outside = padding + gap * Math.max(0, columns - 1);
  return { min: min + outside, max: max + outside };
}

export function layOutTable(box: FlexBox, table: Grid, space: BoxSpace): BoxLayout {
  const { cells, columns, rows } = placeCells(box);
  const gap = gapsOf(table);
  const [paddingX, paddingY] = paddingSums(box.node);
  const wide = Math.max(0, space.width - paddingX - gap.column * Math.max(0, columns - 1));
  const widths = shareWidth(columnsOf(cells.map(cellWidths), columns, gap.column), wide);
  const [left, top] = startPadding(box);
  const columnStarts = startsOf(widths, gap.column);
  const widthOf = ({ area: { column } }: PlacedCell) => extentOf(widths, gap.column, column);
  const natural = rowHeights(cells, rows, gap.row, widthOf);
  const content = natural.reduce((sum, height) => sum + height, 0) + gap.row * Math.max(0, rows - 1);
  const height = space.height ?? clamp(paddingY + content, space.minHeight ?? 0, space.maxHeight);
  const heights = stretched(natural, height - paddingY - content);
  const rowStarts = startsOf(heights, gap.row);
  const children = new Map<FlexBox, BoxPlacement>();
  for (const cell of cells) {
    const { column, row } = cell.area;
    const high = extentOf(heights, gap.row, row);
    const layout = cell.box.layOut(exactSpace(widthOf(cell), high, false));
    const place = movedBy(cell.box, left + columnStarts[column.start], top + rowStarts[row.start], space.width, height);
    children.set(cell.box, { ...place, layout });
  }
  const layout = { width: space.width, height };
  return {
    ...layout,
    baseline: firstBaseline(cells, children),
    children: box.children.map((child) => children.get(child) ?? placeAbsolute(child, box, table, layout)),
  };
}

function startsOf(sizes: readonly number[], gap: number): number[] {
  let at = 0;
  return sizes.map((size) => {
    const start = at;
    at += size + gap;
    return start;
  });
}

/** The room of tracks that follow each other, with the gaps between them. */
function extentOf(sizes: readonly number[], gap: number, { start, end }: { start: number; end: number }): number {
  return sizes.slice(start, end).reduce((sum, size) => sum + size, 0) + gap * (end - start - 1);
}

/** Each row is as high as its highest cell; cells over several rows make these higher in proportion. */
function rowHeights(
  cells: readonly PlacedCell[],
  count: number,
  gap: number,
  widthOf: (cell: PlacedCell) => number,
): number[] {
  const heights = Array.from({ length: count }, () => 0);
  const spanOf = ({ area: { row } }: PlacedCell) => row.end - row.start;
  for (const cell of [...cells].sort((one, other) => spanOf(one) - spanOf(other))) {
    const { start, end } = cell.area.row;
    const sizing = resolveSizing(cell.box.node, undefined, undefined);
    const least = Math.max(sizing.height ?? 0, sizing.minHeight ?? 0);
    const high = cell.box.layOut(openSpace(widthOf(cell), least)).height;
    if (end - start === 1) heights[start] = Math.max(heights[start], high);
    else {
      const spanned = heights.slice(start, end);
      const more = high - extentOf(heights, gap, cell.area.row);
      heights.splice(start, end - start, ...stretched(spanned, more));
    }
  }
  return heights;
}

/** Rows with spare room shared in proportion to their heights; the last takes all of it if none has a height. */
function stretched(heights: readonly number[], more: number): number[] {
  if (more <= 0 || heights.length === 0) return [...heights];
  const total = heights.reduce((sum, height) => sum + height, 0);
  const shared = heights.map((height) => (total > 0 ? height + truncate((more * height) / total) : height));
  shared[shared.length - 1] += total + more - shared.reduce((sum, height) => sum + height, 0);
  return shared;
}

/** Returns the baseline of the first cell of the first row. */
function firstBaseline(cells: readonly PlacedCell[], children: ReadonlyMap<FlexBox, BoxPlacement>): number | undefined {
  const first = cells.find(({ area }) => area.row.start === 0);
  if (!first) return undefined;
  const { y, layout } = children.get(first.box)!;
  return y + (layout.baseline ?? layout.height);
}

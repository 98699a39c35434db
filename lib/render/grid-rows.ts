// The rows of a grid, between which a page may end: those of a table, for example. Each page has a grid of the rows on it.
import type { GridPlace, TrackSize } from '../contract/css/grid.js';
import type { GroupLayer, Layer } from '../contract/layers/index.js';

/** The rows of a grid on a page. */
export interface GridPart {
  /** Their numbers before pages were broken, in order. */
  readonly rows: number[];
  /** The widths of the columns, which rows on other pages have a say in; undefined if not all are known. */
  readonly columns: readonly number[] | undefined;
}

/** A row of a grid that was laid out. */
interface GridRow {
  readonly row: number;
  readonly height: number;
  /** Whether it is on each page that the grid is on. */
  readonly isHead: boolean;
  /** The index of its first layer. */
  readonly index: number;
}

type Placed = Layer & { readonly gridRow: GridPlace & { readonly start: number } };

const isInFlow = (layer: Layer): boolean => layer.visible && !layer.isAbsolute;

function isPlaced(layer: Layer): layer is Placed {
  const { gridRow } = layer;
  return gridRow?.start !== undefined && gridRow.start > 0 && endOf(gridRow, gridRow.start) > gridRow.start;
}

/** The line where a place ends. */
function endOf({ end, span }: GridPlace, start: number): number {
  return end ?? start + span;
}

/** Whether the group is a grid without sizes of rows, all of whose layers say in which rows they are. */
export function hasRows({ layout, layers, gridTemplateRows }: GroupLayer): boolean {
  const inFlow = layers.filter(isInFlow);
  return layout === 'grid' && gridTemplateRows === undefined && inFlow.length > 0 && inFlow.every(isPlaced);
}

/** The rows of a grid that was laid out. `headHeight`: of those that repeat, with the gap beneath each. */
export function gridRows(group: GroupLayer): {
  readonly rows: readonly GridRow[];
  readonly heads: readonly number[];
  readonly headHeight: number;
} {
  const found = new Map<number, { top: number; bottom: number; isHead: boolean; index: number }>();
  for (const [index, layer] of group.layers.entries()) {
    if (!isInFlow(layer) || !isPlaced(layer)) continue;
    const { start } = layer.gridRow;
    if (endOf(layer.gridRow, start) > start + 1) continue;
    const [top, bottom] = [layer.y, layer.y + layer.height];
    const known = found.get(start) ?? { top, bottom, isHead: false, index };
    found.set(start, {
      top: Math.min(known.top, top),
      bottom: Math.max(known.bottom, bottom),
      isHead: known.isHead || layer.repeatOnPages === true,
      index: known.index,
    });
  }
  const rows = [...found]
    .sort(([a], [b]) => a - b)
    .map(([row, { top, bottom, isHead, index }]) => ({ row, height: bottom - top, isHead, index }));
  const heads = rows.filter(({ isHead }) => isHead);
  const headHeight = heads.reduce((sum, { height }) => sum + height + group.gap[0], 0);
  return { rows, heads: heads.map(({ row }) => row), headHeight };
}

/** A part of a grid that was laid out, with these rows so far. */
export function partOf(group: GroupLayer, rows: readonly number[]): GridPart {
  const widths: number[] = [];
  for (const layer of group.layers) {
    const { gridColumn, extents, width } = layer;
    const start = gridColumn?.start;
    if (!isInFlow(layer) || start === undefined || start < 1 || extents?.width !== 'fill') continue;
    if (endOf(gridColumn as GridPlace, start) === start + 1) widths[start - 1] = width;
  }
  const isKnown = widths.length > 0 && Array.from(widths).every((width) => width !== undefined);
  return { rows: [...rows], columns: isKnown ? widths : undefined };
}

/** The grid with the layers in the rows of a page, which become its first ones. `hide` makes a layer take no room. */
export function withRows(group: GroupLayer, { rows, columns }: GridPart, hide: (layer: Layer) => Layer): GroupLayer {
  const layers = group.layers.map((layer) => {
    if (!isInFlow(layer) || !isPlaced(layer)) return layer;
    const { start } = layer.gridRow;
    const end = endOf(layer.gridRow, start);
    const first = rows.findIndex((row) => row >= start);
    const span = rows.filter((row) => row >= start && row < end).length;
    return span === 0 ? hide(layer) : { ...layer, gridRow: { start: first + 1, span } };
  });
  const tracks = columns?.map((width): TrackSize => ({ min: width, max: width }));
  return { ...group, layers, ...(tracks && { gridTemplateColumns: { tracks } }) };
}

// Tables as groups of layout "table": the cells of all rows are its layers, with the backgrounds of their rows, and borders that
// are collapsed are shared out among the cells beside them.
import type { Box, ElementBox } from '../boxes.js';
import { rounded } from '../css/length.js';
import type { Style } from '../css/style.js';
import { splitTop } from '../css/tokens.js';
import type { MarkupReport } from '../report.js';
import { backgroundOf } from './decoration.js';
import type { LayerFields } from './fields.js';
import { borderWidths } from './sizes.js';

/** A cell in its columns and rows, from 0. */
interface Cell {
  readonly box: ElementBox;
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
  /** Its row, and the group of that, from the inside. */
  readonly owners: readonly ElementBox[];
}

export interface TableParts {
  /** The table in the style that its group has: borders and padding that are collapsed are none. */
  readonly table: ElementBox;
  /** Pixels around and between the cells: down and across. */
  readonly spacing: readonly [number, number];
  readonly cells: readonly TableCellBox[];
  readonly captions: readonly ElementBox[];
}

export interface TableCellBox {
  readonly box: ElementBox;
  readonly gridRow: number | string;
  readonly gridColumn: number | string;
  /** Fills behind the cell's own: those of its row and the group of that. */
  readonly fills: readonly unknown[];
  readonly align: 'top' | 'middle' | 'bottom';
}

const MAX_SPAN = 1000;
const GROUPS = ['table-header-group', 'table-row-group', 'table-footer-group'];

/** Finds the cells of a table. */
export function tableParts(table: ElementBox, report: MarkupReport): TableParts {
  const elements = table.children.filter((box): box is ElementBox => box.kind === 'box');
  const rows = rowsOf(elements);
  const cells = placed(rows);
  const widths = columnWidths(elements);
  const isCollapsed = table.style.get('borderCollapse') === 'collapse';
  const [across, down = across] = isCollapsed
    ? [0, 0]
    : splitTop(table.style.get('borderSpacing'), ' ').map((part) => table.style.parse(part)?.px ?? 0);
  const edges = isCollapsed ? new CollapsedEdges(table, cells) : undefined;
  return {
    table: edges ? { ...table, style: table.style.with(NO_EDGES) } : table,
    spacing: [down, across],
    captions: elements.filter(({ display }) => display === 'table-caption'),
    cells: cells.map((cell) => {
      const { box, row, column, rows: high, columns: wide, owners } = cell;
      const own = edges ? edges.styleOf(cell) : {};
      const width = wide === 1 && box.style.get('width') === 'auto' ? widths.get(column) : undefined;
      const height = owners[0]?.style.get('height') ?? 'auto';
      const style = box.style.with({
        ...own,
        ...(width !== undefined && { width }),
        ...(height !== 'auto' && box.style.get('height') === 'auto' && { height }),
      });
      return {
        box: { ...box, style },
        gridRow: high === 1 ? row + 1 : `${row + 1} / span ${high}`,
        gridColumn: wide === 1 ? column + 1 : `${column + 1} / span ${wide}`,
        fills: owners.flatMap((owner) => {
          const { backgroundColor } = backgroundOf(owner, report).fields;
          return backgroundColor === undefined ? [] : [backgroundColor].flat();
        }),
        align: alignOf(box.style.get('verticalAlign')),
      };
    }),
  };
}

function alignOf(value: string): 'top' | 'middle' | 'bottom' {
  return value === 'middle' || value === 'bottom' ? value : 'top';
}

interface Row {
  readonly cells: readonly ElementBox[];
  readonly owners: readonly ElementBox[];
}

/** The rows in the order of painting: headers come first, footers last. */
function rowsOf(elements: readonly ElementBox[]): Row[] {
  const ranked: { readonly rank: number; readonly row: Row }[] = [];
  const add = (boxes: readonly Box[], rank: number, group: readonly ElementBox[]) => {
    let loose: ElementBox[] = [];
    const end = () => {
      if (loose.length > 0) ranked.push({ rank, row: { cells: loose, owners: group } });
      loose = [];
    };
    for (const box of boxes) {
      if (box.kind === 'run') continue;
      if (GROUPS.includes(box.display)) {
        end();
        add(box.children, GROUPS.indexOf(box.display), [box, ...group]);
      } else if (box.display === 'table-row') {
        end();
        const cells = box.children.filter((child): child is ElementBox => child.kind === 'box');
        ranked.push({ rank, row: { cells, owners: [box, ...group] } });
      } else if (!/^table-c(?:aption|olumn)/.test(box.display)) loose.push(box);
    }
    end();
  };
  add(elements, 1, []);
  return ranked.sort((one, other) => one.rank - other.rank).map(({ row }) => row);
}

/** Puts the cells of each row in the columns that cells of rows above leave free (HTML section 4.9.12). */
function placed(rows: readonly Row[]): Cell[] {
  const cells: Cell[] = [];
  const taken = new Set<string>();
  rows.forEach(({ cells: boxes, owners }, row) => {
    let column = 0;
    for (const box of boxes) {
      while (taken.has(`${row} ${column}`)) column++;
      const columns = span(box.node.props.colspan ?? box.node.props.colSpan, MAX_SPAN);
      const high = span(box.node.props.rowspan ?? box.node.props.rowSpan, rows.length - row);
      for (let i = 0; i < high; i++) for (let j = 0; j < columns; j++) taken.add(`${row + i} ${column + j}`);
      cells.push({ box, row, column, rows: high, columns, owners });
      column += columns;
    }
  });
  return cells;
}

function span(value: unknown, most: number): number {
  const number = Math.floor(Number(value ?? 1));
  return number >= 1 ? Math.min(number, most) : 1;
}

/** Widths that `col` elements say. */
function columnWidths(elements: readonly ElementBox[]): ReadonlyMap<number, string> {
  const widths = new Map<number, string>();
  let at = 0;
  const visit = (boxes: readonly Box[]) => {
    for (const box of boxes) {
      if (box.kind === 'run') continue;
      const isGroup = box.display === 'table-column-group';
      if (isGroup && box.children.length > 0) visit(box.children);
      else if (isGroup || box.display === 'table-column') {
        const count = span(box.node.props.span, MAX_SPAN);
        const width = box.style.get('width');
        for (let i = 0; i < count; i++, at++) if (width !== 'auto') widths.set(at, width);
      }
    }
  };
  visit(elements);
  return widths;
}

type Side = 'Top' | 'Right' | 'Bottom' | 'Left';
const SIDES: readonly Side[] = ['Top', 'Right', 'Bottom', 'Left'];

interface Edge {
  readonly width: number;
  readonly style: string;
  readonly color: string;
}

const NO_EDGE: Edge = { width: 0, style: 'none', color: 'transparent' };
const NO_EDGES: Readonly<Record<string, string>> = Object.fromEntries(
  SIDES.flatMap((side) => [
    [`padding${side}`, '0'],
    [`border${side}Width`, '0'],
    [`border${side}Style`, 'none'],
  ]),
);

/**
 * Collapsed borders (CSS Tables 3 section 3.7). An edge lies in the middle of the line between two cells; the cell below or to
 * the right of it paints it, so that cells lie half a border further up and left than their lines.
 */
class CollapsedEdges {
  private readonly slots = new Map<string, Cell>();
  private readonly rowCount: number;
  private readonly columnCount: number;
  /** The widest edge on each line. */
  private readonly widest = { row: new Map<number, number>(), column: new Map<number, number>() };

  constructor(
    private readonly table: ElementBox,
    cells: readonly Cell[],
  ) {
    this.rowCount = cells.reduce((most, { row, rows }) => Math.max(most, row + rows), 0);
    this.columnCount = cells.reduce((most, { column, columns }) => Math.max(most, column + columns), 0);
    for (const cell of cells) {
      for (let i = 0; i < cell.rows; i++)
        for (let j = 0; j < cell.columns; j++) this.slots.set(`${cell.row + i} ${cell.column + j}`, cell);
    }
    for (const cell of cells) {
      for (const side of SIDES) {
        const line = lineOf(cell, side);
        const lines = side === 'Top' || side === 'Bottom' ? this.widest.row : this.widest.column;
        lines.set(line, Math.max(lines.get(line) ?? 0, this.edge(cell, side).width));
      }
    }
  }

  /** The borders and the padding of a cell. */
  styleOf(cell: Cell): Record<string, string> {
    const values: Record<string, string> = {};
    for (const side of SIDES) {
      const { width, style, color } = this.edge(cell, side);
      const line = lineOf(cell, side);
      const isRow = side === 'Top' || side === 'Bottom';
      const half = ((isRow ? this.widest.row : this.widest.column).get(line) ?? 0) / 2;
      const isPainted =
        side === 'Top' || side === 'Left' || line === (side === 'Bottom' ? this.rowCount : this.columnCount);
      // the room from the edge of the layer to the padding: half of the line's widest edge more, or less
      const room = isPainted ? half + width / 2 : width / 2 - half;
      const painted = isPainted ? width : 0;
      const padding = cell.box.style.length(`padding${side}`) ?? { px: 0, percent: 0 };
      values[`border${side}Width`] = `${painted}px`;
      values[`border${side}Style`] = painted === 0 ? 'none' : style;
      values[`border${side}Color`] = color;
      values[`padding${side}`] = `${rounded(Math.max(0, padding.px + room - painted))}px`;
    }
    return values;
  }

  /** The border that wins on a side of a cell. */
  private edge(cell: Cell, side: Side): Edge {
    const opposite = OPPOSITE[side];
    const beyond = this.neighbour(cell, side);
    const isOuter = lineOf(cell, side) === 0 || beyond === undefined;
    const isRowSide = side === 'Top' || side === 'Bottom';
    const owned = (owners: readonly ElementBox[], of: Side) => owners.map((owner) => edgeOf(owner.style, of));
    const own = isRowSide || cell.column === 0 || cell.column + cell.columns === this.columnCount ? cell.owners : [];
    const rowEdges = owned(own.slice(0, 1), side);
    const candidates = [
      edgeOf(cell.box.style, side),
      ...(beyond ? [edgeOf(beyond.box.style, opposite)] : []),
      ...rowEdges,
      ...(beyond && isRowSide ? owned(beyond.owners.slice(0, 1), opposite) : []),
      ...(isOuter ? owned(own.slice(1), side) : []),
      ...(isOuter ? [edgeOf(this.table.style, side)] : []),
    ];
    if (candidates.some(({ style }) => style === 'hidden')) return NO_EDGE;
    return candidates.reduce((best, edge) => (isStronger(edge, best) ? edge : best), NO_EDGE);
  }

  private neighbour({ row, column, rows, columns }: Cell, side: Side): Cell | undefined {
    switch (side) {
      case 'Top':
        return this.slots.get(`${row - 1} ${column}`);
      case 'Bottom':
        return this.slots.get(`${row + rows} ${column}`);
      case 'Left':
        return this.slots.get(`${row} ${column - 1}`);
      case 'Right':
        return this.slots.get(`${row} ${column + columns}`);
    }
  }
}

const OPPOSITE: Readonly<Record<Side, Side>> = { Top: 'Bottom', Bottom: 'Top', Left: 'Right', Right: 'Left' };

function lineOf({ row, column, rows, columns }: Cell, side: Side): number {
  switch (side) {
    case 'Top':
      return row;
    case 'Bottom':
      return row + rows;
    case 'Left':
      return column;
    case 'Right':
      return column + columns;
  }
}

function edgeOf(style: Style, side: Side): Edge {
  const kind = style.get(`border${side}Style`);
  return { width: borderWidths(style)[SIDES.indexOf(side)], style: kind, color: style.color(`border${side}Color`) };
}

const STRENGTH = ['none', 'inset', 'groove', 'outset', 'ridge', 'dotted', 'dashed', 'solid', 'double'];

function isStronger(one: Edge, other: Edge): boolean {
  if (one.width !== other.width) return one.width > other.width;
  return one.width > 0 && STRENGTH.indexOf(one.style) > STRENGTH.indexOf(other.style);
}

/** A cell's layer in its place, with its content where `vertical-align` says. */
export function cellLayer(layer: LayerFields, { gridRow, gridColumn, fills, align }: TableCellBox): LayerFields {
  const { shrink: _, grow: __, margin: ___, alignSelf: ____, ...fields } = layer;
  const own = fields.backgroundColor === undefined ? [] : [fields.backgroundColor].flat();
  const all = [...own, ...fills];
  const place = {
    ...fields,
    gridRow,
    gridColumn,
    ...(all.length > 0 && { backgroundColor: all.length === 1 ? all[0] : all }),
  };
  if (align === 'top') return place;
  if (layer.type === 'text') return { ...place, verticalAlign: align };
  const { layers: inside, layout, alignItems, ...others } = place as LayerFields;
  const layers = inside as LayerFields[];
  if (layers.length === 0) return place;
  // a group of its own is as high as the content
  const isColumn = layout === 'column' && layers.every(({ position }) => position !== 'absolute');
  const inner = isColumn
    ? layers
    : [
        {
          type: 'group',
          width: 'auto',
          height: 'auto',
          layout,
          ...(alignItems !== undefined && { alignItems }),
          layers,
        },
      ];
  const justifyContent = align === 'middle' ? 'center' : 'end';
  return { ...others, layout: 'column', alignItems: 'stretch', justifyContent, layers: inner };
}

// Tables. On narrow windows each row becomes a block, with the columns' names beside the values.
import type { ComponentChildren } from 'preact';
import { Skeleton } from './feedback.js';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** `end` is for numbers. */
  readonly align?: 'start' | 'end';
  /** Shows the name to screen readers only, as above buttons. */
  readonly isNameHidden?: boolean;
  /** Whether the column identifies the row; it becomes the heading of its block on narrow windows. */
  readonly isTitle?: boolean;
  /** Whether it holds sentences; they get the whole width on narrow windows. */
  readonly isLong?: boolean;
  /** Whether it is short, like a badge; it stands beside the title on narrow windows. */
  readonly isState?: boolean;
  /** Width of the placeholder in rem; columns share the table's width in these proportions. */
  readonly skeleton?: string;
  /** Hides the column in windows too narrow for it, between phones and wide ones; in a compact table, on phones too. */
  readonly isMinor?: boolean;
  /** Hides the column up to even wider windows, but not on phones. */
  readonly isExtra?: boolean;
}

export interface TableProps<Row> {
  /** Its accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** The rows; undefined while they load. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Called on a click on a row. Put a button or link into the title cell too, for the keyboard. */
  readonly onRow?: (row: Row) => void;
  /** Whether the table has a few short columns, which fit into any window. */
  readonly isCompact?: boolean;
  /** Number of placeholder rows. */
  readonly loadingRows?: number;
  /** Whether the rows still belong to the previous filters. */
  readonly isStale?: boolean;
}

const SKELETON = '5rem';
/** Space around a cell's content, in rem. */
const PADDING = 2;

/** Computes each column's width in percent, so that columns don't move when their content arrives. */
function sharesOf(columns: readonly Column<never>[]): number[] {
  const widths = columns.map(({ skeleton = SKELETON }) => Number.parseFloat(skeleton) + PADDING);
  const sum = widths.reduce((total, width) => total + width, 0);
  return widths.map((width) => (100 * width) / sum);
}

/** Returns the class that hides a column if there is no room for it. */
function narrowClass({ isMinor, isExtra }: Pick<Column<never>, 'isMinor' | 'isExtra'>): string | undefined {
  if (isExtra) return 'cell-extra';
  return isMinor ? 'cell-minor' : undefined;
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, onRow, loadingRows = 5, isStale = false, isCompact = false } = props;
  const classOf = ({ align, isTitle, isLong, isState, ...column }: Column<Row>) =>
    [
      align === 'end' && 'cell-end',
      isTitle && 'cell-title',
      isLong && 'cell-long',
      isState && 'cell-state',
      narrowClass(column),
    ]
      .filter(Boolean)
      .join(' ') || undefined;
  const dataLabel = (column: Column<Row>) =>
    column.isTitle || column.isState || column.isNameHidden ? undefined : column.name;
  return (
    <div class="table-frame" data-stale={isStale || undefined}>
      {/* its roles survive the layout of narrow windows only if they are named */}
      <table
        class={isCompact ? 'table table-compact' : 'table table-stacked'}
        role="table"
        aria-label={label}
        aria-busy={!rows || isStale || undefined}
      >
        <colgroup>
          {sharesOf(columns).map((share, index) => (
            <col key={columns[index].name} class={narrowClass(columns[index])} style={{ width: `${share}%` }} />
          ))}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.name} scope="col" role="columnheader" class={classOf(column)}>
                {column.isNameHidden ? <span class="visually-hidden">{column.name}</span> : column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows?.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              class={onRow && 'is-clickable'}
              onClick={
                onRow &&
                ((event) => {
                  // a control in the row handles its own clicks, and selecting text is no click
                  if ((event.target as Element).closest('a, button, input, label')) return;
                  if (getSelection()?.type !== 'Range') onRow(row);
                })
              }
            >
              {columns.map((column) => (
                <td key={column.name} role="cell" class={classOf(column)} data-label={dataLabel(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {!rows &&
            Array.from({ length: loadingRows }, (_, index) => (
              <tr key={index} role="row">
                {columns.map((column) => (
                  <td key={column.name} role="cell" class={classOf(column)} data-label={dataLabel(column)}>
                    <Skeleton width={column.skeleton ?? SKELETON} />
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

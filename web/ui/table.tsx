// Tables. On narrow windows each row becomes a block of its own, with the columns' names beside the values.
import type { ComponentChildren } from 'preact';
import { Skeleton } from './feedback.js';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** `end`: numbers. */
  readonly align?: 'start' | 'end';
  /** For screen readers only, as above buttons. */
  readonly isNameHidden?: boolean;
  /** What a row is recognised by; the heading of its block on narrow windows. */
  readonly isTitle?: boolean;
  /** Sentences; the whole width on narrow windows. */
  readonly isLong?: boolean;
  /** Short, as a badge is; beside the title on narrow windows. */
  readonly isState?: boolean;
  /** Width of the placeholder while it loads, in rem; columns share the table's width in proportion to these. */
  readonly skeleton?: string;
  /** Left out between phones and wide windows, where it would not fit; in a compact table on phones, too. */
  readonly isMinor?: boolean;
  /** Left out between phones and windows that are wider still. */
  readonly isExtra?: boolean;
}

export interface TableProps<Row> {
  /** Its accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** undefined while they load. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** A click on a row does this. Put a button or link into its title cell too, for the keyboard. */
  readonly onRow?: (row: Row) => void;
  /** A few short columns, which fit into any window. */
  readonly isCompact?: boolean;
  /** Rows of placeholders. */
  readonly loadingRows?: number;
  /** The rows are those of the filters before. */
  readonly isStale?: boolean;
}

const SKELETON = '5rem';
/** Around a cell's content, in rem. */
const PADDING = 2;

/** Of each column, in percent: columns don't move when what they hold arrives. */
function sharesOf(columns: readonly Column<never>[]): number[] {
  const widths = columns.map(({ skeleton = SKELETON }) => Number.parseFloat(skeleton) + PADDING);
  const sum = widths.reduce((total, width) => total + width, 0);
  return widths.map((width) => (100 * width) / sum);
}

/** Hides a column where there is no room for it. */
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
                  // a control in the row does its own work, and a selection of text is none
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

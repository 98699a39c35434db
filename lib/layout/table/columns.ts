// Widths of the columns of a table (CSS Tables 3 section 4, the automatic algorithm as Chromium has it).
import { truncate } from '../flex/layout-unit.js';

/** What a cell or a column asks for. Widths are those of border boxes. */
export interface ColumnWidths {
  readonly min: number;
  readonly max: number;
  /** Percentage of the table's width. */
  readonly percent: number | undefined;
  /** Whether `max` is a width that a field says. */
  readonly isFixed: boolean;
}

export interface TableCell extends ColumnWidths {
  readonly start: number;
  readonly end: number;
}

/** Finds what the columns ask for from their cells; those over several columns come after those over fewer. */
export function columnsOf(cells: readonly TableCell[], count: number, gap: number): ColumnWidths[] {
  const columns: ColumnWidths[] = Array.from({ length: count }, () => ({
    min: 0,
    max: 0,
    percent: undefined,
    isFixed: false,
  }));
  const spanOf = ({ start, end }: TableCell) => end - start;
  const sorted = [...cells].sort((one, other) => spanOf(one) - spanOf(other));
  for (const cell of sorted) {
    if (spanOf(cell) === 1) columns[cell.start] = joined(columns[cell.start], cell);
    else widen(columns, cell, gap);
  }
  return columns;
}

function joined(column: ColumnWidths, cell: ColumnWidths): ColumnWidths {
  const min = Math.max(column.min, cell.min);
  const isFixed = column.isFixed || cell.isFixed;
  // a width of the column wins over what the content would like
  const wanted = [column, cell].filter((each) => !isFixed || each.isFixed).map((each) => each.max);
  const percents = [column.percent, cell.percent].filter((percent) => percent !== undefined);
  const percent = percents.length === 0 ? undefined : Math.max(...percents);
  return { min, max: Math.max(min, ...wanted), percent, isFixed };
}

/** Shares the widths of a cell among the columns that it is over. */
function widen(columns: ColumnWidths[], { start, end, min, max }: TableCell, gap: number): void {
  const spanned = columns.slice(start, end);
  const gaps = gap * (end - start - 1);
  const least = shareWidth(spanned, min - gaps);
  const most = shareWidth(spanned, Math.max(min, max) - gaps);
  spanned.forEach((column, i) => {
    const width = Math.max(column.min, least[i]);
    columns[start + i] = { ...column, min: width, max: Math.max(width, column.max, most[i]) };
  });
}

/** The widths that a table has between its least and its natural one. */
export function totalWidths(columns: readonly ColumnWidths[]): { readonly min: number; readonly max: number } {
  const sum = (list: readonly ColumnWidths[], key: 'min' | 'max') => list.reduce((total, each) => total + each[key], 0);
  const shares = columns.filter(({ percent }) => percent !== undefined);
  const others = columns.filter(({ percent }) => percent === undefined);
  const percents = Math.min(
    100,
    shares.reduce((total, { percent = 0 }) => total + percent, 0),
  );
  const min = sum(columns, 'min');
  let max = sum(columns, 'max');
  for (const { percent = 0, max: wanted } of shares) if (percent > 0) max = Math.max(max, (wanted * 100) / percent);
  const rest = sum(others, 'max');
  if (shares.length > 0 && rest > 0 && percents < 100) max = Math.max(max, (rest * 100) / (100 - percents));
  return { min, max: Math.max(min, max) };
}

/** Shares a width among columns: none is narrower than its least width. */
export function shareWidth(columns: readonly ColumnWidths[], width: number): number[] {
  const shareOf = ({ min, percent = 0 }: ColumnWidths) => Math.max(min, truncate((width * percent) / 100));
  const isShare = ({ percent }: ColumnWidths) => percent !== undefined;
  // from the narrowest guess to the widest, in each of which more kinds of columns have what they ask for
  const guesses = [
    columns.map(({ min }) => min),
    columns.map((column) => (isShare(column) ? shareOf(column) : column.min)),
    columns.map((column) => (isShare(column) ? shareOf(column) : column.isFixed ? column.max : column.min)),
    columns.map((column) => (isShare(column) ? shareOf(column) : column.max)),
  ];
  const above = guesses.findIndex((guess) => totalOf(guess) > width);
  if (above === 0 || columns.length === 0) return guesses[0];
  const below = guesses[above < 0 ? guesses.length - 1 : above - 1];
  const rest = width - totalOf(below);
  if (above > 0) {
    const growth = guesses[above].map((size, i) => size - below[i]);
    return addShares(below, growth, rest);
  }
  const auto = columns.map((column) => (isShare(column) || column.isFixed ? 0 : 1));
  const fixed = columns.map((column) => (!isShare(column) && column.isFixed ? 1 : 0));
  const kind = [auto, fixed].find((flags) => flags.includes(1)) ?? columns.map(() => 1);
  const weights = columns.map(({ max, percent }, i) => kind[i] * (percent ?? max));
  return addShares(below, totalOf(weights) > 0 ? weights : kind, rest);
}

/** Adds `rest` in proportion to weights; the last of the columns that grow takes what is lost below a 64th of a pixel. */
function addShares(sizes: readonly number[], weights: readonly number[], rest: number): number[] {
  const total = totalOf(weights);
  if (total <= 0 || rest <= 0) return [...sizes];
  const grown = sizes.map((size, i) => size + truncate((rest * weights[i]) / total));
  const last = weights.findLastIndex((weight) => weight > 0);
  grown[last] += totalOf(sizes) + rest - totalOf(grown);
  return grown;
}

function totalOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

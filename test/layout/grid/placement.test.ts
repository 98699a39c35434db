// The places of items in a grid: CSS Grid 1 section 8, and bounds of the work.
import fc from 'fast-check';
import t from 'tap';
import { type GridPlace, gridPlace } from '../../../lib/contract/css/grid.js';
import { LayoutBudget, LayoutError } from '../../../lib/layout/flex/budget.js';
import { type ItemPlaces, type PlacementOptions, placeItems } from '../../../lib/layout/grid/placement.js';

type Options = Partial<Omit<PlacementOptions, 'explicit'>> & { readonly columns?: number; readonly rows?: number };

function place(items: readonly ItemPlaces[], { columns = 0, rows = 0, ...options }: Options = {}) {
  const budget = new LayoutBudget();
  const charge = (steps: number) => budget.spend(steps);
  return placeItems(items, { explicit: { columns, rows }, isRowFlow: true, isDense: false, charge, ...options });
}

const placeOf = (css: string | number | undefined) => gridPlace().parse(css) as GridPlace | undefined;
const item = (column?: string | number, row?: string | number): ItemPlaces => ({
  column: placeOf(column),
  row: placeOf(row),
});

/** `column-row` of each item's first cell, and its size where it is not 1. */
function cells(items: readonly ItemPlaces[], options: Options = {}): string[] {
  return place(items, options).areas.map(({ column, row }) => {
    const size = [column.end - column.start, row.end - row.start].join('x');
    return `${column.start}-${row.start}${size === '1x1' ? '' : ` ${size}`}`;
  });
}

t.test('resolves lines from both ends, spans, and ends in the wrong order', (t) => {
  const at = (column: string | number) => cells([item(column, 1)], { columns: 4 })[0];
  t.equal(at(2), '1-0');
  t.equal(at('1 / -1'), '0-0 4x1');
  t.equal(at('-1 / 1'), '0-0 4x1', 'swapped');
  t.equal(at('3 / 3'), '2-0', 'an end that is the start does not count');
  t.equal(at('2 / span 3'), '1-0 3x1');
  t.equal(at('span 2 / -1'), '2-0 2x1');
  t.equal(at('span 2 / span 3'), '0-0 2x1');
  t.equal(at('auto / 3'), '1-0');
  t.equal(at('4 / 8'), '3-0 4x1', 'beyond the template');
  t.end();
});

t.test('adds tracks before the first line', (t) => {
  const { columns, rows, areas } = place([item(-4, 1), item(1, '-3 / span 2')], { columns: 2, rows: 1 });
  t.same(columns, { count: 3, before: 1 });
  t.same(rows, { count: 2, before: 1 });
  t.same(areas[0], { column: { start: 0, end: 1 }, row: { start: 1, end: 2 } });
  t.end();
});

t.test('has tracks between the items and the line of no template only if one flows there', (t) => {
  t.same(place([item('-3 / span 1')]).columns, { count: 1, before: 2 });
  t.same(cells([item('-3 / span 1'), item()]), ['0-0', '1-0']);
  t.same(place([item('-3 / span 1'), item()]).columns, { count: 2, before: 2 });
  t.end();
});

t.test('places items without lines after each other, or where there is room', (t) => {
  const items = [item('span 2'), item('span 2'), item(), item(3), item(2), item()];
  t.same(cells(items, { columns: 3 }), ['0-0 2x1', '0-1 2x1', '2-1', '2-2', '1-3', '2-3']);
  t.same(cells(items, { columns: 3, isDense: true }), ['0-0 2x1', '0-1 2x1', '2-0', '2-1', '1-2', '0-2']);
  t.same(cells([item(), item(), item()], { rows: 2, isRowFlow: false }), ['0-0', '0-1', '1-0']);
  t.same(cells([item(), item()]), ['0-0', '0-1'], 'without a template');
  t.end();
});

t.test('places items whose row is given before others', (t) => {
  t.same(cells([item(), item(undefined, 1), item(1, 1)], { columns: 3 }), ['2-0', '1-0', '0-0']);
  t.same(
    cells([item(2, 1), item('span 2', 1), item(undefined, 1)], { columns: 4 }),
    ['1-0', '2-0 2x1', '4-0'],
    'one after the other',
  );
  t.same(cells([item(2, 1), item('span 2', 1), item(undefined, 1)], { columns: 4, isDense: true }), [
    '1-0',
    '2-0 2x1',
    '0-0',
  ]);
  t.end();
});

t.test('has at most 1000 columns and rows', (t) => {
  const many = Array.from({ length: 1001 }, () => item());
  t.equal(place(many.slice(1), { columns: 1 }).rows.count, 1000);
  t.throws(() => place(many, { columns: 1 }), { message: 'the grid has 1001 rows, expected at most 1000' });
  t.throws(() => place([item('1000 / span 2')]), { message: 'the grid has 1001 columns, expected at most 1000' });
  t.throws(() => place([item('span 11 / -1000')], { columns: 1 }), {
    message: 'the grid has 1010 columns, expected at most 1000',
  });
  t.end();
});

t.test('never lets items without lines overlap, and ends', async () => {
  const span = fc.integer({ min: 1, max: 4 }).map((size) => ({ span: size }));
  const line = fc.integer({ min: -6, max: 6 }).filter((each) => each !== 0);
  const anyPlace = fc.option(
    fc.oneof(
      span,
      fc.record({ start: line, span: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ start: line, end: line, span: fc.constant(1) }),
    ),
    { nil: undefined },
  );
  const items = fc.array(fc.record({ column: anyPlace, row: anyPlace }), { maxLength: 20 });
  const options = fc.record({
    columns: fc.integer({ min: 0, max: 5 }),
    rows: fc.integer({ min: 0, max: 5 }),
    isRowFlow: fc.boolean(),
    isDense: fc.boolean(),
  });
  fc.assert(
    fc.property(items, options, (list, given) => {
      const { areas, columns, rows } = place(list, given);
      const places: readonly ItemPlaces[] = list;
      const hasLines = (i: number) => places[i].column?.start !== undefined && places[i].row?.start !== undefined;
      return areas.every(({ column, row }, i) => {
        const isInside = column.start >= 0 && row.start >= 0 && column.end <= columns.count && row.end <= rows.count;
        const isFree = areas.every((other, k) => {
          if (k === i || (hasLines(i) && hasLines(k))) return true;
          const apart = (a: typeof column, b: typeof column) => a.end <= b.start || b.end <= a.start;
          return apart(column, other.column) || apart(row, other.row);
        });
        return isInside && isFree;
      });
    }),
    { numRuns: 300, seed: 8 },
  );
});

t.test('ends in bounded steps for thousands of items in large spans', (t) => {
  const holes = Array.from({ length: 2500 }, (_, i) => item('span 2', i % 2 === 0 ? undefined : 'span 3'));
  const large = Array.from({ length: 2500 }, (_, i) => item(`span ${1 + (i % 900)}`, 'span 3'));
  for (const isDense of [false, true]) {
    const start = performance.now();
    try {
      place([...holes, ...large], { columns: 999, isDense });
    } catch (error) {
      if (!(error instanceof LayoutError)) throw error;
    }
    t.ok(performance.now() - start < 10_000, `dense ${isDense}`);
  }
  t.end();
});

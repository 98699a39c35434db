// Tables against a browser: random cells of words, laid out in one page.
import t from 'tap';
import { layOutTree } from '../../../lib/layout/flex/layout.js';
import type { Content, FlexNode } from '../../../lib/layout/flex/node.js';
import { CHROMIUM, startChromium } from '../../chromium.js';
import { dice, rounds } from '../../exhaustive.js';

const OPTIONS = { skip: CHROMIUM ? false : 'no Chromium' };
const TOLERANCE = 1 / 16;
const TABLES_PER_PAGE = 200;
const LEAST_PAGES = 2;
/** The part that may differ: percentages beside cells over several columns are shared in more steps by browsers. */
const MAX_DIFFERING = 0.02;
const ROOM = 400;
const WORD_HEIGHT = 10;

interface Cell {
  readonly words: readonly number[];
  readonly padding: number;
  readonly width: string | undefined;
  readonly columns: number;
  readonly rows: number;
}

interface Table {
  readonly rows: readonly (readonly Cell[])[];
  readonly gap: number;
  readonly width: number | undefined;
}

/** A whole number below a bound. */
type Random = (bound: number) => number;

function randomTable(random: Random): Table {
  const columns = 1 + random(4);
  const cell = (left: number): Cell => ({
    words: Array.from({ length: random(6) }, () => 5 + random(60)),
    padding: random(3) * 4,
    width: random(6) === 0 ? `${20 + random(150)}px` : undefined,
    columns: random(5) === 0 ? 1 + random(left) : 1,
    rows: 1,
  });
  const row = () => {
    const cells: Cell[] = [];
    for (let at = 0; at < columns; ) {
      const next = cell(columns - at);
      cells.push(next);
      at += next.columns;
    }
    return cells;
  };
  return {
    rows: Array.from({ length: 1 + random(4) }, row),
    gap: random(3) * 3,
    width: random(2) === 0 ? 150 + random(300) : undefined,
  };
}

function toHtml({ rows, gap, width }: Table): string {
  const cells = (row: readonly Cell[]) =>
    row
      .map(({ words, padding, width: wide, columns }) => {
        const inner = words.map((word) => `<i style="width:${word}px"></i>`).join('<wbr>');
        return `<td colspan="${columns}" style="padding:${padding}px${wide ? `;width:${wide}` : ''}">${inner}</td>`;
      })
      .join('');
  const body = rows.map((row) => `<tr>${cells(row)}</tr>`).join('');
  const own = width === undefined ? '' : `;width:${width}px`;
  return `<div><table style="border-spacing:${gap}px${own}">${body}</table></div>`;
}

function toNode({ rows, gap, width }: Table): FlexNode {
  const children = rows.flatMap((cells, row) => {
    let at = 1;
    return cells.map(({ words, padding, width: wide, columns }): FlexNode => {
      const column = { start: at, span: columns };
      at += columns;
      return {
        // td has content-box
        width: wide === undefined ? 'auto' : Number.parseFloat(wide) + 2 * padding,
        height: 'auto',
        padding: [padding, padding, padding, padding],
        gridRow: { start: row + 1, span: 1 },
        gridColumn: column,
        content: wordsOf(words),
      };
    });
  });
  const axis = { template: undefined, auto: [] };
  return {
    width: width ?? 'auto',
    height: 'auto',
    padding: [gap, gap, gap, gap],
    content: {
      kind: 'grid',
      isTable: true,
      columns: axis,
      rows: axis,
      isRowFlow: true,
      isDense: false,
      rowGap: gap,
      columnGap: gap,
      justifyItems: 'start',
      alignItems: 'start',
      justifyContent: 'start',
      alignContent: 'start',
      children,
    },
  };
}

/** Words that a line may end after. */
function wordsOf(words: readonly number[]): Content {
  return {
    kind: 'content',
    measureSteps: 1,
    minContentWidth: () => Math.max(0, ...words),
    maxContentWidth: () => words.reduce((sum, word) => sum + word, 0),
    measure(width) {
      let lines = words.length > 0 ? 1 : 0;
      let used = 0;
      for (const word of words) {
        if (used > 0 && used + word > width + 1e-6) {
          lines++;
          used = 0;
        }
        used += word;
      }
      return { height: lines * WORD_HEIGHT };
    },
  };
}

const STYLE = `<style>body { margin: 0 } div { width: ${ROOM}px } td { font-size: 0; line-height: 0; vertical-align: top }
i { display: inline-block; height: ${WORD_HEIGHT}px }</style>`;

const MEASURE = `[...document.querySelectorAll('table')].map((table) => {
  const outer = table.getBoundingClientRect();
  return [...table.querySelectorAll('td')].map((cell) => {
    const { left, top, width, height } = cell.getBoundingClientRect();
    return [left - outer.left, top - outer.top, width, height];
  });
})`;

t.test('lays out random tables like Chromium', OPTIONS, async (t) => {
  const open = await startChromium(t);
  const wrong: unknown[] = [];
  let count = 0;
  for (const seed of rounds(1, LEAST_PAGES)) {
    const die = dice(seed);
    const random: Random = (bound) => Math.floor(die() * bound);
    const tables = Array.from({ length: TABLES_PER_PAGE }, () => randomTable(random));
    count += tables.length;
    const page = await open('data:text/html,<!doctype html>');
    const html = JSON.stringify(`<!doctype html>${STYLE}${tables.map(toHtml).join('')}`);
    const expected = (await page.evaluate(
      `document.open(), document.write(${html}), document.close(), ${MEASURE}`,
    )) as number[][][];
    tables.forEach((table, i) => {
      const root = layOutTree(toNode(table), { width: ROOM, height: undefined, available: ROOM });
      const boxes = root.children.map(({ x, y, width, height }) => [x, y, width, height]);
      const isSame = boxes.every((box, k) => box.every((side, j) => Math.abs(side - expected[i][k][j]) <= TOLERANCE));
      if (!isSame) wrong.push({ html: toHtml(table), boxes, expected: expected[i] });
    });
  }
  const excess = wrong.length > count * MAX_DIFFERING ? wrong.slice(0, 1) : [];
  t.same(excess, [], `${wrong.length} of ${count} tables differ`);
});

// Flexbox layout against a browser: random trees, laid out in one page.
import t from 'tap';
import { layOutTree } from '../../../lib/layout/flex/layout.js';
import type { FlexNode, LaidOutBox } from '../../../lib/layout/flex/node.js';
import { CHROMIUM, startChromium } from '../../chromium.js';
import { dice, rounds } from '../../exhaustive.js';
import { randomTree, STYLES, toHtml } from './trees.js';

/** The containing block of the page's trees. */
const ROOM = { width: 320, height: 240 };
/** Pixels that a box may differ by: flexible lengths and percentages are rounded to 1/64 px at several places. */
const TOLERANCE = 1 / 32;
const TREES_PER_PAGE = 400;
/**
 * Trees that may differ: no specification is exact if a height and a ratio depend on each other, or for the widths of wrapped
 * columns.
 */
const MAX_DIFFERING = TREES_PER_PAGE / 100;

/** Corner and size of every box, in document order, from the corner of the tree. */
type Boxes = readonly (readonly [x: number, y: number, width: number, height: number])[];

const MEASURE = `[...document.querySelectorAll('section')].map((section) => {
  const origin = section.getBoundingClientRect();
  return [...section.querySelectorAll('div, canvas')].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x - origin.x, y - origin.y, width, height];
  });
})`;

function flatten(box: LaidOutBox, x = 0, y = 0): Boxes {
  const [left, top] = [x + box.x, y + box.y];
  return [[left, top, box.width, box.height], ...box.children.flatMap((child) => flatten(child, left, top))];
}

function pageOf(trees: readonly FlexNode[]): string {
  const section = `position:relative;width:${ROOM.width}px;height:${ROOM.height}px`;
  const bodies = trees.map((tree) => `<section style="${section}">${toHtml(tree)}</section>`);
  return `<!doctype html><style>${STYLES}</style>${bodies.join('')}`;
}

t.test('lays out random trees like Chromium', { skip: CHROMIUM ? false : 'no Chromium' }, async (t) => {
  const page = await (await startChromium(t))('data:text/html,<!doctype html>');
  for (const seed of rounds(1)) {
    const random = dice(seed);
    const trees = Array.from({ length: TREES_PER_PAGE }, (_, i) =>
      randomTree(random, { depth: i % 4, negativeMargins: true }),
    );
    const html = JSON.stringify(pageOf(trees));
    const expected = await page.evaluate<Boxes[]>(
      `document.open(), document.write(${html}), document.close(), ${MEASURE}`,
    );
    const wrong = trees.flatMap((tree, i) => {
      const boxes = flatten(layOutTree(tree, { ...ROOM, available: ROOM.width }));
      const isSame = boxes.every((box, k) =>
        box.every((value, side) => Math.abs(value - expected[i][k][side]) <= TOLERANCE),
      );
      return isSame ? [] : [{ html: toHtml(tree), boxes, expected: expected[i] }];
    });
    const excess = wrong.slice(0, wrong.length > MAX_DIFFERING ? 1 : 0);
    t.same(excess, [], `${wrong.length} of ${trees.length} trees of seed ${seed} differ`);
  }
});

// Layout against a browser: random trees, laid out in one page.
import t from 'tap';
import { layOutTree } from '../../../lib/layout/flex/layout.js';
import { CHROMIUM, startChromium } from '../../chromium.js';
import { dice, rounds } from '../../exhaustive.js';
import { boxesIn, boxesOf, ROOM } from './boxes.js';
import { randomTree, toHtml } from './trees.js';

const OPTIONS = { skip: CHROMIUM ? false : 'no Chromium' };
/** Pixels that a box may differ by: flexible lengths and percentages are rounded to 1/64 px at several places. */
const TOLERANCE = 1 / 32;
const TREES_PER_PAGE = 400;
/**
 * Parts of the trees that may differ: no specification is exact if a height and a ratio depend on each other, for the widths of
 * wrapped columns, or for percentages of rows that have the height of their content.
 */
const MAX_DIFFERING = { flex: 0.01, grid: 0.04 };

for (const kind of ['flex', 'grid'] as const) {
  t.test(`lays out random trees of ${kind} containers like Chromium`, OPTIONS, async (t) => {
    const page = await (await startChromium(t))('data:text/html,<!doctype html>');
    for (const seed of rounds(1)) {
      const random = dice(seed);
      const trees = Array.from({ length: TREES_PER_PAGE }, (_, i) =>
        randomTree(random, {
          depth: kind === 'flex' ? i % 4 : i % 3,
          negativeMargins: true,
          grids: kind === 'grid' ? 0.5 : undefined,
        }),
      );
      const expected = await boxesIn(page, trees);
      const wrong = trees.flatMap((tree, i) => {
        const boxes = boxesOf(layOutTree(tree, { ...ROOM, available: ROOM.width }));
        const isSame = boxes.every((box, k) =>
          box.every((value, side) => Math.abs(value - expected[i][k][side]) <= TOLERANCE),
        );
        return isSame ? [] : [{ html: toHtml(tree), boxes, expected: expected[i] }];
      });
      const excess = wrong.slice(0, wrong.length > TREES_PER_PAGE * MAX_DIFFERING[kind] ? 1 : 0);
      t.same(excess, [], `${wrong.length} of ${trees.length} trees of seed ${seed} differ`);
    }
  });
}

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
/** Pages at least, so that chance hardly moves the part of the trees that differ. */
const LEAST_PAGES = 8;
/**
 * Parts of the trees that may differ: no specification is exact if a height and a ratio depend on each other, for the widths of
 * wrapped columns, or for percentages of rows that have the height of their content.
 */
const MAX_DIFFERING = { flex: 0.01, grid: 0.04, block: 0.01 };

for (const kind of ['flex', 'grid', 'block'] as const) {
  t.test(`lays out random trees of ${kind} containers like Chromium`, OPTIONS, async (t) => {
    const page = await (await startChromium(t))('data:text/html,<!doctype html>');
    const wrong: { html: string; boxes: unknown; expected: unknown }[] = [];
    const seeds: number[] = [];
    for (const seed of rounds(1, LEAST_PAGES)) {
      seeds.push(seed);
      const random = dice(seed);
      const trees = Array.from({ length: TREES_PER_PAGE }, (_, i) =>
        randomTree(random, {
          depth: kind === 'flex' ? i % 4 : i % 3,
          negativeMargins: true,
          grids: kind === 'grid' ? 0.5 : undefined,
          blocks: kind === 'block' ? 0.7 : undefined,
        }),
      );
      const expected = await boxesIn(page, trees);
      trees.forEach((tree, i) => {
        const boxes = boxesOf(layOutTree(tree, { ...ROOM, available: ROOM.width }));
        const isSame = boxes.every((box, k) =>
          box.every((value, side) => Math.abs(value - expected[i][k][side]) <= TOLERANCE),
        );
        if (!isSame) wrong.push({ html: toHtml(tree), boxes, expected: expected[i] });
      });
    }
    const count = seeds.length * TREES_PER_PAGE;
    const excess = wrong.slice(0, wrong.length > count * MAX_DIFFERING[kind] ? 1 : 0);
    t.same(excess, [], `${wrong.length} of ${count} trees of seeds from ${seeds[0]} differ`);
  });
}

// Flexbox layout: a case for each rule of CSS Flexbox 1 section 9, and properties of every tree.
import fc from 'fast-check';
import t from 'tap';
import { FREE_LAYOUTS, LayoutBudget, LayoutError, MAX_LAYOUT_STEPS } from '../../../lib/layout/flex/budget.js';
import { type ContainingBlock, layOutTree } from '../../../lib/layout/flex/layout.js';
import type { Container, FlexNode, LaidOutBox, Margin, Percentage } from '../../../lib/layout/flex/node.js';
import { dice } from '../../exhaustive.js';
import { blocksContent, randomTree } from './trees.js';

const ROOM: ContainingBlock = { width: 400, height: 300, available: 400 };

type Fields = Omit<Partial<FlexNode>, 'content'>;

const box = (width: FlexNode['width'], height: FlexNode['height'], fields: Fields = {}): FlexNode => ({
  width,
  height,
  content: blocksContent({ widths: [], lineHeight: 0, descent: 0 }),
  ...fields,
});

/** Lines of 20 px with their baselines 4 px above the lower edge. */
const words = (widths: readonly number[], fields: Fields = {}): FlexNode => ({
  width: 'auto',
  height: 'auto',
  content: blocksContent({ widths, lineHeight: 20, descent: 4 }),
  ...fields,
});

const picture = (fields: Fields): FlexNode => ({
  width: 'auto',
  height: 'auto',
  content: { kind: 'replaced', width: 40, height: 20 },
  ...fields,
});

interface Flow extends Partial<Omit<Container, 'kind' | 'children' | 'direction'>> {
  readonly padding?: FlexNode['padding'];
  readonly fields?: Fields;
}

function group(
  direction: Container['direction'],
  width: FlexNode['width'],
  height: FlexNode['height'],
  flow: Flow,
  children: readonly FlexNode[],
): FlexNode {
  const { padding, fields, ...rest } = flow;
  return {
    width,
    height,
    padding,
    ...fields,
    content: {
      kind: 'container',
      direction,
      wrap: false,
      rowGap: 0,
      columnGap: 0,
      alignItems: 'start',
      justifyContent: 'start',
      ...rest,
      children,
    },
  };
}

const four = ({ x, y, width, height }: LaidOutBox) => [x, y, width, height];

/** The boxes of the tree's children, and that of the tree first. */
const boxesOf = (tree: FlexNode) => {
  const root = layOutTree(tree, ROOM);
  return [four(root), ...root.children.map(four)];
};

const row = (flow: Flow, ...children: FlexNode[]) => boxesOf(group('row', 200, 60, flow, children)).slice(1);
const column = (flow: Flow, ...children: FlexNode[]) => boxesOf(group('column', 60, 200, flow, children)).slice(1);

t.test('places the items of rows and columns one after the other, inside the padding', async (t) => {
  const flow: Flow = { padding: [1, 2, 3, 4], rowGap: 10, columnGap: 5 };
  t.same(row(flow, box(20, 10), box(30, 10)), [
    [4, 1, 20, 10],
    [29, 1, 30, 10],
  ]);
  t.same(column(flow, box(20, 10), box(30, 10)), [
    [4, 1, 20, 10],
    [4, 21, 30, 10],
  ]);
});

t.test('justifies', async (t) => {
  const starts = (justifyContent: Container['justifyContent'], width = 30) =>
    row({ justifyContent }, box(width, 10), box(width, 10)).map(([x]) => x);
  t.same(starts('start'), [0, 30]);
  t.same(starts('center'), [70, 100]);
  t.same(starts('end'), [140, 170]);
  t.same(starts('space-between'), [0, 170]);
  t.same(starts('space-around'), [35, 135]);
  t.same(starts('space-evenly'), [46.65625, 123.3125], 'in 64ths of a pixel');
  t.same(starts('center', 120), [-20, 100], 'and beyond both edges');
  t.same(starts('space-between', 120), [0, 120]);
  t.same(starts('space-around', 120), [0, 120]);
});

t.test('aligns across', async (t) => {
  const flow: Flow = { alignItems: 'center' };
  t.same(row(flow, box(10, 20), box(10, 20, { alignSelf: 'end' }), box(10, 'auto', { alignSelf: 'stretch' })), [
    [0, 20, 10, 20],
    [10, 40, 10, 20],
    [20, 0, 10, 60],
  ]);
  t.same(column(flow, box(20, 10), box('fill', 10), box('auto', 10, { alignSelf: 'stretch', margin: [0, 5, 0, 5] })), [
    [20, 0, 20, 10],
    [0, 10, 60, 10],
    [5, 20, 50, 10],
  ]);
});

t.test('aligns first baselines; boxes without text stand on their lower edge', async (t) => {
  t.same(
    row(
      { alignItems: 'baseline' },
      words([60, 60], { width: 100 }),
      box(10, 40),
      words([10], { margin: [30, 0, 0, 0] }),
    ),
    [
      [0, 30, 100, 40],
      [100, 6, 10, 40],
      [110, 30, 10, 20],
    ],
  );
});

t.test('takes the baseline of a group from its first line', async (t) => {
  const inner = group('column', 'auto', 'auto', {}, [words([10]), words([10])]);
  t.same(row({ alignItems: 'baseline' }, inner, box(10, 50)), [
    [0, 34, 10, 40],
    [10, 0, 10, 50],
  ]);
});

t.test('grows by what is left, up to the maximum', async (t) => {
  t.same(
    row({}, box(20, 5), box(20, 5, { grow: 1 }), box(20, 5, { grow: 2, maxWidth: 50 })).map(([, , width]) => width),
    [20, 130, 50],
  );
  t.same(
    row({}, box(20, 5, { grow: 0.25 }), box(20, 5)).map(([, , width]) => width),
    [60, 20],
    'a part of it, with factors below 1',
  );
  t.same(
    row({ columnGap: 20 }, box('fill', 5), box('fill', 5, { grow: 2 })).map(([, , width]) => width),
    [60, 120],
  );
});

t.test('shrinks in proportion to the base size, not below the longest word, and numbers not at all', async (t) => {
  t.same(
    row({}, words([50, 50, 50, 50]), words([60, 40])).map(([, , width]) => width),
    [133.328125, 66.671875],
  );
  t.same(
    row({}, words([150, 50]), words([60, 40])).map(([, , width]) => width),
    [150, 60],
  );
  t.same(
    row({}, box(150, 5), box(150, 5)).map(([, , width]) => width),
    [150, 150],
  );
  t.same(
    row({}, box(150, 5, { shrink: 1 }), box(150, 5)).map(([, , width]) => width),
    [50, 150],
  );
  t.same(
    row({}, words([150], { minWidth: 0 }), box(150, 5)).map(([, , width]) => width),
    [50, 150],
    'a minimum of its own',
  );
});

t.test('wraps text to what the row leaves for it, and grows with it', async (t) => {
  const tree = group('row', 'auto', 'auto', { columnGap: 10, padding: [5, 5, 5, 5] }, [
    box(300, 10),
    words([40, 40, 40]),
  ]);
  t.same(boxesOf(tree), [
    [0, 0, 400, 50],
    [5, 5, 300, 10],
    [315, 5, 80, 40],
  ]);
});

t.test('is as large as its content', async (t) => {
  const tree = (fields: Fields) =>
    boxesOf(
      group('column', 'auto', 'auto', { padding: [1, 2, 3, 4], rowGap: 7, fields }, [box(20, 10), words([30])]),
    )[0];
  t.same(tree({}), [0, 0, 36, 41]);
  t.same(tree({ minWidth: 100, maxHeight: 20 }), [0, 0, 100, 20]);
  t.same(boxesOf(group('row', 'auto', 'auto', {}, [])), [[0, 0, 0, 0]]);
});

t.test('resolves percentages against the content box, and ignores those of an indefinite height', async (t) => {
  t.same(row({ padding: [0, 50, 0, 50] }, box({ percent: 50 }, { percent: 50 })), [[50, 0, 50, 30]]);
  t.same(boxesOf(group('row', 100, 'auto', {}, [box(10, { percent: 50 }), box(10, 30)]))[1], [0, 0, 10, 0]);
});

t.test('wraps items; lines share spare height', async (t) => {
  const flow: Flow = { wrap: true, rowGap: 10, columnGap: 20 };
  t.same(row(flow, box(90, 10), box(90, 20), box(100, 10)), [
    [0, 0, 90, 10],
    [110, 0, 90, 20],
    [0, 40, 100, 10],
  ]);
  t.same(
    row({ ...flow, alignItems: 'stretch' }, box(90, 'auto'), box(120, 'auto')).map(([, , , height]) => height),
    [25, 25],
  );
  t.same(column({ wrap: true }, box(20, 120), box(20, 120)), [
    [0, 0, 20, 120],
    [30, 0, 20, 120],
  ]);
});

t.test('keeps ratios', async (t) => {
  t.same(row({}, box(60, 'auto', { aspectRatio: 1.5 }), picture({ width: 20 }), picture({ height: 10 }), picture({})), [
    [0, 0, 60, 40],
    [60, 0, 20, 10],
    [80, 0, 20, 10],
    [100, 0, 40, 20],
  ]);
  t.same(
    row({ alignItems: 'stretch' }, picture({})),
    [[0, 0, 120, 60]],
    'from the height that a picture is stretched to',
  );
  t.same(
    column({}, words([10, 10, 10], { width: 10, aspectRatio: 1 })),
    [[0, 0, 10, 60]],
    'but the box grows with its text',
  );
});

t.test('places absolute boxes from the corner of the group; they take no room', async (t) => {
  const absolute = { left: 150, top: 10 };
  t.same(
    row({ padding: [5, 5, 5, 5] }, box({ percent: 50 }, 10, { absolute }), words([40, 40], { absolute }), box(10, 10)),
    [
      [150, 10, 100, 10],
      [150, 10, 50, 40],
      [5, 5, 10, 10],
    ],
  );
});

t.test('places absolute boxes by their distances from any edge, stretched between two', async (t) => {
  const flow: Flow = { padding: [5, 5, 5, 5], justifyContent: 'center', alignItems: 'end' };
  t.same(
    row(
      flow,
      box(20, 10, { absolute: { right: 8, bottom: { percent: 10 } } }),
      box('auto', 'auto', { absolute: { left: 10, right: { percent: 25, pixels: -10 }, top: 0, bottom: 20 } }),
      box(20, 10, { absolute: { left: 0, right: 0, top: 0, bottom: 0 }, margin: ['auto', 'auto', 'auto', 'auto'] }),
      box(20, 10, { absolute: {} }),
    ),
    [
      [172, 44, 20, 10],
      [10, 0, 150, 40],
      [90, 25, 20, 10],
      [90, 45, 20, 10],
    ],
  );
});

t.test('moves boxes from their place in the flow', async (t) => {
  t.same(
    row(
      { padding: [0, 0, 0, 10] },
      box(20, 10, { offset: { left: 5, bottom: 3 } }),
      box(20, 10, { offset: { right: { percent: 10 } } }),
      box(20, 10),
    ),
    [
      [15, -3, 20, 10],
      [11, 0, 20, 10],
      [50, 0, 20, 10],
    ],
  );
});

t.test('gives free space to margins that are auto', async (t) => {
  const auto = (...margin: [Margin, Margin, Margin, Margin]) => box(20, 10, { margin });
  t.same(row({ justifyContent: 'center' }, box(30, 10), auto('auto', 0, 0, 'auto')), [
    [0, 0, 30, 10],
    [180, 50, 20, 10],
  ]);
  t.same(row({ alignItems: 'stretch' }, auto('auto', 'auto', 'auto', 'auto'), auto(0, 'auto', 'auto', 0)), [
    [53.328125, 25, 20, 10],
    [126.65625, 0, 20, 10],
  ]);
});

t.test('lays items out by their order, and lines by alignContent', async (t) => {
  t.same(row({}, box(20, 10, { order: 1 }), box(30, 10)), [
    [30, 0, 20, 10],
    [0, 0, 30, 10],
  ]);
  const lines = (alignContent: Container['alignContent']) =>
    row({ wrap: true, alignContent }, box(150, 10), box(150, 10)).map(([, y]) => y);
  t.same(lines('start'), [0, 10]);
  t.same(lines('end'), [40, 50]);
  t.same(lines('space-between'), [0, 50]);
  t.same(lines(undefined), [0, 30]);
});

/** Whether siblings in the flow lie one after the other along the main axis of their group. */
function siblingsFollow(node: FlexNode, laidOut: LaidOutBox): boolean {
  const { content } = node;
  if (content.kind !== 'container') return true;
  const isRow = content.direction === 'row';
  const inFlow = laidOut.children.filter((_, i) => content.children[i].absolute === undefined);
  const follow = (previous: LaidOutBox, next: LaidOutBox) =>
    isRow ? next.x >= previous.x + previous.width : next.y >= previous.y + previous.height;
  const isNextLine = (previous: LaidOutBox, next: LaidOutBox) =>
    content.wrap && (isRow ? next.y >= previous.y : next.x >= previous.x);
  const inOrder = inFlow.every((next, i) => i === 0 || follow(inFlow[i - 1], next) || isNextLine(inFlow[i - 1], next));
  return inOrder && content.children.every((child, i) => siblingsFollow(child, laidOut.children[i]));
}

t.test('never overlaps siblings along the main axis, and gives finite boxes', async () => {
  const tree = fc.record({ seed: fc.integer(), depth: fc.integer({ min: 0, max: 6 }) });
  fc.assert(
    fc.property(tree, fc.double({ min: -10, max: 2000, noNaN: true }), ({ seed, depth }, available) => {
      const root = randomTree(dice(seed), { depth });
      const laidOut = layOutTree(root, { width: available, height: undefined, available });
      const finite = (each: LaidOutBox): boolean => four(each).every(Number.isFinite) && each.children.every(finite);
      return finite(laidOut) && siblingsFollow(root, laidOut);
    }),
    { numRuns: 500 },
  );
});

/** A leaf that counts how often it is measured. */
function countedLeaf(count: () => void): FlexNode {
  const content = blocksContent({ widths: [30, 40, 50], lineHeight: 10, descent: 0 });
  const counted = {
    ...content,
    measure(width: number, height: number | undefined) {
      count();
      return content.measure(width, height);
    },
  };
  return { width: 'auto', height: 'auto', content: counted };
}

t.test('measures content a number of times that grows with the depth, not with its power', async (t) => {
  let measured = 0;
  const leaf = () => countedLeaf(() => measured++);
  for (const ratio of [undefined, 1.5]) {
    for (const alignItems of ['stretch', 'baseline', 'start'] as const) {
      for (const wrap of [false, true]) {
        let tree = leaf();
        for (let depth = 0; depth < 16; depth++) {
          const direction = depth % 2 === 0 ? 'row' : 'column';
          const flow: Flow = { alignItems, wrap, fields: { grow: 1, aspectRatio: ratio, shrink: 1 } };
          tree = group(direction, 'auto', 'auto', flow, [
            tree,
            leaf(),
            box({ percent: 30 }, { percent: 40 }),
            picture({}),
          ]);
        }
        measured = 0;
        const budget = new LayoutBudget();
        layOutTree(tree, ROOM, budget);
        const of = `with ${alignItems}, wrap ${wrap}, ratio ${ratio}`;
        t.ok(measured < 3000, `${measured} ${of}`);
        t.ok(budget.spent < MAX_LAYOUT_STEPS / 8, `${budget.spent} steps ${of}`);
      }
    }
  }
});

const tooManySteps = { message: /^the layout takes more than \d+ steps, expected fewer nested groups/ };

/** Wrapping columns with ratios and percentages, in which each box is laid out in twice as many spaces as the one around it. */
function doublingTree(depth: number, leaf: () => FlexNode): FlexNode {
  const styles = [
    { height: 50, ratio: 0.94, alignItems: 'stretch', minHeight: { percent: 80 }, shrink: 1 },
    { height: 90, ratio: 0.67, alignItems: 'baseline', minHeight: 20, maxHeight: { percent: 80 } },
  ] as const;
  let tree = leaf();
  for (let level = 0; level < depth; level++) {
    const { height, ratio, alignItems, ...fields } = styles[level % 2];
    const own = { ...fields, padding: [1, 7, 2, 5], aspectRatio: ratio, grow: 2 } as const;
    const flow: Flow = { alignItems, wrap: true, fields: own };
    tree = group('column', 'auto', { percent: height }, flow, [tree, { ...leaf(), aspectRatio: 1.3 }]);
  }
  return { ...tree, height: 500 };
}

t.test('stops where the distinct layouts double with the depth', async (t) => {
  let measured = 0;
  const leaf = () => countedLeaf(() => measured++);
  layOutTree(doublingTree(4, leaf), ROOM);
  t.ok(measured < 1000, `${measured} in 4 levels`);
  measured = 0;
  const budget = new LayoutBudget();
  t.throws(() => layOutTree(doublingTree(16, leaf), ROOM, budget), tooManySteps);
  t.ok(measured <= MAX_LAYOUT_STEPS, `${measured} in 16 levels`);
  t.ok(budget.isExhausted);
  t.throws(() => layOutTree(doublingTree(16, leaf), ROOM, budget), tooManySteps, 'trees of a scene share the budget');
});

t.test('charges content what one measure of it costs', async (t) => {
  const heavy = (measureSteps: number) => () => {
    const leaf = countedLeaf(() => measured++);
    return { ...leaf, content: { ...leaf.content, measureSteps } as FlexNode['content'] };
  };
  let measured = 0;
  t.throws(() => layOutTree(doublingTree(8, heavy(MAX_LAYOUT_STEPS / 10)), ROOM), tooManySteps);
  t.ok(measured < 9 * FREE_LAYOUTS + 10, `${measured}`);
});

t.test('ends in bounded steps for any tree with ratios, percentages and wrapping columns', async () => {
  const part = fc.integer({ min: 10, max: 120 }).map((percent): Percentage => ({ percent }));
  const extent = fc.oneof(fc.constantFrom('auto' as const, 'fill' as const), part);
  const level = fc.record({
    direction: fc.constantFrom('column' as const, 'row' as const),
    width: extent,
    height: extent,
    alignItems: fc.constantFrom('start' as const, 'stretch' as const, 'baseline' as const),
    wrap: fc.boolean(),
    fields: fc.record({
      aspectRatio: fc.option(fc.double({ min: 0.5, max: 2, noNaN: true }), { nil: undefined }),
      minHeight: fc.option(part, { nil: undefined }),
      maxHeight: fc.option(part, { nil: undefined }),
      minWidth: fc.option(part, { nil: undefined }),
      grow: fc.constantFrom(0, 1),
      padding: fc.constantFrom(undefined, [1, 7, 2, 5] as const),
    }),
  });
  fc.assert(
    fc.property(fc.array(level, { minLength: 6, maxLength: 16 }), (levels) => {
      let measured = 0;
      const leaf = () => countedLeaf(() => measured++);
      let tree = leaf();
      for (const { direction, width, height, ...flow } of levels) {
        tree = group(direction, width, height, flow, [tree, { ...leaf(), aspectRatio: 1.3 }]);
      }
      try {
        layOutTree({ ...tree, height: 500 }, ROOM);
      } catch (error) {
        if (!(error instanceof LayoutError)) throw error;
      }
      return measured <= MAX_LAYOUT_STEPS;
    }),
    { numRuns: 60 },
  );
});

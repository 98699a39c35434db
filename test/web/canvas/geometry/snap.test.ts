// Snapping to edges, centres, guides and equal gaps.
import t from 'tap';
import { snapMove, snapSides } from '../../../../web/canvas/geometry/snap.js';

const rect = (left: number, top: number, width: number, height: number) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});
const CANVAS = rect(0, 0, 400, 300);
const NO_GUIDES = { x: [], y: [] };
const targets = (...rects: ReturnType<typeof rect>[]) => ({ rects, guides: NO_GUIDES });

t.test('an edge snaps to an edge, the centre to the centre of the canvas', async (t) => {
  const near = snapMove(rect(103, 50, 20, 20), targets(rect(100, 200, 60, 40)), 4);
  t.same(near.by, { x: -3, y: 0 });
  t.same(near.isSnapped, { x: true, y: false });
  t.same(near.lines, [{ axis: 'x', at: 100, from: 50, to: 240 }]);
  t.same(near.gaps, [{ axis: 'y', from: 70, to: 200, at: 100 }], 'the distance along the line');
  const centred = snapMove(rect(188, 142, 20, 20), targets(CANVAS), 4);
  t.same(centred.by, { x: 2, y: -2 });
  t.same(centred.lines, [
    { axis: 'x', at: 200, from: 0, to: 300 },
    { axis: 'y', at: 150, from: 0, to: 400 },
  ]);
  t.same(snapMove(rect(105, 50, 20, 20), targets(rect(100, 200, 60, 40)), 4).by, { x: 0, y: 0 }, 'too far');
});

t.test('guides attract, and the nearest of several wins', async (t) => {
  const guides = { x: [52.5], y: [] };
  const snapped = snapMove(rect(50, 50, 20, 20), { rects: [rect(47, 200, 5, 5)], guides }, 4);
  t.equal(snapped.by.x, -0.5, 'the centre of the layer is nearer than the guide');
  t.equal(snapMove(rect(50, 50, 20, 20), { rects: [], guides }, 4).by.x, 2.5);
});

t.test('stops in the middle of two neighbours', async (t) => {
  const snapped = snapMove(rect(98, 10, 20, 20), targets(rect(0, 0, 50, 40), rect(170, 0, 50, 40)), 4);
  t.equal(snapped.by.x, 2);
  t.same(snapped.gaps.slice(0, 2), [
    { axis: 'x', from: 50, to: 100, at: 20 },
    { axis: 'x', from: 120, to: 170, at: 20 },
  ]);
});

t.test('continues a row with the gap that it has, at either end', async (t) => {
  const row = targets(rect(100, 0, 50, 40), rect(180, 0, 50, 40));
  const behind = snapMove(rect(262, 5, 40, 20), row, 4);
  t.equal(behind.by.x, -2);
  t.same(behind.gaps, [
    { axis: 'x', from: 150, to: 180, at: 20 },
    { axis: 'x', from: 230, to: 260, at: 15 },
  ]);
  t.equal(snapMove(rect(31, 5, 40, 20), row, 4).by.x, -1);
  t.same(snapMove(rect(262, 100, 40, 20), row, 4).isSnapped.x, false, 'it is not in the row');
});

t.test('only the sides that a handle moves snap', async (t) => {
  const resized = rect(98, 50, 104, 51);
  const snapped = snapSides(resized, { x: 1, y: 0 }, targets(rect(200, 200, 50, 50), rect(0, 100, 9, 9)), 4);
  t.same(snapped.by, { x: -2, y: 0 });
  t.same(snapped.lines, [{ axis: 'x', at: 200, from: 50, to: 250 }]);
  t.same(snapSides(resized, { x: -1, y: 1 }, targets(rect(0, 100, 100, 9)), 4).by, { x: 2, y: -1 });
});

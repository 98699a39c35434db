// Moving, resizing, turning and aligning: properties of boxes in turned and mirrored spaces.
import fc from 'fast-check';
import t from 'tap';
import { type Affine, compose, IDENTITY, rotationAbout } from '../../../../lib/geometry/affine.js';
import { ALIGNMENTS, alignBy, distributeBy } from '../../../../web/canvas/geometry/align.js';
import { boundsOf, centreOf, type Frame, pointAt, turnOf } from '../../../../web/canvas/geometry/frames.js';
import {
  EXACT,
  type Handle,
  halfTurn,
  movedBox,
  resizedBox,
  scaledBox,
  scaleOf,
  turnedBox,
  wholeDistance,
} from '../../../../web/canvas/geometry/transform.js';

function frame(
  box: { x: number; y: number; width: number; height: number },
  { rotation = 0, flip = undefined as unknown, parent = IDENTITY as Affine } = {},
): Frame {
  return {
    id: 1,
    box,
    rotation,
    flip,
    parent,
    isLaidOut: false,
    toCanvas: compose(turnOf(box, { rotation, flip }), parent),
  };
}
const after = (before: Frame, box: Frame['box'], rotation = before.rotation) => frame(box, { ...before, rotation });

const whole = (max: number) => fc.integer({ min: -max, max });
const boxes = fc.record({
  x: whole(500),
  y: whole(500),
  width: fc.integer({ min: 2, max: 500 }),
  height: fc.integer({ min: 2, max: 500 }),
});
const parents = fc.constantFrom(IDENTITY, rotationAbout(90, 10, 20), rotationAbout(33, 100, 50), {
  a: -1,
  b: 0,
  c: 0,
  d: 1,
  e: 200,
  f: 0,
});
const frames = fc
  .record({
    box: boxes,
    rotation: fc.constantFrom(0, 30, 45, 90, 200),
    flip: fc.constantFrom(undefined, 'x', 'y', 'both'),
    parent: parents,
  })
  .map(({ box, ...others }) => frame(box, others));
const points = fc.record({ x: whole(300), y: whole(300) });
const side = fc.constantFrom(-1, 0, 1) as fc.Arbitrary<-1 | 0 | 1>;
const handles: fc.Arbitrary<Handle> = fc.record({ x: side, y: side }).filter(({ x, y }) => x !== 0 || y !== 0);

const distanceBetween = (p: { x: number; y: number }, q: { x: number; y: number }) => Math.hypot(p.x - q.x, p.y - q.y);

t.test('a layer that moves goes as far as the pointer, in any space', async () => {
  fc.assert(
    fc.property(frames, points, (before, by) => {
      const moved = after(before, movedBox(before, by));
      const [from, to] = [centreOf(before), centreOf(moved)];
      return distanceBetween({ x: from.x + by.x, y: from.y + by.y }, to) < 0.02;
    }),
  );
});

t.test('moving rounds the first layer to whole pixels, and the others go as far', async (t) => {
  const first = frame({ x: 0.5, y: 10, width: 10, height: 10 });
  t.same(wholeDistance(first, { x: 3.3, y: 4.6 }, { x: false, y: false }), { x: 3.5, y: 5 });
  t.same(wholeDistance(first, { x: 3.3, y: 4.6 }, { x: true, y: false }), { x: 3.3, y: 5 });
  const turned = frame({ x: 0, y: 0, width: 10, height: 10 }, { parent: rotationAbout(45, 0, 0) });
  t.equal(
    wholeDistance(turned, { x: 3.3, y: 4.6 }, { x: true, y: false }).x.toFixed(6),
    '3.300000',
    'snapped in a turned group',
  );
});

t.test('resizing keeps the opposite side, or the centre', async () => {
  fc.assert(
    fc.property(frames, handles, points, fc.boolean(), fc.boolean(), (before, handle, by, fromCentre, keepsRatio) => {
      const box = resizedBox(before, handle, by, { fromCentre, keepsRatio });
      const resized = after(before, box);
      const [x, y] = fromCentre ? [0.5, 0.5] : [(1 - handle.x) / 2, (1 - handle.y) / 2];
      // about the centre, a box on whole pixels may go by a half
      const slack = fromCentre || keepsRatio ? 1 : 0.02;
      const isKept = distanceBetween(pointAt(before, x, y), pointAt(resized, x, y)) <= slack;
      return isKept && box.width >= 1 && box.height >= 1;
    }),
  );
});

t.test('the side of an upright box follows the pointer to whole pixels', async (t) => {
  const box = { x: 10, y: 20, width: 100, height: 50 };
  t.same(resizedBox(frame(box), { x: 1, y: 1 }, { x: 5.4, y: -9.6 }), { x: 10, y: 20, width: 105, height: 40 });
  t.same(resizedBox(frame(box), { x: -1, y: 0 }, { x: 5.4, y: 70 }), { x: 15, y: 20, width: 95, height: 50 });
  t.same(resizedBox(frame(box), { x: -1, y: 0 }, { x: 500, y: 0 }), { x: 109, y: 20, width: 1, height: 50 });
  t.same(resizedBox(frame(box), { x: 1, y: 0 }, { x: 10, y: 0 }, { fromCentre: true }), {
    x: 0,
    y: 20,
    width: 120,
    height: 50,
  });
  t.same(resizedBox(frame(box), { x: 1, y: 1 }, { x: 100, y: 3 }, { keepsRatio: true }), {
    x: 10,
    y: 20,
    width: 200,
    height: 100,
  });
  t.same(resizedBox(frame(box), { x: 1, y: 0 }, { x: 100, y: 3 }, { keepsRatio: true }), {
    x: 10,
    y: -5,
    width: 200,
    height: 100,
  });
  t.same(resizedBox(frame(box), { x: 1, y: 0 }, { x: 0.25, y: 0 }, { exact: EXACT }), {
    x: 10,
    y: 20,
    width: 100.25,
    height: 50,
  });
  t.equal(resizedBox(frame(box), { x: 1, y: 0 }, { x: 0.2, y: 40 }), box, 'nothing changes');
  const turned = frame(box, { rotation: 90 });
  t.same(resizedBox(turned, { x: 1, y: 0 }, { x: 40, y: 10 }).width, 110, 'in its own axes');
  const mirrored = frame(box, { flip: 'x' });
  t.same(resizedBox(mirrored, { x: 1, y: 0 }, { x: -10, y: 0 }).width, 110);
  const line = frame({ x: 0, y: 0, width: 100, height: 0 });
  t.same(resizedBox(line, { x: 1, y: 0 }, { x: 10, y: 5 }, { keepsRatio: true }), {
    x: 0,
    y: 0,
    width: 110,
    height: 0,
  });
});

t.test('several layers are scaled as one', async (t) => {
  const bounds = { left: 0, top: 0, right: 100, bottom: 50 };
  const map = scaleOf(bounds, { x: 1, y: 1 }, { x: 100, y: 0 });
  t.same(scaledBox(frame({ x: 50, y: 10, width: 50, height: 20 }), map), { x: 100, y: 10, width: 100, height: 20 });
  const turned = scaledBox(frame({ x: 40, y: 20, width: 20, height: 10 }, { rotation: 90 }), map);
  t.same([turned.width, turned.height], [20, 20], 'the side that lies across grows');
  const all = scaleOf(bounds, { x: -1, y: 0 }, { x: 500, y: 0 });
  t.ok(scaledBox(frame({ x: 50, y: 10, width: 50, height: 20 }), all).width >= 1);
  fc.assert(
    fc.property(frames, points, (before, by) => {
      const own = boundsOf(before);
      const box = scaledBox(before, scaleOf(own, { x: 1, y: 1 }, { x: 0, y: 0 }), EXACT);
      const moved = scaledBox(before, { ...IDENTITY, e: by.x, f: by.y }, EXACT);
      const isSame = Math.abs(box.x - before.box.x) < 0.02 && Math.abs(box.width - before.box.width) < 0.02;
      return isSame && distanceBetween(movedBox(before, by), moved) < 0.02;
    }),
  );
});

t.test('turning keeps the distance from what it turns about', async (t) => {
  fc.assert(
    fc.property(frames, fc.integer({ min: -180, max: 180 }), points, (before, degrees, about) => {
      const { box, rotation } = turnedBox(before, degrees, about);
      const turned = after(before, box, rotation);
      const middle = rotationAbout(degrees, about.x, about.y);
      const [from, to] = [pointAt(before, 0, 0), pointAt(turned, 0, 0)];
      const expected = {
        x: middle.a * from.x + middle.c * from.y + middle.e,
        y: middle.b * from.x + middle.d * from.y + middle.f,
      };
      return distanceBetween(expected, to) < 0.2 && rotation > -180 && rotation <= 180;
    }),
  );
  t.same([halfTurn(270), halfTurn(-180), halfTurn(725), halfTurn(-0)], [-90, 180, 5, 0]);
  const box = { x: 0, y: 0, width: 30, height: 10 };
  t.equal(turnedBox(frame(box), 40, centreOf(frame(box))).box, box, 'about its own centre, it stays');
});

t.test('aligns with the edges and centres of what is selected', async (t) => {
  const rect = { left: 10, top: 20, right: 30, bottom: 60 };
  const to = { left: 0, top: 0, right: 400, bottom: 301 };
  t.same(
    ALIGNMENTS.map((each) => alignBy(rect, to, each)),
    [
      { x: -10, y: 0 },
      { x: 180, y: 0 },
      { x: 370, y: 0 },
      { x: 0, y: -20 },
      { x: 0, y: 110.5 },
      { x: 0, y: 241 },
    ],
  );
});

t.test('distributing makes all gaps equal, and keeps the outermost', async () => {
  const rects = fc.array(
    boxes.map(({ x, y, width, height }) => ({ left: x, top: y, right: x + width, bottom: y + height })),
    { minLength: 3, maxLength: 6 },
  );
  fc.assert(
    fc.property(rects, (all) => {
      const by = distributeBy(all, 'x');
      const moved = all
        .map((rect, i) => ({ left: rect.left + by[i]!.x, right: rect.right + by[i]!.x }))
        .sort((p, q) => p.left + p.right - q.left - q.right);
      const order = all.toSorted((p, q) => p.left + p.right - q.left - q.right);
      const total = order.reduce((sum, { left, right }) => sum + right - left, 0);
      const gap = (order.at(-1)!.right - order[0]!.left - total) / (all.length - 1);
      // overlapping layers of different sizes may change places by their centres
      const gaps = moved.slice(1).map(({ left }, i) => left - moved[i]!.right);
      return gap < 0 || gaps.every((each) => Math.abs(each - gap) < 1e-6);
    }),
  );
});

// Polygons, stars, paths and arcs with centred borders; lines with dashes, round ends and arrowheads.
import t from 'tap';
import { BLACK, BLUE, CLEAR, draw, inkOf, inkSum, LIME, RED, shape } from './picture.js';

const red = { fillColor: '#ff0000' };
const canvas = { width: 80, height: 80 };

const paint = (more: object, box: readonly [number, number, number, number] = [10, 10, 60, 60]) =>
  draw([shape(...box, more)], canvas);

const near = (found: number, expected: number, by = 2) => Math.abs(found - expected) <= by;

t.test('polygon: points from the corner of the box, black by default', async (t) => {
  const picture = await paint({
    shapeType: 'polygon',
    points: [
      [0, 0],
      [40, 0],
      [40, 20],
      [0, 20],
    ],
  });
  t.same(inkOf(picture), { left: 10, top: 10, right: 50, bottom: 30 });
  t.same(picture.at(30, 20), BLACK);
  const outside = await paint({
    shapeType: 'polygon',
    ...red,
    points: [
      [-10, -10],
      [70, -10],
      [70, 0],
      [-10, 0],
    ],
  });
  t.same(inkOf(outside), { left: 0, top: 0, right: 80, bottom: 10 }, 'points may leave the box');
});

t.test('a border is centred on the outline, over the fill', async (t) => {
  const points = [
    [10, 10],
    [50, 10],
    [50, 50],
    [10, 50],
  ];
  const border = { width: 6, color: '#0000ff' };
  const picture = await paint({ shapeType: 'polygon', ...red, points, border });
  t.same(inkOf(picture), { left: 17, top: 17, right: 63, bottom: 63 });
  t.same(picture.at(22, 40), BLUE);
  t.same(picture.at(23, 40), RED);
  t.same((await paint({ shapeType: 'polygon', points, border })).at(40, 40), CLEAR, 'no fill without fillColor');
  const corner = async (join: string) =>
    (await paint({ shapeType: 'polygon', points, border: { ...border, join } })).at(17, 17)[3];
  t.equal(await corner('miter'), 255);
  t.equal(await corner('bevel'), 0);
  t.ok((await corner('round')) < 128);
});

t.test('a translucent layer shows no seam between fill and border', async (t) => {
  const points = [
    [10, 10],
    [50, 10],
    [50, 50],
    [10, 50],
  ];
  const picture = await paint({
    shapeType: 'polygon',
    ...red,
    points,
    border: { width: 6, color: '#ff0000' },
    opacity: 0.5,
  });
  const alphas = new Set(Array.from({ length: 46 }, (_, i) => picture.at(17 + i, 40)[3]));
  t.equal(alphas.size, 1);
});

t.test('star: tips on the ellipse of the box, the first one up', async (t) => {
  const picture = await paint({ shapeType: 'star', points: 4, innerRadius: 0.5 });
  t.same(picture.at(40, 12)[3], 255);
  t.same(inkOf(picture), { left: 10, top: 10, right: 70, bottom: 70 });
  // 8 triangles with sides 30 and 15 and an angle of 45° between them
  t.ok(near(inkSum(picture), 8 * 0.5 * 30 * 15 * Math.SQRT1_2));
  const wide = await paint({ shapeType: 'star', points: 4 }, [10, 20, 60, 40]);
  t.ok(near(inkSum(wide), (inkSum(picture) * 40) / 60), 'innerRadius is 0.5 by default');
  const polygon = await paint({ shapeType: 'star', points: 3, innerRadius: 0 });
  t.ok(inkSum(polygon) < 1, 'an inner radius of 0 leaves nothing');
});

t.test('path: pixels from the corner of the box without viewBox', async (t) => {
  const picture = await paint({ shapeType: 'path', d: 'M5 5h20v10h-20z' });
  t.same(inkOf(picture), { left: 15, top: 15, right: 35, bottom: 25 });
});

t.test('path: the viewBox fits inside, over or onto the box, in the middle', async (t) => {
  const ink = async (preserveAspectRatio?: string) =>
    inkOf(
      await paint(
        { shapeType: 'path', d: 'M0 0h10v10h-10z', viewBox: [0, 0, 10, 10], preserveAspectRatio },
        [10, 20, 60, 40],
      ),
    );
  t.same(await ink(), { left: 20, top: 20, right: 60, bottom: 60 });
  t.same(await ink('meet'), await ink());
  t.same(await ink('none'), { left: 10, top: 20, right: 70, bottom: 60 });
  t.same(await ink('slice'), { left: 10, top: 20, right: 70, bottom: 60 }, 'clipped to the box');
  const moved = await paint({ shapeType: 'path', d: 'M5 5h5v5h-5z', viewBox: [0, 0, 10, 10] }, [10, 20, 60, 40]);
  t.same(inkOf(moved), { left: 40, top: 40, right: 60, bottom: 60 });
});

t.test('path: the width of a border is in canvas pixels, whatever the viewBox', async (t) => {
  for (const viewBox of [
    [0, 0, 6, 6],
    [0, 0, 6000, 6000],
  ]) {
    const side = viewBox[2];
    const d = `M0 ${side / 2}h${side}`;
    const picture = await paint({ shapeType: 'path', d, viewBox, border: { width: 8, dash: [20, 20] } });
    t.same(inkOf(picture), { left: 10, top: 36, right: 70, bottom: 44 });
    t.equal(inkSum(picture), 8 * 40);
  }
});

t.test('path: fillRule', async (t) => {
  const d = 'M0 0h60v60h-60zM20 20h20v20h-20z';
  t.same((await paint({ shapeType: 'path', d, ...red })).at(40, 40), RED);
  t.same((await paint({ shapeType: 'path', d, ...red, fillRule: 'evenodd' })).at(40, 40), CLEAR);
});

t.test('an empty path and an empty box draw nothing', async (t) => {
  t.equal(inkOf(await paint({ shapeType: 'path', d: '' })), undefined);
  t.equal(inkOf(await paint({ shapeType: 'path', d: 'M9 9', border: { width: 9 } })), undefined);
  t.equal(inkOf(await paint({ shapeType: 'star', points: 5 }, [10, 10, 0, 60])), undefined);
});

t.test('arc: a part of the disc or ring, clockwise from the top', async (t) => {
  const quarter = await paint({ shapeType: 'arc', startAngle: 0, endAngle: 90 });
  t.same(inkOf(quarter), { left: 40, top: 10, right: 70, bottom: 40 });
  t.ok(near(inkSum(quarter), (Math.PI * 900) / 4));
  const ring = await paint({ shapeType: 'arc', innerRadius: 0.5 });
  t.ok(near(inkSum(ring), Math.PI * (900 - 225)), 'the whole ring by default');
  t.same(ring.at(40, 40), CLEAR);
  const half = await paint({ shapeType: 'arc', startAngle: 270, endAngle: 90, innerRadius: 0.5 });
  t.same(inkOf(half), { left: 10, top: 10, right: 70, bottom: 40 }, 'over the top');
  t.equal(inkOf(await paint({ shapeType: 'arc', startAngle: 30, endAngle: 30 })), undefined, 'no angle, no arc');
  t.ok(
    near(inkSum(await paint({ shapeType: 'arc', startAngle: -500, endAngle: 900, innerRadius: 0.5 })), inkSum(ring)),
  );
});

t.test('arc: a ring without thickness is a line along the outer radius', async (t) => {
  const line = { shapeType: 'arc', innerRadius: 1, ...red, border: { width: 8, color: '#0000ff' } };
  const half = await paint({ ...line, startAngle: 0, endAngle: 180 });
  t.match(inkOf(half), { top: 6, right: 74, bottom: 74 });
  t.ok(near(inkOf(half)!.left, 40, 1), 'with flat ends');
  t.same(half.at(70, 40), BLUE);
  t.same(half.at(60, 40), CLEAR, 'there is nothing to fill');
  const area = Math.PI * 30 * 8;
  t.ok(near(inkSum(half), area, 4), `${inkSum(half)} of ${area}: its edges are antialiased once`);
  const ring = await paint(line);
  t.same(ring.at(40, 40), CLEAR);
  t.ok(near(inkSum(ring), 2 * area, 8), `${inkSum(ring)} of ${2 * area}`);
  const round = await paint({ ...line, startAngle: 0, endAngle: 180, border: { ...line.border, cap: 'round' } });
  t.equal(inkOf(round)?.left, 36, 'with round ends');
  t.equal(inkOf(await paint({ ...line, border: undefined })), undefined, 'without a border nothing is drawn');
});

t.test('arc: round ends are half discs beyond the angles', async (t) => {
  const arc = { shapeType: 'arc', startAngle: 0, endAngle: 180, innerRadius: 0.5, ...red };
  const flat = inkSum(await paint(arc));
  const round = await paint({ ...arc, border: { width: 0, cap: 'round' } });
  t.ok(near(inkSum(round), flat + Math.PI * 7.5 * 7.5, 3));
  t.same(inkOf(round)?.left, 32, 'to the left of the start');
});

t.test('line: caps and arrowheads', async (t) => {
  const line = async (more: object, border: object = {}) => {
    const picture = await paint({ shapeType: 'line', border: { width: 6, ...border }, ...more }, [10, 30, 60, 20]);
    return { ink: inkOf(picture), sum: inkSum(picture) };
  };
  t.same(await line({}), { ink: { left: 10, top: 37, right: 70, bottom: 43 }, sum: 360 });
  t.same(await line({}, { cap: 'square' }), { ink: { left: 7, top: 37, right: 73, bottom: 43 }, sum: 396 });
  const round = await line({ startCap: 'round', endCap: 'round' });
  t.same(round.ink, { left: 7, top: 37, right: 73, bottom: 43 });
  t.ok(near(round.sum, 360 + Math.PI * 9, 1));
  t.ok(near((await line({}, { cap: 'round' })).sum, round.sum, 0.01));
  const arrow = await line({ endCap: 'arrow' });
  t.same(arrow.ink, { left: 10, top: 31, right: 70, bottom: 49 });
  t.ok(near(arrow.sum, 6 * 42 + (18 * 18) / 2, 1));
  const both = await line({ startCap: 'arrow', endCap: 'arrow' });
  t.ok(near(both.sum, 6 * 24 + 18 * 18, 1));
  const upright = await paint({ shapeType: 'line', border: { width: 6 }, startCap: 'arrow' }, [30, 10, 20, 60]);
  t.same(inkOf(upright), { left: 31, top: 10, right: 49, bottom: 70 });
  t.ok(near(upright.at(32, 27)[3], 170, 90) && upright.at(32, 12)[3] === 0, 'the tip is at the top');
});

t.test('line: a translucent line has the same colour everywhere, also mirrored', async (t) => {
  for (const flip of [undefined, 'x', 'y', 'both']) {
    const more = {
      border: { width: 10, color: 'rgba(255, 0, 0, 0.5)', cap: 'round' },
      startCap: 'round',
      endCap: 'arrow',
    };
    const picture = await paint({ shapeType: 'line', ...more, flip }, [10, 30, 60, 20]);
    const colors = new Set<string>();
    for (let x = 14; x < 66; x++) colors.add(String(picture.at(x, 40)));
    t.equal(colors.size, 1, `flip ${flip}`);
  }
});

t.test('line: dashes begin at the left or upper end, after an arrowhead', async (t) => {
  const line = (more: object, border: object = {}) =>
    paint({ shapeType: 'line', border: { width: 4, dash: [8, 4], ...border }, ...more }, [10, 30, 60, 20]);
  const plain = await line({});
  t.equal(inkSum(plain), 5 * 8 * 4);
  t.same(plain.at(17, 40), BLACK);
  t.same(plain.at(18, 40), CLEAR);
  t.same((await line({}, { dashOffset: 4 })).at(14, 40), CLEAR);
  const arrow = await line({ startCap: 'arrow' });
  t.same(arrow.at(29, 40), BLACK, 'the head is 12 px long, the first dash ends at 30');
  t.same(arrow.at(30, 40), CLEAR);
  t.same(await line({ border: undefined, fillColor: '#00ff00', height: 4 }).then((p) => p.at(20, 30)), LIME);
});

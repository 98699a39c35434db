// Frames of layers, hits, the viewport.
import t from 'tap';
import { compose, rotationAbout, translation } from '../../../../lib/geometry/affine.js';
import { moveChanges, resizeChanges } from '../../../../web/canvas/changes.js';
import { boundsOf, cornersOf, framesOf, pointAt } from '../../../../web/canvas/geometry/frames.js';
import { deeperTarget, hitAt, targetOf, touchedBy } from '../../../../web/canvas/geometry/hit.js';
import { EXACT } from '../../../../web/canvas/geometry/transform.js';
import {
  clampViewport,
  fit,
  MAX_ZOOM,
  MIN_ZOOM,
  nextZoom,
  toCanvas,
  toStage,
  zoomAt,
} from '../../../../web/canvas/geometry/viewport.js';
import { createDocument, type EditorDocument, locate, walk } from '../../../../web/document/document.js';
import type { Json } from '../../../../web/document/json.js';

const shape = (id: string, x: number, y: number, width: number, height: number, more: Json = {}) => ({
  type: 'shape',
  id,
  shapeType: 'rectangle',
  x,
  y,
  width,
  height,
  ...more,
});
const group = (id: string, box: readonly number[], layers: readonly Json[], more: Json = {}) => {
  const [x, y, width, height] = box;
  return { type: 'group', id, x, y, width, height, layers, ...more };
};

function open(...layers: Json[]) {
  const document = createDocument({ name: 'A', width: 400, height: 300, layers });
  const ids = new Map([...walk(document)].map(({ node }) => [String(node.raw.id), node.id]));
  return { document, frames: framesOf(document, new Map()), id: (name: string) => ids.get(name)! };
}

const near = (point: { x: number; y: number }) => [
  Math.round(point.x * 1e6) / 1e6 + 0,
  Math.round(point.y * 1e6) / 1e6 + 0,
];

t.test('layers whose place is an expression lie where the picture shows them, and gestures leave it', async (t) => {
  const bound = '{{= 40 * i }}';
  const document = createDocument({
    name: 'A',
    width: 400,
    height: 300,
    layers: [shape('a', 0, 7, 10, 10, { x: bound, each: '{{= items }}' })],
  });
  const [{ node }] = [...walk(document)];
  const frames = framesOf(document, new Map([[node.id, { box: [80, 7, 10, 10] as const }]]));
  const frame = frames.get(node.id)!;
  t.same(frame.box, { x: 80, y: 7, width: 10, height: 10 });
  const [moved] = moveChanges(document, [frame], { x: 5, y: 6 });
  t.same(moved!.fields, { x: bound, y: 13 });
  const [resized] = resizeChanges(document, frames, node.id, { x: 70, y: 7, width: 20, height: 10 }, EXACT);
  t.match(resized!.fields, { x: bound, width: 20 });
});

t.test('layers in turned and mirrored groups lie where they are painted', async (t) => {
  const { frames, id } = open(
    group(
      'outer',
      [100, 50, 100, 100],
      [group('inner', [10, 20, 40, 40], [shape('a', 1, 2, 10, 20)], { rotation: 90 })],
    ),
    group('mirrored', [0, 0, 100, 100], [shape('b', 10, 20, 30, 40)], { flip: 'x' }),
  );
  const a = frames.get(id('a'))!;
  const turned = compose(translation(110, 70), rotationAbout(90, 130, 90));
  const expected = { x: turned.a * 1 + turned.c * 2 + turned.e, y: turned.b * 1 + turned.d * 2 + turned.f };
  t.same(near(pointAt(a, 0, 0)), near(expected));
  t.same(near(pointAt(frames.get(id('b'))!, 0, 0)), [90, 20]);
  t.same(boundsOf(frames.get(id('b'))!), { left: 60, top: 20, right: 90, bottom: 60 });
  t.equal(cornersOf(a).length, 4);
});

t.test('layouts and contents decide with the picture; numbers of the document count at once', async (t) => {
  const { document, id } = open(
    group('row', [20, 30, 200, 50], [shape('a', 0, 0, 30, 20), shape('b', 7, 8, 30, 20, { position: 'absolute' })], {
      layout: 'row',
    }),
    { type: 'text', id: 'text', text: 'A', x: 5, y: 6, width: 'auto', height: 'auto' },
  );
  const placed = new Map([
    [id('row'), { box: [10, 30, 200, 50] as const }],
    [id('a'), { box: [15, 35, 40, 20] as const }],
    [id('text'), { box: [1, 1, 77, 18] as const }],
  ]);
  const frames = framesOf(document, placed);
  t.same(frames.get(id('row'))!.box, { x: 20, y: 30, width: 200, height: 50 }, 'the picture is of an earlier document');
  t.same(frames.get(id('a'))!.box, { x: 5, y: 5, width: 40, height: 20 });
  t.ok(frames.get(id('a'))!.isLaidOut);
  t.same(frames.get(id('b'))!.box, { x: 7, y: 8, width: 30, height: 20 });
  t.same(frames.get(id('text'))!.box, { x: 5, y: 6, width: 77, height: 18 });
});

t.test('the topmost layer is hit, in its turned box; not what is locked, hidden or clipped', async (t) => {
  const { document, frames, id } = open(
    shape('below', 0, 0, 400, 300),
    shape('turned', 100, 100, 100, 20, { rotation: 90 }),
    group('group', [200, 100, 100, 100], [shape('in', 10, 10, 20, 20), shape('out', 90, 90, 50, 50)], { clip: true }),
    shape('invisible', 0, 0, 50, 50, { visible: false }),
  );
  const at = (x: number, y: number, of: EditorDocument = document) => hitAt(of, frames, { x, y });
  t.same(at(105, 105), [id('below')], 'beside the turned box');
  t.same(at(150, 65), [id('turned')]);
  t.same(at(215, 115), [id('group'), id('in')]);
  t.same(at(250, 150), [id('group')], 'its box is seen');
  t.same(at(310, 210), [id('below')], 'clipped');
  t.same(at(10, 10), [id('below')], 'invisible');
  t.same(at(500, 10), undefined);
  t.same(at(150, 65, { ...document, locked: new Set([id('turned')]) }), [id('below')]);
  t.same(at(215, 115, { ...document, hidden: new Set([id('group')]) }), [id('below')]);
});

t.test('a click selects groups from the outside in', async (t) => {
  const { document, id } = open(
    group('outer', [0, 0, 99, 99], [group('inner', [0, 0, 50, 50], [shape('a', 0, 0, 9, 9)]), shape('b', 20, 0, 9, 9)]),
  );
  const chainOf = (of: number) => {
    const { node, ancestors } = locate(document, of)!;
    return [...ancestors.map((each) => each.id), node.id];
  };
  const chain = chainOf(id('a'));
  const selecting = (...names: string[]) => ({ ...document, selection: names.map(id) });
  t.equal(targetOf(document, chain, chainOf), id('outer'));
  t.equal(targetOf(selecting('outer'), chain, chainOf), id('outer'));
  t.equal(targetOf(selecting('b'), chain, chainOf), id('inner'), 'beside what is selected');
  t.equal(targetOf(selecting('a'), chain, chainOf), id('a'));
  t.equal(deeperTarget(selecting('outer'), chain), id('inner'));
  t.equal(deeperTarget(selecting('inner'), chain), id('a'));
  t.equal(deeperTarget(selecting('a'), chain), id('a'));
});

t.test('a marquee takes what it touches, by turned boxes', async (t) => {
  const { document, frames, id } = open(
    shape('turned', 100, 100, 100, 100, { rotation: 45 }),
    shape('b', 210, 210, 20, 20),
  );
  const area = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });
  t.same(touchedBy(document, frames, area(85, 85, 110, 110), undefined), [], 'at the corner of its bounds');
  t.same(touchedBy(document, frames, area(85, 140, 110, 160), undefined), [id('turned')]);
  t.same(touchedBy(document, frames, area(0, 0, 400, 300), undefined), [id('turned'), id('b')]);
});

t.test('the viewport zooms about a point, fits, and keeps the canvas in sight', async (t) => {
  const viewport = { zoom: 0.5, x: 13, y: -7 };
  const point = { x: 120, y: 80 };
  t.same(near(toStage(viewport, toCanvas(viewport, point))), [120, 80]);
  const zoomed = zoomAt(viewport, 3, point);
  t.same(near(toCanvas(zoomed, point)), near(toCanvas(viewport, point)));
  t.equal(zoomAt(viewport, 99, point).zoom, MAX_ZOOM);
  t.equal(zoomAt(viewport, 0, point).zoom, MIN_ZOOM);
  t.same(fit({ width: 100, height: 50 }, { width: 400, height: 400 }), { zoom: 3, x: 50, y: 125 });
  t.same(fit({ width: 1000, height: 500 }, { width: 540, height: 400 }, 20), { zoom: 0.5, x: 20, y: 75 });
  t.equal(
    fit({ width: 1000, height: 500 }, { width: 0, height: 0 }).zoom,
    MIN_ZOOM,
    'a stage that is not laid out yet',
  );
  t.equal(nextZoom(1, 1), 1.5);
  t.equal(nextZoom(1, -1), 0.75);
  t.equal(nextZoom(8, 1), 8);
  const canvas = { width: 100, height: 100 };
  const far = clampViewport({ zoom: 1, x: 9999, y: -9999 }, canvas, { width: 500, height: 500 });
  t.ok(far.x < 500 && far.y + 100 > 0);
});

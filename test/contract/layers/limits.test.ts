// The bound on the paths of all layers together.
import t from 'tap';
import { createOutlineLimit, MAX_OUTLINE_SEGMENTS } from '../../../lib/contract/layers/limits.js';
import { parseTemplate } from '../../../lib/contract/template/parse.js';
import { validatePayload } from '../../../lib/contract/validate.js';
import { MAX_PATH_SEGMENTS } from '../../../lib/geometry/path-data.js';
import { render } from '../../../lib/index.js';

const box = { x: 0, y: 0, width: 9, height: 9 };
const canvas = { width: 10, height: 10 };
const path = { type: 'shape', ...box, shapeType: 'path', d: `M0 0${'h1'.repeat(MAX_PATH_SEGMENTS - 1)}` };
const most = Array(MAX_OUTLINE_SEGMENTS / MAX_PATH_SEGMENTS).fill(path);
const small = { ...path, d: 'M0 0H9' };
const clipped = { type: 'shape', ...box, shapeType: 'circle', clipPath: 'polygon(0 0, 9px 0, 0 9px)' };
const message = (count: number, total: number) =>
  `received ${count} segments, ${total} with those of the layers before, expected at most 200000 in all layers`;

const counted = (value: number) => ({ value, expected: 'at most 200000 in all layers' });

t.test('counts paths, clip paths and the corners of polygons', async (t) => {
  const issues = createOutlineLimit();
  const data = { verbs: new Uint8Array(MAX_OUTLINE_SEGMENTS - 1), coords: [] };
  t.same(issues({ d: data }), []);
  t.same(issues({}), []);
  const points = Array(2).fill(undefined);
  t.same(issues({ clipPath: { kind: 'polygon', rule: 'nonzero', points } }), [
    {
      code: 'limit_exceeded',
      field: 'clipPath',
      message: message(2, MAX_OUTLINE_SEGMENTS + 1),
      ...counted(MAX_OUTLINE_SEGMENTS + 1),
    },
  ]);
  t.same(issues({}), [], 'layers without outlines are no part of it');
  t.match(createOutlineLimit()({ textPath: { verbs: new Uint8Array(MAX_OUTLINE_SEGMENTS + 1), coords: [] } }), [
    { field: 'textPath' },
  ]);
  const inPath = { kind: 'path', rule: 'nonzero', data } as const;
  t.match(createOutlineLimit()({ d: data, clipPath: inPath }), [{ field: 'clipPath' }]);
});

t.test('rejects the layer with which they become too many, at its place', async (t) => {
  const layers = [...most, { type: 'group', ...box, layers: [small, clipped] }];
  const details = [
    { code: 'limit_exceeded', path: 'layers[10].layers[0].d', message: message(2, 200_002), ...counted(200_002) },
    {
      code: 'limit_exceeded',
      path: 'layers[10].layers[1].clipPath',
      message: message(3, 200_005),
      ...counted(200_005),
    },
  ];
  t.same(validatePayload({ canvas, layers }, { maxLayers: 500 }).errors, details);
  await t.rejects(render({ canvas, layers }), { code: 'render_failed', details });
  t.same(validatePayload({ canvas, layers: most }, { maxLayers: 500 }).errors, []);
});

t.test('rejects templates with more', async (t) => {
  const hotspots = [...most, small].map((layer, index) => ({ ...layer, key: `k${index}`, label: 'a' }));
  const parse = (count: number) =>
    parseTemplate({ name: 'a', ...canvas, hotspots: hotspots.slice(0, count) }, { maxLayers: 500 });
  t.doesNotThrow(() => parse(10));
  t.throws(() => parse(11), { message: /hotspots\[10\]\.d: received 2 segments, 200002 with those/ });
});

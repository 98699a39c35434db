// Which places and sizes a layer takes, and what is said about fields of layout that have no effect.
import t from 'tap';
import type { Layer } from '../../../lib/contract/layers/index.js';
import { parseLayers } from '../../../lib/contract/layers/parse.js';
import { validatePayload } from '../../../lib/contract/validate.js';
import type { RenderError } from '../../../lib/errors.js';

const at = { x: 0, y: 0 };
const size = { width: 10, height: 10 };
const text = { type: 'text', text: 'a' };
const shape = { type: 'shape', shapeType: 'rectangle' };
const row = (...layers: object[]) => ({ type: 'group', ...at, ...size, layout: 'row', layers });

const errors = (...layers: object[]) => {
  try {
    parseLayers(layers);
    return [];
  } catch (error) {
    return (error as RenderError).details.map(({ path, message }) => `${path} ${message}`);
  }
};
const warnings = (...layers: object[]) =>
  validatePayload({ canvas: { width: 100, height: 100 }, layers }, { maxLayers: 500 }).warnings.map(
    ({ path, message }) => `${path} ${message}`,
  );

t.test('sizes are numbers outside of layouts, but for texts and groups with a layout', async (t) => {
  t.same(errors({ ...text, ...at, width: 'auto', height: 'auto' }, { ...row(), width: 'auto', height: 'auto' }), []);
  t.same(errors({ ...shape, ...at, width: 'auto', height: 10 }), [
    'layers[0].width received "auto", expected a number from 0 to 1000000 ("auto" needs a group with a layout)',
  ]);
  t.same(errors({ type: 'group', ...at, width: 10, height: 'auto', layers: [] }), [
    'layers[0].height received "auto", expected a number from 0 to 1000000 ("auto" needs a layout)',
  ]);
  t.same(errors({ ...text, ...at, width: 'fill', height: '50%' }), [
    'layers[0].width received "fill", expected a number from 0 to 1000000 or "auto" ("fill" needs a group with a layout)',
    'layers[0].height received "50%", expected a number from 0 to 1000000 or "auto" (a percentage needs a group with a layout)',
  ]);
  t.same(errors({ ...shape, x: null, width: -1, height: 10 }), [
    'layers[0].x received null, expected a number from -1000000 to 1000000',
    'layers[0].y received nothing, expected a number from -1000000 to 1000000',
    'layers[0].width received -1, expected a number from 0 to 1000000',
  ]);
});

t.test('in a layout sizes are of any kind, and places are not needed', async (t) => {
  t.same(errors(row({ ...shape, width: 'fill', height: '12.5%' }, { ...text, width: 'auto', height: 3 })), []);
  t.same(errors(row({ ...shape, width: '1001%', height: 'large' })), [
    'layers[0].layers[0].width received "1001%", expected a number from 0 to 1000000, "auto", "fill" or a percentage such as "50%" or "calc(50% - 8px)"',
    'layers[0].layers[0].height received "large", expected a number from 0 to 1000000, "auto", "fill" or a percentage such as "50%" or "calc(50% - 8px)"',
  ]);
  t.same(errors(row({ ...shape, position: 'absolute', x: 1, width: 'fill', height: 'auto' })), [
    'layers[0].layers[0].y received nothing, expected a number from -1000000 to 1000000',
    'layers[0].layers[0].width received "fill", expected a number from 0 to 1000000, "auto" or a percentage such as "50%" or "calc(50% - 8px)" ("fill" needs a place in the layout)',
  ]);
});

t.test('a parsed layer has plain numbers, and its sizes beside them', async (t) => {
  const [group] = parseLayers([row({ ...shape, width: 'fill', height: '50%' }, { ...shape, ...size })]);
  const [first, second] = (group as { layers: readonly Layer[] }).layers;
  t.match(first, { x: 0, y: 0, width: 0, height: 0, extents: { width: 'fill', height: { percent: 50 } } });
  t.match(second, { x: 0, width: 10 });
  t.notOk('extents' in second);
});

t.test('an image is absolute by its position, which is that of the picture otherwise', async (t) => {
  const image = { type: 'image', url: 'data:,', ...at, ...size };
  const [group] = parseLayers([row({ ...image, position: 'absolute' }, { ...image, position: 'top' })]);
  const [first, second] = (group as { layers: readonly Layer[] }).layers;
  t.match(first, { isAbsolute: true, position: undefined });
  t.match(second, { isAbsolute: undefined, position: { y: { percent: 0 } } });
  t.match(errors({ ...image, position: 'absolute' }), [/position received "absolute", .*needs a group with a layout/]);
});

t.test('warns about fields of layout without effect', async (t) => {
  t.same(warnings({ ...shape, ...at, ...size, grow: 1, margin: 2, minWidth: 3 }), [
    'layers[0].grow has no effect outside of a group with a layout',
    'layers[0].margin has no effect outside of a group with a layout',
    'layers[0].minWidth has no effect outside of a group with a layout',
  ]);
  t.same(warnings({ ...text, ...at, width: 'auto', height: 10, maxWidth: 50 }), []);
  t.same(warnings(row({ ...shape, ...at, ...size })), [
    'layers[0].layers[0].x has no effect in a group with a layout',
    'layers[0].layers[0].y has no effect in a group with a layout',
  ]);
  t.same(warnings({ type: 'group', ...at, ...size, gap: 4, wrapItems: true, layers: [{ ...shape, ...at, ...size }] }), [
    'layers[0].gap has no effect on a group without a layout',
    'layers[0].wrapItems has no effect on a group without a layout',
  ]);
});

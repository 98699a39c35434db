// Layers on the clipboard, and the style of one layer for another.
import fc from 'fast-check';
import t from 'tap';
import { lintTemplate } from '../../../lib/templates/lint.js';
import { withFields } from '../../../web/document/json.js';
import { besides, layersText, parseLayers } from '../../../web/panels/clipboard/layers-text.js';
import { fieldsWithStyle, styleOf } from '../../../web/panels/clipboard/style.js';

const TEXT = { type: 'text', text: 'Hello', x: 10, y: 20, width: 100, height: 20 };

t.test('layers that were copied are read again', async (t) => {
  t.same(parseLayers(layersText([TEXT, { ...TEXT, key: 'title' }])), [TEXT, { ...TEXT, key: 'title' }]);
});

t.test('layers written by hand are read too', async (t) => {
  t.same(parseLayers(JSON.stringify(TEXT)), [TEXT]);
  t.same(parseLayers(` ${JSON.stringify([TEXT])}\n`), [TEXT]);
});

t.test('other texts are no layers', async (t) => {
  for (const text of [
    '',
    'Hello',
    '{"type":"text"',
    '[]',
    '{}',
    '[1]',
    '{"type":"video"}',
    'null',
    '{"platen/layers":1}',
  ]) {
    t.equal(parseLayers(text), undefined, text);
  }
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const layers = parseLayers(text);
      return layers === undefined || layers.every((each) => typeof each === 'object');
    }),
  );
});

t.test('what is pasted where it is already is moved by 10 pixels, as often as needed', async (t) => {
  t.same(besides([], [TEXT]), [TEXT]);
  t.match(besides([TEXT], [TEXT]), [{ x: 20, y: 30 }]);
  t.match(besides([TEXT, { ...TEXT, x: 20, y: 30 }], [TEXT]), [{ x: 30, y: 40 }]);
  t.match(besides([{ ...TEXT, type: 'shape' }], [TEXT]), [{ x: 10, y: 20 }]);
  const two = [TEXT, { ...TEXT, x: 200 }];
  t.match(besides([TEXT], two), [{ x: 20 }, { x: 210 }], 'together');
});

t.test('a style is taken over without what the layer shows and where it is', async (t) => {
  const styled = { ...TEXT, color: '#ff0000', fontSize: 40, opacity: 0.5, border: { width: 2 } };
  const other = { ...TEXT, text: 'Other', x: 90, letterSpacing: 3 };
  t.same(withFields(other, fieldsWithStyle(styleOf(styled), other)), {
    ...TEXT,
    text: 'Other',
    x: 90,
    color: '#ff0000',
    fontSize: 40,
    opacity: 0.5,
    border: { width: 2 },
  });
});

t.test('a layer of another type gets what both have, and the main colour', async (t) => {
  const styled = { ...TEXT, color: '#ff0000', fontSize: 40, opacity: 0.5, border: { width: 2 } };
  const shape = { type: 'shape', shapeType: 'rectangle', x: 0, y: 0, width: 9, height: 9, blendMode: 'multiply' };
  const changed = withFields(shape, fieldsWithStyle(styleOf(styled), shape));
  t.same(changed, { ...shape, opacity: 0.5, border: { width: 2 }, fillColor: '#ff0000' });
  t.same(
    lintTemplate({ name: 'x', width: 20, height: 20, layers: [changed] }).filter(({ path }) => path !== 'hotspots'),
    [],
  );
});

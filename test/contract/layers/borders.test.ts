// Borders of sides and styles: what is rejected.
import t from 'tap';
import { parseLayers } from '../../../lib/contract/layers/parse.js';
import type { RenderError } from '../../../lib/errors.js';
import { validate } from '../../../lib/index.js';

const SHAPE = { type: 'shape', shapeType: 'rectangle', x: 0, y: 0, width: 9, height: 9 };

/** The issues of a layer with these fields. */
function issuesOf(fields: object): readonly string[] {
  try {
    parseLayers([{ ...SHAPE, ...fields }]);
  } catch (error) {
    return (error as RenderError).details.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

t.test('a line has a style or dashes', (t) => {
  t.same(issuesOf({ border: { style: 'dashed' }, borderTop: { width: 4, dash: [4, 2], cap: 'round' } }), []);
  t.same(issuesOf({ border: { style: 'solid', dash: [4, 2] } }), []);
  t.same(issuesOf({ border: { style: 'dotted', dash: [1] } }), [
    'layers[0].border.dash: received an array of 1, expected nothing beside style "dotted"',
  ]);
  t.same(issuesOf({ borderLeft: { style: 'double', dash: [1] } }), [
    'layers[0].borderLeft.dash: received an array of 1, expected nothing beside style "double"',
  ]);
  t.same(issuesOf({ border: { style: 'dash' } }), [
    'layers[0].border.style: received "dash", expected one of "solid", "dashed", "dotted", "double"',
  ]);
  t.same(issuesOf({ borderTop: { width: -1 } }), [
    'layers[0].borderTop.width: received -1, expected a number from 0 to 1000000',
  ]);
  t.end();
});

t.test('only boxes have sides', (t) => {
  t.same(issuesOf({ shapeType: 'circle', borderTop: { width: 2 } }), []);
  t.same(issuesOf({ shapeType: 'line', borderTop: { width: 2 } }), [
    'layers[0].borderTop: received an object with width, expected nothing on shapeType "line"',
  ]);
  t.same(issuesOf({ shapeType: 'star', points: 5, border: { style: 'dotted' } }), [
    'layers[0].border.style: received "dotted", expected "solid" on shapeType "star", or dash',
  ]);
  t.end();
});

t.test('the offset and the caps of a side have no effect without dashes', (t) => {
  const canvas = { width: 20, height: 20 };
  const { warnings } = validate({ canvas, layers: [{ ...SHAPE, borderTop: { dashOffset: 2 } }] });
  t.match(warnings, [{ code: 'no_effect', path: 'layers[0].borderTop.dashOffset' }]);
  t.end();
});

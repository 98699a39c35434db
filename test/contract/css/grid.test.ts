// Track lists and places of grids: what they mean, and what is said about wrong ones.
import t from 'tap';
import { autoTracks, gridPlace, trackList } from '../../../lib/contract/css/grid.js';
import { MAX_TRACKS } from '../../../lib/contract/css/grid-limits.js';
import { validate } from '../../../lib/index.js';

const both = (size: unknown) => ({ min: size, max: size });
const parse = (value: unknown) => trackList().parse(value);

t.test('reads track lists', (t) => {
  t.same(parse(120), { tracks: [both(120)] });
  t.same(parse('120PX 50 25% 0'), { tracks: [both(120), both(50), both({ percent: 25 }), both(0)] });
  t.same(parse(' auto min-content\tmax-content '), { tracks: ['auto', 'min-content', 'max-content'].map(both) });
  t.same(parse('1fr 2.5fr'), { tracks: [1, 2.5].map((fr) => ({ min: 'auto', max: { fr } })) });
  t.same(parse('minmax( 10px , 1fr ) minmax(auto,20%)'), {
    tracks: [
      { min: 10, max: { fr: 1 } },
      { min: 'auto', max: { percent: 20 } },
    ],
  });
  t.same(parse('fit-content(30%)'), { tracks: [{ min: 'auto', max: 'max-content', limit: { percent: 30 } }] });
  t.same(parse('10px repeat(2, 1fr 20px) auto'), {
    tracks: [both(10), ...[0, 1].flatMap(() => [{ min: 'auto', max: { fr: 1 } }, both(20)]), both('auto')],
  });
  t.same(parse('10px repeat(auto-fit, minmax(40px, 1fr)) 30px'), {
    tracks: [both(10), both(30)],
    fill: { repeated: [{ min: 40, max: { fr: 1 } }], at: 1, isFit: true },
  });
  t.same(autoTracks().parse('20px 1fr'), [both(20), { min: 'auto', max: { fr: 1 } }]);
  t.equal(parse(`repeat(${MAX_TRACKS}, 1px)`)?.tracks.length, MAX_TRACKS);
  t.end();
});

t.test('reads places', (t) => {
  const place = (value: unknown) => gridPlace().parse(value);
  t.same(place(3), { start: 3, end: undefined, span: 1 });
  t.same(place('-1'), { start: -1, end: undefined, span: 1 });
  t.same(place('2 / span 3'), { start: 2, end: undefined, span: 3 });
  t.same(place('span 2/-1'), { start: undefined, end: -1, span: 2 });
  t.same(place('1 / -1'), { start: 1, end: -1, span: 1 });
  t.same(place('span 4'), { start: undefined, end: undefined, span: 4 });
  t.same(place('auto'), { start: undefined, end: undefined, span: 1 });
  t.same(place('auto / span 2'), { start: undefined, end: undefined, span: 2 });
  t.end();
});

const cell = { type: 'shape', shapeType: 'rectangle', width: 'fill', height: 'fill' };
const payload = (group: object, layer: object = {}) => ({
  canvas: { width: 100, height: 50 },
  layers: [
    { type: 'group', x: 0, y: 0, width: 100, height: 50, layout: 'grid', layers: [{ ...cell, ...layer }], ...group },
  ],
});
const errorOf = (group: object, layer?: object) =>
  validate(payload(group, layer)).details.map(({ path, message }) => `${path}: ${message}`)[0];

t.test('says where a track list is wrong, and what was expected', (t) => {
  const columns = (value: unknown) => errorOf({ gridTemplateColumns: value });
  t.match(
    columns('110px 1frr'),
    /^layers\[0\]\.gridTemplateColumns: received "110px 1frr", expected px, %, fr, auto, .* or "repeat\(3, 1fr\)" at character 7$/,
  );
  t.match(columns('minmax(1fr, 2px)'), /expected minmax\(\) of a minimum other than fr and a maximum, such as/);
  t.match(columns('fit-content(1fr)'), /expected fit-content\(\) of a size in px or %/);
  t.match(columns('repeat(0, 1fr)'), /expected repeat\(\) of a whole number from 1 and sizes/);
  t.match(columns('repeat(2, )'), /in repeat\(\) at character 11$/);
  t.match(columns('1fr repeat(auto-fill, 20px)'), /expected sizes with a minimum or maximum in px or %/);
  t.match(columns('repeat(auto-fill, auto)'), /expected sizes with a minimum or maximum in px or %/);
  t.match(columns('repeat(auto-fill, 1px) repeat(auto-fill, 1px)'), /once of auto-fill or auto-fit/);
  t.match(columns('[start] 1fr'), /at character 1$/);
  t.match(columns(''), /expected px, %, fr/);
  t.match(columns('-3px'), /at character 1$/);
  t.match(columns(-3), /expected a number from 0 to 1000000$/);
  t.match(columns(true), /expected a number from 0 to 1000000, or px, %/);
  t.match(columns('repeat(1001, 1px)'), /expected at most 1000 tracks$/);
  t.match(columns('1px '.repeat(1001)), /expected at most 1000 tracks$/);
  t.match(errorOf({ gridAutoRows: 'repeat(2, 1px)' }), /^layers\[0\]\.gridAutoRows: .*at character 1$/);
  t.end();
});

t.test('says what a place may be', (t) => {
  const place = (value: unknown) => errorOf({}, { gridColumn: value });
  t.match(place(1.5), /expected a line from 1/);
  t.match(place(1002), /expected a whole number from -1001 to 1001$/);
  for (const wrong of [0, '0', 'span 0', 'span -1', '1 / 2 / 3', 'a', '1002', 'span 1001', '', {}, '2 /']) {
    t.match(
      place(wrong),
      /^layers\[0\]\.layers\[0\]\.gridColumn: received .*expected a line from 1 to 1001/,
      `${wrong}`,
    );
  }
  t.end();
});

t.test('warns about fields without effect', (t) => {
  const warned = (group: object, layer: object) => validate(payload(group, layer)).warnings.map(({ path }) => path);
  t.same(warned({}, { gridColumn: 1, justifySelf: 'end' }), []);
  t.same(warned({ wrapItems: true }, { grow: 1, shrink: 0 }), [
    'layers[0].wrapItems',
    'layers[0].layers[0].grow',
    'layers[0].layers[0].shrink',
  ]);
  t.same(
    warned({ layout: 'row', gridTemplateColumns: 20, gridAutoFlow: 'column' }, { gridRow: 1, justifySelf: 'end' }),
    [
      'layers[0].gridTemplateColumns',
      'layers[0].gridAutoFlow',
      'layers[0].layers[0].gridRow',
      'layers[0].layers[0].justifySelf',
    ],
  );
  t.same(warned({}, { position: 'absolute', x: 0, y: 0, width: 5, height: 5, gridColumn: 1 }), [
    'layers[0].layers[0].gridColumn',
  ]);
  t.end();
});

import t from 'tap';
import { validate } from '../../../lib/index.js';
import { hotspotFields, sampleVariables, valuesOf, variablesOf } from '../../../web/preview/hotspots.js';
import { kindOf, recordOf, requestBody } from '../../../web/preview/payload-kind.js';

const box = { x: 0, y: 0, width: 10, height: 10 };
const RECORD = {
  name: 'Card',
  width: 100,
  height: 100,
  layers: [
    { type: 'text', text: 'fixed', ...box },
    { type: 'shape', shapeType: 'circle', fillColor: '#00ff00', key: 'dot', ...box },
  ],
  hotspots: [
    { type: 'text', key: 'title', label: 'Title', text: 'Hello', color: '#123456', ...box },
    { type: 'image', key: 'photo', label: 'Photo', ...box },
    { type: 'qrcode', key: 'link', label: 'Link', data: 'https://example.com', ...box },
  ],
};

t.test('a template has a field for each hotspot, with what the record has there', async (t) => {
  const fields = hotspotFields(RECORD);
  t.same(
    fields.map(({ key, label, main }) => [key, label, main?.name, main?.standard]),
    [
      ['dot', 'dot', undefined, undefined],
      ['title', 'Title', 'Text', 'Hello'],
      ['photo', 'Photo', 'Image URL', ''],
      ['link', 'Link', 'Data', 'https://example.com'],
    ],
  );
  t.equal(fields[1]!.colors[0]!.standard, '#123456');
  t.same(hotspotFields({ hotspots: [{ key: 1, type: 'text' }, { key: 'a', type: 'video' }, null], layers: 3 }), []);
  t.same(hotspotFields('nothing'), []);
  t.same(sampleVariables(RECORD), { title: 'Hello', link: 'https://example.com' });
});

t.test('what was changed becomes variables that the renderer takes', async (t) => {
  const fields = hotspotFields(RECORD);
  const values = {
    dot: { fillColor: '#ff0000' },
    title: { text: '', color: '#654321' },
    link: { data: 'https://example.org' },
    photo: {},
    gone: { text: 'of a hotspot that is no more' },
  };
  const variables = variablesOf(fields, values);
  t.same(variables, {
    dot: { fillColor: '#ff0000' },
    title: { text: '', color: '#654321' },
    link: 'https://example.org',
  });
  t.same(validate(RECORD, { variables }).details, []);
  t.same(variablesOf(fields, {}), {});
});

t.test('variables of a render fill the form', async (t) => {
  const fields = hotspotFields(RECORD);
  const variables = {
    title: { text: '', color: '#654321' },
    link: 'https://example.org',
    dot: { fillColor: '#ff0000' },
  };
  t.same(variablesOf(fields, valuesOf(fields, variables)), variables);
  t.same(
    valuesOf(fields, { Title: 7, photo: null, dot: 'plain', gone: 'x' }),
    { title: { text: '7' } },
    'by label too',
  );
  const named = hotspotFields({ hotspots: [RECORD.hotspots[0], { ...RECORD.hotspots[0], key: 'b', label: 'title' }] });
  t.same(valuesOf(named, { title: 'Mine' }), { title: { text: 'Mine' } }, 'a key of another hotspot is no label');
});

t.test('tells payloads apart, and which of them the API takes as they are', async (t) => {
  const canvas = { canvas: { width: 10, height: 20, backgroundColor: '#fff' }, layers: [], format: 'webp' };
  t.equal(kindOf(canvas), 'canvas');
  t.equal(kindOf({ templateId: 'tpl_1' }), 'request');
  t.equal(kindOf(RECORD), 'record');
  t.equal(kindOf([]), undefined);
  t.equal(kindOf({}), undefined);
  t.equal(requestBody(canvas), canvas);
  t.equal(requestBody(RECORD), undefined);
  const record = recordOf(canvas, 'Mine');
  t.same(record, { name: 'Mine', width: 10, height: 20, background: { color: '#fff' }, layers: [] });
  t.same(validate(record).details, []);
});

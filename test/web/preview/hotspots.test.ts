import t from 'tap';
import { listHotspots } from '../../../lib/contract/template/record-strings.js';
import { validate } from '../../../lib/index.js';
import { sizeNames } from '../../../web/document/sizes.js';
import {
  givenTo,
  type HotspotField,
  hotspotFields,
  sampleVariables,
  type Variables,
  withGiven,
} from '../../../web/preview/hotspots.js';
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

t.test('what is changed in the form becomes variables that the renderer takes', async (t) => {
  const fields = hotspotFields(RECORD);
  const [dot, title, photo, link] = fields as [HotspotField, HotspotField, HotspotField, HotspotField];
  let variables: Variables = { kept: 1 };
  const set = (field: HotspotField, name: string, value: unknown) => {
    variables = withGiven(fields, field, variables, name, value);
  };
  set(dot, 'fillColor', '#ff0000');
  set(title, 'text', '');
  set(link, 'data', 'https://example.org');
  t.same(variables, { kept: 1, dot: { fillColor: '#ff0000' }, title: '', link: 'https://example.org' });
  set(title, 'color', '#654321');
  t.same(variables.title, { text: '', color: '#654321' });
  t.same(validate(RECORD, { variables }).details, []);
  set(title, 'color', undefined);
  t.equal(variables.title, '', 'plain again');
  set(title, 'text', undefined);
  set(photo, 'url', undefined);
  t.same(variables, { kept: 1, dot: { fillColor: '#ff0000' }, link: 'https://example.org' });
});

t.test('variables fill the form, by key or by label', async (t) => {
  const fields = hotspotFields(RECORD);
  const [dot, title, photo] = fields as [HotspotField, HotspotField, HotspotField];
  t.same(givenTo(fields, title, { title: { text: 'a', fontSize: 9 } }), { text: 'a', fontSize: 9 });
  t.same(givenTo(fields, title, { Title: 7 }), { text: 7 });
  t.same(givenTo(fields, dot, { dot: 'plain' }), {}, 'a shape has no main field');
  t.same(givenTo(fields, photo, { photo: null }), {});
  t.same(withGiven(fields, title, { Title: 7 }, 'text', '8'), { Title: '8' }, 'keeps the name');
  const [first] = RECORD.hotspots;
  const named = hotspotFields({ hotspots: [first, { ...first, key: 'b', label: 'title' }] });
  t.same(givenTo(named, named[1]!, { title: 'Mine' }), {}, 'a key of another hotspot is no label');
  const shared = hotspotFields({ hotspots: [first, { ...first, key: 'b' }] });
  t.same(
    withGiven(shared, shared[1]!, { Title: 'Both' }, 'text', 'Mine'),
    { Title: 'Both', b: 'Mine' },
    'a label that fills another one too stays',
  );
});

t.test('a text in spans is its main field', async (t) => {
  const spans = [{ text: 'Hello ' }, { text: 'world', color: 'red' }, null];
  const [field] = hotspotFields({ hotspots: [{ type: 'text', key: 'a', label: 'A', spans, ...box }] });
  t.equal(field?.main?.standard, 'Hello world');
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

t.test('variables of placeholders are fields too, those of sizes included', async (t) => {
  const placed = {
    ...RECORD,
    placeholders: true,
    background: { url: 'https://example.com/{{bg}}.png' },
    layers: [...RECORD.layers, { type: 'text', id: 'row', text: 'Row {{row|–}} {{title}} {{Title}}', ...box }],
    sizes: { story: { width: 9, height: 16, layers: { row: { text: '{{seat}} {{row}}' }, none: { text: '{{x}}' } } } },
  };
  const plain = hotspotFields(placed).filter(({ type }) => type === 'placeholder');
  t.same(
    plain.map(({ key, main }) => [key, main?.standard]),
    [
      ['bg', ''],
      ['row', '–'],
      ['seat', ''],
    ],
  );
  t.same(
    plain.map(({ key }) => key),
    listHotspots(placed).flatMap(({ key, type }) => (type === 'placeholder' ? [key] : [])),
  );
  const row = plain.find(({ key }) => key === 'row')!;
  t.same(withGiven(hotspotFields(placed), row, {}, 'text', 'A'), { row: 'A' });
  const prices = hotspotFields({ ...placed, layers: [{ type: 'text', text: '{{n}} {{n:number(2)|1}}', ...box }] });
  const content = Object.fromEntries(prices.map((each) => [each.key, each.content]));
  t.match(content, { n: 'number', bg: 'url' });
  t.same(
    hotspotFields({ ...placed, placeholders: false }).filter(({ type }) => type === 'placeholder'),
    [],
  );
  t.same([sizeNames(placed), sizeNames(RECORD), sizeNames(5)], [['story'], [], []]);
});

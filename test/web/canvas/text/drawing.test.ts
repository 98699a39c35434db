// The picture shows the text as written while it is edited.
import t from 'tap';
import { parsePlaceholders } from '../../../../lib/contract/template/placeholders.js';
import { caretsPath, editingNotes, withoutOwnVariable, withRawText } from '../../../../web/canvas/text/drawing.js';
import { createDocument, drawnRecord } from '../../../../web/document/document.js';
import type { Json } from '../../../../web/document/json.js';

const open = (layer: Json, record: Json = {}) =>
  createDocument({ width: 100, height: 100, layers: [{ type: 'shape' }, { type: 'text', ...layer }], ...record });

const layerOf = (record: Json) => (record.layers as Json[])[1]!;

t.test('markup is drawn as it is written, and a text leaves its path', async (t) => {
  const document = open({ text: '**a**', markup: true, textPath: 'M0 0L9 9' });
  t.same(layerOf(drawnRecord(withRawText(document, 2))), { type: 'text', text: '**a**' });
  t.equal(withRawText(document, undefined), document);
  t.equal(withRawText(document, 1), document, 'a shape has no text');
  t.equal(editingNotes(document, 2, {}).length, 2);
  t.equal(caretsPath(document, 2), 'layers[1]');
});

t.test('placeholders are drawn as they are written, where the record has placeholders', async (t) => {
  const texts = ['Hi {{name}}', '\\{{a}} \\\\{{b|c}}', '{{{{a}}'];
  for (const text of texts) {
    const document = open({ text }, { placeholders: true });
    const drawn = layerOf(withRawText(document, 2).record).text as string;
    t.same(parsePlaceholders(drawn), { pieces: [text], faults: [] }, text);
  }
  const spans = open({ spans: [{ text: '{{a}}', color: 'red' }, null, { text: 'b' }] }, { placeholders: true });
  const drawn = layerOf(withRawText(spans, 2).record).spans;
  t.same(drawn, [{ text: '\\{{a}}', color: 'red' }, null, { text: 'b' }]);
  t.equal(editingNotes(spans, 2, {}).length, 1);
});

t.test('in a size, its overrides are what is drawn', async (t) => {
  const layers = { title: { text: '**b**', markup: true } };
  const document = { ...open({ id: 'title', text: 'a' }, { sizes: { story: { layers } } }), size: 'story' };
  const { record } = withRawText(document, 2);
  t.same(record.sizes, { story: { layers: { title: { text: '**b**' } } } });
});

t.test('the value of the variable is left out, under its key or its label', async (t) => {
  const document = open({ text: 'a', key: 'title', label: 'Title' });
  t.same(withoutOwnVariable(document, 2, { title: 'b', Title: 'c', other: 'd' }), { other: 'd' });
  t.equal(editingNotes(document, 2, { Title: 'c' }).length, 1);
  const variables = { other: 'd' };
  t.equal(withoutOwnVariable(document, 2, variables), variables);
  const taken = open({ text: 'a', key: 'title', label: 'other' }, { hotspots: [{ type: 'text', key: 'other' }] });
  t.equal(withoutOwnVariable(taken, 2, variables), variables, 'the label is the key of another');
});

import { CompletionContext } from '@codemirror/autocomplete';

import { EditorState } from '@codemirror/state';
import t from 'tap';
import { payloadJsonSchema } from '../../../lib/contract/json-schema.js';
import { completeFrom, keyInsertion } from '../../../web/json/completion.js';
import { jsonLanguage } from '../../../web/json/language.js';
import { fieldAt } from '../../../web/json/place.js';
import { hintOf, type Schema } from '../../../web/json/schema.js';

const root = payloadJsonSchema() as Schema;
const payload = { root, start: root };
const template = { root, start: { $ref: '#/definitions/Template' } };

/** The text without its `|`, and the position of that. */
function marked(text: string) {
  const position = text.indexOf('|');
  const doc = text.slice(0, position) + text.slice(position + 1);
  return { state: EditorState.create({ doc, extensions: [jsonLanguage] }), position };
}

/** The completions at `|`. */
function complete(text: string, { schema = payload, explicit = true } = {}): string[] {
  const { state, position } = marked(text);
  const result = completeFrom(schema)(new CompletionContext(state, position, explicit));
  return (result?.options ?? []).map(({ label }) => label);
}

t.test('completes the keys of the payload, of either shape until its fields decide', async (t) => {
  const keys = complete('{|}');
  for (const key of ['"canvas"', '"layers"', '"templateId"', '"variables"', '"hotspots"'])
    t.ok(keys.includes(key), key);
  const canvas = complete('{ "canvas": { "width": 1, "height": 1 }, |}');
  t.ok(canvas.includes('"layers"'));
  t.notOk(canvas.includes('"templateId"'));
  t.notOk(canvas.includes('"hotspots"'));
  t.notOk(canvas.includes('"canvas"'), 'not those that are there');
  const record = complete('{|}', { schema: template });
  t.ok(record.includes('"hotspots"'));
  t.notOk(record.includes('"templateId"'));
});

t.test('completes the keys of a layer of its type', async (t) => {
  const text = complete('{ "canvas": {}, "layers": [ { "type": "text", "x": 1, | } ] }');
  t.ok(text.includes('"fontSize"'));
  t.notOk(text.includes('"url"'));
  t.notOk(text.includes('"x"'));
  const any = complete('{ "canvas": {}, "layers": [ { | } ] }');
  t.ok(any.includes('"type"') && any.includes('"fontSize"') && any.includes('"url"'));
  for (const given of ['{ "b|" }', '[{}, { "b|" }]']) {
    const shadow = complete(`{ "canvas": {}, "layers": [ { "type": "image", "shadow": ${given} } ] }`);
    t.same([...shadow].sort(), ['"blur"', '"color"', '"inset"', '"offsetX"', '"offsetY"', '"spread"'], given);
  }
  const hotspot = complete('{ "layers": [], "hotspots": [ { "type": "qrcode", "|" } ] }', { schema: template });
  t.ok(hotspot.includes('"label"') && hotspot.includes('"colorDark"'));
});

t.test('completes values that the schema lists', async (t) => {
  t.same(complete('{ "canvas": {}, "layers": [ { "type": | } ] }'), [
    '"text"',
    '"image"',
    '"qrcode"',
    '"barcode"',
    '"shape"',
    '"icon"',
    '"group"',
    '"component"',
    '"chart"',
    '"table"',
  ]);
  t.same(complete('{ "canvas": {}, "layers": [ { "type": "te|" } ] }'), [
    '"text"',
    '"image"',
    '"qrcode"',
    '"barcode"',
    '"shape"',
    '"icon"',
    '"group"',
    '"component"',
    '"chart"',
    '"table"',
  ]);
  t.same(complete('{ "canvas": {}, "layers": [], "format": "|" }'), ['"png"', '"jpeg"', '"jpg"', '"webp"', '"avif"']);
  t.same(complete('{ "canvas": {}, "layers": [ { "type": "text", "wrap": t| } ] }'), ['true', 'false']);
  t.same(complete('{ "canvas": { "width": | } }'), []);
});

t.test('completes in text that is not yet JSON', async (t) => {
  t.ok(complete('{ "canvas": { "width": 1200, "hei|').includes('"height"'));
  t.ok(complete('{ "canvas": { "width": 1200, hei| } }').includes('"height"'), 'without quotes');
  t.ok(complete('{ "canvas": {}, "layers": [ { "type": "text", "fontW|\n "x": 3 } ] }').includes('"fontWeight"'));
  t.ok(complete('{ "canvas": {}, "layers": [ { "type": "text" }, { "type": "image", "|').includes('"url"'));
});

t.test('completes nothing where nothing can stand, and at once only what is begun', async (t) => {
  t.same(complete('{ "canvas": {} | }'), []);
  t.same(complete('{ "canvas": { "width": 12| } }'), []);
  t.same(complete('{ "metadata": { "a|" } }'), []);
  t.same(complete('{ "canvas": {}, | }', { explicit: false }), []);
  t.not(complete('{ "canvas": {}, "l|" }', { explicit: false }).length, 0);
  t.same(complete('|'), []);
});

t.test('inserts the beginning of a value with the cursor in it', async (t) => {
  const inserted = (schema: Schema) => keyInsertion({ name: 'k', schemas: [schema] }, false);
  t.same(inserted({ type: 'string' }), { text: '"k": ""', cursor: 6 });
  t.same(inserted({ type: 'object' }), { text: '"k": {}', cursor: 6 });
  t.same(inserted({ type: 'array' }), { text: '"k": []', cursor: 6 });
  t.same(inserted({ type: 'number' }), { text: '"k": ', cursor: 5 });
  t.same(keyInsertion({ name: 'k', schemas: [{ type: 'string' }] }, true), { text: '"k"', cursor: 3 });
});

t.test('says what a field is', async (t) => {
  const hintAt = (text: string) => {
    const { state, position } = marked(text);
    const field = fieldAt(state, position, 1, payload);
    return field && hintOf(field.name, field.schemas);
  };
  t.same(hintAt('{ "canvas": { "|width": 1 } }'), {
    name: 'width',
    type: 'integer, 1 to 8192',
    descriptions: ['pixels of the layers’ coordinates'],
  });
  t.match(hintAt('{ "canvas": {}, "layers": [ { "type": "text", "opacity": |1 } ] }'), {
    name: 'opacity',
    type: 'number, 0 to 1',
    standard: '1',
  });
  t.equal(
    hintAt('{ "canvas": {}, "layers": [ { "type": "text", "textAlign": "|left" } ] }')?.type,
    '"left" | "center" | "right" | "start" | "end" | "justify"',
  );
  t.equal(hintAt('{ "nonsense": |1 }'), undefined);
});

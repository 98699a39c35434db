import { EditorState } from '@codemirror/state';
import fc from 'fast-check';
import t from 'tap';
import { fieldChange } from '../../../web/json/field-change.js';
import { jsonLanguage } from '../../../web/json/language.js';

function set(text: string, name: string, value: unknown): string {
  const state = EditorState.create({ doc: text, extensions: [jsonLanguage] });
  const changes = fieldChange(state, name, value);
  return changes ? state.update({ changes }).state.doc.toString() : text;
}

t.test('sets a field and leaves the rest as it is written', async (t) => {
  t.equal(set('{ "a": 1,\n  "format":"png" }', 'format', 'webp'), '{ "a": 1,\n  "format":"webp" }');
  t.equal(set('{\n  "a": 1\n}', 'format', 'webp'), '{\n  "a": 1,\n  "format": "webp"\n}');
  t.equal(set('{"a":{"format":1}}', 'format', 2), '{"a":{"format":1}, "format": 2}');
  t.equal(set('{}', 'format', 'png'), '{ "format": "png" }');
  t.equal(set('[1]', 'format', 'png'), '[1]');
  t.equal(set('', 'format', 'png'), '');
});

t.test('removes a field with its comma', async (t) => {
  t.equal(set('{"a": 1, "b": 2, "c": 3}', 'b', undefined), '{"a": 1, "c": 3}');
  t.equal(set('{"a": 1, "b": 2}', 'a', undefined), '{"b": 2}');
  t.equal(set('{"a": 1}', 'a', undefined), '{}');
  t.equal(set('{"a": 1}', 'b', undefined), '{"a": 1}');
});

t.test('what is changed is JSON with that field', async (t) => {
  const key = fc.constantFrom('a', 'b', 'c', 'with "quotes"');
  const object = fc.dictionary(key, fc.jsonValue(), { noNullPrototype: true });
  const value = fc.option(fc.jsonValue(), { nil: undefined });
  fc.assert(
    fc.property(object, fc.constantFrom(undefined, 2), key, value, (before, indent, name, next) => {
      const after = JSON.parse(set(JSON.stringify(before, null, indent), name, next));
      const { [name]: _old, ...others } = before;
      t.same(after, JSON.parse(JSON.stringify({ ...others, [name]: next })));
    }),
  );
});

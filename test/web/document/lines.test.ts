import fc from 'fast-check';
import t from 'tap';
import { lineOf } from '../../../web/document/lines.js';

t.test('the line of a value, or of what is around it', async (t) => {
  const text = '{\n  "name": "a \\" , }",\n  "layers": [\n    { "x": 1 },\n    {\n      "x": [1,\n 2]\n    }\n  ]\n}\n';
  t.equal(lineOf(text, []), 1);
  t.equal(lineOf(text, ['name']), 2);
  t.equal(lineOf(text, ['layers']), 3);
  t.equal(lineOf(text, ['layers', 0, 'x']), 4);
  t.equal(lineOf(text, ['layers', 1]), 5);
  t.equal(lineOf(text, ['layers', 1, 'x', 1]), 7);
  t.equal(lineOf(text, ['layers', 1, 'missing']), 5);
  t.equal(lineOf(text, ['layers', 9, 'x']), 3);
  t.equal(lineOf('{"a":1,\n"a":2}', ['a']), 2, 'the last of two keys');
});

t.test('finds every value of any JSON, and ends on any text', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const marked = JSON.stringify({ before: value, list: [value, 'here'], after: value }, null, 1);
      const lines = marked.split('\n');
      return /"here"/.test(lines[lineOf(marked, ['list', 1]) - 1]!);
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => lineOf(text, ['a', 0]) >= 1));
  t.pass();
});

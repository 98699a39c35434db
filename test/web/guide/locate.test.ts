// Finds the value of a path in the text of a payload.
import t from 'tap';
import { lineAt, positionOf } from '../../../web/guide/locate.js';

const TEXT = `\uFEFF {
  "canvas": { "width": 100, "a \\"key\\"": [ ] },
  "layers": [
    { "type": "text", "text": "a, {b} [c]: \\"d\\"" },
    { "type": "group", "layers": [ {}, { "x": -1.5e3 } ] },
    null
  ]
}`;

t.test('finds values in objects and arrays, past strings that look like either', async (t) => {
  const cases = [
    ['', '{\n  "canvas"'],
    ['canvas', '{ "width"'],
    ['canvas.width', '100'],
    ['canvas["a \\"key\\""]', '[ ]'],
    ['layers[0].text', '"a, {b}'],
    ['layers[1].layers[1].x', '-1.5e3'],
    ['layers[2]', 'null'],
  ] as const;
  for (const [path, start] of cases) t.ok(TEXT.slice(positionOf(TEXT, path)).startsWith(start), path);
  t.equal(lineAt(TEXT, positionOf(TEXT, 'layers[2]')), 6);
});

t.test('finds the object or array around a value that is missing', async (t) => {
  const cases = [
    ['canvas.height', '{ "width"'],
    ['layers[7].x', '[\n'],
    ['layers[2].x', 'null'],
    ['layers[1].layers[0].x', '{}'],
    ['canvas["a \\"key\\""][0]', '[ ]'],
    ['variables.title', '{\n  "canvas"'],
  ] as const;
  for (const [path, start] of cases) t.ok(TEXT.slice(positionOf(TEXT, path)).startsWith(start), path);
});

t.test('takes texts of every depth', async (t) => {
  const depth = 100_000;
  const text = `{"a":${'['.repeat(depth)}${']'.repeat(depth)},"b":7}`;
  t.equal(text.slice(positionOf(text, 'b')), '7}');
});

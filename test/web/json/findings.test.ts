import { EditorState } from '@codemirror/state';
import t from 'tap';
import { joinPath } from '../../../lib/contract/messages/issues.js';
import { diagnosticsOf, lineOf } from '../../../web/json/findings.js';
import { jsonLanguage } from '../../../web/json/language.js';
import { parsePath } from '../../../web/json/paths.js';

const stateOf = (doc: string) => EditorState.create({ doc, extensions: [jsonLanguage] });

t.test('reads the paths that messages have', async (t) => {
  for (const keys of [['layers', 2, 'url'], ['variables', 'with space', 'x'], ['a"b\\', 0, 0, '日本', '0'], []]) {
    t.same(parsePath(keys.reduce<string>((path, key) => joinPath(path, key), '')), keys);
  }
});

t.test('marks the value of a path, and its opening bracket or the object that lacks it', async (t) => {
  const text = `{
  "canvas": { "width": 0 },
  "layers": [
    { "type": "text" },
    {
      "type": "image",
      "url": "x"
    }
  ]
}`;
  const state = stateOf(text);
  const marks = (path: string) =>
    diagnosticsOf(state, [{ severity: 'error', path, message: 'm' }]).map(({ from, to, message }) => ({
      line: state.doc.lineAt(from).number,
      text: state.sliceDoc(from, to),
      message,
    }));
  t.same(marks('canvas.width'), [{ line: 2, text: '0', message: 'canvas.width: m' }]);
  t.same(marks('layers[1].url'), [{ line: 7, text: '"x"', message: 'layers[1].url: m' }]);
  t.same(marks('layers[0].x'), [{ line: 4, text: '{', message: 'layers[0].x: m' }]);
  t.same(marks('layers[1]'), [{ line: 5, text: '{', message: 'layers[1]: m' }]);
  t.same(marks('layers'), [{ line: 3, text: '[', message: 'layers: m' }]);
  t.same(marks('format'), [{ line: 1, text: '{', message: 'format: m' }]);
  t.same(marks(''), [{ line: 1, text: '{', message: 'm' }]);
  t.same(marks('variables.title'), [], 'about something else than this text');
  t.equal(lineOf(state, { severity: 'warning', path: 'layers[1].type', message: 'm' }), 6);
  t.equal(lineOf(state, { severity: 'warning', path: 'variables.title', message: 'm' }), undefined);
});

t.test('marks the last of equal keys, which counts', async (t) => {
  const [mark] = diagnosticsOf(stateOf('{"a": 1, "a": 2}'), [{ severity: 'error', path: 'a', message: 'm' }]);
  t.equal(mark.from, 14);
});

t.test('marks a syntax error at its place, also at the end', async (t) => {
  const at = (doc: string, position: number) =>
    diagnosticsOf(stateOf(doc), [{ severity: 'error', path: '', message: 'm', position }]).map(({ from, to }) => [
      from,
      to,
    ]);
  t.same(at('{"a" 1}', 5), [[5, 6]]);
  t.same(at('{"a": 1', 7), [[6, 7]]);
  t.same(at('', 0), [[0, 0]]);
});

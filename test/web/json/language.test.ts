import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import fc from 'fast-check';
import t from 'tap';
import { jsonLanguage } from '../../../web/json/language.js';
import type { JsonPath } from '../../../web/json/paths.js';
import { isValue, rangeOfPath, treeOf } from '../../../web/json/tree.js';

const stateOf = (doc: string) => EditorState.create({ doc, extensions: [jsonLanguage] });

function* scalarsOf(value: unknown, path: JsonPath = []): Generator<readonly [JsonPath, unknown]> {
  if (typeof value !== 'object' || value === null) return yield [path, value];
  for (const [key, each] of Object.entries(value)) {
    yield* scalarsOf(each, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

const indent = fc.constantFrom(undefined, 2, '\t');

t.test('finds every value of any JSON by its path', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), indent, (value, space) => {
      const text = JSON.stringify(value, null, space);
      const state = stateOf(text);
      for (const [path, scalar] of scalarsOf(JSON.parse(text))) {
        const { from, to } = rangeOfPath(state, path)!;
        if (JSON.stringify(JSON.parse(state.sliceDoc(from, to))) !== JSON.stringify(scalar)) return false;
      }
      return !hasError(state);
    }),
    { numRuns: 300 },
  );
  t.pass();
});

function hasError(state: EditorState): boolean {
  let found = false;
  treeOf(state)
    .cursor()
    .iterate((node) => {
      found ||= node.type.isError;
    });
  return found;
}

t.test('makes a tree of any text', async (t) => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '"\\',
    '1',
    'true',
    'x',
    'constructor',
    ' ',
    '\n',
    '\u2028',
    '😀',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const state = stateOf(text);
      let end = 0;
      treeOf(state)
        .cursor()
        .iterate((node) => {
          if (node.from > node.to || node.to > text.length) throw new Error(`${node.name} ${node.from}–${node.to}`);
          end = Math.max(end, node.to);
        });
      return end === text.length;
    }),
    { numRuns: 1000 },
  );
  t.pass();
});

t.test('takes an unfinished string as a key or value up to the end of its line', async (t) => {
  const state = stateOf('{\n  "a": "one\n  "b');
  const { from, to } = rangeOfPath(state, ['a'])!;
  t.equal(state.sliceDoc(from, to), '"one');
  t.equal(treeOf(state).resolveInner(state.doc.length, -1).name, 'PropertyName');
});

t.test('reads megabytes and any depth without a deep stack', async (t) => {
  const wide = stateOf(JSON.stringify(Array.from({ length: 50_000 }, (_, i) => ({ i, text: 'word '.repeat(5) }))));
  const tree = ensureSyntaxTree(wide, wide.doc.length, 60_000)!;
  t.equal(tree.length, wide.doc.length);
  t.ok(tree.topNode.firstChild && isValue(tree.topNode.firstChild));
  t.equal(treeOf(stateOf('[{"a":'.repeat(50_000))).name, 'JsonText');
});

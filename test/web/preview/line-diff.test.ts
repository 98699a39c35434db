import t from 'tap';
import { diffLines } from '../../../web/preview/line-diff.js';

const changed = (left: string, right: string) =>
  diffLines(left, right).map((lines) => lines.filter(({ isChanged }) => isChanged).map(({ text }) => text));

t.test('marks the lines that the other text lacks', async (t) => {
  t.same(changed('a\nb\nc', 'a\nb\nc'), [[], []]);
  t.same(changed('a\nb\nc', 'a\nx\nc'), [['b'], ['x']]);
  t.same(changed('a\nc', 'a\nb\nc'), [[], ['b']]);
  t.same(
    changed('a\nb\nc\nd\ne', 'a\nc\nx\ne\nd'),
    [
      ['b', 'd'],
      ['x', 'd'],
    ].map((side) => side),
  );
  t.same(changed('', 'a'), [[''], ['a']]);
});

t.test('takes long texts without a table of all pairs', async (t) => {
  const lines = (start: number) => Array.from({ length: 5000 }, (_, i) => `line ${start + i}`).join('\n');
  const [left] = changed(lines(0), lines(100_000));
  t.equal(left!.length, 5000);
});

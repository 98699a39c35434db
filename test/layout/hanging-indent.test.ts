// Hanging indents: every line of a paragraph but its first is indented and has less room.
import t from 'tap';
import { textBlock } from '../../lib/layout/text-block.js';
import { plainText, type TextStyle } from '../../lib/layout/text-box.js';
import { measureText } from '../../lib/layout/text-measure.js';
import { lay, MONO, PLAIN, stackOf } from '../text/setting.js';

const mono = await stackOf('', MONO);
const hebrew = await stackOf('שלום עולם', MONO);
const edges = (text: string, style: Partial<TextStyle>, width: number, stack = mono) =>
  lay(text, stack, { hangingIndent: 12, ...style }, { width, height: 100 }).lines.map(({ x, width: w, fragments }) => {
    const hanging = fragments.reduce((sum, each) => sum + (each.isHanging ? each.width : 0), 0);
    return [x, x + w - hanging];
  });

t.test('indents all lines of each paragraph but its first', (t) => {
  t.same(edges('ab cd ef\ngh', {}, 30), [
    [0, 30],
    [12, 24],
    [0, 12],
  ]);
  t.same(edges('ab cd ef', { textAlign: 'right' }, 30), [
    [0, 30],
    [18, 30],
  ]);
  t.same(edges('ab cd ef', { textAlign: 'center' }, 32), [
    [1, 31],
    [16, 28],
  ]);
  t.same(edges('ab cd ef gh ij', { textAlign: 'justify' }, 45)[1], [12, 45]);
  t.same(edges('ab cd ef', { wrap: false }, 30), [[0, 48]]);
  t.end();
});

t.test('the indent is on the right side of text that runs right to left', (t) => {
  const lines = edges('שלום עולם', { textAlign: 'start' }, 48, hebrew);
  t.ok(lines.length > 1);
  t.equal(lines.at(-1)![1], 36);
  t.end();
});

t.test('a word that is too long is broken at the width that is left', (t) => {
  t.same(edges('abcdefghij', {}, 30), [
    [0, 30],
    [12, 30],
    [12, 24],
  ]);
  t.end();
});

t.test('autoFit, maxLines and the sizes of a box count the indent', (t) => {
  const fit = (hangingIndent: number) =>
    lay('ab cde', mono, { autoFit: true, fontSize: 20, minFontSize: 4, hangingIndent }, { width: 36, height: 200 })
      .fontSize;
  t.equal(fit(0), 20);
  t.equal(fit(18), 10);
  t.same(edges('ab cdef gh', { maxLines: 2 }, 36)[1], [12, 36]);
  const sizes = (hangingIndent: number) =>
    measureText(textBlock(plainText('ab cdef', mono, PLAIN), mono, { ...PLAIN, hangingIndent }));
  t.equal(sizes(0).minContent(), 24);
  t.equal(sizes(12).minContent(), 36);
  t.equal(sizes(12).maxContent(), sizes(0).maxContent());
  t.end();
});

t.test('balanced lines keep their number', (t) => {
  const text = 'aa bb cc dd ee ff';
  const greedy = edges(text, {}, 72);
  const balanced = edges(text, { textWrap: 'balance' }, 72);
  t.equal(balanced.length, greedy.length);
  t.ok(balanced[0][1] <= greedy[0][1]);
  t.end();
});

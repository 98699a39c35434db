// textWrap: balance.
import fc from 'fast-check';
import t from 'tap';
import type { TextStyle } from '../../lib/layout/text-box.js';
import { lay, MONO, stackOf } from '../text/setting.js';

const mono = await stackOf('', MONO);
/** Pixels per character of MONO at 10 px. */
const CHARACTER = 6;

/** Characters of each line, with the blank at its end. */
const lengths = (text: string, characters: number, style: Partial<TextStyle> = {}) =>
  lay(text, mono, { textWrap: 'balance', ...style }, { width: characters * CHARACTER, height: 1000 }).lines.map(
    ({ width }) => Math.round(width / CHARACTER),
  );

t.test('balance takes the least width that keeps the number of lines', (t) => {
  t.same(lengths('aaa bbb ccc ddd', 12, { textWrap: 'wrap' }), [12, 3]);
  t.same(lengths('aaa bbb ccc ddd', 12), [8, 7]);
  t.same(lengths('aaa bbb', 12), [7], 'one line stays');
  t.same(lengths('aaa bbb ccc ddd', 12, { wrap: false }), [15]);
  t.same(lengths('aaa bbb ccc ddd\neee fff ggg hhh i', 12), [8, 7, 8, 9], 'each paragraph by itself');
  t.same(lengths('aa '.repeat(31).trim(), 9), [...new Array(10).fill(9), 2], 'no more than 10 lines');
  t.same(lengths('aa '.repeat(10).trim(), 26), [15, 14]);
  t.same(lengths('aaaaaaaaaaaaaaaa bbb ccc d', 12), [12, 13, 1], 'nor with a word that is too long');
  t.end();
});

t.test('blanks at the end hang only where the text’s own width has no room for them', (t) => {
  /** Returns the start of the last line. */
  const lastX = (text: string) => {
    const style = { textWrap: 'balance', textAlign: 'right' } as const;
    return Math.round(lay(text, mono, style, { width: 12 * CHARACTER, height: 1000 }).lines.at(-1)!.x / CHARACTER);
  };
  t.equal(lastX('aaa bbb ccc ddd'), 5);
  t.equal(lastX('aaa bbb ccc ddd   '), 2);
  t.equal(lastX(`aaa bbb ccc ddd${' '.repeat(9)}`), 5);
  t.end();
});

t.test('text that is cut is not balanced, and autoFit balances at the size it finds', (t) => {
  t.same(
    lengths('aaa bbb ccc ddd eee', 12, { maxLines: 1 }),
    lengths('aaa bbb ccc ddd eee', 12, { maxLines: 1, textWrap: 'wrap' }),
  );
  t.same(lengths('aaa bbb ccc ddd', 12, { maxLines: 2 }), [8, 7]);
  const fitted = lay(
    'aaa bbb ccc ddd',
    mono,
    { textWrap: 'balance', autoFit: true, fontSize: 40, minFontSize: 1 },
    { width: 72, height: 24 },
  );
  t.equal(fitted.fontSize, 10);
  t.equal(fitted.lines.length, 2);
  t.equal(Math.round(fitted.lines[0].width), 48);
  t.end();
});

t.test('balanced lines are as many as wrapped ones, none is wider than the widest of those', (t) => {
  const word = fc.constantFrom('a', 'to', 'the', 'word', 'longer', 'hyphen\u00adated', 'x-y', '\t');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.integer({ min: 3, max: 40 }), (words, characters) => {
      const lines = (textWrap: TextStyle['textWrap']) => lengths(words.join(' '), characters, { textWrap });
      const [wrapped, balanced] = [lines('wrap'), lines('balance')];
      t.equal(balanced.length, wrapped.length);
      if (!words.includes('\t')) t.ok(Math.max(...balanced) <= Math.max(...wrapped) + 1);
    }),
  );
  t.end();
});

// The text that typing replaced, the keys that make one step of undo, and the ends of words and paragraphs.

import fc from 'fast-check';
import t from 'tap';
import { paragraphAt, wordAt, wordEdge } from '../../../../web/canvas/text/boundaries.js';
import { isSameRun, plainChange, replacementOf, type Typed } from '../../../../web/canvas/text/typing.js';

t.test('of equal characters, those before the caret are the new ones', async (t) => {
  t.same(replacementOf('aaa', 'aaaa', 2), { start: 1, end: 1, text: 'a' });
  t.same(replacementOf('aaa', 'aa', 1), { start: 1, end: 2, text: '' });
  t.same(replacementOf('hello', 'help', 4), { start: 3, end: 5, text: 'p' });
  t.equal(replacementOf('same', 'same', 2), undefined);
});

t.test('the replacement turns one text into the other, wherever the caret is', async () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 8 });
  fc.assert(
    fc.property(texts, texts, fc.nat(8), (before, after, at) => {
      const found = replacementOf(before, after, Math.min(at, after.length));
      if (!found) return before === after;
      return before.slice(0, found.start) + found.text + before.slice(found.end) === after && found.start <= found.end;
    }),
    { numRuns: 2000 },
  );
});

t.test('a word is a step of undo, and so are deletions in a row', async (t) => {
  const typed = (text: string, start: number, time = 0, end = start): Typed => ({ text, start, end, time });
  t.ok(isSameRun(typed('a', 0), typed('b', 1)));
  t.notOk(isSameRun(undefined, typed('b', 1)));
  t.notOk(isSameRun(typed('a', 0), typed(' ', 1)), 'a blank begins the next');
  t.ok(isSameRun(typed(' ', 1), typed('b', 2)));
  t.notOk(isSameRun(typed('a', 0), typed('\n', 1)));
  t.notOk(isSameRun(typed('a', 0), typed('b', 5)), 'elsewhere');
  t.notOk(isSameRun(typed('a', 0), typed('b', 1, 5000)), 'after a pause');
  t.notOk(isSameRun(typed('a', 0), typed('', 0, 0, 1)), 'deleting');
  t.ok(isSameRun(typed('', 4, 0, 5), typed('', 3, 0, 4)), 'backwards');
  t.ok(isSameRun(typed('', 4, 0, 5), typed('', 4, 0, 5)), 'forwards');
  t.ok(isSameRun(typed('に', 2), typed('日', 2, 0, 3)), 'a composition');
});

t.test('words end where they do in the language, paragraphs at line ends', async (t) => {
  const text = 'One, two\nthree';
  t.same(wordAt(text, 1), { start: 0, end: 3 });
  t.same(wordAt(text, 3), { start: 0, end: 3 }, 'behind its last character');
  t.same(wordAt(text, 99), { start: 9, end: 14 });
  t.same(wordAt('', 0), { start: 0, end: 0 });
  t.equal(wordEdge(text, 0, 1), 3);
  t.equal(wordEdge(text, 3, 1), 8);
  t.equal(wordEdge(text, 8, -1), 5);
  t.equal(wordEdge(text, 0, -1), 0);
  t.equal(wordEdge(text, 14, 1), 14);
  t.same(paragraphAt(text, 2), { start: 0, end: 8 });
  t.same(paragraphAt(text, 8), { start: 0, end: 8 });
  t.same(paragraphAt(text, 9), { start: 9, end: 14 });
});

t.test('characters typed and deleted one by one are known without a text field', async (t) => {
  const insert = { inputType: 'insertText', data: '😀', isComposing: false };
  t.same(plainChange(insert, 'ab', { start: 1, end: 1 }), { start: 1, end: 1, text: '😀' });
  t.same(plainChange(insert, 'ab', { start: 0, end: 2 }), { start: 0, end: 2, text: '😀' });
  t.equal(plainChange({ ...insert, isComposing: true }, 'ab', { start: 1, end: 1 }), undefined);
  t.equal(plainChange({ ...insert, inputType: 'insertLineBreak', data: null }, 'ab', { start: 1, end: 1 }), undefined);
  const erase = { inputType: 'deleteContentBackward', data: null, isComposing: false };
  t.same(plainChange(erase, 'ab', { start: 2, end: 2 }), { start: 1, end: 2, text: '' });
  t.same(plainChange(erase, 'e\u0301b', { start: 0, end: 2 }), { start: 0, end: 2, text: '' });
  for (const [text, at] of [
    ['ab', 0],
    ['é', 1],
    ['e\u0301', 2],
    ['😀', 2],
    ['a\n', 2],
  ] as const) {
    t.equal(plainChange(erase, text, { start: at, end: at }), undefined, JSON.stringify(text));
  }
});

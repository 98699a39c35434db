// CSS positions: one to four values.
import t from 'tap';
import { readPosition } from '../../../lib/contract/css/position.js';
import { Scanner } from '../../../lib/contract/css/scanner.js';

const position = (text: string, allowsThree = false) => {
  const scanner = new Scanner(text);
  const found = readPosition(scanner, allowsThree);
  return found && scanner.isDone ? [found.x.percent, found.x.px, found.y.percent, found.y.px] : undefined;
};

t.test('reads keywords, lengths and percentages', (t) => {
  for (const [text, ...expected] of [
    ['center', 50, 0, 50, 0],
    ['left', 0, 0, 50, 0],
    ['bottom', 50, 0, 100, 0],
    ['20%', 20, 0, 50, 0],
    ['5px 10%', 0, 5, 10, 0],
    ['right top', 100, 0, 0, 0],
    ['top right', 100, 0, 0, 0],
    ['center left', 0, 0, 50, 0],
    ['top center', 50, 0, 0, 0],
    ['left 20%', 0, 0, 20, 0],
    ['20% bottom', 20, 0, 100, 0],
    ['-5px 0', 0, -5, 0, 0],
    ['right 10px bottom 20%', 100, -10, 80, 0],
    ['bottom 20% right 10px', 100, -10, 80, 0],
    ['LEFT 1px TOP 2px', 0, 1, 0, 2],
  ] as const) {
    t.same(position(text), expected, text);
  }
  t.same(position('right 10px top', true), [100, -10, 0, 0]);
  t.same(position('center bottom 4px', true), [50, 0, 100, -4]);
  t.end();
});

t.test('rejects what is no position', (t) => {
  for (const text of ['', 'left right', 'top bottom', '10% left', 'top 10px', 'left 1px right 2px', 'x', '1em']) {
    t.equal(position(text), undefined, text);
  }
  t.equal(position('right 10px top'), undefined, 'three values, unless allowed');
  t.equal(position('center 5px bottom 4px', true), undefined);
  t.end();
});

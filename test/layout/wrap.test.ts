// Line wrapping with a monospaced face, 6 px per character at 10 px.
import fc from 'fast-check';
import t from 'tap';
import { LineMeasurer } from '../../lib/layout/measure.js';
import { fits, wrapParagraph } from '../../lib/layout/wrap.js';
import type { Face } from '../../lib/text/face.js';
import { lay, MONO, stackOf, wrap } from '../text/setting.js';

const stack = await stackOf('', MONO);
const CHARACTER = 6;
const linesOf = (text: string, characters: number) => wrap(text, stack, characters * CHARACTER).texts;

t.test('puts as many words on a line as fit', (t) => {
  t.same(linesOf('the quick brown fox', 10), ['the quick ', 'brown fox']);
  t.same(linesOf('the quick brown fox', 9), ['the quick ', 'brown fox']);
  t.same(linesOf('the quick brown fox', 8), ['the ', 'quick ', 'brown ', 'fox']);
  t.same(linesOf('a/b/c-d', 4), ['a/b/', 'c-d']);
  t.same(linesOf('', 5), ['']);
  t.end();
});

t.test('spaces hang at a line’s end and don’t count', (t) => {
  const { texts, lines } = wrap('abc     def', stack, 3 * CHARACTER);
  t.same(texts, ['abc     ', 'def']);
  t.same(
    lines.map(({ inkEnd, width }) => [inkEnd, width]),
    [
      [3, 18],
      [11, 18],
    ],
  );
  t.same(linesOf('   abc', 4), ['   ', 'abc'], 'leading ones are kept');
  t.same(wrap('abc   ', stack, 4 * CHARACTER).lines, [
    { start: 0, end: 6, inkEnd: 3, width: 18, hasHyphen: false, isMidWord: false },
  ]);
  t.equal(wrap('ab  ', stack, 4 * CHARACTER).lines[0].width, 24, 'at a paragraph’s end they count when they fit');
  t.same(linesOf('ab\u3000\u3000cd', 2).length, 2, 'ideographic ones too');
  t.end();
});

t.test('never breaks at no-break spaces and joiners', (t) => {
  t.same(linesOf('aa b\u00a0c dd', 5), ['aa ', 'b\u00a0c ', 'dd']);
  t.same(linesOf('aa b\u2060-\u2060c', 4), ['aa ', 'b\u2060-\u2060c']);
  t.same(linesOf('aaa\u200bbbb', 4), ['aaa\u200b', 'bbb']);
  t.end();
});

t.test('a soft hyphen is shown only where the line breaks', (t) => {
  const { texts, lines } = wrap('hyphen\u00adation', stack, 8 * CHARACTER);
  t.same(texts, ['hyphen\u00ad', 'ation']);
  t.same(
    lines.map(({ hasHyphen, width }) => [hasHyphen, width]),
    [
      [true, 42],
      [false, 30],
    ],
  );
  const whole = wrap('hyphen\u00adation', stack, 11 * CHARACTER);
  t.same(
    whole.lines.map(({ hasHyphen, width }) => [hasHyphen, width]),
    [[false, 66]],
  );
  t.same(linesOf('ab\u00adcd\u00adef', 5), ['ab\u00adcd\u00ad', 'ef'], 'the last that fits with its hyphen');
  t.same(linesOf('ab\u00adcd\u00adef', 4), ['ab\u00ad', 'cd\u00adef'], 'not the one whose hyphen does not');
  t.end();
});

t.test('breaks words only when they don’t fit on a line', (t) => {
  t.same(linesOf('a incomprehensible b', 6), ['a ', 'incomp', 'rehens', 'ible b']);
  t.same(linesOf('abc', 0.5), ['a', 'b', 'c'], 'one cluster at least');
  t.same(linesOf('e\u0301e\u0301e\u0301', 1), ['e\u0301', 'e\u0301', 'e\u0301'], 'never within a cluster');
  const { lines } = wrap('abcdefgh i', stack, 5 * CHARACTER);
  t.same(
    lines.map(({ isMidWord }) => isMidWord),
    [true, false],
  );
  t.end();
});

t.test('tab stops are every eight spaces', (t) => {
  const widthOf = (text: string) => wrap(text, stack, Infinity).lines[0].width / CHARACTER;
  t.equal(widthOf('\ta'), 9);
  t.equal(widthOf('a\ta'), 9);
  t.equal(widthOf('1234567\ta'), 9);
  t.equal(widthOf('12345678\ta'), 17);
  t.equal(widthOf('\t\ta\tb'), 25);
  t.same(linesOf('a\tb\tc', 10), ['a\tb\t', 'c'], 'they hang as well');
  t.end();
});

t.test('unlimited width gives one line', (t) => {
  t.same(wrap('the quick brown fox  ', stack, Infinity).texts, ['the quick brown fox  ']);
  t.end();
});

t.test('widths are compared in 64ths of a pixel, as in browsers', (t) => {
  t.ok(fits(10, 10));
  t.ok(fits(10.01, 10.02), 'both within the same 64th');
  t.notOk(fits(10.02, 10.01));
  t.notOk(fits(10 + 1 / 64, 10));
  t.end();
});

t.test('lines cover the paragraph in order and fit the width', async (t) => {
  const pieces = [
    'a',
    'bc',
    'word',
    ' ',
    '  ',
    '-',
    '/',
    '\t',
    '\u00ad',
    '\u00a0',
    '漢',
    '字',
    'e\u0301',
    '👍🏽',
    'ع',
    'ربي',
    'שלום',
    'ไทย',
    '(',
    ')',
    '.',
    '12',
  ];
  const prose = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));
  const inter = await stackOf(pieces.join(''));
  fc.assert(
    fc.property(prose, fc.integer({ min: 1, max: 200 }), fc.constantFrom(0, 2), (text, width, spacing) => {
      const { lines, texts, paragraph, ruler } = wrap(text, inter, width, 10, spacing);
      if (texts.join('') !== text) return false;
      let end = 0;
      for (const line of lines) {
        if (line.start !== end || line.inkEnd > line.end || (line.end === line.start && text !== '')) return false;
        ({ end } = line);
        if (paragraph.clusterStart[line.end] === 0) return false;
        const clusters = paragraph.clusterStart.subarray(line.start, line.inkEnd).reduce((sum, one) => sum + one, 0);
        if (!fits(line.width, width) && clusters > 1) return false;
      }
      return text.includes('\t') || Math.abs(ruler.width(0, text.length) - sumOf(ruler, lines)) < 1e-6;
    }),
    { seed: 4, numRuns: 300 },
  );
  t.end();
});

function sumOf(ruler: { width(start: number, end: number): number }, lines: readonly { start: number; end: number }[]) {
  return lines.reduce((sum, { start, end }) => sum + ruler.width(start, end), 0);
}

// fault: 64
t.test('wrapping takes linear time', (t) => {
  class CountingRuler extends LineMeasurer {
    asked = 0;
    override width(start: number, end: number): number {
      this.asked++;
      return super.width(start, end);
    }
  }
  for (const unit of ['a', 'lorem ipsum ', 'a\t', ' ', 'ab\u00ad', '漢', 'ab-']) {
    const [once, twice] = [4000, 8000].map((length) => {
      const { paragraph, ruler } = wrap(unit.repeat(length / unit.length), stack, Infinity);
      const counting = new CountingRuler(paragraph, ruler.fonts, ruler.tab);
      wrapParagraph(counting, { available: 100, last: 100, indent: 0 });
      return counting.asked;
    });
    t.ok(once < 4000 * 3 && twice < once * 2.1, `${JSON.stringify(unit)}: ${once}, ${twice}`);
  }
  const shaped: number[] = [];
  const faces: Face = Object.getPrototypeOf(stack.primary);
  const { shape } = faces;
  faces.shape = function (...[text, ...rest]: Parameters<typeof shape>) {
    shaped.push(text.length);
    return shape.call(this, text, ...rest);
  };
  t.teardown(() => {
    faces.shape = shape;
  });
  const [once, twice] = [2000, 4000].map((length) => {
    shaped.length = 0;
    const text = 'aא '.repeat(length / 3);
    lay(text, stack, { maxLines: 3 });
    return shaped.reduce((sum, characters) => sum + characters, 0);
  });
  t.ok(twice < once * 2.1, `characters shaped: ${once}, ${twice}`);
  t.end();
});

// textAlign and direction: start and end, justified lines, a forced base direction.
import t from 'tap';
import type { TextSpan } from '../../lib/layout/spans.js';
import { layoutText, type PositionedLine, type TextStyle } from '../../lib/layout/text-box.js';
import { glyphsOf, lay, MONO, PLAIN, stackOf } from '../text/setting.js';

const mono = await stackOf('', MONO);
const hebrew = await stackOf('שלום עולם', MONO);
/** Pixels per character of MONO at 10 px. */
const CHARACTER = 6;

const round = (value: number) => Math.round(value * 100) / 100;
const edgesOf = ({ x, width }: PositionedLine) => [round(x), round(x + width)];
const edges = (text: string, style: Partial<TextStyle>, width: number, stack = hebrew) =>
  lay(text, stack, style, { width, height: 100 }).lines.map(edgesOf);
/** The positions of the glyphs of each line in its box. */
const positions = (text: string, style: Partial<TextStyle>, width: number, stack = mono) =>
  lay(text, stack, style, { width, height: 100 }).lines.map((line) => glyphsOf(line).map(({ x }) => round(line.x + x)));

t.test('start and end follow the direction of each paragraph', (t) => {
  const text = 'abcd\nשלום';
  t.same(edges(text, { textAlign: 'start' }, 100).flat(), [0, 24, 77.73, 100]);
  t.same(edges(text, { textAlign: 'end' }, 100).flat(), [76, 100, 0, 22.27]);
  t.same(edges(text, { textAlign: 'start', direction: 'rtl' }, 100).flat(), [76, 100, 77.73, 100]);
  t.same(edges(text, { textAlign: 'end', direction: 'rtl' }, 100).flat(), [0, 24, 0, 22.27]);
  t.same(edges(text, { textAlign: 'start', direction: 'ltr' }, 100).flat(), [0, 24, 0, 22.27]);
  t.same(edges('abcdef', { textAlign: 'end', wrap: false }, 24).flat(), [0, 36], 'too wide a line starts at the start');
  t.end();
});

t.test('direction sets the order of runs and the place of punctuation', (t) => {
  const ids = (text: string, direction: TextStyle['direction']) =>
    glyphsOf(lay(text, hebrew, { direction }).lines[0]).map(({ id }) => id);
  const glyph = (character: string) => mono.primary.glyph(character.codePointAt(0)!);
  t.same(ids('ab.', 'rtl'), [glyph('.'), glyph('a'), glyph('b')]);
  t.same(ids('ab.', 'auto'), [glyph('a'), glyph('b'), glyph('.')]);
  const right = ids('שלום.', 'auto');
  t.equal(right[0], glyph('.'));
  t.same(ids('שלום.', 'ltr'), [...right.slice(1), glyph('.')]);
  t.same(ids('שלום.', 'rtl'), right);
  const cut = lay('ab.\nx', mono, { direction: 'rtl', maxLines: 1 }).lines[0];
  t.equal(glyphsOf(cut)[0].id, glyph('…'), 'an ellipsis too');
  t.end();
});

t.test('justify widens the blanks of all lines but the last, and of none before a newline', (t) => {
  const style = { textAlign: 'justify' } as const;
  t.same(positions('ab cd ef\ngh', style, 40), [
    [0, 6, 12, 28, 34, 40],
    [0, 6],
    [0, 6],
  ]);
  t.same(
    edges('ab cd ef', style, 40),
    [
      [0, 46],
      [0, 12],
    ],
    'the blank at the end hangs',
  );
  t.same(positions('ab\u00a0cd efg', style, 40)[0], [0, 6, 12, 28, 34, 40], 'a no-break space too');
  t.same(positions('abcd efgh', style, 30)[0], [0, 6, 12, 18, 30 - 6], 'a line without blanks stays at its start');
  t.same(positions('abcdefgh ij', style, 30)[0], [0, 6, 12, 18, 24], 'so does a broken word');
  t.same(positions('ab cd ef', { ...style, wrap: false }, 40), [[0, 6, 12, 18, 24, 30, 36, 42]]);
  const [first, last] = lay('שלום עו עולם', hebrew, style, { width: 60, height: 100 }).lines;
  const hanging = first.fragments.find(({ isHanging }) => isHanging)!;
  t.same([round(first.x + hanging.width), round(first.x + first.width)], [0, 60]);
  t.equal(round(last.x + last.width), 60, 'the last line starts on the right');
  t.end();
});

t.test('a justified line keeps its tab stops and widens tabs', (t) => {
  // in Chromium: a tab of 42 px widened by 12, a space by 12
  t.same(positions('a\tb c efghijklmn', { textAlign: 'justify' }, 90)[0], [0, 60, 66, 84, 90]);
  // tab stops are those of the line before it is widened
  t.same(positions('a b\tc efghijklmn', { textAlign: 'justify' }, 90)[0], [0, 6, 30, 84, 90]);
  t.end();
});

t.test('justifies spans of several sizes, and the last line that maxLines keeps is not widened', (t) => {
  const span = (text: string, size: number): TextSpan => ({
    text,
    stack: mono,
    size,
    letterSpacing: 0,
    baselineShift: 0,
  });
  const style = { ...PLAIN, textAlign: 'justify' } as const;
  const { lines } = layoutText([span('ab ', 10), span('cd', 20), span(' e fghijk', 10)], mono, style, {
    width: 72,
    height: 100,
  });
  t.same(edgesOf(lines[0]), [0, 72 + CHARACTER]);
  t.same(
    lines[0].fragments.map(({ x, width, isHanging }) => [round(x), round(width), isHanging]),
    [
      [0, 12 + 6 + 9, false],
      [27, 24, false],
      [51, 21, false],
      [72, 6, true],
    ],
  );
  const cut = layoutText([span('ab cd ef gh', 10)], mono, { ...style, maxLines: 1 }, { width: 40, height: 100 });
  t.same(edgesOf(cut.lines[0]), [0, 36]);
  t.end();
});

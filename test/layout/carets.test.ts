// A caret can be at each boundary of a text: at which x and in which line, by offset.
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { type Carets, caretsIn } from '../../lib/layout/carets.js';
import type { TextSpan } from '../../lib/layout/spans.js';
import { textBlock } from '../../lib/layout/text-block.js';
import { layoutBlock, type TextStyle } from '../../lib/layout/text-box.js';
import type { FontStack } from '../../lib/text/font-stack.js';
import { graphemesOf } from '../../lib/unicode/graphemes.js';
import { MONO, PLAIN, stackOf } from '../text/setting.js';

const SAMPLE = 'office fi אבג שלום سلام لا 👩‍👩‍👧 é हिन्दी ไทยกำ 漢字 …-\u2010\t';
const mono = await stackOf(SAMPLE, MONO);
const inter = await stackOf(SAMPLE);
/** Pixels of a monospaced character of 10 px. */
const CHARACTER = 6;
const BOX = { width: 120, height: 100 };

const span = (text: string, stack: FontStack, more: Partial<TextSpan> = {}): TextSpan => ({
  text,
  stack,
  size: 10,
  letterSpacing: 0,
  baselineShift: 0,
  ...more,
});

function caretsOf(spans: readonly TextSpan[], style: Partial<TextStyle> = {}, box = BOX): Carets {
  return caretsIn(textBlock(spans, spans[0].stack, { ...PLAIN, ...style }), box);
}

const inMono = (text: string, style: Partial<TextStyle> = {}, box = BOX) =>
  caretsOf([span(text, mono, { letterSpacing: style.letterSpacing ?? 0 })], style, box);

const round = (x: number) => Math.round(x * 1000) / 1000 + 0;
/** Stops as `[offset, x]`, or with the line before them where there are several. */
const listed = ({ lines, stops }: Carets) =>
  stops.map(({ offset, line, x }) => (lines.length === 1 ? [offset, round(x)] : [line, offset, round(x)]));
const directed = ({ stops }: Carets) => stops.map(({ offset, x, direction }) => [offset, round(x), direction]);

t.test('the stops of a line are the edges of its characters', async (t) => {
  const carets = inMono('abc', { textAlign: 'right', verticalAlign: 'bottom' });
  t.strictSame(carets.lines, [
    {
      start: 0,
      end: 3,
      x: 102,
      y: 88,
      width: 18,
      height: 12,
      baseline: carets.lines[0].baseline,
      direction: 'ltr',
    },
  ]);
  t.strictSame(carets.stops, [
    { offset: 0, line: 0, x: 102, direction: 'ltr' },
    { offset: 1, line: 0, x: 108, direction: 'ltr' },
    { offset: 2, line: 0, x: 114, direction: 'ltr' },
    { offset: 3, line: 0, x: 120, direction: 'ltr' },
  ]);
});

t.test('an empty text has one stop, where its first character would begin', async (t) => {
  t.strictSame(listed(inMono('')), [[0, 0]]);
  t.strictSame(listed(inMono('', { textAlign: 'center' })), [[0, 60]]);
  t.strictSame(directed(inMono('', { textAlign: 'start', direction: 'rtl' })), [[0, 120, 'rtl']]);
  const { lines } = inMono('', { verticalAlign: 'middle' });
  t.match(lines, [{ start: 0, end: 0, y: 44, height: 12 }]);
});

t.test('lines have stops at both ends, and so have their line ends', async (t) => {
  const carets = inMono('ab\r\nc\n\nd');
  t.strictSame(
    carets.lines.map(({ start, end, y }) => [start, end, y]),
    [
      [0, 2, 0],
      [4, 5, 12],
      [6, 6, 24],
      [7, 8, 36],
    ],
  );
  t.strictSame(listed(carets), [
    [0, 0, 0],
    [0, 1, 6],
    [0, 2, 12],
    [1, 4, 0],
    [1, 5, 6],
    [2, 6, 0],
    [3, 7, 0],
    [3, 8, 6],
  ]);
});

t.test('a line end at the text’s end begins a line', async (t) => {
  t.strictSame(listed(inMono('a\n')), [
    [0, 0, 0],
    [0, 1, 6],
    [1, 2, 0],
  ]);
  t.strictSame(listed(inMono('\n', { textAlign: 'center' })), [
    [0, 0, 60],
    [1, 1, 60],
  ]);
  const { lines } = caretsOf([span('a', mono), span('b\n', mono, { size: 20 })]);
  t.match(lines, [{ height: 24 }, { start: 3, y: 24, height: 12, baseline: 24 + 9 }]);
});

t.test('where a line wraps, the offset has a stop behind the blanks that hang and one on the next line', async (t) => {
  const carets = inMono('ab   cd', {}, { width: 18, height: 50 });
  t.strictSame(listed(carets), [
    [0, 0, 0],
    [0, 1, 6],
    [0, 2, 12],
    [0, 3, 18],
    [0, 4, 24],
    [0, 5, 30],
    [1, 5, 0],
    [1, 6, 6],
    [1, 7, 12],
  ]);
  t.strictSame(
    listed(inMono('abcd', {}, { width: 12, height: 50 })).filter(([, offset]) => offset === 2),
    [
      [0, 2, 12],
      [1, 2, 0],
    ],
    'in a word that is broken',
  );
});

t.test('justified blanks are as wide as they are drawn, and letter spacing belongs to its letter', async (t) => {
  const justified = inMono('a b c dddd', { textAlign: 'justify' }, { width: 48, height: 50 });
  t.strictSame(listed(justified).slice(0, 6), [
    [0, 0, 0],
    [0, 1, 6],
    [0, 2, 21],
    [0, 3, 27],
    [0, 4, 42],
    [0, 5, 48],
  ]);
  t.strictSame(listed(inMono('abc', { letterSpacing: 2 })), [
    [0, 0],
    [1, 8],
    [2, 16],
    [3, 24],
  ]);
});

t.test('tabs have edges of their own', async (t) => {
  t.strictSame(listed(inMono('a\tb')), [
    [0, 0],
    [1, 6],
    [2, 48],
    [3, 54],
  ]);
});

t.test('ligatures are divided evenly', async (t) => {
  const playfair = await stackOf('office', 'Playfair Display');
  const glyphs = (text: string) =>
    layoutBlock(textBlock([span(text, playfair)], playfair, PLAIN), BOX).lines[0].fragments.flatMap(
      (one) => one.glyphs,
    );
  t.equal(glyphs('ffi').length, 1, 'the font has the ligature');
  const { stops } = caretsOf([span('ffi', playfair)]);
  t.strictSame(
    stops.map(({ offset }) => offset),
    [0, 1, 2, 3],
  );
  const part = stops[3].x / 3;
  for (const [i, { x }] of stops.entries()) t.equal(round(x), round(i * part));
});

t.test('right-to-left text begins at its right', async (t) => {
  const { lines, stops } = caretsOf([span('سلام', inter)], { textAlign: 'start' });
  t.match(lines, [{ direction: 'rtl' }]);
  t.strictSame(
    stops.map(({ offset, direction }) => [offset, direction]),
    [0, 1, 2, 3, 4].map((offset) => [offset, 'rtl']),
  );
  t.equal(stops[0].x, 120);
  for (let i = 1; i < stops.length; i++) t.ok(stops[i].x < stops[i - 1].x);
});

t.test('where the direction changes, an offset has a stop on each side', async (t) => {
  const left = caretsOf([span('ab אב cd', mono)]);
  // mono has no Hebrew letters, so their widths are those of the fallback font
  const [, , , behindBlank, beforeAlef, , behindBet, atBlank] = left.stops;
  t.strictSame(
    left.stops.map(({ offset, direction }) => `${offset} ${direction}`),
    ['0 ltr', '1 ltr', '2 ltr', '3 ltr', '3 rtl', '4 rtl', '5 rtl', '5 ltr', '6 ltr', '7 ltr', '8 ltr'],
  );
  t.equal(behindBlank.x, 18);
  t.equal(behindBet.x, 18);
  t.equal(round(beforeAlef.x), round(atBlank.x));
  const right = caretsOf([span('אב ab', mono)], { textAlign: 'start' });
  t.match(right.lines, [{ direction: 'rtl' }]);
  t.strictSame(
    right.stops.map(({ offset, direction }) => `${offset} ${direction}`),
    ['0 rtl', '1 rtl', '2 rtl', '3 rtl', '3 ltr', '4 ltr', '5 ltr'],
  );
  t.equal(right.stops[0].x, 120);
  t.equal(round(right.stops[6].x - right.stops[4].x), 12);
});

t.test('blanks at the end of a right-to-left line hang on its left', async (t) => {
  const { stops } = caretsOf([span('אב  אב', mono)], { textAlign: 'start' }, { width: 16, height: 50 });
  const first = stops.filter(({ line }) => line === 0);
  t.strictSame(
    first.map(({ offset }) => offset),
    [0, 1, 2, 3, 4],
  );
  t.equal(first[0].x, 16);
  t.equal(round(first[2].x - first[4].x), 2 * CHARACTER);
});

t.test('a grapheme cluster has no stop in it', async (t) => {
  const offsets = (text: string) => caretsOf([span(text, inter)]).stops.map(({ offset }) => offset);
  t.strictSame(offsets('a👩‍👩‍👧b'), [0, 1, 9, 10]);
  t.strictSame(offsets('e\u0301x'), [0, 2, 3]);
  t.strictSame(offsets('हिन्दी'), [0, 2, 6]);
});

t.test('the stops go through spans of several sizes and fonts', async (t) => {
  const carets = caretsOf([
    span('ab', mono),
    span('cd', mono, { size: 20 }),
    span('e', mono, { baselineShift: 'super' }),
  ]);
  t.strictSame(listed(carets), [
    [0, 0],
    [1, 6],
    [2, 12],
    [3, 24],
    [4, 36],
    [5, 42],
  ]);
  t.equal(carets.lines[0].height, 24);
});

t.test('autoFit’s size decides', async (t) => {
  t.strictSame(listed(inMono('abcd', { autoFit: true, fontSize: 10, minFontSize: 1 }, { width: 12, height: 50 })), [
    [0, 0],
    [1, 3],
    [2, 6],
    [3, 9],
    [4, 12],
  ]);
});

t.test('a cut text has stops up to its ellipsis, and hyphens have none', async (t) => {
  const cut = inMono('ab cd ef gh', { maxLines: 2 }, { width: 36, height: 50 });
  t.match(cut.lines, [
    { start: 0, end: 6 },
    { start: 6, end: 11 },
  ]);
  const long = inMono('aaa bbb ccc ddd eee', { maxLines: 2 }, { width: 42, height: 50 });
  t.match(long.lines, [
    { start: 0, end: 8 },
    { start: 8, end: 14 },
  ]);
  t.strictSame(listed(long).at(-1), [1, 14, 36]);
  const hyphenated = inMono('soft\u00adhyphen', {}, { width: 48, height: 50 });
  t.strictSame(
    listed(hyphenated).filter(([line]) => line === 0),
    [0, 1, 2, 3, 4, 5].map((offset) => [0, offset, 6 * Math.min(offset, 4)]),
  );
});

/** Every boundary of a grapheme has a stop, and the stops of a line are within it. */
function checkStops(t: Test, text: string, { lines, stops }: Carets): void {
  let offset = 0;
  const boundaries = [0, ...graphemesOf(text).map((grapheme) => (offset += grapheme.length))];
  const known = new Set(stops.map((stop) => stop.offset));
  const allowed = new Set(boundaries);
  for (const each of boundaries) if (!known.has(each)) t.fail(`no stop at ${each} of ${JSON.stringify(text)}`);
  for (const { offset: at, line, x } of stops) {
    const { start, end, x: left, width } = lines[line];
    const isInside = at >= start && at <= end && x >= left - 1e-6 && x <= left + width + 1e-6;
    if (!isInside || !allowed.has(at)) t.fail(`a wrong stop at ${at} of ${JSON.stringify(text)}`);
  }
}

t.test('every grapheme cluster of any text has its stops', (t) => {
  const parts = [
    'office',
    'ab ',
    ' ',
    '\n',
    '\r\n',
    '\t',
    'e\u0301',
    '👩‍👩‍👧',
    'שלום ',
    'سلام',
    'لا',
    '(12)',
    'हिन्दी',
    'ไทยกำ',
    '漢字',
    '…',
  ];
  const alignments = fc.constantFrom<TextStyle['textAlign']>('left', 'center', 'end', 'justify');
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...parts), { maxLength: 8 }),
      alignments,
      fc.nat(100),
      (chosen, textAlign, width) => {
        const text = chosen.join('');
        checkStops(t, text, caretsOf([span(text, inter)], { textAlign }, { width, height: 100 }));
      },
    ),
    { numRuns: 300 },
  );
  t.end();
});

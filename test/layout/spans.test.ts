// Spans in one font are laid out as the plain text: where it is split changes no line and no glyph.
import fc from 'fast-check';
import t from 'tap';
import type { TextSpan } from '../../lib/layout/spans.js';
import { layoutText, type TextLayout, type TextStyle } from '../../lib/layout/text-box.js';
import { glyphsOf, PLAIN, stackOf } from '../text/setting.js';

const PARTS = [
  'office',
  'AVATAR ',
  'ffi',
  ' ',
  '  ',
  '\n',
  '\r\n',
  '\u2028',
  '\t',
  'soft\u00adhyphen',
  'e\u0301',
  '\u0301',
  '👍',
  '👍🏽',
  '👩‍👩‍👧',
  '🏽',
  'שָׁלוֹם ',
  'نص عربي ',
  'لا',
  '(12)',
  'हिन्दी',
  'ไทยกำ',
  '漢字',
  '각',
  '\u1112\u1161',
  '.',
  '…',
];
const stack = await stackOf(PARTS.join(''));

/** Splits `text` at any UTF-16 index: also in graphemes, between surrogates, and at the same index twice. */
function split(text: string, cuts: readonly number[]): TextSpan[] {
  const at = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  return at.slice(1).map((end, i) => span(text.slice(at[i], end)));
}

const span = (text: string, size = 10): TextSpan => ({ text, stack, size, letterSpacing: 0, baselineShift: 0 });

const facts = (layout: TextLayout) => ({
  ...layout,
  lines: layout.lines.map(({ wrapped, fragments, ...line }) => ({
    ...line,
    glyphs: glyphsOf({ ...line, wrapped, fragments }).map(({ face, id, x, y }) => [
      face.unitsPerEm,
      id,
      x.toFixed(6),
      y.toFixed(6),
    ]),
  })),
});

t.test('raised and lowered text is shaped apart from its neighbours, as in browsers', (t) => {
  const widthOf = (spans: readonly TextSpan[]) =>
    layoutText(spans, stack, { ...PLAIN, fontSize: 100 }, { width: 1000, height: 200 }).lines[0]!.width;
  const letters = [...'AVA'].map((text) => span(text, 100));
  const width = (...shifts: TextSpan['baselineShift'][]) =>
    widthOf(letters.map((each, i) => ({ ...each, baselineShift: shifts[i]! })));
  const apart = letters.reduce((sum, each) => sum + widthOf([each]), 0);
  t.ok(width(0, 0, 0) < apart - 5, 'the letters are kerned');
  t.equal(Math.round(width(0, 6, 0)), Math.round(apart));
  t.equal(Math.round(width(6, 6, 'sub')), Math.round(apart));
  t.ok(width(6, 0, 0) < apart);
  t.end();
});

t.test('a text split anywhere into spans of its font has the same lines and glyphs', (t) => {
  const text = fc.array(fc.constantFrom(...PARTS), { maxLength: 14 }).map((parts) => parts.join(''));
  const style = fc.record({
    letterSpacing: fc.constantFrom(0, 0, 2),
    textAlign: fc.constantFrom<TextStyle['textAlign'][]>('left', 'center', 'end', 'justify'),
    maxLines: fc.constantFrom(undefined, 1, 2),
    textWrap: fc.constantFrom<TextStyle['textWrap'][]>('wrap', 'balance'),
    direction: fc.constantFrom<TextStyle['direction'][]>('auto', 'ltr', 'rtl'),
    autoFit: fc.boolean(),
  });
  fc.assert(
    fc.property(
      text,
      fc.array(fc.nat(100), { maxLength: 8 }),
      style,
      fc.integer({ min: 5, max: 150 }),
      (whole, cuts, own, width) => {
        const styled = { ...PLAIN, ...own };
        const lay = (spans: readonly TextSpan[]) => {
          const spaced = spans.map((each) => ({ ...each, letterSpacing: own.letterSpacing }));
          return facts(layoutText(spaced, stack, styled, { width, height: 40 }));
        };
        t.strictSame(lay(split(whole, cuts)), lay([span(whole)]), `cut at ${cuts}`);
      },
    ),
    { numRuns: 400 },
  );
  t.end();
});

t.test('each glyph belongs to the span of the first character of its cluster', (t) => {
  const spansOf = (...texts: string[]) => {
    const { lines } = layoutText(
      texts.map((text) => span(text)),
      stack,
      PLAIN,
      { width: 1000, height: 100 },
    );
    return lines.map(({ fragments }) => fragments.map((fragment) => [fragment.span, fragment.glyphs.length]));
  };
  t.same(spansOf('a', 'b'), [
    [
      [0, 1],
      [1, 1],
    ],
  ]);
  t.same(spansOf('👍', '🏽'), [[[0, 1]]], 'an emoji with its skin tone');
  t.same(
    spansOf('e', '\u0301x')[0].map(([own]) => own),
    [0, 1],
    'a mark goes with its letter',
  );
  t.same(
    spansOf('', 'a', '', 'b', ''),
    [
      [
        [1, 1],
        [3, 1],
      ],
    ],
    'empty spans show nothing',
  );
  t.same(spansOf('a\n', 'b'), [[[0, 1]], [[1, 1]]]);
  t.same(spansOf('a', '\nb'), [[[0, 1]], [[1, 1]]], 'a newline belongs to its span');
  t.same(spansOf('a', '\n', 'b').length, 2);
  t.same(spansOf('', ''), [[]]);
  t.same(spansOf('\ud83d', '\udc4d'), [[[0, 1]]], 'a surrogate pair in two spans is one character');
  t.end();
});

t.test(
  'letters of one font join across spans of several sizes, and the newline of a large span makes a high line',
  (t) => {
    const { lines } = layoutText([span('a'), span('\n', 40), span('b')], stack, PLAIN, { width: 100, height: 100 });
    t.equal(lines.length, 2);
    t.equal(lines[0].height, 48, 'that of the newline');
    t.equal(lines[1].height, 12);
    t.end();
  },
);

t.test('Arabic letters join where the size changes', (t) => {
  const ids = (...sizes: number[]) => {
    const spans = [...'بببب'].map((text, i) => span(text, sizes[i]));
    return glyphsOf(layoutText(spans, stack, PLAIN, { width: 1000, height: 100 }).lines[0]).map(({ id }) => id);
  };
  t.same(ids(10, 20, 10, 20), ids(10, 10, 10, 10));
  t.end();
});

t.test('work grows in proportion to the number of spans', (t) => {
  // quadratic work would take minutes
  const spans = Array.from({ length: 10_000 }, (_, i) => span(i % 7 === 0 ? 'a b\n' : 'word ', i % 3 === 0 ? 12 : 10));
  const style = { ...PLAIN, autoFit: true, minFontSize: 1 };
  const { lines } = layoutText(spans, stack, style, { width: 300, height: 100 });
  t.ok(lines.length > 1000);
  t.end();
});

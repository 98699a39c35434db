// Grapheme clusters and words: Unicode's test cases, and independence of the window boundaries.
import fc from 'fast-check';
import t from 'tap';
import { graphemesOf, isSingle, wordsOf } from '../../lib/text/segmentation.js';
import { breakCase, unicodeLines, withoutUnicode } from './unicode.js';

const GRAPHEME_BREAK = 'auxiliary/GraphemeBreakTest.txt';

function starts(segments: readonly string[]): number[] {
  let index = 0;
  return segments.slice(0, -1).map((segment) => {
    index += segment.length;
    return index;
  });
}

/** Since Unicode 15.1 a joiner no longer joins ✁: cases of version 15.0. */
const SINCE_15_0 = new Set(['÷ 2701 × 200D × 2701 ÷']);

// fault: 65
t.test('GraphemeBreakTest', { skip: withoutUnicode(GRAPHEME_BREAK) }, (t) => {
  const lines = unicodeLines(GRAPHEME_BREAK);
  const wrong = lines.filter((line) => {
    const { text, breaks } = breakCase(line);
    return starts(graphemesOf(text)).join() !== breaks.join();
  });
  t.ok(lines.length > 600, `${lines.length} cases`);
  t.same(
    wrong.filter((line) => !SINCE_15_0.has(line)),
    [],
  );
  t.end();
});

t.test('the fast path equals the segmenter', (t) => {
  const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
  const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter(isSingle);
  t.ok(units.length > 30_000, `${units.length} characters`);
  for (const other of ['a', '\u0644', '\u1112', '\uac00', '\uac01', '\u30ab']) {
    if (!isSingle(other)) continue;
    for (let i = 0; i < units.length; i += 100) {
      const some = units.slice(i, i + 100);
      const text = some.flatMap((unit) => [other, unit]).join('') + some.join('');
      t.equal([...segmenter.segment(text)].length, text.length, `${i} beside ${other}`);
    }
  }
  t.end();
});

t.test('windowed segmentation equals segmenting the whole text', (t) => {
  const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
  const words = new Intl.Segmenter('und', { granularity: 'word' });
  const alphabet = [
    'a',
    ' ',
    '\u0301',
    '\u200d',
    '👩',
    '🇫',
    '🏽',
    'क',
    '्',
    '가',
    'ᄀ',
    '漢',
    '.',
    "'",
    '1',
    'ภาษา',
    'ไทย',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...alphabet), { minLength: 400, maxLength: 1500 }), (parts) => {
      const text = parts.join('');
      const expected = Array.from(graphemes.segment(text), ({ segment }) => segment);
      return graphemesOf(text).join('|') === expected.join('|');
    }),
    { seed: 29, numRuns: 60 },
  );
  const prose = 'Don’t stop: it’s 3.14 (or 1,000) – e.g. foo.bar. 漢字かな交じり文。 ภาษาไทยไม่มีช่องว่างระหว่างคำ '.repeat(
    40,
  );
  t.same(
    wordsOf(prose),
    Array.from(words.segment(prose), ({ segment }) => segment),
  );
  t.end();
});

t.test('segments a cluster longer than a window', (t) => {
  const heap = `a${'\u0301'.repeat(10_000)}`;
  t.same(graphemesOf(`${heap}b`), [heap, 'b']);
  t.same(graphemesOf('🇫🇷'.repeat(1000)), new Array(1000).fill('🇫🇷'));
  t.same(graphemesOf(''), []);
  t.end();
});

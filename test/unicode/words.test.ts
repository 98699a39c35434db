// Words: Unicode's test cases, and the engine's segmenter as a twin.
import fc from 'fast-check';
import t from 'tap';
import { wordsOf } from '../../lib/unicode/words.js';
import { breakCase, ENGINE_AGREES, ownLines, starts } from './files.js';

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
const twin = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);

/** In the file, which is of Unicode 16, ✁ still counts as a pictograph. */
const SINCE_16 = ['÷ 2701 × 200D × 2701 ÷', '÷ 0061 × 200D × 2701 ÷'];

t.test('WordBreakTest', (t) => {
  const lines = ownLines('WordBreakTest.txt');
  t.ok(lines.length > 1800, `${lines.length} cases`);
  t.same(
    lines.filter((line) => {
      const { text, breaks } = breakCase(line);
      return starts(wordsOf(text)).join() !== breaks.join();
    }),
    SINCE_16,
  );
  t.end();
});

/** A character of each class. Of ideographs, kana and Thai one each: between two of them the segmenter asks its dictionary. */
const SAMPLES = [
  ...['a', '1', ' ', '.', ':', "'", '"', '_', ',', 'א', 'カ', '한', 'ა', '漢', 'ก', '-', '@', 'Ⓜ', '\u3000', '‿'],
  ...['\u0301', '\u200d', '\u00ad', '👩', '🇫', '\r', '\n', '\u2028'],
];

t.test('equals the engine’s segmenter on any sequence', { skip: !ENGINE_AGREES && 'needs Unicode 17' }, (t) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...SAMPLES), { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      return wordsOf(text).join('|') === twin(text).join('|');
    }),
    { seed: 29, numRuns: 3000 },
  );
  t.end();
});

t.test('keeps words of everyday text whole', (t) => {
  for (const text of [
    'Don’t| |stop|:| |it’s| |3.14| |(|or| |1,000|)',
    'e.g| |foo.bar|-|baz_x_',
    '한국|abc',
    'ไทยabc| |x',
  ]) {
    t.equal(wordsOf(text.replaceAll('|', '')).join('|'), text);
  }
  t.end();
});

t.test('loses nothing of any text, and takes texts of any length', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => wordsOf(text).join('') === text),
    { seed: 30 },
  );
  t.same(wordsOf(''), []);
  t.equal(wordsOf(`a${'\u0301'.repeat(100_000)}.b`).length, 1);
  t.equal(wordsOf("a'".repeat(100_000)).length, 2);
  t.equal(wordsOf('🇫🇷'.repeat(50_000)).length, 50_000);
  t.end();
});

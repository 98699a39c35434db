// Words: independence of the window boundaries.
import t from 'tap';
import { wordsOf } from '../../lib/text/segmentation.js';

t.test('windowed segmentation equals segmenting the whole text', (t) => {
  const words = new Intl.Segmenter('und', { granularity: 'word' });
  const prose = 'Don’t stop: it’s 3.14 (or 1,000) – e.g. foo.bar. 漢字かな交じり文。 ภาษาไทยไม่มีช่องว่างระหว่างคำ '.repeat(
    40,
  );
  t.same(
    wordsOf(prose),
    Array.from(words.segment(prose), ({ segment }) => segment),
  );
  t.end();
});

// Grapheme clusters: Unicode's test cases, the engine's segmenter as a twin, and linear time.
import fc from 'fast-check';
import t from 'tap';
import { graphemesOf, isSingle } from '../../lib/unicode/graphemes.js';
import { sample } from '../exhaustive.js';
import { breakCase, ENGINE_AGREES, ownLines, starts } from './files.js';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const twin = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);

/** In the file, which is of Unicode 16, ✁ still counts as a pictograph. */
const SINCE_16 = '÷ 2701 × 200D × 2701 ÷';

// fault: 65
t.test('GraphemeBreakTest', (t) => {
  const lines = ownLines('GraphemeBreakTest.txt');
  t.ok(lines.length > 700, `${lines.length} cases`);
  t.same(
    lines.filter((line) => {
      const { text, breaks } = breakCase(line);
      return starts(graphemesOf(text)).join() !== breaks.join();
    }),
    [SINCE_16],
  );
  t.end();
});

/** A character of each class, and beginnings of the sequences that the rules join. */
const SAMPLES = [
  ...['a', ' ', '\r', '\n', '\u0001', '\u0301', '\u200c', '\u200d', '\u0600', '\u0903', '©', '👩', '🏽', '🇫', '漢'],
  ...['क', '्', 'क्', 'ক্\u200d', 'ക്', 'ᄀ', 'ᅡ', 'ᆨ', '가', '각', '👩\u200d', '👩\u0301\u200d', '\ud83d', '\udc69'],
];

t.test('equals the engine’s segmenter on any sequence', { skip: !ENGINE_AGREES && 'needs Unicode 17' }, (t) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...SAMPLES), { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      return graphemesOf(text).join('|') === twin(text).join('|');
    }),
    { seed: 29, numRuns: 500 },
  );
  t.end();
});

t.test('equals the engine’s segmenter beside any character', { skip: !ENGINE_AGREES && 'needs Unicode 17' }, (t) => {
  const all = Array.from({ length: 0x110000 }, (_, codePoint) => String.fromCodePoint(codePoint));
  const assigned = all.filter((character) => !/\p{Unassigned}|\p{Ideographic}|\p{Private_Use}/u.test(character));
  const wrong = [...sample(assigned, 5000)].filter((character) => {
    const text = SAMPLES.map((sample) => `z${sample}${character}${sample}z${character}`).join('');
    return graphemesOf(text).join('|') !== twin(text).join('|');
  });
  t.same(wrong, []);
  t.end();
});

t.test('the fast path equals the rules', (t) => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter(isSingle);
  t.ok(units.length > 30_000, `${units.length} characters`);
  for (const other of ['a', '\u0644', '\uac00', '\uac01', '\u30ab']) {
    for (let i = 0; i < units.length; i += 100) {
      const some = units.slice(i, i + 100);
      const text = some.flatMap((unit) => [other, unit]).join('') + some.join('');
      // a joiner after the text turns the fast path off
      t.equal(graphemesOf(`${text}\u200d`).length, text.length, `${i} beside ${other}`);
    }
  }
  t.end();
});

const LONE_SURROGATE = /\p{Surrogate}/u;

t.test('loses nothing of any text, and cuts no surrogate pair', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const clusters = graphemesOf(text);
      return clusters.join('') === text && clusters.every((cluster) => cluster !== '' && !LONE_SURROGATE.test(cluster));
    }),
    { seed: 30 },
  );
  t.same(graphemesOf(''), []);
  t.same(graphemesOf('\ud83d'), ['\ud83d']);
  t.end();
});

t.test('takes clusters and texts of any length', (t) => {
  const heap = `a${'\u0301'.repeat(100_000)}`;
  t.same(graphemesOf(`${heap}b`), [heap, 'b']);
  t.equal(graphemesOf('🇫🇷'.repeat(50_000)).length, 50_000);
  t.equal(graphemesOf('क्'.repeat(100_000)).length, 1);
  t.equal(graphemesOf('\u{1f469}\u0301\u200d'.repeat(50_000)).length, 1);
  t.end();
});

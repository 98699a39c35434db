// Word breaks by dictionary: as recorded from Chromium, as the engine's segmenter has them, and within bounds on any text.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { loadDictionaries } from '../../lib/fonts/dictionaries.js';
import { Dictionary } from '../../lib/text/dictionary.js';
import {
  DICTIONARY_SCRIPTS,
  type DictionaryScript,
  dictionaryBreaks,
  dictionaryScripts,
} from '../../lib/text/dictionary-breaks.js';
import { breakOpportunities } from '../../lib/text/line-break.js';
import { lineUnits } from '../../lib/text/line-break-class.js';
import { graphemesOf } from '../../lib/unicode/graphemes.js';
import { CHROMIUM, startChromium } from '../chromium.js';

await loadDictionaries('ไລខမ');

/** Sentences with | at each line break of Chromium 156: everyday ones, then of the Universal Declaration of Human Rights. */
const sentencesOf = (script: DictionaryScript): string[] =>
  readFileSync(new URL(`line-breaks/${script}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n');

/** The text with | at every break opportunity. */
function parted(text: string): string {
  const allowed = breakOpportunities(text);
  return Array.from({ length: text.length }, (_, i) => (allowed[i] ? '|' : '') + text[i]).join('');
}

/** ICU also breaks before the vowel AM, and behind signs that join consonants, when a word is unknown: we do not. */
const isWhole = (text: string, index: number) =>
  !/[\u0e33\u0eb3]/.test(text[index]) && !/[\u1039\u17d2]\p{M}*$/u.test(text.slice(0, index));

const RANGES: Readonly<Record<DictionaryScript, RegExp>> = {
  thai: /[\u0e01-\u0e3a\u0e40-\u0e4e]+/g,
  lao: /[\u0e81-\u0ebd\u0ec0-\u0ece\u0edc-\u0edf]+/g,
  khmer: /[\u1780-\u17d3\u17d7\u17dc\u17dd]+/g,
  burmese: /[\u1000-\u103f\u1050-\u108f]+/g,
};

/** Texts of words, parts of words and single letters of a script. */
function textsOf(script: DictionaryScript): fc.Arbitrary<string> {
  const plain = sentencesOf(script).join('\n').replaceAll('|', '').match(RANGES[script])!;
  const pieces = [...new Set(sentencesOf(script).flatMap((line) => line.match(RANGES[script]) ?? []))];
  const letters = [...new Set(plain.join(''))];
  const part = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...pieces) },
    { weight: 2, arbitrary: fc.constantFrom(...pieces).map((piece) => piece.slice(0, piece.length >> 1)) },
    { weight: 1, arbitrary: fc.constantFrom(...letters) },
  );
  return fc.array(part, { minLength: 1, maxLength: 40 }).map((parts) => parts.join(''));
}

t.test('breaks sentences as Chromium does', (t) => {
  for (const script of DICTIONARY_SCRIPTS) {
    const sentences = sentencesOf(script);
    t.ok(sentences.length > 45, `${sentences.length} ${script} sentences`);
    t.same(
      sentences.map((sentence) => parted(sentence.replaceAll('|', ''))),
      sentences,
    );
  }
  t.end();
});

t.test('equals the engine’s segmenter in Thai and Burmese, whose dictionaries are ICU’s own', (t) => {
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  for (const script of ['thai', 'burmese'] as const) {
    fc.assert(
      fc.property(textsOf(script), (parts) => {
        // to the segmenter, a mark without a base character is a word
        const text = parts.replace(/^\p{M}+/u, '');
        const twin = Array.from(segmenter.segment(text), ({ index }) => index).filter((index) => index > 0);
        return dictionaryBreaks(text).join() === twin.filter((index) => isWhole(text, index)).join();
      }),
      { seed: 7, numRuns: 800 },
    );
  }
  t.end();
});

t.test('equals Chromium’s line breaks on any text', { skip: !CHROMIUM && 'needs Chromium' }, async (t) => {
  const open = await startChromium(t);
  const page = await open('data:text/html,');
  const others = fc.constantFrom(...' a1.)(“”-ๆฯ។ៗ၊။ໆ๑១\u200b\u200c\u200d\u0301\n');
  for (const script of DICTIONARY_SCRIPTS) {
    const text = fc.array(fc.oneof({ weight: 2, arbitrary: textsOf(script) }, others), { maxLength: 5 });
    const texts = fc.sample(text, { seed: 11, numRuns: 400 }).map((parts) => parts.join(''));
    const breaks = await page.evaluate<number[][]>(`(() => {
      const iterator = new Intl.v8BreakIterator('th', { type: 'line' });
      return ${JSON.stringify(texts)}.map((text) => {
        iterator.adoptText(text);
        const breaks = [];
        for (let index = iterator.first(); index !== -1; index = iterator.next()) breaks.push(index);
        return breaks.slice(1, -1);
      });
    })()`);
    const wrong = texts.filter((one, i) => {
      const allowed = breakOpportunities(one);
      const own = Array.from(one, (_, index) => index).filter((index) => allowed[index]);
      return own.join() !== breaks[i].filter((index) => isWhole(one, index)).join();
    });
    t.same(wrong, [], script);
  }
});

t.test('never breaks within a grapheme cluster, or out of order', (t) => {
  const any = fc.oneof(
    ...DICTIONARY_SCRIPTS.map(textsOf),
    fc.constantFrom('\u200b', '\u200c', '\u200d', 'abc', '\u0301', '1', '၁', ' ', '👩', 'ำ', 'ຳ', '្', '္', 'ꧦ', 'ꩻ'),
  );
  fc.assert(
    fc.property(fc.array(any, { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      const starts = new Set<number>();
      let index = 0;
      for (const cluster of graphemesOf(text)) {
        starts.add(index);
        index += cluster.length;
      }
      const breaks = dictionaryBreaks(text);
      return breaks.every((at, i) => starts.has(at) && at > (breaks[i - 1] ?? 0) && at < text.length);
    }),
    { seed: 5, numRuns: 400 },
  );
  t.end();
});

t.test('knows the letters and marks of the four scripts', (t) => {
  const script = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
  const names = [/\p{Script=Thai}/u, /\p{Script=Lao}/u, /\p{Script=Khmer}/u, /\p{Script=Myanmar}/u];
  let count = 0;
  for (let code = 0; code < 0x10000; code++) {
    const character = String.fromCharCode(code);
    const isLetter = script.test(character) && lineUnits(character, 'NS')[0].class === 'SA';
    const isMark = script.test(character) && /\p{M}/u.test(character);
    const expected = isLetter || isMark ? DICTIONARY_SCRIPTS.filter((_, i) => names[i].test(character)) : [];
    count += expected.length;
    // what Unicode has not assigned may be among them: the holes between Lao letters
    if (/\p{Assigned}/u.test(character) && dictionaryScripts(character).join() !== expected.join()) {
      t.fail(`U+${code.toString(16)}: ${dictionaryScripts(character)}, expected ${expected}`);
    }
  }
  t.ok(count > 400, `${count} characters`);
  t.end();
});

t.test('leaves other text, and text too short for two words, whole', (t) => {
  for (const text of ['', 'ไ', 'ไทย', 'ມາ', 'က', 'ខ្', 'abc def', '漢字かな', 'नमस्ते', '๑๒๓๔๕๖', '។៕៖', '\u200d\u200c']) {
    t.same(dictionaryBreaks(text), [], text);
  }
  t.equal(parted('ภาษา\u200bไทย'), 'ภาษา\u200b|ไทย');
  t.equal(parted('ภาษา\u200dไทย'), 'ภาษา\u200dไทย', 'none at a joiner');
  t.equal(parted('มากๆ'), 'มากๆ', 'the sign of repetition belongs to its word');
  t.equal(parted('ดีมากๆครับ'), 'ดี|มากๆ|ครับ');
  t.equal(parted('สวยฯๆนี่'), 'สวยฯๆ|นี่', 'both signs');
  t.equal(parted('ផ្ទះabcផ្ទះភាសា'), 'ផ្ទះabcផ្ទះ|ភាសា', 'none towards Latin');
  t.end();
});

t.test('takes time in proportion to the text’s length', (t) => {
  const { match } = Dictionary.prototype;
  t.teardown(() => {
    Dictionary.prototype.match = match;
  });
  let searches = 0;
  Dictionary.prototype.match = function count(...parameters) {
    searches++;
    return match.apply(this, parameters);
  };
  const long = 50_000;
  for (const script of DICTIONARY_SCRIPTS) {
    const letters = sentencesOf(script).join('').match(RANGES[script])!.join('');
    const words = [...new Set(sentencesOf(script).flatMap((line) => line.match(RANGES[script]) ?? []))];
    for (const part of [letters, letters[0], ...words.slice(0, 20), [...letters].sort().join('')]) {
      const text = part.repeat(Math.ceil(long / part.length));
      searches = 0;
      dictionaryBreaks(text);
      t.ok(searches <= 1.2 * text.length, `${searches} searches in ${text.length} characters`);
    }
  }
  t.end();
});

// Hyphenation: words of several languages against known breaks, and against the package's own function.
import { createRequire } from 'node:module';
import t from 'tap';
import {
  HYPHENATION_LANGUAGES,
  HYPHENATION_PATTERNS,
  hyphenationPatterns,
} from '../../lib/contract/layers/hyphenation-languages.js';
import { host, setHost } from '../../lib/host.js';
import { loadHyphenation } from '../../lib/render/fonts.js';
import '../../lib/node-host.js';
import { hyphenationPoints } from '../../lib/text/hyphenation.js';

const require = createRequire(import.meta.url);

function hyphenate(text: string, language: string, hyphen = '-'): string {
  loadHyphenation(language);
  const points = new Set(hyphenationPoints(text, language));
  return Array.from({ length: text.length }, (_, i) => (points.has(i) ? hyphen : '') + text[i]).join('');
}

t.test('words of English, German, French and Russian', (t) => {
  for (const [language, hyphenated] of [
    ['en', 'hy-phen-ation al-go-rithm rep-re-sen-ta-tive'],
    ['en-US', 'as-so-ciate dec-li-na-tion'],
    ['de', 'Sil-ben-tren-nung Do-nau-dampf-schiff-fahrt Rechts-schutz-ver-si-che-rung'],
    ['de-AT', 'Ver-öf-fent-li-chung'],
    ['fr-CA', 'dic-tion-naire l’amé-lio-ra-tion'],
    ['ru', 'ти-по-гра-фия'],
  ]) {
    t.equal(hyphenate(hyphenated.replaceAll('-', ''), language), hyphenated);
  }
  t.end();
});

t.test('case and punctuation make no difference', (t) => {
  t.equal(hyphenate('(ALGORITHM), “Algorithm”; ‘algorithm’.', 'en'), '(AL-GO-RITHM), “Al-go-rithm”; ‘al-go-rithm’.');
  t.end();
});

t.test('short words, soft hyphens, digits and no-break signs keep words whole', (t) => {
  for (const text of [
    'into',
    'repre\u00adsentative',
    'hyphenation2',
    'hyphen\u2060ation',
    'İİhyphenation',
    '',
    "''''''",
  ]) {
    t.same(hyphenate(text, 'en'), text);
  }
  t.equal(hyphenate('soft\u00adening hyphenation', 'en'), 'soft\u00adening hy-phen-ation');
  t.end();
});

t.test('no break is beside an apostrophe, nor nearer than two letters to an end', (t) => {
  const text = "couldn't l'hyphenation's rock'n'roll abouta evening aerial";
  for (const word of hyphenate(text, 'en').split(' ')) t.notMatch(word, /^.-|-.$|-'|'-/);
  t.end();
});

t.test('every set of patterns loads, and breaks words where the package does', (t) => {
  const create = require('hyphen');
  const words = 'international representation konstruktion université информация 123 организация διεθνής'.split(' ');
  for (const name of HYPHENATION_PATTERNS) {
    const own = create(require(`hyphen/patterns/${name}.js`), { hyphenChar: '|' });
    for (const word of words) t.equal(hyphenate(word, name, '|'), own(word), `${name}: ${word}`);
  }
  t.end();
});

t.test('a tag takes the nearest patterns', (t) => {
  const nearest = (tag: string) => hyphenationPatterns(tag);
  t.equal(nearest('EN'), 'en-us');
  t.equal(nearest('en-AU'), 'en-gb');
  t.equal(nearest('de-Latn-CH-1996'), 'de-1996');
  t.equal(nearest('sr-Latn-RS'), 'sh-latn');
  for (const tag of ['', '-', 'xx', 'english', 'ja', 'zh-Hans', 'constructor', `en-${'a'.repeat(1000)}`]) {
    t.equal(nearest(tag), undefined, tag);
  }
  for (const tag of HYPHENATION_LANGUAGES) t.ok(nearest(tag), tag);
  t.end();
});

t.test('a host without patterns says so', (t) => {
  t.throws(() => hyphenationPoints('hyphenation', 'xx'), /not loaded/);
  const { readHyphenation, ...others } = host();
  t.teardown(() => setHost({ ...others, ...(readHyphenation && { readHyphenation }) }));
  setHost(others);
  loadHyphenation('en');
  t.end();
});

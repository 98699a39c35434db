// Hyphenated lines: where they end, the hyphen they show, and the room that it takes.
import t from 'tap';
import { textBlock } from '../../lib/layout/text-block.js';
import { plainText, type TextStyle } from '../../lib/layout/text-box.js';
import { measureText } from '../../lib/layout/text-measure.js';
import { loadHyphenation } from '../../lib/render/fonts.js';
import { glyphsOf, lay, MONO, PLAIN, stackOf } from '../text/setting.js';

const mono = await stackOf('', MONO);
loadHyphenation('en');
loadHyphenation('de');

const AUTO = { hyphens: 'auto', language: 'en' } as const;

/** Glyphs and width of each line; a character is 6 px wide. */
const lines = (text: string, width: number, style: Partial<TextStyle> = AUTO) =>
  lay(text, mono, style, { width, height: 200 }).lines.map((line) => [glyphsOf(line).length, line.width]);

t.test('lines end in a hyphen inside words', (t) => {
  // hy-phen-ation
  t.same(lines('hyphenation', 60), [
    [7, 42],
    [5, 30],
  ]);
  t.same(lines('a hyphenation', 30), [
    [5, 30],
    [5, 30],
    [5, 30],
  ]);
  t.same(lines('Silbentrennung', 54, { ...AUTO, language: 'de' }), [
    [7, 42],
    [8, 48],
  ]);
  t.end();
});

t.test('without hyphens "auto" words are broken as before', (t) => {
  for (const style of [{}, { hyphens: 'manual', language: 'en' }] as const) {
    t.same(lines('hyphenation', 60, style), [
      [10, 60],
      [1, 6],
    ]);
  }
  t.end();
});

t.test('soft hyphens of a word win', (t) => {
  const text = 'hyphena\u00adtion';
  t.same(lines(text, 54), lines(text, 54, {}));
  t.end();
});

t.test('without wrap it has no effect', (t) => {
  t.same(lines('hyphenation', 30, { ...AUTO, wrap: false }), [[11, 66]]);
  t.end();
});

t.test('sizes of a box agree with its lines', (t) => {
  const style = { ...PLAIN, ...AUTO };
  const measure = measureText(textBlock(plainText('a hyphenation', mono, style), mono, style));
  // phen- and ation
  t.equal(measure.minContent(), 30);
  t.equal(measure.maxContent(), 13 * 6);
  t.equal(measure.at(30).height, lines('a hyphenation', 30).length * 12);
  t.equal(measureText(textBlock(plainText('a hyphenation', mono, PLAIN), mono, PLAIN)).minContent(), 66);
  t.end();
});

t.test('autoFit counts hyphenated words as whole', (t) => {
  const fit = (style: Partial<TextStyle>) =>
    lay('hyphenation', mono, { autoFit: true, minFontSize: 2, ...style }, { width: 30, height: 200 }).fontSize;
  t.equal(fit(AUTO), 10);
  t.equal(fit({}), 4.5);
  t.end();
});

// Text boxes: alignment, baselines, truncation and autoFit, with the numbers that browsers give.
import fc from 'fast-check';
import t from 'tap';
import { LineMeasurer } from '../../lib/layout/measure.js';
import type { BaselineShift } from '../../lib/layout/spans.js';
import { fontsAt, linesIn, textBlock } from '../../lib/layout/text-block.js';
import { layoutText, plainText, type TextStyle } from '../../lib/layout/text-box.js';
import { fits } from '../../lib/layout/wrap.js';
import { glyphsOf, lay, MONO, PLAIN, stackOf } from '../text/setting.js';

const mono = await stackOf('', MONO);
const hebrew = await stackOf('שלום עולם', MONO);
const inter = await stackOf('');
/** Pixels per character of MONO at 10 px. */
const CHARACTER = 6;

const edges = (text: string, style: Partial<TextStyle>, width: number, stack = mono) =>
  lay(text, stack, style, { width, height: 100 }).lines.map(({ x, width: w }) =>
    [x, x + w].map((edge) => Math.round(edge * 100) / 100),
  );

t.test('aligns lines horizontally and vertically', (t) => {
  t.same(edges('abcd', { textAlign: 'left' }, 100), [[0, 24]]);
  t.same(edges('abcd', { textAlign: 'center' }, 100), [[38, 62]]);
  t.same(edges('abcd', { textAlign: 'right' }, 100), [[76, 100]]);
  t.same(edges('abcd', { textAlign: 'right', letterSpacing: 2 }, 100), [[68, 100]], 'the last spacing counts');
  t.same(
    edges('ab   cd', { textAlign: 'right' }, 24),
    [
      [12, 42],
      [12, 24],
    ],
    'hanging blanks do not count',
  );
  t.end();
});

t.test('a line wider than its box starts at the start edge', (t) => {
  for (const textAlign of ['left', 'center', 'right'] as const) {
    t.same(edges('abcdef', { wrap: false, textAlign }, 24), [[0, 36]], textAlign);
    const [[left, right]] = edges('שלוםעולם', { wrap: false, textAlign }, 20, hebrew);
    t.ok(left < 0, textAlign);
    t.equal(right, 20, `${textAlign}: its right edge where text runs right to left`);
  }
  t.end();
});

t.test('spaces hang to the left of right-to-left text', (t) => {
  const { lines } = lay('שלום   עולם', hebrew, { textAlign: 'right' }, { width: 40, height: 100 });
  t.equal(lines.length, 2);
  t.ok(lines[0].x < 40 - lines[0].width + 3 * CHARACTER + 0.01);
  t.ok(Math.abs(lines[0].x + lines[0].width - 40) < 0.01);
  t.end();
});

t.test('places baselines as browsers do', (t) => {
  for (const size of [7, 10, 16.5, 33, 100]) {
    for (const lineHeight of [0, 0.8, 1, 1.2, 1.37, 3]) {
      const height = 300;
      const ascent = Math.round(inter.primary.ascent * size);
      const descent = Math.round(inter.primary.descent * size);
      const line = Math.floor(size * lineHeight * 64) / 64;
      const offset = ascent + Math.floor((line - ascent - descent) / 2);
      for (const [verticalAlign, shift] of [
        ['top', 0],
        ['middle', (height - 3 * line) / 2],
        ['bottom', height - 3 * line],
      ] as const) {
        const { lines } = lay('a\nb\nc', inter, { fontSize: size, lineHeight, verticalAlign }, { width: 500, height });
        t.same(
          lines.map(({ baseline }) => baseline),
          [0, 1, 2].map((i) => shift + i * line + offset),
          `${size} px, line height ${lineHeight}, ${verticalAlign}`,
        );
      }
    }
  }
  t.end();
});

t.test('splits at every kind of line terminator', (t) => {
  for (const end of ['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\v', '\f']) {
    t.equal(lay(`a${end}b`, mono).lines.length, 2, encodeURIComponent(end));
    t.equal(lay(`a${end}b`, mono, { wrap: false }).lines.length, 2);
  }
  t.equal(lay('a\n\nb', mono).lines.length, 3, 'empty lines stay');
  t.equal(lay('a\n', mono).lines.length, 1, 'none begins after the last');
  t.equal(lay('\n\n', mono).lines.length, 2);
  t.equal(lay('', mono).lines.length, 1);
  t.end();
});

t.test('wrap: false keeps each paragraph on one line', (t) => {
  const { lines, overflows } = lay('one two three', mono, { wrap: false }, { width: 30, height: 100 });
  t.equal(lines.length, 1);
  t.equal(lines[0].width, 13 * CHARACTER);
  t.ok(overflows);
  t.end();
});

t.test('maxLines truncates with an ellipsis', (t) => {
  const ellipsis = mono.primary.glyph(0x2026);
  const cut = (text: string, width: number, style: Partial<TextStyle> = {}) =>
    lay(text, mono, { maxLines: 1, ...style }, { width, height: 100 });
  const shown = (text: string, width: number, style?: Partial<TextStyle>) =>
    glyphsOf(cut(text, width, style).lines.at(-1)!).map(({ id }) => id);
  const glyphs = (text: string) =>
    Array.from(text, (character) => (character === '…' ? ellipsis : mono.primary.glyph(character.codePointAt(0)!)));
  t.notOk(cut('one', 30).truncated);
  t.ok(cut('one two three', 48).truncated);
  t.same(shown('one two three', 48), glyphs('one two…'), 'blanks at the end go first');
  t.same(shown('one two three', 42), glyphs('one tw…'), 'then clusters, until it fits');
  t.same(shown('one\ntwo', 100), glyphs('one…'), 'at a newline too');
  t.same(shown('one two three', 100, { wrap: false }), glyphs('one two three'), 'a single line that is not cut');
  t.same(shown('a\nb\nc', 100, { maxLines: 2 }), glyphs('b…'));
  t.same(shown('abc def', 3), glyphs('…'), 'the ellipsis stays, whatever the width');
  t.same(shown('one\ntwo', 30, { wrap: false, letterSpacing: 4 }), glyphs('on…'), 'spacing counts');
  const long = cut(`${'word '.repeat(4000)}\nx`, 60, { wrap: false });
  t.equal(long.lines[0].width, 60);
  t.end();
});

t.test('maxLines truncates at clusters and keeps the direction', async (t) => {
  const family = '👨‍👩‍👧‍👦'.repeat(6);
  const stack = await stackOf(family);
  const { lines } = lay(`${family}\nx`, stack, { maxLines: 1, fontSize: 20 }, { width: 60, height: 100 });
  t.ok(lines[0].width <= 60);
  t.notOk(glyphsOf(lines[0]).some(({ id }) => id === 0));
  const [line] = lay('שלום\nx', hebrew, { maxLines: 1, textAlign: 'right' }, { width: 100, height: 100 }).lines;
  const last = glyphsOf(line).find(({ x }) => x === Math.min(...glyphsOf(line).map((glyph) => glyph.x)))!;
  t.equal(last.id, mono.primary.glyph(0x2026), 'on the left of text that runs right to left');
});

t.test('autoFit shrinks text down to minFontSize', (t) => {
  const fit = (text: string, style: Partial<TextStyle>, width: number, height: number) =>
    lay(text, mono, { autoFit: true, fontSize: 40, minFontSize: 8, ...style }, { width, height }).fontSize;
  t.equal(fit('abcd', {}, 1000, 1000), 40, 'no larger than asked');
  t.equal(fit('abcd', {}, 48, 1000), 20, 'by width: 0.6 em a character');
  t.equal(fit('abcd', {}, 49, 1000), 20, 'in halves of a pixel');
  t.equal(fit('abcd', {}, 49.25, 1000), 20.5);
  t.equal(fit('a', { lineHeight: 1 }, 1000, 17), 17, 'by height');
  t.equal(fit('abcdefgh ab', {}, 48, 1000), 10, 'no word is broken');
  t.equal(fit('abcdefghijklmnop', {}, 10, 1000), 8, 'no smaller than the least');
  t.equal(fit('ab ab ab', { maxLines: 1 }, 48, 1000), 10);
  t.equal(fit('ab\u00adab', {}, 36, 1000), 20, 'a soft hyphen is no broken word');
  t.equal(fit('abcd', { fontSize: 6, minFontSize: 8 }, 10, 10), 6, 'bounds that cross');
  t.equal(fit('abcd', { letterSpacing: 4 }, 48, 1000), 13, 'spacing does not shrink');
  t.end();
});

t.test('autoFit finds the largest size that fits', (t) => {
  const words = fc.array(fc.constantFrom('a', 'word', 'longer', 'שלום', 'a-b', '\n'), { minLength: 1, maxLength: 12 });
  const side = fc.integer({ min: 20, max: 200 });
  fc.assert(
    fc.property(words, side, side, fc.constantFrom(undefined, 1, 3), (parts, width, height, maxLines) => {
      const text = parts.join(' ');
      const style = { ...PLAIN, autoFit: true, fontSize: 30, minFontSize: 9, maxLines };
      const found = lay(text, hebrew, style, { width, height });
      const size = found.fontSize;
      if (size < 9 || size > 30 || (size * 2) % 1 !== 0) return false;
      if (size > 9 && (found.overflows || found.truncated)) return false;
      const wider = lay(text, hebrew, style, { width: width + 10, height: height + 10 }).fontSize;
      if (wider < size) return false;
      // half a pixel more overflows, truncates or breaks a word
      if (size === 30) return true;
      const larger = lay(text, hebrew, { ...style, autoFit: false, fontSize: size + 0.5 }, { width, height });
      const unbroken = lay(text, hebrew, { ...style, autoFit: false, fontSize: size + 0.5 }, { width: 1000, height });
      return larger.overflows || larger.truncated || larger.lines.length > unbroken.lines.length;
    }),
    { seed: 8, numRuns: 150 },
  );
  t.end();
});

t.test('autoFit takes a size exactly when all lines at that size fit', (t) => {
  const part = fc.constantFrom('a', 'word', 'longer', 'שלום', 'a-b', 'in\u00adter\u00adna', '\n', '\t', ' ', '');
  const span = fc.record({
    parts: fc.array(part, { maxLength: 12 }),
    size: fc.constantFrom(10, 10, 20),
    baselineShift: fc.constantFrom<BaselineShift[]>(0, 0, 'super', 5),
  });
  const style = fc.record({
    maxLines: fc.constantFrom(undefined, undefined, 1, 3),
    wrap: fc.constantFrom(true, true, false),
    textWrap: fc.constantFrom<TextStyle['textWrap'][]>('wrap', 'balance'),
    lineHeight: fc.constantFrom(0, 1.2, '15px'),
    hangingIndent: fc.constantFrom(0, 12),
    clonedEnd: fc.constantFrom(0, 9),
  });
  const side = fc.integer({ min: 10, max: 400 });
  const answers = new Set<boolean>();
  fc.assert(
    fc.property(
      fc.array(span, { minLength: 1, maxLength: 3 }),
      style,
      side,
      side,
      fc.nat(60),
      (parts, own, w, h, n) => {
        const box = { width: w, height: h };
        const size = 2 + n / 2;
        const spans = parts.map(({ parts, ...rest }) => ({
          ...rest,
          text: parts.join(' '),
          stack: hebrew,
          letterSpacing: 0,
        }));
        const all = { ...PLAIN, ...own };
        const fitting = textBlock(spans, hebrew, { ...all, autoFit: true, minFontSize: size, maxFontSize: size });
        const { unfitted } = linesIn(fitting, box);
        const scaled = textBlock(fontsAt(fitting, size).spans, hebrew, { ...all, fontSize: size });
        const { lines, height, truncated } = linesIn(scaled, box);
        const fitsBox = lines.every(({ range, indent }) => !range.isMidWord && fits(range.width, w - indent));
        answers.add(unfitted);
        return unfitted === !(fitsBox && height <= h && !truncated);
      },
    ),
    { seed: 11, numRuns: 600 },
  );
  t.equal(answers.size, 2);
  t.end();
});

t.test('autoFit stops at the first line that does not fit', (t) => {
  const words = 'ab '.repeat(2000);
  let asked = 0;
  const { width } = LineMeasurer.prototype;
  t.intercept(LineMeasurer.prototype, 'width', {
    value(this: LineMeasurer, start: number, end: number) {
      asked++;
      return width.call(this, start, end);
    },
  });
  const block = textBlock(plainText(words, mono, PLAIN), mono, {
    ...PLAIN,
    autoFit: true,
    minFontSize: 9,
    maxLines: 2,
  });
  t.ok(linesIn(block, { width: 60, height: 100 }).unfitted);
  t.ok(asked < 300, `${asked}`);
  t.throws(() => textBlock(plainText('\n'.repeat(100_001), mono, PLAIN), mono, PLAIN), {
    message: 'the text has over 100000 lines, expected at most 100000',
  });
  t.end();
});

t.test('glyphs stay inside their line', (t) => {
  const text = fc.array(fc.constantFrom('ab', ' ', 'שלום', '12', '(', ')', '\t', 'e\u0301'), { maxLength: 20 });
  fc.assert(
    fc.property(text, fc.integer({ min: 10, max: 150 }), (parts, width) => {
      const { lines } = lay(parts.join(''), hebrew, {}, { width, height: 100 });
      return lines.every((line) => glyphsOf(line).every(({ x }) => x >= -3 && x <= line.width + 3));
    }),
    { seed: 5 },
  );
  t.end();
});

t.test('lists clusters that no face has', async (t) => {
  const stack = await stackOf('a\u{10fffd}b漢');
  const { missing, lines } = lay('a\u{10fffd}b漢', stack);
  t.same(missing, ['\u{10fffd}']);
  t.equal(glyphsOf(lines[0]).filter(({ id }) => id === 0).length, 1, 'a box is shown');
  t.not(glyphsOf(lines[0]).at(-1)!.face, stack.primary, 'another face gave the Han character');
  const unseen = 'a\u0007\u0000\u200b\u200e\ufeff\u2060\u115f\u3164\ufe0f\u001fb';
  const invisible = lay(unseen, inter);
  t.same(invisible.missing, []);
  t.notOk(
    glyphsOf(invisible.lines[0]).some(({ id }) => id === 0),
    'controls draw nothing',
  );
  t.equal(invisible.lines[0].width, lay('ab', inter).lines[0].width);
});

t.test('mixed directions are positioned in visual order', (t) => {
  const { lines } = lay('ab שלום', hebrew);
  const [first] = glyphsOf(lines[0]);
  t.equal(first.id, mono.primary.glyph(0x61));
  const [, , , shin] = [...glyphsOf(lines[0])].sort((a, b) => a.x - b.x);
  t.equal(shin.id, glyphsOf(lines[0])[3].id);
  const right = lay('שלום ab', hebrew, { textAlign: 'right' }, { width: 200, height: 50 }).lines[0];
  t.equal(glyphsOf(right)[0].id, mono.primary.glyph(0x61), 'a paragraph that begins with Hebrew runs right to left');
  t.end();
});

t.test('autoFit lets text grow up to maxFontSize', (t) => {
  const fit = (text: string, style: Partial<TextStyle>, width: number, height: number) =>
    lay(text, mono, { autoFit: true, fontSize: 10, minFontSize: 8, ...style }, { width, height }).fontSize;
  t.equal(fit('abcd', { maxFontSize: 33.3 }, 1000, 1000), 33.3, 'that size itself');
  t.equal(fit('abcd', { maxFontSize: 33.3 }, 79.5, 1000), 33, 'then multiples of half a pixel');
  t.equal(fit('abcd', { maxFontSize: 40 }, 49.25, 1000), 20.5);
  t.equal(fit('abcd', { maxFontSize: 40, lineHeight: '30px' }, 1000, 29), 8, 'a line height in pixels stays');
  t.equal(fit('abcd', { maxFontSize: 40, autoFit: false }, 1000, 1000), 10);
  t.equal(fit('abcd', { maxFontSize: 9 }, 1000, 1000), 9, 'below fontSize');
  t.equal(fit('abcd', { fontSize: 0, maxFontSize: 9 }, 1000, 1000), 9);
  t.equal(fit('ab ab', { maxFontSize: 40, maxLines: 1 }, 60, 1000), 20);
  t.end();
});

t.test('spans grow in proportion, and so do their shifts', (t) => {
  const span = (text: string, size: number, baselineShift: number) => {
    return { text, stack: mono, size, letterSpacing: 0, baselineShift };
  };
  const style = { ...PLAIN, autoFit: true, maxFontSize: 40 };
  const { lines, fontSize } = layoutText([span('ab', 10, 0), span('cd', 5, 2)], mono, style, {
    width: 54,
    height: 1000,
  });
  t.equal(fontSize, 30);
  t.same(
    lines[0].fragments.map(({ font, raise }) => [font.size, raise]),
    [
      [30, 0],
      [15, 6],
    ],
  );
  t.end();
});

t.test('a line height in pixels is that of every line', (t) => {
  const { lines } = lay('a\nb', mono, { lineHeight: '48.02px' });
  t.same(
    lines.map(({ top, height }) => [top, height]),
    [0, 1].map((i) => [i * 48.015625, 48.015625]),
    'in 64ths',
  );
  t.equal(lines[0].baseline, lay('a', mono, { lineHeight: 4.802 }).lines[0].baseline);
  t.end();
});

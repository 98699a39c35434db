// The sizes of a text by itself: the widths of CSS Sizing, and its height and first baseline at a width.
import fc from 'fast-check';
import t from 'tap';
import { linesIn, textBlock } from '../../lib/layout/text-block.js';
import { layoutBlock, layoutText, plainText, type TextStyle } from '../../lib/layout/text-box.js';
import { measureText } from '../../lib/layout/text-measure.js';
import { lay, MONO, PLAIN, stackOf } from '../text/setting.js';

const mono = await stackOf('', MONO);
const inter = await stackOf('');
/** Pixels per character of MONO at 10 px. */
const CHARACTER = 6;

const measure = (text: string, style: Partial<TextStyle> = {}, stack = mono) => {
  const whole = { ...PLAIN, ...style };
  return measureText(textBlock(plainText(text, stack, whole), stack, whole));
};
const widths = (text: string, style: Partial<TextStyle> = {}) => {
  const { minContent, maxContent } = measure(text, style);
  return [minContent() / CHARACTER, maxContent() / CHARACTER];
};

t.test('measures the widest line without wrapping and the widest word', (t) => {
  t.same(widths('one three\nfour'), [5, 9]);
  t.same(widths(''), [0, 0]);
  t.same(widths('ab   '), [2, 5], 'blanks at the end hang where there is no room');
  t.same(widths('aaa\u00adbbb'), [4, 6], 'the hyphen counts where the word may break');
  t.same(widths('a\u00a0b c'), [3, 5]);
  t.same(widths('one three', { wrap: false }), [9, 9]);
  t.same(widths('one three', { letterSpacing: 6 }), [10, 18]);
  t.same(widths('one three', { autoFit: true, minFontSize: 1, maxLines: 1 }), [5, 9]);
  t.same(widths('a\nb\nthree', { maxLines: 1 }), [5, 5], 'lines that are cut count');
  t.end();
});

t.test('measures the height and the first baseline at a width', (t) => {
  const style = { lineHeight: 1.5 };
  const { at } = measure('one two three', style);
  const baselineOf = (width: number, height: number, verticalAlign: TextStyle['verticalAlign']) =>
    lay('one two three', mono, { ...style, verticalAlign }, { width, height }).lines[0].baseline;
  t.same(at(1000), { height: 15, baseline: baselineOf(1000, 100, 'top') });
  t.equal(at(7 * CHARACTER).height, 30);
  t.equal(at(0).height, 11 * 15, 'a line for each character');
  t.equal(measure('one two three', { ...style, maxLines: 2 }).at(0).height, 30);
  for (const verticalAlign of ['top', 'middle', 'bottom'] as const) {
    const middle = measure('one two three', { ...style, verticalAlign }).at(7 * CHARACTER, 200);
    t.same(middle, { height: 30, baseline: baselineOf(7 * CHARACTER, 200, verticalAlign) }, verticalAlign);
  }
  const shrinking = measure('three', { autoFit: true, minFontSize: 5 });
  t.equal(shrinking.at(24).height, Math.floor(8 * 1.2 * 64) / 64, 'autoFit shrinks what does not fit');
  t.end();
});

t.test('a text takes one line in its max-content width, and breaks no word in its min-content width', (t) => {
  const words = fc.array(
    fc.constantFrom('AVATAR', 'office', 'a-b', 'x/y', 'To', ' ', '  ', '\t', '\u00ad', 'fi', '1,5'),
  );
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 400 }), (parts, halves) => {
      const style = { ...PLAIN, fontSize: halves / 8 };
      const text = parts.join('');
      const spans = plainText(text, inter, style);
      const measured = measureText(textBlock(spans, inter, style));
      const [maxContent, minContent] = [measured.maxContent(), measured.minContent()];
      const { at } = measured;
      const linesIn = (width: number) => layoutText(spans, inter, style, { width, height: 1e6 });
      t.equal(linesIn(maxContent).lines.length, 1);
      t.ok(minContent <= maxContent);
      const narrow = linesIn(minContent);
      t.notOk(narrow.overflows);
      t.ok(Math.abs(at(minContent).height - narrow.lines.reduce((sum, { height }) => sum + height, 0)) < 1e-9);
      const fitting = { ...style, autoFit: true, minFontSize: style.fontSize };
      t.notOk(layoutText(spans, inter, fitting, { width: minContent, height: 1e6 }).unfitted);
    }),
  );
  t.end();
});

t.test('a block that was measured is laid out like a new one', (t) => {
  const text = 'a text of three lines\nwith another paragraph, and a \u00ad soft hyphen';
  const sizes = fc.array(fc.record({ width: fc.integer({ min: 0, max: 120 }), height: fc.constantFrom(20, 60) }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(sizes, fc.boolean(), fc.constantFrom(undefined, 1, 2), (boxes, autoFit, maxLines) => {
      const style: TextStyle = { ...PLAIN, autoFit, minFontSize: 4, maxLines };
      const spans = plainText(text, inter, style);
      const block = textBlock(spans, inter, style);
      const measured = measureText(block);
      t.ok(measured.minContent() <= measured.maxContent());
      for (const box of boxes) {
        const fresh = layoutText(spans, inter, style, box);
        t.equal(measured.at(box.width, box.height).baseline, fresh.lines[0].baseline);
        t.same(layoutBlock(block, box), fresh);
      }
    }),
  );
  t.end();
});

t.test('keeps the lines of the last box for painting, unless there are many', (t) => {
  const blockOf = (text: string) => textBlock(plainText(text, mono, PLAIN), mono, PLAIN);
  const few = blockOf('one two three');
  t.equal(linesIn(few, { width: 40, height: Infinity }), linesIn(few, { width: 40, height: 24 }));
  const many = blockOf('a\n'.repeat(100));
  linesIn(many, { width: 40, height: Infinity });
  t.equal(many.last, undefined);
  t.end();
});

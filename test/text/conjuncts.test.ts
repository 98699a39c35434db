// Conjuncts: shaped in one face and never split inside an overlong word. A character shared by several scripts
// takes the face of the letters beside it.
import t from 'tap';
import { readFace } from '../../lib/fonts/bundled.js';
import { loadTextEngine } from '../../lib/fonts/text-engine.js';
import { conjunctsOf } from '../../lib/text/conjuncts.js';
import { type Face, openFace } from '../../lib/text/face.js';
import type { FontStack } from '../../lib/text/font-stack.js';
import { faceOf, lay, shape, stackOf, wrap } from './setting.js';

t.test('conjunctsOf joins the clusters of a conjunct', async (t) => {
  for (const [text, expected] of [
    ['ஸ்ரீ', ['ஸ்ரீ']],
    ['ಕನ್ನಡ', ['ಕ', 'ನ್ನ', 'ಡ']],
    ['ක්‍ෂ්‍යය', ['ක්‍ෂ්‍ය', 'ය']],
    ['ক্ষত্রিয়', ['ক্ষ', 'ত্রি', 'য়']],
    ['ক্\u200cষ', ['ক্\u200c', 'ষ']],
    ['ன் ஸ', ['ன்', ' ', 'ஸ']],
    ['abc', ['a', 'b', 'c']],
  ] as const) {
    t.same(conjunctsOf(text), expected, text);
  }
});

/** A face that has all characters except one. */
function withoutLetter(face: Face, letter: number): Face {
  const glyph = (codePoint: number) => (codePoint === letter ? 0 : face.glyph(codePoint));
  return Object.create(face, { glyph: { value: glyph } });
}

t.test('a conjunct is shaped in one face', async (t) => {
  for (const [family, text] of [
    ['Noto Sans Kannada', 'ನ್ಷ'],
    ['Noto Sans Tamil', 'க்ஷ'],
    ['Noto Sans Sinhala', 'ක්‍ෂ'],
    ['Noto Sans Khmer', 'ខ្ម'],
    ['Noto Sans Myanmar', 'န္မ'],
  ] as const) {
    const bytes = await readFace(faceOf(family));
    await loadTextEngine();
    const whole = openFace(bytes, { trusted: true });
    const primary = withoutLetter(openFace(bytes, { trusted: true }), text.codePointAt(text.length - 1)!);
    const stack: FontStack = { primary, fallbacks: { text: [whole], symbols: [], emoji: [] }, italic: false };
    const { runs, missing } = shape(text, stack);
    t.same(missing, []);
    t.equal(runs.length, 1, text);
    t.equal(runs[0].face, whole);
  }
});

t.test('every letter of a sentence comes from the face of its script', async (t) => {
  for (const [family, text] of [
    ['Noto Sans Bengali', 'বাংলা ভাষা। ক্ষত্রিয়॥'],
    ['Noto Sans Gurmukhi', 'ਪੰਜਾਬੀ।'],
    ['Noto Sans Oriya', 'ଓଡ଼ିଆ ।'],
    ['Noto Sans Armenian', 'Հայերեն։'],
    ['Noto Sans Georgian', 'ქართული჻'],
  ] as const) {
    const stack = await stackOf(text);
    t.equal(stack.fallbacks.text.length, 1, `${family} alone`);
    const { runs, missing } = shape(text, stack);
    t.same(missing, []);
    for (const run of runs) {
      const isBlank = text.slice(run.start, run.end).trim() === '';
      t.equal(run.face, isBlank ? stack.primary : stack.fallbacks.text[0], text.slice(run.start, run.end));
    }
  }
  const both = await stackOf('हिन्दी। বাংলা।');
  const { runs } = shape('हिन्दी। বাংলা।', both);
  const [devanagari, bengali] = both.fallbacks.text;
  t.same(
    runs.map(({ face }) => [both.primary, devanagari, bengali].indexOf(face)),
    [1, 0, 2],
    'each danda with the letters before it',
  );
});

t.test('an overlong word is broken between conjuncts', async (t) => {
  for (const [text, expected] of [
    ['সন্তান', ['স', 'ন্তা', 'ন']],
    ['સ્ત્રીજન્મ', ['સ્ત્રી', 'જ', 'ન્મ']],
    ['ශ්‍රීලංකා', ['ශ්‍රී', 'ලං', 'කා']],
    ['မြန်မာ', ['မြ', 'န်', 'မာ']],
  ] as const) {
    t.same(wrap(text, await stackOf(text), 1).texts, expected, text);
  }
});

t.test('autoFit finds a size that breaks no word', async (t) => {
  const style = { autoFit: true, fontSize: 40, minFontSize: 4 };
  for (const text of ['ខ្ញុំស្រឡាញ់ភាសា', 'မြန်မာစာသည်လှပသည်', 'ພາສາລາວຫຼາຍ', 'மனிதப் பிறவியினர்']) {
    const stack = await stackOf(text);
    const { fontSize, lines, overflows } = lay(text, stack, style, { width: 80, height: 120 });
    t.notOk(overflows, text);
    t.ok(fontSize < 40 && fontSize > 10 && lines.length > 1, `${text}: ${lines.length} lines at ${fontSize} px`);
    const { lines: ranges } = wrap(text, stack, 80, fontSize);
    t.notOk(
      ranges.some(({ isMidWord }) => isMidWord),
      text,
    );
  }
});

t.test('letter spacing is added after clusters, never inside one', async (t) => {
  for (const text of ['தமிழ்', 'ខ្មែរ', 'မြန်မာ', 'ক্ষ', 'ශ්‍රී']) {
    const stack = await stackOf(text);
    const plain = wrap(text, stack, Infinity, 20);
    const spaced = wrap(text, stack, Infinity, 20, 10);
    const clusters = spaced.paragraph.clusterStart.subarray(0, text.length).reduce((sum, one) => sum + one, 0);
    t.ok(clusters <= conjunctsOf(text).length, text);
    t.ok(Math.abs(spaced.lines[0].width - plain.lines[0].width - 10 * clusters) < 1e-6, text);
  }
});

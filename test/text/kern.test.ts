// Kerning from the legacy kern table, which our HarfBuzz build does not read.
import t from 'tap';
import { sanitizeFont } from '../../lib/fonts/sanitizer/sanitize.js';
import { loadTextEngine } from '../../lib/fonts/text-engine.js';
import { openFace } from '../../lib/text/face.js';
import { addKerning, readPairs } from '../../lib/text/kern.js';
import { bytes, composite, SQUARE, sfnt, trueType, u16, u32 } from '../fonts/font-maker.js';

/** A format 0 subtable: the count, binary search parameters, then the pairs. */
const pairs = (...list: number[][]) => bytes(u16(list.length, 0, 0, 0), ...list.map((pair) => u16(...pair)));
const subtable = (coverage: number, body: Uint8Array, length = body.length + 6) =>
  bytes(u16(0, length, coverage), body);
const apple = (coverage: number, body: Uint8Array) => bytes(u32(body.length + 8), u16(coverage, 0), body);
const table = (...subtables: Uint8Array[]) => bytes(u16(0, subtables.length), ...subtables);
/** `a` is glyph 1, `b` glyph 2. */
const AB = 0x10000 + 2;

t.test('reads the pairs of horizontal subtables in both versions', (t) => {
  const one = pairs([1, 2, -80], [2, 1, 30]);
  const read = (kern: Uint8Array) => readPairs(kern).get(AB);
  t.equal(read(table(subtable(1, one))), -80);
  t.equal(read(table(subtable(1, one), subtable(1, pairs([1, 2, 5])))), -75, 'subtables add up');
  t.equal(read(bytes(u32(0x10000, 1), apple(0, one))), -80, 'Apple’s version');
  t.equal(read(table(subtable(1, one, 9))), -80, 'the last one’s length overflows');
  for (const coverage of [0, 3, 5, 0x201]) t.equal(read(table(subtable(coverage, one))), undefined, `not ${coverage}`);
  t.equal(read(bytes(u32(0x10000, 1), apple(0x8000, one))), undefined, 'not down columns');
  t.equal(read(table(subtable(0x201, one), subtable(1, one))), -80, 'a form that is not read keeps none from it');
  t.end();
});

t.test('a truncated or inconsistent table yields the pairs that are readable', (t) => {
  const whole = table(subtable(1, pairs([1, 2, -80], [2, 1, 30])));
  for (let length = 0; length <= whole.length; length++) t.ok(readPairs(whole.subarray(0, length)).size <= 2);
  t.equal(readPairs(whole.subarray(0, -1)).get(AB), -80);
  t.equal(readPairs(table(subtable(1, bytes(u16(9999, 0, 0, 0, 1, 2, -80))))).size, 1, 'more pairs than there are');
  t.equal(readPairs(bytes(u16(0, 0xffff), Buffer.alloc(100))).size, 0, 'subtables without length');
  t.equal(readPairs(bytes(u32(0x10000, 0xffffffff), Buffer.alloc(100))).size, 0);
  t.end();
});

t.test('text is kerned by it when GPOS does not kern', async (t) => {
  await loadTextEngine();
  const kern = table(subtable(1, pairs([1, 2, -80], [2, 1, 30])));
  /** A GPOS table of one feature without lookups. */
  const gpos = (feature: string) =>
    bytes(
      u16(1, 0, 10, 30, 42),
      bytes(u16(1), Buffer.from('DFLT'), u16(8, 4, 0, 0, 0xffff, 1, 0)),
      bytes(u16(1), Buffer.from(feature), u16(8, 0, 0)),
      u16(0),
    );
  const kernings = (tables: Record<string, Uint8Array>, text: string, rightToLeft = false) =>
    openFace(sanitizeFont(sfnt({ ...trueType(SQUARE, composite(1)), ...tables })), { trusted: false })
      .shape(text, 0, text.length, { rightToLeft, script: 'Latn', ligatures: true })
      .map(({ kerning, unsafeToBreak }) => [Math.round(kerning * 1000), unsafeToBreak]);
  const kerned = [
    [-80, false],
    [30, true],
    [0, true],
  ];
  const plain = [0, 0, 0].map((kerning) => [kerning, false]);
  t.same(kernings({ kern }, 'aba'), kerned);
  t.same(kernings({ kern, GPOS: gpos('mark') }, 'aba'), kerned);
  t.same(kernings({ kern, GPOS: gpos('kern') }, 'aba'), plain);
  t.same(kernings({}, 'aba'), plain);
  t.same(kernings({ kern }, 'ba', true), [
    [-80, true],
    [0, false],
  ]);
});

t.test('a mark between two kerned glyphs stays over its base', (t) => {
  const rest = { kerning: 0, offsetX: 0, offsetY: 0, unsafeToBreak: false };
  const glyph = (id: number, cluster: number, advance: number) => ({ id, cluster, advance, ...rest });
  const kerned = new Map([[AB, -100]]);
  const kernings = (...glyphs: ReturnType<typeof glyph>[]) =>
    addKerning(glyphs, kerned, 1000).map(({ kerning, unsafeToBreak }) => [kerning, unsafeToBreak]);
  const [base, mark] = [glyph(1, 0, 0.5), glyph(9, 0, 0)];
  t.same(kernings(base, mark, glyph(2, 2, 0.5)), [
    [0, false],
    [-0.1, false],
    [0, true],
  ]);
  const leftmost = glyph(1, 2, 0.5);
  t.same(kernings(leftmost, mark, glyph(2, 0, 0.5)), [
    [-0.1, true],
    [0, false],
    [0, false],
  ]);
  t.end();
});

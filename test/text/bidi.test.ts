// Bidirectional levels and reordering: Unicode's test cases through the functions that lines are built with.
import t from 'tap';
import { bidiLevels, lineLevels, visualOrder } from '../../lib/text/bidi.js';
import { sample } from '../exhaustive.js';
import { unicodeLines, withoutUnicode } from '../unicode/files.js';

const CHARACTERS = 'BidiCharacterTest.txt';
const DERIVED = 'extracted/DerivedBidiClass.txt';
const CLASSES = 'BidiTest.txt';

/** A case's columns: a level per character, x for those that rule X9 removes; then the visual order of the others. */
function resolve(characters: readonly string[], base: number | undefined, removed: readonly boolean[]) {
  const text = characters.join('');
  const levels = bidiLevels(text, base);
  const onLine = lineLevels(text, levels, 0, text.length);
  let start = 0;
  const items = characters.map((character, index) => {
    const level = onLine[start];
    start += character.length;
    return { index, level };
  });
  const kept = items.filter(({ index }) => !removed[index]);
  return {
    base: levels.base,
    levels: items.map(({ index, level }) => (removed[index] ? 'x' : String(level))).join(' '),
    order: visualOrder(kept)
      .map(({ index }) => index)
      .join(' '),
  };
}

t.test(CHARACTERS, { skip: withoutUnicode(CHARACTERS) }, (t) => {
  const lines = unicodeLines(CHARACTERS);
  const wrong: string[] = [];
  for (const line of sample(lines, 5000)) {
    const [codes, direction, base, levels, order] = line.split(';');
    const characters = codes.split(' ').map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
    const removed = levels.split(' ').map((level) => level === 'x');
    const found = resolve(characters, direction === '2' ? undefined : Number(direction), removed);
    if (found.levels !== levels || found.order !== order || found.base !== Number(base)) wrong.push(line);
  }
  t.ok(lines.length > 90_000, `${lines.length} cases`);
  t.same(wrong.slice(0, 10), []);
  t.end();
});

/** A character of each bidi class. */
const SAMPLES = new Map(
  Object.entries({
    L: 'a',
    R: '\u05d0',
    AL: '\u0627',
    EN: '1',
    ES: '+',
    ET: '#',
    AN: '\u0660',
    CS: ',',
    NSM: '\u0300',
    BN: '\u00ad',
    B: '\u2029',
    S: '\t',
    WS: ' ',
    ON: '!',
    LRE: '\u202a',
    LRO: '\u202d',
    RLE: '\u202b',
    RLO: '\u202e',
    PDF: '\u202c',
    LRI: '\u2066',
    RLI: '\u2067',
    FSI: '\u2068',
    PDI: '\u2069',
  }),
);

t.test(CLASSES, { skip: withoutUnicode(CLASSES) }, (t) => {
  let levels: readonly string[] = [];
  let order = '';
  const cases: { line: string; levels: readonly string[]; order: string }[] = [];
  for (const line of unicodeLines(CLASSES)) {
    if (line.startsWith('@Levels:')) levels = line.slice(8).trim().split(/\s+/);
    else if (line.startsWith('@Reorder:')) order = line.slice(9).trim();
    else cases.push({ line, levels, order });
  }
  const wrong: string[] = [];
  for (const { line, levels, order } of sample(cases, 20_000)) {
    const [classes, directions] = line.split(';');
    const characters = classes.split(' ').map((name) => SAMPLES.get(name)!);
    const removed = levels.map((level) => level === 'x');
    // bit 0: by the first strong character, bit 1: left to right, bit 2: right to left
    for (const [bit, base] of [undefined, 0, 1].entries()) {
      if ((Number.parseInt(directions, 16) & (1 << bit)) === 0) continue;
      const found = resolve(characters, base, removed);
      if (found.levels !== levels.join(' ') || found.order !== order) wrong.push(`${line} base ${base}`);
    }
  }
  t.ok(cases.length > 450_000, `${cases.length} lines`);
  t.same(wrong.slice(0, 10), []);
  t.end();
});

t.test('the base direction comes from the first strong character', (t) => {
  for (const [text, base] of [
    ['abc', 0],
    ['שלום abc', 1],
    ['123 العربية', 1],
    ['... abc שלום', 0],
    ['123', 0],
    ['', 0],
    ['\u200fabc', 1],
    ['\u2067א\u2069 abc', 0],
    ['𞤀𞤣', 1],
    ['🎉 שלום', 1],
    ['𝟙 שלום', 1],
    ['𐎀 שלום', 0],
  ] as const) {
    t.equal(bidiLevels(text).base, base, JSON.stringify(text));
  }
  t.equal(bidiLevels('abc', 1).base, 1);
  t.same([...bidiLevels('abc', 1).byUnit], [2, 2, 2]);
  t.end();
});

t.test(
  'supplementary characters of every class resolve like BMP characters of that class',
  { skip: withoutUnicode(DERIVED) },
  (t) => {
    const wrong: string[] = [];
    for (const line of unicodeLines(DERIVED)) {
      const [range, name] = line.split(/\s*;\s*/);
      const [first, last = first] = range.split('..').map((code) => Number.parseInt(code, 16));
      if (first < 0x10000) continue;
      const sample = SAMPLES.get(name)!;
      for (const code of new Set([first, last])) {
        // between Hebrew and Latin letters, a character resolves as any other of its class does
        for (const [before, after] of [
          ['א', 'b'],
          ['b1', 'א'],
          ['ا1', '2'],
        ] as const) {
          const level = (character: string) => bidiLevels(before + character + after).byUnit[before.length];
          if (level(String.fromCodePoint(code)) !== level(sample)) wrong.push(`${code.toString(16)} ${name}`);
        }
      }
    }
    // since Unicode 16 the mathematical nablas are ON like the others of their kind
    const nablas = ['1d6c1', '1d6fb', '1d735', '1d76f', '1d7a9'].map((code) => `${code} L`);
    t.same(
      [...new Set(wrong)].filter((one) => !nablas.includes(one)),
      [],
    );
    t.end();
  },
);

t.test('spaces at a line’s end and before tabs have the paragraph’s level', (t) => {
  const text = 'אב  גד';
  const levels = bidiLevels(text, 0);
  t.same([...lineLevels(text, levels, 0, 6)], [1, 1, 1, 1, 1, 1]);
  t.same([...lineLevels(text, levels, 0, 4)], [1, 1, 0, 0], 'where the line is broken');
  const tabbed = 'אב \tגד';
  t.same([...lineLevels(tabbed, bidiLevels(tabbed, 0), 0, 6)], [1, 1, 0, 0, 1, 1]);
  t.end();
});

// fault: 65
t.test('deeply nested directions are resolved without a stack overflow', (t) => {
  const text = `${'\u202b\u202a'.repeat(20_000)}a${'\u202c'.repeat(40_000)}`;
  t.equal(bidiLevels(text).byUnit.length, text.length);
  const items = Array.from({ length: 200_000 }, (_, index) => ({ index, level: index % 2 }));
  t.equal(visualOrder(items).length, items.length);
  t.end();
});

t.test('the fast path for left-to-right lines gives the same levels as the rules', (t) => {
  for (const text of ['two words ', ' a\tb\t', '123 \u00ad', '']) {
    const levels = bidiLevels(text);
    t.ok(levels.isAllLtr);
    for (let end = 0; end <= text.length; end++) {
      t.same(lineLevels(text, levels, 0, end), lineLevels(text, { ...levels, isAllLtr: false }, 0, end));
    }
  }
  t.end();
});

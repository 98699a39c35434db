// Packed tables: every run, every value, and what the generated ones cover.
import t from 'tap';
import { scriptsOf } from '../../lib/text/script.js';
import * as data from '../../lib/unicode/data.js';
import { lookupOf } from '../../lib/unicode/table.js';
import { ENGINE_AGREES } from './files.js';

t.test('a table is unpacked run by run', (t) => {
  const values = Array.from({ length: 60 }, (_, index) => index);
  const lookUp = lookupOf({ values, runs: 'A2BC10~À3ÁA' });
  const expected = [0, 0, 1, ...new Array(36).fill(2), 53, 54, 54, 54, 55, 0, 0];
  t.same(
    expected.map((_, codePoint) => lookUp(codePoint)),
    expected,
  );
  t.equal(lookUp(0x10ffff), 0);
  t.end();
});

t.test('the runs of each generated table cover all code points, with signs of its values alone', (t) => {
  const tables = Object.entries(data).filter(([, one]) => typeof one === 'object' && 'runs' in one);
  t.ok(tables.length >= 10, `${tables.length} tables`);
  for (const [name, table] of tables) {
    const { values: packed, runs } = table as { values: string | readonly unknown[]; runs: string };
    const values = typeof packed === 'string' ? packed.split(packed.includes(',') ? ',' : ' ') : packed;
    const found = [...runs.matchAll(/([^0-9a-z])([0-9a-z]*)/g)];
    const length = found.reduce((sum, [, , digits]) => sum + (digits === '' ? 1 : Number.parseInt(digits, 36)), 0);
    t.equal(length, 0x110000, name);
    t.equal(new Set(found.map(([, sign]) => sign)).size, values.length, name);
  }
  t.end();
});

t.test('properties are those of the engine', { skip: !ENGINE_AGREES && 'needs Unicode 17' }, (t) => {
  const flags = lookupOf(data.FLAGS);
  const properties = [
    [data.LETTER, /\p{L}/u],
    [data.OTHER, /\p{C}/u],
    [data.CASED, /\p{Cased}/u],
    [data.CASE_IGNORABLE, /\p{Case_Ignorable}/u],
    [data.DEFAULT_IGNORABLE, /\p{Default_Ignorable_Code_Point}/u],
    [data.PICTOGRAPH, /\p{Extended_Pictographic}/u],
    [data.EMOJI, /\p{Emoji_Presentation}/u],
  ] as const;
  const tags = [
    ['Latn', /\p{scx=Latin}/u],
    ['Arab', /\p{scx=Arabic}/u],
    ['Deva', /\p{scx=Devanagari}/u],
    ['Hira', /[\p{scx=Hiragana}\p{scx=Katakana}]/u],
    ['Hani', /\p{scx=Han}/u],
    ['Thai', /\p{scx=Thai}/u],
  ] as const;
  const wrong: string[] = [];
  for (let codePoint = 0; codePoint < 0x110000; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    for (const [bit, pattern] of properties) {
      if ((flags(codePoint) & bit) > 0 !== pattern.test(character)) wrong.push(`${codePoint.toString(16)} ${pattern}`);
    }
    for (const [tag, pattern] of tags) {
      if (scriptsOf(codePoint).includes(tag) !== pattern.test(character))
        wrong.push(`${codePoint.toString(16)} ${tag}`);
    }
  }
  t.same(wrong, []);
  t.end();
});

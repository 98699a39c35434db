// text-transform: locale-independent case mapping, and capitalize as in browsers.
import t from 'tap';
import { transformText } from '../../lib/text/transform.js';
import { unicodeLines, withoutUnicode } from '../unicode/files.js';

t.test('uppercase and lowercase', (t) => {
  for (const [text, expected] of [
    ['Straße', 'STRASSE'],
    ['ŉ ﬁ ǆ', 'ʼN FI Ǆ'],
    ['i ı é', 'I I É'],
    ['\u0390 \u1fb3', '\u0399\u0308\u0301 \u0391\u0399'],
  ]) {
    t.equal(transformText(text, 'uppercase'), expected);
  }
  for (const [text, expected] of [
    ['ΟΔΟΣ ΑΣ. Σ ΣΑΣ', 'οδος ας. σ σας'],
    ['ΑΣ’Α Α-Σ ΑΣ-Α', 'ασ’α α-σ ας-α'],
    ['İI', 'i̇i'],
    ['ẞ', 'ß'],
  ]) {
    t.equal(transformText(text, 'lowercase'), expected);
  }
  t.equal(transformText('MiXed ß', 'none'), 'MiXed ß');
  t.end();
});

t.test('capitalize', (t) => {
  for (const [text, expected] of [
    ["it's o'neil don’t l'amour", "It's O'neil Don’t L'amour"],
    ['well-known and/or x:y;z', 'Well-Known And/Or X:Y;Z'],
    ['(hello) "quoted" ¿qué? @foo #bar', '(Hello) "Quoted" ¿Qué? @Foo #Bar'],
    ['a.b.c e.g. foo.bar', 'A.B.C E.G. Foo.Bar'],
    ['1st 50cent a_b _c', '1st 50cent A_b _c'],
    ['iPhone hELLO ÉCOLE', 'IPhone HELLO ÉCOLE'],
    ['ǆ ǳeta Ǆ ǅ', 'ǅ ǲeta ǅ ǅ'],
    ['ŉa ßa ﬁnd', 'ŉa ßa ﬁnd'],
    ['αΣ ὀδυσσεύς ᾳ', 'ΑΣ Ὀδυσσεύς ᾼ'],
    ['i\u0307stanbul ıi', 'I\u0307stanbul Ii'],
    ['中文abc 👍ok', '中文Abc 👍Ok'],
    ['hello\nworld\u00a0wide', 'Hello\nWorld\u00a0Wide'],
    ['ნინო ⓐbc 𐐨𐐩', 'ნინო Ⓐbc 𐐀𐐩'],
    ['', ''],
  ]) {
    t.equal(transformText(text, 'capitalize'), expected);
  }
  t.end();
});

t.test('titlecase of every character', { skip: withoutUnicode('UnicodeData.txt') }, (t) => {
  const wrong: string[] = [];
  for (const line of unicodeLines('UnicodeData.txt')) {
    const fields = line.split(';');
    const character = String.fromCodePoint(Number.parseInt(fields[0], 16));
    const expected = fields[14] ? String.fromCodePoint(Number.parseInt(fields[14], 16)) : character;
    if (transformText(character, 'capitalize') !== expected) wrong.push(fields[0]);
  }
  // letters whose capitals came with Unicode 15.1 or later
  t.same(
    wrong.filter((code) => !['019B', '0264', 'A7D3', 'A7D5'].includes(code)),
    [],
  );
  t.end();
});

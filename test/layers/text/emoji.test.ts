// Emoji: text or emoji presentation, and warnings for emoji that the bundled font lacks.
import t from 'tap';
import { draw, inkOf, type Picture } from '../picture.js';

const canvas = { width: 400, height: 80 };

function text(content: string): object {
  return { type: 'text', text: content, x: 10, y: 10, width: 380, height: 60, fontSize: 32 };
}

function isColored({ data }: Picture): boolean {
  return data.some((value, i) => i % 4 === 0 && data[i + 3] > 0 && (value !== data[i + 1] || value !== data[i + 2]));
}

const messages = ({ warnings }: Picture) => warnings.map(({ message }) => message);

t.test('a character with U+FE0E is drawn as text where a bundled font has it', async (t) => {
  for (const character of ['\u231a', '\u26a1', '\u2b50', '\u263a', '\u2600', '\u2764', '\u260e', '\u{1f3e0}']) {
    const name = `U+${character.codePointAt(0)?.toString(16)}`;
    const asText = await draw([text(`${character}\ufe0e`)], canvas);
    t.notOk(isColored(asText), `${name} U+FE0E is black`);
    t.notOk(messages(asText).some((message) => message.includes('no font has')));
    t.ok(isColored(await draw([text(`${character}\ufe0f`)], canvas)), `${name} U+FE0F is coloured`);
  }
  t.ok(isColored(await draw([text('\u{1f600}\ufe0e')], canvas)), 'coloured where no other font has it');
});

t.test('warns about a sequence that the emoji font has no glyph for', async (t) => {
  const bird = '\u{1f426}\u200d\u{1f680}';
  const flag = '\u{1f1fd}\u{1f1f6}';
  const picture = await draw([text(`${bird} a ${bird} ${flag}`)], canvas);
  t.same(messages(picture), [
    `"${bird}" (U+1F426 U+200D U+1F680) is drawn as 2 emoji: the bundled emoji font has no glyph for it`,
    `"${flag}" (U+1F1FD U+1F1F6) is drawn as 2 emoji: the bundled emoji font has no glyph for it`,
  ]);
});

t.test('warns about an emoji that no font has, with its code point', async (t) => {
  const unassigned = '\u{1faff}';
  t.same(messages(await draw([text(`new ${unassigned}`)], canvas)), [
    `"${unassigned}" (U+1FAFF) is drawn as a box: the bundled emoji font has no glyph for it`,
  ]);
  t.same(messages(await draw([text('\u{10fffd}')], canvas)), ['no font has "\u{10fffd}": boxes are shown instead']);
});

t.test('has the emoji of Emoji 15.1, 16.0 and 17.0, in colour and as one glyph each', async (t) => {
  const emoji = [
    '\u{1f426}\u200d\u{1f525}',
    '\u26d3\ufe0f\u200d\u{1f4a5}',
    '\u{1f642}\u200d\u2194\ufe0f',
    '\u{1f3c3}\u{1f3fd}\u200d\u2640\ufe0f\u200d\u27a1\ufe0f',
    '\u{1f9d1}\u200d\u{1f9d1}\u200d\u{1f9d2}\u200d\u{1f9d2}',
    '\u{1fae9}',
    '\u{1f1e8}\u{1f1f6}',
    '\u{1faea}',
    '\u{1facd}',
    '\u{1f9d1}\u{1f3fb}\u200d\u{1fa70}',
    '\u{1f468}\u{1f3fb}\u200d\u{1faef}\u200d\u{1f468}\u{1f3ff}',
  ];
  for (const each of emoji) {
    const picture = await draw([text(each)], canvas);
    t.same(messages(picture), [], each);
    t.ok(isColored(picture), each);
    t.ok((inkOf(picture)?.right ?? 0) < 60, `${each} is one emoji wide`);
  }
});

t.test('sequences that the font has are drawn as one glyph, without a warning', async (t) => {
  const content = [
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '\u{1f44d}\u{1f3fd}',
    '\u{1f1fa}\u{1f1f8}',
    '1\ufe0f\u20e3',
    '\u2764\ufe0f\u200d\u{1f525}',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  ].join(' ');
  t.same(messages(await draw([text(content)], canvas)), []);
});

t.test('the warnings are limited in number and length', async (t) => {
  const flags = Array.from({ length: 20 }, (_, i) => `\u{1f1fd}${String.fromCodePoint(0x1f1e6 + i)}`).join(' ');
  const picture = await draw([text(flags)], { ...canvas, height: 400 });
  const named = messages(picture).filter((message) => message.includes('is drawn as 2 emoji'));
  t.equal(named.length, 8);
  t.ok(messages(picture).some((message) => /^the bundled emoji font has no glyphs for 1\d more emoji$/.test(message)));
  const chain = Array.from({ length: 300 }, () => '\u{1f525}').join('\u200d');
  const [message] = messages(await draw([text(chain)], canvas));
  t.match(message, /…" \(U\+1F525 U\+200D .*…\) is drawn as 300 emoji/);
  t.ok(message.length < 300, `${message.length} characters`);
});

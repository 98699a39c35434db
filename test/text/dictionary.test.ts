// The word lists of dictionaries: unpacking, and the words that a text begins with.
import fc from 'fast-check';
import t from 'tap';
import { Dictionary } from '../../lib/text/dictionary.js';

/** Packs words as Dictionary describes. */
function pack(words: readonly string[]): Uint8Array {
  const sorted = [...new Set(words)].sort();
  const characters = [...new Set(sorted.join(''))].sort();
  const header = Buffer.alloc(9 + 2 * characters.length);
  header.writeUInt32BE(sorted.length, 0);
  header.writeUInt32BE(sorted.join('').length, 4);
  header[8] = characters.length;
  characters.forEach((character, i) => {
    header.writeUInt16BE(character.charCodeAt(0), 9 + 2 * i);
  });
  const bytes = [...header];
  sorted.forEach((word, i) => {
    const previous = sorted[i - 1] ?? '';
    let shared = 0;
    while (shared < previous.length && word[shared] === previous[shared]) shared++;
    bytes.push(128 + shared, ...[...word.slice(shared)].map((character) => characters.indexOf(character) + 1));
  });
  return Uint8Array.from(bytes);
}

t.test('finds the words that a text begins with, and how far it is known', (t) => {
  const dictionary = new Dictionary(pack(['ab', 'a', 'abcd', 'ba', 'กข']));
  t.same(dictionary.match('abcx', 0, 4), { lengths: [1, 2], reach: 4 });
  t.same(dictionary.match('abcd', 0, 4), { lengths: [1, 2, 4], reach: 4 });
  t.same(dictionary.match('abcd', 0, 3), { lengths: [1, 2], reach: 3 }, 'not past the end');
  t.same(dictionary.match('xxกขa', 2, 5), { lengths: [2], reach: 2 });
  t.same(dictionary.match('bb', 0, 2), { lengths: [], reach: 2 });
  t.same(dictionary.match('zb', 0, 2), { lengths: [], reach: 1 }, 'no word has the letter');
  t.same(dictionary.match('\uffffb', 0, 2), { lengths: [], reach: 1 });
  t.same(dictionary.match('a', 1, 1), { lengths: [], reach: 0 });
  t.equal(dictionary.longest, 4);
  t.end();
});

t.test('equals a search in the plain list', (t) => {
  const word = fc.string({ unit: fc.constantFrom('ก', 'ข', 'ค', 'ฮ'), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), fc.array(word, { maxLength: 4 }), (words, parts) => {
      const text = parts.join('');
      const known = (length: number) => words.some((one) => one.startsWith(text.slice(0, length)) && length > 0);
      const lengths = [...new Set(words)].filter((one) => text.startsWith(one)).map((one) => one.length);
      const found = new Dictionary(pack(words)).match(text, 0, text.length);
      let reach = 0;
      while (reach < text.length && known(reach + 1)) reach++;
      const goesOn = words.some((one) => one.length > reach && one.startsWith(text.slice(0, reach)));
      if (reach < text.length && (goesOn || reach === 0)) reach++;
      return found.reach === reach && found.lengths.join() === lengths.sort((a, b) => a - b).join();
    }),
    { seed: 3, numRuns: 500 },
  );
  t.end();
});

// Case mapping: the engine's own as a twin.
import fc from 'fast-check';
import t from 'tap';
import { asciiLowercase, asciiUppercase } from '../../lib/unicode/ascii.js';
import { lowercase, uppercase } from '../../lib/unicode/case-mapping.js';
import { ENGINE_AGREES } from './files.js';

const isEqual = (text: string) => uppercase(text) === text.toUpperCase() && lowercase(text) === text.toLowerCase();

t.test(
  'equals the engine’s mapping of every character, alone and beside a sigma',
  { skip: !ENGINE_AGREES && 'needs Unicode 17' },
  (t) => {
    const every = Array.from({ length: 0x110000 }, (_, codePoint) => String.fromCodePoint(codePoint));
    const all = every.filter((one) => !/\p{Unassigned}|\p{Private_Use}|\p{Ideographic}|\p{Script=Hangul}/u.test(one));
    t.same(
      all.filter((one) => !isEqual(one)),
      [],
    );
    for (const pattern of ['ΑxΣ', 'ΑΣx', 'ΑΣxΑ', 'xΣ']) {
      t.same(
        all.filter((one) => !isEqual(pattern.replace('x', one))),
        [],
      );
    }
    t.end();
  },
);

t.test('equals the engine’s mapping of any text', (t) => {
  const letters = [
    'Σ',
    'σ',
    'Α',
    'a',
    'ß',
    'İ',
    'ı',
    'ŉ',
    'ﬁ',
    'ᾳ',
    'ǅ',
    '𐐀',
    '\u0345',
    '\u0301',
    'ʰ',
    '’',
    '.',
    ' ',
    '\ud801',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...letters), { maxLength: 12 }), (parts) => isEqual(parts.join(''))),
    {
      seed: 3,
      numRuns: 2000,
    },
  );
  t.end();
});

t.test('takes linear time beside final sigmas', (t) => {
  const text = `Α${'’'.repeat(100_000)}Σ${'’'.repeat(100_000)}Σ`;
  t.equal(lowercase(text.repeat(3)).length, text.length * 3);
  t.end();
});

t.test('asciiLowercase and asciiUppercase map nothing beyond ASCII', (t) => {
  t.equal(asciiLowercase('RGBA(Ä, \u212a, İ) Zz[@'), 'rgba(Ä, \u212a, İ) zz[@');
  t.equal(asciiUppercase('t10:00z ß ı ſ {`'), 'T10:00Z ß ı ſ {`');
  t.end();
});

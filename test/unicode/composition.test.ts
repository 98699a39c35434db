// Decomposition and composition against the engine's String.prototype.normalize, for characters that it knows.
import t from 'tap';
import { compose, decompose } from '../../lib/unicode/composition.js';

const isHangul = (codePoint: number) => codePoint >= 0xac00 && codePoint <= 0xd7a3;

function decomposeFully(codePoint: number): string {
  const parts = decompose(codePoint);
  if (!parts) return String.fromCodePoint(codePoint);
  return decomposeFully(parts.first) + (parts.second > 0 ? String.fromCodePoint(parts.second) : '');
}

t.test('decomposes as the engine does, and composes again what it composes', (t) => {
  let decomposed = 0;
  const wrong: string[] = [];
  for (let codePoint = 0; codePoint < 0x110000; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    if (isHangul(codePoint) || !/^\p{Assigned}$/u.test(character)) continue;
    const parts = decompose(codePoint);
    if (parts) decomposed++;
    // the engine also orders marks
    if (decomposeFully(codePoint).normalize('NFD') !== character.normalize('NFD')) wrong.push(codePoint.toString(16));
    if (!parts && character.normalize('NFD') !== character) wrong.push(codePoint.toString(16));
    if (!parts || parts.second === 0) continue;
    const isComposed = character.normalize('NFC') === character;
    if (compose(parts.first, parts.second) !== (isComposed ? codePoint : undefined)) wrong.push(codePoint.toString(16));
  }
  t.same(wrong, []);
  t.ok(decomposed > 2000, String(decomposed));
  t.equal(compose(0x61, 0x62), undefined);
  t.end();
});

// The form in which fonts/coverage.txt and fonts/languages.txt have sets of characters; lib/fonts/bundled.ts unpacks it.

/**
 * Packs sorted code points as ranges; each is the gap since the previous range's end and its length minus one, in base 36.
 * @param {Uint32Array | number[]} characters
 */
export function packRanges(characters) {
  const numbers = [];
  let end = 0;
  for (let i = 0; i < characters.length; ) {
    let last = i;
    while (characters[last + 1] === characters[last] + 1) last++;
    numbers.push((characters[i] - end).toString(36), (last - i).toString(36));
    end = characters[last];
    i = last + 1;
  }
  return numbers.join(' ');
}

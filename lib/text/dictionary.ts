// The words of a language written without spaces between words, for line breaking: a sorted list in which a search finds
// every word that a text begins with.

/** Bytes of a packed dictionary from this value on begin a word; smaller ones are letters. */
const WORD = 0x80;

/** Words found at a position. */
export interface Matches {
  /** The lengths of the words, ascending. */
  readonly lengths: readonly number[];
  /** Number of characters up to the first one with which no word continues, that one included. */
  readonly reach: number;
}

/** Words at one position that are considered: the shortest. No dictionary has so many that begin with each other. */
const MAX_MATCHES = 20;

export class Dictionary {
  /** The letter for each character code, 0 for none. */
  readonly #letterOf: Uint8Array;
  /** The words' letters, one word after the other, in order. */
  readonly #letters: Uint8Array;
  /** Start of each word in #letters, and the end of the last. */
  readonly #starts: Uint32Array;
  /** The first word whose first letter is not smaller, for each letter. */
  readonly #firstWords = new Uint32Array(WORD + 1);
  /** The length of the longest word. */
  readonly longest: number;

  /**
   * `packed` holds the number of words and the number of letters in all of them (four bytes each, the high one first), the
   * number of different letters, the character of each letter from 1 on (two bytes), then the words, sorted by their letters.
   * Each word is a byte of 128 plus the number of letters that it shares with the previous word, then its other letters.
   */
  constructor(packed: Uint8Array) {
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    const count = view.getUint32(0);
    const letterCount = packed[8];
    const codes = Array.from({ length: letterCount }, (_, i) => view.getUint16(9 + 2 * i));
    this.#letterOf = new Uint8Array(Math.max(...codes) + 1);
    codes.forEach((code, i) => {
      this.#letterOf[code] = i + 1;
    });
    const words = packed.subarray(9 + 2 * letterCount);
    const letters = new Uint8Array(view.getUint32(4));
    const starts = new Uint32Array(count + 1);
    let word = 0;
    let end = 0;
    let longest = 0;
    // no iterators here: a dictionary is unpacked once, by code that is not yet optimized
    for (let i = 0; i < words.length; i++) {
      const byte = words[i];
      if (byte < WORD) letters[end++] = byte;
      else {
        let shared = starts[word];
        if (end - shared > longest) longest = end - shared;
        if (end > 0) word++;
        starts[word] = end;
        for (const stop = end + byte - WORD; end < stop; ) letters[end++] = letters[shared++];
      }
    }
    starts[count] = end;
    this.longest = Math.max(longest, end - starts[word]);
    this.#letters = letters;
    this.#starts = starts;
    this.#firstWords.fill(count);
    for (let i = count - 1; i >= 0; i--) this.#firstWords[letters[starts[i]]] = i;
    for (let letter = WORD - 1; letter >= 0; letter--) {
      this.#firstWords[letter] = Math.min(this.#firstWords[letter], this.#firstWords[letter + 1]);
    }
  }

  /** The words with which text.slice(start, end) begins. */
  match(text: string, start: number, end: number): Matches {
    const lengths: number[] = [];
    let low = 0;
    let high = 0;
    for (let length = 1; start + length <= end; length++) {
      const letter = this.#letterOf[text.charCodeAt(start + length - 1)] ?? 0;
      if (letter === 0) return { lengths, reach: length };
      if (length === 1) {
        low = this.#firstWords[letter];
        high = this.#firstWords[letter + 1];
      } else {
        // the words from low to high begin with the text so far; the first may be no longer than that
        if (this.#lengthOf(low) < length) low++;
        low = this.#search(low, high, length - 1, letter);
        high = this.#search(low, high, length - 1, letter + 1);
      }
      if (low === high) return { lengths, reach: length };
      if (this.#lengthOf(low) === length) {
        if (lengths.length < MAX_MATCHES) lengths.push(length);
        if (high - low === 1) return { lengths, reach: length };
      }
    }
    return { lengths, reach: end - start };
  }

  #lengthOf(word: number): number {
    return this.#starts[word + 1] - this.#starts[word];
  }

  /** The first word from `low` on, before `high`, whose letter at `index` is not smaller than `letter`; else `high`. */
  #search(low: number, high: number, index: number, letter: number): number {
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#letters[this.#starts[middle] + index] < letter) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

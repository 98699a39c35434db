// LZ77 match finder of lossless WebP: palette indexes of an entire image → sequences (literals, then a match). Twin of
// assembly/webp/find-sequences.ts.

const MAX_LENGTH = 4096;
const WINDOW = 65_536;
const HASH_BITS = 15;
/** Position of the first pixel: large enough that position 0 is outside its window. */
const FIRST = 2 * WINDOW;
/** Hash chain entries tried per match, and half as many for a lazy match; a match of `NICE_LENGTH` skips the lazy match. */
const DEPTH = 8;
const NICE_LENGTH = 64;
/** Only the last bytes of a run are hashed. */
const RUN_END = 8;

/** So many literals, then a match; the last sequence has none. */
export interface Sequence {
  readonly literals: number;
  readonly length: number;
  readonly distance: number;
}

/** The sequences of pixels in rows of `width`; undefined if there are more than `maxSequences`. */
export function findSequences(pixels: Uint8Array, width: number, maxSequences: number): Sequence[] | undefined {
  const end = pixels.length;
  /** Most recent position of each hash, and the previous position with the same hash. */
  const heads = new Uint32Array(1 << HASH_BITS);
  const chains = new Uint32Array(WINDOW);
  let bestDistance = 0;

  function matchLength(a: number, b: number, maxLength: number): number {
    let length = 0;
    while (length < maxLength && pixels[a + length] === pixels[b + length]) length++;
    return length;
  }

  /** Adds `at` to the hash chains. Returns the previous position with the same hash. */
  function insertHash(at: number): number {
    const word = pixels[at] | (pixels[at + 1] << 8) | (pixels[at + 2] << 16) | (pixels[at + 3] << 24);
    const head = Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS);
    const previous = heads[head];
    heads[head] = at + FIRST;
    chains[(at + FIRST) & (WINDOW - 1)] = previous;
    return previous;
  }

  /** The length of the longest match that is longer than `minLength`, whose distance it sets; `minLength` if there is none. */
  function longestMatch(at: number, first: number, minLength: number, maxLength: number, above: number, depth: number) {
    let best = minLength;
    if (best >= maxLength) return best;
    if (above > 0) {
      const length = matchLength(at, at - above, maxLength);
      if (length > best) {
        best = length;
        bestDistance = above;
        if (length >= NICE_LENGTH || length === maxLength) return best;
      }
    }
    let candidate = first;
    for (let tries = depth; tries > 0; tries--) {
      const distance = at + FIRST - candidate;
      if (distance >= WINDOW) break;
      const length = matchLength(at, at - distance, maxLength);
      if (length > best) {
        best = length;
        bestDistance = distance;
        if (length >= NICE_LENGTH || length === maxLength) break;
      }
      candidate = chains[candidate & (WINDOW - 1)];
    }
    return best;
  }

  const sequences: Sequence[] = [];
  let literals = 0;
  let at = 0;
  /** Everything before it is hashed, except for the insides of runs. */
  let nextToHash = 0;
  const isRun = () => at > 0 && matchLength(at, at - 1, 8) === 8;
  // a hash reads four bytes, and a lazy match starts one byte later
  while (at + 9 < end) {
    const maxLength = Math.min(MAX_LENGTH, end - at);
    let above = at >= width ? width : 0;
    let length: number;
    let distance = 1;
    if (isRun()) {
      // a match with the row above may be longer
      length = matchLength(at, at - 1, maxLength);
      const aboveLength = above > 0 ? matchLength(at, at - above, maxLength) : -1;
      if (aboveLength >= length) {
        length = aboveLength;
        distance = above;
      }
    } else {
      length = longestMatch(at, insertHash(at), 3, maxLength, above, DEPTH);
      nextToHash = at + 1;
      if (length <= 3) {
        at++;
        continue;
      }
      distance = bestDistance;
      while (length < NICE_LENGTH && at + 10 < end) {
        above = at + 1 >= width ? width : 0;
        const lazyMaxLength = Math.min(MAX_LENGTH, end - at - 1);
        const lazyLength = longestMatch(at + 1, insertHash(at + 1), length, lazyMaxLength, above, DEPTH >> 1);
        nextToHash = at + 2;
        if (lazyLength <= length) break;
        length = lazyLength;
        distance = bestDistance;
        at++;
      }
    }
    if (sequences.length + 1 === maxSequences) return undefined;
    sequences.push({ literals: at - literals, length, distance });
    at += length;
    literals = at;
    if (distance === 1 || length >= NICE_LENGTH) nextToHash = Math.max(nextToHash, at - RUN_END);
    const stop = Math.min(at, end - 9);
    while (nextToHash < stop) insertHash(nextToHash++);
  }
  sequences.push({ literals: end - literals, length: 0, distance: 0 });
  return sequences;
}

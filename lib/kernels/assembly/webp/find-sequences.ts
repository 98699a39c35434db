// LZ77 match finder of lossless WebP: palette indexes of an entire image → sequences (literals, then a match). Matches
// are at most 65535 pixels back and 4096 pixels long.

const MAX_LENGTH: usize = 4096;
const WINDOW: u32 = 65536;
const HASH_BITS = 15;
/** Most recent position of each hash, counted from `FIRST`; 0: none. */
const heads = memory.data(4 << HASH_BITS, 16);
/** Indexed by position modulo the window: the previous position with the same hash. */
const chains = memory.data(4 << 16, 16);
/** Position of the first pixel: large enough that position 0 is outside its window. */
const FIRST: u32 = 2 * WINDOW;
/**
 * Hash chain entries tried per match, and half as many for a lazy match; a match of `NICE_LENGTH` skips the lazy match.
 */
const DEPTH = 8;
const NICE_LENGTH: usize = 64;
/** Only the last bytes of a run are hashed. */
const RUN_END: usize = 8;

/** Position minus address. */
let shift: u32 = 0;
let bestDistance: usize = 0;

/** Length of the common prefix of `a` and `b`, at most `maxLength`. Reads up to 7 bytes past it. */
@inline
function matchLength(a: usize, b: usize, maxLength: usize): usize {
  let length: usize = 0;
  while (length < maxLength) {
    const differ = load<u64>(a + length) ^ load<u64>(b + length);
    if (differ != 0) return min(length + <usize>(ctz(differ) >> 3), maxLength);
    length += 8;
  }
  return maxLength;
}

/** Adds `at` to the hash chains. Returns the previous position with the same hash. */
@inline
function insertHash(at: usize): u32 {
  const position = <u32>at + shift;
  const head = heads + (<usize>((load<u32>(at) * 0x9e3779b1) >> (32 - HASH_BITS)) << 2);
  const previous = load<u32>(head);
  store<u32>(head, position);
  store<u32>(chains + (<usize>(position & (WINDOW - 1)) << 2), previous);
  return previous;
}

/**
 * Finds the longest match at `at` that is longer than `minLength` and at most `maxLength`. Returns its length and sets
 * `bestDistance`; returns `minLength` if there is none.
 */
function longestMatch(at: usize, candidate: u32, minLength: usize, maxLength: usize, above: usize, depth: i32): usize {
  let best = minLength;
  if (best >= maxLength) return best;
  if (above > 0) {
    const length = matchLength(at, at - above, maxLength);
    if (length > best) {
      best = length;
      bestDistance = above;
      if (length >= NICE_LENGTH || length == maxLength) return best;
    }
  }
  const position = <u32>at + shift;
  for (let tries = depth; tries > 0; tries--) {
    const distance = position - candidate;
    if (distance >= WINDOW) break;
    const candidateAddress = at - distance;
    if (load<u32>(candidateAddress + best - 3) == load<u32>(at + best - 3)) {
      const length = matchLength(at, candidateAddress, maxLength);
      if (length > best) {
        best = length;
        bestDistance = distance;
        if (length >= NICE_LENGTH || length == maxLength) break;
      }
    }
    candidate = load<u32>(chains + (<usize>(candidate & (WINDOW - 1)) << 2));
  }
  return best;
}

/**
 * Finds the sequences of the pixels from `from` to `end` in rows of `width`. Writes each to `sequences` as three u32:
 * literal count, match length and distance; length and distance of the last one are 0. Returns their number, or 0 if
 * there are more than `maxSequences`. May read 16 bytes past the end.
 */
export function findSequences(from: usize, end: usize, width: usize, sequences: usize, maxSequences: i32): i32 {
  memory.fill(heads, 0, 4 << HASH_BITS);
  shift = FIRST - <u32>from;
  let count = 0;
  let literals = from;
  let at = from;
  /** Everything before it is hashed, except for the insides of runs. */
  let nextToHash = from;
  // a hash reads four bytes, and a lazy match starts one byte later
  while (at + 9 < end) {
    const maxLength = min(MAX_LENGTH, end - at);
    let above: usize = at - from >= width ? width : 0;
    let length: usize;
    let distance: usize = 1;
    if (at > from && load<u64>(at) == load<u64>(at - 1)) {
      // a run, but a match with the row above may be longer
      length = matchLength(at, at - 1, maxLength);
      if (above > 0) {
        const aboveLength = matchLength(at, at - above, maxLength);
        if (aboveLength >= length) {
          length = aboveLength;
          distance = above;
        }
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
        above = at + 1 - from >= width ? width : 0;
        const lazyMaxLength = min(MAX_LENGTH, end - at - 1);
        const lazyLength = longestMatch(at + 1, insertHash(at + 1), length, lazyMaxLength, above, DEPTH >> 1);
        nextToHash = at + 2;
        if (lazyLength <= length) break;
        length = lazyLength;
        distance = bestDistance;
        at++;
      }
    }
    if (count + 1 == maxSequences) return 0;
    const sequence = sequences + <usize>count * 12;
    store<u32>(sequence, <u32>(at - literals));
    store<u32>(sequence, <u32>length, 4);
    store<u32>(sequence, <u32>distance, 8);
    count++;
    at += length;
    literals = at;
    if (distance == 1 || length >= NICE_LENGTH) nextToHash = max(nextToHash, at - RUN_END);
    const stop = min(at, end - 9);
    while (nextToHash < stop) insertHash(nextToHash++);
  }
  const sequence = sequences + <usize>count * 12;
  store<u32>(sequence, <u32>(end - literals));
  store<u32>(sequence, 0, 4);
  store<u32>(sequence, 0, 8);
  return count + 1;
}

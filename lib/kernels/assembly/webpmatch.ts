// Palette indexes of a whole picture → sequences (so many literals, then a match), for a lossless WebP: what is seen again may
// lie up to 65535 pixels back, and is up to 4096 long.

const LONGEST: usize = 4096;
const WINDOW: u32 = 65536;
const HASH_BITS = 15;
/** The last place of each hash, counted from `FIRST`; 0: none. */
const heads = memory.data(4 << HASH_BITS, 16);
/** By place modulo the window: the place before with the same hash. */
const chains = memory.data(4 << 16, 16);
/** The place of the first pixel: from it, place 0 lies beyond the window. */
const FIRST: u32 = 2 * WINDOW;
/** Places tried for each match, and half as many for the next pixel's; a match of `NICE` is taken without a look at that. */
const DEPTH = 8;
const NICE: usize = 64;
/** Of a run only its end is remembered. */
const RUN_END: usize = 8;

/** Place − address. */
let shift: u32 = 0;
let bestDistance: usize = 0;

/** How many bytes at `a` equal those at `b`, at most `most`. Reads up to 7 bytes beyond. */
@inline
function matchLength(a: usize, b: usize, most: usize): usize {
  let length: usize = 0;
  while (length < most) {
    const differ = load<u64>(a + length) ^ load<u64>(b + length);
    if (differ != 0) return min(length + <usize>(ctz(differ) >> 3), most);
    length += 8;
  }
  return most;
}

/** Remembers that `at` begins with its four bytes; returns the place before that did. */
@inline
function remember(at: usize): u32 {
  const place = <u32>at + shift;
  const head = heads + (<usize>((load<u32>(at) * 0x9e3779b1) >> (32 - HASH_BITS)) << 2);
  const before = load<u32>(head);
  store<u32>(head, place);
  store<u32>(chains + (<usize>(place & (WINDOW - 1)) << 2), before);
  return before;
}

/** The longest match at `at` that is longer than `least`, at most `most`: its length, or `least`; sets `bestDistance`. */
function longestMatch(at: usize, candidate: u32, least: usize, most: usize, above: usize, depth: i32): usize {
  let best = least;
  if (best >= most) return best;
  if (above > 0) {
    const length = matchLength(at, at - above, most);
    if (length > best) {
      best = length;
      bestDistance = above;
      if (length >= NICE || length == most) return best;
    }
  }
  const place = <u32>at + shift;
  for (let tries = depth; tries > 0; tries--) {
    const distance = place - candidate;
    if (distance >= WINDOW) break;
    const there = at - distance;
    if (load<u32>(there + best - 3) == load<u32>(at + best - 3)) {
      const length = matchLength(at, there, most);
      if (length > best) {
        best = length;
        bestDistance = distance;
        if (length >= NICE || length == most) break;
      }
    }
    candidate = load<u32>(chains + (<usize>(candidate & (WINDOW - 1)) << 2));
  }
  return best;
}

/**
 * Finds the sequences of the pixels from `from` to `end` in rows of `width`, and writes them to `sequences` as three u32 each:
 * literals, length and distance of the match after them, which are 0 in the last. Returns how many; 0 when they are more than
 * `most`. 16 bytes beyond the end may be read.
 */
export function findSequences(from: usize, end: usize, width: usize, sequences: usize, most: i32): i32 {
  memory.fill(heads, 0, 4 << HASH_BITS);
  shift = FIRST - <u32>from;
  let count = 0;
  let literals = from;
  let at = from;
  /** All before it are remembered, but for the insides of runs. */
  let next = from;
  // a hash reads four bytes, and those of a lazy match begin one later
  while (at + 9 < end) {
    const longest = min(LONGEST, end - at);
    let above: usize = at - from >= width ? width : 0;
    let length: usize;
    let distance: usize = 1;
    if (at > from && load<u64>(at) == load<u64>(at - 1)) {
      // a run; what stands above may go on beyond its end
      length = matchLength(at, at - 1, longest);
      if (above > 0) {
        const repeated = matchLength(at, at - above, longest);
        if (repeated >= length) {
          length = repeated;
          distance = above;
        }
      }
    } else {
      length = longestMatch(at, remember(at), 3, longest, above, DEPTH);
      next = at + 1;
      if (length <= 3) {
        at++;
        continue;
      }
      distance = bestDistance;
      while (length < NICE && at + 10 < end) {
        above = at + 1 - from >= width ? width : 0;
        const further = min(LONGEST, end - at - 1);
        const longer = longestMatch(at + 1, remember(at + 1), length, further, above, DEPTH >> 1);
        next = at + 2;
        if (longer <= length) break;
        length = longer;
        distance = bestDistance;
        at++;
      }
    }
    if (count + 1 == most) return 0;
    const sequence = sequences + <usize>count * 12;
    store<u32>(sequence, <u32>(at - literals));
    store<u32>(sequence, <u32>length, 4);
    store<u32>(sequence, <u32>distance, 8);
    count++;
    at += length;
    literals = at;
    if (distance == 1 || length >= NICE) next = max(next, at - RUN_END);
    const stop = min(at, end - 9);
    while (next < stop) remember(next++);
  }
  const sequence = sequences + <usize>count * 12;
  store<u32>(sequence, <u32>(end - literals));
  store<u32>(sequence, 0, 4);
  store<u32>(sequence, 0, 8);
  return count + 1;
}

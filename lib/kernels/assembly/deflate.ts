// Bytes → a zlib stream (RFC 1950, RFC 1951), piece by piece. Two ways to find matches: `MATCH_FAR` remembers where four
// bytes stood before, for drawn pictures; `MATCH_RUNS` only sees a byte repeat, for photographs, which have little else.
import { alignBits, bitsEnd, bitsStart, bitsTo, flushBits, putBits } from './bits';
import { addSequence, blockBits, blockStart, writeBlock } from './block';
import { LONGEST_MATCH } from './symbols';
import { adler32 } from './adler';

const WINDOW: u32 = 32768;
const MATCH_RUNS = 0;

const HASH_BITS = 15;
/** The last place of each hash, as a count of bytes from the stream's beginning plus `FIRST`; 0: none. */
const heads = memory.data(4 << HASH_BITS, 16);
/** By place modulo the window: the place before with the same hash. */
const chains = memory.data(4 << 15, 16);
/** The count at the stream's first byte: from it, count 0 lies beyond the window. */
const FIRST: u32 = 65536;
/** Count of a byte − its address. */
let shift: u32 = 0;
let begun = false;
/** Bytes of a row; 0 where that is beyond the window. */
let stride: u32 = 0;
let sum: u32 = 1;

/** Begins a stream of rows of `rowBytes` bytes each. */
export function deflateStart(rowBytes: u32): void {
  stride = rowBytes <= WINDOW ? rowBytes : 0;
  memory.fill(heads, 0, 4 << HASH_BITS);
  bitsStart();
  begun = false;
  sum = 1;
}

/** Enough room for what `deflateBytes` writes for `length` bytes. */
export function deflateBound(length: u32): u32 {
  return length * 2 + 1024;
}

/**
 * Deflates `length` bytes at `from`, which lie behind the 32 KiB that came before them (garbage before the first), and moves
 * the last 32 KiB there for the next call. Writes to `out`; returns the end of what it wrote.
 * `depth`: how many places are tried for each match; 0 for `MATCH_RUNS`.
 */
export function deflateBytes(from: usize, length: u32, out: usize, depth: i32, last: bool): usize {
  bitsTo(out);
  if (!begun) {
    begun = true;
    shift = FIRST - <u32>from;
    putBits(0x0178, 16);
  }
  sum = adler32(sum, from, length);
  blockStart(from);
  if (depth == MATCH_RUNS) findRuns(from, from + length, last);
  else findMatches(from, from + length, depth, last);
  if (last) {
    alignBits();
    putBits(bswap<u32>(sum), 32);
    flushBits();
  } else {
    memory.copy(from - WINDOW, from + length - WINDOW, WINDOW);
    shift += length;
  }
  return bitsEnd();
}

/** The bits that `length` bytes at `from` take on their own. `deflateStart` must come before it, and again after it. */
export function deflateSampleBits(from: usize, length: u32, depth: i32): u32 {
  memory.fill(heads, 0, 4 << HASH_BITS);
  shift = FIRST - <u32>from;
  blockStart(from);
  sampling = true;
  sampled = 0;
  if (depth == MATCH_RUNS) findRuns(from, from + length, false);
  else findMatches(from, from + length, depth, false);
  sampling = false;
  return sampled;
}

let sampling = false;
let sampled: u32 = 0;

function endBlock(last: bool): void {
  if (sampling) {
    sampled += <u32>blockBits();
    return;
  }
  writeBlock(last);
}

/** A byte that repeats at least this often is a match at distance 1. */
const SHORTEST_RUN: u32 = 4;

function findRuns(from: usize, end: usize, last: bool): void {
  let literals = from;
  let at = from + 1;
  while (at + 20 <= end) {
    const here = v128.load(at);
    const same = i8x16.bitmask(i8x16.eq(here, v128.load(at - 1)));
    const runs = same & (same >> 1) & (same >> 2) & (same >> 3);
    if (runs == 0) {
      at += 13;
      continue;
    }
    at += ctz(runs);
    const length = matchLength(at, at - 1, <u32>min(<usize>LONGEST_MATCH, end - at));
    if (addSequence(<u32>(at - literals), length, 1)) endBlock(false), blockStart(at + length);
    at += length;
    literals = at;
  }
  addSequence(<u32>(end - literals), 0, 0);
  endBlock(last);
}

/** How many bytes at `a` equal those at `b`, at most `most`. Reads up to 7 bytes beyond. */
@inline
function matchLength(a: usize, b: usize, most: u32): u32 {
  let length: u32 = 0;
  while (length < most) {
    const differ = load<u64>(a + length) ^ load<u64>(b + length);
    if (differ != 0) return min(length + <u32>(ctz(differ) >> 3), most);
    length += 8;
  }
  return most;
}

@inline
function hash(at: usize): usize {
  return <usize>((load<u32>(at) * 0x9e3779b1) >> (32 - HASH_BITS)) << 2;
}

/** Remembers that `at` begins with its four bytes; returns the place before that did. */
@inline
function remember(at: usize): u32 {
  const place = <u32>at + shift;
  const head = heads + hash(at);
  const before = load<u32>(head);
  store<u32>(head, place);
  store<u32>(chains + (<usize>(place & (WINDOW - 1)) << 2), before);
  return before;
}

let bestDistance: u32 = 0;

/** The longest match at `at` that is longer than `least`, at most `most`: its length, or `least`; sets `bestDistance`. */
function longestMatch(at: usize, candidate: u32, least: u32, most: u32, depth: i32): u32 {
  const place = <u32>at + shift;
  let best = least;
  if (best >= most) return best;
  // what stands right above is the likeliest of all: 2–4 % of the bytes for 2 % of the time
  if (stride > 0 && place - FIRST >= stride) {
    const length = matchLength(at, at - stride, most);
    if (length > best) {
      best = length;
      bestDistance = stride;
      if (length >= NICE || length == most) return best;
    }
  }
  for (let tries = depth; tries > 0; tries--) {
    const distance = place - candidate;
    if (distance > WINDOW) break;
    const there = at - distance;
    if (load<u32>(there + best - 3) == load<u32>(at + best - 3)) {
      const length = matchLength(at, there, most);
      if (length > best && length > 3) {
        best = length;
        bestDistance = distance;
        if (length >= NICE || length == most) break;
      }
    }
    candidate = load<u32>(chains + (<usize>(candidate & (WINDOW - 1)) << 2));
  }
  return best;
}

/** A match as long as this is taken without a look at the next byte's. */
const NICE: u32 = 64;
/** Of a run only its end is remembered. */
const RUN_END: usize = 8;

function findMatches(from: usize, end: usize, depth: i32, last: bool): void {
  let literals = from;
  let at = from;
  /** All before it are remembered, but for the insides of runs. */
  let next = from;
  // a hash reads four bytes, and those of a lazy match begin one later
  while (at + 9 < end) {
    const most = <u32>min(<usize>LONGEST_MATCH, end - at);
    if (at > from && load<u64>(at) == load<u64>(at - 1)) {
      // a run; what stands above may go on beyond its end
      let length = matchLength(at, at - 1, most);
      let distance: u32 = 1;
      if (stride > 0 && <u32>at + shift - FIRST >= stride) {
        const repeated = matchLength(at, at - stride, most);
        if (repeated > length) {
          length = repeated;
          distance = stride;
        }
      }
      if (addSequence(<u32>(at - literals), length, distance)) endBlock(false), blockStart(at + length);
      at += length;
      literals = at;
      if (distance == 1) next = max(next, at - RUN_END);
    } else {
      let length = longestMatch(at, remember(at), 3, most, depth);
      next = at + 1;
      if (length <= 3) {
        at++;
        continue;
      }
      let distance = bestDistance;
      while (length < NICE && at + 10 < end) {
        const further = <u32>min(<usize>LONGEST_MATCH, end - at - 1);
        const longer = longestMatch(at + 1, remember(at + 1), length, further, depth >> 1);
        next = at + 2;
        if (longer <= length) break;
        length = longer;
        distance = bestDistance;
        at++;
      }
      if (addSequence(<u32>(at - literals), length, distance)) endBlock(false), blockStart(at + length);
      at += length;
      literals = at;
    }
    const stop = min(at, end - 9);
    while (next < stop) remember(next++);
  }
  addSequence(<u32>(end - literals), 0, 0);
  endBlock(last);
}

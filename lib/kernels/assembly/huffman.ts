// Frequencies → code lengths of at most `limit` bits, and lengths → the canonical codes of RFC 1951 section 3.2.2.

const MOST = 288;
/** Symbols in order of frequency, as frequency << 9 | symbol; then, in place, parents and depths. */
const sorted = memory.data(MOST * 4, 8);
const nodes = memory.data(MOST * 4, 8);
const perLength = memory.data(16 * 4, 8);
const nextCode = memory.data(16 * 4, 8);

/**
 * Writes a length, one byte a symbol, for each of `count` frequencies (u32, each below 2^23). Huffman's code by the
 * in-place method of Moffat and Katajainen; where it is deeper than `limit`, codes are lengthened from the
 * shortest up until the lengths are those of a prefix code again. One symbol alone gets one bit.
 */
export function codeLengths(frequencies: usize, count: i32, limit: i32, lengths: usize): void {
  memory.fill(lengths, 0, count);
  let used = 0;
  for (let symbol = 0; symbol < count; symbol++) {
    const frequency = load<u32>(frequencies + (symbol << 2));
    if (frequency > 0) store<u32>(sorted + (used++ << 2), (frequency << 9) | symbol);
  }
  if (used == 0) return;
  if (used == 1) {
    store<u8>(lengths + (load<u32>(sorted) & 511), 1);
    return;
  }
  sortWords(used);
  for (let i = 0; i < used; i++) store<u32>(nodes + (i << 2), load<u32>(sorted + (i << 2)) >> 9);
  minimumRedundancy(used);
  memory.fill(perLength, 0, 64);
  // nodes[i] is the depth of the i-th rarest symbol, the deepest first
  for (let i = 0; i < used; i++) {
    const depth = min(<i32>load<u32>(nodes + (i << 2)), limit);
    const slot = perLength + (depth << 2);
    store<u32>(slot, load<u32>(slot) + 1);
  }
  limitLengths(limit);
  let at = 0;
  for (let length = limit; length > 0; length--) {
    for (let left = load<u32>(perLength + (length << 2)); left > 0; left--) {
      store<u8>(lengths + (load<u32>(sorted + (at++ << 2)) & 511), <u8>length);
    }
  }
}

/** Lengths cut to the limit may claim more than there is: pairs one bit longer are made from the longest that can give way. */
function limitLengths(limit: i32): void {
  let claimed: u32 = 0;
  for (let length = 1; length <= limit; length++) claimed += load<u32>(perLength + (length << 2)) << (limit - length);
  const whole: u32 = 1 << limit;
  while (claimed > whole) {
    let length = limit - 1;
    while (load<u32>(perLength + (length << 2)) == 0) length--;
    // one leaf at `length` becomes two one level down: itself and one of the deepest, which claims one unit less
    store<u32>(perLength + (length << 2), load<u32>(perLength + (length << 2)) - 1);
    store<u32>(perLength + ((length + 1) << 2), load<u32>(perLength + ((length + 1) << 2)) + 2);
    store<u32>(perLength + (limit << 2), load<u32>(perLength + (limit << 2)) - 1);
    claimed--;
  }
}

/** Shell sort, ascending: at most 288 words. */
function sortWords(count: i32): void {
  for (let gap = 121; gap > 0; gap = gap / 3) {
    for (let i = gap; i < count; i++) {
      const word = load<u32>(sorted + (i << 2));
      let at = i;
      while (at >= gap) {
        const before = load<u32>(sorted + ((at - gap) << 2));
        if (before <= word) break;
        store<u32>(sorted + (at << 2), before);
        at -= gap;
      }
      store<u32>(sorted + (at << 2), word);
    }
  }
}

@inline
function node(i: i32): u32 {
  return load<u32>(nodes + (i << 2));
}

@inline
function setNode(i: i32, value: u32): void {
  store<u32>(nodes + (i << 2), value);
}

/** `nodes`: ascending frequencies → depths, in three passes: join the two lightest, depths of inner nodes, depths of leaves. */
function minimumRedundancy(count: i32): void {
  let leaf = 0;
  let root = 0;
  for (let next = 0; next < count - 1; next++) {
    let weight: u32 = 0;
    for (let twice = 0; twice < 2; twice++) {
      if (leaf >= count || (root < next && node(root) < node(leaf))) {
        weight += node(root);
        setNode(root++, next);
      } else weight += node(leaf++);
    }
    setNode(next, weight);
  }
  setNode(count - 2, 0);
  for (let i = count - 3; i >= 0; i--) setNode(i, node(node(i)) + 1);
  let inner = count - 2;
  let free: u32 = 1;
  let depth: u32 = 0;
  let next = count - 1;
  while (free > 0) {
    let taken: u32 = 0;
    while (inner >= 0 && node(inner) == depth) {
      taken++;
      inner--;
    }
    for (; free > taken; free--) setNode(next--, depth);
    free = 2 * taken;
    depth++;
  }
}

/** Writes, for each symbol, its code with the bits in the order deflate sends them, and its length: code | length << 16. */
export function canonicalCodes(lengths: usize, count: i32, codes: usize): void {
  memory.fill(perLength, 0, 64);
  for (let symbol = 0; symbol < count; symbol++) {
    const slot = perLength + (<i32>load<u8>(lengths + symbol) << 2);
    store<u32>(slot, load<u32>(slot) + 1);
  }
  store<u32>(perLength, 0);
  let code: u32 = 0;
  for (let length = 1; length < 16; length++) {
    code = (code + load<u32>(perLength + ((length - 1) << 2))) << 1;
    store<u32>(nextCode + (length << 2), code);
  }
  for (let symbol = 0; symbol < count; symbol++) {
    const length: u32 = load<u8>(lengths + symbol);
    let word: u32 = 0;
    if (length > 0) {
      const slot = nextCode + (length << 2);
      let forward = load<u32>(slot);
      store<u32>(slot, forward + 1);
      for (let bit: u32 = 0; bit < length; bit++, forward >>= 1) word = (word << 1) | (forward & 1);
      word |= length << 16;
    }
    store<u32>(codes + (symbol << 2), word);
  }
}

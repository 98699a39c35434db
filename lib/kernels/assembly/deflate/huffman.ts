// Builds length-limited Huffman codes from frequencies, and canonical codes from code lengths (RFC 1951 section 3.2.2).

const MAX_SYMBOLS = 288;
/** The used symbols sorted by frequency, as frequency << 9 | symbol. */
const sorted = memory.data(MAX_SYMBOLS * 4, 8);
/** Frequencies; then, in place, parents and depths. */
const nodes = memory.data(MAX_SYMBOLS * 4, 8);
const lengthCounts = memory.data(16 * 4, 8);
const nextCode = memory.data(16 * 4, 8);

/**
 * Writes a code length, one byte per symbol, for each of `count` frequencies (u32, each below 2^23). Computes Huffman's
 * code with the in-place algorithm of Moffat and Katajainen; where it is deeper than `limit`, codes are lengthened
 * until the lengths form a prefix code again. A single used symbol gets one bit.
 */
export function codeLengths(frequencies: usize, count: i32, limit: i32, lengths: usize): void {
  memory.fill(lengths, 0, count);
  let usedCount = 0;
  for (let symbol = 0; symbol < count; symbol++) {
    const frequency = load<u32>(frequencies + (symbol << 2));
    if (frequency > 0) store<u32>(sorted + (usedCount++ << 2), (frequency << 9) | symbol);
  }
  if (usedCount == 0) return;
  if (usedCount == 1) {
    store<u8>(lengths + (load<u32>(sorted) & 511), 1);
    return;
  }
  sortEntries(usedCount);
  for (let i = 0; i < usedCount; i++) store<u32>(nodes + (i << 2), load<u32>(sorted + (i << 2)) >> 9);
  minimumRedundancy(usedCount);
  memory.fill(lengthCounts, 0, 64);
  // nodes[i] is the depth of the i-th rarest symbol, deepest first
  for (let i = 0; i < usedCount; i++) {
    const depth = min(<i32>load<u32>(nodes + (i << 2)), limit);
    const slot = lengthCounts + (depth << 2);
    store<u32>(slot, load<u32>(slot) + 1);
  }
  limitLengths(limit);
  let at = 0;
  for (let length = limit; length > 0; length--) {
    for (let left = load<u32>(lengthCounts + (length << 2)); left > 0; left--) {
      store<u8>(lengths + (load<u32>(sorted + (at++ << 2)) & 511), <u8>length);
    }
  }
}

/**
 * Repairs lengths that were clamped to `limit` and oversubscribe the code space: splits the longest codes that are
 * shorter than the limit.
 */
function limitLengths(limit: i32): void {
  let usedSpace: u32 = 0;
  for (let length = 1; length <= limit; length++) {
    usedSpace += load<u32>(lengthCounts + (length << 2)) << (limit - length);
  }
  const codeSpace: u32 = 1 << limit;
  while (usedSpace > codeSpace) {
    let length = limit - 1;
    while (load<u32>(lengthCounts + (length << 2)) == 0) length--;
    // one leaf at `length` becomes two one level below: itself and one of the deepest leaves, which now uses one unit
    // less
    store<u32>(lengthCounts + (length << 2), load<u32>(lengthCounts + (length << 2)) - 1);
    store<u32>(lengthCounts + ((length + 1) << 2), load<u32>(lengthCounts + ((length + 1) << 2)) + 2);
    store<u32>(lengthCounts + (limit << 2), load<u32>(lengthCounts + (limit << 2)) - 1);
    usedSpace--;
  }
}

/** Shell sort, ascending; at most 288 entries. */
function sortEntries(count: i32): void {
  for (let gap = 121; gap > 0; gap = gap / 3) {
    for (let i = gap; i < count; i++) {
      const entry = load<u32>(sorted + (i << 2));
      let at = i;
      while (at >= gap) {
        const before = load<u32>(sorted + ((at - gap) << 2));
        if (before <= entry) break;
        store<u32>(sorted + (at << 2), before);
        at -= gap;
      }
      store<u32>(sorted + (at << 2), entry);
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

/**
 * Turns `nodes` from ascending frequencies into depths, in three passes: join the two smallest; depths of inner nodes;
 * depths of leaves.
 */
function minimumRedundancy(count: i32): void {
  let leaf = 0;
  let root = 0;
  for (let next = 0; next < count - 1; next++) {
    let weight: u32 = 0;
    for (let child = 0; child < 2; child++) {
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
    let innerCount: u32 = 0;
    while (inner >= 0 && node(inner) == depth) {
      innerCount++;
      inner--;
    }
    for (; free > innerCount; free--) setNode(next--, depth);
    free = 2 * innerCount;
    depth++;
  }
}

/**
 * Writes the code of each symbol as code | length << 16, with the code's bits in the order in which deflate sends them.
 */
export function canonicalCodes(lengths: usize, count: i32, codes: usize): void {
  memory.fill(lengthCounts, 0, 64);
  for (let symbol = 0; symbol < count; symbol++) {
    const slot = lengthCounts + (<i32>load<u8>(lengths + symbol) << 2);
    store<u32>(slot, load<u32>(slot) + 1);
  }
  store<u32>(lengthCounts, 0);
  let code: u32 = 0;
  for (let length = 1; length < 16; length++) {
    code = (code + load<u32>(lengthCounts + ((length - 1) << 2))) << 1;
    store<u32>(nextCode + (length << 2), code);
  }
  for (let symbol = 0; symbol < count; symbol++) {
    const length: u32 = load<u8>(lengths + symbol);
    let entry: u32 = 0;
    if (length > 0) {
      const slot = nextCode + (length << 2);
      let forward = load<u32>(slot);
      store<u32>(slot, forward + 1);
      for (let bit: u32 = 0; bit < length; bit++, forward >>= 1) entry = (entry << 1) | (forward & 1);
      entry |= length << 16;
    }
    store<u32>(codes + (symbol << 2), entry);
  }
}

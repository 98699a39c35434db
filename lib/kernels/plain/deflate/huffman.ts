// Length-limited Huffman codes from frequencies, and canonical codes from code lengths (RFC 1951 section 3.2.2). Twin of
// assembly/deflate/huffman.ts.

/**
 * The code length of each symbol. Where Huffman's code is deeper than `limit`, codes are lengthened until the lengths
 * form a prefix code again. A single used symbol gets one bit.
 */
export function codeLengths(frequencies: Uint32Array, limit: number): Uint8Array {
  const lengths = new Uint8Array(frequencies.length);
  const used = [...frequencies.keys()].filter((symbol) => frequencies[symbol] > 0);
  used.sort((a, b) => frequencies[a] - frequencies[b] || a - b);
  if (used.length < 2) {
    for (const symbol of used) lengths[symbol] = 1;
    return lengths;
  }
  /** The number of codes of each length. */
  const counts = new Uint32Array(limit + 1);
  for (const depth of leafDepths(used.map((symbol) => frequencies[symbol]))) counts[Math.min(depth, limit)]++;
  limitLengths(counts, limit);
  let next = 0;
  for (let length = limit; length > 0; length--) {
    for (let i = 0; i < counts[length]; i++) lengths[used[next++]] = length;
  }
  return lengths;
}

/** The depths of the leaves of Huffman's tree. `weights` are ascending; of equal ones a leaf is joined before a node. */
function leafDepths(weights: readonly number[]): number[] {
  const leaves = weights.length;
  /** The weights of the leaves, then of the inner nodes in the order in which they are made, which is ascending too. */
  const nodes = [...weights];
  const parents: number[] = [];
  let leaf = 0;
  let inner = leaves;
  const takeLightest = () =>
    leaf < leaves && !(inner < nodes.length && nodes[inner] < nodes[leaf]) ? leaf++ : inner++;
  while (nodes.length < 2 * leaves - 1) {
    const [first, second] = [takeLightest(), takeLightest()];
    parents[first] = nodes.length;
    parents[second] = nodes.length;
    nodes.push(nodes[first] + nodes[second]);
  }
  const depths = new Array<number>(nodes.length).fill(0);
  for (let node = nodes.length - 2; node >= 0; node--) depths[node] = depths[parents[node]] + 1;
  return depths.slice(0, leaves);
}

/**
 * Repairs lengths that were clamped to `limit` and oversubscribe the code space: splits the longest codes that are
 * shorter than the limit.
 */
function limitLengths(counts: Uint32Array, limit: number): void {
  let usedSpace = 0;
  for (let length = 1; length <= limit; length++) usedSpace += counts[length] << (limit - length);
  for (; usedSpace > 1 << limit; usedSpace--) {
    let length = limit - 1;
    while (counts[length] === 0) length--;
    // one leaf at `length` becomes two one level below: itself and one of the deepest leaves, which now uses one unit
    // less
    counts[length]--;
    counts[length + 1] += 2;
    counts[limit]--;
  }
}

/** The code of each symbol, with the bits in the order in which deflate sends them. */
export function canonicalCodes(lengths: Uint8Array): Uint16Array {
  const counts = new Uint16Array(17);
  for (const length of lengths) if (length > 0) counts[length]++;
  const nextCodes = new Uint16Array(17);
  for (let length = 1; length < 16; length++) nextCodes[length + 1] = (nextCodes[length] + counts[length]) << 1;
  return Uint16Array.from(lengths, (length) => (length === 0 ? 0 : reversed(nextCodes[length]++, length)));
}

function reversed(code: number, length: number): number {
  let bits = 0;
  for (let i = 0; i < length; i++) bits = (bits << 1) | ((code >> i) & 1);
  return bits;
}

// Compresses bytes into a zlib stream (RFC 1950, RFC 1951), piece by piece. Two match finders: hash chains for drawn
// images, and runs only (a repeated byte) for photographs, which have few other matches. Twin of
// assembly/deflate/deflate.ts: the same matches, so the same bytes.
import type { Kernels } from '../../interface.js';
import type { PlainMemory } from '../memory.js';
import { BitWriter } from './bit-writer.js';
import { Block } from './block.js';
import { MAX_MATCH } from './symbols.js';

const WINDOW = 32768;
const RUNS_ONLY = 0;
const HASH_BITS = 15;
/** Position of the stream's first byte: large enough that position 0 is outside its window. */
const FIRST = 65536;
/** A match of this length is taken without trying a lazy match at the next byte. */
const NICE_LENGTH = 64;
/** Only the last bytes of a run are hashed. */
const RUN_END = 8;

export function deflateKernels(
  memory: PlainMemory,
): Pick<Kernels, 'deflateStart' | 'deflateBound' | 'deflateBytes' | 'deflateSampleBits'> {
  const bits = new BitWriter(memory);
  const block = new Block(memory, bits);
  const finder = new MatchFinder(memory, block);
  let hasHeader = false;
  let sum = 1;

  return {
    /** Starts a stream whose rows have `rowBytes` bytes each. */
    deflateStart(rowBytes) {
      finder.start(rowBytes);
      bits.reset();
      hasHeader = false;
      sum = 1;
    },

    /** An upper bound of what `deflateBytes` writes for `length` bytes. */
    deflateBound: (length) => length * 2 + 1024,

    /**
     * Deflates `length` bytes at `from`. The preceding 32 KiB of input must be right before `from` (any bytes before the
     * first call); the last 32 KiB are moved there for the next call. Writes to `out` and returns the end of the output.
     * `depth`: how many hash chain entries are tried per match; 0: `RUNS_ONLY`.
     */
    deflateBytes(from, length, out, depth, last) {
      bits.end = out;
      if (!hasHeader) {
        hasHeader = true;
        finder.begin(from);
        bits.put(0x0178, 16);
      }
      sum = adler32(sum, memory.bytes.subarray(from, from + length));
      finder.find(from, from + length, depth, (isEnd) => block.write(last && isEnd));
      if (last) {
        bits.align();
        for (let shift = 24; shift >= 0; shift -= 8) bits.put((sum >>> shift) & 255, 8);
      } else {
        memory.bytes.copyWithin(from - WINDOW, from + length - WINDOW, from + length);
        finder.advance(length);
      }
      return bits.end;
    },

    /**
     * The compressed size, in bits, of `length` bytes at `from` on their own. Call `deflateStart` before it, and again
     * after it.
     */
    deflateSampleBits(from, length, depth) {
      let sampledBits = 0;
      finder.begin(from);
      finder.find(from, from + length, depth, () => {
        sampledBits += block.size();
      });
      return sampledBits;
    },
  };
}

/** RFC 1950 section 8.2. */
function adler32(start: number, bytes: Uint8Array): number {
  const base = 65521;
  let low = start & 0xffff;
  let high = start >>> 16;
  for (let i = 0; i < bytes.length; ) {
    // so many bytes that sums stay integers below 2^31
    for (const end = Math.min(i + 3800, bytes.length); i < end; i++) {
      low += bytes[i];
      high += low;
    }
    low %= base;
    high %= base;
  }
  return ((high << 16) | low) >>> 0;
}

/** Ends the block; `isEnd`: after the last byte of the piece. */
type EndBlock = (isEnd: boolean) => void;

class MatchFinder {
  /** Most recent position of each hash, as a byte offset from the start of the stream plus `FIRST`; 0: none. */
  private readonly heads = new Uint32Array(1 << HASH_BITS);
  /** The previous position with the same hash, by position modulo the window. */
  private readonly chains = new Uint32Array(WINDOW);
  /** Position of a byte minus its address. */
  private shift = 0;
  /** Bytes per row; 0 if a row is larger than the window. */
  private stride = 0;
  private bestDistance = 0;

  constructor(
    private readonly memory: PlainMemory,
    private readonly block: Block,
  ) {}

  start(rowBytes: number): void {
    this.stride = rowBytes <= WINDOW ? rowBytes : 0;
  }

  /** Begins a stream at address `from`. */
  begin(from: number): void {
    this.heads.fill(0);
    this.shift = FIRST - from;
  }

  advance(length: number): void {
    this.shift += length;
  }

  /** Adds the sequences of the bytes from `from` to `end` to blocks. */
  find(from: number, end: number, depth: number, endBlock: EndBlock): void {
    this.block.begin(from);
    const literals =
      depth === RUNS_ONLY ? this.findRuns(from, end, endBlock) : this.findMatches(from, end, depth, endBlock);
    this.block.add(end - literals, 0, 0);
    endBlock(true);
  }

  private add(literals: number, at: number, length: number, distance: number, endBlock: EndBlock): void {
    if (!this.block.add(at - literals, length, distance)) return;
    endBlock(false);
    this.block.begin(at + length);
  }

  /** Returns where the literals after the last run begin. */
  private findRuns(from: number, end: number, endBlock: EndBlock): number {
    const { bytes } = this.memory;
    let literals = from;
    let at = from + 1;
    // the twin looks at 16 bytes at a time, in which 13 runs of four can begin
    while (at + 20 <= end) {
      const stop = at + 13;
      while (at < stop && !hasEqualBytes(bytes, at - 1, 5)) at++;
      if (at === stop) continue;
      const length = matchLength(bytes, at, at - 1, Math.min(MAX_MATCH, end - at));
      this.add(literals, at, length, 1, endBlock);
      at += length;
      literals = at;
    }
    return literals;
  }

  /** Returns where the literals after the last match begin. */
  private findMatches(from: number, end: number, depth: number, endBlock: EndBlock): number {
    const { stride } = this;
    const { bytes } = this.memory;
    let literals = from;
    let at = from;
    /** Everything before it is hashed, except for the insides of runs. */
    let nextToHash = from;
    // a hash reads four bytes, and a lazy match starts one byte later
    while (at + 9 < end) {
      const maxLength = Math.min(MAX_MATCH, end - at);
      let length: number;
      let distance: number;
      const isRun = at > from && hasEqualBytes(bytes, at - 1, 9);
      if (isRun) {
        // a run, but a match with the row above may be longer
        length = matchLength(bytes, at, at - 1, maxLength);
        distance = 1;
        if (this.hasRowAbove(at)) {
          const aboveLength = matchLength(bytes, at, at - stride, maxLength);
          if (aboveLength > length) {
            length = aboveLength;
            distance = stride;
          }
        }
      } else {
        length = this.longestMatch(at, this.insertHash(at), 3, maxLength, depth);
        nextToHash = at + 1;
        if (length <= 3) {
          at++;
          continue;
        }
        distance = this.bestDistance;
        while (length < NICE_LENGTH && at + 10 < end) {
          const lazyMaxLength = Math.min(MAX_MATCH, end - at - 1);
          const lazyLength = this.longestMatch(at + 1, this.insertHash(at + 1), length, lazyMaxLength, depth >> 1);
          nextToHash = at + 2;
          if (lazyLength <= length) break;
          length = lazyLength;
          distance = this.bestDistance;
          at++;
        }
      }
      this.add(literals, at, length, distance, endBlock);
      at += length;
      literals = at;
      if (isRun && distance === 1) nextToHash = Math.max(nextToHash, at - RUN_END);
      for (const stop = Math.min(at, end - 9); nextToHash < stop; nextToHash++) this.insertHash(nextToHash);
    }
    return literals;
  }

  private hasRowAbove(at: number): boolean {
    return this.stride > 0 && at + this.shift - FIRST >= this.stride;
  }

  /** Adds `at` to the hash chains. Returns the previous position with the same hash. */
  private insertHash(at: number): number {
    const { bytes } = this.memory;
    const word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
    const hash = Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS);
    const position = at + this.shift;
    const previous = this.heads[hash];
    this.heads[hash] = position;
    this.chains[position & (WINDOW - 1)] = previous;
    return previous;
  }

  /**
   * Finds the longest match at `at` that is longer than `minLength` and at most `maxLength`. Returns its length and sets
   * `bestDistance`; returns `minLength` if there is none.
   */
  private longestMatch(at: number, head: number, minLength: number, maxLength: number, depth: number): number {
    const { stride } = this;
    const { bytes } = this.memory;
    let best = minLength;
    if (best >= maxLength) return best;
    // the pixel right above is the likeliest match
    if (this.hasRowAbove(at)) {
      const length = matchLength(bytes, at, at - stride, maxLength);
      if (length > best) {
        best = length;
        this.bestDistance = stride;
        if (length >= NICE_LENGTH || length === maxLength) return best;
      }
    }
    let candidate = head;
    for (let tries = depth; tries > 0; tries--) {
      const distance = at + this.shift - candidate;
      if (distance > WINDOW) break;
      const from = at - distance;
      if (bytes[from + best] === bytes[at + best]) {
        const length = matchLength(bytes, at, from, maxLength);
        if (length > best) {
          best = length;
          this.bestDistance = distance;
          if (length >= NICE_LENGTH || length === maxLength) break;
        }
      }
      candidate = this.chains[candidate & (WINDOW - 1)];
    }
    return best;
  }
}

/** Whether `count` bytes from `at` on are equal. */
function hasEqualBytes(bytes: Uint8Array, at: number, count: number): boolean {
  const byte = bytes[at];
  for (let i = at + 1, end = at + count; i < end; i++) if (bytes[i] !== byte) return false;
  return true;
}

/** Length of the common prefix of `a` and `b`, at most `maxLength`. */
function matchLength(bytes: Uint8Array, a: number, b: number, maxLength: number): number {
  let length = 0;
  while (length < maxLength && bytes[a + length] === bytes[b + length]) length++;
  return length;
}

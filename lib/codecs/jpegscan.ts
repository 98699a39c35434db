// Transformed blocks → the entropy-coded bytes of a baseline scan (ITU T.81 annex F.1.2). Bits gather in words of 32, and a
// zero byte follows every 0xFF.
import { type HuffmanTable, ZIGZAG } from './jpegtables.js';

/** More than the longest block takes: 64 codes of at most 26 bits, each byte followed by a zero. */
const BLOCK_BYTES = 512;

/** How the blocks of one component are coded. */
export interface BlockCoding {
  readonly dc: HuffmanTable;
  readonly ac: HuffmanTable;
  /** In zigzag order, what a coefficient is multiplied by to come to whole steps. */
  readonly inverse: Float64Array;
}

export class ScanWriter {
  private out: Uint8Array;
  private length = 0;
  /** The lowest 32 - `free` bits are waiting to be written. */
  private word = 0;
  private free = 32;

  /** `capacity`: bytes to begin with; it grows. */
  constructor(capacity: number) {
    this.out = new Uint8Array(capacity + BLOCK_BYTES);
  }

  /** Whole bytes, outside of picture data. */
  bytes(bytes: ArrayLike<number>): void {
    while (this.length + bytes.length > this.out.length) this.grow();
    this.out.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Writes the lowest `size` bits (1–32) of `bits`; those above must be zero. */
  put(bits: number, size: number): void {
    const free = this.free - size;
    if (free >= 0) {
      this.word = (this.word << size) | bits;
      this.free = free;
    } else {
      this.length = writeWord(this.out, this.length, (this.word << this.free) | (bits >>> -free));
      if (this.length + BLOCK_BYTES > this.out.length) this.grow();
      this.word = bits;
      this.free = free + 32;
    }
  }

  /** A block of one value: `difference` of its quantized mean to that of the component's last block. */
  flatBlock({ dc, ac }: BlockCoding, difference: number): void {
    this.putDifference(dc, difference);
    this.put(ac.codes[0], ac.lengths[0]);
  }

  /** The block at `at`, transformed, after one of the quantized mean `previous`. Gives its own quantized mean. */
  block({ dc, ac, inverse }: BlockCoding, coefficients: Float64Array, at: number, previous: number): number {
    const mean = quantized(coefficients[at] * inverse[0]);
    this.putDifference(dc, mean - previous);
    // The loop of `put`, with the writer's state in locals: half of all the time of a photograph's scan is spent here.
    const { codes, lengths } = ac;
    const out = this.out;
    let { word, free, length } = this;
    let last = 0;
    for (let k = 1; k < 64; k++) {
      const value = quantized(coefficients[at + ZIGZAG[k]] * inverse[k]);
      if (value === 0) continue;
      let run = k - last - 1;
      last = k;
      for (; run > 15; run -= 16) {
        const size = lengths[0xf0];
        free -= size;
        if (free >= 0) word = (word << size) | codes[0xf0];
        else {
          length = writeWord(out, length, (word << (free + size)) | (codes[0xf0] >>> -free));
          word = codes[0xf0];
          free += 32;
        }
      }
      const sign = value >> 31;
      const magnitude = 32 - Math.clz32((value ^ sign) - sign);
      const symbol = (run << 4) | magnitude;
      const bits = (codes[symbol] << magnitude) | ((value + sign) & ((1 << magnitude) - 1));
      const size = lengths[symbol] + magnitude;
      free -= size;
      if (free >= 0) word = (word << size) | bits;
      else {
        length = writeWord(out, length, (word << (free + size)) | (bits >>> -free));
        word = bits;
        free += 32;
      }
    }
    this.word = word;
    this.free = free;
    this.length = length;
    if (length + BLOCK_BYTES > out.length) this.grow();
    if (last < 63) this.put(codes[0], lengths[0]);
    return mean;
  }

  private putDifference({ codes, lengths }: HuffmanTable, difference: number): void {
    const sign = difference >> 31;
    const magnitude = 32 - Math.clz32((difference ^ sign) - sign);
    const bits = (difference + sign) & ((1 << magnitude) - 1);
    this.put((codes[magnitude] << magnitude) | bits, lengths[magnitude] + magnitude);
  }

  /** Ends the scan: its last byte is filled up with ones. */
  endScan(): void {
    let waiting = 32 - this.free;
    if (waiting % 8 > 0) {
      const fill = 8 - (waiting % 8);
      this.put((1 << fill) - 1, fill);
      waiting = 32 - this.free;
    }
    for (let shift = waiting - 8; shift >= 0; shift -= 8) {
      const byte = (this.word >>> shift) & 255;
      this.out[this.length++] = byte;
      if (byte === 255) this.out[this.length++] = 0;
    }
    this.word = 0;
    this.free = 32;
  }

  /** A copy of what has been written. */
  finish(): Uint8Array {
    return this.out.slice(0, this.length);
  }

  private grow(): void {
    const larger = new Uint8Array(this.out.length * 2);
    larger.set(this.out);
    this.out = larger;
  }
}

/** To the nearest whole number, halves up. Coefficients of 8-bit samples are less than 2048. */
function quantized(value: number): number {
  return ((value + 4096.5) | 0) - 4096;
}

/** Four bytes, the highest first; gives where the next go. */
function writeWord(out: Uint8Array, at: number, word: number): number {
  // A byte of 0xFF is one whose top bit a carry from below would clear: rare, so the others go straight out.
  if ((word & 0x80808080 & ~(word + 0x01010101)) === 0) {
    out[at] = word >>> 24;
    out[at + 1] = word >>> 16;
    out[at + 2] = word >>> 8;
    out[at + 3] = word;
    return at + 4;
  }
  let next = at;
  for (let shift = 24; shift >= 0; shift -= 8) {
    const byte = (word >>> shift) & 255;
    out[next++] = byte;
    if (byte === 255) out[next++] = 0;
  }
  return next;
}

// Huffman-encodes quantized blocks as a baseline JPEG scan (ITU T.81 annex F.1.2). Twin of
// assembly/jpeg/huffman-encode.ts.
import type { PlainMemory } from '../memory.js';

/** 16 zeros; and no further coefficients. */
const ZERO_RUN = 0xf0;
const END_OF_BLOCK = 0;

export class ScanWriter {
  /** Address of the next whole byte. */
  end = 0;
  private pending = 0;
  private count = 0;

  constructor(private readonly memory: PlainMemory) {}

  start(): void {
    this.pending = 0;
    this.count = 0;
  }

  /** Ends the scan: pads the last byte with one bits. */
  finish(): void {
    if (this.count > 0) this.put((1 << (8 - this.count)) - 1, 8 - this.count);
  }

  /**
   * Encodes the quantized coefficients of a block, in zigzag order; the first is the difference from the previous block's
   * DC. `codes`: address of 16 DC entries by magnitude category, then 256 AC entries by run << 4 | category.
   */
  block(values: Int16Array, codes: number): void {
    const runs = codes + 16 * 4;
    const dcMagnitude = magnitudeOf(values[0]);
    this.value(codes + dcMagnitude * 4, values[0], dcMagnitude);
    let run = 0;
    for (let k = 1; k < 64; k++) {
      const value = values[k];
      if (value === 0) {
        run++;
        continue;
      }
      for (; run > 15; run -= 16) this.value(runs + ZERO_RUN * 4, 0, 0);
      const magnitude = magnitudeOf(value);
      this.value(runs + ((run << 4) | magnitude) * 4, value, magnitude);
      run = 0;
    }
    if (run > 0) this.value(runs + END_OF_BLOCK * 4, 0, 0);
  }

  /**
   * Writes a code, then the value bits: those of value - 1 if it is negative. The entry at address `entry`: the code,
   * shifted left by the number of value bits; the top 6 bits hold the total number of bits.
   */
  private value(entry: number, value: number, magnitude: number): void {
    const code = this.memory.words[entry / 4];
    const length = (code >>> 26) - magnitude;
    this.put((code & 0x3ffffff) >>> magnitude, length);
    this.put((value < 0 ? value - 1 : value) & ((1 << magnitude) - 1), magnitude);
  }

  /** Writes the lowest `length` bits (at most 16) of `bits`, most significant first; a zero byte follows every 0xFF. */
  private put(bits: number, length: number): void {
    this.pending = (this.pending << length) | bits;
    this.count += length;
    const { bytes } = this.memory;
    while (this.count >= 8) {
      this.count -= 8;
      const byte = (this.pending >>> this.count) & 255;
      bytes[this.end++] = byte;
      if (byte === 255) bytes[this.end++] = 0;
    }
  }
}

/** The number of bits of |value|. */
function magnitudeOf(value: number): number {
  return 32 - Math.clz32(Math.abs(value));
}

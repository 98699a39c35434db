// Writes bits to the memory, least significant bit first (RFC 1951 section 3.1.1).
import type { PlainMemory } from '../memory.js';

export class BitWriter {
  /** Address of the next whole byte. */
  end = 0;
  private pending = 0;
  private count = 0;

  constructor(private readonly memory: PlainMemory) {}

  reset(): void {
    this.pending = 0;
    this.count = 0;
  }

  /** Writes the lowest `length` bits (at most 16) of `value`, which has no others. */
  put(value: number, length: number): void {
    this.pending |= value << this.count;
    this.count += length;
    while (this.count >= 8) {
      this.memory.bytes[this.end++] = this.pending;
      this.pending >>>= 8;
      this.count -= 8;
    }
  }

  /** Pads the last byte with zero bits. */
  align(): void {
    if (this.count > 0) this.put(0, 8 - this.count);
  }
}

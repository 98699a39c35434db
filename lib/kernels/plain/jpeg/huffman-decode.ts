// Decodes a JPEG's Huffman-coded scan data into blocks of 64 coefficients (ITU T.81 annexes C and F.2.2). Unusual or
// malformed data only sets a flag: the caller then falls back to another decoder. Twin of
// assembly/jpeg/huffman-decode.ts.
import type { PlainMemory } from '../memory.js';
import { ZIGZAG } from './zigzag.js';

const MAX_CODE_BITS = 16;

/** Table by the next 16 bits: symbol << 8 | the bits of its code; 0 if there is no code. */
type HuffmanTable = Uint16Array;

/** Maximum of coefficient × quantization step for which 16 bits hold all intermediate results of the IDCT. */
const MAX_COEFFICIENT = 8191;

export class ScanReader {
  private readonly dcTables: HuffmanTable[] = [0, 1, 2, 3].map(() => new Uint16Array(1 << MAX_CODE_BITS));
  private readonly acTables: HuffmanTable[] = [0, 1, 2, 3].map(() => new Uint16Array(1 << MAX_CODE_BITS));
  /** The DC coefficient of each component's previous block. */
  private readonly dcPredictors = new Int32Array(4);
  private next = 0;
  /** The lowest `count` bits were read but not used; `padding` of them are zeros inserted because the data ended. */
  private bits = 0;
  private count = 0;
  private padding = 0;
  private isFlagged = false;

  constructor(private readonly memory: PlainMemory) {}

  get hasFailed(): boolean {
    return this.isFlagged || this.padding > this.count;
  }

  /** Flags the data as unusual or malformed. */
  flagFailure(): void {
    this.isFlagged = true;
  }

  /** Starts to read at `from`. The end of the file must be followed by a marker. */
  start(from: number): void {
    this.next = from;
    this.isFlagged = false;
    this.restart();
  }

  private restart(): void {
    this.dcPredictors.fill(0);
    this.bits = 0;
    this.count = 0;
    this.padding = 0;
  }

  /** Drops the padding of the last byte and skips the next marker, which must be 0xFF `marker`. */
  expectMarker(marker: number): void {
    const { bytes } = this.memory;
    if (this.hasFailed || this.count - this.padding >= 8) this.isFlagged = true;
    while (bytes[this.next] === 0xff && bytes[this.next + 1] === 0xff) this.next++;
    if (bytes[this.next] !== 0xff || bytes[this.next + 1] !== marker) this.isFlagged = true;
    this.next += 2;
    this.restart();
  }

  /**
   * Defines table `index` (0–3) from 16 `counts` of codes per length and the `symbols` in code order (annex C.2). Returns
   * false if the codes are oversubscribed.
   */
  setTable(isAc: boolean, index: number, counts: number, symbols: number): boolean {
    const { bytes } = this.memory;
    const table = (isAc ? this.acTables : this.dcTables)[index].fill(0);
    let code = 0;
    let symbolIndex = 0;
    for (let length = 1; length <= MAX_CODE_BITS; length++, code <<= 1) {
      const count = bytes[counts + length - 1];
      if (code + count > 1 << length || symbolIndex + count > 256) return false;
      for (let i = 0; i < count; i++, code++, symbolIndex++) {
        const symbol = bytes[symbols + symbolIndex];
        if (!isAc && symbol > 15) return false;
        const free = MAX_CODE_BITS - length;
        table.fill((symbol << 8) | length, code << free, (code + 1) << free);
      }
    }
    return true;
  }

  /** Makes at least 16 bits available. A 0xFF in the data is followed by a 0 (annex B.1.1.5); else it starts a marker. */
  private refill(): void {
    const { bytes } = this.memory;
    while (this.count < MAX_CODE_BITS) {
      let byte = bytes[this.next];
      if (byte !== 0xff) this.next++;
      else if (bytes[this.next + 1] === 0) this.next += 2;
      else {
        byte = 0;
        this.padding += 8;
      }
      this.bits = (this.bits << 8) | byte;
      this.count += 8;
    }
  }

  /** Annex F.2.2.3, DECODE. */
  private readSymbol(table: HuffmanTable): number {
    if (this.count < MAX_CODE_BITS) this.refill();
    const entry = table[(this.bits >>> (this.count - MAX_CODE_BITS)) & 0xffff];
    if (entry === 0) {
      this.isFlagged = true;
      this.count -= MAX_CODE_BITS;
      return 0;
    }
    this.count -= entry & 255;
    return entry >> 8;
  }

  /** Annex F.2.2.1, RECEIVE and EXTEND: the value of `size` bits. */
  private readValue(size: number): number {
    if (size === 0) return 0;
    if (this.count < size) this.refill();
    this.count -= size;
    const value = (this.bits >>> this.count) & ((1 << size) - 1);
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
  }

  /**
   * Decodes one block of a component with tables `dc` and `ac` into `block`: 64 dequantized coefficients, row by row.
   * `steps`: the quantization steps in zigzag order. Returns whether the block has only DC.
   */
  readBlock(component: number, dc: number, ac: number, steps: Int16Array, block: Int16Array): boolean {
    block.fill(0);
    this.dcPredictors[component] += this.readValue(this.readSymbol(this.dcTables[dc]));
    this.put(block, 0, this.dcPredictors[component], steps);
    let isOnlyDc = true;
    for (let k = 1; k < 64; k++) {
      const symbol = this.readSymbol(this.acTables[ac]);
      const run = symbol >> 4;
      const value = this.readValue(symbol & 15);
      // no value: end of block, or 16 zeros
      if (value === 0) {
        if (run !== 15) break;
        k += 15;
        continue;
      }
      k += run;
      isOnlyDc = false;
      // a run past the end of the block stays on the last coefficient
      this.put(block, Math.min(k, 63), value, steps);
    }
    return isOnlyDc;
  }

  private put(block: Int16Array, k: number, value: number, steps: Int16Array): void {
    const product = Math.imul(value, steps[k]);
    if (product > MAX_COEFFICIENT || product < -MAX_COEFFICIENT - 1) this.isFlagged = true;
    block[ZIGZAG[k]] = product;
  }
}

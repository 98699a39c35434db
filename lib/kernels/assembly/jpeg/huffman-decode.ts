// Decodes a JPEG's Huffman-coded scan data into blocks of 64 coefficients (ITU T.81 annexes C and F.2.2). Unusual or
// malformed data only sets a flag: the caller then falls back to another decoder.

/** Codes of up to this many bits are decoded with one lookup, including their value bits if those fit as well. */
const LOOKUP_BITS = 10;
const LOOKUP_BYTES: usize = 4 << LOOKUP_BITS;

/**
 * Layout of a table, by offset: lookup entries (value << 16 | number of value bits not included << 12 | preceding zeros
 * << 8 | bits consumed; 0 for long codes); per code length, the largest code + 1, left-aligned to 16 bits; per code
 * length, the offset from a code to its symbol's index; the symbols.
 */
const LIMITS: usize = LOOKUP_BYTES;
const SYMBOL_OFFSETS: usize = LIMITS + 18 * 4;
const SYMBOLS: usize = SYMBOL_OFFSETS + 18 * 4;
const TABLE_BYTES: usize = SYMBOLS + 256;

/** DC tables 0–3, then AC tables 0–3. */
const tables = memory.data(35968, 16);

/** Zigzag index → natural index. Padded, so that a run past the end of the block stays on the last coefficient. */
// prettier-ignore
const naturalOrder = memory.data<u8>([
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55,
  62, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63,
]);

// Bit reader: the top `bitCount` bits of `bits` are valid; `paddingBits` of them are zeros inserted because the data
// ended.
let next: usize = 0;
let bits: u64 = 0;
let bitCount: i32 = 0;
let paddingBits: i32 = 0;
let isFlagged = false;

export function hasFailed(): bool {
  return isFlagged || paddingBits > bitCount;
}

/** Flags the data as unusual or malformed. */
export function flagFailure(): void {
  isFlagged = true;
}

/** Starts to read at `from`. The end of the file must be followed by 8 bytes, the first two of them a marker. */
export function startScan(from: usize): void {
  next = from;
  bits = 0;
  bitCount = 0;
  paddingBits = 0;
  isFlagged = false;
}

/** Drops the padding of the last byte and skips the next marker, which must be 0xFF `marker`. */
export function expectMarker(marker: u32): void {
  if (hasFailed() || bitCount - paddingBits >= 8) isFlagged = true;
  while (load<u8>(next) == 0xff && load<u8>(next, 1) == 0xff) next++;
  if (load<u8>(next) != 0xff || load<u8>(next, 1) != marker) isFlagged = true;
  next += 2;
  bits = 0;
  bitCount = 0;
  paddingBits = 0;
}

@inline
function tableAt(isAc: bool, index: i32): usize {
  return tables + <usize>((isAc ? 4 : 0) + index) * TABLE_BYTES;
}

/**
 * Defines table `index` (0–3) from 16 `counts` of codes per length and the `symbols` in code order. Returns false if
 * the codes are oversubscribed.
 */
export function jpegSetHuffmanTable(isAc: bool, index: i32, counts: usize, symbols: usize): bool {
  const table = tableAt(isAc, index);
  memory.fill(table, 0, TABLE_BYTES);
  let code = 0;
  let symbolIndex = 0;
  for (let length = 1; length <= 16; length++, code <<= 1) {
    store<i32>(table + SYMBOL_OFFSETS + (<usize>length << 2), symbolIndex - code);
    const count = <i32>load<u8>(counts + length - 1);
    if (code + count > 1 << length || symbolIndex + count > 256) return false;
    for (let i = 0; i < count; i++, code++, symbolIndex++) {
      const symbol = load<u8>(symbols + symbolIndex);
      store<u8>(table + SYMBOLS + symbolIndex, symbol);
      if (!isAc && symbol > 15) return false;
      if (length <= LOOKUP_BITS) addLookupEntries(table, code, length, symbol);
    }
    store<i32>(table + LIMITS + (<usize>length << 2), code << (16 - length));
  }
  return true;
}

function addLookupEntries(table: usize, code: i32, length: i32, symbol: u32): void {
  const freeBits = LOOKUP_BITS - length;
  const size = <i32>(symbol & 15);
  const run = (symbol >> 4) << 8;
  for (let rest = 0; rest < 1 << freeBits; rest++) {
    let entry = run | (<u32>size << 12) | <u32>length;
    if (size > 0 && size <= freeBits) {
      entry = run | <u32>(length + size) | (<u32>extend(rest >> (freeBits - size), size) << 16);
    }
    store<u32>(table + (<usize>((code << freeBits) | rest) << 2), entry);
  }
}

/** Annex F.2.2.1, EXTEND: the value of `size` bits. */
@inline
function extend(value: i32, size: i32): i32 {
  return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
}

/** The entry for a code too long for the lookup table: consumes 1 to 16 bits. */
function longCode(table: usize, code: i32): u32 {
  let length = LOOKUP_BITS + 1;
  while (length <= 16 && code >= load<i32>(table + LIMITS + (<usize>length << 2))) length++;
  if (length > 16) {
    isFlagged = true;
    return 16;
  }
  const symbolIndex = (code >> (16 - length)) + load<i32>(table + SYMBOL_OFFSETS + (<usize>length << 2));
  const symbol = <u32>load<u8>(table + SYMBOLS + symbolIndex);
  return ((symbol >> 4) << 8) | ((symbol & 15) << 12) | <u32>length;
}

/**
 * Appends four bytes to `bits`, one by one: a 0xFF in the data is followed by a 0 (annex B.1.1.5); otherwise it starts
 * a marker.
 */
function refill(): void {
  for (let i = 0; i < 4; i++) {
    let byte = <u64>load<u8>(next);
    if (byte == 0xff) {
      if (load<u8>(next, 1) != 0) {
        byte = 0;
        paddingBits += 8;
        next--;
      } else next++;
    }
    next++;
    bits |= byte << (56 - bitCount);
    bitCount += 8;
  }
}

/** Whether one of four bytes is 0xFF. */
@inline
function hasMarker(four: u32): bool {
  const inverse = ~four;
  return ((inverse - 0x01010101) & four & 0x80808080) != 0;
}

/** Maximum of coefficient × quantization step for which 16 bits hold all intermediate results of the IDCT. */
const MAX_COEFFICIENT = 8191;

/**
 * Decodes one block into `block`: 64 dequantized coefficients of 2 bytes, zeroed by the caller. `quantTable`: 64 steps
 * of 2 bytes in zigzag order. Returns the zigzag index of the last coefficient, 0 if there is only DC. `dcPredictor`
 * holds the DC coefficient of the component's previous block. Keeping the reader in locals takes 0.8 of the time.
 */
export function readBlock(dc: i32, ac: i32, dcPredictor: usize, quantTable: usize, block: usize): i32 {
  let window = bits;
  let count = bitCount;
  let table = tableAt(false, dc);
  let last = 0;
  let magnitudes = 0;
  for (let k = 0; k < 64; k++) {
    // at least 33 bits: a 16-bit code and a 15-bit value
    if (count <= 32) {
      const four = bswap(load<u32>(next));
      if (hasMarker(four)) {
        bits = window;
        bitCount = count;
        refill();
        window = bits;
        count = bitCount;
      } else {
        window |= <u64>four << (32 - count);
        count += 32;
        next += 4;
      }
    }
    let entry = load<u32>(table + (<usize>(window >> (64 - LOOKUP_BITS)) << 2));
    if (entry == 0) entry = longCode(table, <i32>(window >> 48));
    const usedBits = entry & 255;
    window <<= usedBits;
    count -= usedBits;
    let value = <i32>entry >> 16;
    const size = <i32>((entry >> 12) & 15);
    if (size != 0) {
      value = extend(<i32>(window >> (64 - size)), size);
      window <<= size;
      count -= size;
    }
    if (k == 0) {
      table = tableAt(true, ac);
      value += load<i32>(dcPredictor);
      store<i32>(dcPredictor, value);
    } else {
      const run = <i32>((entry >> 8) & 15);
      // no value: end of block, or 16 zeros
      if (value == 0) {
        if (run != 15) break;
        k += 15;
        continue;
      }
      k += run;
      last = k;
    }
    value *= load<i16>(quantTable + (min(k, 63) << 1));
    magnitudes |= value ^ (value >> 31);
    store<i16>(block + (<usize>load<u8>(naturalOrder + k) << 1), <i16>value);
  }
  if (magnitudes > MAX_COEFFICIENT) isFlagged = true;
  bits = window;
  bitCount = count;
  return last;
}

// Huffman-encodes quantized blocks (from fdct.ts, in column order) as a baseline JPEG scan (ITU T.81 annex F.1.2). Bits
// collect in 64-bit words, and a zero byte follows every 0xFF. Zero coefficients are never loaded.

/** Pending bits: the lowest 64 - `free`. */
let word: u64 = 0;
let free: i64 = 64;
/** Address of the next whole byte. */
let out: usize = 0;

/**
 * Per column (8 × 256 × 8 bytes): bit mask of its non-zero coefficients, one bit per row → the same bits in zigzag
 * positions. Zigzagging the bits takes eight loads, zigzagging the coefficients 64.
 */
const zigzagMasks = memory.data(16384, 16);
/** By zigzag index: byte offset of the coefficient in the block. */
const zigzagOffsets = memory.data(64, 16);
let areTablesBuilt = false;

function buildTables(): void {
  if (areTablesBuilt) return;
  areTablesBuilt = true;
  let row = 0;
  let column = 0;
  for (let k = 0; k < 64; k++) {
    store<u8>(zigzagOffsets + k, <u8>((column * 8 + row) * 2));
    for (let bits = 0; bits < 256; bits++) {
      if (!((bits >> row) & 1)) continue;
      const at = zigzagMasks + ((<usize>column << 8) + bits) * 8;
      store<u64>(at, load<u64>(at) | (<u64>1 << k));
    }
    // T.81 figure 5: diagonals, even ones upwards, odd ones downwards
    if (((row + column) & 1) == 0) {
      if (column == 7) row++;
      else {
        column++;
        if (row > 0) row--;
      }
    } else if (row == 7) column++;
    else {
      row++;
      if (column > 0) column--;
    }
  }
}

export function startScan(): void {
  buildTables();
  word = 0;
  free = 64;
}

export function setScanOutput(address: usize): void {
  out = address;
}

export function scanOutputEnd(): usize {
  return out;
}

/** Writes eight bytes, most significant first. */
function writeWord(value: u64): void {
  // Fast path if no byte is 0xFF: adding 1 to each byte clears a top bit only for 0xFF, or for 0xFE with a carry from
  // the byte below, which the slow path handles as well.
  if ((value & 0x8080808080808080 & ~(value + 0x0101010101010101)) == 0) {
    store<u64>(out, bswap<u64>(value));
    out += 8;
    return;
  }
  for (let shift: i64 = 56; shift >= 0; shift -= 8) putByte(<u8>(value >> shift));
}

function putByte(byte: u8): void {
  store<u8>(out++, byte);
  if (byte == 0xff) store<u8>(out++, 0);
}

/** Writes the lowest `size` bits (1–32) of `bits`; the bits above must be zero. */
@inline
function put(bits: u64, size: i64): void {
  free -= size;
  if (free >= 0) {
    word = (word << size) | bits;
    return;
  }
  writeWord((word << (free + size)) | (bits >> -free));
  word = bits;
  free += 64;
}

/**
 * Writes a code followed by its value bits. `entry`: the code, shifted left by the number of value bits; the top 6 bits
 * hold the total number of bits.
 */
@inline
function putValue(entry: u32, value: i32, magnitude: i32): void {
  put(<u64>((entry & 0x3ffffff) | ((value + (value >> 31)) & ((1 << magnitude) - 1))), <i64>(entry >> 26));
}

@inline
function magnitudeOf(value: i32): i32 {
  const sign = value >> 31;
  return 32 - clz((value ^ sign) - sign);
}

/**
 * Encodes a block with DC only. `difference`: its quantized DC minus that of the component's previous block. `codes` as
 * in `encodeBlock`.
 */
export function encodeUniformBlock(codes: usize, difference: i32): void {
  const magnitude = magnitudeOf(difference);
  putValue(load<u32>(codes + (magnitude << 2)), difference, magnitude);
  putValue(load<u32>(codes, 64), 0, 0);
}

/**
 * Encodes the block at `at`. `nonZero`: bit mask of its non-zero coefficients. `previousDc`: quantized DC of the
 * component's previous block. `codes`: 16 DC entries by magnitude category, then 256 AC entries by run << 4 | category.
 * Returns the block's quantized DC.
 */
export function encodeBlock(codes: usize, at: usize, nonZero: u64, previousDc: i32): i32 {
  const dc = <i32>load<i16>(at);
  const difference = dc - previousDc;
  const dcMagnitude = magnitudeOf(difference);
  putValue(load<u32>(codes + (dcMagnitude << 2)), difference, dcMagnitude);
  const runs = codes + 64;
  let remaining = nonZero >> 1 == 0 ? 0 : zigzagMask(nonZero) >> 1;
  let k = 0;
  while (remaining != 0) {
    let run = <i32>ctz(remaining);
    k += run + 1;
    // two shifts: a single shift by 64 would shift by 0
    remaining = (remaining >> run) >> 1;
    for (; run > 15; run -= 16) putValue(load<u32>(runs, 0xf0 << 2), 0, 0);
    const value = <i32>load<i16>(at + load<u8>(zigzagOffsets + k));
    const magnitude = magnitudeOf(value);
    putValue(load<u32>(runs + (((run << 4) | magnitude) << 2)), value, magnitude);
  }
  if (k < 63) putValue(load<u32>(runs), 0, 0);
  return dc;
}

@inline
function zigzagMask(nonZero: u64): u64 {
  return (
    load<u64>(zigzagMasks + ((<usize>nonZero & 255) << 3)) |
    load<u64>(zigzagMasks + ((<usize>(nonZero >> 8) & 255) << 3), 2048) |
    load<u64>(zigzagMasks + ((<usize>(nonZero >> 16) & 255) << 3), 4096) |
    load<u64>(zigzagMasks + ((<usize>(nonZero >> 24) & 255) << 3), 6144) |
    load<u64>(zigzagMasks + ((<usize>(nonZero >> 32) & 255) << 3), 8192) |
    load<u64>(zigzagMasks + ((<usize>(nonZero >> 40) & 255) << 3), 10240) |
    load<u64>(zigzagMasks + ((<usize>(nonZero >> 48) & 255) << 3), 12288) |
    load<u64>(zigzagMasks + (<usize>(nonZero >> 56) << 3), 14336)
  );
}

/** Ends the scan: pads the last byte with one bits. */
export function finishScan(): void {
  const fill = free & 7;
  if (fill > 0) put((<u64>1 << fill) - 1, fill);
  for (let shift: i64 = 56 - free; shift >= 0; shift -= 8) putByte(<u8>(word >> shift));
  word = 0;
  free = 64;
}

// Quantized blocks (jpegtransform.ts, by columns) → the entropy-coded bytes of a baseline JPEG scan (ITU T.81 annex F.1.2):
// bits gather in words of 64, and a zero byte follows every 0xFF. Coefficients that are 0 are never looked at.

/** Bits that wait for their word to fill: the lowest 64 - `free`. */
let word: u64 = 0;
let free: i64 = 64;
/** Where the next whole byte goes. */
let out: usize = 0;

/**
 * For each column (8 × 256 × 8 bytes): which coefficients of it are not 0, a bit a row → the same by places in the order
 * in which they are written. Zigzagging the bits costs eight loads, zigzagging the coefficients 64.
 */
const masks = memory.data(16384, 16);
/** By that order: the byte of the block at which the coefficient is. */
const offsets = memory.data(64, 16);
let ordersBuilt = false;

function buildOrders(): void {
  if (ordersBuilt) return;
  ordersBuilt = true;
  let row = 0;
  let column = 0;
  for (let k = 0; k < 64; k++) {
    store<u8>(offsets + k, <u8>((column * 8 + row) * 2));
    for (let bits = 0; bits < 256; bits++) {
      if (!((bits >> row) & 1)) continue;
      const at = masks + ((<usize>column << 8) + bits) * 8;
      store<u64>(at, load<u64>(at) | (<u64>1 << k));
    }
    // Figure 5: diagonals, even ones upwards, odd ones downwards
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

export function scanStart(): void {
  buildOrders();
  word = 0;
  free = 64;
}

export function scanTo(address: usize): void {
  out = address;
}

export function scanEnd(): usize {
  return out;
}

/** Eight bytes, the highest first. */
function writeWord(value: u64): void {
  // A byte of 0xFF is one whose top bit a carry from below would clear: rare, so the others go straight out.
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

/** Writes the lowest `size` bits (1–32) of `bits`; those above must be zero. */
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
 * A value after its code. `entry`: the code, shifted left to make room for the value's bits, and in the highest 6 bits how
 * many bits that makes.
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

/** Of one value: `difference` of its quantized mean to that of the component's last block. `codes` as for `putBlock`. */
export function putFlat(codes: usize, difference: i32): void {
  const magnitude = magnitudeOf(difference);
  putValue(load<u32>(codes + (magnitude << 2)), difference, magnitude);
  putValue(load<u32>(codes, 64), 0, 0);
}

/**
 * The block at `at`, whose coefficients are not 0 where `filled` has a bit, after one of the quantized mean `previous`.
 * `codes`: 16 entries by magnitude for the mean, then 256 by run << 4 | magnitude. Returns its quantized mean.
 */
export function putBlock(codes: usize, at: usize, filled: u64, previous: i32): i32 {
  const mean = <i32>load<i16>(at);
  const difference = mean - previous;
  const meanMagnitude = magnitudeOf(difference);
  putValue(load<u32>(codes + (meanMagnitude << 2)), difference, meanMagnitude);
  const runs = codes + 64;
  let left = filled >> 1 == 0 ? 0 : inOrder(filled) >> 1;
  let k = 0;
  while (left != 0) {
    let run = <i32>ctz(left);
    k += run + 1;
    // two shifts, since one by 64 would be one by 0
    left = (left >> run) >> 1;
    for (; run > 15; run -= 16) putValue(load<u32>(runs, 0xf0 << 2), 0, 0);
    const value = <i32>load<i16>(at + load<u8>(offsets + k));
    const magnitude = magnitudeOf(value);
    putValue(load<u32>(runs + (((run << 4) | magnitude) << 2)), value, magnitude);
  }
  if (k < 63) putValue(load<u32>(runs), 0, 0);
  return mean;
}

@inline
function inOrder(filled: u64): u64 {
  return (
    load<u64>(masks + ((<usize>filled & 255) << 3)) |
    load<u64>(masks + ((<usize>(filled >> 8) & 255) << 3), 2048) |
    load<u64>(masks + ((<usize>(filled >> 16) & 255) << 3), 4096) |
    load<u64>(masks + ((<usize>(filled >> 24) & 255) << 3), 6144) |
    load<u64>(masks + ((<usize>(filled >> 32) & 255) << 3), 8192) |
    load<u64>(masks + ((<usize>(filled >> 40) & 255) << 3), 10240) |
    load<u64>(masks + ((<usize>(filled >> 48) & 255) << 3), 12288) |
    load<u64>(masks + (<usize>(filled >> 56) << 3), 14336)
  );
}

/** Ends the scan: its last byte is filled up with ones. */
export function scanFinish(): void {
  const fill = free & 7;
  if (fill > 0) put((<u64>1 << fill) - 1, fill);
  for (let shift: i64 = 56 - free; shift >= 0; shift -= 8) putByte(<u8>(word >> shift));
  word = 0;
  free = 64;
}

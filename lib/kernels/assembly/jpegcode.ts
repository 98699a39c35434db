// A JPEG's Huffman-coded picture data → the 64 coefficients of one block after another (ITU T.81 annexes C and F.2.2).
// Whatever is out of the ordinary is only noted: another decoder is then given the file.

/** Codes of up to so many bits are found at once, together with their values where those fit as well. */
const QUICK_BITS = 10;
const QUICK_BYTES: usize = 4 << QUICK_BITS;

/**
 * A table, by offset: quick entries (value << 16 | bits of a value not included << 12 | zeros before it << 8 | bits used; 0
 * for long codes); the largest code of each length, left-aligned to 16 bits, plus 1; what is added to a code for its
 * symbol's place; the symbols.
 */
const LIMITS: usize = QUICK_BYTES;
const PLACES: usize = LIMITS + 18 * 4;
const SYMBOLS: usize = PLACES + 18 * 4;
const TABLE_BYTES: usize = SYMBOLS + 256;

/** DC tables 0–3, then AC tables 0–3. */
const tables = memory.data(35968, 16);

/** Natural place of each coefficient in the order in which they come; a run that leads beyond the end stays on the last. */
// prettier-ignore
const natural = memory.data<u8>([
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55,
  62, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63,
]);

// The reader: `held` bits at the top of `bits`; of those, `invented` zeros that stand for data which isn't there.
let next: usize = 0;
let bits: u64 = 0;
let held: i32 = 0;
let invented: i32 = 0;
let broken = false;

export function isBroken(): bool {
  return broken || invented > held;
}

/** Notes that what was read is out of the ordinary. */
export function refuse(): void {
  broken = true;
}

/** Starts to read at `from`. Behind the end of the file there must be 8 bytes, the first two of them a marker. */
export function startCodes(from: usize): void {
  next = from;
  bits = 0;
  held = 0;
  invented = 0;
  broken = false;
}

/** Drops what is left of the last byte, and steps over a marker, which must be 0xFF `marker`. */
export function passMarker(marker: u32): void {
  if (isBroken() || held - invented >= 8) broken = true;
  while (load<u8>(next) == 0xff && load<u8>(next, 1) == 0xff) next++;
  if (load<u8>(next) != 0xff || load<u8>(next, 1) != marker) broken = true;
  next += 2;
  bits = 0;
  held = 0;
  invented = 0;
}

@inline
function tableAt(isAc: bool, index: i32): usize {
  return tables + <usize>((isAc ? 4 : 0) + index) * TABLE_BYTES;
}

/**
 * Table `index` (0–3), from 16 `counts` of codes by length and the `symbols` in order of their codes. False when there are
 * more codes than bits can tell apart.
 */
export function jpegReadTable(isAc: bool, index: i32, counts: usize, symbols: usize): bool {
  const table = tableAt(isAc, index);
  memory.fill(table, 0, TABLE_BYTES);
  let code = 0;
  let place = 0;
  for (let length = 1; length <= 16; length++, code <<= 1) {
    store<i32>(table + PLACES + (<usize>length << 2), place - code);
    const count = <i32>load<u8>(counts + length - 1);
    if (code + count > 1 << length || place + count > 256) return false;
    for (let i = 0; i < count; i++, code++, place++) {
      const symbol = load<u8>(symbols + place);
      store<u8>(table + SYMBOLS + place, symbol);
      if (!isAc && symbol > 15) return false;
      if (length <= QUICK_BITS) addQuick(table, code, length, symbol);
    }
    store<i32>(table + LIMITS + (<usize>length << 2), code << (16 - length));
  }
  return true;
}

function addQuick(table: usize, code: i32, length: i32, symbol: u32): void {
  const free = QUICK_BITS - length;
  const size = <i32>(symbol & 15);
  const run = (symbol >> 4) << 8;
  for (let rest = 0; rest < 1 << free; rest++) {
    let entry = run | (<u32>size << 12) | <u32>length;
    if (size > 0 && size <= free) {
      entry = run | <u32>(length + size) | (<u32>signed(rest >> (free - size), size) << 16);
    }
    store<u32>(table + (<usize>((code << free) | rest) << 2), entry);
  }
}

/** Annex F.2.2.1, EXTEND: the value that `size` bits stand for. */
@inline
function signed(value: i32, size: i32): i32 {
  return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
}

/** The quick entry for a code that is longer than the quick ones: 1 to 16 bits are used. */
function longCode(table: usize, code: i32): u32 {
  let length = QUICK_BITS + 1;
  while (length <= 16 && code >= load<i32>(table + LIMITS + (<usize>length << 2))) length++;
  if (length > 16) {
    broken = true;
    return 16;
  }
  const place = (code >> (16 - length)) + load<i32>(table + PLACES + (<usize>length << 2));
  const symbol = <u32>load<u8>(table + SYMBOLS + place);
  return ((symbol >> 4) << 8) | ((symbol & 15) << 12) | <u32>length;
}

/** Four bytes more in `bits`, one by one: a 0xFF in the data has a 0 behind it (annex B.1.1.5), else it is a marker. */
function refill(): void {
  for (let i = 0; i < 4; i++) {
    let byte = <u64>load<u8>(next);
    if (byte == 0xff) {
      if (load<u8>(next, 1) != 0) {
        byte = 0;
        invented += 8;
        next--;
      } else next++;
    }
    next++;
    bits |= byte << (56 - held);
    held += 8;
  }
}

/** Whether one of four bytes is 0xFF. */
@inline
function hasMarker(four: u32): bool {
  const inverse = ~four;
  return ((inverse - 0x01010101) & four & 0x80808080) != 0;
}

/** What a coefficient × its step may be, and not more, for 16 bits to hold all that the transform makes of it. */
const LARGEST = 8191;

/**
 * Reads one block into `block`, 64 coefficients of 2 bytes, which must be 0, each × its step of `steps`, 2 bytes each, in the
 * order in which they come. Gives the place of the last one that it has, 0 where it has but the first. At `before` is the
 * first coefficient of the block before it. The reader is kept in locals: 0.8 of the time.
 */
export function readBlock(dc: i32, ac: i32, before: usize, steps: usize, block: usize): i32 {
  let all = bits;
  let count = held;
  let table = tableAt(false, dc);
  let last = 0;
  let sizes = 0;
  for (let k = 0; k < 64; k++) {
    // at least 33 bits: a code of 16 and a value of 15
    if (count <= 32) {
      const four = bswap(load<u32>(next));
      if (hasMarker(four)) {
        bits = all;
        held = count;
        refill();
        all = bits;
        count = held;
      } else {
        all |= <u64>four << (32 - count);
        count += 32;
        next += 4;
      }
    }
    let entry = load<u32>(table + (<usize>(all >> (64 - QUICK_BITS)) << 2));
    if (entry == 0) entry = longCode(table, <i32>(all >> 48));
    const used = entry & 255;
    all <<= used;
    count -= used;
    let value = <i32>entry >> 16;
    const size = <i32>((entry >> 12) & 15);
    if (size != 0) {
      value = signed(<i32>(all >> (64 - size)), size);
      all <<= size;
      count -= size;
    }
    if (k == 0) {
      table = tableAt(true, ac);
      value += load<i32>(before);
      store<i32>(before, value);
    } else {
      const run = <i32>((entry >> 8) & 15);
      // no value: an end, or 16 zeros
      if (value == 0) {
        if (run != 15) break;
        k += 15;
        continue;
      }
      k += run;
      last = k;
    }
    value *= load<i16>(steps + (min(k, 63) << 1));
    sizes |= value ^ (value >> 31);
    store<i16>(block + (<usize>load<u8>(natural + k) << 1), <i16>value);
  }
  if (sizes > LARGEST) broken = true;
  bits = all;
  held = count;
  return last;
}

// The alphabets of deflate (RFC 1951 section 3.2.5): maps match lengths and distances to symbol, extra bits and extra
// value.

export const LITERAL_SYMBOLS = 288;
/** The last symbol that may be sent; the fixed code has two more. */
export const LAST_LITERAL = 285;
export const DISTANCE_SYMBOLS = 30;
export const END_OF_BLOCK = 256;
export const MAX_MATCH: i32 = 258;

/** By length, 3–258: symbol | extra bits << 16 | extra value << 24. */
const lengthEntries = memory.data(259 * 4, 8);
/** By distance - 1 up to 255, then by (distance - 1) >> 7: the symbol. */
const distanceSymbols = memory.data(512, 8);
let isBuilt = false;

export function buildSymbols(): void {
  if (isBuilt) return;
  isBuilt = true;
  let length = 3;
  for (let symbol = 257; symbol < 285; symbol++) {
    const extra = symbol < 265 ? 0 : (symbol - 261) >> 2;
    for (let value = 0; value < 1 << extra; value++, length++) {
      store<u32>(lengthEntries + (length << 2), symbol | (extra << 16) | (value << 24));
    }
  }
  store<u32>(lengthEntries + (MAX_MATCH << 2), 285);
  let distance = 0;
  for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    const valueCount = 1 << distanceExtraBits(symbol);
    for (let value = 0; value < valueCount; value++, distance++) {
      if (distance < 256) store<u8>(distanceSymbols + distance, <u8>symbol);
      else store<u8>(distanceSymbols + 256 + (distance >> 7), <u8>symbol);
    }
  }
}

@inline
export function lengthEntry(length: u32): u32 {
  return load<u32>(lengthEntries + (length << 2));
}

@inline
export function distanceSymbol(distance: u32): u32 {
  const index = distance - 1;
  return index < 256 ? load<u8>(distanceSymbols + index) : load<u8>(distanceSymbols + 256 + (index >> 7));
}

@inline
export function distanceExtraBits(symbol: u32): u32 {
  return symbol < 4 ? 0 : (symbol >> 1) - 1;
}

/** The value of the extra bits: below 2^extra. */
@inline
export function distanceExtraValue(distance: u32, extra: u32): u32 {
  return (distance - 1) & ((1 << extra) - 1);
}

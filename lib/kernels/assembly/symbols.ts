// The alphabets of deflate (RFC 1951 section 3.2.5): match lengths and distances → symbol, extra bits and their value.

export const LITERALS = 288;
/** The last that may be sent: the fixed code counts two more. */
export const LAST_LITERAL = 285;
export const DISTANCES = 30;
export const END_OF_BLOCK = 256;
export const LONGEST_MATCH: i32 = 258;

/** By length, 3–258: symbol | extra bits << 16 | extra value << 24. */
const lengthWords = memory.data(259 * 4, 8);
/** By distance - 1 up to 255, then by (distance - 1) >> 7: the symbol. */
const distanceSymbols = memory.data(512, 8);
let built = false;

export function buildSymbols(): void {
  if (built) return;
  built = true;
  let length = 3;
  for (let symbol = 257; symbol < 285; symbol++) {
    const extra = symbol < 265 ? 0 : (symbol - 261) >> 2;
    for (let value = 0; value < 1 << extra; value++, length++) {
      store<u32>(lengthWords + (length << 2), symbol | (extra << 16) | (value << 24));
    }
  }
  store<u32>(lengthWords + (LONGEST_MATCH << 2), 285);
  let distance = 0;
  for (let symbol = 0; symbol < DISTANCES; symbol++) {
    const reach = 1 << distanceExtra(symbol);
    for (let value = 0; value < reach; value++, distance++) {
      if (distance < 256) store<u8>(distanceSymbols + distance, <u8>symbol);
      else store<u8>(distanceSymbols + 256 + (distance >> 7), <u8>symbol);
    }
  }
}

@inline
export function lengthWord(length: u32): u32 {
  return load<u32>(lengthWords + (length << 2));
}

@inline
export function distanceSymbol(distance: u32): u32 {
  const from = distance - 1;
  return from < 256 ? load<u8>(distanceSymbols + from) : load<u8>(distanceSymbols + 256 + (from >> 7));
}

@inline
export function distanceExtra(symbol: u32): u32 {
  return symbol < 4 ? 0 : (symbol >> 1) - 1;
}

/** What is left of distance - 1 after the symbol: below 2^extra. */
@inline
export function distanceRest(distance: u32, extra: u32): u32 {
  return (distance - 1) & ((1 << extra) - 1);
}

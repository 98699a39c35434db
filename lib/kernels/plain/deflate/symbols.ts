// The alphabets of deflate (RFC 1951 section 3.2.5): match lengths and distances → symbol, extra bits and extra value.

export const END_OF_BLOCK = 256;
/** The last two symbols of literals and lengths are in the fixed code only, as are the last two distances. */
export const LITERAL_SYMBOLS = 286;
export const DISTANCE_SYMBOLS = 30;
export const MAX_MATCH = 258;

export function lengthExtraBits(symbol: number): number {
  return symbol < 265 || symbol === 285 ? 0 : (symbol - 261) >> 2;
}

export function distanceExtraBits(symbol: number): number {
  return symbol < 4 ? 0 : (symbol >> 1) - 1;
}

/** Symbols by length. */
export const LENGTH_SYMBOLS = new Uint16Array(MAX_MATCH + 1);
export const LENGTH_EXTRA_VALUES = new Uint8Array(MAX_MATCH + 1);
for (let symbol = 257, length = 3; symbol < 285; symbol++) {
  for (let value = 0; value < 1 << lengthExtraBits(symbol); value++, length++) {
    LENGTH_SYMBOLS[length] = symbol;
    LENGTH_EXTRA_VALUES[length] = value;
  }
}
LENGTH_SYMBOLS[MAX_MATCH] = 285;
LENGTH_EXTRA_VALUES[MAX_MATCH] = 0;

/** The highest bit of distance - 1 and the bit below it make the symbol; the bits below those are the extra value. */
export function distanceSymbol(distance: number): number {
  const offset = distance - 1;
  if (offset < 4) return offset;
  const highest = 31 - Math.clz32(offset);
  return 2 * highest + ((offset >> (highest - 1)) & 1);
}

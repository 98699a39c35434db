// Bits → bytes, least significant bit first, as deflate has them (RFC 1951 section 3.1.1).

let buffer: u64 = 0;
let count: u64 = 0;
/** Where the next whole byte goes. */
let out: usize = 0;

export function bitsStart(): void {
  buffer = 0;
  count = 0;
}

export function bitsTo(address: usize): void {
  out = address;
}

export function bitsEnd(): usize {
  return out;
}

/** Up to 56 bits between two calls of `flushBits`. */
@inline
export function putBits(value: u64, length: u64): void {
  buffer |= value << count;
  count += length;
}

/** Writes the whole bytes; eight are touched beyond the end. */
@inline
export function flushBits(): void {
  store<u64>(out, buffer);
  out += <usize>(count >> 3);
  buffer >>= count & 56;
  count &= 7;
}

/** Fills the last byte with zeros. */
export function alignBits(): void {
  count = (count + 7) & ~7;
  flushBits();
}

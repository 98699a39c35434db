// Bit writer, least significant bit first (RFC 1951 section 3.1.1).

let buffer: u64 = 0;
let count: u64 = 0;
/** Address of the next whole byte. */
let out: usize = 0;

export function resetBits(): void {
  buffer = 0;
  count = 0;
}

export function setBitOutput(address: usize): void {
  out = address;
}

export function bitOutputEnd(): usize {
  return out;
}

/** At most 56 bits may be put between two calls of `flushBits`. */
@inline
export function putBits(value: u64, length: u64): void {
  buffer |= value << count;
  count += length;
}

/** Writes the whole bytes. Always stores 8 bytes, so up to 8 bytes past the end are overwritten. */
@inline
export function flushBits(): void {
  store<u64>(out, buffer);
  out += <usize>(count >> 3);
  buffer >>= count & 56;
  count &= 7;
}

/** Pads the last byte with zero bits. */
export function alignBits(): void {
  count = (count + 7) & ~7;
  flushBits();
}

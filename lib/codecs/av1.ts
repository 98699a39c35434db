// AV1 data units (AV1 bitstream specification, sections 5.3 to 5.5) → the largest picture that they say they code. What the
// decoder allocates follows from it, not from the file's boxes.

const SEQUENCE_HEADER = 1;

export interface CodedSize {
  readonly width: number;
  readonly height: number;
}

/** The largest of all sequence headers; undefined when there is none. Stops at the first unit that does not fit. */
export function largestCoded(data: Uint8Array): CodedSize | undefined {
  let largest: CodedSize | undefined;
  for (let at = 0; at < data.length; ) {
    const head = data[at++];
    if (head & 0x80) break;
    if (head & 4) at++;
    let length = data.length - at;
    if (head & 2) {
      const size = leb128(data, at);
      if (!size) break;
      at = size.end;
      length = size.value;
    }
    // one that is said to be longer than what there is may be read all the same
    if (((head >> 3) & 15) === SEQUENCE_HEADER) {
      const size = sequenceSize(new Bits(data.subarray(at, at + length)));
      if (!largest || size.width * size.height > largest.width * largest.height) largest = size;
    }
    at += length;
  }
  return largest;
}

/** Seven bits a byte, the lowest first, eight bytes at most (section 4.10.5). */
function leb128(data: Uint8Array, at: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let i = 0; i < 8 && at + i < data.length; i++) {
    value += (data[at + i] & 127) * 2 ** (7 * i);
    if (data[at + i] < 128) return { value, end: at + i + 1 };
  }
  return undefined;
}

/** Sequence header up to its sizes (section 5.5.1); beyond the end, bits are 0. */
function sequenceSize(bits: Bits): CodedSize {
  bits.read(4);
  const isReduced = bits.read(1) === 1;
  if (isReduced) bits.read(5);
  else skipOperatingPoints(bits);
  const widthBits = bits.read(4) + 1;
  const heightBits = bits.read(4) + 1;
  return { width: bits.read(widthBits) + 1, height: bits.read(heightBits) + 1 };
}

function skipOperatingPoints(bits: Bits): void {
  let delayBits = 0;
  if (bits.read(1)) {
    bits.read(32);
    bits.read(32);
    if (bits.read(1)) bits.uvlc();
    if (bits.read(1)) {
      delayBits = bits.read(5) + 1;
      bits.read(32);
      bits.read(10);
    }
  }
  const hasDisplayDelay = bits.read(1) === 1;
  for (let left = bits.read(5) + 1; left > 0; left--) {
    bits.read(12);
    if (bits.read(5) > 7) bits.read(1);
    if (delayBits > 0 && bits.read(1)) {
      bits.read(delayBits);
      bits.read(delayBits);
      bits.read(1);
    }
    if (hasDisplayDelay && bits.read(1)) bits.read(4);
  }
}

/** Bits from the highest of each byte on. */
class Bits {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  /** Up to 32 of them as a number. */
  read(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++, this.at++) {
      value = value * 2 + (((this.bytes[this.at >> 3] ?? 0) >> (7 - (this.at & 7))) & 1);
    }
    return value;
  }

  /** A variable length code (section 4.10.3), passed over. */
  uvlc(): void {
    let zeros = 0;
    while (zeros < 32 && this.read(1) === 0) zeros++;
    this.read(zeros < 32 ? zeros : 0);
  }
}

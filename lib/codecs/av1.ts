// AV1 data units (AV1 bitstream specification, sections 5.3 to 5.5) → the largest picture that they say they code, and how
// many. What the decoder allocates and how long it takes follow from it, not from the file's boxes.

const SEQUENCE_HEADER = 1;
const FRAME_HEADER = 3;
const FRAME = 6;

/** Levels from 7.0 on, and those not defined yet; 31 says that there is none (Annex A.3). The decoder knows those up to 6.3. */
const FIRST_UNKNOWN_LEVEL = 20;
const NO_LEVEL = 31;

export interface CodedSize {
  readonly width: number;
  readonly height: number;
}

export interface CodedUnits {
  /** The largest of all sequence headers; undefined when there is none. */
  readonly largest?: CodedSize;
  readonly frames: number;
  /** Where levels are that the decoder does not know, in bits from the beginning; each has five. */
  readonly unknownLevels: readonly number[];
}

/** Stops at the first unit that does not fit. */
export function readUnits(data: Uint8Array): CodedUnits {
  let largest: CodedSize | undefined;
  let frames = 0;
  const unknownLevels: number[] = [];
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
    const type = (head >> 3) & 15;
    if (type === FRAME_HEADER || type === FRAME) frames++;
    // one that is said to be longer than what there is may be read all the same
    if (type === SEQUENCE_HEADER) {
      const { levels, ...size } = readSequence(new Bits(data.subarray(at, at + length)));
      unknownLevels.push(...levels.map((level) => at * 8 + level));
      if (!largest || size.width * size.height > largest.width * largest.height) largest = size;
    }
    at += length;
  }
  return { frames, unknownLevels, ...(largest && { largest }) };
}

/** Says in place that the sequence has no level: the decoder refuses those that it does not know, large pictures' above all. */
export function dropLevels(data: Uint8Array, levels: readonly number[]): void {
  for (const level of levels) for (let bit = level; bit < level + 5; bit++) data[bit >> 3] |= 0x80 >> (bit & 7);
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
function readSequence(bits: Bits): CodedSize & { levels: number[] } {
  const levels: number[] = [];
  bits.read(4);
  const isReduced = bits.read(1) === 1;
  if (isReduced) readLevel(bits, levels);
  else readOperatingPoints(bits, levels);
  const widthBits = bits.read(4) + 1;
  const heightBits = bits.read(4) + 1;
  return { width: bits.read(widthBits) + 1, height: bits.read(heightBits) + 1, levels };
}

/** The level; where it is goes to `unknown` unless the decoder knows it. */
function readLevel(bits: Bits, unknown: number[]): number {
  const at = bits.position;
  const level = bits.read(5);
  if (level >= FIRST_UNKNOWN_LEVEL && level !== NO_LEVEL && at + 5 <= bits.length) unknown.push(at);
  return level;
}

function readOperatingPoints(bits: Bits, unknown: number[]): void {
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
    if (readLevel(bits, unknown) > 7) bits.read(1);
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

  get position(): number {
    return this.at;
  }

  get length(): number {
    return this.bytes.length * 8;
  }

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

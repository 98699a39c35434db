// Scans AV1 open bitstream units (OBUs; AV1 bitstream specification, sections 5.3 to 5.5) for the largest coded frame
// size and the number of frames. The decoder's memory and time depend on these, not on the sizes in the file's boxes.

const SEQUENCE_HEADER = 1;
const FRAME_HEADER = 3;
const FRAME = 6;

/** Levels from 7.0 on, and those not defined yet; 31 means no level (Annex A.3). The decoder knows levels up to 6.3. */
const FIRST_UNKNOWN_LEVEL = 20;
const NO_LEVEL = 31;

export interface CodedSize {
  readonly width: number;
  readonly height: number;
}

export interface ObuSummary {
  /** The largest size in all sequence headers; undefined if there is none. */
  readonly largest?: CodedSize;
  readonly frames: number;
  /** Bit offsets of level fields (5 bits each) whose level the decoder does not know. */
  readonly unknownLevels: readonly number[];
}

/** Stops at the first OBU that is malformed. */
export function readObus(data: Uint8Array): ObuSummary {
  let largest: CodedSize | undefined;
  let frames = 0;
  const unknownLevels: number[] = [];
  for (let at = 0; at < data.length; ) {
    const header = data[at++];
    if (header & 0x80) break;
    if (header & 4) at++;
    let length = data.length - at;
    if (header & 2) {
      const size = leb128(data, at);
      if (!size) break;
      at = size.end;
      length = size.value;
    }
    const type = (header >> 3) & 15;
    if (type === FRAME_HEADER || type === FRAME) frames++;
    // the decoder may read a sequence header whose length exceeds the data
    if (type === SEQUENCE_HEADER) {
      const { levels, ...size } = readSequence(new BitReader(data.subarray(at, at + length)));
      unknownLevels.push(...levels.map((level) => at * 8 + level));
      if (!largest || size.width * size.height > largest.width * largest.height) largest = size;
    }
    at += length;
  }
  return { frames, unknownLevels, ...(largest && { largest }) };
}

/**
 * Sets the levels to "no level" in place: the decoder rejects levels that it does not know, which mostly occur in large
 * images.
 */
export function dropLevels(data: Uint8Array, levels: readonly number[]): void {
  for (const level of levels) for (let bit = level; bit < level + 5; bit++) data[bit >> 3] |= 0x80 >> (bit & 7);
}

/** Seven bits per byte, least significant first, at most eight bytes (section 4.10.5). */
function leb128(data: Uint8Array, at: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let i = 0; i < 8 && at + i < data.length; i++) {
    value += (data[at + i] & 127) * 2 ** (7 * i);
    if (data[at + i] < 128) return { value, end: at + i + 1 };
  }
  return undefined;
}

/** Reads the sequence header up to the frame size (section 5.5.1). Bits past the end read as 0. */
function readSequence(bits: BitReader): CodedSize & { levels: number[] } {
  const levels: number[] = [];
  bits.read(4);
  const isReduced = bits.read(1) === 1;
  if (isReduced) readLevel(bits, levels);
  else readOperatingPoints(bits, levels);
  const widthBits = bits.read(4) + 1;
  const heightBits = bits.read(4) + 1;
  return { width: bits.read(widthBits) + 1, height: bits.read(heightBits) + 1, levels };
}

/** Reads a level. Adds its bit offset to `unknown` if the decoder does not know it. */
function readLevel(bits: BitReader, unknown: number[]): number {
  const at = bits.position;
  const level = bits.read(5);
  if (level >= FIRST_UNKNOWN_LEVEL && level !== NO_LEVEL && at + 5 <= bits.length) unknown.push(at);
  return level;
}

function readOperatingPoints(bits: BitReader, unknown: number[]): void {
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

/** Bit reader, most significant bit first. */
class BitReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get position(): number {
    return this.at;
  }

  get length(): number {
    return this.bytes.length * 8;
  }

  /** Reads up to 32 bits as an unsigned number. */
  read(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++, this.at++) {
      value = value * 2 + (((this.bytes[this.at >> 3] ?? 0) >> (7 - (this.at & 7))) & 1);
    }
    return value;
  }

  /** Skips a variable-length code (section 4.10.3). */
  uvlc(): void {
    let zeros = 0;
    while (zeros < 32 && this.read(1) === 0) zeros++;
    this.read(zeros < 32 ? zeros : 0);
  }
}

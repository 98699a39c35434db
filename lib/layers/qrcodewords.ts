// Bytes → the codewords of a QR code: byte mode, the smallest version that holds them, with Reed–Solomon codewords behind each
// block and all blocks interleaved (ISO/IEC 18004 sections 7.4 to 7.6).

export type Level = 'L' | 'M' | 'Q' | 'H';

/** Table 9: error correction codewords a block, and blocks, by version from 1 on. */
const CORRECTION: Record<Level, readonly number[]> = {
  L: list(
    '7 10 15 20 26 18 20 24 30 18 20 24 26 30 22 24 28 30 28 28 28 28 30 30 26 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30',
  ),
  M: list(
    '10 16 26 18 24 16 18 22 22 26 30 22 22 24 24 28 28 26 26 26 26 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28',
  ),
  Q: list(
    '13 22 18 26 18 24 18 22 20 24 28 26 24 20 30 24 28 28 26 30 28 30 30 30 30 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30',
  ),
  H: list(
    '17 28 22 16 22 28 26 26 24 28 24 28 22 24 24 30 28 28 26 28 30 24 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30',
  ),
};
const BLOCKS: Record<Level, readonly number[]> = {
  L: list('1 1 1 1 1 2 2 2 2 4 4 4 4 4 6 6 6 6 7 8 8 9 9 10 12 12 12 13 14 15 16 17 18 19 19 20 21 22 24 25'),
  M: list('1 1 1 2 2 4 4 4 5 5 5 8 9 9 10 10 11 13 14 16 17 17 18 20 21 23 25 26 28 29 31 33 35 37 38 40 43 45 47 49'),
  Q: list(
    '1 1 2 2 4 4 6 6 8 8 8 10 12 16 12 17 16 18 21 20 23 23 25 27 29 34 34 35 38 40 43 45 48 51 53 56 59 62 65 68',
  ),
  H: list(
    '1 1 2 4 4 4 5 6 8 8 11 11 16 16 18 16 19 21 25 25 25 34 30 32 35 37 40 42 45 48 51 54 57 60 63 66 70 74 77 81',
  ),
};

function list(numbers: string): number[] {
  return numbers.split(' ').map(Number);
}

export interface Codewords {
  /** 1–40. */
  readonly version: number;
  readonly bytes: Uint8Array;
}

/** The codewords of `data`, which a code of this level must be able to hold (2,953 bytes at L, 1,273 at H). */
export function codewords(data: Uint8Array, level: Level): Codewords {
  let version = 1;
  while (version < 40 && headBytes(version) + data.length > dataBytes(version, level)) version++;
  const count = BLOCKS[level][version - 1];
  const correction = CORRECTION[level][version - 1];
  const all = allBytes(version);
  const filled = fill(data, version, dataBytes(version, level));
  const bytes = new Uint8Array(all);
  const divisor = divisorOf(correction);
  const short = Math.floor(all / count) - correction;
  const firstLong = count - (all % count);
  const dataEnd = all - count * correction;
  for (let block = 0, from = 0; block < count; block++) {
    const length = short + (block < firstLong ? 0 : 1);
    const part = filled.subarray(from, from + length);
    from += length;
    // the last codeword of the long ones comes after all others
    for (let i = 0; i < short; i++) bytes[i * count + block] = part[i];
    if (length > short) bytes[short * count + block - firstLong] = part[short];
    const rest = remainder(part, divisor);
    for (let i = 0; i < correction; i++) bytes[dataEnd + i * count + block] = rest[i];
  }
  return { version, bytes };
}

/** Bytes of mode, length and end, half bytes put together. */
function headBytes(version: number): number {
  return version < 10 ? 2 : 3;
}

function dataBytes(version: number, level: Level): number {
  return allBytes(version) - BLOCKS[level][version - 1] * CORRECTION[level][version - 1];
}

/** Table 1: what is left of the modules beside the patterns and the information about format and version. */
function allBytes(version: number): number {
  const aligned = Math.floor(version / 7) + 2;
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) modules -= (25 * aligned - 10) * aligned - 55;
  if (version >= 7) modules -= 36;
  return modules >> 3;
}

/** Mode 4, the length in 8 or 16 bits, the data, 4 bits of end, and the two pad codewords in turn. */
function fill(data: Uint8Array, version: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  const { length } = data;
  let at = 0;
  let before = 4;
  const put = (byte: number) => {
    bytes[at++] = (before << 4) | (byte >> 4);
    before = byte & 15;
  };
  if (version >= 10) put(length >> 8);
  put(length & 255);
  data.forEach(put);
  put(0);
  for (let pad = 0xec; at < size; pad ^= 0xec ^ 0x11) bytes[at++] = pad;
  return bytes;
}

/** Powers of 2 in the field of 256 elements that x^8 + x^4 + x^3 + x^2 + 1 makes, twice over, and their logarithms. */
const POWERS = new Uint8Array(510);
const LOGARITHMS = new Uint8Array(256);
for (let i = 0, power = 1; i < 255; i++) {
  POWERS[i] = power;
  POWERS[i + 255] = power;
  LOGARITHMS[power] = i;
  power = (power << 1) ^ (power >= 128 ? 0x11d : 0);
}

/** Logarithms of the coefficients of (x - 1)(x - 2)…(x - 2^(degree - 1)), the highest one, which is 1, left out. */
function divisorOf(degree: number): Uint8Array {
  const product = new Uint8Array(degree + 1);
  product[0] = 1;
  for (let i = 0; i < degree; i++) {
    for (let k = i + 1; k > 0; k--) {
      if (product[k - 1] !== 0) product[k] ^= POWERS[LOGARITHMS[product[k - 1]] + i];
    }
  }
  return product.subarray(1).map((coefficient) => LOGARITHMS[coefficient]);
}

function remainder(data: Uint8Array, divisor: Uint8Array): Uint8Array {
  const degree = divisor.length;
  const rest = new Uint8Array(data.length + degree);
  rest.set(data);
  for (let i = 0; i < data.length; i++) {
    if (rest[i] === 0) continue;
    const factor = LOGARITHMS[rest[i]];
    for (let k = 0; k < degree; k++) rest[i + 1 + k] ^= POWERS[factor + divisor[k]];
  }
  return rest.subarray(data.length);
}

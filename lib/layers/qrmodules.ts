// Bytes → the modules of a QR code (ISO/IEC 18004): patterns, codewords along the two-module columns, and the mask that costs
// the least by the penalties. Measured against qrcode-generator, whose modules they are: 0.15 of the time on a card.
import { codewords, type Level } from './qrcodewords.js';

/** A square of `size` × `size` modules, row by row; 1 is dark. */
export interface Modules {
  readonly size: number;
  readonly dark: Uint8Array;
}

/** No pattern lies there. */
const FREE = 2;

const LEVEL_BITS: Record<Level, number> = { L: 1, M: 0, Q: 3, H: 2 };

/** The code of `data`, in byte mode; it must fit one of this level. */
export function qrModules(data: Uint8Array, level: Level): Modules {
  const { version, bytes } = codewords(data, level);
  const size = 17 + 4 * version;
  const base = patterns(size, version);
  const places = dataPlaces(base, size);
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  const dark = new Uint8Array(size * size);
  for (let mask = 0; mask < 8; mask++) {
    place(base, dark, places, bytes, size, mask);
    const cost = penalty(dark, size);
    if (cost >= least) continue;
    least = cost;
    best = mask;
  }
  place(base, dark, places, bytes, size, best);
  setFormat(dark, size, (LEVEL_BITS[level] << 3) | best);
  if (version >= 7) setVersion(dark, size, version);
  return { size, dark };
}

/** The patterns, and all that is written later as light modules. */
function patterns(size: number, version: number): Uint8Array {
  const modules = new Uint8Array(size * size).fill(FREE);
  for (const [left, top] of [
    [0, 0],
    [size - 7, 0],
    [0, size - 7],
  ]) {
    square(modules, size, left + 3, top + 3, 4, 0);
    square(modules, size, left + 3, top + 3, 3, 1);
    square(modules, size, left + 3, top + 3, 2, 0);
    square(modules, size, left + 3, top + 3, 1, 1);
  }
  const centres = alignmentCentres(size, version);
  for (const x of centres) {
    for (const y of centres) {
      if (modules[y * size + x] !== FREE) continue;
      square(modules, size, x, y, 2, 1);
      square(modules, size, x, y, 1, 0);
      square(modules, size, x, y, 0, 1);
    }
  }
  for (let i = 8; i < size - 8; i++) {
    modules[6 * size + i] = 1 - (i & 1);
    modules[i * size + 6] = 1 - (i & 1);
  }
  setFormat(modules, size, undefined);
  if (version >= 7) setVersion(modules, size, undefined);
  return modules;
}

/** Fills the modules at most `reach` away from the centre, as far as they are inside. */
function square(modules: Uint8Array, size: number, x: number, y: number, reach: number, value: number): void {
  for (let row = Math.max(0, y - reach); row <= Math.min(size - 1, y + reach); row++) {
    modules.fill(value, row * size + Math.max(0, x - reach), row * size + Math.min(size, x + reach + 1));
  }
}

/** Annex E: evenly from the far end, what is left over before the second. */
function alignmentCentres(size: number, version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : 2 * Math.ceil((size - 13) / (2 * count - 2));
  return Array.from({ length: count }, (_, i) => (i === 0 ? 6 : size - 7 - (count - 1 - i) * step));
}

/** Section 7.9: 5 bits and their check bits, twice, beside the finders; undefined leaves them light. */
function setFormat(modules: Uint8Array, size: number, format: number | undefined): void {
  const bits = format === undefined ? 0 : ((format << 10) | check(format << 10, 0x537)) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const bit = (bits >> i) & 1;
    modules[(i < 6 ? i : i < 8 ? i + 1 : size - 15 + i) * size + 8] = bit;
    modules[8 * size + (i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i)] = bit;
  }
  modules[(size - 8) * size + 8] = format === undefined ? 0 : 1;
}

/** Section 7.10: the version and its check bits, twice. */
function setVersion(modules: Uint8Array, size: number, version: number | undefined): void {
  const bits = version === undefined ? 0 : (version << 12) | check(version << 12, 0x1f25);
  for (let i = 0; i < 18; i++) {
    const near = Math.floor(i / 3);
    const far = size - 11 + (i % 3);
    modules[near * size + far] = (bits >> i) & 1;
    modules[far * size + near] = (bits >> i) & 1;
  }
}

/** The remainder of a division by a polynomial over two elements. */
function check(bits: number, divisor: number): number {
  const length = Math.clz32(divisor);
  let rest = bits;
  while (Math.clz32(rest) <= length) rest ^= divisor << (length - Math.clz32(rest));
  return rest;
}

/** The free modules in the order of the bits: two columns at a time from the right, upwards and downwards in turn. */
function dataPlaces(base: Uint8Array, size: number): Uint16Array {
  const places = new Uint16Array(size * size);
  let count = 0;
  let upwards = true;
  for (let right = size - 1; right > 0; right -= 2, upwards = !upwards) {
    if (right === 6) right--;
    for (let i = 0; i < size; i++) {
      const at = (upwards ? size - 1 - i : i) * size + right;
      if (base[at] === FREE) places[count++] = at;
      if (base[at - 1] === FREE) places[count++] = at - 1;
    }
  }
  return places.subarray(0, count);
}

function place(
  base: Uint8Array,
  dark: Uint8Array,
  places: Uint16Array,
  bytes: Uint8Array,
  size: number,
  mask: number,
): void {
  dark.set(base);
  for (let i = 0; i < places.length; i++) {
    const y = Math.floor(places[i] / size);
    const bit = i >> 3 < bytes.length ? (bytes[i >> 3] >> (7 - (i & 7))) & 1 : 0;
    dark[places[i]] = isTurned(mask, y, places[i] - y * size) ? 1 - bit : bit;
  }
}

/** Table 10. */
function isTurned(mask: number, y: number, x: number): boolean {
  switch (mask) {
    case 0:
      return (x + y) % 2 === 0;
    case 1:
      return y % 2 === 0;
    case 2:
      return x % 3 === 0;
    case 3:
      return (x + y) % 3 === 0;
    case 4:
      return ((y >> 1) + Math.floor(x / 3)) % 2 === 0;
    case 5:
      return ((x * y) % 2) + ((x * y) % 3) === 0;
    case 6:
      return (((x * y) % 2) + ((x * y) % 3)) % 2 === 0;
    default:
      return (((x * y) % 3) + ((x + y) % 2)) % 2 === 0;
  }
}

/** A finder's profile: dark, light, three dark, light, dark. */
const FINDER = 0b1011101;

/**
 * What a mask costs, near section 7.8.3: instead of runs, modules whose neighbours are nearly all like them, as
 * qrcode-generator counts them. Readers don't care which mask a code has, and codes stay what they have been.
 */
function penalty(dark: Uint8Array, size: number): number {
  let cost = 0;
  let all = 0;
  const columns = new Uint8Array(size);
  for (let y = 0; y < size; y++) {
    let row = 0;
    for (let x = 0, i = y * size; x < size; x++, i++) {
      const here = dark[i];
      all += here;
      row = ((row << 1) | here) & 127;
      if (row === FINDER) cost += 40;
      columns[x] = ((columns[x] << 1) | here) & 127;
      if (columns[x] === FINDER) cost += 40;
      if (x === 0 || y === 0) continue;
      const corner = here + dark[i - 1] + dark[i - size] + dark[i - size - 1];
      if (corner === 0 || corner === 4) cost += 3;
      if (x + 1 === size || y + 1 === size) continue;
      // of those on an edge no more than 5 neighbours are alike
      const others = dark[i - size + 1] + dark[i + 1] + dark[i + size - 1] + dark[i + size] + dark[i + size + 1];
      const alike = here === 1 ? corner + others - 1 : 8 - corner - others;
      if (alike > 5) cost += alike - 2;
    }
  }
  return cost + (Math.abs((100 * all) / size / size - 50) / 5) * 10;
}

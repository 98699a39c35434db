// The points of a simple glyph: from the triplets of a transformed glyf table (W3C WOFF2, section 5.2) to the flags and
// coordinates of a glyf table (OpenType 1.9 "glyf"). This loop takes most of the time of unpacking a font, so it reads one
// number per triplet from a table and keeps everything in local variables: half the time of a readable one.

/** Flags of the points of a simple glyph. */
const ON_CURVE = 1;
const X_SHORT = 2;
const Y_SHORT = 4;
const REPEAT = 8;
const X_SAME_OR_POSITIVE = 16;
const Y_SAME_OR_POSITIVE = 32;
const OVERLAP_SIMPLE = 64;

/** Point numbers have 16 bits. */
export const MAX_POINTS = 65_536;

/** The points of one glyph, overwritten by the next. */
export interface Points {
  /** The flags with repetitions, and coordinates of one or two bytes. */
  readonly flags: Uint8Array;
  readonly xs: Uint8Array;
  readonly ys: Uint8Array;
  flagsLength: number;
  xsLength: number;
  ysLength: number;
  xMin: number;
  yMin: number;
  xMax: number;
  yMax: number;
}

export function createPoints(): Points {
  const [flags, xs, ys] = Array.from({ length: 3 }, () => new Uint8Array(2 * MAX_POINTS));
  return { flags, xs, ys, flagsLength: 0, xsLength: 0, ysLength: 0, xMin: 0, yMin: 0, xMax: 0, yMax: 0 };
}

/**
 * The 128 flags of a triplet. Each holds the number of bytes that follow it (bits 0–2); the bits of y in them, below those of x
 * (bits 3–7); the addend of x (bits 8–18) and of y (bits 19–29). The sign of x is bit 0 of the flag; the sign of y is bit 1, or
 * bit 0 if x is 0; a set bit means positive.
 */
const TRIPLETS = Int32Array.from({ length: 128 }, (_, flag) => {
  const pack = (bytes: number, yBits: number, x: number, y: number) => bytes | (yBits << 3) | (x << 8) | (y << 19);
  if (flag < 10) return pack(1, 8, 0, 256 * (flag >> 1));
  if (flag < 20) return pack(1, 0, 256 * ((flag - 10) >> 1), 0);
  if (flag < 84) return pack(1, 4, 1 + 16 * ((flag - 20) >> 4), 1 + 16 * (((flag - 20) >> 2) & 3));
  if (flag < 120) return pack(2, 8, 1 + 256 * Math.floor((flag - 84) / 12), 1 + 256 * (((flag - 84) % 12) >> 2));
  return flag < 124 ? pack(3, 12, 0, 0) : pack(4, 16, 0, 0);
});

/**
 * Converts `count` points, whose triplets start at `at`, to `points`. Returns where the triplets end, which may be past the end
 * of `coordinates`: those that are missing count as 0.
 */
export function convertPoints(
  triplets: Uint8Array,
  coordinates: Uint8Array,
  at: number,
  count: number,
  hasOverlap: boolean,
  points: Points,
): number {
  const { flags, xs, ys } = points;
  const table = TRIPLETS;
  let flagsLength = 0;
  let xsLength = 0;
  let ysLength = 0;
  let lastFlag = -1;
  let repeats = 0;
  let x = 0;
  let y = 0;
  let xMin = 0x7fffffff;
  let yMin = 0x7fffffff;
  let xMax = -0x80000000;
  let yMax = -0x80000000;
  for (let point = 0; point < count; point++) {
    const packed = triplets[point];
    const triplet = table[packed & 127];
    let value = coordinates[at++] | 0;
    for (let bytes = triplet & 7; bytes > 1; bytes--) value = (value << 8) | coordinates[at++];
    const yBits = (triplet >> 3) & 31;
    const dx = (value >>> yBits) + ((triplet >> 8) & 0x7ff);
    const dy = (value & ((1 << yBits) - 1)) + (triplet >> 19);

    let flag = packed < 128 ? ON_CURVE : 0;
    if (dx === 0) flag |= X_SAME_OR_POSITIVE;
    else {
      const isPositive = (packed & 1) !== 0;
      x = isPositive ? x + dx : x - dx;
      if (dx < 256) {
        flag |= isPositive ? X_SHORT | X_SAME_OR_POSITIVE : X_SHORT;
        xs[xsLength++] = dx;
      } else {
        const signed = isPositive ? dx : -dx;
        xs[xsLength++] = signed >> 8;
        xs[xsLength++] = signed;
      }
    }
    if (dy === 0) flag |= Y_SAME_OR_POSITIVE;
    else {
      const isPositive = (packed & ((packed & 127) < 10 ? 1 : 2)) !== 0;
      y = isPositive ? y + dy : y - dy;
      if (dy < 256) {
        flag |= isPositive ? Y_SHORT | Y_SAME_OR_POSITIVE : Y_SHORT;
        ys[ysLength++] = dy;
      } else {
        const signed = isPositive ? dy : -dy;
        ys[ysLength++] = signed >> 8;
        ys[ysLength++] = signed;
      }
    }
    if (x < xMin) xMin = x;
    if (x > xMax) xMax = x;
    if (y < yMin) yMin = y;
    if (y > yMax) yMax = y;

    if (hasOverlap && point === 0) flag |= OVERLAP_SIMPLE;
    if (flag !== lastFlag || repeats === 255) {
      flags[flagsLength++] = flag;
      lastFlag = flag;
      repeats = 0;
    } else {
      if (repeats === 0) {
        flags[flagsLength - 1] = flag | REPEAT;
        flagsLength++;
      }
      flags[flagsLength - 1] = ++repeats;
    }
  }
  points.flagsLength = flagsLength;
  points.xsLength = xsLength;
  points.ysLength = ysLength;
  points.xMin = count > 0 ? xMin : 0;
  points.yMin = count > 0 ? yMin : 0;
  points.xMax = count > 0 ? xMax : 0;
  points.yMax = count > 0 ? yMax : 0;
  return at;
}

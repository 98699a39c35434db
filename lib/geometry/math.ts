// The functions that ECMAScript leaves to each engine, whose last digits differ between engines. These use only what every
// engine rounds correctly (+ − × ÷ √, comparisons, bits), so their results are the same everywhere, within 1 ulp.
// The reductions are those of fdlibm (Sun Microsystems, 1993): angles less a multiple of π/2 in three pieces (Cody and
// Waite), arc tangents by points whose angle is known, powers as 2^k · exp(y · log m). The rest are Taylor series. What
// must be more precise than a double is the sum of two (Dekker, "A floating-point technique", 1971).

const HALF_PI = Math.PI / 2;
/** The rest of π/2 beyond HALF_PI. */
const HALF_PI_LOW = 6.123233995736766e-17;

/** The second part of some results: what rounding took from the first. In an array, since V8 boxes variables. */
const low = new Float64Array(1);

/** a · b, exactly (Dekker); for factors that neither overflow nor underflow. */
function product(a: number, b: number): number {
  const p = a * b;
  // 27 upper bits and 26 lower bits (Veltkamp)
  const aLifted = 134217729 * a;
  const aHigh = aLifted - (aLifted - a);
  const aLow = a - aHigh;
  const bLifted = 134217729 * b;
  const bHigh = bLifted - (bLifted - b);
  const bLow = b - bHigh;
  low[0] = aHigh * bHigh - p + aHigh * bLow + aLow * bHigh + aLow * bLow;
  return p;
}

/** (a + aLow) / (b + bLow), to about 100 bits, where the second parts are what rounding took from the first. */
function quotient(a: number, aLow: number, b: number, bLow: number): number {
  const q = a / b;
  const p = product(q, b);
  low[0] = (a - p - low[0] + aLow - q * bLow) / b;
  return q;
}

/** The square root of a + aLow, to the nearest double but for rare ties. */
function root(a: number, aLow: number): number {
  const r = Math.sqrt(a);
  const p = product(r, r);
  low[0] = (a - p - low[0] + aLow) / (2 * r);
  return r;
}

/** The length of the vector (x, y). */
export function hypot(x: number, y: number): number {
  const width = Math.abs(x);
  const height = Math.abs(y);
  if (width === Infinity || height === Infinity) return Infinity;
  const long = Math.max(width, height);
  const short = Math.min(width, height);
  // the shorter side changes nothing, or one is NaN
  if (!(long <= short * 2 ** 54)) return long + short;
  if (long > 2 ** 500) return hypot(long * 2 ** -600, short * 2 ** -600) * 2 ** 600;
  if (short < 2 ** -450) return long === 0 ? 0 : hypot(long * 2 ** 600, short * 2 ** 600) * 2 ** -600;
  const a = product(long, long);
  const aLow = low[0];
  const b = product(short, short);
  const square = a + b;
  const r = root(square, a - square + b + aLow + low[0]);
  return r + low[0];
}

// coefficients of the Taylor series, without the first terms

const SINE = [6, 120, 5040, 362880, 39916800, 6227020800, 1307674368000, 355687428096000].map(alternating);
const COSINE = [24, 720, 40320, 3628800, 479001600, 87178291200, 20922789888000, 6402373705728000].map(
  (n, i) => -alternating(n, i),
);
const ARC_TANGENT = [3, 5, 7, 9, 11, 13, 15, 17, 19].map(alternating);
const AREA_TANGENT = [5, 7, 9, 11, 13, 15, 17, 19, 21].map((n) => 1 / n);
const EXPONENTIAL = [6, 24, 120, 720, 5040, 40320, 362880, 3628800, 39916800, 479001600, 6227020800].map((n) => 1 / n);

function alternating(n: number, i: number): number {
  return i % 2 === 0 ? -1 / n : 1 / n;
}

function series(z: number, coefficients: readonly number[]): number {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * z + coefficients[i];
  return sum;
}

/** The angle that `reduce` computes, in two parts. */
const angle = new Float64Array(2);

/** Leaves x, from 0, less the nearest multiple of π/2 in `angle`; returns the last two bits of the multiplier. */
function reduce(x: number): number {
  if (x <= Math.PI / 4) {
    angle[0] = x;
    angle[1] = 0;
    return 0;
  }
  if (!(x < 2 ** 20)) return reduceLarge(x);
  const n = Math.round(x / HALF_PI);
  // pieces of 33 bits, whose products with n are exact
  const a = x - n * 1.5707963267341256;
  const second = n * 6.077100506303966e-11;
  const b = a - second;
  const bLow = difference(a, second, b);
  const third = n * 2.0222662487111665e-21;
  const c = b - third;
  const rest = bLow + difference(b, third, c) - n * 8.4784276603689e-32;
  angle[0] = c + rest;
  angle[1] = c - angle[0] + rest;
  return n & 3;
}

/** Returns the rounding error of a − b = d (Knuth). */
function difference(a: number, b: number, d: number): number {
  const t = a - d;
  return a - (d + t) + (t - b);
}

const FRACTION_BITS = 1200n;
let quarters: bigint | undefined;

/** 2/π · 2^1200, with π by Machin's formula. */
function quartersPerRadian(): bigint {
  const one = 1n << (FRACTION_BITS + 64n);
  const arcCotangent = (n: bigint): bigint => {
    let sum = 0n;
    let sign = 1n;
    for (let power = one / n, i = 1n; power > 0n; power /= n * n, i += 2n, sign = -sign) sum += (sign * power) / i;
    return sum;
  };
  const pi = 16n * arcCotangent(5n) - 4n * arcCotangent(239n);
  return (one << (FRACTION_BITS + 1n)) / pi;
}

/** `reduce` for angles of more than 2^20 and for what is none: in whole numbers, since 2/π needs over 1,000 bits. */
function reduceLarge(x: number): number {
  angle[0] = Number.NaN;
  if (!Number.isFinite(x)) return 0;
  quarters ??= quartersPerRadian();
  // a double of this size is a whole number of 2^-32nds
  const turns = (x < 2 ** 64 ? BigInt(x * 2 ** 32) : BigInt(x) << 32n) * quarters;
  const half = 1n << (FRACTION_BITS + 31n);
  const n = (turns + half) >> (FRACTION_BITS + 32n);
  const fraction = (turns - (n << (FRACTION_BITS + 32n))) >> (FRACTION_BITS + 32n - 200n);
  const f = Number(fraction);
  const fLow = Number(fraction - BigInt(f)) * 2 ** -200;
  const p = product(f * 2 ** -200, HALF_PI);
  const rest = low[0] + f * 2 ** -200 * HALF_PI_LOW + fLow * HALF_PI;
  angle[0] = p + rest;
  angle[1] = p - angle[0] + rest;
  return Number(n & 3n);
}

/** The sine of the reduced angle; `low` is its second part. */
function sine(): number {
  const z = angle[0] * angle[0];
  low[0] = angle[1] * (1 - z / 2) + angle[0] * z * series(z, SINE);
  return angle[0];
}

/** The cosine of the reduced angle; `low` is its second part. */
function cosine(): number {
  const z = product(angle[0], angle[0]);
  const c = 1 - z / 2;
  low[0] = 1 - c - z / 2 - low[0] / 2 + z * z * series(z, COSINE) - angle[0] * angle[1];
  return c;
}

export function sin(x: number): number {
  // so small that x is nearest, -0 among them
  if (Math.abs(x) < 2 ** -27) return x;
  if (x < 0) return -sin(-x);
  const n = reduce(x);
  const value = ((n & 1) === 0 ? sine() : cosine()) + low[0];
  return n < 2 ? value : -value;
}

export function cos(x: number): number {
  const n = reduce(Math.abs(x));
  const value = ((n & 1) === 0 ? cosine() : sine()) + low[0];
  return n === 0 || n === 3 ? value : -value;
}

export function tan(x: number): number {
  if (Math.abs(x) < 2 ** -27) return x;
  if (x < 0) return -tan(-x);
  const n = reduce(x);
  const first = sine();
  const s = first + low[0];
  const sLow = first - s + low[0];
  const second = cosine();
  const c = second + low[0];
  const cLow = second - c + low[0];
  const q = (n & 1) === 0 ? quotient(s, sLow, c, cLow) : quotient(-c, -cLow, s, sLow);
  return q + low[0];
}

/** The angles whose tangents are 0, ¼, ½, ¾ and 1, in two parts. */
const ANGLES = [0, 0.24497866312686414, 0.4636476090008061, 0.6435011087932844, 0.7853981633974483];
const ANGLES_LOW = [0, 1.0698755618734451e-17, 2.2698777452961687e-17, 1.5834785051444286e-17, 3.061616997868383e-17];

/** The angle of the vector (x, y) in the first quadrant, of medium length; `low` is its second part. */
function angleOf(y: number, yLow: number, x: number, xLow: number): number {
  if (y > x) {
    const other = angleOf(x, xLow, y, yLow);
    const turned = HALF_PI - other;
    low[0] = HALF_PI - turned - other + HALF_PI_LOW - low[0];
    return turned;
  }
  // turn the vector (and lengthen it) by the nearest of the known angles
  const k = Math.round((4 * y) / x);
  const kx = product(k, x);
  const kxLow = low[0];
  const ky = product(k, y);
  const across = 4 * y - kx;
  const along = 4 * x + ky;
  const acrossLow = difference(4 * y, kx, across) - kxLow + 4 * yLow - k * xLow;
  const t = quotient(across, acrossLow, along, 4 * x - along + ky + low[0] + 4 * xLow + k * yLow);
  const z = t * t;
  const sum = ANGLES[k] + t;
  low[0] = ANGLES[k] - sum + t + ANGLES_LOW[k] + low[0] * (1 - z) + t * z * series(z, ARC_TANGENT);
  return sum;
}

/** The angle of the vector (x, y), from -π to π. */
export function atan2(y: number, x: number): number {
  let up = Math.abs(y);
  let right = Math.abs(x);
  if (!(up <= Infinity && right <= Infinity)) return Number.NaN;
  const isLeft = x < 0 || Object.is(x, -0);
  // beside an infinite length, a finite one counts as 0
  if (up === Infinity || right === Infinity) {
    up = up === Infinity ? 1 : 0;
    right = right === Infinity ? 1 : 0;
  }
  let value: number;
  if (up === 0) value = isLeft ? Math.PI : 0;
  else if (!isLeft && up < right * 2 ** -28) value = up / right;
  else {
    const longer = Math.max(up, right);
    const scale = longer > 2 ** 400 ? 2 ** -500 : longer < 2 ** -400 ? 2 ** 500 : 1;
    let sum = angleOf(up * scale, 0, right * scale, 0);
    if (isLeft) {
      const turned = Math.PI - sum;
      low[0] = Math.PI - turned - sum + 2 * HALF_PI_LOW - low[0];
      sum = turned;
    }
    value = sum + low[0];
  }
  return y < 0 || Object.is(y, -0) ? -value : value;
}

/** The angle whose cosine is x, from 0 to π. */
export function acos(x: number): number {
  if (!(Math.abs(x) <= 1)) return Number.NaN;
  // the vector's height: √(1 − x²)
  const square = product(x, x);
  const rest = 1 - square;
  const height = rest > 0 ? root(rest, 1 - rest - square - low[0]) : 0;
  if (height === 0) return x > 0 ? 0 : Math.PI;
  const sum = angleOf(height, low[0], Math.abs(x), 0);
  if (x > 0) return sum + low[0];
  const turned = Math.PI - sum;
  return turned + (Math.PI - turned - sum + 2 * HALF_PI_LOW - low[0]);
}

/** log 2 in pieces of 33 and 53 bits. */
const LOG_2 = 0.6931471804855391;
const LOG_2_LOW = 7.440617110012397e-11;

/** e^(x + xLow). */
function expOf(x: number, xLow: number): number {
  if (x > 710) return Infinity;
  if (x < -746) return 0;
  const k = Math.round(x / Math.LN2);
  const upper = x - k * LOG_2;
  const lower = xLow - k * LOG_2_LOW;
  const r = upper + lower;
  const rLow = difference(upper, -lower, r);
  const sum = 1 + r;
  const value = sum + (1 - sum + r + ((r * r) / 2 + (r * r * r * series(r, EXPONENTIAL) + rLow * sum)));
  // in two steps, since 2^1024 overflows and 2^-1075 underflows
  const half = k >> 1;
  return value * powerOfTwo(half) * powerOfTwo(k - half);
}

const bits = new DataView(new ArrayBuffer(8));

/** 2^k, for normal results. */
function powerOfTwo(k: number): number {
  bits.setUint32(0, (k + 1023) << 20);
  bits.setUint32(4, 0);
  return bits.getFloat64(0);
}

/** e^x. */
export function exp(x: number): number {
  return Number.isNaN(x) ? x : expOf(x, 0);
}

/** log 1.5 in two parts. */
const LOG_1_5 = 0.4054651081081644;
const LOG_1_5_LOW = -2.8811380259626426e-18;

/** The natural logarithm of a positive finite number, to about 66 bits; `low` is its second part. */
function logOf(x: number): number {
  const isSubnormal = x < 2 ** -1022;
  bits.setFloat64(0, isSubnormal ? x * 2 ** 54 : x);
  const word = bits.getUint32(0);
  let k = (word >>> 20) - (isSubnormal ? 1023 + 54 : 1023);
  bits.setUint32(0, (word & 0xfffff) | 0x3ff00000);
  let m = bits.getFloat64(0);
  if (m > 1.7320508) {
    m /= 2;
    k++;
  }
  // log m = log base + 2 artanh s
  const base = m > 1.2247449 ? 1.5 : 1;
  const s = quotient(m - base, 0, m + base, difference(m, -base, m + base));
  const sLow = low[0];
  const z = product(s, s);
  const zLow = low[0] + 2 * s * sLow;
  const cube = product(s, z);
  const third = quotient(cube, low[0] + s * zLow + sLow * z, 3, 0);
  let rest = 2 * (sLow + low[0] + s * z * z * series(z, AREA_TANGENT)) + k * LOG_2_LOW;
  let sum = k * LOG_2;
  if (base === 1.5) rest += LOG_1_5_LOW;
  for (const term of [base === 1.5 ? LOG_1_5 : 0, 2 * s, 2 * third]) {
    rest += difference(sum, -term, sum + term);
    sum += term;
  }
  low[0] = difference(sum, -rest, sum + rest);
  return sum + rest;
}

/** The natural logarithm of a positive finite number. */
export function log(x: number): number {
  return logOf(x);
}

/** x to the power y, with the special cases of ECMAScript's. */
export function pow(x: number, y: number): number {
  if (y === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const size = Math.abs(x);
  if (Math.abs(y) === Infinity) return size === 1 ? Number.NaN : size > 1 === y > 0 ? Infinity : 0;
  const isNegative = x < 0 || Object.is(x, -0);
  const sign = isNegative && Math.abs(y % 2) === 1 ? -1 : 1;
  if (size === 0 || size === Infinity) return sign * (size > 0 === y > 0 ? Infinity : 0);
  if (isNegative && !Number.isInteger(y)) return Number.NaN;
  const log = logOf(size);
  const logLow = low[0];
  if (Math.abs(y * log) > 750) return sign * (y * log > 0 ? Infinity : 0);
  const exponent = product(y, log);
  return sign * expOf(exponent, low[0] + y * logLow);
}

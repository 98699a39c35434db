// Reference values of the elementary functions: whole numbers of 2^-BITS, computed by slow series in BigInt.

const BITS = 1300n;
const ONE = 1n << BITS;
/** Further bits of π: enough to reduce the largest double. */
const REDUCING = 1100n;

/** The exponent and the integer significand of a finite double. */
function parts(x: number): { significand: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(x));
  const word = view.getBigUint64(0);
  const field = Number(word >> 52n);
  const fraction = word & ((1n << 52n) - 1n);
  return field === 0
    ? { significand: fraction, exponent: -1074 }
    : { significand: fraction | (1n << 52n), exponent: field - 1075 };
}

/** A finite double, exactly. */
export function exact(x: number): bigint {
  const { significand, exponent } = parts(x);
  const size = significand << (BITS + BigInt(exponent));
  return x < 0 ? -size : size;
}

/** Returns the distance from `result` to `reference`, in units of the last place of `result`. */
export function ulps(result: number, reference: bigint): number {
  const distance = exact(result) - reference;
  const unit = 1n << (BITS + BigInt(parts(result).exponent));
  return Number(((distance < 0n ? -distance : distance) * 1_000_000n) / unit) / 1e6;
}

const times = (a: bigint, b: bigint): bigint => (a * b) >> BITS;
const over = (a: bigint, b: bigint): bigint => (a << BITS) / b;

/** The whole square root (Newton). */
function integerRoot(n: bigint): bigint {
  if (n === 0n) return 0n;
  let r = 1n << (BigInt(n.toString(2).length + 1) / 2n);
  for (;;) {
    const next = (r + n / r) >> 1n;
    if (next >= r) return r;
    r = next;
  }
}

const root = (square: bigint): bigint => integerRoot(square << BITS);

/** t − t³/3 + t⁵/5 …, or with `sign` 1 the sum without alternation. */
function oddSeries(t: bigint, sign: 1n | -1n, bits = BITS): bigint {
  const square = (sign * t * t) >> bits;
  let sum = 0n;
  for (let power = t, i = 1n; power !== 0n && power !== -1n; power = (power * square) >> bits, i += 2n)
    sum += power / i;
  return sum;
}

/** By Störmer's formula, which the code under test does not use. */
function piOf(bits: bigint): bigint {
  const wide = bits + 32n;
  const arcCotangent = (n: bigint) => oddSeries((1n << wide) / n, -1n, wide);
  return (
    (4n *
      (44n * arcCotangent(57n) + 7n * arcCotangent(239n) - 12n * arcCotangent(682n) + 24n * arcCotangent(12943n))) >>
    32n
  );
}

const PI = piOf(BITS);
const WIDE_HALF_PI = piOf(BITS + REDUCING) / 2n;
const LOG_2 = 2n * oddSeries(ONE / 3n, 1n);

/** The sine and the cosine. */
function sineAndCosine(x: number): [bigint, bigint] {
  const wide = exact(x) << REDUCING;
  const n = (2n * wide + WIDE_HALF_PI) / (2n * WIDE_HALF_PI) - (x < 0 ? 1n : 0n);
  const r = (wide - n * WIDE_HALF_PI) >> REDUCING;
  const square = times(r, r);
  const series = (first: bigint, from: bigint) => {
    let sum = 0n;
    for (let term = first, i = from; term !== 0n && term !== -1n; i += 2n) {
      sum += term;
      term = -times(term, square) / (i * (i + 1n));
    }
    return sum;
  };
  const [s, c] = [series(r, 2n), series(ONE, 1n)];
  return [
    [s, c],
    [c, -s],
    [-s, -c],
    [-c, s],
  ][Number(n & 3n)] as [bigint, bigint];
}

export const exactSin = (x: number): bigint => sineAndCosine(x)[0];
export const exactCos = (x: number): bigint => sineAndCosine(x)[1];

export function exactTan(x: number): bigint {
  const [s, c] = sineAndCosine(x);
  return over(s, c);
}

/** The arc tangent of a number from 0 to 1, halved until the series is short. */
function arcTangent(t: bigint): bigint {
  let halved = t;
  for (let i = 0; i < 4; i++) halved = over(halved, ONE + root(ONE + times(halved, halved)));
  return 16n * oddSeries(halved, -1n);
}

function angleOf(y: bigint, x: bigint): bigint {
  if (y < 0n) return -angleOf(-y, x);
  if (x < 0n) return PI - angleOf(y, -x);
  return y <= x ? arcTangent(over(y, x)) : PI / 2n - arcTangent(over(x, y));
}

export const exactAtan2 = (y: number, x: number): bigint => angleOf(exact(y), exact(x));

export function exactAcos(x: number): bigint {
  return angleOf(root(ONE - times(exact(x), exact(x))), exact(x));
}

export function exactHypot(x: number, y: number): bigint {
  const square = exact(x) ** 2n + exact(y) ** 2n;
  return integerRoot(square);
}

function expOf(x: bigint): bigint {
  const k = x / LOG_2;
  const r = x - k * LOG_2;
  let sum = 0n;
  for (let term = ONE, i = 1n; term !== 0n && term !== -1n; i++) {
    sum += term;
    term = times(term, r) / i;
  }
  return k < 0n ? sum >> -k : sum << k;
}

export const exactExp = (x: number): bigint => expOf(exact(x));

export function exactPow(x: number, y: number): bigint {
  const { significand, exponent } = parts(x);
  const length = significand.toString(2).length;
  const m = (significand << BITS) >> BigInt(length);
  const log = BigInt(exponent + length) * LOG_2 + 2n * oddSeries(over(m - ONE, m + ONE), 1n);
  return expOf(times(exact(y), log));
}

// SHA-256 (FIPS 180-4), for pages without WebCrypto: browsers offer that in secure contexts alone.

/** The first 32 bits of the fractional parts of the square and cube roots of the first primes. */
function roots(count: number, root: (prime: number) => bigint): Uint32Array {
  const constants = new Uint32Array(count);
  for (let prime = 2, at = 0; at < count; prime++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= prime; divisor++) if (prime % divisor === 0) isPrime = false;
    if (isPrime) constants[at++] = Number(root(prime) & 0xffffffffn);
  }
  return constants;
}

/** The largest integer whose square or cube is at most `value`. */
function integerRoot(value: bigint, exponent: 2 | 3): bigint {
  let low = 0n;
  let high = 1n << 40n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    const power = exponent === 2 ? middle * middle : middle * middle * middle;
    if (power <= value) low = middle;
    else high = middle - 1n;
  }
  return low;
}

let constants: { readonly initial: Uint32Array; readonly round: Uint32Array } | undefined;

function makeConstants() {
  constants ??= {
    initial: roots(8, (prime) => integerRoot(BigInt(prime) << 64n, 2)),
    round: roots(64, (prime) => integerRoot(BigInt(prime) << 96n, 3)),
  };
  return constants;
}

const BLOCK = 64;

/** The digest in hex. */
export function sha256(bytes: Uint8Array): string {
  const { initial, round } = makeConstants();
  const state = initial.slice();
  const whole = bytes.length - (bytes.length % BLOCK);
  // the rest, a bit, zeros, and the length in bits
  const rest = new Uint8Array(bytes.length - whole + 9 <= BLOCK ? BLOCK : 2 * BLOCK);
  rest.set(bytes.subarray(whole));
  rest[bytes.length - whole] = 0x80;
  new DataView(rest.buffer).setBigUint64(rest.length - 8, BigInt(bytes.length) * 8n);
  const words = new Uint32Array(64);
  for (let at = 0; at < whole; at += BLOCK) compress(state, bytes, at, words, round);
  for (let at = 0; at < rest.length; at += BLOCK) compress(state, rest, at, words, round);
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

/** Section 6.2.2, with its names. */
function compress(state: Uint32Array, bytes: Uint8Array, at: number, w: Uint32Array, k: Uint32Array): void {
  for (let t = 0; t < 16; t++) {
    const from = at + 4 * t;
    w[t] = (bytes[from] << 24) | (bytes[from + 1] << 16) | (bytes[from + 2] << 8) | bytes[from + 3];
  }
  for (let t = 16; t < 64; t++) {
    const s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ (w[t - 15] >>> 3);
    const s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ (w[t - 2] >>> 10);
    w[t] = s1 + w[t - 7] + s0 + w[t - 16];
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let t = 0; t < 64; t++) {
    const t1 = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + k[t] + w[t]) | 0;
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => {
    state[i] += value;
  });
}

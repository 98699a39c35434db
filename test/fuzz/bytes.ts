// Mutates bytes without knowledge of their format: bit flips, splices, cuts, and numbers where lengths may be.
import type { Random } from './random.js';

/** Inputs do not grow beyond this: what is slow because it is large says nothing. */
export const LARGEST = 512 * 1024;

/** One to five small changes. `others` are files whose parts may be spliced in, `words` what the format's readers look for. */
export function mutateBytes(
  random: Random,
  input: Uint8Array,
  others: readonly Uint8Array[],
  words: readonly (string | readonly number[])[],
): Uint8Array {
  let bytes: Uint8Array = Uint8Array.from(input);
  for (let left = 1 + random.below(random.pick([1, 2, 5])); left > 0; left--)
    bytes = change(random, bytes, others, words);
  return bytes.subarray(0, LARGEST);
}

function change(
  random: Random,
  bytes: Uint8Array,
  others: readonly Uint8Array[],
  words: readonly (string | readonly number[])[],
): Uint8Array {
  const at = place(random, bytes.length);
  switch (random.below(12)) {
    case 0:
    case 1:
      if (at < bytes.length) bytes[at] ^= 1 << random.below(8);
      return bytes;
    case 2:
    case 3:
      if (at < bytes.length) bytes[at] = random.below(256);
      return bytes;
    case 4:
      return bytes.slice(0, at);
    case 5:
      return spliced(bytes, at, run(random), new Uint8Array());
    case 6: {
      const copy = bytes.slice(at, at + run(random));
      return spliced(bytes, place(random, bytes.length), random.oneIn(2) ? copy.length : 0, copy);
    }
    case 7: {
      const other = others.length > 0 ? random.pick(others) : bytes;
      const start = place(random, other.length);
      return spliced(bytes, at, random.oneIn(2) ? run(random) : 0, other.slice(start, start + run(random) * 4));
    }
    case 8:
    case 9:
      return putNumber(random, bytes, at);
    case 10:
      return bytes.fill(random.pick([0, 255, 128, 65]), at, at + run(random));
    default: {
      if (words.length === 0) return putNumber(random, bytes, at);
      const word = random.pick(words);
      const coded = typeof word === 'string' ? Buffer.from(word, 'latin1') : Uint8Array.from(word);
      return spliced(bytes, at, random.oneIn(2) ? coded.length : 0, coded);
    }
  }
}

/** Anywhere, and every third time in the first hundred bytes, where the headers are. */
function place(random: Random, length: number): number {
  return random.below(random.oneIn(3) ? Math.min(length, 100) : length);
}

/** A number of bytes: mostly few. */
function run(random: Random): number {
  return 1 + random.below(random.pick([2, 4, 16, 64, 1024]));
}

function spliced(bytes: Uint8Array, at: number, removed: number, added: Uint8Array): Uint8Array {
  return Uint8Array.from(Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]));
}

/** An edge of 8, 16 or 32 bits, in either order of bytes: what a length or a count that lies looks like. */
function putNumber(random: Random, bytes: Uint8Array, at: number): Uint8Array {
  const size = random.pick([1, 2, 4]);
  if (at + size > bytes.length) return bytes;
  const value = random.edge();
  const littleEndian = random.oneIn(2);
  for (let i = 0; i < size; i++) bytes[at + (littleEndian ? i : size - 1 - i)] = value >>> (8 * i);
  return bytes;
}

// Inflates deflate and zlib streams (RFC 1951 and 1950) where the host has no native zlib. Accepts and rejects what zlib
// does, with its messages, and gives the same bytes for a stream that is cut off. The package fflate 0.8 accepts 6 % of damaged
// streams that zlib rejects, verifies no checksum, and inflates all of a bomb before it can be stopped. DecompressionStream
// does not return what it has read of a stream whose checksum is wrong.
import { host } from '../host.js';

/** Inflates a zlib stream of at most `maxLength` bytes. Throws what zlib throws, or InflateError. */
export function inflate(compressed: Uint8Array, maxLength: number): Uint8Array {
  const { zlib } = host();
  return zlib ? zlib.inflateSync(compressed, { maxOutputLength: maxLength }) : inflateZlib(compressed, { maxLength });
}

/** The error for a malformed stream, in zlib's words. */
export class InflateError extends Error {
  override readonly name = 'InflateError';
}

/** The stream holds more than is allowed. */
export class InflateLimitError extends InflateError {}

export interface InflateOptions {
  /** Bytes that the stream may hold. */
  readonly maxLength: number;
  /** Whether a stream that is cut off gives what it holds. */
  readonly mayBeTruncated?: boolean;
}

/** Inflates a raw deflate stream; what follows its end is ignored. Throws InflateError. */
export function inflateRaw(input: Uint8Array, options: InflateOptions): Uint8Array {
  return inflateBlocks(input, 0, options).bytes;
}

const ZLIB_HEADER = 2;

/** Inflates a zlib stream and verifies its checksum. Throws InflateError. */
export function inflateZlib(input: Uint8Array, options: InflateOptions): Uint8Array {
  if (input.length < ZLIB_HEADER) throw truncated();
  const [method, flags] = input;
  if ((method * 256 + flags) % 31 !== 0) throw new InflateError('incorrect header check');
  if ((method & 15) !== 8) throw new InflateError('unknown compression method');
  if (method >> 4 > 7) throw new InflateError('invalid window size');
  if (flags & 0x20) throw new InflateError('Missing dictionary');
  const { bytes, end } = inflateBlocks(input, ZLIB_HEADER, options);
  if (end + 4 > input.length) throw truncated();
  const expected = new DataView(input.buffer, input.byteOffset).getUint32(end);
  if (adler32(bytes) !== expected) throw new InflateError('incorrect data check');
  return bytes;
}

/** Bytes after which the sums of Adler-32 are reduced, before they exceed 32 bits (RFC 1950 section 8.2). */
const MAX_UNREDUCED = 5552;

function adler32(bytes: Uint8Array): number {
  let sum = 1;
  let sums = 0;
  for (let start = 0; start < bytes.length; start += MAX_UNREDUCED) {
    const end = Math.min(start + MAX_UNREDUCED, bytes.length);
    for (let i = start; i < end; i++) {
      sum += bytes[i];
      sums += sum;
    }
    sum %= 65521;
    sums %= 65521;
  }
  return sums * 65536 + sum;
}

function truncated(): InflateError {
  return new InflateError('unexpected end of file');
}

/** Thrown where the input ends. */
const END = Symbol('end of input');

const MAX_BITS = 15;
const END_OF_BLOCK = 256;
/** The order in which the lengths of the code length codes are stored. */
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const [LENGTH_BASE, LENGTH_EXTRA] = series(3, 29, 4);
const [DISTANCE_BASE, DISTANCE_EXTRA] = series(1, 30, 2);
// the longest match has a separate code
LENGTH_BASE[28] = 258;
LENGTH_EXTRA[28] = 0;

/** Bases and extra bits of codes: from the second group of `group` codes on, each group has one bit more. */
function series(first: number, count: number, group: number): [Uint16Array, Uint8Array] {
  const bases = new Uint16Array(count);
  const extra = new Uint8Array(count);
  for (let code = 0, base = first; code < count; code++) {
    bases[code] = base;
    extra[code] = Math.max(0, Math.floor(code / group) - 1);
    base += 1 << extra[code];
  }
  return [bases, extra];
}

/** A Huffman code: by the next `bits` bits of the stream, `symbol << 4 | length`; 0 where no code begins so. */
interface Codes {
  readonly bits: number;
  readonly table: Uint16Array;
}

/** Builds the table of a canonical code; undefined if the lengths make none. */
function buildCodes(lengths: Uint8Array, mayBeIncomplete: boolean): Codes | undefined {
  const counts = new Uint16Array(MAX_BITS + 1);
  for (const length of lengths) counts[length]++;
  let bits = MAX_BITS;
  while (bits > 0 && counts[bits] === 0) bits--;
  if (bits === 0) return { bits: 1, table: new Uint16Array(2) };
  let left = 1;
  const next = new Uint16Array(MAX_BITS + 2);
  for (let length = 1; length <= MAX_BITS; length++) {
    left = 2 * left - counts[length];
    if (left < 0) return undefined;
    next[length + 1] = (next[length] + counts[length]) << 1;
  }
  // only a single code of one bit may leave others unused
  if (left > 0 && !(mayBeIncomplete && bits === 1)) return undefined;
  const table = new Uint16Array(1 << bits);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol];
    if (length === 0) continue;
    const entry = (symbol << 4) | length;
    for (let at = reverse(next[length]++, length); at < table.length; at += 1 << length) table[at] = entry;
  }
  return { bits, table };
}

function reverse(code: number, length: number): number {
  let reversed = 0;
  for (let i = 0; i < length; i++) reversed |= ((code >> i) & 1) << (length - 1 - i);
  return reversed;
}

let fixed: { readonly literals: Codes; readonly distances: Codes } | undefined;

function fixedCodes() {
  const lengths = new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280);
  fixed ??= { literals: buildCodes(lengths, false)!, distances: buildCodes(new Uint8Array(32).fill(5), false)! };
  return fixed;
}

/** Inflates the blocks from `start` on; `end` is where the input goes on after them. */
function inflateBlocks(
  input: Uint8Array,
  start: number,
  { maxLength, mayBeTruncated = false }: InflateOptions,
): { readonly bytes: Uint8Array; readonly end: number } {
  const out = new Uint8Array(maxLength);
  let length = 0;
  let at = start;
  /** Bits that are read from the input and not used yet, lowest first. */
  let held = 0;
  let heldBits = 0;

  /** Holds at least `count` bits (up to 24), padded with zeros after the end. */
  function hold(count: number): void {
    while (heldBits < count && at < input.length) {
      held |= input[at++] << heldBits;
      heldBits += 8;
    }
  }

  function drop(count: number): void {
    if (count > heldBits) throw END;
    held >>>= count;
    heldBits -= count;
  }

  function readBits(count: number): number {
    hold(count);
    const value = held & ((1 << count) - 1);
    drop(count);
    return value;
  }

  /** The next symbol; throws `message` where no code begins so. */
  function readSymbol({ bits, table }: Codes, message: string): number {
    hold(bits);
    const entry = table[held & ((1 << bits) - 1)];
    if (entry === 0) {
      if (heldBits === 0) throw END;
      throw new InflateError(message);
    }
    drop(entry & 15);
    return entry >> 4;
  }

  function copyStored(): void {
    drop(heldBits & 7);
    const size = readBits(16);
    if (size !== (readBits(16) ^ 0xffff)) throw new InflateError('invalid stored block lengths');
    // whole bytes may be held
    at -= heldBits >> 3;
    held = 0;
    heldBits = 0;
    const available = Math.min(size, input.length - at);
    const allowed = Math.min(available, maxLength - length);
    out.set(input.subarray(at, at + allowed), length);
    length += allowed;
    if (allowed < available) throw new InflateLimitError('too much data');
    at += available;
    if (available < size) throw END;
  }

  function readCodes(): { readonly literals: Codes; readonly distances: Codes } {
    const literalCount = readBits(5) + 257;
    const distanceCount = readBits(5) + 1;
    const codeCount = readBits(4) + 4;
    if (literalCount > 286 || distanceCount > 30) throw new InflateError('too many length or distance symbols');
    const codeLengths = new Uint8Array(19);
    for (let i = 0; i < codeCount; i++) codeLengths[CODE_ORDER[i]] = readBits(3);
    const codes = buildCodes(codeLengths, false);
    if (!codes) throw new InflateError('invalid code lengths set');
    // without any code, each bit means the length 0
    if (codes.table.every((entry) => entry === 0)) codes.table.fill(1);
    const lengths = new Uint8Array(literalCount + distanceCount);
    for (let i = 0; i < lengths.length; ) {
      const symbol = readSymbol(codes, 'invalid code lengths set');
      if (symbol < 16) {
        lengths[i++] = symbol;
        continue;
      }
      if (symbol === 16 && i === 0) {
        readBits(2);
        throw new InflateError('invalid bit length repeat');
      }
      const value = symbol === 16 ? lengths[i - 1] : 0;
      const count = symbol === 16 ? 3 + readBits(2) : symbol === 17 ? 3 + readBits(3) : 11 + readBits(7);
      if (i + count > lengths.length) throw new InflateError('invalid bit length repeat');
      lengths.fill(value, i, i + count);
      i += count;
    }
    if (lengths[END_OF_BLOCK] === 0) throw new InflateError('invalid code -- missing end-of-block');
    const literals = buildCodes(lengths.subarray(0, literalCount), true);
    if (!literals) throw new InflateError('invalid literal/lengths set');
    const distances = buildCodes(lengths.subarray(literalCount), true);
    if (!distances) throw new InflateError('invalid distances set');
    return { literals, distances };
  }

  function copyCompressed(literals: Codes, distances: Codes): void {
    for (;;) {
      const symbol = readSymbol(literals, 'invalid literal/length code');
      if (symbol < END_OF_BLOCK) {
        if (length === maxLength) throw new InflateLimitError('too much data');
        out[length++] = symbol;
        continue;
      }
      if (symbol === END_OF_BLOCK) return;
      const lengthCode = symbol - END_OF_BLOCK - 1;
      if (lengthCode >= LENGTH_BASE.length) throw new InflateError('invalid literal/length code');
      const count = LENGTH_BASE[lengthCode] + readBits(LENGTH_EXTRA[lengthCode]);
      const distanceCode = readSymbol(distances, 'invalid distance code');
      if (distanceCode >= DISTANCE_BASE.length) throw new InflateError('invalid distance code');
      const distance = DISTANCE_BASE[distanceCode] + readBits(DISTANCE_EXTRA[distanceCode]);
      if (distance > length) throw new InflateError('invalid distance too far back');
      const end = Math.min(length + count, maxLength);
      const isCut = end < length + count;
      // byte by byte, because a match may overlap what it writes
      for (let from = length - distance; length < end; ) out[length++] = out[from++];
      if (isCut) throw new InflateLimitError('too much data');
    }
  }

  try {
    for (let isLast = false; !isLast; ) {
      isLast = readBits(1) === 1;
      const type = readBits(2);
      if (type === 3) throw new InflateError('invalid block type');
      if (type === 0) copyStored();
      else {
        const { literals, distances } = type === 1 ? fixedCodes() : readCodes();
        copyCompressed(literals, distances);
      }
    }
  } catch (error) {
    if (error !== END) throw error;
    if (!mayBeTruncated) throw truncated();
  }
  return { bytes: out.subarray(0, length), end: at - (heldBits >> 3) };
}

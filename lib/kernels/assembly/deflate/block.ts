// Encodes LZ77 sequences (a run of literals, then a match) as one deflate block: with dynamic Huffman codes, or with
// the fixed codes where those are shorter (RFC 1951 sections 3.2.6 and 3.2.7). Literals are read in place from the
// input.
import { flushBits, putBits } from './bit-writer';
import { headerBits, planHeader, writeHeader } from './block-header';
import { canonicalCodes, codeLengths } from './huffman';
import {
  buildSymbols,
  DISTANCE_SYMBOLS,
  distanceExtraBits,
  distanceExtraValue,
  distanceSymbol,
  END_OF_BLOCK,
  LAST_LITERAL,
  LITERAL_SYMBOLS,
  lengthEntry,
} from './symbols';

export const MAX_SEQUENCES = 16384;
/** Pairs of u32: the literal count before the match; length | distance << 16, 0 if the block ends with literals. */
const sequences = memory.data(MAX_SEQUENCES * 8, 16);
let sequenceCount: i32 = 0;
/** Address of the block's first literal. */
let blockStartAddress: usize = 0;

const literalFrequencies = memory.data(LITERAL_SYMBOLS * 4, 16);
/** Three more histograms of bytes, so that increments for equal consecutive bytes don't depend on one another. */
const extraHistograms = memory.data(3 * 256 * 4, 16);
const distanceFrequencies = memory.data(32 * 4, 16);
const literalLengths = memory.data(LITERAL_SYMBOLS + 32, 16);
const distanceLengths = memory.data(32, 16);
const literalCodes = memory.data(LITERAL_SYMBOLS * 4, 16);
const distanceCodes = memory.data(32 * 4, 16);
const fixedLengths = memory.data(LITERAL_SYMBOLS + 32, 16);

export function startBlock(from: usize): void {
  buildSymbols();
  sequenceCount = 0;
  blockStartAddress = from;
}

/** Adds `literals` bytes followed by a match. Returns true when the block is full. */
@inline
export function addSequence(literals: u32, length: u32, distance: u32): bool {
  const at = sequences + (<usize>sequenceCount << 3);
  store<u32>(at, literals);
  store<u32>(at, length | (distance << 16), 4);
  return ++sequenceCount == MAX_SEQUENCES;
}

/** The size in bits of the block, were it written now. */
export function blockBits(): u64 {
  prepare();
  const dynamicBits = codedBits(literalLengths, distanceLengths) + headerBits();
  return min(dynamicBits, codedBits(fixedLengths, fixedLengths + LITERAL_SYMBOLS));
}

/** Writes the block. The next block starts where this one ends. */
export function writeBlock(last: bool): void {
  prepare();
  const dynamicBits = codedBits(literalLengths, distanceLengths) + headerBits();
  const isFixed = codedBits(fixedLengths, fixedLengths + LITERAL_SYMBOLS) <= dynamicBits;
  putBits(<u64>last | (isFixed ? 2 : 4), 3);
  flushBits();
  if (!isFixed) writeHeader(literalLengths, distanceLengths);
  canonicalCodes(isFixed ? fixedLengths : literalLengths, LITERAL_SYMBOLS, literalCodes);
  canonicalCodes(isFixed ? fixedLengths + LITERAL_SYMBOLS : distanceLengths, DISTANCE_SYMBOLS, distanceCodes);
  writeSequences();
}

/** Counts the symbols and builds their codes. */
function prepare(): void {
  if (load<u8>(fixedLengths) == 0) {
    for (let symbol = 0; symbol < LITERAL_SYMBOLS; symbol++) {
      store<u8>(fixedLengths + symbol, symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8);
    }
    memory.fill(fixedLengths + LITERAL_SYMBOLS, 5, 32);
  }
  countSymbols();
  codeLengths(literalFrequencies, LAST_LITERAL + 1, 15, literalLengths);
  codeLengths(distanceFrequencies, DISTANCE_SYMBOLS, 15, distanceLengths);
  planHeader(literalLengths, distanceLengths);
}

function countSymbols(): void {
  memory.fill(literalFrequencies, 0, LITERAL_SYMBOLS * 4);
  memory.fill(extraHistograms, 0, 3 * 256 * 4);
  memory.fill(distanceFrequencies, 0, 32 * 4);
  let from = blockStartAddress;
  for (let i = 0; i < sequenceCount; i++) {
    const at = sequences + (<usize>i << 3);
    const end = from + load<u32>(at);
    for (; from + 4 <= end; from += 4) {
      const four = load<u32>(from);
      increment(literalFrequencies + ((four & 255) << 2));
      increment(extraHistograms + (((four >> 8) & 255) << 2));
      increment(extraHistograms + 1024 + (((four >> 16) & 255) << 2));
      increment(extraHistograms + 2048 + ((four >> 24) << 2));
    }
    for (; from < end; from++) increment(literalFrequencies + (<usize>load<u8>(from) << 2));
    const match = load<u32>(at, 4);
    if (match == 0) continue;
    increment(literalFrequencies + ((lengthEntry(match & 511) & 511) << 2));
    increment(distanceFrequencies + (distanceSymbol(match >> 16) << 2));
    from += match & 511;
  }
  for (let i: usize = 0; i < 1024; i += 16) {
    const sum = i32x4.add(
      i32x4.add(v128.load(literalFrequencies + i), v128.load(extraHistograms + i)),
      i32x4.add(v128.load(extraHistograms + 1024 + i), v128.load(extraHistograms + 2048 + i)),
    );
    v128.store(literalFrequencies + i, sum);
  }
  store<u32>(literalFrequencies + END_OF_BLOCK * 4, 1);
}

@inline
function increment(counter: usize): void {
  store<u32>(counter, load<u32>(counter) + 1);
}

function codedBits(literalLengths: usize, distanceLengths: usize): u64 {
  let bits: u64 = 3;
  for (let symbol: u32 = 0; symbol <= <u32>LAST_LITERAL; symbol++) {
    const extra = symbol < 265 || symbol == 285 ? 0 : (symbol - 261) >> 2;
    bits += <u64>load<u32>(literalFrequencies + (symbol << 2)) * (<u64>load<u8>(literalLengths + symbol) + extra);
  }
  for (let symbol: u32 = 0; symbol < <u32>DISTANCE_SYMBOLS; symbol++) {
    const each = <u64>load<u8>(distanceLengths + symbol) + distanceExtraBits(symbol);
    bits += <u64>load<u32>(distanceFrequencies + (symbol << 2)) * each;
  }
  return bits;
}

@inline
function putLiteral(byte: u32): void {
  const code = load<u32>(literalCodes + (byte << 2));
  putBits(code & 0xffff, code >> 16);
}

function writeSequences(): void {
  let from = blockStartAddress;
  for (let i = 0; i < sequenceCount; i++) {
    const at = sequences + (<usize>i << 3);
    const end = from + load<u32>(at);
    // three codes of 15 bits plus at most 7 pending bits fit into 56
    for (; from + 3 <= end; from += 3) {
      putLiteral(load<u8>(from));
      putLiteral(load<u8>(from, 1));
      putLiteral(load<u8>(from, 2));
      flushBits();
    }
    for (; from < end; from++) putLiteral(load<u8>(from));
    flushBits();
    const match = load<u32>(at, 4);
    if (match == 0) continue;
    const length = lengthEntry(match & 511);
    putLiteral(length & 511);
    putBits(length >> 24, (length >> 16) & 255);
    const distance = match >> 16;
    const symbol = distanceSymbol(distance);
    const code = load<u32>(distanceCodes + (symbol << 2));
    putBits(code & 0xffff, code >> 16);
    // 20 bits of length, 15 of distance and at most 7 pending bits leave room for the 13 extra bits of the distance
    const extra = distanceExtraBits(symbol);
    putBits(distanceExtraValue(distance, extra), extra);
    flushBits();
    from += match & 511;
  }
  putLiteral(END_OF_BLOCK);
  flushBits();
  blockStartAddress = from;
  sequenceCount = 0;
}

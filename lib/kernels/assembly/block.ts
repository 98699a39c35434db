// Sequences (so many literals, then a match) → one deflate block with the codes that suit it, fixed ones where those are
// shorter (RFC 1951 sections 3.2.6 and 3.2.7). The literals are read from where they lie.
import { flushBits, putBits } from './bits';
import { headerBits, planHeader, writeHeader } from './header';
import { canonicalCodes, codeLengths } from './huffman';
import {
  buildSymbols,
  DISTANCES,
  distanceExtra,
  distanceRest,
  distanceSymbol,
  END_OF_BLOCK,
  LAST_LITERAL,
  LITERALS,
  lengthWord,
} from './symbols';

export const MOST_SEQUENCES = 16384;
/** Pairs of u32: literals before the match; length | distance << 16, 0 where the literals are the last. */
const sequences = memory.data(MOST_SEQUENCES * 8, 16);
let used: i32 = 0;
/** Where the block's first literal lies. */
let blockFrom: usize = 0;

const literalFrequencies = memory.data(LITERALS * 4, 16);
/** Three more counters a byte, so that equal bytes in a row don't wait for one another. */
const moreFrequencies = memory.data(3 * 256 * 4, 16);
const distanceFrequencies = memory.data(32 * 4, 16);
const literalLengths = memory.data(LITERALS + 32, 16);
const distanceLengths = memory.data(32, 16);
const literalCodes = memory.data(LITERALS * 4, 16);
const distanceCodes = memory.data(32 * 4, 16);
const fixedLengths = memory.data(LITERALS + 32, 16);

export function blockStart(from: usize): void {
  buildSymbols();
  used = 0;
  blockFrom = from;
}

/** Notes `literals` bytes and the match after them; true when the block is full. */
@inline
export function addSequence(literals: u32, length: u32, distance: u32): bool {
  const at = sequences + (<usize>used << 3);
  store<u32>(at, literals);
  store<u32>(at, length | (distance << 16), 4);
  return ++used == MOST_SEQUENCES;
}

/** The bits that the block would take. */
export function blockBits(): u64 {
  prepare();
  return min(codedBits(literalLengths, distanceLengths) + headerBits(), codedBits(fixedLengths, fixedLengths + LITERALS));
}

/** Writes the block; the next one begins where its bytes end. */
export function writeBlock(last: bool): void {
  prepare();
  const own = codedBits(literalLengths, distanceLengths) + headerBits();
  const isFixed = codedBits(fixedLengths, fixedLengths + LITERALS) <= own;
  putBits(<u64>last | (isFixed ? 2 : 4), 3);
  flushBits();
  if (!isFixed) writeHeader(literalLengths, distanceLengths);
  canonicalCodes(isFixed ? fixedLengths : literalLengths, LITERALS, literalCodes);
  canonicalCodes(isFixed ? fixedLengths + LITERALS : distanceLengths, DISTANCES, distanceCodes);
  writeSequences();
}

/** Counts the symbols and finds their codes. */
function prepare(): void {
  if (load<u8>(fixedLengths) == 0) {
    for (let symbol = 0; symbol < LITERALS; symbol++) {
      store<u8>(fixedLengths + symbol, symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8);
    }
    memory.fill(fixedLengths + LITERALS, 5, 32);
  }
  count();
  codeLengths(literalFrequencies, LAST_LITERAL + 1, 15, literalLengths);
  codeLengths(distanceFrequencies, DISTANCES, 15, distanceLengths);
  planHeader(literalLengths, distanceLengths);
}

function count(): void {
  memory.fill(literalFrequencies, 0, LITERALS * 4);
  memory.fill(moreFrequencies, 0, 3 * 256 * 4);
  memory.fill(distanceFrequencies, 0, 32 * 4);
  let from = blockFrom;
  for (let i = 0; i < used; i++) {
    const at = sequences + (<usize>i << 3);
    const end = from + load<u32>(at);
    for (; from + 4 <= end; from += 4) {
      const four = load<u32>(from);
      add(literalFrequencies + ((four & 255) << 2));
      add(moreFrequencies + (((four >> 8) & 255) << 2));
      add(moreFrequencies + 1024 + (((four >> 16) & 255) << 2));
      add(moreFrequencies + 2048 + ((four >> 24) << 2));
    }
    for (; from < end; from++) add(literalFrequencies + (<usize>load<u8>(from) << 2));
    const match = load<u32>(at, 4);
    if (match == 0) continue;
    add(literalFrequencies + ((lengthWord(match & 511) & 511) << 2));
    add(distanceFrequencies + (distanceSymbol(match >> 16) << 2));
    from += match & 511;
  }
  for (let i: usize = 0; i < 1024; i += 16) {
    const sum = i32x4.add(
      i32x4.add(v128.load(literalFrequencies + i), v128.load(moreFrequencies + i)),
      i32x4.add(v128.load(moreFrequencies + 1024 + i), v128.load(moreFrequencies + 2048 + i)),
    );
    v128.store(literalFrequencies + i, sum);
  }
  store<u32>(literalFrequencies + END_OF_BLOCK * 4, 1);
}

@inline
function add(counter: usize): void {
  store<u32>(counter, load<u32>(counter) + 1);
}

function codedBits(ofLiterals: usize, ofDistances: usize): u64 {
  let bits: u64 = 3;
  for (let symbol: u32 = 0; symbol <= <u32>LAST_LITERAL; symbol++) {
    const extra = symbol < 265 || symbol == 285 ? 0 : (symbol - 261) >> 2;
    bits += <u64>load<u32>(literalFrequencies + (symbol << 2)) * (<u64>load<u8>(ofLiterals + symbol) + extra);
  }
  for (let symbol: u32 = 0; symbol < <u32>DISTANCES; symbol++) {
    const each = <u64>load<u8>(ofDistances + symbol) + distanceExtra(symbol);
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
  let from = blockFrom;
  for (let i = 0; i < used; i++) {
    const at = sequences + (<usize>i << 3);
    const end = from + load<u32>(at);
    // three codes of 15 bits and the 7 left over stay within 56
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
    const length = lengthWord(match & 511);
    putLiteral(length & 511);
    putBits(length >> 24, (length >> 16) & 255);
    const distance = match >> 16;
    const symbol = distanceSymbol(distance);
    const code = load<u32>(distanceCodes + (symbol << 2));
    putBits(code & 0xffff, code >> 16);
    // 20 bits of the length, 15 of the distance and the 7 left over leave room for its 13
    const extra = distanceExtra(symbol);
    putBits(distanceRest(distance, extra), extra);
    flushBits();
    from += match & 511;
  }
  putLiteral(END_OF_BLOCK);
  flushBits();
  blockFrom = from;
  used = 0;
}

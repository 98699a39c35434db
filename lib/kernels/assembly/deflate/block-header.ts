// Writes the header of a dynamic block: the code lengths of both codes as one run-length coded list, with its Huffman code (RFC
// 1951 section 3.2.7).
import { flushBits, putBits } from './bit-writer';
import { canonicalCodes, codeLengths } from './huffman';
import { DISTANCE_SYMBOLS, LAST_LITERAL, LITERAL_SYMBOLS } from './symbols';

/** Run-length symbols: symbol | extra value << 8. */
const runs = memory.data(320 * 2, 16);
const runFrequencies = memory.data(20 * 4, 16);
const runLengths = memory.data(20, 16);
const runCodes = memory.data(20 * 4, 16);
const runOrder = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);
let runCount: i32 = 0;

/** Returns the number of code lengths to send: all up to the last non-zero one, at least `minimum`. */
function sentLengths(lengths: usize, count: i32, minimum: i32): i32 {
  let sent = count;
  while (sent > minimum && load<u8>(lengths + sent - 1) == 0) sent--;
  return sent;
}

/**
 * Run-length codes the lengths of both codes and builds the code for the runs. `literalLengths` must have room for 32
 * more lengths at its end.
 */
export function planHeader(literalLengths: usize, distanceLengths: usize): void {
  const literals = sentLengths(literalLengths, LAST_LITERAL + 1, 257);
  const distances = sentLengths(distanceLengths, DISTANCE_SYMBOLS, 1);
  memory.copy(literalLengths + literals, distanceLengths, distances);
  const total = literals + distances;
  memory.fill(runFrequencies, 0, 20 * 4);
  runCount = 0;
  for (let i = 0; i < total; ) {
    const length = load<u8>(literalLengths + i);
    let run = 1;
    while (i + run < total && load<u8>(literalLengths + i + run) == length) run++;
    i += run;
    if (length == 0) {
      for (; run >= 11; ) {
        const part = min(run, 138);
        addRun(18, part - 11);
        run -= part;
      }
      if (run >= 3) {
        addRun(17, run - 3);
        run = 0;
      }
    } else {
      addRun(length, 0);
      for (run--; run >= 3; ) {
        const part = min(run, 6);
        addRun(16, part - 3);
        run -= part;
      }
    }
    for (; run > 0; run--) addRun(length, 0);
  }
  memory.fill(literalLengths + literals, 0, LITERAL_SYMBOLS + 32 - literals);
  codeLengths(runFrequencies, 19, 7, runLengths);
}

function addRun(symbol: u32, extraValue: u32): void {
  store<u16>(runs + (<usize>runCount << 1), <u16>(symbol | (extraValue << 8)));
  runCount++;
  const counter = runFrequencies + (symbol << 2);
  store<u32>(counter, load<u32>(counter) + 1);
}

@inline
function runExtra(symbol: u32): u32 {
  return symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
}

function sentRunLengths(): i32 {
  let sent = 19;
  while (sent > 4 && load<u8>(runLengths + load<u8>(runOrder + sent - 1)) == 0) sent--;
  return sent;
}

export function headerBits(): u64 {
  let bits: u64 = 14 + 3 * sentRunLengths();
  for (let symbol: u32 = 0; symbol < 19; symbol++) {
    const symbolBits = load<u8>(runLengths + symbol) + runExtra(symbol);
    bits += <u64>load<u32>(runFrequencies + (symbol << 2)) * symbolBits;
  }
  return bits;
}

export function writeHeader(literalLengths: usize, distanceLengths: usize): void {
  const sent = sentRunLengths();
  putBits(sentLengths(literalLengths, LAST_LITERAL + 1, 257) - 257, 5);
  putBits(sentLengths(distanceLengths, DISTANCE_SYMBOLS, 1) - 1, 5);
  putBits(sent - 4, 4);
  flushBits();
  for (let i = 0; i < sent; i++) {
    putBits(load<u8>(runLengths + load<u8>(runOrder + i)), 3);
    flushBits();
  }
  canonicalCodes(runLengths, 19, runCodes);
  for (let i = 0; i < runCount; i++) {
    const run = load<u16>(runs + (<usize>i << 1));
    const symbol: u32 = run & 255;
    const code = load<u32>(runCodes + (symbol << 2));
    putBits(code & 0xffff, code >> 16);
    putBits(run >> 8, runExtra(symbol));
    flushBits();
  }
}

// Frequencies → a prefix code of a lossless WebP, written ahead of what it codes (RFC 9649 section 3.7.2.1).
import { flushBits, putBits } from './bits';
import { canonicalCodes, codeLengths } from './huffman';

/** Symbols of the largest alphabet: 256 values and 24 lengths. */
export const MOST_SYMBOLS = 280;

/** The code being written: its lengths as runs, symbol | repeats << 8, and the code for those. */
const lengths = memory.data(MOST_SYMBOLS, 16);
const runs = memory.data(MOST_SYMBOLS * 2, 16);
const runFrequencies = memory.data(20 * 4, 16);
const runLengths = memory.data(20, 16);
const runCodes = memory.data(20 * 4, 16);
const runOrder = memory.data<u8>([17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
let runCount: i32 = 0;

/**
 * Finds and writes the code for `count` frequencies; to `codes`, for each symbol, the bits of its code in the order they are
 * sent, and their number << 16. Returns how many bits the symbols take, each as often as its frequency says.
 */
export function writeCode(frequencies: usize, count: i32, codes: usize): u64 {
  let used = 0;
  let only = 0;
  for (let symbol = 0; symbol < count; symbol++) {
    if (load<u32>(frequencies + (symbol << 2)) == 0) continue;
    used++;
    only = symbol;
  }
  memory.fill(codes, 0, <usize>count << 2);
  if (used <= 1 && only < 256) {
    // a simple code of one symbol of 8 bits, which then takes none
    putBits(1 | (1 << 2) | (only << 3), 11);
    flushBits();
    return 0;
  }
  codeLengths(frequencies, count, 15, lengths);
  canonicalCodes(lengths, count, codes);
  writeLengths(count);
  let bits: u64 = 0;
  for (let symbol = 0; symbol < count; symbol++) {
    bits += <u64>load<u32>(frequencies + (symbol << 2)) * load<u8>(lengths + symbol);
  }
  return bits;
}

function writeLengths(count: i32): void {
  memory.fill(runFrequencies, 0, 20 * 4);
  runCount = 0;
  for (let i = 0; i < count; ) {
    const length = load<u8>(lengths + i);
    let run = 1;
    while (i + run < count && load<u8>(lengths + i + run) == length) run++;
    i += run;
    if (length == 0) {
      for (; run >= 11; run -= min(run, 138)) addRun(18, min(run, 138) - 11);
      if (run >= 3) {
        addRun(17, run - 3);
        run = 0;
      }
    } else {
      addRun(length, 0);
      run--;
      for (; run >= 3; run -= min(run, 6)) addRun(16, min(run, 6) - 3);
    }
    for (; run > 0; run--) addRun(length, 0);
  }
  // a code of one symbol would take no bits: a second one keeps it a plain one
  for (let symbol: u32 = 17; symbol < 19; symbol++) {
    const counter = runFrequencies + (symbol << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  codeLengths(runFrequencies, 19, 7, runLengths);
  canonicalCodes(runLengths, 19, runCodes);
  let sent = 19;
  while (sent > 4 && load<u8>(runLengths + load<u8>(runOrder + sent - 1)) == 0) sent--;
  putBits((sent - 4) << 1, 5);
  for (let i = 0; i < sent; i++) {
    putBits(load<u8>(runLengths + load<u8>(runOrder + i)), 3);
    flushBits();
  }
  // lengths of the whole alphabet follow
  putBits(0, 1);
  for (let i = 0; i < runCount; i++) {
    const run = load<u16>(runs + (<usize>i << 1));
    const symbol: u32 = run & 255;
    const code = load<u32>(runCodes + (symbol << 2));
    putBits(code & 0xffff, code >> 16);
    putBits(run >> 8, symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
    flushBits();
  }
}

function addRun(symbol: u32, rest: u32): void {
  store<u16>(runs + (<usize>runCount << 1), <u16>(symbol | (rest << 8)));
  runCount++;
  const counter = runFrequencies + (symbol << 2);
  store<u32>(counter, load<u32>(counter) + 1);
}

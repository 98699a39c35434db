// Builds a prefix code from frequencies and writes it in the format of lossless WebP (RFC 9649 section 3.7.2.1).
import { flushBits, putBits } from '../deflate/bit-writer';
import { canonicalCodes, codeLengths } from '../deflate/huffman';

/** Symbols of the largest alphabet: 256 literals and 24 length codes. */
export const MAX_SYMBOLS = 280;

/**
 * The code being written: its lengths, their run-length symbols (symbol | extra value << 8), and the code for those.
 */
const lengths = memory.data(MAX_SYMBOLS, 16);
const runs = memory.data(MAX_SYMBOLS * 2, 16);
const runFrequencies = memory.data(20 * 4, 16);
const runLengths = memory.data(20, 16);
const runCodes = memory.data(20 * 4, 16);
const runOrder = memory.data<u8>([17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
let runCount: i32 = 0;

/**
 * Builds and writes the code for `count` frequencies. Stores per symbol in `codes`: the code's bits in sending order |
 * their number << 16. Returns the total number of bits that the symbols take at these frequencies.
 */
export function writeCode(frequencies: usize, count: i32, codes: usize): u64 {
  let used = 0;
  let lastUsed = 0;
  for (let symbol = 0; symbol < count; symbol++) {
    if (load<u32>(frequencies + (symbol << 2)) == 0) continue;
    used++;
    lastUsed = symbol;
  }
  memory.fill(codes, 0, <usize>count << 2);
  if (used <= 1 && lastUsed < 256) {
    // a simple code of one 8-bit symbol, which then takes no bits
    putBits(1 | (1 << 2) | (lastUsed << 3), 11);
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
  // a code of a single symbol would take no bits: a second symbol makes it an ordinary code
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
  // max_symbol is not limited: lengths of the whole alphabet follow
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

function addRun(symbol: u32, extraValue: u32): void {
  store<u16>(runs + (<usize>runCount << 1), <u16>(symbol | (extraValue << 8)));
  runCount++;
  const counter = runFrequencies + (symbol << 2);
  store<u32>(counter, load<u32>(counter) + 1);
}

// Builds a prefix code from frequencies and writes it in the format of lossless WebP (RFC 9649 section 3.7.2.1). Twin of
// assembly/webp/prefix-code.ts.
import type { BitWriter } from '../deflate/bit-writer.js';
import { canonicalCodes, codeLengths } from '../deflate/huffman.js';

const MAX_CODE_BITS = 15;
const MAX_RUN_CODE_BITS = 7;
const RUN_SYMBOLS = 19;
const RUN_ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/** Extra bits of the run-length symbols from 16 on. */
const RUN_EXTRA_BITS = [2, 3, 7];

export interface PrefixCode {
  /** Per symbol, in sending order. */
  readonly codes: ArrayLike<number>;
  /** Bits per symbol. */
  readonly lengths: Uint8Array;
  /** All symbols at their frequencies. */
  readonly bits: number;
}

export function putCode(bits: BitWriter, { codes, lengths }: PrefixCode, symbol: number): void {
  bits.put(codes[symbol], lengths[symbol]);
}

/** Builds and writes the code for these frequencies. */
export function writeCode(bits: BitWriter, frequencies: Uint32Array): PrefixCode {
  const used = [...frequencies.keys()].filter((symbol) => frequencies[symbol] > 0);
  const last = used.at(-1) ?? 0;
  if (used.length <= 1 && last < 256) {
    // a simple code of one 8-bit symbol, which then takes no bits
    bits.put(1 | (1 << 2) | (last << 3), 11);
    return { codes: new Uint32Array(frequencies.length), lengths: new Uint8Array(frequencies.length), bits: 0 };
  }
  const lengths = codeLengths(frequencies, MAX_CODE_BITS);
  writeLengths(bits, lengths);
  const size = lengths.reduce((sum, length, symbol) => sum + length * frequencies[symbol], 0);
  return { codes: canonicalCodes(lengths), lengths, bits: size };
}

function writeLengths(bits: BitWriter, lengths: Uint8Array): void {
  const runs = runsOf(lengths);
  const frequencies = new Uint32Array(RUN_SYMBOLS);
  for (const { symbol } of runs) frequencies[symbol]++;
  // a code of a single symbol would take no bits: a second symbol makes it an ordinary code
  frequencies[17]++;
  frequencies[18]++;
  const runLengths = codeLengths(frequencies, MAX_RUN_CODE_BITS);
  const code: PrefixCode = { codes: canonicalCodes(runLengths), lengths: runLengths, bits: 0 };
  let sent = RUN_SYMBOLS;
  while (sent > 4 && runLengths[RUN_ORDER[sent - 1]] === 0) sent--;
  bits.put((sent - 4) << 1, 5);
  for (const symbol of RUN_ORDER.slice(0, sent)) bits.put(runLengths[symbol], 3);
  // max_symbol is not limited: lengths of the whole alphabet follow
  bits.put(0, 1);
  for (const { symbol, extra } of runs) {
    putCode(bits, code, symbol);
    bits.put(extra, RUN_EXTRA_BITS[symbol - 16] ?? 0);
  }
}

/** Code lengths as run-length symbols with their extra values. */
function runsOf(lengths: Uint8Array): { symbol: number; extra: number }[] {
  const runs: { symbol: number; extra: number }[] = [];
  for (let i = 0; i < lengths.length; ) {
    const length = lengths[i];
    let run = 1;
    while (i + run < lengths.length && lengths[i + run] === length) run++;
    i += run;
    if (length === 0) {
      for (; run >= 11; run -= Math.min(run, 138)) runs.push({ symbol: 18, extra: Math.min(run, 138) - 11 });
      if (run >= 3) {
        runs.push({ symbol: 17, extra: run - 3 });
        run = 0;
      }
    } else {
      runs.push({ symbol: length, extra: 0 });
      run--;
      for (; run >= 3; run -= Math.min(run, 6)) runs.push({ symbol: 16, extra: Math.min(run, 6) - 3 });
    }
    for (; run > 0; run--) runs.push({ symbol: length, extra: 0 });
  }
  return runs;
}

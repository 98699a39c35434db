// Encodes LZ77 sequences (a run of literals, then a match) as one deflate block: with dynamic Huffman codes, or with the
// fixed codes where those are shorter (RFC 1951 sections 3.2.6 and 3.2.7). Twin of assembly/deflate/block.ts and
// block-header.ts.
import type { PlainMemory } from '../memory.js';
import type { BitWriter } from './bit-writer.js';
import { canonicalCodes, codeLengths } from './huffman.js';
import {
  DISTANCE_SYMBOLS,
  distanceExtraBits,
  distanceSymbol,
  END_OF_BLOCK,
  LENGTH_EXTRA_VALUES,
  LENGTH_SYMBOLS,
  LITERAL_SYMBOLS,
  lengthExtraBits,
} from './symbols.js';

const MAX_SEQUENCES = 16384;
const MAX_CODE_BITS = 15;
const MAX_RUN_CODE_BITS = 7;
const DYNAMIC = 2;
const FIXED = 1;

/** The order in which the lengths of the run-length code are sent. */
const RUN_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const FIXED_LITERAL_LENGTHS = Uint8Array.from({ length: LITERAL_SYMBOLS + 2 }, (_, symbol) =>
  symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
);
const FIXED_DISTANCE_LENGTHS = new Uint8Array(DISTANCE_SYMBOLS + 2).fill(5);

/** A symbol of the run-length code, with the value of its extra bits. */
interface Run {
  readonly symbol: number;
  readonly extra: number;
}

/** The code lengths of both codes as one run-length coded list, with its code (section 3.2.7). */
interface Header {
  readonly literals: number;
  readonly distances: number;
  readonly runs: readonly Run[];
  readonly runLengths: Uint8Array;
  /** Number of `runLengths` that are sent. */
  readonly sentRunLengths: number;
  readonly bits: number;
}

export class Block {
  /** Address of the block's first literal. */
  private start = 0;
  private count = 0;
  /** Per sequence: the literals before the match, its length (0: the block ends without a match) and its distance. */
  private readonly literals = new Uint32Array(MAX_SEQUENCES);
  private readonly lengths = new Uint16Array(MAX_SEQUENCES);
  private readonly distances = new Uint16Array(MAX_SEQUENCES);
  private readonly literalFrequencies = new Uint32Array(LITERAL_SYMBOLS);
  private readonly distanceFrequencies = new Uint32Array(DISTANCE_SYMBOLS);

  constructor(
    private readonly memory: PlainMemory,
    private readonly bits: BitWriter,
  ) {}

  begin(from: number): void {
    this.start = from;
    this.count = 0;
  }

  /** Adds `literals` bytes followed by a match. Returns true when the block is full. */
  add(literals: number, length: number, distance: number): boolean {
    this.literals[this.count] = literals;
    this.lengths[this.count] = length;
    this.distances[this.count] = distance;
    return ++this.count === MAX_SEQUENCES;
  }

  /** The size in bits of the block, were it written now. */
  size(): number {
    const { dynamicBits, fixedBits } = this.plan();
    return Math.min(dynamicBits, fixedBits);
  }

  write(last: boolean): void {
    const { literalLengths, distanceLengths, header, dynamicBits, fixedBits } = this.plan();
    const isFixed = fixedBits <= dynamicBits;
    this.bits.put((last ? 1 : 0) | ((isFixed ? FIXED : DYNAMIC) << 1), 3);
    if (isFixed) this.writeSequences(FIXED_LITERAL_LENGTHS, FIXED_DISTANCE_LENGTHS);
    else {
      this.writeHeader(header);
      this.writeSequences(literalLengths, distanceLengths);
    }
  }

  /** Counts the symbols and builds their codes. */
  private plan() {
    this.countSymbols();
    const literalLengths = codeLengths(this.literalFrequencies, MAX_CODE_BITS);
    const distanceLengths = codeLengths(this.distanceFrequencies, MAX_CODE_BITS);
    const header = planHeader(literalLengths, distanceLengths);
    return {
      literalLengths,
      distanceLengths,
      header,
      dynamicBits: this.codedBits(literalLengths, distanceLengths) + header.bits,
      fixedBits: this.codedBits(FIXED_LITERAL_LENGTHS, FIXED_DISTANCE_LENGTHS),
    };
  }

  private countSymbols(): void {
    const { literalFrequencies, distanceFrequencies, lengths } = this;
    const { bytes } = this.memory;
    literalFrequencies.fill(0);
    distanceFrequencies.fill(0);
    let from = this.start;
    for (let i = 0; i < this.count; i++) {
      for (const end = from + this.literals[i]; from < end; from++) literalFrequencies[bytes[from]]++;
      if (lengths[i] === 0) continue;
      literalFrequencies[LENGTH_SYMBOLS[lengths[i]]]++;
      distanceFrequencies[distanceSymbol(this.distances[i])]++;
      from += lengths[i];
    }
    literalFrequencies[END_OF_BLOCK] = 1;
  }

  private codedBits(literalLengths: Uint8Array, distanceLengths: Uint8Array): number {
    const ofLiterals = this.literalFrequencies.reduce(
      (sum, frequency, symbol) => sum + frequency * (literalLengths[symbol] + lengthExtraBits(symbol)),
      0,
    );
    const ofDistances = this.distanceFrequencies.reduce(
      (sum, frequency, symbol) => sum + frequency * (distanceLengths[symbol] + distanceExtraBits(symbol)),
      0,
    );
    return 3 + ofLiterals + ofDistances;
  }

  private writeHeader({ literals, distances, runs, runLengths, sentRunLengths }: Header): void {
    const { bits } = this;
    bits.put(literals - 257, 5);
    bits.put(distances - 1, 5);
    bits.put(sentRunLengths - 4, 4);
    for (let i = 0; i < sentRunLengths; i++) bits.put(runLengths[RUN_ORDER[i]], 3);
    const codes = canonicalCodes(runLengths);
    for (const { symbol, extra } of runs) {
      bits.put(codes[symbol], runLengths[symbol]);
      bits.put(extra, runExtraBits(symbol));
    }
  }

  private writeSequences(literalLengths: Uint8Array, distanceLengths: Uint8Array): void {
    const { bits, lengths, distances } = this;
    const { bytes } = this.memory;
    const literalCodes = canonicalCodes(literalLengths);
    const distanceCodes = canonicalCodes(distanceLengths);
    let from = this.start;
    for (let i = 0; i < this.count; i++) {
      for (const end = from + this.literals[i]; from < end; from++) {
        bits.put(literalCodes[bytes[from]], literalLengths[bytes[from]]);
      }
      const length = lengths[i];
      if (length === 0) continue;
      const lengthSymbol = LENGTH_SYMBOLS[length];
      bits.put(literalCodes[lengthSymbol], literalLengths[lengthSymbol]);
      bits.put(LENGTH_EXTRA_VALUES[length], lengthExtraBits(lengthSymbol));
      const symbol = distanceSymbol(distances[i]);
      const extra = distanceExtraBits(symbol);
      bits.put(distanceCodes[symbol], distanceLengths[symbol]);
      bits.put((distances[i] - 1) & ((1 << extra) - 1), extra);
      from += length;
    }
    bits.put(literalCodes[END_OF_BLOCK], literalLengths[END_OF_BLOCK]);
    this.begin(from);
  }
}

function planHeader(literalLengths: Uint8Array, distanceLengths: Uint8Array): Header {
  const literals = sentLengths(literalLengths, 257);
  const distances = sentLengths(distanceLengths, 1);
  const runs = runsOf([...literalLengths.subarray(0, literals), ...distanceLengths.subarray(0, distances)]);
  const frequencies = new Uint32Array(RUN_ORDER.length);
  for (const { symbol } of runs) frequencies[symbol]++;
  const runLengths = codeLengths(frequencies, MAX_RUN_CODE_BITS);
  const sentRunLengths = sentLengths(
    RUN_ORDER.map((symbol) => runLengths[symbol]),
    4,
  );
  const runBits = runs.reduce((sum, { symbol }) => sum + runLengths[symbol] + runExtraBits(symbol), 0);
  return { literals, distances, runs, runLengths, sentRunLengths, bits: 14 + 3 * sentRunLengths + runBits };
}

/** Returns the number of code lengths to send: all up to the last non-zero one, at least `minimum`. */
function sentLengths(lengths: ArrayLike<number>, minimum: number): number {
  let sent = lengths.length;
  while (sent > minimum && lengths[sent - 1] === 0) sent--;
  return sent;
}

/** Symbols below 16 are lengths; 16 repeats the last length 3–6 times, 17 and 18 repeat 0 up to 10 and 138 times. */
function runsOf(lengths: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (let i = 0; i < lengths.length; ) {
    const length = lengths[i];
    let run = 1;
    while (lengths[i + run] === length) run++;
    i += run;
    if (length > 0) {
      runs.push({ symbol: length, extra: 0 });
      run--;
    }
    const [symbol, longest] = length > 0 ? [16, 6] : [18, 138];
    const shortest = length > 0 ? 3 : 11;
    for (; run >= shortest; run -= Math.min(run, longest)) {
      runs.push({ symbol, extra: Math.min(run, longest) - shortest });
    }
    if (length === 0 && run >= 3) {
      runs.push({ symbol: 17, extra: run - 3 });
      run = 0;
    }
    for (; run > 0; run--) runs.push({ symbol: length, extra: 0 });
  }
  return runs;
}

function runExtraBits(symbol: number): number {
  return symbol < 16 ? 0 : symbol === 16 ? 2 : symbol === 17 ? 3 : 7;
}

// The encoder's tables: the examples of ITU T.81 annex K, with quantization scaled by quality as the Independent JPEG
// Group does, so that a quality means the same as in other encoders.

/** Zigzag index → natural index, row × 8 + column (figure A.6). */
export const ZIGZAG = Uint8Array.of(
  ...[0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21],
  ...[
    28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54,
  ],
  ...[47, 55, 62, 63],
);

/** Tables K.1 and K.2, row by row. */
const LUMA_STEPS = [
  ...[
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
  ],
  ...[
    87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
  ],
  ...[72, 92, 95, 98, 112, 100, 103, 99],
];
const CHROMA_STEPS = [
  ...[17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66],
  ...Array<number>(38).fill(99),
];

export interface QuantizationTables {
  /** Step sizes of 1–255, row by row. */
  readonly luma: Uint8Array;
  readonly chroma: Uint8Array;
}

/** The step sizes for an integer `quality` of 1–100: at 50 those of the standard, at 100 all 1. */
export function quantizationTables(quality: number): QuantizationTables {
  const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - quality * 2;
  const scaled = (steps: readonly number[]) =>
    Uint8Array.from(steps, (step) => Math.min(255, Math.max(1, Math.floor((step * percent + 50) / 100))));
  return { luma: scaled(LUMA_STEPS), chroma: scaled(CHROMA_STEPS) };
}

export interface HuffmanTable {
  /** Number of codes per length, 1–16 bits. */
  readonly counts: Uint8Array;
  /** The symbols in code order. */
  readonly symbols: Uint8Array;
  /** The code of each symbol: its bits and their number; 0 bits for unused symbols. */
  readonly codes: Uint16Array;
  readonly lengths: Uint8Array;
}

function huffmanTable(counts: string, symbols: string): HuffmanTable {
  const table: HuffmanTable = {
    counts: Uint8Array.from(counts.split(' '), Number),
    symbols: Uint8Array.from(symbols.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
    codes: new Uint16Array(256),
    lengths: new Uint8Array(256),
  };
  // Annex C.2: codes count up, and are doubled when they grow longer.
  let code = 0;
  let next = 0;
  for (let length = 1; length <= 16; length++, code <<= 1) {
    for (let i = 0; i < table.counts[length - 1]; i++, code++, next++) {
      table.codes[table.symbols[next]] = code;
      table.lengths[table.symbols[next]] = length;
    }
  }
  return table;
}

const DC_SYMBOLS = '000102030405060708090a0b';

/**
 * Tables K.3–K.6. A DC symbol is the number of magnitude bits; an AC symbol also has the preceding run of zeros in its
 * high nibble.
 */
export const LUMA_DC = huffmanTable('0 1 5 1 1 1 1 1 1 0 0 0 0 0 0 0', DC_SYMBOLS);
export const CHROMA_DC = huffmanTable('0 3 1 1 1 1 1 1 1 1 1 0 0 0 0 0', DC_SYMBOLS);
export const LUMA_AC = huffmanTable(
  '0 2 1 3 3 2 4 3 5 5 4 4 0 0 1 125',
  '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a' +
    '434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9' +
    'aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
);
export const CHROMA_AC = huffmanTable(
  '0 2 1 2 4 4 3 4 7 5 4 4 0 1 2 119',
  '000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a3536373839' +
    '3a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7' +
    'a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa',
);

/**
 * A component's tables in the format of the kernels (kernels/assembly/jpeg/huffman-encode.ts and fdct.ts), as 16-bit
 * values: 16 + 256 entries of 32 bits (a code, shifted left by the number of value bits; the top 6 bits hold the total
 * length), then 64 divisors and 64 scales in column order: 2^(15 + m) / step, which is between 2^14 and 2^15, and 2^(10
 * - m).
 */
export function codingTable(dc: HuffmanTable, ac: HuffmanTable, steps: Uint8Array): Uint16Array {
  const table = new Uint16Array(672);
  const entries = new Uint32Array(table.buffer, 0, 272);
  const entry = ({ codes, lengths }: HuffmanTable, symbol: number) => {
    const magnitude = symbol & 15;
    return ((lengths[symbol] + magnitude) << 26) | (codes[symbol] << magnitude);
  };
  for (let symbol = 0; symbol < 12; symbol++) entries[symbol] = entry(dc, symbol);
  for (const symbol of ac.symbols) entries[16 + symbol] = entry(ac, symbol);
  for (let i = 0; i < 64; i++) {
    const step = steps[(i & 7) * 8 + (i >> 3)];
    // for powers of two, the largest 16-bit number: 1/32768 below the exact value
    const power = 31 - Math.clz32(step);
    table[544 + i] = Math.min(32767, Math.round(2 ** (15 + power) / step));
    table[608 + i] = 2 ** (10 - power);
  }
  return table;
}

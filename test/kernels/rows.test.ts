// Compares the row kernels with the plain kernels, and both with the PNG specification's formulas and indexes from a Map.
import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { allocate, kernels } from '../../lib/kernels/kernels.js';
import { randomBelow } from '../codecs/pictures.js';
import { withPlainKernels } from './plain.js';

type Channels = 3 | 4;

interface Band {
  readonly width: number;
  /** Premultiplied pixels as 32-bit values; the first row is the one above the band. */
  readonly words: Uint32Array;
  readonly rows: number;
}

/** Smooth in places, noisy in others, some rows repeated, so that every filter is chosen somewhere. */
function band(width: number, rows: number, seed: number, opaque: boolean): Band {
  const random = randomBelow(seed);
  const words = new Uint32Array((rows + 1) * width);
  const bytes = new Uint8Array(words.buffer);
  for (let y = 0; y <= rows; y++) {
    const kind = random(4);
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const alpha = opaque ? 255 : random(3) * 100;
      for (let c = 0; c < 3; c++) {
        const smooth = [x * 3, y * 7, x + y, random(256)][kind] + c * 20 + random(3);
        bytes[at + c] = Math.min(alpha, smooth & 255);
      }
      bytes[at + 3] = alpha;
    }
    if (y > 1 && random(4) === 0) words.copyWithin(y * width, (y - 1) * width, y * width);
  }
  return { width, words, rows };
}

const repeatsOf = ({ words, width, rows }: Band) =>
  Uint8Array.from({ length: rows }, (_, y) =>
    words.subarray((y + 1) * width, (y + 2) * width).every((word, x) => word === words[y * width + x]) ? 1 : 0,
  );

/** The band's rows as straight, unfiltered bytes. */
function plainRows({ words, width, rows }: Band, channels: Channels): Uint8Array[] {
  const bytes = new Uint8Array(words.buffer);
  return Array.from({ length: rows + 1 }, (_, y) => {
    const row = new Uint8Array(width * channels);
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const alpha = bytes[at + 3];
      for (let c = 0; c < 3; c++) {
        row[x * channels + c] =
          alpha === 0 ? 0 : Math.min(255, Math.floor((bytes[at + c] * 255 + (alpha >> 1)) / alpha));
      }
      if (channels === 4) row[x * 4 + 3] = alpha;
    }
    return row;
  });
}

/** Reverses a filter byte by byte (PNG specification section 9.2). */
function unfiltered(filter: number, line: Uint8Array, above: Uint8Array, channels: Channels): Uint8Array {
  const out = new Uint8Array(line.length);
  line.forEach((byte, i) => {
    const a = i < channels ? 0 : out[i - channels];
    const b = above[i];
    const c = i < channels ? 0 : above[i - channels];
    const p = a + b - c;
    const [pa, pb, pc] = [a, b, c].map((value) => Math.abs(p - value));
    const paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    out[i] = byte + [0, a, b, (a + b) >> 1, paeth][filter];
  });
  return out;
}

/** Runs a packing kernel. */
type Run = (pixels: number, repeats: number, lines: number, out: number) => void;

/** Runs a packing kernel on a band; returns its rows, including filter bytes, which must be the same by the plain kernel. */
function pack(band: Band, rowBytes: number, run: Run): Uint8Array[] {
  const plain = withPlainKernels(() => packOnce(band, rowBytes, run));
  const rows = packOnce(band, rowBytes, run);
  deepEqual(plain, rows);
  return rows;
}

function packOnce(band: Band, rowBytes: number, run: Run): Uint8Array[] {
  const { width, words, rows } = band;
  const [repeats, above, lines, out] = allocate([rows, words.length * 4, rowBytes * 2 + 64, rows * rowBytes + 64]);
  const memory = new Uint8Array(kernels().memory.buffer);
  memory.fill(0xaa, lines, out + rows * rowBytes + 64);
  memory.set(repeatsOf(band), repeats);
  memory.set(new Uint8Array(words.buffer), above);
  run(above + width * 4, repeats, lines, out);
  return Array.from({ length: rows }, (_, y) => memory.slice(out + y * rowBytes, out + (y + 1) * rowBytes));
}

t.test('filtered rows decode to the pixels, and every filter is used', (t) => {
  const usedFilters = new Set<number>();
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 70 }),
      fc.integer({ min: 1, max: 12 }),
      fc.nat(),
      fc.constantFrom<Channels>(3, 4),
      fc.boolean(),
      fc.boolean(),
      (width, rows, seed, channels, hasAbove, filtered) => {
        const source = band(width, rows, seed, channels === 3);
        if (!hasAbove) source.words.fill(0, 0, width);
        const plain = plainRows(source, channels);
        const lines = pack(source, 1 + width * channels, (pixels, repeats, lines, out) =>
          kernels().filterRows(pixels, width, rows, channels, repeats, hasAbove, filtered, lines, out),
        );
        return lines.every((line, y) => {
          usedFilters.add(line[0]);
          return Buffer.from(unfiltered(line[0], line.subarray(1), plain[y], channels)).equals(plain[y + 1]);
        });
      },
    ),
    { seed: 5, numRuns: 400 },
  );
  t.same([...usedFilters].sort(), [0, 1, 2, 3, 4]);
  t.end();
});

t.test('chooses the filter with the minimum sum of absolute differences', (t) => {
  const width = 64;
  const source = band(width, 40, 11, true);
  const plain = plainRows(source, 3);
  const lines = pack(source, 1 + width * 3, (pixels, repeats, lines, out) =>
    kernels().filterRows(pixels, width, 40, 3, repeats, true, true, lines, out),
  );
  const cost = (line: Uint8Array) => line.reduce((sum, byte) => sum + Math.min(byte, 256 - byte), 0);
  lines.forEach((line, y) => {
    const repeated = Buffer.from(plain[y]).equals(plain[y + 1]);
    const costs = [1, 2, 3, 4].map((filter) => {
      const differences = new Uint8Array(width * 3);
      // compute the filtered bytes directly from the specification's predictors
      for (let i = 0; i < differences.length; i++) {
        const a = i < 3 ? 0 : plain[y + 1][i - 3];
        const b = plain[y][i];
        const c = i < 3 ? 0 : plain[y][i - 3];
        const p = a + b - c;
        const [pa, pb, pc] = [a, b, c].map((value) => Math.abs(p - value));
        const paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
        differences[i] = plain[y + 1][i] - [0, a, b, (a + b) >> 1, paeth][filter];
      }
      return cost(differences);
    });
    t.equal(cost(line.subarray(1)), repeated ? 0 : Math.min(...costs), `row ${y}, filter ${line[0]}`);
  });
  t.end();
});

t.test('assigns indexes in order of appearance', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 300 }),
      fc.nat(),
      (width, rows, colors, seed) => {
        const random = randomBelow(seed);
        const words = new Uint32Array((rows + 1) * width).fill(0xfedcba98);
        for (let i = width; i < words.length; i++)
          words[i] = i > width && random(3) ? words[i - 1] : Math.imul(random(colors), 0x9e3779b1);
        const source = { width, words, rows };
        const indexByColor = new Map<number, number>();
        for (const word of words.subarray(width))
          if (!indexByColor.has(word)) indexByColor.set(word, indexByColor.size);
        const found: number[] = [];
        const lines = pack(source, 1 + width, (pixels, repeats, _, out) => {
          const { paletteStart, indexRows, indexedColor } = kernels();
          paletteStart();
          found.push(indexRows(pixels, width, rows, repeats, out));
          for (const [color, index] of indexByColor) {
            if (found.at(-1)) equal(indexedColor(index) >>> 0, color);
          }
          // the rest is undefined then
          if (!found.at(-1)) new Uint8Array(kernels().memory.buffer).fill(0, out, out + rows * (1 + width));
        });
        equal(found[0], found[1]);
        if (indexByColor.size > 256) return found[0] === 0;
        const above = new Uint8Array(width);
        const isCorrect = lines.every((line, y) => {
          for (let x = 0; x < width; x++) above[x] = line[1 + x] + (line[0] === 2 ? above[x] : 0);
          return above.every((index, x) => index === indexByColor.get(words[(y + 1) * width + x]));
        });
        return isCorrect && found[0] === indexByColor.size;
      },
    ),
    { seed: 9, numRuns: 300 },
  );
  t.end();
});

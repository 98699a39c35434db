// A picture, band by band → the zlib stream of its PNG, through the kernels. A band is packed (indexes, or RGB(A) with or
// without filters), then deflated; the next one is packed behind the 32 KiB that it may refer to.
import { kernels, layOut } from '../kernels/kernels.js';
import type { Pixmap } from '../raster/pixmap.js';
import { rowRepeats } from './samerow.js';

/** Bytes of packed rows deflated at a time: more would leave the processor's cache, less was no faster. */
const BAND_BYTES = 1 << 18;
const WINDOW_BYTES = 1 << 15;
/** What kernels may touch beyond the end of what they are given. */
const SLACK_BYTES = 64;

/**
 * Places tried for each match. Measured on cards with text: 4 are 0.9 of the time and 1.01 of the bytes of 8,
 * 16 are 1.1 of the time and 0.99 of the bytes. `RUNS` looks for repeated bytes alone: photographs, once filtered, have
 * little else (1.06 of the bytes in 0.2 of the time).
 */
const DEPTH = 8;
const RUNS = 0;

/** How colour rows are written: filtered, which suits photographs, or plain, which suits what was drawn. */
type Style = 'photographic' | 'drawn';

/** The memory of one encoding: `rows` rows at most at a time. */
interface Bench {
  readonly rows: number;
  readonly repeats: number;
  /** The band's first pixel; the row above it lies before. */
  readonly pixels: number;
  readonly lines: number;
  readonly packed: number;
  readonly out: number;
}

function benchFor(width: number, height: number, rowBytes: number): Bench {
  const rows = Math.min(height, Math.max(1, Math.floor(BAND_BYTES / rowBytes)));
  const packedBytes = rows * rowBytes;
  const [repeats, above, lines, window, out] = layOut([
    rows,
    (rows + 1) * width * 4,
    rowBytes * 2 + SLACK_BYTES,
    WINDOW_BYTES + packedBytes + SLACK_BYTES,
    kernels().deflateBound(packedBytes),
  ]);
  return { rows, repeats, pixels: above + width * 4, lines, packed: window + WINDOW_BYTES, out };
}

type PackBand = (bench: Bench, from: number, rows: number) => boolean;

/** Packs and deflates all bands; undefined as soon as `pack` gives up. */
function deflateBands(pixmap: Pixmap, rowBytes: number, depth: number, pack: PackBand): Uint8Array[] | undefined {
  const { width, height } = pixmap;
  const bench = benchFor(width, height, rowBytes);
  const { deflateStart, deflateBytes, memory } = kernels();
  const repeats = rowRepeats(pixmap);
  const pieces: Uint8Array[] = [];
  deflateStart(rowBytes);
  for (let y = 0; y < height; y += bench.rows) {
    const rows = Math.min(bench.rows, height - y);
    loadBand(pixmap, repeats, bench, y, rows);
    if (!pack(bench, y, rows)) return undefined;
    const end = deflateBytes(bench.packed, rows * rowBytes, bench.out, depth, y + rows === height);
    pieces.push(new Uint8Array(memory.buffer).slice(bench.out, end));
  }
  return pieces;
}

/** Brings the pixels of a band, and of the row above it, into the kernels' memory; rows that repeat are only marked. */
function loadBand(pixmap: Pixmap, repeats: (y: number) => boolean, bench: Bench, from: number, rows: number): void {
  const { width, words } = pixmap;
  const { buffer } = kernels().memory;
  const marks = new Uint8Array(buffer, bench.repeats, rows);
  const pixels = new Uint32Array(buffer, bench.pixels - width * 4, (rows + 1) * width);
  if (from > 0) pixels.set(words.subarray((from - 1) * width, from * width));
  // rows that don't repeat are copied together with their neighbours
  let start = 0;
  for (let row = 0; row <= rows; row++) {
    const repeated = row < rows && repeats(from + row);
    if (row < rows) marks[row] = repeated ? 1 : 0;
    if (!repeated && row < rows) continue;
    if (row > start) pixels.set(words.subarray((from + start) * width, (from + row) * width), (start + 1) * width);
    start = row + 1;
  }
}

export interface IndexedRows {
  readonly rows: Uint8Array[];
  /** By index, as words of `Pixmap.words`. */
  readonly colors: Uint32Array;
}

/**
 * The picture as indexes, a byte each; undefined when it has more than 256 colours. They are never filtered: Sub and Up
 * made cards with text 10–20 % larger, and sorting the palette changed nothing.
 */
export function indexedRows(pixmap: Pixmap): IndexedRows | undefined {
  const { width } = pixmap;
  const { paletteStart, indexRows, indexedColor } = kernels();
  paletteStart();
  let count = 0;
  const rows = deflateBands(pixmap, 1 + width, DEPTH, (bench, _, height) => {
    count = indexRows(bench.pixels, width, height, bench.repeats, bench.packed);
    return count > 0;
  });
  return rows && { rows, colors: Uint32Array.from({ length: count }, (_, index) => indexedColor(index)) };
}

/** The picture as straight RGB (3 channels, for opaque ones) or RGBA (4). */
export function colorRows(pixmap: Pixmap, channels: 3 | 4): Uint8Array[] {
  const { width } = pixmap;
  const rowBytes = 1 + width * channels;
  const { filterRows } = kernels();
  const filtered = styleOf(pixmap, channels) === 'photographic';
  const rows = deflateBands(pixmap, rowBytes, filtered ? RUNS : DEPTH, (bench, from, height) => {
    const { pixels, repeats, lines, packed } = bench;
    filterRows(pixels, width, height, channels, repeats, from > 0, filtered, lines, packed);
    return true;
  });
  return rows ?? [];
}

const SAMPLES = 8;
const SAMPLE_ROWS = 4;
/**
 * A few rows show few of a drawing's far matches. Bits of plain rows to filtered ones, in the samples and in the whole
 * picture: shapes with shadows 1.13 and 0.94, photographs 1.26 and 1.17, 1.41 and 1.25.
 */
const PHOTOGRAPHIC_RATIO = 1.2;

/** Tried out, not guessed: a few rows of each eighth of the picture are deflated both ways. */
function styleOf(pixmap: Pixmap, channels: 3 | 4): Style {
  const { width, height } = pixmap;
  const rowBytes = 1 + width * channels;
  const bench = benchFor(width, Math.min(height, SAMPLE_ROWS), rowBytes);
  const { filterRows, deflateStart, deflateSampleBits } = kernels();
  const repeats = rowRepeats(pixmap);
  let filteredBits = 0;
  let plainBits = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const from = Math.floor(((height - bench.rows) * (sample + 0.5)) / SAMPLES);
    loadBand(pixmap, repeats, bench, from, bench.rows);
    const bits = (filtered: boolean) => {
      const { pixels, lines, packed, rows } = bench;
      filterRows(pixels, width, rows, channels, bench.repeats, from > 0, filtered, lines, packed);
      deflateStart(rowBytes);
      return deflateSampleBits(packed, rows * rowBytes, filtered ? RUNS : DEPTH);
    };
    filteredBits += bits(true);
    plainBits += bits(false);
  }
  return filteredBits * PHOTOGRAPHIC_RATIO <= plainBits ? 'photographic' : 'drawn';
}

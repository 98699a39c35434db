// Packs and compresses an image band by band into the zlib stream of a PNG, with the kernels. Each band is packed (as
// indexes, or as RGB(A) with or without filters), then deflated; the next one is packed after the 32 KiB that it may
// refer to.

import { host } from '../../host.js';
import { allocate, kernels } from '../../kernels/kernels.js';
import type { Pixmap } from '../../raster/pixmap.js';

/** Returns a function that compares row `y` with row `y` - 1; false for the first row. */
function equalsPreviousRow({ width, words }: Pixmap): (y: number) => boolean {
  const areEqual = host().native?.rowComparison(words) ?? wordComparison(words);
  return (y) => {
    const at = y * width;
    // Comparing one pixel rules out most rows of a photograph without a call.
    if (y === 0 || words[at] !== words[at - width]) return false;
    return areEqual(at - width, at, width);
  };
}

/** Compares `count` words from `a` on with those from `b` on. */
function wordComparison(words: Uint32Array): (a: number, b: number, count: number) => boolean {
  return (a, b, count) => {
    let i = 0;
    while (i < count && words[a + i] === words[b + i]) i++;
    return i === count;
  };
}

/** Bytes of packed rows deflated at a time: more would exceed the processor's cache, less was no faster. */
const BAND_BYTES = 1 << 18;
const WINDOW_BYTES = 1 << 15;
/** Bytes that kernels may access past the end of their buffers. */
const SLACK_BYTES = 64;

/**
 * Hash chain entries tried per match. Measured on cards with text: 4 take 0.9 of the time and 1.01 of the bytes of 8;
 * 16 take 1.1 of the time and 0.99 of the bytes. `RUNS` searches only for repeated bytes: filtered photographs have few
 * other matches (1.06 of the bytes in 0.2 of the time).
 */
const DEPTH = 8;
const RUNS = 0;

/** Style of colour rows: filtered, best for photographs, or unfiltered, best for drawn images. */
type Style = 'photographic' | 'drawn';

/** The kernel memory of one encoding, for at most `rows` rows at a time. */
interface EncodeBuffers {
  readonly rows: number;
  readonly repeats: number;
  /** The band's first pixel, preceded by the row above it. */
  readonly pixels: number;
  readonly lines: number;
  readonly packed: number;
  readonly out: number;
}

function allocateBuffers(width: number, height: number, rowBytes: number): EncodeBuffers {
  const rows = Math.min(height, Math.max(1, Math.floor(BAND_BYTES / rowBytes)));
  const packedBytes = rows * rowBytes;
  const [repeats, above, lines, window, out] = allocate([
    rows,
    (rows + 1) * width * 4,
    rowBytes * 2 + SLACK_BYTES,
    WINDOW_BYTES + packedBytes + SLACK_BYTES,
    kernels().deflateBound(packedBytes),
  ]);
  return { rows, repeats, pixels: above + width * 4, lines, packed: window + WINDOW_BYTES, out };
}

type PackBand = (buffers: EncodeBuffers, from: number, rows: number) => boolean;

/** Packs and deflates all bands; undefined as soon as `pack` returns false. */
function deflateBands(pixmap: Pixmap, rowBytes: number, depth: number, pack: PackBand): Uint8Array[] | undefined {
  const { width, height } = pixmap;
  const buffers = allocateBuffers(width, height, rowBytes);
  const { deflateStart, deflateBytes, memory } = kernels();
  const repeats = equalsPreviousRow(pixmap);
  const pieces: Uint8Array[] = [];
  deflateStart(rowBytes);
  for (let y = 0; y < height; y += buffers.rows) {
    const rows = Math.min(buffers.rows, height - y);
    loadBand(pixmap, repeats, buffers, y, rows);
    if (!pack(buffers, y, rows)) return undefined;
    const end = deflateBytes(buffers.packed, rows * rowBytes, buffers.out, depth, y + rows === height);
    pieces.push(new Uint8Array(memory.buffer).slice(buffers.out, end));
  }
  return pieces;
}

/** Copies the pixels of a band, and of the row above it, into the kernels' memory; only marks rows that repeat. */
function loadBand(
  pixmap: Pixmap,
  repeats: (y: number) => boolean,
  buffers: EncodeBuffers,
  from: number,
  rows: number,
): void {
  const { width, words } = pixmap;
  const { buffer } = kernels().memory;
  const repeatFlags = new Uint8Array(buffer, buffers.repeats, rows);
  const pixels = new Uint32Array(buffer, buffers.pixels - width * 4, (rows + 1) * width);
  if (from > 0) pixels.set(words.subarray((from - 1) * width, from * width));
  // consecutive rows that don't repeat are copied in one call
  let start = 0;
  for (let row = 0; row <= rows; row++) {
    const isRepeated = row < rows && repeats(from + row);
    if (row < rows) repeatFlags[row] = isRepeated ? 1 : 0;
    if (!isRepeated && row < rows) continue;
    if (row > start) pixels.set(words.subarray((from + start) * width, (from + row) * width), (start + 1) * width);
    start = row + 1;
  }
}

export interface IndexedRows {
  readonly rows: Uint8Array[];
  /** Colours by index, as values of `Pixmap.words`. */
  readonly colors: Uint32Array;
}

/**
 * The image as indexes, one byte each; undefined if it has more than 256 colours. Indexes are never filtered: Sub and
 * Up made cards with text 10–20 % larger, and sorting the palette changed nothing.
 */
export function indexedRows(pixmap: Pixmap): IndexedRows | undefined {
  const { width } = pixmap;
  const { paletteStart, indexRows, indexedColor } = kernels();
  paletteStart();
  let count = 0;
  const rows = deflateBands(pixmap, 1 + width, DEPTH, (buffers, _, height) => {
    count = indexRows(buffers.pixels, width, height, buffers.repeats, buffers.packed);
    return count > 0;
  });
  return rows && { rows, colors: Uint32Array.from({ length: count }, (_, index) => indexedColor(index)) };
}

/** The image as straight RGB (3 channels, for opaque images) or RGBA (4). */
export function colorRows(pixmap: Pixmap, channels: 3 | 4): Uint8Array[] {
  const { width } = pixmap;
  const rowBytes = 1 + width * channels;
  const { filterRows } = kernels();
  const isFiltered = styleOf(pixmap, channels) === 'photographic';
  const rows = deflateBands(pixmap, rowBytes, isFiltered ? RUNS : DEPTH, (buffers, from, height) => {
    const { pixels, repeats, lines, packed } = buffers;
    filterRows(pixels, width, height, channels, repeats, from > 0, isFiltered, lines, packed);
    return true;
  });
  return rows ?? [];
}

const SAMPLES = 8;
const SAMPLE_ROWS = 4;
/**
 * Ratio of unfiltered to filtered bits from which on rows are filtered. A few rows show few of a drawing's distant
 * matches. The ratio in the samples and in the entire image: shapes with shadows 1.13 and 0.94, photographs 1.26 and
 * 1.17, 1.41 and 1.25.
 */
const PHOTOGRAPHIC_RATIO = 1.2;

/** Measures instead of guessing: deflates a few rows of each eighth of the image both ways. */
function styleOf(pixmap: Pixmap, channels: 3 | 4): Style {
  const { width, height } = pixmap;
  const rowBytes = 1 + width * channels;
  const buffers = allocateBuffers(width, Math.min(height, SAMPLE_ROWS), rowBytes);
  const { filterRows, deflateStart, deflateSampleBits } = kernels();
  const repeats = equalsPreviousRow(pixmap);
  let filteredBits = 0;
  let plainBits = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const from = Math.floor(((height - buffers.rows) * (sample + 0.5)) / SAMPLES);
    loadBand(pixmap, repeats, buffers, from, buffers.rows);
    const bits = (isFiltered: boolean) => {
      const { pixels, lines, packed, rows } = buffers;
      filterRows(pixels, width, rows, channels, buffers.repeats, from > 0, isFiltered, lines, packed);
      deflateStart(rowBytes);
      return deflateSampleBits(packed, rows * rowBytes, isFiltered ? RUNS : DEPTH);
    };
    filteredBits += bits(true);
    plainBits += bits(false);
  }
  return filteredBits * PHOTOGRAPHIC_RATIO <= plainBits ? 'photographic' : 'drawn';
}

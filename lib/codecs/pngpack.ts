// Premultiplied rows → the bytes that a PNG deflates: straight RGB, RGBA or palette indexes, a filter byte before each row.
import { deflateSync } from 'node:zlib';
import type { Pixmap } from '../raster/pixmap.js';
import { straightValues } from './alpha.js';
import { type Palette, packRow } from './palette.js';
import { rowRepeats } from './samerow.js';

/** Writes the rows `from` … `to` - 1, filter bytes included, to the start of `out`; returns how many bytes that took. */
export type PackRows = (from: number, to: number, out: Uint8Array) => number;

export interface Packer {
  /** Bytes of a row, its filter byte included. */
  readonly rowBytes: number;
  readonly pack: PackRows;
  /** zlib's level that suits the picture. */
  readonly level: number;
}

/** Filter None of the PNG specification: rows as they are. */
const NONE = 0;
/** Filter Sub: differences to the pixel on the left. */
const SUB = 1;

/** Filter Up: differences to the pixel above. */
const UP = 2;

/** A row equal to the one above, as zeros: a QR code takes a quarter of the bytes that copies of its rows would. */
function repeatRow(out: Uint8Array, at: number, rowBytes: number): void {
  out[at] = UP;
  out.fill(0, at + 1, at + rowBytes);
}

/** Indexes are bytes, which every reader takes, and deflate packs nearly as well as bits. They are never filtered: Sub and Up made cards with text 10–20 % larger, sorting the palette changed nothing. */
export function palettePacker(pixmap: Pixmap, palette: Palette): Packer {
  const { width, words } = pixmap;
  const repeats = rowRepeats(pixmap);
  const rowBytes = 1 + width;
  return {
    rowBytes,
    level: 4,
    pack(from, to, out) {
      for (let y = from, at = 0; y < to; y++, at += rowBytes) {
        if (repeats(y)) repeatRow(out, at, rowBytes);
        else {
          out[at] = NONE;
          packRow(palette, words, y * width, width, out, at + 1);
        }
      }
      return (to - from) * rowBytes;
    },
  };
}

/** How many parts of a picture choose their filter, each by a sample of rows from its middle. */
const SECTIONS = 8;
const SAMPLE_ROWS = 4;

/**
 * RGB (opaque) or RGBA rows. Which filter suits is tried out, not guessed: a sample of each section is deflated both ways.
 * Measured at 1200 × 630, sizes and times as ratios to Sub at level 1: flat card None 0.9 and 0.9, antialiased text None
 * 0.8 and 0.7, gradient None 0.5 and 0.6, photographs None 1.3–1.4 and 1.7. Up and Paeth were within 10 % of Sub either way.
 * Drawn pictures take level 4 (size 0.5–0.9 of level 1, time 1.5–3 ×, of a few ms), photographs level 1 (level 4 saves 7 %
 * of the bytes for 1.6 × the time).
 */
export function colorPacker(pixmap: Pixmap, opaque: boolean): Packer {
  const { width, height } = pixmap;
  const channels = opaque ? 3 : 4;
  const rowBytes = 1 + width * channels;
  const repeats = rowRepeats(pixmap);
  const packRowsAs = (filter: number, from: number, to: number, out: Uint8Array) => {
    for (let y = from, at = 0; y < to; y++, at += rowBytes) {
      if (repeats(y)) {
        repeatRow(out, at, rowBytes);
        continue;
      }
      out[at] = filter;
      const start = y * width;
      if (opaque) packRgb(pixmap.data, start, width, filter, out, at + 1);
      else packRgba(pixmap.data, start, width, filter, out, at + 1);
    }
  };

  const sectionRows = Math.ceil(height / SECTIONS);
  const sample = new Uint8Array(SAMPLE_ROWS * rowBytes);
  const filters: number[] = [];
  for (let top = 0; top < height; top += sectionRows) {
    const end = Math.min(height, top + sectionRows);
    const from = Math.max(top, ((top + end) >> 1) - SAMPLE_ROWS / 2);
    const to = Math.min(end, from + SAMPLE_ROWS);
    const sizes = [NONE, SUB].map((filter) => {
      packRowsAs(filter, from, to, sample);
      return deflateSync(sample.subarray(0, (to - from) * rowBytes), { level: 1 }).length;
    });
    filters.push(sizes[SUB] < sizes[NONE] ? SUB : NONE);
  }
  const photographic = filters.filter((filter) => filter === SUB).length;
  return {
    rowBytes,
    level: photographic * 4 > filters.length ? 1 : 4,
    pack(from, to, out) {
      for (let y = from; y < to; ) {
        const section = Math.floor(y / sectionRows);
        const end = Math.min(to, (section + 1) * sectionRows);
        packRowsAs(filters[section], y, end, out.subarray((y - from) * rowBytes));
        y = end;
      }
      return (to - from) * rowBytes;
    },
  };
}

function packRgb(data: Uint8ClampedArray, start: number, width: number, filter: number, out: Uint8Array, to: number) {
  const from = start * 4;
  const end = from + width * 4;
  if (filter === NONE) {
    for (let i = from, o = to; i < end; i += 4, o += 3) {
      out[o] = data[i];
      out[o + 1] = data[i + 1];
      out[o + 2] = data[i + 2];
    }
    return;
  }
  let r = 0;
  let g = 0;
  let b = 0;
  for (let i = from, o = to; i < end; i += 4, o += 3) {
    out[o] = data[i] - r;
    out[o + 1] = data[i + 1] - g;
    out[o + 2] = data[i + 2] - b;
    r = data[i];
    g = data[i + 1];
    b = data[i + 2];
  }
}

function packRgba(data: Uint8ClampedArray, start: number, width: number, filter: number, out: Uint8Array, to: number) {
  const straight = straightValues();
  const from = start * 4;
  const end = from + width * 4;
  for (let i = from, o = to; i < end; i += 4, o += 4) {
    const a = data[i + 3];
    const row = a << 8;
    out[o] = straight[row | data[i]];
    out[o + 1] = straight[row | data[i + 1]];
    out[o + 2] = straight[row | data[i + 2]];
    out[o + 3] = a;
  }
  // From the right, so that the left neighbour is still plain.
  if (filter === SUB) for (let o = to + width * 4 - 1; o >= to + 4; o--) out[o] -= out[o - 4];
}

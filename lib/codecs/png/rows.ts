// Expands an unfiltered PNG row to straight RGBA pixels, by colour type and bit depth. Rounds 16-bit samples to 8 bits
// (v / 257), as browsers do.
import { type Pixmap, packWord } from '../../raster/pixmap.js';
import { CHANNELS, GRAY, GRAY_ALPHA, INDEXED, type PngFile, RGB } from './chunks.js';

/** Expands `count` pixels of the row at `from` into the pixmap, starting at pixel `to`. */
export type Expand = (rows: Uint8Array, from: number, count: number, to: number) => void;

/** The row expander for this file's colour type and depth. */
export function rowExpander(file: PngFile, pixmap: Pixmap): Expand {
  if (file.colorType === INDEXED || (file.colorType === GRAY && file.depth <= 8)) {
    return tableExpander(colorTable(file), file.depth, pixmap.words);
  }
  return file.depth === 16 ? expander16(file, pixmap.data) : expander8(file, pixmap.data);
}

/** The pixel value of every sample value. An index past the palette is opaque black, as in libpng. */
function colorTable(file: PngFile): Uint32Array {
  const { depth, palette, transparency } = file;
  const count = 1 << depth;
  const table = new Uint32Array(count);
  for (let value = 0; value < count; value++) {
    if (file.colorType === GRAY) {
      const gray = (value * 255) / (count - 1);
      table[value] = value === transparentColor(transparency, 1)?.[0] ? 0 : packWord(gray, gray, gray, 255);
    } else {
      const at = value * 3;
      const alpha = transparency?.[value] ?? 255;
      table[value] = packWord(palette?.[at] ?? 0, palette?.[at + 1] ?? 0, palette?.[at + 2] ?? 0, alpha);
    }
  }
  return table;
}

/** The single transparent colour of tRNS, one 16-bit value per sample. */
function transparentColor(transparency: Uint8Array | undefined, samples: number): number[] | undefined {
  if (!transparency || transparency.length < samples * 2) return undefined;
  return Array.from({ length: samples }, (_, i) => (transparency[i * 2] << 8) | transparency[i * 2 + 1]);
}

function tableExpander(table: Uint32Array, depth: number, words: Uint32Array): Expand {
  if (depth === 8) {
    return (rows, from, count, to) => {
      for (let i = 0, o = to; i < count; i++, o++) words[o] = table[rows[from + i]];
    };
  }
  const mask = (1 << depth) - 1;
  return (rows, from, count, to) => {
    for (let i = 0, o = to; i < count; i++, o++) {
      const bit = i * depth;
      words[o] = table[(rows[from + (bit >> 3)] >> (8 - depth - (bit & 7))) & mask];
    }
  };
}

/** 8-bit gray + alpha, RGB, RGBA. */
function expander8(file: PngFile, data: Uint8ClampedArray): Expand {
  if (file.colorType === GRAY_ALPHA) {
    return (rows, from, count, to) => {
      for (let i = 0, at = from, o = to * 4; i < count; i++, at += 2, o += 4) {
        data[o] = data[o + 1] = data[o + 2] = rows[at];
        data[o + 3] = rows[at + 1];
      }
    };
  }
  if (file.colorType === RGB) {
    const [red, green, blue] = transparentColor(file.transparency, 3) ?? [-1, -1, -1];
    return (rows, from, count, to) => {
      for (let i = 0, at = from, o = to * 4; i < count; i++, at += 3, o += 4) {
        const r = rows[at];
        const g = rows[at + 1];
        const b = rows[at + 2];
        data[o] = r;
        data[o + 1] = g;
        data[o + 2] = b;
        data[o + 3] = r === red && g === green && b === blue ? 0 : 255;
      }
    };
  }
  return (rows, from, count, to) => {
    data.set(rows.subarray(from, from + count * 4), to * 4);
  };
}

/** 16-bit gray, gray + alpha, RGB, RGBA. */
function expander16(file: PngFile, data: Uint8ClampedArray): Expand {
  const samples = CHANNELS.get(file.colorType)!;
  const colors = samples < 3 ? 1 : 3;
  const hasAlpha = samples !== colors;
  const transparent = hasAlpha ? undefined : transparentColor(file.transparency, colors);
  return (rows, from, count, to) => {
    for (let i = 0, at = from, o = to * 4; i < count; i++, o += 4) {
      let isTransparent = transparent !== undefined;
      for (let c = 0; c < colors; c++, at += 2) {
        const value = (rows[at] << 8) | rows[at + 1];
        if (transparent && value !== transparent[c]) isTransparent = false;
        data[o + c] = to8Bit(value);
      }
      if (colors === 1) data[o + 1] = data[o + 2] = data[o];
      data[o + 3] = isTransparent ? 0 : 255;
      if (hasAlpha) {
        data[o + 3] = to8Bit((rows[at] << 8) | rows[at + 1]);
        at += 2;
      }
    }
  };
}

/** round(v × 255 / 65535), exact for every 16-bit v (the PNG specification's formula of section 13.12). */
function to8Bit(value: number): number {
  return (value * 255 + 32895) >> 16;
}

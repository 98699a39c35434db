// Encodes an image of at most 256 colours as the data of a lossless WebP (RFC 9649 section 3): colour indexing is the only
// transform; indexes are coded as literals and matches with one group of prefix codes. Twin of assembly/webp/encode.ts.
import type { Kernels } from '../../interface.js';
import { BitWriter } from '../deflate/bit-writer.js';
import type { PlainMemory } from '../memory.js';
import { findSequences, type Sequence } from './find-sequences.js';
import { putCode, writeCode } from './prefix-code.js';

/** 256 literals and 24 length codes. */
const GREEN_SYMBOLS = 280;
const DISTANCE_SYMBOLS = 40;
/** WebP packs several pixels of up to 16 colours into a byte; unused extra entries keep one byte per pixel. */
const MIN_PALETTE = 17;
/** The bits of a pixel's channels, in the order of the file: green, red, blue, alpha. */
const SHIFTS = [8, 0, 16, 24];

type WebpKernels = Pick<Kernels, 'webpIndexStart' | 'webpIndexRows' | 'webpEncode'>;
type PaletteKernels = Pick<Kernels, 'paletteStart' | 'indexRows'>;

/** Prefix-codes a length or distance (from 1 on): symbol, number of extra bits and their value (section 3.6.2.2). */
function prefixCode(value: number): { symbol: number; extraBits: number; extra: number } {
  const from = value - 1;
  if (from < 4) return { symbol: from, extraBits: 0, extra: 0 };
  const highest = 31 - Math.clz32(from);
  const extraBits = highest - 1;
  return { symbol: 2 * highest + ((from >> extraBits) & 1), extraBits, extra: from & ((1 << extraBits) - 1) };
}

/** The distance code: neighbouring pixels have short codes (figure in section 3.6.2.2), of which the likely ones are used. */
function distanceCode(distance: number, width: number): number {
  if (distance === width) return 1;
  if (distance === 1) return 2;
  if (distance === width + 1) return 3;
  if (distance + 1 === width) return 4;
  if (distance === 2 * width) return 5;
  if (distance === 2) return 6;
  if (distance === 3 * width) return 13;
  if (distance === 3) return 14;
  return distance + 120;
}

/** Writes straight RGBA colours as differences from one to the next (section 4.4). */
function writePalette(bits: BitWriter, colors: Uint32Array): void {
  const sent = Math.max(colors.length, MIN_PALETTE);
  bits.put(1 | (3 << 1) | ((sent - 1) << 3), 11);
  // no colour cache
  bits.put(0, 1);
  const difference = (i: number, shift: number) =>
    i < colors.length ? ((colors[i] >>> shift) - ((i > 0 ? colors[i - 1] : 0) >>> shift)) & 255 : 0;
  const codes = SHIFTS.map((shift, channel) => {
    const frequencies = new Uint32Array(channel === 0 ? GREEN_SYMBOLS : 256);
    for (let i = 0; i < sent; i++) frequencies[difference(i, shift)]++;
    return writeCode(bits, frequencies);
  });
  writeCode(bits, new Uint32Array(DISTANCE_SYMBOLS));
  for (let i = 0; i < sent; i++) {
    SHIFTS.forEach((shift, channel) => {
      putCode(bits, codes[channel], difference(i, shift));
    });
  }
}

/** Counts the symbols; returns the total number of extra bits. */
function countSymbols(
  pixels: Uint8Array,
  width: number,
  sequences: readonly Sequence[],
  frequencies: Uint32Array,
  distanceFrequencies: Uint32Array,
): number {
  let bits = 0;
  let at = 0;
  for (const { literals, length, distance } of sequences) {
    for (const stop = at + literals; at < stop; at++) frequencies[pixels[at]]++;
    if (length === 0) continue;
    const lengthCode = prefixCode(length);
    const distancePrefix = prefixCode(distanceCode(distance, width));
    frequencies[256 + lengthCode.symbol]++;
    distanceFrequencies[distancePrefix.symbol]++;
    bits += lengthCode.extraBits + distancePrefix.extraBits;
    at += length;
  }
  return bits;
}

/** `palette`: the kernels that index PNG's pixels. */
export function webpKernels(memory: PlainMemory, palette: PaletteKernels): WebpKernels {
  return {
    webpIndexStart: palette.paletteStart,

    /** Writes the indexes of `rows` rows to `out`; returns the number of colours so far, or 0 if there are more than 256. */
    webpIndexRows(pixels, width, rows, out) {
      let colors = 0;
      for (let y = 0; y < rows; y++) {
        // indexRows writes a PNG filter byte over the pixel before the row, which is restored; address 0 says "not repeated"
        const at = out + y * width - 1;
        const saved = memory.bytes[at];
        colors = palette.indexRows(pixels + y * width * 4, width, 1, 0, at);
        memory.bytes[at] = saved;
        if (colors === 0) return 0;
      }
      return colors;
    },

    webpEncode(indexes, width, height, colors, count, hasAlpha, _sequences, maxSequences, out, capacity) {
      const pixels = memory.bytes.subarray(indexes, indexes + width * height);
      const sequences = findSequences(pixels, width, maxSequences);
      if (!sequences) return 0;
      const bits = new BitWriter(memory);
      bits.end = out;
      bits.put(0x2f, 8);
      bits.put(width - 1, 14);
      bits.put(height - 1, 14);
      bits.put(hasAlpha ? 1 : 0, 4);
      writePalette(bits, memory.words.subarray(colors / 4, colors / 4 + count));
      // no further transform, no colour cache, one group of codes
      bits.put(0, 3);
      const frequencies = new Uint32Array(GREEN_SYMBOLS);
      const distanceFrequencies = new Uint32Array(DISTANCE_SYMBOLS);
      let size = countSymbols(pixels, width, sequences, frequencies, distanceFrequencies);
      const codes = writeCode(bits, frequencies);
      // red, blue and alpha of the index image, which is ignored with a palette
      for (let channel = 1; channel < 4; channel++) writeCode(bits, new Uint32Array(256));
      const distanceCodes = writeCode(bits, distanceFrequencies);
      size += codes.bits + distanceCodes.bits;
      if (bits.end - out + Math.floor(size / 8) + 16 > capacity) return 0;
      let at = 0;
      for (const { literals, length, distance } of sequences) {
        for (const stop = at + literals; at < stop; at++) putCode(bits, codes, pixels[at]);
        if (length === 0) continue;
        const lengthCode = prefixCode(length);
        putCode(bits, codes, 256 + lengthCode.symbol);
        bits.put(lengthCode.extra, lengthCode.extraBits);
        const distancePrefix = prefixCode(distanceCode(distance, width));
        putCode(bits, distanceCodes, distancePrefix.symbol);
        bits.put(distancePrefix.extra, distancePrefix.extraBits);
        at += length;
      }
      bits.align();
      return bits.end;
    },
  };
}

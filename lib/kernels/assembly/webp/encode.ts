// Encodes an image of at most 256 colours as the data of a lossless WebP (RFC 9649 section 3): colour indexing is the
// only transform; indexes are coded as literals and matches with one group of prefix codes.
import { alignBits, bitOutputEnd, resetBits, setBitOutput, flushBits, putBits } from '../deflate/bit-writer';
import { indexRows, paletteStart } from '../png/palette';
import { MAX_SYMBOLS, writeCode } from './prefix-code';
import { findSequences } from './find-sequences';

const DISTANCE_SYMBOLS = 40;
/**
 * Smallest palette: WebP packs several pixels into a byte if there are up to 16 colours. A palette with unused extra entries
 * keeps one byte per pixel.
 */
const MIN_PALETTE = 17;

const frequencies = memory.data(MAX_SYMBOLS * 4, 16);
const distanceFrequencies = memory.data(DISTANCE_SYMBOLS * 4, 16);
/** Codes of green (for the indexes: literals and lengths), red, blue, alpha; then of distances. */
const codes = memory.data(4 * MAX_SYMBOLS * 4, 16);
const distanceCodes = memory.data(DISTANCE_SYMBOLS * 4, 16);
const noRepeats = memory.data(16, 16);

export function webpIndexStart(): void {
  paletteStart();
}

/**
 * Writes the indexes of `rows` rows of `width` pixels to `out`; up to 16 bytes past the end are overwritten. Returns
 * the number of colours so far, or 0 if there are more than 256.
 */
export function webpIndexRows(pixels: usize, width: i32, rows: i32, out: usize): i32 {
  let colors = 0;
  for (let y = 0; y < rows; y++) {
    // indexRows writes a PNG filter byte over the pixel before the row, which is restored
    const saved = load<u8>(out - 1);
    colors = indexRows(pixels, width, 1, noRepeats, out - 1);
    store<u8>(out - 1, saved);
    if (colors == 0) return 0;
    pixels += <usize>width << 2;
    out += width;
  }
  return colors;
}

@inline
function increment(counter: usize): void {
  store<u32>(counter, load<u32>(counter) + 1);
}

@inline
function putCode(code: u32): void {
  putBits(code & 0xffff, code >> 16);
}

/**
 * Prefix-codes a length or distance (from 1 on): symbol | number of extra bits << 8 | extra value << 16 (section
 * 3.6.2.2). Extra values are below 2^16.
 */
@inline
function prefixCode(value: u32): u64 {
  const from = value - 1;
  if (from < 4) return from;
  const highest = 31 - clz(from);
  const extra = highest - 1;
  const symbol = 2 * highest + ((from >> extra) & 1);
  return <u64>symbol | (<u64>extra << 8) | (<u64>(from & ((1 << extra) - 1)) << 16);
}

/**
 * The distance code: neighbouring pixels have short codes (figure in section 3.6.2.2), of which the likely ones are
 * used.
 */
@inline
function distanceCode(distance: u32, width: u32): u32 {
  if (distance == width) return 1;
  if (distance == 1) return 2;
  if (distance == width + 1) return 3;
  if (distance + 1 == width) return 4;
  if (distance == 2 * width) return 5;
  if (distance == 2) return 6;
  if (distance == 3 * width) return 13;
  if (distance == 3) return 14;
  return distance + 120;
}

/** Writes `colors` straight RGBA pixels at `palette` as differences from one to the next (section 4.4). */
function writePalette(palette: usize, colors: i32): void {
  const sent = max(colors, MIN_PALETTE);
  putBits(1 | (3 << 1) | ((sent - 1) << 3), 11);
  // no colour cache
  putBits(0, 1);
  flushBits();
  for (let channel = 0; channel < 4; channel++) {
    // in the order of the file: green, red, blue, alpha
    const shift: u32 = channel == 0 ? 8 : channel == 1 ? 0 : channel == 2 ? 16 : 24;
    memory.fill(frequencies, 0, MAX_SYMBOLS * 4);
    for (let i = 0; i < sent; i++) increment(frequencies + (difference(palette, colors, i, shift) << 2));
    writeCode(frequencies, channel == 0 ? MAX_SYMBOLS : 256, codes + <usize>(channel * MAX_SYMBOLS * 4));
  }
  memory.fill(distanceFrequencies, 0, DISTANCE_SYMBOLS * 4);
  writeCode(distanceFrequencies, DISTANCE_SYMBOLS, distanceCodes);
  for (let i = 0; i < sent; i++) {
    for (let channel = 0; channel < 4; channel++) {
      const shift: u32 = channel == 0 ? 8 : channel == 1 ? 0 : channel == 2 ? 16 : 24;
      const symbol = difference(palette, colors, i, shift);
      putCode(load<u32>(codes + <usize>(channel * MAX_SYMBOLS * 4) + (symbol << 2)));
      flushBits();
    }
  }
}

function difference(palette: usize, colors: i32, i: i32, shift: u32): u32 {
  if (i >= colors) return 0;
  const saved = i == 0 ? 0 : load<u32>(palette + ((i - 1) << 2));
  return ((load<u32>(palette + (i << 2)) >> shift) - (saved >> shift)) & 255;
}

/** Counts the symbols; returns the total number of extra bits. */
function countSymbols(indexes: usize, width: u32, sequences: usize, end: usize): u64 {
  memory.fill(frequencies, 0, MAX_SYMBOLS * 4);
  memory.fill(distanceFrequencies, 0, DISTANCE_SYMBOLS * 4);
  let bits: u64 = 0;
  for (let at = sequences; at < end; at += 12) {
    for (const stop = indexes + load<u32>(at); indexes < stop; indexes++) {
      increment(frequencies + (<usize>load<u8>(indexes) << 2));
    }
    const length = load<u32>(at, 4);
    if (length == 0) continue;
    const lengthCode = prefixCode(length);
    const distancePrefix = prefixCode(distanceCode(load<u32>(at, 8), width));
    increment(frequencies + ((256 + (<usize>lengthCode & 255)) << 2));
    increment(distanceFrequencies + ((<usize>distancePrefix & 255) << 2));
    bits += ((lengthCode >> 8) & 255) + ((distancePrefix >> 8) & 255);
    indexes += length;
  }
  return bits;
}

function writeSymbols(indexes: usize, width: u32, sequences: usize, end: usize): void {
  for (let at = sequences; at < end; at += 12) {
    const stop = indexes + load<u32>(at);
    // three codes of 15 bits plus at most 7 pending bits fit into 56
    for (; indexes + 3 <= stop; indexes += 3) {
      putCode(load<u32>(codes + (<usize>load<u8>(indexes) << 2)));
      putCode(load<u32>(codes + (<usize>load<u8>(indexes, 1) << 2)));
      putCode(load<u32>(codes + (<usize>load<u8>(indexes, 2) << 2)));
      flushBits();
    }
    for (; indexes < stop; indexes++) putCode(load<u32>(codes + (<usize>load<u8>(indexes) << 2)));
    flushBits();
    const length = load<u32>(at, 4);
    if (length == 0) continue;
    const lengthCode = prefixCode(length);
    putCode(load<u32>(codes + ((256 + (<usize>lengthCode & 255)) << 2)));
    putBits(lengthCode >> 16, (lengthCode >> 8) & 255);
    flushBits();
    const distancePrefix = prefixCode(distanceCode(load<u32>(at, 8), width));
    putCode(load<u32>(distanceCodes + ((<usize>distancePrefix & 255) << 2)));
    putBits(distancePrefix >> 16, (distancePrefix >> 8) & 255);
    flushBits();
    indexes += length;
  }
}

/**
 * Encodes the image whose indexes are at `indexes` to `out`; up to 16 bytes past the end are overwritten. `palette`:
 * `colors` straight RGBA pixels. `sequences`: scratch memory for `maxSequences` sequences of 12 bytes. Returns the end
 * of the output, or 0 if the output would exceed `capacity` bytes (at least 2048) or there are too many sequences.
 */
export function webpEncode(
  indexes: usize,
  width: i32,
  height: i32,
  palette: usize,
  colors: i32,
  hasAlpha: bool,
  sequences: usize,
  maxSequences: i32,
  out: usize,
  capacity: u32,
): usize {
  const sequenceCount = findSequences(indexes, indexes + <usize>(width * height), width, sequences, maxSequences);
  if (sequenceCount == 0) return 0;
  const end = sequences + <usize>sequenceCount * 12;
  resetBits();
  setBitOutput(out);
  putBits(0x2f | (<u64>(width - 1) << 8) | (<u64>(height - 1) << 22) | (<u64>hasAlpha << 36), 40);
  flushBits();
  writePalette(palette, colors);
  // no further transform, no colour cache, one group of codes
  putBits(0, 3);
  let bits = countSymbols(indexes, width, sequences, end);
  bits += writeCode(frequencies, MAX_SYMBOLS, codes);
  memory.fill(frequencies, 0, MAX_SYMBOLS * 4);
  writeCode(frequencies, 256, codes + 1 * MAX_SYMBOLS * 4);
  writeCode(frequencies, 256, codes + 2 * MAX_SYMBOLS * 4);
  // alpha of the index image is 255 throughout and ignored with a palette
  writeCode(frequencies, 256, codes + 3 * MAX_SYMBOLS * 4);
  bits += writeCode(distanceFrequencies, DISTANCE_SYMBOLS, distanceCodes);
  if (bitOutputEnd() - out + <usize>(bits >> 3) + 16 > <usize>capacity) return 0;
  writeSymbols(indexes, width, sequences, end);
  alignBits();
  return bitOutputEnd();
}

// A picture of at most 256 colours → the data of a lossless WebP (RFC 9649 section 3): the palette as its one transform, the
// indexes as literals and matches under one group of prefix codes.
import { alignBits, bitsEnd, bitsStart, bitsTo, flushBits, putBits } from './bits';
import { indexRows, paletteStart } from './palette';
import { MOST_SYMBOLS, writeCode } from './webpcodes';
import { findSequences } from './webpmatch';

const DISTANCES = 40;
/** With up to 16 colours several pixels share a byte; a palette of more entries than are used keeps one byte a pixel. */
const LEAST_COLORS = 17;

const frequencies = memory.data(MOST_SYMBOLS * 4, 16);
const distanceFrequencies = memory.data(DISTANCES * 4, 16);
/** Codes of green (of the indexes: also of lengths), red, blue, alpha and distances. */
const codes = memory.data(4 * MOST_SYMBOLS * 4, 16);
const distanceCodes = memory.data(DISTANCES * 4, 16);
const unmarked = memory.data(16, 16);

export function webpIndexStart(): void {
  paletteStart();
}

/**
 * Writes the indexes of `rows` rows of `width` pixels to `out`, behind which 16 bytes are touched. Returns how many colours
 * there are up to now, 0 when they are more than 256.
 */
export function webpIndexRows(pixels: usize, width: i32, rows: i32, out: usize): i32 {
  let colors = 0;
  for (let y = 0; y < rows; y++) {
    // the filter byte of a PNG's row falls on the pixel before, which is put back
    const before = load<u8>(out - 1);
    colors = indexRows(pixels, width, 1, unmarked, out - 1);
    store<u8>(out - 1, before);
    if (colors == 0) return 0;
    pixels += <usize>width << 2;
    out += width;
  }
  return colors;
}

@inline
function count(counter: usize): void {
  store<u32>(counter, load<u32>(counter) + 1);
}

@inline
function putCode(code: u32): void {
  putBits(code & 0xffff, code >> 16);
}

/** Of a length or distance from 1 on: its symbol, extra bits << 8 and their value << 16 (section 3.6.2.2); values below 2^16. */
@inline
function prefixOf(value: u32): u64 {
  const from = value - 1;
  if (from < 4) return from;
  const highest = 31 - clz(from);
  const extra = highest - 1;
  const symbol = 2 * highest + ((from >> extra) & 1);
  return <u64>symbol | (<u64>extra << 8) | (<u64>(from & ((1 << extra) - 1)) << 16);
}

/** Neighbours have short numbers of their own (figure of section 3.6.2.2), of which the likely ones are used. */
@inline
function distanceNumber(distance: u32, width: u32): u32 {
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

/** `colors` straight RGBA words at `palette`, as differences from one to the next (section 4.4). */
function writePalette(palette: usize, colors: i32): void {
  const sent = max(colors, LEAST_COLORS);
  putBits(1 | (3 << 1) | ((sent - 1) << 3), 11);
  // no colour cache
  putBits(0, 1);
  flushBits();
  for (let channel = 0; channel < 4; channel++) {
    // in the order of the file: green, red, blue, alpha
    const shift: u32 = channel == 0 ? 8 : channel == 1 ? 0 : channel == 2 ? 16 : 24;
    memory.fill(frequencies, 0, MOST_SYMBOLS * 4);
    for (let i = 0; i < sent; i++) count(frequencies + (difference(palette, colors, i, shift) << 2));
    writeCode(frequencies, channel == 0 ? MOST_SYMBOLS : 256, codes + <usize>(channel * MOST_SYMBOLS * 4));
  }
  memory.fill(distanceFrequencies, 0, DISTANCES * 4);
  writeCode(distanceFrequencies, DISTANCES, distanceCodes);
  for (let i = 0; i < sent; i++) {
    for (let channel = 0; channel < 4; channel++) {
      const shift: u32 = channel == 0 ? 8 : channel == 1 ? 0 : channel == 2 ? 16 : 24;
      const symbol = difference(palette, colors, i, shift);
      putCode(load<u32>(codes + <usize>(channel * MOST_SYMBOLS * 4) + (symbol << 2)));
      flushBits();
    }
  }
}

function difference(palette: usize, colors: i32, i: i32, shift: u32): u32 {
  if (i >= colors) return 0;
  const before = i == 0 ? 0 : load<u32>(palette + ((i - 1) << 2));
  return ((load<u32>(palette + (i << 2)) >> shift) - (before >> shift)) & 255;
}

/** Counts the symbols; gives their extra bits. */
function countSymbols(indexes: usize, width: u32, sequences: usize, end: usize): u64 {
  memory.fill(frequencies, 0, MOST_SYMBOLS * 4);
  memory.fill(distanceFrequencies, 0, DISTANCES * 4);
  let bits: u64 = 0;
  for (let at = sequences; at < end; at += 12) {
    for (const stop = indexes + load<u32>(at); indexes < stop; indexes++) {
      count(frequencies + (<usize>load<u8>(indexes) << 2));
    }
    const length = load<u32>(at, 4);
    if (length == 0) continue;
    const ofLength = prefixOf(length);
    const ofDistance = prefixOf(distanceNumber(load<u32>(at, 8), width));
    count(frequencies + ((256 + (<usize>ofLength & 255)) << 2));
    count(distanceFrequencies + ((<usize>ofDistance & 255) << 2));
    bits += ((ofLength >> 8) & 255) + ((ofDistance >> 8) & 255);
    indexes += length;
  }
  return bits;
}

function writeSymbols(indexes: usize, width: u32, sequences: usize, end: usize): void {
  for (let at = sequences; at < end; at += 12) {
    const stop = indexes + load<u32>(at);
    // three codes of 15 bits and the 7 left over stay within 56
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
    const ofLength = prefixOf(length);
    putCode(load<u32>(codes + ((256 + (<usize>ofLength & 255)) << 2)));
    putBits(ofLength >> 16, (ofLength >> 8) & 255);
    flushBits();
    const ofDistance = prefixOf(distanceNumber(load<u32>(at, 8), width));
    putCode(load<u32>(distanceCodes + ((<usize>ofDistance & 255) << 2)));
    putBits(ofDistance >> 16, (ofDistance >> 8) & 255);
    flushBits();
    indexes += length;
  }
}

/**
 * Writes the picture whose indexes lie at `indexes` to `out`, behind which 16 bytes are touched. `palette`: `colors` straight
 * RGBA words. `sequences`: room for `most` of 12 bytes. Returns the end of what is written; 0 when that would be more than
 * `room` bytes (at least 2048), or the sequences more than there is room for.
 */
export function webpWrite(
  indexes: usize,
  width: i32,
  height: i32,
  palette: usize,
  colors: i32,
  hasAlpha: bool,
  sequences: usize,
  most: i32,
  out: usize,
  room: u32,
): usize {
  const found = findSequences(indexes, indexes + <usize>(width * height), width, sequences, most);
  if (found == 0) return 0;
  const end = sequences + <usize>found * 12;
  bitsStart();
  bitsTo(out);
  putBits(0x2f | (<u64>(width - 1) << 8) | (<u64>(height - 1) << 22) | (<u64>hasAlpha << 36), 40);
  flushBits();
  writePalette(palette, colors);
  // no further transform, no colour cache, one group of codes
  putBits(0, 3);
  let bits = countSymbols(indexes, width, sequences, end);
  bits += writeCode(frequencies, MOST_SYMBOLS, codes);
  memory.fill(frequencies, 0, MOST_SYMBOLS * 4);
  writeCode(frequencies, 256, codes + 1 * MOST_SYMBOLS * 4);
  writeCode(frequencies, 256, codes + 2 * MOST_SYMBOLS * 4);
  // alpha, 255 throughout, is not looked at with a palette
  writeCode(frequencies, 256, codes + 3 * MOST_SYMBOLS * 4);
  bits += writeCode(distanceFrequencies, DISTANCES, distanceCodes);
  if (bitsEnd() - out + <usize>(bits >> 3) + 16 > <usize>room) return 0;
  writeSymbols(indexes, width, sequences, end);
  alignBits();
  return bitsEnd();
}

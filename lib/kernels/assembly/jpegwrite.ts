// A row of coding units of a picture → its part of a baseline JPEG's scan. A unit of the one colour of the unit before it,
// as most of a card are, is not transformed: it differs by nothing.
import { BLOCK, takeFull, takeHalved } from './jpegsamples';
import { putBlock, putFlat, scanEnd, scanFinish, scanStart, scanTo } from './jpegscan';
import { transformBlock } from './jpegtransform';

/** Of one unit: at most four blocks of luma, and one of each chroma. */
const samples = memory.data(768, 16);
/** The quantized means of the last blocks: luma, blue, red. */
let lumaMean: i32 = 0;
let blueMean: i32 = 0;
let redMean: i32 = 0;
/** The colour of the unit before, when that was of one; else 0, which no opaque pixel is. */
let flatColor: u32 = 0;

/** The bytes of a component's tables: codes (16 + 256 words, see `putBlock`) and divisors (128 halves, see `transformBlock`). */
const CODES: usize = 1088;
const TABLES: usize = CODES + 256;

export function jpegWriteStart(): void {
  scanStart();
  lumaMean = 0;
  blueMean = 0;
  redMean = 0;
  flatColor = 0;
}

/**
 * Encodes `rows` rows of `width` premultiplied pixels at `pixels`, laid on white. Rows lie `units` units apart, of 16 pixels
 * when chroma is `halved` both ways, else of 8; there is memory for as many rows, and what the picture lacks is filled in
 * with its last column and row. `tables`: of luma, then of chroma. `last`: the scan ends here. Returns the end of what is
 * written at `out`: at most 512 bytes a block.
 */
export function jpegWriteUnits(
  pixels: usize,
  width: i32,
  rows: i32,
  units: i32,
  halved: bool,
  tables: usize,
  out: usize,
  last: bool,
): usize {
  const side = halved ? 16 : 8;
  const stride = <usize>(units * side) << 2;
  fillEdges(pixels, width, rows, side, stride);
  layOnWhite(pixels, pixels + stride * side);
  scanTo(out);
  for (let unit = 0; unit < units; unit++, pixels += <usize>side << 2) {
    const color = onlyColor(pixels, side, stride);
    if (color != 0 && color == flatColor) putSame(halved, tables);
    else {
      putUnit(pixels, stride, halved, tables);
      flatColor = color;
    }
  }
  if (last) scanFinish();
  return scanEnd();
}

function fillEdges(pixels: usize, width: i32, rows: i32, side: i32, stride: usize): void {
  const end = <usize>width << 2;
  for (let row = 0; row < rows && end < stride; row++) {
    const line = pixels + <usize>row * stride;
    const word = load<u32>(line + end - 4);
    for (let at = line + end; at < line + stride; at += 4) store<u32>(at, word);
  }
  const lowest = pixels + <usize>(rows - 1) * stride;
  for (let row = rows; row < side; row++) memory.copy(pixels + <usize>row * stride, lowest, stride);
}

/** c + 255 - a: opaque pixels stay. */
function layOnWhite(from: usize, end: usize): void {
  for (; from < end; from += 16) {
    const four = v128.load(from);
    const alphas = i8x16.shuffle(four, four, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
    v128.store(from, i8x16.add(four, v128.not(alphas)));
  }
}

/** The colour of all of a unit's pixels; 0 when they differ. */
function onlyColor(from: usize, side: i32, stride: usize): u32 {
  const color = load<u32>(from);
  const same = i32x4.splat(color);
  const length = <usize>side << 2;
  for (let y = 0; y < side; y++, from += stride) {
    for (let x: usize = 0; x < length; x += 32) {
      const differences = v128.or(v128.xor(v128.load(from + x), same), v128.xor(v128.load(from + x, 16), same));
      if (v128.any_true(differences)) return 0;
    }
  }
  return color;
}

function putSame(halved: bool, tables: usize): void {
  for (let block = halved ? 4 : 1; block > 0; block--) putFlat(tables, 0);
  putFlat(tables + TABLES, 0);
  putFlat(tables + TABLES, 0);
}

function putUnit(from: usize, stride: usize, halved: bool, luma: usize): void {
  const chroma = luma + TABLES;
  if (halved) takeHalved(from, stride, samples);
  else takeFull(from, stride, samples);
  let at = samples;
  for (let block = halved ? 4 : 1; block > 0; block--, at += BLOCK) {
    lumaMean = putBlock(luma, at, transformBlock(at, luma + CODES), lumaMean);
  }
  blueMean = putBlock(chroma, at, transformBlock(at, chroma + CODES), blueMean);
  at += BLOCK;
  redMean = putBlock(chroma, at, transformBlock(at, chroma + CODES), redMean);
}

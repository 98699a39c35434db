// Encodes one row of MCUs (minimum coded units) of an image as part of a baseline JPEG scan. An MCU of the same single
// colour as the previous one, as in most of a card, skips the transform: all its differences are zero.
import { BLOCK_BYTES, convert444, convert420 } from './rgba-to-ycbcr';
import { encodeBlock, encodeUniformBlock, scanOutputEnd, finishScan, startScan, setScanOutput } from './huffman-encode';
import { fdctAndQuantize } from './fdct';

/** Samples of one MCU: at most four luma blocks and one block of each chroma component. */
const samples = memory.data(768, 16);
/** Quantized DC of the last block: Y, Cb, Cr. */
let yDc: i32 = 0;
let cbDc: i32 = 0;
let crDc: i32 = 0;
/** The colour of the previous MCU if it was uniform; else 0, which no opaque pixel has. */
let previousColor: u32 = 0;

/**
 * Bytes of a component's tables: codes (16 + 256 u32, see `encodeBlock`) and divisors (128 u16, see `fdctAndQuantize`).
 */
const CODE_BYTES: usize = 1088;
const TABLE_BYTES: usize = CODE_BYTES + 256;

export function jpegEncodeStart(): void {
  startScan();
  yDc = 0;
  cbDc = 0;
  crDc = 0;
  previousColor = 0;
}

/**
 * Encodes `rows` rows of `width` premultiplied pixels at `pixels`, composited on white. The stride is `mcus` MCUs of
 * 16 × 16 pixels for 4:2:0 (`isSubsampled`), otherwise of 8 × 8. Memory for a full MCU row is required; missing pixels
 * replicate the last column and row. `tables`: luma, then chroma. `last`: the scan ends here. Returns the end of the
 * output at `out`: at most 512 bytes per block.
 */
export function jpegEncodeMcuRow(
  pixels: usize,
  width: i32,
  rows: i32,
  mcus: i32,
  isSubsampled: bool,
  tables: usize,
  out: usize,
  last: bool,
): usize {
  const side = isSubsampled ? 16 : 8;
  const stride = <usize>(mcus * side) << 2;
  replicateEdges(pixels, width, rows, side, stride);
  compositeOnWhite(pixels, pixels + stride * side);
  setScanOutput(out);
  for (let mcu = 0; mcu < mcus; mcu++, pixels += <usize>side << 2) {
    const color = uniformColor(pixels, side, stride);
    if (color != 0 && color == previousColor) encodeRepeatedMcu(isSubsampled, tables);
    else {
      encodeMcu(pixels, stride, isSubsampled, tables);
      previousColor = color;
    }
  }
  if (last) finishScan();
  return scanOutputEnd();
}

function replicateEdges(pixels: usize, width: i32, rows: i32, side: i32, stride: usize): void {
  const end = <usize>width << 2;
  for (let row = 0; row < rows && end < stride; row++) {
    const line = pixels + <usize>row * stride;
    const pixel = load<u32>(line + end - 4);
    for (let at = line + end; at < line + stride; at += 4) store<u32>(at, pixel);
  }
  const lastRow = pixels + <usize>(rows - 1) * stride;
  for (let row = rows; row < side; row++) memory.copy(pixels + <usize>row * stride, lastRow, stride);
}

/** c + 255 - a: opaque pixels are unchanged. */
function compositeOnWhite(from: usize, end: usize): void {
  for (; from < end; from += 16) {
    const four = v128.load(from);
    const alphas = i8x16.shuffle(four, four, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
    v128.store(from, i8x16.add(four, v128.not(alphas)));
  }
}

/** The colour of all pixels of an MCU; 0 if they differ. */
function uniformColor(from: usize, side: i32, stride: usize): u32 {
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

function encodeRepeatedMcu(isSubsampled: bool, tables: usize): void {
  for (let block = isSubsampled ? 4 : 1; block > 0; block--) encodeUniformBlock(tables, 0);
  encodeUniformBlock(tables + TABLE_BYTES, 0);
  encodeUniformBlock(tables + TABLE_BYTES, 0);
}

function encodeMcu(from: usize, stride: usize, isSubsampled: bool, luma: usize): void {
  const chroma = luma + TABLE_BYTES;
  if (isSubsampled) convert420(from, stride, samples);
  else convert444(from, stride, samples);
  let at = samples;
  for (let block = isSubsampled ? 4 : 1; block > 0; block--, at += BLOCK_BYTES) {
    yDc = encodeBlock(luma, at, fdctAndQuantize(at, luma + CODE_BYTES), yDc);
  }
  cbDc = encodeBlock(chroma, at, fdctAndQuantize(at, chroma + CODE_BYTES), cbDc);
  at += BLOCK_BYTES;
  crDc = encodeBlock(chroma, at, fdctAndQuantize(at, chroma + CODE_BYTES), crDc);
}

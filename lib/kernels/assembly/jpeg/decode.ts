// Decodes a JPEG of one sequential scan to RGBA pixels, one row of MCUs (minimum coded units) per call: grayscale;
// YCbCr 4:4:4, 4:2:2 or 4:2:0; or CMYK/YCCK with the same subsampling. Keeps at most two rows of MCUs in memory.
import { hasFailed, expectMarker, readBlock, flagFailure, startScan } from './huffman-decode';
import { idctBlock } from './idct';
import { h2v1Sums, h2v2Sums, writeGray, writeUpsampled, writeFullChroma } from './ycbcr-to-rgba';
import { applyBlack, writeCmy, upsampleRow } from './cmyk';

const RST0 = 0xd0;
const EOI = 0xd9;

/** 1: grayscale; 3: YCbCr; 4: CMYK or YCCK. */
let components = 1;
/** Whether four components are YCCK. */
let isYcck = false;
/** Sampling factors of luma (horizontal, vertical). Chroma is 1 × 1; black is 1 × 1 or the same as luma. */
let lumaH = 1;
let lumaV = 1;
let blackH = 1;
let blackV = 1;
let width = 0;
let height = 0;
let mcusPerRow = 0;
let restartInterval = 0;
let mcuCount = 0;
let mcuRow = 0;
/** Per component: its DC table index, its AC table index (one byte each), 2 unused bytes. */
let selectors: usize = 0;
/** Per component: 64 quantization steps, 2 bytes each, in zigzag order. */
let quantTables: usize = 0;
let lumaPlane: usize = 0;
let lumaStride: usize = 0;
let cbPlane: usize = 0;
let crPlane: usize = 0;
let chromaStride: usize = 0;
let blackPlane: usize = 0;
let blackStride: usize = 0;
let sumRow: usize = 0;
/** For four components: three rows of upsampled samples. */
let upsampledRows: usize = 0;
const dcPredictors = memory.data(16, 4);
const block = memory.data(128, 16);

/** Padding before and after the sums of a row. */
const MARGIN: usize = 16;

/** Bytes of scratch memory for an image that is `mcus` MCUs wide, with luma sampling factors `h` × `v`. */
export function jpegDecodeMemory(count: i32, mcus: i32, h: i32, v: i32): i32 {
  const luma = h * (8 * v + 1);
  const black = count == 4 ? luma + 3 * h : 0;
  return mcus * 8 * (luma + black + 2 * 9 + 2 * 2) + 8 * <i32>MARGIN;
}

/**
 * Starts to decode the scan data at `from`. `planes`: `jpegDecodeMemory` bytes of memory. `restart`: MCUs between two
 * restart markers, or 0. The Huffman tables must be set before.
 */
export function jpegDecodeStart(
  from: usize,
  count: i32,
  h: i32,
  v: i32,
  isBlackFull: bool,
  isYcckImage: bool,
  imageWidth: i32,
  imageHeight: i32,
  restart: i32,
  selectorAddress: usize,
  quantTableAddress: usize,
  planes: usize,
): void {
  startScan(from);
  components = count;
  isYcck = isYcckImage;
  lumaH = h;
  lumaV = v;
  blackH = isBlackFull ? lumaH : 1;
  blackV = isBlackFull ? lumaV : 1;
  width = imageWidth;
  height = imageHeight;
  mcusPerRow = (width + 8 * lumaH - 1) / (8 * lumaH);
  restartInterval = restart;
  mcuCount = 0;
  mcuRow = 0;
  selectors = selectorAddress;
  quantTables = quantTableAddress;
  chromaStride = <usize>(mcusPerRow * 8);
  lumaStride = chromaStride * lumaH;
  lumaPlane = planes;
  cbPlane = lumaPlane + lumaStride * (8 * lumaV + 1);
  crPlane = cbPlane + chromaStride * 9;
  sumRow = crPlane + chromaStride * 9 + MARGIN;
  upsampledRows = sumRow + (chromaStride << 2) + 4 * MARGIN;
  blackStride = chromaStride * blackH;
  blackPlane = upsampledRows + 3 * lumaStride;
  memory.fill(dcPredictors, 0, 16);
}

/**
 * Decodes one row of MCUs. Writes the pixel rows that are then complete to `out`, `stride` bytes apart (a multiple of
 * 64). Returns their number, or -1 if the data is unusual or malformed. With chroma of half height, the last pixel row
 * of an MCU row needs the next MCU row.
 */
export function jpegDecodeMcuRow(out: usize, stride: usize): i32 {
  const rows = 8 * lumaV;
  const firstRow = mcuRow * rows;
  if (mcuRow > 0) {
    memory.copy(lumaPlane, lumaPlane + lumaStride * rows, lumaStride);
    memory.copy(cbPlane, cbPlane + chromaStride * 8, chromaStride);
    memory.copy(crPlane, crPlane + chromaStride * 8, chromaStride);
    if (components == 4) memory.copy(blackPlane, blackPlane + blackStride * (8 * blackV), blackStride);
  }
  for (let mcu = 0; mcu < mcusPerRow; mcu++) decodeMcu(mcu);
  if (hasFailed()) return -1;
  mcuRow++;
  const isLastRowDeferred = components > 1 && lumaV == 2;
  const from = isLastRowDeferred && firstRow > 0 ? firstRow - 1 : firstRow;
  const to = firstRow + rows >= height ? height : isLastRowDeferred ? firstRow + rows - 1 : firstRow + rows;
  for (let y = from; y < to; y++, out += stride) writeRow(y, firstRow, out);
  return to - from;
}

/** Whether the scan data ends with the image. */
export function jpegDecodeEnd(): bool {
  expectMarker(EOI);
  return !hasFailed();
}

function decodeMcu(mcu: i32): void {
  if (restartInterval > 0 && mcuCount > 0 && mcuCount % restartInterval == 0) {
    expectMarker(RST0 + ((mcuCount / restartInterval - 1) & 7));
    memory.fill(dcPredictors, 0, 16);
  }
  mcuCount++;
  const luma = lumaPlane + lumaStride + <usize>(mcu * 8 * lumaH);
  for (let j = 0; j < lumaV; j++) {
    for (let i = 0; i < lumaH; i++) decodeBlock(0, luma + <usize>(8 * j) * lumaStride + 8 * i, lumaStride);
  }
  if (components == 1) return;
  decodeBlock(1, cbPlane + chromaStride + <usize>(mcu * 8), chromaStride);
  decodeBlock(2, crPlane + chromaStride + <usize>(mcu * 8), chromaStride);
  if (components == 3) return;
  const black = blackPlane + blackStride + <usize>(mcu * 8 * blackH);
  for (let j = 0; j < blackV; j++) {
    for (let i = 0; i < blackH; i++) decodeBlock(3, black + <usize>(8 * j) * blackStride + 8 * i, blackStride);
  }
}

function decodeBlock(component: i32, out: usize, stride: usize): void {
  for (let i: usize = 0; i < 128; i += 16) v128.store(block + i, i32x4.splat(0));
  const selector = selectors + <usize>(component << 2);
  const dcPredictor = dcPredictors + <usize>(component << 2);
  const quantTable = quantTables + <usize>(component << 7);
  const last = readBlock(load<u8>(selector), load<u8>(selector, 1), dcPredictor, quantTable, block);
  if (!idctBlock(block, last, out, stride)) flagFailure();
}

/** Writes pixel row `y`. `firstRow`: first pixel row of the MCU row decoded last. The planes begin one row before it. */
function writeRow(y: i32, firstRow: i32, out: usize): void {
  const line = <usize>(y - firstRow + 1);
  const luma = lumaPlane + line * lumaStride;
  if (components == 1) writeGray(luma, width, out);
  else if (components == 4) writeCmykRow(y, firstRow, out);
  else if (lumaH == 1) writeFullChroma(luma, cbPlane + line * chromaStride, crPlane + line * chromaStride, width, out);
  else {
    const columns = (width + 1) >> 1;
    const crSums = sumRow + (chromaStride << 1) + 2 * MARGIN;
    chromaSums(cbPlane, y, firstRow, sumRow);
    chromaSums(crPlane, y, firstRow, crSums);
    writeUpsampled(luma, sumRow, crSums, sumShift(), columns, out);
  }
}

/** The `shift` for `writeUpsampled`. */
@inline
function sumShift(): i32 {
  return lumaV == 1 ? 2 : 4;
}

/** Computes the chroma sums of row `y` from a plane of half width (and half height for 4:2:0). */
function chromaSums(plane: usize, y: i32, firstRow: i32, to: usize): void {
  const columns = (width + 1) >> 1;
  if (lumaV == 1) {
    h2v1Sums(plane + <usize>(y - firstRow + 1) * chromaStride, columns, to);
    return;
  }
  const row = y >> 1;
  const lastRow = (height - 1) >> 1;
  const other = y & 1 ? min(row + 1, lastRow) : max(row - 1, 0);
  const above = (firstRow >> 1) - 1;
  h2v2Sums(plane + <usize>(row - above) * chromaStride, plane + <usize>(other - above) * chromaStride, columns, to);
}

function writeCmykRow(y: i32, firstRow: i32, out: usize): void {
  const line = <usize>(y - firstRow + 1);
  const luma = lumaPlane + line * lumaStride;
  const second = upsampledRow(cbPlane, y, firstRow, upsampledRows);
  const third = upsampledRow(crPlane, y, firstRow, upsampledRows + lumaStride);
  const isBlackFull = blackH == lumaH;
  const black = isBlackFull
    ? blackPlane + line * blackStride
    : upsampledRow(blackPlane, y, firstRow, upsampledRows + 2 * lumaStride);
  if (isYcck) writeFullChroma(luma, second, third, width, out);
  else writeCmy(luma, second, third, width, out);
  applyBlack(black, width, isYcck, out);
}

/** Address of row `y` of a component with sampling factors 1 × 1: in its plane, or upsampled to `to`. */
function upsampledRow(plane: usize, y: i32, firstRow: i32, to: usize): usize {
  if (lumaH == 1) return plane + <usize>(y - firstRow + 1) * chromaStride;
  chromaSums(plane, y, firstRow, sumRow);
  upsampleRow(sumRow, sumShift(), (width + 1) >> 1, to);
  return to;
}

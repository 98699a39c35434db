// A JPEG of one sequential scan → rows of RGBA pixels, one row of its coding units after another: gray, or Y, Cb and Cr with
// chroma whole, of half the width, or of half the width and height. No more than two rows of units are kept.
import { isBroken, passMarker, readBlock, refuse, startCodes } from './jpegcode';
import { writeBlock } from './jpegblock';
import { halfSums, quarterSums, writeGray, writeSmoothed, writeWhole } from './jpegcolor';

const RESTART = 0xd0;
const END = 0xd9;

let isGray = false;
/** Luma blocks of a unit, across and down; chroma has one of each. */
let across = 1;
let down = 1;
let width = 0;
let height = 0;
let unitsAcross = 0;
let interval = 0;
let passed = 0;
let unitRow = 0;
/** For each component: number of its DC table, of its AC table (a byte each), 2 of no meaning. */
let selectors: usize = 0;
/** For each component 64 steps, 2 bytes each, in the order in which coefficients come. */
let steps: usize = 0;
let lumaPlane: usize = 0;
let lumaStride: usize = 0;
let cbPlane: usize = 0;
let crPlane: usize = 0;
let chromaStride: usize = 0;
let sums: usize = 0;
const before = memory.data(12, 4);
const block = memory.data(128, 16);

/** What stands before and behind the sums of a row. */
const MARGIN: usize = 16;

/** How many bytes of planes a picture needs that is `units` units of `across` blocks wide. */
export function jpegReadBytes(units: i32, blocksAcross: i32, blocksDown: i32): i32 {
  return units * 8 * (blocksAcross * (8 * blocksDown + 1) + 2 * 9 + 2 * 2) + 8 * <i32>MARGIN;
}

/**
 * Starts to read at `from`; `planes`: `jpegReadBytes` of memory. `restart`: units between two restart markers, or 0. The
 * tables have been set.
 */
export function jpegReadStart(
  from: usize,
  gray: bool,
  blocksAcross: i32,
  blocksDown: i32,
  pictureWidth: i32,
  pictureHeight: i32,
  restart: i32,
  tableSelectors: usize,
  stepTables: usize,
  planes: usize,
): void {
  startCodes(from);
  isGray = gray;
  across = blocksAcross;
  down = blocksDown;
  width = pictureWidth;
  height = pictureHeight;
  unitsAcross = (width + 8 * across - 1) / (8 * across);
  interval = restart;
  passed = 0;
  unitRow = 0;
  selectors = tableSelectors;
  steps = stepTables;
  chromaStride = <usize>(unitsAcross * 8);
  lumaStride = chromaStride * across;
  lumaPlane = planes;
  cbPlane = lumaPlane + lumaStride * (8 * down + 1);
  crPlane = cbPlane + chromaStride * 9;
  sums = crPlane + chromaStride * 9 + MARGIN;
  memory.fill(before, 0, 12);
}

/**
 * Reads one row of units, and writes the rows of pixels that are then complete to `out`, `stride` bytes apart (a multiple of
 * 64). Gives how many they are, or -1 when the data is out of the ordinary. Chroma of half the height makes the last row of a
 * unit wait for the next row of units.
 */
export function jpegReadRows(out: usize, stride: usize): i32 {
  const rows = 8 * down;
  const first = unitRow * rows;
  if (unitRow > 0) {
    memory.copy(lumaPlane, lumaPlane + lumaStride * rows, lumaStride);
    memory.copy(cbPlane, cbPlane + chromaStride * 8, chromaStride);
    memory.copy(crPlane, crPlane + chromaStride * 8, chromaStride);
  }
  for (let unit = 0; unit < unitsAcross; unit++) readUnit(unit);
  if (isBroken()) return -1;
  unitRow++;
  const waits = !isGray && down == 2;
  const from = waits && first > 0 ? first - 1 : first;
  const to = first + rows >= height ? height : waits ? first + rows - 1 : first + rows;
  for (let y = from; y < to; y++, out += stride) writeRow(y, first, out);
  return to - from;
}

/** Whether the data ends where the picture does. */
export function jpegReadEnd(): bool {
  passMarker(END);
  return !isBroken();
}

function readUnit(unit: i32): void {
  if (interval > 0 && passed > 0 && passed % interval == 0) {
    passMarker(RESTART + ((passed / interval - 1) & 7));
    memory.fill(before, 0, 12);
  }
  passed++;
  const luma = lumaPlane + lumaStride + <usize>(unit * 8 * across);
  for (let j = 0; j < down; j++) {
    for (let i = 0; i < across; i++) readSamples(0, luma + <usize>(8 * j) * lumaStride + 8 * i, lumaStride);
  }
  if (isGray) return;
  readSamples(1, cbPlane + chromaStride + <usize>(unit * 8), chromaStride);
  readSamples(2, crPlane + chromaStride + <usize>(unit * 8), chromaStride);
}

function readSamples(component: i32, out: usize, stride: usize): void {
  for (let i: usize = 0; i < 128; i += 16) v128.store(block + i, i32x4.splat(0));
  const selector = selectors + <usize>(component << 2);
  const first = before + <usize>(component << 2);
  const last = readBlock(load<u8>(selector), load<u8>(selector, 1), first, steps + <usize>(component << 7), block);
  if (!writeBlock(block, last, out, stride)) refuse();
}

/** Row `y` of the picture; `first`: that of the row of units that was read last. The planes begin one row before it. */
function writeRow(y: i32, first: i32, out: usize): void {
  const luma = lumaPlane + <usize>(y - first + 1) * lumaStride;
  if (isGray) {
    writeGray(luma, width, out);
    return;
  }
  if (across == 1) {
    const at = <usize>(y - first + 1) * chromaStride;
    writeWhole(luma, cbPlane + at, crPlane + at, width, out);
    return;
  }
  const columns = (width + 1) >> 1;
  const otherSums = sums + (chromaStride << 1) + 2 * MARGIN;
  if (down == 1) {
    const at = <usize>(y - first + 1) * chromaStride;
    halfSums(cbPlane + at, columns, sums);
    halfSums(crPlane + at, columns, otherSums);
    writeSmoothed(luma, sums, otherSums, 2, columns, out);
    return;
  }
  const row = y >> 1;
  const last = (height - 1) >> 1;
  const other = y & 1 ? min(row + 1, last) : max(row - 1, 0);
  const near = <usize>(row - (first >> 1) + 1) * chromaStride;
  const far = <usize>(other - (first >> 1) + 1) * chromaStride;
  quarterSums(cbPlane + near, cbPlane + far, columns, sums);
  quarterSums(crPlane + near, crPlane + far, columns, otherSums);
  writeSmoothed(luma, sums, otherSums, 4, columns, out);
}

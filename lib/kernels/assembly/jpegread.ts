// A JPEG of one sequential scan → rows of RGBA pixels, one row of its coding units after another: gray, Y, Cb and Cr with
// chroma whole, of half the width, or of half the width and height, or four inks in the like. No more than two rows of units
// are kept.
import { isBroken, passMarker, readBlock, refuse, startCodes } from './jpegcode';
import { writeBlock } from './jpegblock';
import { halfSums, quarterSums, writeGray, writeSmoothed, writeWhole } from './jpegcolor';
import { blacken, writeInks, writeSamples } from './jpegink';

const RESTART = 0xd0;
const END = 0xd9;

/** 1: gray; 3: Y, Cb, Cr; 4: the same or cyan, magenta, yellow, and black. */
let components = 1;
/** Whether three of four are Y, Cb, Cr. */
let isYcck = false;
/** Luma blocks of a unit, across and down; chroma has one of each, and black one or as many as luma. */
let across = 1;
let down = 1;
let blackAcross = 1;
let blackDown = 1;
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
let blackPlane: usize = 0;
let blackStride: usize = 0;
let sums: usize = 0;
/** Of four components, three rows of luma's width. */
let wideRows: usize = 0;
const before = memory.data(16, 4);
const block = memory.data(128, 16);

/** What stands before and behind the sums of a row. */
const MARGIN: usize = 16;

/** How many bytes of planes a picture needs that is `units` units of `blocksAcross` blocks wide. */
export function jpegReadBytes(count: i32, units: i32, blocksAcross: i32, blocksDown: i32): i32 {
  const luma = blocksAcross * (8 * blocksDown + 1);
  const black = count == 4 ? luma + 3 * blocksAcross : 0;
  return units * 8 * (luma + black + 2 * 9 + 2 * 2) + 8 * <i32>MARGIN;
}

/**
 * Starts to read at `from`; `planes`: `jpegReadBytes` of memory. `restart`: units between two restart markers, or 0. The
 * tables have been set.
 */
export function jpegReadStart(
  from: usize,
  count: i32,
  blocksAcross: i32,
  blocksDown: i32,
  isBlackWhole: bool,
  inYcck: bool,
  pictureWidth: i32,
  pictureHeight: i32,
  restart: i32,
  tableSelectors: usize,
  stepTables: usize,
  planes: usize,
): void {
  startCodes(from);
  components = count;
  isYcck = inYcck;
  across = blocksAcross;
  down = blocksDown;
  blackAcross = isBlackWhole ? across : 1;
  blackDown = isBlackWhole ? down : 1;
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
  wideRows = sums + (chromaStride << 2) + 4 * MARGIN;
  blackStride = chromaStride * blackAcross;
  blackPlane = wideRows + 3 * lumaStride;
  memory.fill(before, 0, 16);
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
    if (components == 4) memory.copy(blackPlane, blackPlane + blackStride * (8 * blackDown), blackStride);
  }
  for (let unit = 0; unit < unitsAcross; unit++) readUnit(unit);
  if (isBroken()) return -1;
  unitRow++;
  const waits = components > 1 && down == 2;
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
    memory.fill(before, 0, 16);
  }
  passed++;
  const luma = lumaPlane + lumaStride + <usize>(unit * 8 * across);
  for (let j = 0; j < down; j++) {
    for (let i = 0; i < across; i++) readSamples(0, luma + <usize>(8 * j) * lumaStride + 8 * i, lumaStride);
  }
  if (components == 1) return;
  readSamples(1, cbPlane + chromaStride + <usize>(unit * 8), chromaStride);
  readSamples(2, crPlane + chromaStride + <usize>(unit * 8), chromaStride);
  if (components == 3) return;
  const black = blackPlane + blackStride + <usize>(unit * 8 * blackAcross);
  for (let j = 0; j < blackDown; j++) {
    for (let i = 0; i < blackAcross; i++) readSamples(3, black + <usize>(8 * j) * blackStride + 8 * i, blackStride);
  }
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
  const line = <usize>(y - first + 1);
  const luma = lumaPlane + line * lumaStride;
  if (components == 1) writeGray(luma, width, out);
  else if (components == 4) writeFour(y, first, out);
  else if (across == 1) writeWhole(luma, cbPlane + line * chromaStride, crPlane + line * chromaStride, width, out);
  else {
    const columns = (width + 1) >> 1;
    const otherSums = sums + (chromaStride << 1) + 2 * MARGIN;
    chromaSums(cbPlane, y, first, sums);
    chromaSums(crPlane, y, first, otherSums);
    writeSmoothed(luma, sums, otherSums, sumShift(), columns, out);
  }
}

/** 2 to the power of how many parts the sums are smoothed to: see `writeSmoothed`. */
@inline
function sumShift(): i32 {
  return down == 1 ? 2 : 4;
}

/** Of row `y`, from a plane of half the width, and of half the height when luma has two blocks down. */
function chromaSums(plane: usize, y: i32, first: i32, to: usize): void {
  const columns = (width + 1) >> 1;
  if (down == 1) {
    halfSums(plane + <usize>(y - first + 1) * chromaStride, columns, to);
    return;
  }
  const row = y >> 1;
  const last = (height - 1) >> 1;
  const other = y & 1 ? min(row + 1, last) : max(row - 1, 0);
  const above = (first >> 1) - 1;
  quarterSums(plane + <usize>(row - above) * chromaStride, plane + <usize>(other - above) * chromaStride, columns, to);
}

function writeFour(y: i32, first: i32, out: usize): void {
  const line = <usize>(y - first + 1);
  const luma = lumaPlane + line * lumaStride;
  const second = wideRow(cbPlane, y, first, wideRows);
  const third = wideRow(crPlane, y, first, wideRows + lumaStride);
  const isWhole = blackAcross == across;
  const black = isWhole ? blackPlane + line * blackStride : wideRow(blackPlane, y, first, wideRows + 2 * lumaStride);
  if (isYcck) writeWhole(luma, second, third, width, out);
  else writeInks(luma, second, third, width, out);
  blacken(black, width, isYcck, out);
}

/** Where row `y` of a component is that has one block in a unit: in its plane, or widened at `to`. */
function wideRow(plane: usize, y: i32, first: i32, to: usize): usize {
  if (across == 1) return plane + <usize>(y - first + 1) * chromaStride;
  chromaSums(plane, y, first, sums);
  writeSamples(sums, sumShift(), (width + 1) >> 1, to);
  return to;
}

// Encodes one row of MCUs (minimum coded units) of an image as part of a baseline JPEG scan. An MCU of the same single
// colour as the previous one, as in most of a card, skips the transform: all its differences are zero. Twin of
// assembly/jpeg/encode.ts and rgba-to-ycbcr.ts: the same integer arithmetic, so the same bytes.
import type { Kernels } from '../../interface.js';
import type { PlainMemory } from '../memory.js';
import { quantize, transform } from './fdct.js';
import { ScanWriter } from './huffman-encode.js';
import { ZIGZAG } from './zigzag.js';

/** Factors of red, green and blue for Y, Cb and Cr in 32768ths, by the JFIF specification, and the centre of the range. */
const COMPONENTS = [
  { factors: [9798, 19235, 3735], center: 128 },
  { factors: [-5529, -10855, 16384], center: 0 },
  { factors: [16384, -13720, -2664], center: 0 },
] as const;

type Component = (typeof COMPONENTS)[number];

/** Bytes of a component's codes and of its codes and divisors. */
const CODE_BYTES = 1088;
const TABLE_BYTES = CODE_BYTES + 256;

export function jpegEncodeKernels(memory: PlainMemory): Pick<Kernels, 'jpegEncodeStart' | 'jpegEncodeMcuRow'> {
  const writer = new ScanWriter(memory);
  const block = new Int16Array(64);
  const values = new Int16Array(64);
  const noDifference = new Int16Array(64);
  const previousDc = [0, 0, 0];
  /** The colour of the previous MCU if it was uniform. */
  let previousColor: number | undefined;

  function encodeBlock(component: number, tables: number): void {
    transform(block);
    const { shorts } = memory;
    const divisors = (tables + CODE_BYTES) / 2;
    for (let k = 0; k < 64; k++) {
      const place = ZIGZAG[k];
      // the tables are in column order
      const divisor = divisors + (place & 7) * 8 + (place >> 3);
      values[k] = quantize(block[place], shorts[divisor], shorts[divisor + 64]);
    }
    const dc = values[0];
    values[0] = dc - previousDc[component];
    previousDc[component] = dc;
    writer.block(values, tables);
  }

  return {
    jpegEncodeStart() {
      writer.start();
      previousDc.fill(0);
      previousColor = undefined;
    },

    /**
     * Encodes `rows` rows of `width` premultiplied pixels at `pixels`, composited on white. The stride is `mcus` MCUs of
     * 16 × 16 pixels for 4:2:0 (`isSubsampled`), otherwise of 8 × 8. Missing pixels replicate the last column and row.
     * `tables`: luma, then chroma. `last`: the scan ends here. Returns the end of the output at `out`.
     */
    jpegEncodeMcuRow(pixels, width, rows, mcus, isSubsampled, tables, out, last) {
      const side = isSubsampled ? 16 : 8;
      const stride = mcus * side;
      const band = memory.words.subarray(pixels / 4, pixels / 4 + stride * side);
      replicateEdges(band, width, rows, stride);
      for (let i = 0; i < band.length; i++) if (band[i] >>> 24 < 255) band[i] = onWhite(band[i]);
      writer.end = out;
      for (let left = 0; left < stride; left += side) {
        const color = uniformColor(band, left, side, stride);
        const isRepeated = color !== undefined && color === previousColor;
        previousColor = color;
        const lumaBlocks = isSubsampled ? 4 : 1;
        for (let i = 0; i < lumaBlocks; i++) {
          if (isRepeated) writer.block(noDifference, tables);
          else {
            loadBlock(band, left + (i & 1) * 8 + (i >> 1) * 8 * stride, stride, 1, COMPONENTS[0], block);
            encodeBlock(0, tables);
          }
        }
        for (const component of [1, 2] as const) {
          if (isRepeated) writer.block(noDifference, tables + TABLE_BYTES);
          else {
            loadBlock(band, left, stride, isSubsampled ? 2 : 1, COMPONENTS[component], block);
            encodeBlock(component, tables + TABLE_BYTES);
          }
        }
      }
      if (last) writer.finish();
      return writer.end;
    },
  };
}

function replicateEdges(band: Uint32Array, width: number, rows: number, stride: number): void {
  for (let row = 0; row < rows; row++)
    band.fill(band[row * stride + width - 1], row * stride + width, (row + 1) * stride);
  for (let at = rows * stride; at < band.length; at += stride) band.copyWithin(at, (rows - 1) * stride, rows * stride);
}

/** c + 255 - a. */
function onWhite(pixel: number): number {
  const white = 255 - (pixel >>> 24);
  let opaque = 0xff000000;
  for (let shift = 0; shift < 24; shift += 8) opaque |= (((pixel >>> shift) & 255) + white) << shift;
  return opaque;
}

/** The colour of all pixels of an MCU; undefined if they differ. */
function uniformColor(band: Uint32Array, left: number, side: number, stride: number): number | undefined {
  const color = band[left];
  for (let row = left; row < band.length; row += stride) {
    for (let i = row; i < row + side; i++) if (band[i] !== color) return undefined;
  }
  return color;
}

/** Fills `block` with a component's samples in 32nds, each the mean of `size` × `size` pixels (1 or 2). */
function loadBlock(
  band: Uint32Array,
  from: number,
  stride: number,
  size: number,
  { factors, center }: Component,
  block: Int16Array,
): void {
  const [red, green, blue] = factors;
  // from 15 fraction bits to 5; two bits more for sums of four pixels
  const shift = size === 2 ? 12 : 10;
  const bias = (1 << (shift - 1)) - center * 32768;
  for (let i = 0; i < 64; i++) {
    const at = from + (i & 7) * size + (i >> 3) * size * stride;
    const sum =
      size === 1
        ? weigh(band[at])
        : weigh(band[at]) + weigh(band[at + 1]) + weigh(band[at + stride]) + weigh(band[at + stride + 1]);
    block[i] = (sum + bias) >> shift;
  }

  function weigh(pixel: number): number {
    return red * (pixel & 255) + green * ((pixel >> 8) & 255) + blue * ((pixel >> 16) & 255);
  }
}

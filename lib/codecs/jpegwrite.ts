// Opaque pixels → a baseline JPEG (JFIF, YCbCr, Huffman tables of the standard). Units of one colour, most of a card with
// text, are written without being transformed. Deterministic: doubles and whole numbers only.
import { inverseSteps, transformBlock } from './jpegdct.js';
import { FULL_SCALE, HALVED_SCALE, takeFull, takeHalved } from './jpegsamples.js';
import { type BlockCoding, ScanWriter } from './jpegscan.js';
import * as tables from './jpegtables.js';
import type { StraightImage } from './wasm.js';

/** Whether chroma is halved both ways (as 4:2:0) or kept whole (4:4:4). */
export type ChromaSampling = '4:2:0' | '4:4:4';

/**
 * Writes `image`, whose alpha is not looked at, at a `quality` of 1–100, rounded. Times at quality 90 and 4:2:0 as ratios
 * to jpeg-js (which has 4:4:4 alone), libjpeg-turbo compiled to WebAssembly, and Skia, all in one run: a card with text
 * 0.1, 0.3 and 0.45; a photographic card 0.2, 0.75 and 1.1. Files as libjpeg-turbo's within 1 %, as near the picture.
 */
export function writeJpeg(image: StraightImage, quality: number, sampling: ChromaSampling): Uint8Array {
  const quantization = tables.quantizationTables(Math.min(100, Math.max(1, Math.round(quality))));
  const writer = new ScanWriter(1024 + ((image.width * image.height) >> 3));
  writeHeader(writer, image, quantization, sampling);
  writeScan(writer, image, quantization, sampling);
  writer.endScan();
  writer.bytes([0xff, 0xd9]);
  return writer.finish();
}

function writeHeader(
  writer: ScanWriter,
  { width, height }: StraightImage,
  { luma, chroma }: tables.QuantizationTables,
  sampling: ChromaSampling,
): void {
  const segment = (marker: number, body: readonly number[]) =>
    writer.bytes([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255, ...body]);
  const zigzag = (steps: Uint8Array) => Array.from(tables.ZIGZAG, (place) => steps[place]);
  const huffman = (id: number, { counts, symbols }: tables.HuffmanTable) => [id, ...counts, ...symbols];
  const lumaSampling = sampling === '4:2:0' ? 0x22 : 0x11;
  writer.bytes([0xff, 0xd8]);
  segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]);
  segment(0xdb, [0, ...zigzag(luma), 1, ...zigzag(chroma)]);
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  segment(0xc0, [8, ...size, 3, 1, lumaSampling, 0, 2, 0x11, 1, 3, 0x11, 1]);
  segment(0xc4, [
    ...huffman(0x00, tables.LUMA_DC),
    ...huffman(0x10, tables.LUMA_AC),
    ...huffman(0x01, tables.CHROMA_DC),
    ...huffman(0x11, tables.CHROMA_AC),
  ]);
  segment(0xda, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]);
}

function writeScan(
  writer: ScanWriter,
  { data, width, height }: StraightImage,
  { luma, chroma }: tables.QuantizationTables,
  sampling: ChromaSampling,
): void {
  const halved = sampling === '4:2:0';
  const side = halved ? 16 : 8;
  const lumaBlocks = halved ? 4 : 1;
  const takeSamples = halved ? takeHalved : takeFull;
  const lumaCoding = coding(tables.LUMA_DC, tables.LUMA_AC, luma, FULL_SCALE);
  const chromaCoding = coding(tables.CHROMA_DC, tables.CHROMA_AC, chroma, halved ? HALVED_SCALE : FULL_SCALE);
  const words = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const samples = new Float64Array((lumaBlocks + 2) * 64);
  const edge = new Uint8ClampedArray(side * side * 4);
  const edgeWords = new Uint32Array(edge.buffer);
  const means = [0, 0, 0];
  // The colour of the unit before, when that was all of one colour: then another of the same has six differences of 0.
  let flatColor = -1;

  for (let top = 0; top < height; top += side) {
    for (let left = 0; left < width; left += side) {
      const whole = left + side <= width && top + side <= height;
      const from = top * width + left;
      if (!whole) copyEdge(words, width, height, left, top, side, edgeWords);
      const color = whole ? onlyColor(words, from, width, side) : onlyColor(edgeWords, 0, side, side);
      if (color >= 0 && color === flatColor) {
        for (let block = 0; block < lumaBlocks; block++) writer.flatBlock(lumaCoding, 0);
        writer.flatBlock(chromaCoding, 0);
        writer.flatBlock(chromaCoding, 0);
        continue;
      }
      flatColor = color;
      if (whole) takeSamples(data, from * 4, width * 4, samples);
      else takeSamples(edge, 0, side * 4, samples);
      for (let block = 0; block < lumaBlocks + 2; block++) {
        const component = Math.max(0, block - lumaBlocks + 1);
        const how = component === 0 ? lumaCoding : chromaCoding;
        means[component] = writeBlock(writer, how, samples, block * 64, means[component]);
      }
    }
  }
}

function coding(dc: tables.HuffmanTable, ac: tables.HuffmanTable, steps: Uint8Array, sampleScale: number): BlockCoding {
  const natural = inverseSteps(steps, sampleScale);
  return { dc, ac, inverse: Float64Array.from(tables.ZIGZAG, (place) => natural[place]) };
}

function writeBlock(writer: ScanWriter, how: BlockCoding, samples: Float64Array, at: number, previous: number): number {
  const first = samples[at];
  let i = at + 1;
  while (i < at + 64 && samples[i] === first) i++;
  if (i < at + 64) {
    transformBlock(samples, at);
    return writer.block(how, samples, at, previous);
  }
  const mean = Math.floor(first * 64 * how.inverse[0] + 0.5);
  writer.flatBlock(how, mean - previous);
  return mean;
}

/** The colour of all of a unit's pixels, as a word; -1 when they differ. */
function onlyColor(words: Uint32Array, from: number, stride: number, side: number): number {
  const color = words[from];
  for (let y = 0, row = from; y < side; y++, row += stride) {
    for (let i = row; i < row + side; i++) if (words[i] !== color) return -1;
  }
  return color;
}

/** A unit that reaches beyond the picture: its last column and row go on. */
function copyEdge(
  words: Uint32Array,
  width: number,
  height: number,
  left: number,
  top: number,
  side: number,
  out: Uint32Array,
): void {
  for (let y = 0, to = 0; y < side; y++) {
    const row = Math.min(height - 1, top + y) * width;
    for (let x = 0; x < side; x++, to++) out[to] = words[row + Math.min(width - 1, left + x)];
  }
}

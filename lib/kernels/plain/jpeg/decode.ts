// Decodes a JPEG of one sequential scan to RGBA pixels, one row of MCUs (minimum coded units) per call: grayscale;
// YCbCr 4:4:4, 4:2:2 or 4:2:0; or CMYK/YCCK with the same subsampling. Keeps at most two rows of MCUs. Twin of
// assembly/jpeg/decode.ts.
import type { Kernels } from '../../interface.js';
import type { PlainMemory } from '../memory.js';
import { applyBlack, upsample, writeCmy, writeGray, writeYcc } from './color.js';
import { ScanReader } from './huffman-decode.js';
import { idctBlock, idctDc } from './idct.js';

const RST0 = 0xd0;
const EOI = 0xd9;

/** The samples of a component: the last row of the previous row of MCUs, then those of the present one. */
class Plane {
  readonly stride: number;
  private readonly samples: Uint8ClampedArray;

  /** `horizontal`, `vertical`: the component's sampling factors. */
  constructor(
    mcusPerRow: number,
    readonly horizontal: number,
    readonly vertical: number,
    readonly dc: number,
    readonly ac: number,
    readonly steps: Int16Array,
  ) {
    this.stride = mcusPerRow * 8 * horizontal;
    this.samples = new Uint8ClampedArray(this.stride * (8 * vertical + 1));
  }

  /** Keeps the last row. */
  advance(): void {
    this.samples.copyWithin(0, this.samples.length - this.stride);
  }

  /** Decodes the component's blocks of one MCU. */
  decode(reader: ScanReader, component: number, mcu: number, block: Int16Array): void {
    const { horizontal, vertical, stride, samples } = this;
    for (let i = 0; i < horizontal * vertical; i++) {
      const row = 1 + 8 * Math.floor(i / horizontal);
      const at = row * stride + 8 * (mcu * horizontal + (i % horizontal));
      const isOnlyDc = reader.readBlock(component, this.dc, this.ac, this.steps, block);
      const isInside = isOnlyDc ? idctDc(block[0], samples, at, stride) : idctBlock(block, samples, at, stride);
      if (!isInside) reader.flagFailure();
    }
  }

  /** Row `y` of the present row of MCUs; -1 is the last one of the previous. */
  row(y: number): Uint8ClampedArray {
    return this.samples.subarray((y + 1) * this.stride, (y + 2) * this.stride);
  }
}

export function jpegDecodeKernels(
  memory: PlainMemory,
): Pick<
  Kernels,
  'jpegSetHuffmanTable' | 'jpegDecodeMemory' | 'jpegDecodeStart' | 'jpegDecodeMcuRow' | 'jpegDecodeEnd'
> {
  const reader = new ScanReader(memory);
  const block = new Int16Array(64);
  /** The planes: one for grayscale, three for YCbCr, four for CMYK or YCCK. */
  let planes: Plane[] = [];
  /** Upsampled rows of all components but the first. */
  let upsampled: Uint8ClampedArray[] = [];
  let isYcck = false;
  let width = 0;
  let height = 0;
  let mcusPerRow = 0;
  let restartInterval = 0;
  let mcuCount = 0;
  let mcuRow = 0;

  function decodeMcu(mcu: number): void {
    if (restartInterval > 0 && mcuCount > 0 && mcuCount % restartInterval === 0) {
      reader.expectMarker(RST0 + ((mcuCount / restartInterval - 1) & 7));
    }
    mcuCount++;
    planes.forEach((plane, component) => {
      plane.decode(reader, component, mcu, block);
    });
  }

  /** Row `y` of a component at full width. `firstRow`: first pixel row of the present row of MCUs. */
  function rowOf(component: number, y: number, firstRow: number): Uint8ClampedArray {
    const { horizontal: lumaH, vertical: lumaV } = planes[0];
    const plane = planes[component];
    // chroma of full width has full height too
    if (plane.horizontal === lumaH) return plane.row(y - firstRow);
    const columns = (width + 1) >> 1;
    const out = upsampled[component];
    if (lumaV === 1) upsample(plane.row(y - firstRow), undefined, columns, out);
    else {
      const firstChromaRow = firstRow >> 1;
      const near = y >> 1;
      const far = y & 1 ? Math.min(near + 1, (height - 1) >> 1) : Math.max(near - 1, 0);
      upsample(plane.row(near - firstChromaRow), plane.row(far - firstChromaRow), columns, out);
    }
    return out;
  }

  function writeRow(y: number, firstRow: number, out: Uint8ClampedArray): void {
    const [first, second, third, black] = planes.map((_, component) => rowOf(component, y, firstRow));
    if (planes.length === 1) writeGray(first, out);
    else if (planes.length === 3 || isYcck) writeYcc(first, second, third, out);
    else writeCmy(first, second, third, out);
    if (planes.length === 4) applyBlack(black, isYcck, out);
  }

  return {
    jpegSetHuffmanTable: (isAc, index, counts, symbols) => reader.setTable(isAc, index, counts, symbols),

    /** Returns 0: planes are allocated separately. */
    jpegDecodeMemory: () => 0,

    /**
     * Starts to decode the scan data at `from`. `lumaH`, `lumaV`: sampling factors of the first component; the others'
     * are 1, except that black has the first one's if `isBlackFull`. `interval`: MCUs between two restart markers, or 0.
     * `selectors`, per component: its DC table index, its AC table index, 2 unused bytes. `quantTables`, per component: 64
     * quantization steps, 2 bytes each, in zigzag order. The Huffman tables must be set before.
     */
    jpegDecodeStart(
      from,
      components,
      lumaH,
      lumaV,
      isBlackFull,
      isYcckImage,
      imageWidth,
      imageHeight,
      interval,
      selectors,
      quantTables,
    ) {
      const { bytes, shorts } = memory;
      reader.start(from);
      isYcck = isYcckImage;
      width = imageWidth;
      height = imageHeight;
      mcusPerRow = Math.ceil(width / (8 * lumaH));
      restartInterval = interval;
      mcuCount = 0;
      mcuRow = 0;
      planes = Array.from({ length: components }, (_, i) => {
        const isFull = i === 0 || (i === 3 && isBlackFull);
        const steps = shorts.slice(quantTables / 2 + 64 * i, quantTables / 2 + 64 * (i + 1));
        const [dc, ac] = [bytes[selectors + 4 * i], bytes[selectors + 4 * i + 1]];
        return new Plane(mcusPerRow, isFull ? lumaH : 1, isFull ? lumaV : 1, dc, ac, steps);
      });
      upsampled = planes.map((_, i) => new Uint8ClampedArray(i > 0 ? planes[0].stride : 0));
    },

    /**
     * Decodes one row of MCUs. Writes the pixel rows that are then complete to `out`, `stride` bytes apart. Returns their
     * number, or -1 if the data is unusual or malformed. With chroma of half height, the last pixel row of an MCU row
     * needs the next MCU row.
     */
    jpegDecodeMcuRow(out, stride) {
      const lumaV = planes[0].vertical;
      const rows = 8 * lumaV;
      const firstRow = mcuRow * rows;
      if (mcuRow > 0) for (const plane of planes) plane.advance();
      for (let mcu = 0; mcu < mcusPerRow; mcu++) decodeMcu(mcu);
      if (reader.hasFailed) return -1;
      mcuRow++;
      const deferred = planes.length > 1 && lumaV === 2 ? 1 : 0;
      const from = Math.max(0, firstRow - deferred);
      const to = firstRow + rows >= height ? height : firstRow + rows - deferred;
      for (let y = from; y < to; y++) {
        writeRow(y, firstRow, new Uint8ClampedArray(memory.buffer, out + (y - from) * stride, width * 4));
      }
      return to - from;
    },

    /** Whether the scan data ends with the image. */
    jpegDecodeEnd() {
      reader.expectMarker(EOI);
      return !reader.hasFailed;
    },
  };
}

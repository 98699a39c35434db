// Decides from the headers whether the kernels can decode a JPEG: a single sequential scan of all components, 8 bits
// per sample, common sampling factors. Whether the scan data is complete and valid does not show here.
import type { JpegHeader } from './header.js';

/** Minimum width: libjpeg does not apply the triangle filter to fewer than 3 chroma columns. */
const MIN_FILTERED_WIDTH = 5;

const BASELINE = 0xc0;
const EXTENDED = 0xc1;

/** Sampling factors of the first component relative to the second and third. */
interface Sampling {
  readonly horizontal: number;
  readonly vertical: number;
  /** Whether the fourth component has the sampling of the first; else that of the second. */
  readonly isBlackFull: boolean;
}

/** File offsets of frame, tables and scan. */
interface Offsets {
  readonly frame: number;
  /** Quantization tables by index: the last definition of each. */
  readonly quantTables: ReadonlyMap<number, number>;
  /** Huffman tables by 16 × class + index; class 1 is AC. */
  readonly huffmanTables: ReadonlyMap<number, number>;
  readonly restartInterval: number;
  readonly scan: number;
}

export type BaselineLayout = Sampling & Offsets;

/** Returns the layout; undefined if the kernels can't decode such a file. */
export function baselineLayout(bytes: Uint8Array, header: JpegHeader): BaselineLayout | undefined {
  const sampling = samplingOf(header);
  const offsets = sampling && findOffsets(bytes);
  return offsets && isSingleScan(bytes, offsets, header.components.length) ? { ...sampling, ...offsets } : undefined;
}

function samplingOf({ width, components }: JpegHeader): Sampling | undefined {
  const [first, second, third, black] = components;
  if (!second) return { horizontal: 1, vertical: 1, isBlackFull: false };
  const { horizontal, vertical } = first;
  const isBlackFull = black?.horizontal === horizontal && black.vertical === vertical;
  const unsampled = isBlackFull ? [second, third] : components.slice(1);
  const isUnsampled = unsampled.every((component) => component.horizontal === 1 && component.vertical === 1);
  const isCommon = horizontal <= 2 && vertical <= horizontal;
  if (!isUnsampled || !isCommon || (horizontal === 2 && width < MIN_FILTERED_WIDTH)) return undefined;
  return { horizontal, vertical, isBlackFull };
}

export function u16(bytes: Uint8Array, at: number): number {
  return (bytes[at] << 8) | bytes[at + 1];
}

/** Everything before the first scan, whose header is already known to be complete. */
function findOffsets(bytes: Uint8Array): Offsets | undefined {
  const quantTables = new Map<number, number>();
  const huffmanTables = new Map<number, number>();
  let frame = 0;
  let restartInterval = 0;
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff) return undefined;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const start = at + 4;
    const end = at + 2 + u16(bytes, at + 2);
    if (end < start || end > bytes.length) return undefined;
    if (marker === 0xda)
      return frame > 0 ? { frame, quantTables, huffmanTables, restartInterval, scan: at + 2 } : undefined;
    if (marker === BASELINE || marker === EXTENDED) frame = start;
    else if (marker === 0xdd) restartInterval = u16(bytes, start);
    else if (marker === 0xdb) {
      for (let table = start; table < end; table += 65) {
        // 16-bit steps are for 12-bit samples
        if (bytes[table] > 3 || table + 65 > end) return undefined;
        quantTables.set(bytes[table], table + 1);
      }
    } else if (marker === 0xc4) {
      for (let table = start; table < end; ) {
        if (table + 17 > end) return undefined;
        huffmanTables.set(bytes[table], table + 1);
        table += 17 + bytes.subarray(table + 1, table + 17).reduce((sum, count) => sum + count, 0);
        if (table > end) return undefined;
      }
    }
    at = end;
  }
  return undefined;
}

/** Whether the scan covers all components, in frame order, with all their coefficients. */
function isSingleScan(bytes: Uint8Array, { frame, scan }: Offsets, count: number): boolean {
  const end = scan + 3 + 2 * count;
  if (u16(bytes, scan) !== 6 + 2 * count || bytes[scan + 2] !== count) return false;
  for (let i = 0; i < count; i++) if (bytes[scan + 3 + 2 * i] !== bytes[frame + 6 + 3 * i]) return false;
  return bytes[end] === 0 && bytes[end + 1] === 63 && bytes[end + 2] === 0;
}

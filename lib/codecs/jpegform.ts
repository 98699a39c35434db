// Which JPEGs the kernels read, by what stands before the picture data: one sequential scan of all components, 8 bits a sample,
// sampled as is usual. Whether the data goes on to its end, and makes sense, does not show here.
import type { JpegHeader } from './jpegheader.js';

/** libjpeg does not smooth chroma of fewer columns than 3. */
const LEAST_SMOOTHED = 5;

const BASELINE = 0xc0;
const EXTENDED = 0xc1;

/** How many samples the first component has, across and down, for each of the second and third. */
interface Shape {
  readonly horizontal: number;
  readonly vertical: number;
  /** Whether the fourth has as many as the first; else as many as the second. */
  readonly isBlackWhole: boolean;
}

/** Places in the file of what is to be read. */
interface Places {
  readonly frame: number;
  /** Each of a kind: the last that a table was given. */
  readonly steps: ReadonlyMap<number, number>;
  /** By 16 × class + number, class 1 for AC. */
  readonly codes: ReadonlyMap<number, number>;
  readonly restart: number;
  readonly scan: number;
}

export type JpegForm = Shape & Places;

/** Undefined when the kernels do not read such files. */
export function ordinaryForm(bytes: Uint8Array, header: JpegHeader): JpegForm | undefined {
  const shape = shapeOf(header);
  const places = shape && findPlaces(bytes);
  return places && isOneScan(bytes, places, header.components.length) ? { ...shape, ...places } : undefined;
}

function shapeOf({ width, components }: JpegHeader): Shape | undefined {
  const [first, second, third, black] = components;
  if (!second) return { horizontal: 1, vertical: 1, isBlackWhole: false };
  const { horizontal, vertical } = first;
  const isBlackWhole = black?.horizontal === horizontal && black.vertical === vertical;
  const single = isBlackWhole ? [second, third] : components.slice(1);
  const isPlain = single.every((component) => component.horizontal === 1 && component.vertical === 1);
  const isKnown = horizontal <= 2 && vertical <= horizontal;
  if (!isPlain || !isKnown || (horizontal === 2 && width < LEAST_SMOOTHED)) return undefined;
  return { horizontal, vertical, isBlackWhole };
}

export function u16(bytes: Uint8Array, at: number): number {
  return (bytes[at] << 8) | bytes[at + 1];
}

/** Everything before the first scan, whose header has been found to be whole. */
function findPlaces(bytes: Uint8Array): Places | undefined {
  const steps = new Map<number, number>();
  const codes = new Map<number, number>();
  let frame = 0;
  let restart = 0;
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
    if (marker === 0xda) return frame > 0 ? { frame, steps, codes, restart, scan: at + 2 } : undefined;
    if (marker === BASELINE || marker === EXTENDED) frame = start;
    else if (marker === 0xdd) restart = u16(bytes, start);
    else if (marker === 0xdb) {
      for (let table = start; table < end; table += 65) {
        // steps of 2 bytes are for samples of 12 bits
        if (bytes[table] > 3 || table + 65 > end) return undefined;
        steps.set(bytes[table], table + 1);
      }
    } else if (marker === 0xc4) {
      for (let table = start; table < end; ) {
        if (table + 17 > end) return undefined;
        codes.set(bytes[table], table + 1);
        table += 17 + bytes.subarray(table + 1, table + 17).reduce((sum, count) => sum + count, 0);
        if (table > end) return undefined;
      }
    }
    at = end;
  }
  return undefined;
}

/** Whether the scan is of all components, in the frame's order, and of all their coefficients. */
function isOneScan(bytes: Uint8Array, { frame, scan }: Places, count: number): boolean {
  const end = scan + 3 + 2 * count;
  if (u16(bytes, scan) !== 6 + 2 * count || bytes[scan + 2] !== count) return false;
  for (let i = 0; i < count; i++) if (bytes[scan + 3 + 2 * i] !== bytes[frame + 6 + 3 * i]) return false;
  return bytes[end] === 0 && bytes[end + 1] === 63 && bytes[end + 2] === 0;
}

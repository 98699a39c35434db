// Applies the eight EXIF orientations; AVIF's irot and imir map to the same eight.
// Reads the orientation from the EXIF blocks of JPEG and PNG files (EXIF 2.3 section 4.6), and nothing else of them.
import { type Affine, IDENTITY } from '../geometry/affine.js';
import { Pixmap } from '../raster/pixmap.js';

/** EXIF tag 0x0112: how the stored rows and columns map to the displayed image; 1 is upright. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Whether the orientation swaps width and height (a quarter turn, with or without mirroring). */
export function swapsSides(orientation: Orientation): boolean {
  return orientation >= 5;
}

/** The image rotated and mirrored for display; the same pixmap if it is already upright. */
export function orient(pixmap: Pixmap, orientation: Orientation): Pixmap {
  if (orientation === 1) return pixmap;
  const { width, height, words } = pixmap;
  const displayed = swapsSides(orientation) ? new Pixmap(height, width) : new Pixmap(width, height);
  const { start, stepX, stepY } = mapping(orientation, width, height);
  const target = displayed.words;
  let source = 0;
  for (let y = 0; y < height; y++) {
    let to = start + y * stepY;
    for (let x = 0; x < width; x++, to += stepX) target[to] = words[source++];
  }
  return displayed;
}

/** The index of the first stored pixel in the displayed image, and the index steps for stored x and y. */
function mapping(orientation: Orientation, width: number, height: number) {
  const last = width * height - 1;
  switch (orientation) {
    case 1:
      return { start: 0, stepX: 1, stepY: width };
    case 2: // mirrored left to right
      return { start: width - 1, stepX: -1, stepY: width };
    case 3: // half a turn
      return { start: last, stepX: -1, stepY: -width };
    case 4: // mirrored top to bottom
      return { start: last - width + 1, stepX: 1, stepY: -width };
    case 5: // transposed
      return { start: 0, stepX: height, stepY: 1 };
    case 6: // shown turned a quarter clockwise
      return { start: height - 1, stepX: height, stepY: -1 };
    case 7: // transposed about the other diagonal
      return { start: last, stepX: -height, stepY: -1 };
    case 8: // shown turned a quarter anticlockwise
      return { start: last - height + 1, stepX: -height, stepY: 1 };
  }
}

/** Maps stored pixels of an image of that stored size to displayed ones. */
export function orientationMap(orientation: Orientation, width: number, height: number): Affine {
  const map = (a: number, b: number, c: number, d: number, e: number, f: number) => ({ a, b, c, d, e, f });
  switch (orientation) {
    case 1:
      return IDENTITY;
    case 2:
      return map(-1, 0, 0, 1, width, 0);
    case 3:
      return map(-1, 0, 0, -1, width, height);
    case 4:
      return map(1, 0, 0, -1, 0, height);
    case 5:
      return map(0, 1, 1, 0, 0, 0);
    case 6:
      return map(0, 1, -1, 0, height, 0);
    case 7:
      return map(0, -1, -1, 0, height, width);
    case 8:
      return map(0, -1, 1, 0, 0, width);
  }
}

/** TIFF's type code of a 16-bit number. */
const SHORT = 3;

/**
 * Tag 0x0112 in the first directory of a TIFF block; 1 (upright) if it is missing, of another type, or out of range.
 */
export function exifOrientation(tiff: Uint8Array): Orientation {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  if (tiff.length < 14) return 1;
  const isLittleEndian = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, isLittleEndian);
  if (directory + 2 > tiff.length) return 1;
  const entries = view.getUint16(directory, isLittleEndian);
  for (let i = 0; i < entries; i++) {
    const at = directory + 2 + i * 12;
    if (at + 12 > tiff.length) return 1;
    if (view.getUint16(at, isLittleEndian) !== 0x0112) continue;
    if (view.getUint16(at + 2, isLittleEndian) !== SHORT || view.getUint32(at + 4, isLittleEndian) !== 1) return 1;
    const value = view.getUint16(at + 8, isLittleEndian);
    return value >= 1 && value <= 8 ? (value as Orientation) : 1;
  }
  return 1;
}

// Reads the orientation from an EXIF block of a JPEG or PNG (EXIF 2.3 section 4.6). Ignores everything else.
import type { Orientation } from './orientation.js';

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

// An EXIF block, as JPEGs and PNGs carry it → how its picture is turned (EXIF 2.3 section 4.6). Nothing else of it is read.
import type { Orientation } from './orientation.js';

/** TIFF's type of a number of 16 bits. */
const SHORT = 3;

/** Tag 0x0112 of the first directory of a TIFF block; 1 (upright) when it is missing, of another type, or makes no sense. */
export function exifOrientation(tiff: Uint8Array): Orientation {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  if (tiff.length < 14) return 1;
  const little = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, little);
  if (directory + 2 > tiff.length) return 1;
  const entries = view.getUint16(directory, little);
  for (let i = 0; i < entries; i++) {
    const at = directory + 2 + i * 12;
    if (at + 12 > tiff.length) return 1;
    if (view.getUint16(at, little) !== 0x0112) continue;
    if (view.getUint16(at + 2, little) !== SHORT || view.getUint32(at + 4, little) !== 1) return 1;
    const value = view.getUint16(at + 8, little);
    return value >= 1 && value <= 8 ? (value as Orientation) : 1;
  }
  return 1;
}

// The pixels per inch of an image, as files carry them.

const INCH = 0.0254;

/** Pixels per metre, rounded. */
export function pixelsPerMetre(dpi: number): number {
  return Math.round(dpi / INCH);
}

/** TIFF field types (TIFF 6.0 section 2). */
const SHORT = 3;
const RATIONAL = 5;
/** ResolutionUnit: inches. */
const INCHES = 2;
/** Parts of a pixel per inch that EXIF keeps. */
const PRECISION = 100;

/** EXIF data with nothing but the resolution: a little-endian TIFF of one directory. */
export function exifResolution(dpi: number): Uint8Array {
  const directory = 8;
  const values = directory + 2 + 3 * 12 + 4;
  const bytes = new Uint8Array(values + 16);
  const view = new DataView(bytes.buffer);
  bytes.set([0x49, 0x49, 42, 0]);
  view.setUint32(4, directory, true);
  view.setUint16(directory, 3, true);
  const entries = [
    [0x11a, RATIONAL, values],
    [0x11b, RATIONAL, values + 8],
    [0x128, SHORT, INCHES],
  ];
  entries.forEach(([tag, type, value], i) => {
    const at = directory + 2 + 12 * i;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, 1, true);
    view.setUint32(at + 8, value, true);
  });
  for (const at of [values, values + 8]) {
    view.setUint32(at, Math.round(dpi * PRECISION), true);
    view.setUint32(at + 4, PRECISION, true);
  }
  return bytes;
}

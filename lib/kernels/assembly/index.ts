// Entry point of the WebAssembly module: re-exports every kernel. Each file documents its parameters; addresses are
// byte offsets into the module's memory. The kernels of drawing, PNG and JPEG have plain twins in ../plain, in folders of
// the same names: what is written for speed here stands there as the reference, and tests compare both bit for bit.
export { blendArea, blendCoverage, blendCoveredRow, blendRow } from './raster/blend';
export { boxBlurColumns, boxBlurRows } from './raster/box-blur';
export { applyColorMatrices } from './raster/color-matrix';
export { deflateBound, deflateBytes, deflateSampleBits, deflateStart } from './deflate/deflate';
export { filterRows } from './png/filter';
export { glyphCoverage } from './raster/glyph-coverage';
export {
  gradientColors,
  gradientPixels,
  gradientPlaces,
  gradientTable,
  linearGradientRow,
} from './raster/gradient';
export { gradientBends, gradientKnotsOfCells, polarGradientRow } from './raster/polar-gradient';
export { jpegSetHuffmanTable } from './jpeg/huffman-decode';
export { jpegDecodeMemory, jpegDecodeEnd, jpegDecodeMcuRow, jpegDecodeStart } from './jpeg/decode';
export { jpegEncodeStart, jpegEncodeMcuRow } from './jpeg/encode';
export {
  outlineClose,
  outlineCubicTo,
  outlineEnd,
  outlineLineTo,
  outlineMoveTo,
  outlineQuadTo,
  outlineStart,
} from './text/outline';
export { indexedColor, indexRows, paletteStart } from './png/palette';
export { scaleRows } from './raster/scale';
export { webpIndexRows, webpIndexStart, webpEncode } from './webp/encode';

/** Start of the memory that callers may allocate from. The memory grows on demand. */
export function heapStart(): usize {
  return (__heap_base + 15) & ~15;
}

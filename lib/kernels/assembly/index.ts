// All kernels of the one module. Each file says what its functions take; addresses are byte offsets into the module's memory.
export { blendArea, blendRow } from './blend';
export { deflateBound, deflateBytes, deflateSampleBits, deflateStart } from './deflate';
export { filterRows } from './filter';
export { glyphCoverage } from './glyph';
export { jpegReadTable } from './jpegcode';
export { jpegReadBytes, jpegReadEnd, jpegReadRows, jpegReadStart } from './jpegread';
export { jpegWriteStart, jpegWriteUnits } from './jpegwrite';
export { indexedColor, indexRows, paletteStart } from './palette';
export { scaleRows } from './scale';
export { webpIndexRows, webpIndexStart, webpWrite } from './webpwrite';

/** Where the memory that callers may lay out for themselves begins; it grows as they ask for more. */
export function heapStart(): usize {
  return (__heap_base + 15) & ~15;
}

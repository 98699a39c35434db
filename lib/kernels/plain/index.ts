// The kernels in plain TypeScript: the reference implementation of assembly/, bit for bit, and what runs where
// WebAssembly does not exist. Each file makes the kernels of one use over a common memory.
import type { Kernels, OutlineKernels } from '../interface.js';
import { deflateKernels } from './deflate/deflate.js';
import { jpegDecodeKernels } from './jpeg/decode.js';
import { jpegEncodeKernels } from './jpeg/encode.js';
import { PlainMemory } from './memory.js';
import { filterKernel } from './png/filter.js';
import { paletteKernels } from './png/palette.js';
import { BLEND_BYTES, blendKernels } from './raster/blend.js';
import { boxBlurKernels } from './raster/box-blur.js';
import { colorMatrixKernel } from './raster/color-matrix.js';
import { glyphCoverageKernel } from './raster/glyph-coverage.js';
import { GRADIENT_BYTES, gradientKernels } from './raster/gradient.js';
import { scaleKernel } from './raster/scale.js';
import { outlineKernels } from './text/outline.js';
import { webpKernels } from './webp/encode.js';

/** The first address; 0 stays unused. */
const START = 16;
const GRADIENT_START = START + BLEND_BYTES;
const HEAP_START = (GRADIENT_START + GRADIENT_BYTES + 15) & ~15;

export function createPlainKernels(): Kernels & OutlineKernels {
  const memory = new PlainMemory(HEAP_START);
  const palette = paletteKernels(memory);
  return {
    memory,
    heapStart: () => HEAP_START,
    ...blendKernels(memory, START),
    ...boxBlurKernels(memory),
    ...colorMatrixKernel(memory),
    ...deflateKernels(memory),
    ...filterKernel(memory),
    ...glyphCoverageKernel(memory),
    ...gradientKernels(memory, GRADIENT_START),
    ...jpegDecodeKernels(memory),
    ...jpegEncodeKernels(memory),
    ...outlineKernels(memory, HEAP_START),
    ...palette,
    ...scaleKernel(memory),
    ...webpKernels(memory, palette),
  };
}

// Composites one colour over a row of pixels: source-over in gamma space, premultiplied. Twin of
// assembly/raster/blend.ts.
import type { Kernels } from '../../interface.js';
import type { PlainMemory } from '../memory.js';

const MAX_PIXELS = 4096;

/** Bytes of the pixels to blend, which are at `area`, and of the coverage of each, which follows them. */
export const BLEND_BYTES = MAX_PIXELS * 5;

type BlendKernels = 'blendArea' | 'blendCoverage' | 'blendRow' | 'blendCoveredRow';

export function blendKernels(memory: PlainMemory, area: number): Pick<Kernels, BlendKernels> {
  const coverage = area + MAX_PIXELS * 4;
  return {
    blendArea: () => area,
    blendCoverage: () => coverage,

    /** Composites the colour `opaque` (a pixel without its alpha) at `alpha` (0–255) over the first `count` pixels. */
    blendRow(count, opaque, alpha) {
      const { words } = memory;
      const end = area / 4 + count;
      let backdrop = 0;
      let result = blendPixel(opaque, alpha, backdrop);
      for (let i = area / 4; i < end; i++) {
        if (words[i] !== backdrop) {
          backdrop = words[i];
          result = blendPixel(opaque, alpha, backdrop);
        }
        words[i] = result;
      }
    },

    /** Does what `blendRow` does, with the alpha of each pixel times its coverage. */
    blendCoveredRow(count, opaque, alpha) {
      const { bytes, words } = memory;
      for (let i = 0; i < count; i++) {
        const weight = Math.round((bytes[coverage + i] * alpha) / 255);
        words[area / 4 + i] = blendPixel(opaque, weight, words[area / 4 + i]);
      }
    },
  };
}

function blendPixel(opaque: number, alpha: number, backdrop: number): number {
  let pixel = 0;
  for (let shift = 0; shift < 32; shift += 8) {
    const sum = ((opaque >>> shift) & 255) * alpha + ((backdrop >>> shift) & 255) * (255 - alpha);
    pixel |= Math.round(sum / 255) << shift;
  }
  return pixel;
}

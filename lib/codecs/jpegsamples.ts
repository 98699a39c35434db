// Pixels → the luma and chroma samples of one coding unit, centred on 0, block after block, ready to be transformed.
// Samples stay whole numbers without being rounded: they are 65536 times (chroma halved both ways: 262144 times) too large.

/** Luma and chroma of the JFIF specification, in parts of 65536. */
const LUMA_RED = 19595;
const LUMA_GREEN = 38470;
const LUMA_BLUE = 7471;
const LUMA_CENTRE = 128 * 65536;
const BLUE_RED = -11059;
const BLUE_GREEN = -21709;
const RED_GREEN = -27439;
const RED_BLUE = -5329;
const CHROMA_OWN = 32768;

export const FULL_SCALE = 65536;
export const HALVED_SCALE = 4 * FULL_SCALE;

/**
 * 16 × 16 pixels, opaque RGBA from byte `from`, rows `stride` bytes apart → four luma blocks, then one of each chroma, every
 * sample the mean of four pixels. `samples` holds 6 × 64.
 */
export function takeHalved(data: Uint8ClampedArray, from: number, stride: number, samples: Float64Array): void {
  for (let y = 0; y < 8; y++) {
    const lumaRow = (y >> 2) * 128 + (y & 3) * 16;
    let above = from + y * 2 * stride;
    for (let x = 0; x < 8; x++, above += 8) {
      const below = above + stride;
      const luma = lumaRow + (x >> 2) * 64 + (x & 3) * 2;
      let r = data[above];
      let g = data[above + 1];
      let b = data[above + 2];
      samples[luma] = LUMA_RED * r + LUMA_GREEN * g + LUMA_BLUE * b - LUMA_CENTRE;
      const r1 = data[above + 4];
      const g1 = data[above + 5];
      const b1 = data[above + 6];
      samples[luma + 1] = LUMA_RED * r1 + LUMA_GREEN * g1 + LUMA_BLUE * b1 - LUMA_CENTRE;
      const r2 = data[below];
      const g2 = data[below + 1];
      const b2 = data[below + 2];
      samples[luma + 8] = LUMA_RED * r2 + LUMA_GREEN * g2 + LUMA_BLUE * b2 - LUMA_CENTRE;
      const r3 = data[below + 4];
      const g3 = data[below + 5];
      const b3 = data[below + 6];
      samples[luma + 9] = LUMA_RED * r3 + LUMA_GREEN * g3 + LUMA_BLUE * b3 - LUMA_CENTRE;
      r += r1 + r2 + r3;
      g += g1 + g2 + g3;
      b += b1 + b2 + b3;
      const chroma = y * 8 + x;
      samples[256 + chroma] = BLUE_RED * r + BLUE_GREEN * g + CHROMA_OWN * b;
      samples[320 + chroma] = CHROMA_OWN * r + RED_GREEN * g + RED_BLUE * b;
    }
  }
}

/** 8 × 8 pixels → a block of luma and one of each chroma. `samples` holds 3 × 64. */
export function takeFull(data: Uint8ClampedArray, from: number, stride: number, samples: Float64Array): void {
  for (let y = 0, i = 0; y < 8; y++) {
    for (let x = 0, at = from + y * stride; x < 8; x++, at += 4, i++) {
      const r = data[at];
      const g = data[at + 1];
      const b = data[at + 2];
      samples[i] = LUMA_RED * r + LUMA_GREEN * g + LUMA_BLUE * b - LUMA_CENTRE;
      samples[64 + i] = BLUE_RED * r + BLUE_GREEN * g + CHROMA_OWN * b;
      samples[128 + i] = CHROMA_OWN * r + RED_GREEN * g + RED_BLUE * b;
    }
  }
}

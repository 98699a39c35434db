// Converts one row of samples to RGBA pixels. Upsamples chroma of half width or height with libjpeg's triangle filter
// ("fancy upsampling", jdsample.c); converts colours by libjpeg's formulas (jdcolor.c): Q16 factors, rounded. Twin of
// assembly/jpeg/ycbcr-to-rgba.ts and cmyk.ts.

export function writeGray(luma: Uint8ClampedArray, out: Uint8ClampedArray): void {
  writeCmy(luma, luma, luma, out);
}

export function writeYcc(
  luma: Uint8ClampedArray,
  cb: Uint8ClampedArray,
  cr: Uint8ClampedArray,
  out: Uint8ClampedArray,
): void {
  for (let x = 0, o = 0; o < out.length; x++, o += 4) {
    const y = luma[x];
    const blue = cb[x] - 128;
    const red = cr[x] - 128;
    out[o] = y + ((91881 * red + 32768) >> 16);
    out[o + 1] = y + ((-22554 * blue - 46802 * red + 32768) >> 16);
    out[o + 2] = y + ((116130 * blue + 32768) >> 16);
    out[o + 3] = 255;
  }
}

/** Writes cyan, magenta and yellow as R, G and B, without black: samples are inverted, 255 is no ink. */
export function writeCmy(
  cyan: Uint8ClampedArray,
  magenta: Uint8ClampedArray,
  yellow: Uint8ClampedArray,
  out: Uint8ClampedArray,
): void {
  for (let x = 0, o = 0; o < out.length; x++, o += 4) {
    out[o] = cyan[x];
    out[o + 1] = magenta[x];
    out[o + 2] = yellow[x];
    out[o + 3] = 255;
  }
}

/** Multiplies pixels by black; inverts them first if `isInverted` (YCCK decodes to the complements of the inks). */
export function applyBlack(black: Uint8ClampedArray, isInverted: boolean, out: Uint8ClampedArray): void {
  for (let x = 0, o = 0; o < out.length; x++, o += 4) {
    for (let i = o; i < o + 3; i++) out[i] = Math.floor(((isInverted ? 255 - out[i] : out[i]) * black[x]) / 255);
  }
}

/**
 * Upsamples a row of `columns` samples to twice as many: three parts of the nearer one and one part of the other. With
 * `far`, chroma also has half the height, and a sample is three parts of `near` and one part of `far`.
 */
export function upsample(
  near: Uint8ClampedArray,
  far: Uint8ClampedArray | undefined,
  columns: number,
  out: Uint8ClampedArray,
): void {
  const sum = (x: number) => {
    const column = Math.min(columns - 1, Math.max(0, x));
    return far ? 3 * near[column] + far[column] : near[column];
  };
  // jdsample.c: rounding terms are 8 (left) and 7 (right) of 16; 1 and 2 of 4
  const [shift, left, right] = far ? [4, 8, 7] : [2, 1, 2];
  let previous = sum(-1);
  let here = previous;
  for (let x = 0; x < columns; x++) {
    const next = sum(x + 1);
    out[2 * x] = (3 * here + previous + left) >> shift;
    out[2 * x + 1] = (3 * here + next + right) >> shift;
    previous = here;
    here = next;
  }
}

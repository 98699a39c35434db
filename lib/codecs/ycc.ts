// Y, Cb, Cr → R, G, B in place, chroma smoothed on the way as libjpeg and the browsers do ("fancy upsampling"): the decoder
// at hand repeats chroma samples in blocks and cuts fractions off. Integer formulas of libjpeg's jdcolor.c and jdsample.c.

/** Chroma samples of one row, at the picture's full width. */
type ChromaRow = Int32Array;

/**
 * `data` holds Y, Cb, Cr, 255 a pixel, chroma repeated `horizontal` × `vertical` times from the top left corner.
 * Ratios of 1 and 2 are smoothed; others (rare) stay in blocks.
 */
export function convertYcc(
  data: Uint8ClampedArray,
  width: number,
  height: number,
  horizontal: number,
  vertical: number,
) {
  const smoothX = horizontal === 2 && width > 4;
  const smoothY = vertical === 2 && (smoothX || horizontal === 1);
  const columns = smoothX ? Math.ceil(width / 2) : width;
  const planes = smoothX || smoothY ? takeChroma(data, width, height, columns, smoothY) : undefined;
  const cb: ChromaRow = new Int32Array(width);
  const cr: ChromaRow = new Int32Array(width);
  const merged = new Int32Array(columns);

  for (let y = 0; y < height; y++) {
    const row = y * width * 4;
    if (planes) {
      smoothRow(planes.cb, planes.rows, columns, y, merged, cb, smoothX, smoothY);
      smoothRow(planes.cr, planes.rows, columns, y, merged, cr, smoothX, smoothY);
    } else {
      for (let x = 0, i = row; x < width; x++, i += 4) {
        cb[x] = data[i + 1];
        cr[x] = data[i + 2];
      }
    }
    for (let x = 0, i = row; x < width; x++, i += 4) {
      const luma = data[i];
      const blue = cb[x] - 128;
      const red = cr[x] - 128;
      data[i] = luma + ((91881 * red + 32768) >> 16);
      data[i + 1] = luma + ((-22554 * blue - 46802 * red + 32768) >> 16);
      data[i + 2] = luma + ((116130 * blue + 32768) >> 16);
    }
  }
}

/** The chroma samples as the file has them, before they were repeated. */
function takeChroma(data: Uint8ClampedArray, width: number, height: number, columns: number, halfRows: boolean) {
  const rows = halfRows ? Math.ceil(height / 2) : height;
  const cb = new Uint8Array(columns * rows);
  const cr = new Uint8Array(columns * rows);
  const stepX = columns === width ? 4 : 8;
  for (let y = 0, to = 0; y < rows; y++) {
    let i = (halfRows ? y * 2 : y) * width * 4;
    for (let x = 0; x < columns; x++, i += stepX, to++) {
      cb[to] = data[i + 1];
      cr[to] = data[i + 2];
    }
  }
  return { cb, cr, rows };
}

/** One full-width row of a plane: down the columns 3/4 of the nearer row and 1/4 of the other, then the same along the row. */
function smoothRow(
  plane: Uint8Array,
  rows: number,
  columns: number,
  y: number,
  merged: Int32Array,
  out: ChromaRow,
  smoothX: boolean,
  smoothY: boolean,
): void {
  const near = smoothY ? y >> 1 : y;
  const other = smoothY ? Math.min(rows - 1, Math.max(0, y & 1 ? near + 1 : near - 1)) : near;
  const nearAt = near * columns;
  const otherAt = other * columns;
  if (!smoothX) {
    const bias = y & 1 ? 2 : 1;
    for (let x = 0; x < columns; x++) out[x] = (3 * plane[nearAt + x] + plane[otherAt + x] + bias) >> 2;
    return;
  }
  // Sums of four (one row) or sixteen (two rows) parts; libjpeg's biases alternate so that rounding
  // does not drift. At the ends the sample itself stands in for the missing neighbour.
  if (smoothY) for (let x = 0; x < columns; x++) merged[x] = 3 * plane[nearAt + x] + plane[otherAt + x];
  else for (let x = 0; x < columns; x++) merged[x] = plane[nearAt + x];
  const shift = smoothY ? 4 : 2;
  const biasLeft = smoothY ? 8 : 1;
  const biasRight = smoothY ? 7 : 2;
  const last = columns - 1;
  for (let x = 0; x < columns; x++) {
    const here = 3 * merged[x];
    out[x * 2] = (here + merged[x === 0 ? 0 : x - 1] + biasLeft) >> shift;
    out[x * 2 + 1] = (here + merged[x === last ? last : x + 1] + biasRight) >> shift;
  }
}

// Converts Y, Cb, Cr to R, G, B in place, upsampling chroma with libjpeg's triangle filter ("fancy upsampling") as
// browsers do: jpeg-js repeats chroma samples in blocks and truncates. Integer formulas of libjpeg's jdcolor.c and
// jdsample.c.

/** Chroma samples of one row at full image width. */
type ChromaRow = Int32Array;

/**
 * `data` holds Y, Cb, Cr, 255 per pixel, with chroma repeated `horizontal` × `vertical` times from the top left corner.
 * Filters ratios of 1 and 2; leaves others (rare) in blocks.
 */
export function convertYCbCr(
  data: Uint8ClampedArray,
  width: number,
  height: number,
  horizontal: number,
  vertical: number,
) {
  const filterX = horizontal === 2 && width > 4;
  const filterY = vertical === 2 && (filterX || horizontal === 1);
  const columns = filterX ? Math.ceil(width / 2) : width;
  const planes = filterX || filterY ? extractChroma(data, width, height, columns, filterY) : undefined;
  const cb: ChromaRow = new Int32Array(width);
  const cr: ChromaRow = new Int32Array(width);
  const merged = new Int32Array(columns);

  for (let y = 0; y < height; y++) {
    const row = y * width * 4;
    if (planes) {
      upsampleRow(planes.cb, planes.rows, columns, y, merged, cb, filterX, filterY);
      upsampleRow(planes.cr, planes.rows, columns, y, merged, cr, filterX, filterY);
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

/** The chroma samples as stored in the file, before repetition. */
function extractChroma(data: Uint8ClampedArray, width: number, height: number, columns: number, isHalfHeight: boolean) {
  const rows = isHalfHeight ? Math.ceil(height / 2) : height;
  const cb = new Uint8Array(columns * rows);
  const cr = new Uint8Array(columns * rows);
  const stepX = columns === width ? 4 : 8;
  for (let y = 0, to = 0; y < rows; y++) {
    let i = (isHalfHeight ? y * 2 : y) * width * 4;
    for (let x = 0; x < columns; x++, i += stepX, to++) {
      cb[to] = data[i + 1];
      cr[to] = data[i + 2];
    }
  }
  return { cb, cr, rows };
}

/** Upsamples a full-width row of a plane: 3/4 of the nearer row plus 1/4 of the other, then the same along the row. */
function upsampleRow(
  plane: Uint8Array,
  rows: number,
  columns: number,
  y: number,
  merged: Int32Array,
  out: ChromaRow,
  filterX: boolean,
  filterY: boolean,
): void {
  const near = filterY ? y >> 1 : y;
  const other = filterY ? Math.min(rows - 1, Math.max(0, y & 1 ? near + 1 : near - 1)) : near;
  const nearAt = near * columns;
  const otherAt = other * columns;
  if (!filterX) {
    const bias = y & 1 ? 2 : 1;
    for (let x = 0; x < columns; x++) out[x] = (3 * plane[nearAt + x] + plane[otherAt + x] + bias) >> 2;
    return;
  }
  // Sums of four (one row) or sixteen (two rows) parts. libjpeg alternates its rounding terms so that rounding does not
  // drift. At the edges, the sample itself replaces the missing neighbour.
  if (filterY) for (let x = 0; x < columns; x++) merged[x] = 3 * plane[nearAt + x] + plane[otherAt + x];
  else for (let x = 0; x < columns; x++) merged[x] = plane[nearAt + x];
  const shift = filterY ? 4 : 2;
  const biasLeft = filterY ? 8 : 1;
  const biasRight = filterY ? 7 : 2;
  const last = columns - 1;
  for (let x = 0; x < columns; x++) {
    const here = 3 * merged[x];
    out[x * 2] = (here + merged[x === 0 ? 0 : x - 1] + biasLeft) >> shift;
    out[x * 2 + 1] = (here + merged[x === last ? last : x + 1] + biasRight) >> shift;
  }
}

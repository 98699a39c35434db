// Rasterizes a glyph outline into a coverage mask: the exact covered area of each pixel, quantized (non-zero winding).
// Accumulates signed areas (as font-rs does): each edge adds, to each pixel that it crosses, the area to its right; a
// running sum along the row is the coverage. Formulas and precision match lib/raster/coverage.ts.

/** Adds the part of an edge inside one row: from x0 to x1, with signed height. */
@inline
function addSegment(row: usize, x0: f64, x1: f64, height: f64): void {
  const low = min(x0, x1);
  const high = max(x0, x1);
  const first = <i32>low;
  const last = <i32>high;
  if (first == last) {
    const right = height * ((low + high) * 0.5 - <f64>first);
    add(row, first, height - right);
    add(row, first + 1, right);
    return;
  }
  const perX = height / (high - low);
  const lead = <f64>(first + 1) - low;
  let covered = lead * lead * 0.5 * perX;
  add(row, first, covered);
  let before = covered;
  for (let x = first + 1; x < last; x++) {
    covered = (<f64>x + 0.5 - low) * perX;
    add(row, x, covered - before);
    before = covered;
  }
  const tail = high - <f64>last;
  covered = height - tail * tail * 0.5 * perX;
  add(row, last, covered - before);
  add(row, last + 1, height - covered);
}

@inline
function add(row: usize, x: i32, area: f64): void {
  const at = row + (<usize>x << 2);
  store<f32>(at, <f32>(<f64>load<f32>(at) + area));
}

/**
 * Writes `width` × `height` bytes of coverage to `out`. `points`: x, y pairs (f64) of `contours` closed contours, all
 * inside the mask after a translation by (-left, -top). `ends`: the end of each contour, counted in numbers (u32).
 * `steps`: number of coverage levels above 0. `areas`: scratch memory, (width + 2) × height × 4 bytes.
 */
export function glyphCoverage(
  points: usize,
  ends: usize,
  contours: i32,
  left: f64,
  top: f64,
  width: i32,
  height: i32,
  steps: i32,
  areas: usize,
  out: usize,
): void {
  const rowBytes = <usize>(width + 2) << 2;
  memory.fill(areas, 0, rowBytes * height);
  let at = points;
  for (let contour = 0; contour < contours; contour++) {
    const end = points + (<usize>load<u32>(ends + (contour << 2)) << 3);
    if (end - at < 48) {
      at = end;
      continue;
    }
    let x0 = load<f64>(end - 16) - left;
    let y0 = load<f64>(end - 8) - top;
    for (; at < end; at += 16) {
      const x1 = load<f64>(at) - left;
      const y1 = load<f64>(at, 8) - top;
      if (y0 != y1) addEdge(x0, y0, x1, y1, <f64>width, areas, rowBytes);
      x0 = x1;
      y0 = y1;
    }
  }
  for (let y = 0; y < height; y++, areas += rowBytes) {
    let sum: f64 = 0;
    for (let x = 0; x < width; x++) {
      sum += <f64>load<f32>(areas + (<usize>x << 2));
      const covered = abs(sum);
      store<u8>(out++, covered >= 1 ? 255 : <u8>levelToByte(<i32>(covered * <f64>steps + 0.5), steps));
    }
  }
}

/** step × 255 / steps, rounded. */
@inline
function levelToByte(step: i32, steps: i32): i32 {
  return (step * 510 + steps) / (2 * steps);
}

@inline
function clamp(x: f64, right: f64): f64 {
  return min(max(x, 0), right);
}

function addEdge(x0: f64, y0: f64, x1: f64, y1: f64, right: f64, areas: usize, rowBytes: usize): void {
  const down = y0 < y1;
  const top = min(y0, y1);
  const bottom = max(y0, y1);
  const slope = (x1 - x0) / (y1 - y0);
  const x = down ? x0 : x1;
  const winding: f64 = down ? 1 : -1;
  const first = <i32>top;
  const last = <i32>ceil(bottom);
  let row = areas + rowBytes * first;
  for (let y = first; y < last; y++, row += rowBytes) {
    const from = max(top, <f64>y);
    const to = min(bottom, <f64>(y + 1));
    const upper = clamp(x + (from - top) * slope, right);
    const lower = clamp(x + (to - top) * slope, right);
    addSegment(row, upper, lower, (to - from) * winding);
  }
}

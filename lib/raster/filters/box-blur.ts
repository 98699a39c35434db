// Blurs pixels by three box filters in succession, as Chromium's blur() does: within 3 % of a Gaussian, at a cost that doesn't
// grow with the standard deviation. The kernels do the sums.
import { expand, intersect, isEmpty, type Rect } from '../../geometry/rect.js';
import { allocate, kernels } from '../../kernels/kernels.js';
import { Surface } from '../surface.js';

/** The pixels beyond the edges of the picture: transparent ones, or its mirror image. */
export type EdgeMode = 'transparent' | 'mirrored';

/** Chromium's limit: a larger standard deviation doesn't blur more. */
const MAX_SIGMA = 532;
/** The widest box for which the kernels' threefold sums fit into 32 bits. */
const MAX_WINDOW = 256;
/** Pixels blurred at once, in strips of columns; this bounds the kernels' memory. */
const MAX_STRIP_PIXELS = 2 ** 21;
const MIN_STRIP_COLUMNS = 64;
/** Bytes of lines that the kernel blurs per call, which fit into the second-level cache. */
const LINES_BYTES = 2 ** 17;
/** Columns that the kernels blur at a time. */
const KERNEL_STEP = 4;
const BYTES_PER_SUMS = 48;

/** Two boxes of `window` pixels and one of `last`. Boxes of even width are half a pixel off centre, one to each side. */
interface Boxes {
  readonly window: number;
  readonly last: number;
}

/** Finds the boxes that best approximate a Gaussian of standard deviation `sigma` (Filter Effects 1, section 9.2). */
function boxesOf(sigma: number): Boxes {
  const window = Math.floor((Math.min(sigma, MAX_SIGMA) * 3 * Math.sqrt(2 * Math.PI)) / 4 + 0.5);
  return { window, last: window | 1 };
}

/** Pixels by which the boxes spread the picture. */
function reachOf({ window, last }: Boxes): number {
  return (2 * window + last - 3) / 2;
}

/** Pixels by which a blur of standard deviation `sigma` spreads the picture: 0 below ⅘ of a pixel, which doesn't blur. */
export function boxBlurReach(sigma: number): number {
  const boxes = boxesOf(sigma);
  return boxes.window > 1 ? reachOf(boxes) : 0;
}

/** Blurs `source` with a standard deviation of `sigma` pixels and returns the part in `bounds` (integers, not empty). */
export function boxBlur(source: Surface, sigma: number, edges: EdgeMode, bounds: Rect): Surface {
  const boxes = boxesOf(sigma);
  const { window, last } = boxes;
  if (window <= MAX_WINDOW) return blurBoth(source, boxes, edges, bounds);
  const first = { window, last: 1 };
  const second = { window: 1, last };
  const between =
    edges === 'mirrored'
      ? source.bounds
      : intersect(expand(source.bounds, reachOf(first)), expand(bounds, reachOf(second)));
  if (isEmpty(between)) return new Surface(bounds);
  return blurBoth(blurBoth(source, first, edges, between), second, edges, bounds);
}

/** Blurs along both axes, a strip of columns at a time. */
function blurBoth(source: Surface, boxes: Boxes, edges: EdgeMode, bounds: Rect): Surface {
  const out = new Surface(bounds);
  const reach = reachOf(boxes);
  const read = edges === 'mirrored' ? source.bounds : intersect(source.bounds, expand(bounds, reach));
  if (isEmpty(read)) return out;
  const rows = Math.max(read.bottom - read.top, out.pixmap.height);
  const columns = Math.max(MIN_STRIP_COLUMNS, Math.floor(MAX_STRIP_PIXELS / rows / KERNEL_STEP) * KERNEL_STEP);
  for (let left = bounds.left; left < bounds.right; left += columns) {
    blurStrip(source, boxes, edges, read, { ...bounds, left, right: Math.min(bounds.right, left + columns) }, out);
  }
  return out;
}

/** Blurs `strip`, some columns of `out`. `read` is the part of the source that is not transparent and may be in reach. */
function blurStrip(source: Surface, boxes: Boxes, edges: EdgeMode, read: Rect, strip: Rect, out: Surface): void {
  const { window, last } = boxes;
  const reach = reachOf(boxes);
  const lead = 2 * window + last;
  const columns = strip.right - strip.left;
  const width = Math.ceil(columns / KERNEL_STEP) * KERNEL_STEP;
  const rows = read.bottom - read.top;
  const height = strip.bottom - strip.top;
  const stride = lead + width + 2 * reach;
  const linesPerCall = Math.max(1, Math.min(rows, Math.floor(LINES_BYTES / 4 / stride)));
  const sizes = [linesPerCall * stride, width, rows * width, height * width, lead + height + 2 * reach];
  const [lines, zeros, between, blurred, addresses, sums] = allocate([
    ...sizes.map((count) => 4 * count),
    width * BYTES_PER_SUMS,
  ]);
  const { memory, boxBlurRows, boxBlurColumns } = kernels();
  const words = new Uint32Array(memory.buffer);

  const { multiplier, shift, fraction } = divisionBy(window * window * last);
  words.fill(0, lines / 4, lines / 4 + linesPerCall * stride);
  words.fill(0, zeros / 4, zeros / 4 + width);
  for (let y = 0; y < rows; y += linesPerCall) {
    const count = Math.min(linesPerCall, rows - y);
    for (let i = 0; i < count; i++) {
      const line = words.subarray(lines / 4 + i * stride + lead, lines / 4 + (i + 1) * stride);
      fillLine(line, source, read.top + y + i, strip.left - reach, edges);
    }
    boxBlurRows(lines, 4 * stride, count, window, last, multiplier, shift, fraction, width, between + 4 * y * width);
  }

  words.fill(zeros, addresses / 4, addresses / 4 + lead + height + 2 * reach);
  for (let i = 0; i < height + 2 * reach; i++) {
    const y = strip.top - reach + i - read.top;
    const row = edges === 'mirrored' ? mirrored(y, rows) : y;
    if (row >= 0 && row < rows) words[addresses / 4 + lead + i] = between + 4 * row * width;
  }
  boxBlurColumns(addresses, height, window, last, multiplier, shift, fraction, width, sums, blurred);

  for (let y = 0; y < height; y++) {
    const from = blurred / 4 + y * width;
    out.pixmap.words.set(words.subarray(from, from + columns), y * out.pixmap.width + strip.left - out.bounds.left);
  }
}

/** Finds the factors by which the kernels divide sums of 8-bit values by `divisor` in signed 16-bit arithmetic. */
function divisionBy(divisor: number): { multiplier: number; shift: number; fraction: number } {
  let shift = 0;
  while ((255 * divisor) / 2 ** shift > 0x7fff) shift++;
  const scaled = divisor / 2 ** shift;
  let fraction = 0;
  while (2 ** (fraction + 1) < scaled) fraction++;
  return { multiplier: Math.min(0x7fff, Math.round(2 ** (15 + fraction) / scaled)), shift, fraction };
}

/** Fills `line`, which starts at column `left`, with row `y` of the source; `edges` decides the pixels beyond its edges. */
function fillLine(line: Uint32Array, source: Surface, y: number, left: number, edges: EdgeMode): void {
  const { bounds, pixmap } = source;
  const row = (y - bounds.top) * pixmap.width;
  const first = left - bounds.left;
  const from = Math.max(0, first);
  const to = Math.min(pixmap.width, first + line.length);
  if (from < to) line.set(pixmap.words.subarray(row + from, row + to), from - first);
  if (edges === 'transparent') return;
  for (let i = 0; i < line.length; i++) {
    if (i === from - first && from < to) i = to - first;
    if (i < line.length) line[i] = pixmap.words[row + mirrored(first + i, pixmap.width)];
  }
}

/** Maps `position` to the pixel that lies there when a picture of `size` pixels is mirrored endlessly at both ends. */
function mirrored(position: number, size: number): number {
  const phase = position % (2 * size);
  const wrapped = phase < 0 ? phase + 2 * size : phase;
  return wrapped < size ? wrapped : 2 * size - 1 - wrapped;
}

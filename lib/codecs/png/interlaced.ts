// Decodes an interlaced (Adam7) PNG's rows to straight RGBA: seven reduced images, whose rows are decoded like those of
// a non-interlaced PNG and whose pixels are spread over the image. Holds one extra row, with as many bytes per pixel as
// the non-interlaced decoder.
import { Pixmap } from '../../raster/pixmap.js';
import { CHANNELS, type PngFile } from './chunks.js';
import { inflateRows } from './inflate.js';
import { rowExpander } from './rows.js';
import { unfilter } from './unfilter.js';

/** Start and pixel spacing of each pass (PNG specification section 8.2). */
const PASSES: readonly (readonly [x: number, y: number, stepX: number, stepY: number])[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

interface Pass {
  readonly x: number;
  readonly y: number;
  readonly stepX: number;
  readonly stepY: number;
  readonly columns: number;
  readonly rows: number;
  /** Bytes of one row, without its filter byte. */
  readonly rowBytes: number;
}

/** Decodes to straight RGBA; 16-bit samples are rounded to 8 bits. Throws RenderError for corrupt or missing rows. */
export function readInterlaced(file: PngFile): Pixmap {
  const passes = passesOf(file);
  const total = passes.reduce((sum, { rows, rowBytes }) => sum + rows * (1 + rowBytes), 0);
  const raw = inflateRows(file, total);
  const pixmap = new Pixmap(file.width, file.height);
  const row = new Pixmap(file.width, 1);
  const expand = rowExpander(file, row);
  const step = Math.max(1, bitsOf(file) >> 3);
  let at = 0;
  for (const { x, y, stepX, stepY, columns, rows, rowBytes } of passes) {
    for (let i = 0; i < rows; i++, at += rowBytes + 1) {
      unfilter(raw, raw[at], at + 1, rowBytes, i === 0 ? -1 : at - rowBytes, step);
      expand(raw, at + 1, columns, 0);
      let to = (y + i * stepY) * file.width + x;
      for (let column = 0; column < columns; column++, to += stepX) pixmap.words[to] = row.words[column];
    }
  }
  return pixmap;
}

function bitsOf({ depth, colorType }: PngFile): number {
  return depth * CHANNELS.get(colorType)!;
}

/** The passes that have pixels; the others have no rows in the file. */
function passesOf(file: PngFile): Pass[] {
  const bits = bitsOf(file);
  return PASSES.map(([x, y, stepX, stepY]) => {
    const columns = Math.max(0, Math.ceil((file.width - x) / stepX));
    const rows = Math.max(0, Math.ceil((file.height - y) / stepY));
    return { x, y, stepX, stepY, columns, rows, rowBytes: Math.ceil((columns * bits) / 8) };
  }).filter(({ columns, rows }) => columns > 0 && rows > 0);
}

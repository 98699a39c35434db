// A picture as stored → as shown, by the eight EXIF orientations; AVIF's irot and imir map onto the same eight.
import { Pixmap } from '../raster/pixmap.js';

/** EXIF tag 0x0112: how the stored rows and columns lie in the picture as shown; 1 is upright. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Whether width and height change places (a quarter turn, with or without a mirror). */
export function swapsSides(orientation: Orientation): boolean {
  return orientation >= 5;
}

/** The picture turned and mirrored for showing; the same pixmap when it is upright already. */
export function orient(pixmap: Pixmap, orientation: Orientation): Pixmap {
  if (orientation === 1) return pixmap;
  const { width, height, words } = pixmap;
  const shown = swapsSides(orientation) ? new Pixmap(height, width) : new Pixmap(width, height);
  const { start, alongX, alongY } = steps(orientation, width, height);
  const target = shown.words;
  let source = 0;
  for (let y = 0; y < height; y++) {
    let to = start + y * alongY;
    for (let x = 0; x < width; x++, to += alongX) target[to] = words[source++];
  }
  return shown;
}

/** Where the stored picture's first pixel goes, and the steps in the shown one for its x and y. */
function steps(orientation: Orientation, width: number, height: number) {
  const last = width * height - 1;
  switch (orientation) {
    case 1:
      return { start: 0, alongX: 1, alongY: width };
    case 2: // mirrored left to right
      return { start: width - 1, alongX: -1, alongY: width };
    case 3: // half a turn
      return { start: last, alongX: -1, alongY: -width };
    case 4: // mirrored top to bottom
      return { start: last - width + 1, alongX: 1, alongY: -width };
    case 5: // transposed
      return { start: 0, alongX: height, alongY: 1 };
    case 6: // shown turned a quarter clockwise
      return { start: height - 1, alongX: height, alongY: -1 };
    case 7: // transposed about the other diagonal
      return { start: last, alongX: -height, alongY: -1 };
    case 8: // shown turned a quarter anticlockwise
      return { start: last - height + 1, alongX: -height, alongY: 1 };
  }
}
